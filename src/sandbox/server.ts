// The simulated shops as HTTP servers on loopback, one port for each. Time is handed in; requests are kept
// for tests that ask who was called how often.

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Answer } from './answer.ts';
import { describeWorld } from './description.ts';
import type { Description } from './description.ts';
import { answerOf } from './routes.ts';
import { createWorld } from './world.ts';
import type { Shop, World } from './world.ts';

export type SandboxOptions = {
  readonly seed: number;
  /** The instant that prices and stock are quoted at, in milliseconds since 1970. */
  readonly now: () => number;
  readonly host?: string;
  readonly productsPerShop?: number;
};

export type SandboxRequest = {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly userAgent: string;
  readonly atMs: number;
};

export type Sandbox = AsyncDisposable & {
  /** Public origin of each shop → its loopback origin, in the form of OPENSHELF_ORIGINS (D5). */
  readonly origins: Readonly<Record<string, string>>;
  readonly world: World;
  readonly describe: () => Description;
  /** The last requests, oldest first; questions about the truth are not among them. */
  readonly requests: () => readonly SandboxRequest[];
  readonly requestCount: () => number;
  readonly close: () => Promise<void>;
};

const KEPT_REQUESTS = 10_000;
const PADDING = Buffer.alloc(65_536, ' ');

/** Starts every shop on a free port. Resolves when all of them answer. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { seed, now, host = '127.0.0.1' } = options;
  const world = createWorld(seed, options.productsPerShop);
  const kept: SandboxRequest[] = [];
  let count = 0;
  const servers: Server[] = [];
  const origins: Record<string, string> = {};

  const close = async (): Promise<void> => {
    await Promise.all(servers.map(stop));
  };
  const note = (shop: Shop, request: IncomingMessage, atMs: number): void => {
    if (request.url?.startsWith('/__truth/') === true) return;
    count += 1;
    if (kept.length === KEPT_REQUESTS) kept.shift();
    kept.push({
      origin: shop.origin,
      method: request.method ?? '',
      path: request.url ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      atMs,
    });
  };

  try {
    for (const shop of world.shops) {
      const server = createServer((request, response) => {
        const atMs = now();
        note(shop, request, atMs);
        if (request.method !== 'GET' && request.method !== 'HEAD') {
          response.writeHead(405, { allow: 'GET, HEAD' }).end();
          return;
        }
        send(answerOf(world, shop, request.url ?? '/', atMs), request, response);
      });
      servers.push(server);
      origins[shop.origin] = await listen(server, host);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    origins,
    world,
    describe: () => describeWorld(world, now()),
    requests: () => [...kept],
    requestCount: () => count,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function send(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  switch (answer.kind) {
    case 'reset':
      request.socket.destroy();
      return;
    case 'stalled':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.write(answer.head);
      return;
    case 'padded':
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      if (request.method === 'HEAD') response.end();
      else Readable.from(padded(answer.body, answer.bytes)).pipe(response);
      return;
    case 'page': {
      const body = Buffer.from(answer.body);
      response.writeHead(answer.status, {
        'content-type': answer.type,
        'content-length': body.byteLength,
        ...answer.headers,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    }
  }
}

/** The page, then blanks in pieces until it is `bytes` long: never held in memory as a whole. */
function* padded(body: string, bytes: number): Generator<Buffer> {
  const head = Buffer.from(body);
  yield head;
  for (let left = bytes - head.byteLength; left > 0; left -= PADDING.byteLength) {
    yield PADDING.subarray(0, Math.min(left, PADDING.byteLength));
  }
}

async function listen(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
