// The server of agents on standard input and output.

import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

import { createMcpServer } from './mcp-server.ts';
import type { ToolParts } from './tools.ts';

export type ServedStdio = {
  /** Resolves when the other side has closed its end. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/** Starts to answer; `report` takes what goes wrong beside the answers. */
export function serveOnStdio(
  parts: ToolParts & { readonly version: string },
  report: (line: string) => void,
): ServedStdio {
  const transport = new StdioServerTransport();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const handle = serveStdio(() => createMcpServer(parts), {
    transport,
    onerror: (error) => report(sentenceOf(error)),
  });
  process.stdin.once('end', resolve);
  process.stdin.once('close', resolve);
  return { ended, close: () => handle.close() };
}

/** What is no message is told by its schema, part by part and over a page. */
function sentenceOf({ name, message }: Error): string {
  return name === 'ZodError' || message.startsWith('[')
    ? 'A line of the input is no message of JSON-RPC 2.0. It was left out.'
    : message;
}
