// Opens a listening socket: a node:http server that limits connections, waiting requests and work in progress, and that
// lets every answer finish when it stops. It listens before the service can answer: what arrives until then waits.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { createAdmission, type Admission, type AdmissionLimits } from './admission.ts';
import type { AnswerAlive } from './alive.ts';
import type { AnswerRepeat, KnownHead } from './arrivals.ts';
import { isGone, type Exchange } from './connection-book.ts';
import { createConnections, type ConnectionLimits, type Connections } from './connections.ts';
import { createConnectionLines } from '../headers.ts';
import { refusedConnection } from '../refusal.ts';

/**
 * Taken from the process, because an import would read every export, and one of them loads all of Node's `fetch`: 40 ms
 * of a start.
 */
const { createServer } = process.getBuiltinModule('node:http');

/** The request parts that a listener passes to the code that answers. */
export type Room = {
  readonly admission: Admission;
  readonly nowMs: () => number;
  /** Runs the function in the next turn of the event loop. */
  readonly soon: (run: () => void) => void;
  /**
   * Maximum requests in progress of one forwarded address. Null if clients connect directly and the listener counts their
   * addresses.
   */
  readonly maxPerForwardedAddress: number | null;
};

export type Answering = {
  readonly begin: (exchange: Exchange) => void;
  readonly again: AnswerRepeat;
};

export type Listener = {
  /** `http://host:port`, with the actual port. */
  readonly url: string;
  /** From now on the result of `make` answers, starting with the exchanges that have waited for it. */
  answerBy(make: (room: Room) => Answering): void;
  /** Number of connections, and of calls by kind of work. */
  inHand(): ReturnType<Admission['inHand']> & { readonly connections: number };
  /**
   * From now on every answer contains `Connection: close`; new connections are still accepted. After `ms`, or as soon as no
   * connection is open, connections without an answer in progress are ended.
   */
  closeConnections(ms: number): Promise<void>;
  /** Stops accepting, lets answers finish until the deadline, then cuts the rest. */
  close(deadlineMs: number): Promise<void>;
};

/** The limits of the settings (docs/run/settings.md). */
type ListenLimits = Omit<ConnectionLimits, 'maxPerAddress'> &
  AdmissionLimits & {
    /** Maximum connections of one address; behind a proxy, its requests in progress. */
    readonly maxPerAddress: number;
    /** Milliseconds for which a connection remains open without a request. */
    readonly keepAliveMs: number;
    /** Milliseconds that a client may take to send the head of a request. */
    readonly headerMs: number;
    /** Milliseconds for which a client that has closed its own side is still answered; 100 by default. */
    readonly halfOpenMs?: number;
  };

export type ListenOptions = {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** Whether clients have the addresses that a proxy forwards. */
  readonly behindProxy: boolean;
  readonly limits: ListenLimits;
};

type ListenParts = {
  readonly newId: () => string;
  /** Answers liveness checks; null if none are answered here. */
  readonly answerAlive: AnswerAlive | null;
  /** Whether the process has little free heap. */
  readonly isHeapFull: () => boolean;
};

/**
 * An answer from the store takes milliseconds and is charged for; a client that has aborted a longer call looks the same, and
 * must not pay for it.
 */
const HALF_OPEN_MS = 100;
/** How often time limits are checked. With Node's default of 30 s they would be exceeded by as much. */
const CHECK_MS = 1_000;
/** The longest interval of a timer. */
const NEVER_MS = 2 ** 31 - 1;
const REQUEST_MS = 15_000;
/** How often waiting calls are checked: 100 refusals at once would block the event loop for 5 ms. */
const SWEEP_MS = 5;
/** How often a stop that waits for connections checks them again. */
const SOON_MS = 25;
/** Clients close ended connections within a round trip. */
const END_MS = 250;
const PRESSURE_MS = 250;
/** If timers are later than this on average, the event loop is overloaded. */
const LATE_MS = 100;

/** Starts listening; rejects when the address cannot be taken. */
export async function listen(options: ListenOptions, parts: ListenParts): Promise<Listener> {
  const { limits, behindProxy } = options;
  const { maxPerAddress } = limits;
  const nowMs = () => performance.now();
  const soon = (run: () => void) => void setImmediate(run);
  const sweepSoon = () => void setTimeout(() => admission.sweep() && sweepSoon(), SWEEP_MS);
  const pressure = watchPressure(() => admission, nowMs, parts.isHeapFull);
  const admission: Admission = createAdmission(limits, { nowMs, sweepSoon, begun: pressure.begun });
  const answers = createAnswers(parts.answerAlive, soon);
  const connections = createConnections({
    ...limits,
    maxPerAddress: behindProxy ? null : maxPerAddress,
    nowMs,
    soon,
    begin: answers.begin,
    again: answers.again,
    ownLines: createConnectionLines({ ...limits, dateMs: () => Date.now() }),
  });
  const server = createHttpServer(options, connections, parts);
  const checks = checkWhileOpen(server, connections);
  await started(server, options);
  checks.pause();
  return {
    url: urlOf(server),
    answerBy: (make) =>
      answers.by(
        make({
          admission,
          nowMs,
          soon,
          maxPerForwardedAddress: behindProxy ? maxPerAddress : null,
        }),
      ),
    inHand: () => ({ ...admission.inHand(), connections: connections.count() }),
    closeConnections: async (ms) => {
      connections.closeAfterAnswers();
      const untilMs = nowMs() + ms;
      while (connections.count() > 0 && nowMs() < untilMs) await after(SOON_MS);
      connections.endIdle();
      const closedMs = nowMs() + END_MS;
      while (connections.count() > 0 && nowMs() < closedMs) await after(SOON_MS);
    },
    close: async (deadlineMs) => {
      connections.closeAfterAnswers();
      await drain(server, deadlineMs, connections);
      checks.pause();
      pressure.stop();
    },
  };
}

/**
 * Queues the exchanges that wait until the service can answer: at most one of each open connection, so that their number is
 * limited. One whose client has disconnected is not started, because it would be charged.
 */
function createAnswers(answerAlive: AnswerAlive | null, soon: (run: () => void) => void) {
  const waiting = new Set<Exchange>();
  let answering: Answering = {
    begin: (exchange) => {
      waiting.add(exchange);
      exchange.response.once('close', () => waiting.delete(exchange));
    },
    again: () => null,
  };
  return {
    begin: (exchange: Exchange) => {
      if (answerAlive?.(exchange) !== true) answering.begin(exchange);
    },
    again: (head: KnownHead, target: string) => answering.again(head, target),
    by: (made: Answering) => {
      answering = made;
      for (const exchange of waiting) {
        soon(() => {
          if (!isGone(exchange)) made.begin(exchange);
        });
      }
      waiting.clear();
    },
  };
}

function createHttpServer(
  { limits }: Pick<ListenOptions, 'limits'>,
  connections: Connections,
  { newId }: Pick<ListenParts, 'newId'>,
): Server {
  const take = (request: IncomingMessage, response: ServerResponse) =>
    connections.take({ request, response });
  const server = createServer(
    {
      headersTimeout: limits.headerMs,
      requestTimeout: Math.max(REQUEST_MS, limits.headerMs),
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: CHECK_MS,
      maxHeaderSize: 32_768,
      // A request without a body gets no stream that would have to be resumed and ended.
      optimizeEmptyRequests: true,
      // A missing `Host` is refused by us: what Node answers by itself does not wait for its turn, however much of it a
      // client pipelines.
      requireHostHeader: false,
    },
    take,
  );
  // Node does not request the body here. Whoever is about to read it does; a refusal may be sent instead.
  server.on('checkContinue', take);
  // Any other expectation of a client is ignored, as it may be (RFC 9110 10.1.1).
  server.on('checkExpectation', take);
  const { halfOpenMs = HALF_OPEN_MS } = limits;
  // Otherwise Node ends the connection at once, and what was charged a moment later is never sent.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => void setTimeout(() => socket.destroySoon(), halfOpenMs).unref());
    if (connections.accept(socket)) return;
    socket.write(refusedConnection(newId()));
    socket.destroySoon();
  });
  server.on('timeout', (socket: Socket) => connections.timedOut(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const then = connections.broken(socket);
    if (then === 'answers') return;
    if (then === 'refuse' && socket.writable) {
      socket.write(`HTTP/1.1 ${unreadStatus(error)}\r\nConnection: close\r\n\r\n`);
    }
    socket.destroy(error);
  });
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = limits.maxRequestsPerConnection;
  return server;
}

/** The same answers to what cannot be read as Node gives by itself. */
function unreadStatus({ code }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return '431 Request Header Fields Too Large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return '413 Payload Too Large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return '408 Request Timeout';
    default:
      return '400 Bad Request';
  }
}

async function started(server: Server, { host, port }: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Checks the limits of connections, every second, only while there are any: an idle service must not wake a small machine. */
function checkWhileOpen(server: Server, connections: Connections) {
  let timer: NodeJS.Timeout | null = null;
  // Node starts its own check when it starts to listen, and again if it is told that it does: with this interval.
  const nodeChecksEvery = (ms: number): void => {
    if (!server.listening) return;
    Object.assign(server, { connectionsCheckingInterval: ms });
    server.emit('listening');
  };
  const pause = (): void => {
    clearInterval(timer ?? undefined);
    timer = null;
    nodeChecksEvery(NEVER_MS);
  };
  const check = (): void => {
    connections.sweep();
    if (connections.count() === 0) pause();
  };
  server.on('connection', () => {
    if (timer !== null) return;
    timer = setInterval(check, CHECK_MS).unref();
    nodeChecksEvery(CHECK_MS);
  });
  return { pause };
}

/**
 * Admits fewer calls at once while timers are late or the heap is nearly full. One long pause alone is not pressure. Without
 * calls nothing is measured.
 */
function watchPressure(admission: () => Admission, nowMs: () => number, isHeapFull: () => boolean) {
  let timer: NodeJS.Timeout | null = null;
  let hasBegun = false;
  let lateMs = 0;
  let dueMs = 0;
  const stop = (): void => {
    clearInterval(timer ?? undefined);
    timer = null;
    lateMs = 0;
  };
  const measure = (): void => {
    const calls = admission();
    lateMs = (lateMs + Math.min(1_000, Math.max(0, nowMs() - dueMs))) / 2;
    dueMs = nowMs() + PRESSURE_MS;
    const isIdle = !hasBegun && Object.values(calls.inHand()).every((count) => count === 0);
    hasBegun = false;
    if (isIdle) stop();
    calls.setPressed(!isIdle && (lateMs > LATE_MS || isHeapFull()));
  };
  const begun = (): void => {
    hasBegun = true;
    if (timer !== null) return;
    dueMs = nowMs() + PRESSURE_MS;
    timer = setInterval(measure, PRESSURE_MS).unref();
  };
  return { begun, stop };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * `close()` alone leaves a connection that is busy at that moment open until its keep-alive ends (5 s measured). Ending
 * idle connections repeatedly closes it right after its answer. They are ended and not cut, so that what was sent on
 * them is not lost.
 */
async function drain(server: Server, deadlineMs: number, connections: Connections): Promise<void> {
  const untilMs = performance.now() + deadlineMs;
  // `close()` cuts connections on which node:http knows of no answer.
  while (connections.isRepeating() && performance.now() < untilMs) await after(SOON_MS);
  // The event loop has just accepted waiting clients: clients that are still waiting when the socket closes are reset.
  const closed = new Promise<void>((resolve) => {
    setImmediate(() => server.close(() => resolve()));
  });
  const idle = setInterval(() => connections.endIdle(), SOON_MS);
  const cut = setTimeout(
    () => server.closeAllConnections(),
    Math.max(0, untilMs - performance.now()),
  );
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
