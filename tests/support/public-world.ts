// The public internet as a test sees it: every socket that the process tries to open is recorded, and the
// addresses that a test declares public lead to loopback servers for port 80 and 443. Everything else
// is recorded and goes nowhere.

import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Socket } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import type { SecureContext } from 'node:tls';

import { createTestAuthority } from './certificates.ts';

type Attempt = { readonly address: string; readonly port: number };

export type PublicWorld = {
  /** Every address a socket was opened to, in order. */
  readonly attempts: Attempt[];
  readonly requests: { readonly host: string; readonly path: string }[];
  readonly certificate: string;
  /** Names that present other certificates than its authority's. */
  readonly shown: Map<string, SecureContext>;
  /** Addresses that refuse the connection. */
  readonly refusing: Set<string>;
  /** Addresses without a route. */
  readonly roadless: Set<string>;
  /** Addresses that never answer. */
  readonly silent: Set<string>;
  /** The address a socket claims to have reached, if not the requested one. */
  readonly lyingAbout: Map<string, string>;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  reset(): void;
  close(): Promise<void>;
};

type ConnectOptions = { readonly host?: string; readonly port?: number | string };

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The broadcast address. The system itself refuses to connect to it and sends nothing. */
const EVERYBODY = '255.255.255.255';

/** Takes over `net.Socket.prototype.connect` until `close`. */
export async function openPublicWorld(): Promise<PublicWorld> {
  const authority = createTestAuthority();
  const listener: RequestListener = (request, response) => {
    world.requests.push({ host: request.headers.host ?? '', path: request.url ?? '' });
    world.answer(request, response);
  };
  const plain = createHttpServer(listener);
  const secure = createHttpsServer(
    {
      SNICallback: (name, done) => done(null, world.shown.get(name) ?? authority.contextFor(name)),
    },
    listener,
  );
  const open = new Set<Socket>();
  for (const server of [plain, secure]) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
  }
  const closedPort = 1;
  // oxlint-disable-next-line typescript/unbound-method -- called with the socket as `this`
  const original = Socket.prototype.connect;

  function connect(this: Socket, ...given: unknown[]): Socket {
    const list = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
    // A database client, which passes a port and a host, is not part of this world.
    if (typeof list[0] !== 'object') return Reflect.apply(original, this, given) as Socket;
    const options = list[0] as ConnectOptions;
    const address = String(options.host);
    const port = Number(options.port);
    world.attempts.push({ address, port });
    if (world.silent.has(address)) return this;
    const target = world.refusing.has(address)
      ? closedPort
      : port === 443
        ? portOf(secure)
        : portOf(plain);
    const reached = world.lyingAbout.get(address) ?? address;
    Object.defineProperty(this, 'remoteAddress', { get: () => reached, configurable: true });
    const host = world.roadless.has(address) ? EVERYBODY : '127.0.0.1';
    Reflect.apply(original, this, [{ host, port: target }]);
    return this;
  }

  const world: PublicWorld = {
    attempts: [],
    requests: [],
    certificate: authority.certificate,
    shown: new Map(),
    refusing: new Set(),
    roadless: new Set(),
    silent: new Set(),
    lyingAbout: new Map(),
    answer: (_request, response) => {
      response.end('ok');
    },
    reset() {
      world.attempts.length = 0;
      world.requests.length = 0;
      world.shown.clear();
      world.refusing.clear();
      world.roadless.clear();
      world.silent.clear();
      world.lyingAbout.clear();
    },
    async close() {
      Socket.prototype.connect = original;
      for (const server of [plain, secure]) {
        const { promise, resolve } = Promise.withResolvers<void>();
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
        await promise;
      }
    },
  };
  Socket.prototype.connect = connect;
  return world;
}
