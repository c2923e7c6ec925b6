// A loopback shop that misbehaves as a case describes, and the run of one case through the fetcher and the
// reading threads as the service uses them.

import assert from 'node:assert/strict';
import { createServer, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import type { FetchFailure, PageVerdict } from '../../src/base/listing/page.ts';
import type { ReaderPool } from '../../src/read/threads/reader-pool.ts';
import { wireBody } from './hostile-bodies.ts';
import type { BodySpec } from './hostile-bodies.ts';
import { clock } from './vector-cases.ts';
import { contextOf } from './contexts.ts';
import { cpuMs } from './cpu-time.ts';

type HostileServer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly [string, number]>>;
  readonly body?: string | BodySpec;
  readonly raw?: boolean | string;
  readonly silent?: boolean;
  readonly tls_stall?: boolean;
  readonly blackhole?: boolean;
  readonly header_pace?: { readonly bytes: number; readonly every_ms: number };
  readonly body_pace?: { readonly bytes: number; readonly every_ms: number };
  readonly reset_after?: number;
  readonly endless_headers?: boolean;
  readonly redirect_counter?: boolean;
};

export type HostileCase = {
  readonly id: string;
  readonly class: string;
  readonly why: string;
  readonly server: HostileServer;
  readonly must: string;
  /** The run's cost limit: the wait for a `slow` case, the processor time for all others. */
  readonly max_ms: number;
};

function headOf(server: HostileServer, body: Buffer | null): string {
  const lines = [`HTTP/1.1 ${server.status ?? 200} Status`];
  const headers = server.headers ?? {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') lines.push(`${name}: ${value}`);
    else {
      for (let index = 0; index < value[1]; index += 1) {
        lines.push(`${value[0].replace('%d', String(index))}: 1`);
      }
    }
  }
  const framed = 'content-length' in headers || 'transfer-encoding' in headers;
  if (!framed && body !== null) lines.push(`content-length: ${body.length}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Writes endlessly, as fast as the other side reads. */
function pour(socket: Socket, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

function drip(socket: Socket, bytes: Buffer, pace: { bytes: number; every_ms: number }): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(bytes.subarray(at, at + pace.bytes));
    at += pace.bytes;
    if (at >= bytes.length) socket.end();
  }, pace.every_ms);
  socket.once('close', () => clearInterval(timer));
}

/** Returns what the shop sends; null: endless bytes. */
async function bodyOf(server: HostileServer): Promise<Buffer | null> {
  const coding = String(server.headers?.['content-encoding'] ?? '');
  if (typeof server.body === 'object') return await wireBody(server.body, coding);
  return Buffer.from(server.body ?? '');
}

function behave(socket: Socket, server: HostileServer, path: string, body: Buffer | null): void {
  if (server.silent === true || server.tls_stall === true) return;
  if (typeof server.raw === 'string') {
    socket.end(server.raw, 'latin1');
    return;
  }
  if (server.endless_headers === true) {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, Buffer.from('x-more: and more\r\n'.repeat(100)));
    return;
  }
  if (server.redirect_counter === true) {
    const next = Number(/(\d+)$/.exec(path)?.[1] ?? '0') + 1;
    socket.end(`HTTP/1.1 302 Found\r\nLocation: /${next}\r\nContent-Length: 0\r\n\r\n`);
    return;
  }
  const head = Buffer.from(headOf(server, body), 'latin1');
  if (server.header_pace !== undefined) drip(socket, head, server.header_pace);
  else if (body === null) {
    socket.write(head);
    const chunked = String(server.headers?.['transfer-encoding'] ?? '') === 'chunked';
    const piece = 'a'.repeat(0x4000);
    pour(socket, Buffer.from(chunked ? `4000\r\n${piece}\r\n` : piece));
  } else if (server.reset_after !== undefined) {
    socket.write(Buffer.concat([head, body.subarray(0, server.reset_after)]));
    setTimeout(() => socket.resetAndDestroy(), 20);
  } else if (server.body_pace !== undefined) {
    socket.write(head);
    drip(socket, body, server.body_pace);
  } else socket.end(Buffer.concat([head, body]));
}

/** The length of a `startLoopTimer` tick. */
const TICK_MS = 50;

/**
 * Measures how long this process waited. Time in which its event loop was blocked, by other programs or by the tests
 * themselves, counts as one tick at most: so a limit on it means the same on a loaded machine.
 */
function startLoopTimer(): { readonly stop: () => number } {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), TICK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return ticks * TICK_MS;
    },
  };
}

const BLACK_HOLE = '127.9.9.9';

// oxlint-disable-next-line typescript/unbound-method -- called with the socket as `this`
const connectSocket = Socket.prototype.connect;

/** Connecting to the black hole never gets an answer; all other sockets are untouched. */
Socket.prototype.connect = function connect(this: Socket, ...given: unknown[]): Socket {
  const list = Array.isArray(given[0]) ? (given[0] as unknown[]) : given;
  const { host } = list[0] as { readonly host?: string };
  if (host !== BLACK_HOLE) Reflect.apply(connectSocket, this, given);
  return this;
};

type HostileRun = {
  readonly outcome: string;
  readonly why: string;
  /** Processor time of the run, and of reading the page alone. */
  readonly cpuMs: number;
  readonly readCpuMs: number;
  readonly waitedMs: number;
};

/** Runs one case; `robots` states whether /robots.txt misbehaves too or is simply absent. */
export async function runHostileCase(
  one: HostileCase,
  readers: ReaderPool,
  robots: 'absent' | 'hostile',
): Promise<HostileRun> {
  const sockets = new Set<Socket>();
  // Compressing 256 MiB costs as much as the whole case may: it is done before the measurement.
  const body = await bodyOf(one.server);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const path = /^GET (\S+)/.exec(request.toString('latin1'))?.[1] ?? '/';
      if (path === '/robots.txt' && robots === 'absent' && one.server.tls_stall !== true) {
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      } else behave(socket, one.server, path, body);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  const scheme = one.server.tls_stall === true ? 'https' : 'http';
  const host = one.server.blackhole === true ? BLACK_HOLE : '127.0.0.1';
  const target = `${scheme}://${host}:${port}`;
  const { origins } = parseOrigins(`https://shop.example.com=${target}`);
  const fetcher = createFetcher({ clock, version: '0.0.0', origins });
  const startedCpuMs = cpuMs();
  const wait = startLoopTimer();
  const fetched = await fetcher(
    { url: 'https://shop.example.com/p/0', accept: 'html' },
    contextOf(AbortSignal.timeout(15_000)),
  );
  const fetchedCpuMs = cpuMs();
  const result = fetched.ok
    ? ((await readers.answer(fetched.page, 'product')) ?? assert.fail('every page has a reader'))
    : fetched.failure;
  const waitedMs = wait.stop();
  const endedCpuMs = cpuMs();
  for (const socket of sockets) socket.destroy();
  server.close();
  const why = 'why' in result ? result.why : 'detail' in result ? result.detail : '';
  return {
    outcome: OUTCOMES[result.kind],
    why,
    cpuMs: Math.round(endedCpuMs - startedCpuMs),
    readCpuMs: Math.round(endedCpuMs - fetchedCpuMs),
    waitedMs,
  };
}

/** The cases' names for the ways in which fetching and reading can end. */
export const OUTCOMES: Readonly<
  Record<FetchFailure['kind'] | PageVerdict<unknown>['kind'], string>
> = {
  refused: 'url_not_allowed',
  unresolved: 'upstream_error',
  unsent: 'upstream_error',
  timeout: 'upstream_timeout',
  reset: 'upstream_reset',
  too_large: 'upstream_too_large',
  bad_encoding: 'upstream_bad_encoding',
  bad_response: 'upstream_bad_response',
  untrusted: 'upstream_bad_response',
  redirect_loop: 'upstream_redirect_loop',
  robots: 'robots_disallowed',
  license: 'license_required',
  busy: 'upstream_blocked',
  throttled: 'upstream_blocked',
  egress: 'upstream_error',
  read: 'parsed',
  follow: 'follow_requested',
  not_found: 'not_found',
  not_a_product: 'not_a_product',
  blocked: 'upstream_blocked',
  retry: 'upstream_error',
  unreadable: 'upstream_bad_response',
};

/** The deadline of the service for reading one page, here as processor time. */
const MAX_READ_CPU_MS = 750;
/** A case that is not about waiting may wait this many times its processor time. */
const MAX_WAITS = 5;

/** Returns whether the run ended in an outcome that the case allows, within its cost limit. */
export function meets(one: HostileCase, run: HostileRun): boolean {
  const isCheap =
    one.class === 'slow'
      ? run.waitedMs <= one.max_ms
      : run.cpuMs <= one.max_ms &&
        run.readCpuMs <= MAX_READ_CPU_MS &&
        run.waitedMs <= one.max_ms * MAX_WAITS;
  return isCheap && one.must.split('_or_').includes(run.outcome);
}
