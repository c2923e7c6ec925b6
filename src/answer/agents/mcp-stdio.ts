// The MCP server on standard input and output.

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { createMcpServer } from './mcp-server.ts';
import { screenLines } from './screen-lines.ts';
import type { ToolParts } from './tool-answer.ts';

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
