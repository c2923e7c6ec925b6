// Screens the lines that reach the MCP server on standard input. The package ignores lines that are not messages, so a client
// that sent a request in such a line would wait until its own timeout. Here the line is answered, as /mcp answers it.

import { Transform, type TransformCallback } from 'node:stream';

import {
  INVALID_REQUEST,
  PARSE_ERROR,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
} from '@modelcontextprotocol/server';

const LINE_FEED = 10;

/** Passes on the lines that are messages. `answer` receives the reply to every other line; null if no reply is expected. */
export function screenLines(answer: (line: string | null) => void): Transform {
  let begun: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(piece: Buffer, _encoding, done: TransformCallback) {
      begun = Buffer.concat([begun, piece]);
      for (let end = begun.indexOf(LINE_FEED); end !== -1; end = begun.indexOf(LINE_FEED)) {
        const line = begun.subarray(0, end + 1);
        begun = begun.subarray(end + 1);
        const wrong = wrongIn(line.toString().trim());
        if (wrong === undefined) this.push(line);
        else answer(wrong);
      }
      // The package closes the connection at a line of that length.
      if (begun.length > STDIO_DEFAULT_MAX_BUFFER_SIZE) {
        this.push(begun);
        begun = Buffer.alloc(0);
      }
      done();
    },
  });
}

/** Returns the error reply to a line; null if no reply is expected. Undefined if nothing is wrong. */
function wrongIn(line: string): string | null | undefined {
  if (line === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return error(PARSE_ERROR, null, 'The line is not JSON. Send one JSON-RPC message per line.');
  }
  try {
    parseJSONRPCMessage(value);
    return undefined;
  } catch {
    const given = typeof value === 'object' && value !== null ? value : {};
    // Not answered: two programs that answer each other's errors would never stop.
    if ('result' in given || 'error' in given) return null;
    const id = 'id' in given && /^(?:string|number)$/.test(typeof given.id) ? given.id : null;
    return error(INVALID_REQUEST, id, WHAT_A_REQUEST_IS);
  }
}

const WHAT_A_REQUEST_IS =
  'The line is not a JSON-RPC message. A request has "jsonrpc":"2.0", an id that is a string or an ' +
  'integer, a method, and params that are an object. Arrays of messages are not accepted.';

const error = (code: number, id: unknown, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
