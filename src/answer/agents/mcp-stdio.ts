// The MCP server on standard input and output. Lines that are not messages are answered before the server sees them, and the end of
// the input waits for the answers to open requests.

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Transform, type TransformCallback } from 'node:stream';
import { parseJSONRPCMessage, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';

import { createMcpServer } from './mcp-server.ts';
import type { ToolParts } from './tool-answer.ts';
import { notCall, notJson, notMessage, plainMessage } from './protocol-message.ts';

const REFUSED = 'An input line is not a valid JSON-RPC 2.0 message and was refused.';
const LEFT_OUT = 'An input line is not a JSON-RPC 2.0 answer and was ignored.';

type ServedStdio = {
  /** Resolves when the other side has closed its end, and what it sent before is answered. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/** Starts to answer. `report` receives errors that belong to no answer. */
export function serveOnStdio(
  parts: ToolParts & { readonly version: string },
  report: (line: string) => void,
): ServedStdio {
  const { lines, answered } = screenLines((line) => {
    report(line === null ? LEFT_OUT : REFUSED);
    if (line !== null) process.stdout.write(`${line}\n`);
  });
  const transport = new StdioServerTransport(process.stdin.pipe(lines));
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    try {
      await send(message);
    } finally {
      if (!('method' in message)) answered(message.id);
    }
  };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(() => createMcpServer(parts), {
    transport,
    onerror: ({ message }) => report(message),
  });
  lines.once('end', resolve);
  lines.once('close', resolve);
  // An input that fails has no end.
  process.stdin.once('error', resolve);
  return {
    ended,
    async close() {
      process.stdin.unpipe(lines);
      process.stdin.pause();
      await handle.close();
    },
  };
}

const LINE_FEED = 10;

type ScreenedLines = {
  /**
   * Ends once the input has ended and every request in it has been answered, because the package closes the connection when
   * the input ends.
   */
  readonly lines: Transform;
  /** States that the request with this id was answered. */
  readonly answered: (id: unknown) => void;
};

/** Passes on the lines that are messages. `answer` receives the reply to every other line; null if no reply is expected. */
function screenLines(answer: (line: string | null) => void): ScreenedLines {
  const open = createOpenRequests();
  let begun: Buffer = Buffer.alloc(0);
  function take(line: string, pass: (line: string) => void): void {
    // A byte order mark, and the CR of a Windows line, are white space.
    const text = line.trim();
    if (text === '') return;
    const read = messageIn(text);
    if ('message' in read) {
      open.add(read.message);
      pass(`${JSON.stringify(read.message)}\n`);
    } else answer(read.wrong);
  }
  const lines = new Transform({
    transform(piece: Buffer, _encoding, done: TransformCallback) {
      begun = Buffer.concat([begun, piece]);
      for (let end = begun.indexOf(LINE_FEED); end !== -1; end = begun.indexOf(LINE_FEED)) {
        const line = begun.subarray(0, end);
        begun = begun.subarray(end + 1);
        take(line.toString(), (text) => this.push(text));
      }
      // The package closes the connection at a line of that length.
      if (begun.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        this.push(begun);
        begun = Buffer.alloc(0);
      }
      done();
    },
    flush(done: TransformCallback) {
      // The last line may end with the input.
      take(begun.toString(), (text) => this.push(text));
      open.whenAnswered(done);
    },
  });
  return { lines, answered: open.settle };
}

/** The message in a line, or the error reply to it; null if no reply is expected. */
type ReadLine = { readonly message: object } | { readonly wrong: string | null };

function messageIn(line: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { wrong: JSON.stringify(notJson('The line')) };
  }
  const given = typeof value === 'object' && value !== null ? plainMessage(value) : {};
  try {
    parseJSONRPCMessage(given);
    const wrong = notCall(given);
    return wrong === null ? { message: given } : { wrong: JSON.stringify(wrong) };
  } catch {
    // Not answered: two programs that answer each other's errors would never stop.
    if ('result' in given || 'error' in given) return { wrong: null };
    return { wrong: JSON.stringify(notMessage('The line', value)) };
  }
}

type SentMessage = { readonly id?: unknown; readonly method?: unknown; readonly params?: object };

/** Keeps the ids of the requests that are not answered yet. */
function createOpenRequests() {
  const open = new Set<unknown>();
  let over: (() => void) | null = null;
  const settle = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) over?.();
  };
  return {
    settle,
    add({ id, method, params = {} }: SentMessage): void {
      // A cancelled request has no answer, and a subscription none while its client listens.
      if (method === 'notifications/cancelled') settle('requestId' in params && params.requestId);
      else if (id !== undefined && method !== undefined && method !== 'subscriptions/listen') {
        open.add(id);
      }
    },
    whenAnswered(done: () => void): void {
      if (open.size === 0) done();
      else over = done;
    },
  };
}
