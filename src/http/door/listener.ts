// The listening sockets: a node:http server whose connections, waiting requests and work in hand are bounded, and a stop
// that lets every answer finish. It listens before there is anybody who answers: what arrives until then waits.

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { createAdmission, type Admission, type AdmissionLimits } from '../admission/admission.ts';
import type { AliveWay } from './alive-way.ts';
import type { AnswerRepeat, KnownHead } from './arrivals.ts';
import { isGone, type Exchange, type Handed } from './connection-book.ts';
import { createConnections, type ConnectionLimits, type Connections } from './connections.ts';
import { createOwnLines } from './own-lines.ts';
import { refusedConnection } from '../refusal.ts';

/** An import would read every export, and one of them loads all of Node's `fetch`: 40 ms of a start. */
const { createServer } = process.getBuiltinModule('node:http');

/** What a listener has for whoever answers. */
export type Room = {
  readonly admission: Admission;
  readonly nowMs: () => number;
  /** Runs what it is given in the next turn of the event loop. */
  readonly soon: (run: () => void) => void;
  /** Requests in progress of one forwarded address; null: addresses are those of the connections, counted by the listener. */
  readonly maxPerForwardedAddress: number | null;
};

export type Answering = {
  /** `handed`: its call was admitted before. */
  readonly begin: (exchange: Exchange, handed: Handed | null) => void;
  readonly again: AnswerRepeat;
};

export type Listener = {
  /** `http://host:port`, with the actual port. */
  readonly url: string;
  /** From now on what is made here answers, first what has waited for it. */
  answerBy(make: (room: Room) => Answering): void;
  /** Connections, and calls by kind of work. */
  inHand(): ReturnType<Admission['inHand']> & { readonly connections: number };
  /**
   * From now on every answer says `Connection: close`; new connections are still accepted. After `ms`, or as soon as no
   * connection is open, those that answer nothing are ended.
   */
  closeConnections(ms: number): Promise<void>;
  /** Stops accepting, lets answers finish until the deadline, then cuts what is left. */
  close(deadlineMs: number): Promise<void>;
};

/** The limits of the settings (docs/configuration.md). */
export type ListenLimits = Omit<ConnectionLimits, 'maxPerAddress'> &
  AdmissionLimits & {
    /** Connections of one address; behind a proxy its requests in progress. */
    readonly maxPerAddress: number;
    /** Milliseconds for which a connection stays open without a request. */
    readonly keepAliveMs: number;
    /** Milliseconds that a client may take to send the head of a request. */
    readonly headerMs: number;
  };

export type ListenOptions = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Addresses are those that the proxy forwards. */
  readonly behindProxy: boolean;
  readonly limits: ListenLimits;
};

export type ListenParts = {
  readonly newId: () => string;
  /** Answers who asks whether the process is alive; null: nobody is told here. */
  readonly aliveWay: AliveWay | null;
  /** Whether the process has little heap left. */
  readonly isHeapFull: () => boolean;
};

/** How often limits of time are checked; with Node's default of 30 s they would be exceeded by as much. */
const CHECK_MS = 1_000;
const REQUEST_MS = 15_000;
/** Waiting calls are looked at so often: 100 refusals at once would hold the event loop for 5 ms. */
const SWEEP_MS = 5;
/** A stop that waits for connections looks again so often. */
const SOON_MS = 25;
/** Ended connections are closed by their clients within a round trip. */
const END_MS = 250;
const PRESSURE_MS = 250;
/** A timer that is late by more than this on average: the event loop has more to do than it can. */
const LATE_MS = 100;

/** Starts listening; rejects when the address cannot be taken. */
export async function listen(options: ListenOptions, parts: ListenParts): Promise<Listener> {
  const { limits, behindProxy } = options;
  const { maxPerAddress } = limits;
  const nowMs = () => performance.now();
  const soon = (run: () => void) => void setImmediate(run);
  const sweepSoon = () => void setTimeout(() => admission.sweep() && sweepSoon(), SWEEP_MS);
  const admission = createAdmission(limits, { nowMs, sweepSoon });
  const answers = createAnswers(parts.aliveWay, soon);
  const connections = createConnections({
    ...limits,
    maxPerAddress: behindProxy ? null : maxPerAddress,
    nowMs,
    soon,
    begin: answers.begin,
    again: answers.again,
    ownLines: createOwnLines({ ...limits, dateMs: () => Date.now() }),
  });
  const server = createHttpServer(options, connections, parts);
  const timers = [
    setInterval(() => connections.sweep(), CHECK_MS),
    watchPressure(admission, nowMs, parts.isHeapFull),
  ];
  timers.forEach((timer) => timer.unref());
  await started(server, options);
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
      timers.forEach((timer) => clearInterval(timer));
    },
  };
}

/**
 * What waits until somebody answers: at most one exchange of each open connection, of which there are so many and no more. Whose
 * client has gone is not begun, because it would be charged for.
 */
function createAnswers(aliveWay: AliveWay | null, soon: (run: () => void) => void) {
  const waiting = new Set<Exchange>();
  let answering: Answering = {
    begin: (exchange) => {
      waiting.add(exchange);
      exchange.response.once('close', () => waiting.delete(exchange));
    },
    again: () => null,
  };
  return {
    begin: (exchange: Exchange, handed: Handed | null) => {
      if (aliveWay?.(exchange) !== true) answering.begin(exchange, handed);
    },
    again: (head: KnownHead, target: string) => answering.again(head, target),
    by: (made: Answering) => {
      answering = made;
      for (const exchange of waiting) {
        soon(() => {
          if (!isGone(exchange)) made.begin(exchange, null);
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
      // No stream is kept going, and none has to be ended, for a body that a request does not have.
      optimizeEmptyRequests: true,
      // It is refused here: what Node answers by itself waits for no turn, however much of it a client pipelines.
      requireHostHeader: false,
    },
    take,
  );
  // A body is asked for by the one route that takes a long one, once it knows the key; elsewhere a refusal may come instead.
  server.on('checkContinue', take);
  // What else a client expects is left unanswered, as it may be (RFC 9110 10.1.1).
  server.on('checkExpectation', take);
  server.on('connection', (socket: Socket) => {
    if (connections.accept(socket)) return;
    socket.write(refusedConnection(newId()));
    socket.destroySoon();
  });
  server.on('timeout', (socket: Socket) => connections.timedOut(socket));
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = limits.maxRequestsPerConnection;
  return server;
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

/** Fewer calls at once while timers are late or the heap is nearly full. One long pause alone is no pressure. */
function watchPressure(admission: Admission, nowMs: () => number, isHeapFull: () => boolean) {
  let lateMs = 0;
  let dueMs = nowMs() + PRESSURE_MS;
  return setInterval(() => {
    lateMs = (lateMs + Math.min(1_000, Math.max(0, nowMs() - dueMs))) / 2;
    dueMs = nowMs() + PRESSURE_MS;
    admission.setPressed(lateMs > LATE_MS || isHeapFull());
  }, PRESSURE_MS);
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * `close()` alone leaves a connection that is busy at that moment open until its keep-alive ends (5 s measured); ending
 * idle connections repeatedly closes it right after its answer. They are ended and not cut, so that what was sent on
 * them is not lost.
 */
async function drain(server: Server, deadlineMs: number, connections: Connections): Promise<void> {
  const untilMs = performance.now() + deadlineMs;
  // `close()` cuts what answers nothing as far as node:http knows.
  while (connections.isRepeating() && performance.now() < untilMs) await after(SOON_MS);
  // Right after the event loop has accepted whoever waits: those who wait when it closes are reset.
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
