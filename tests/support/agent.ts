// An agent host: the official client, which talks to the program over standard input and output, or over HTTP.

import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const LAUNCHER = fileURLToPath(new URL('../../bin/openshelf.js', import.meta.url));

export type Told = {
  readonly isError: boolean;
  /** Bytes of the result: text and structured content together. */
  readonly bytes: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
};

export type Agent = AsyncDisposable & {
  readonly client: Client;
  call(name: string, input: Record<string, unknown>): Promise<Told>;
};

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    async call(name, input) {
      const result = await client.callTool({ name, arguments: input });
      const { content, structuredContent } = result;
      const [first] = content as readonly { readonly text?: string }[];
      return {
        isError: result.isError === true,
        bytes: Buffer.byteLength(JSON.stringify({ content, structuredContent })),
        body: (structuredContent ?? {}) as Record<string, unknown>,
        text: first?.text ?? '',
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Starts `openshelf mcp` with these flags. */
export function agentOnStdio(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Agent> {
  const { PATH = '', HOME = '' } = process.env;
  return connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [LAUNCHER, 'mcp', ...args],
      cwd: tmpdir(),
      env: { PATH, HOME, ...env },
      stderr: 'pipe',
    }),
  );
}

/** Connects to a service's `/mcp` with these headers. */
export function agentOverHttp(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Agent> {
  return connected(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  );
}
