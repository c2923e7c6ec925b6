// The listening sockets: a node:http server with short timeouts, so that slow clients cannot hold connections, and a
// stop that lets answers finish.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { getRequestListener } from '@hono/node-server';

import type { Api } from './context.ts';

export type Listener = {
  /** `http://host:port`, with the actual port. */
  readonly url: string;
  /** Stops accepting, lets answers finish until the deadline, then cuts what is left. */
  close(deadlineMs: number): Promise<void>;
};

export type ListenOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Connections stay open longer behind a proxy, which reuses them. */
  readonly behindProxy: boolean;
};

/** Starts listening; rejects when the address cannot be taken. */
export async function listen(api: Api, options: ListenOptions): Promise<Listener> {
  const answer = getRequestListener(api.fetch);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: options.behindProxy ? 65_000 : 5_000,
      // How often Node checks the two limits above; with its default of 30 s they would be exceeded by as much.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32_768,
    },
    (request: IncomingMessage, response: ServerResponse) => void answer(request, response),
  );
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 1_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { url: urlOf(server), close: (deadlineMs) => drain(server, deadlineMs) };
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * `close()` alone leaves a connection that is busy at that moment open until its keep-alive ends (5 s measured);
 * closing idle connections repeatedly ends it right after its answer.
 */
async function drain(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
