// How much each connection of a listener may hold. A connection is answered one request after the other: what a client
// pipelines waits, so that a client who never reads costs one answer and not hundreds (40 of them with 500 requests each
// took 6.8 GB before).

import type { Socket } from 'node:net';

import { watchArrivals, type AnswerRepeat } from './arrivals.ts';
import {
  createConnectionBook,
  type BookLimits,
  type Connection,
  type ConnectionBook,
  type Exchange,
  type Handed,
} from './connection-book.ts';

export type ConnectionLimits = BookLimits & {
  /** Requests of one connection that may always wait behind the one that is answered. */
  readonly maxPipelined: number;
  /** Milliseconds that the sending of one answer may take. */
  readonly sendMs: number;
  readonly maxRequestsPerConnection: number;
};

/**
 * Requests that may wait on all connections together beyond each one's own share: about 2 KB each. While there is
 * room, a client that pipelines more than its share and reads is served; after that it is cut.
 */
const SPARE_WAITING = 512;
/** Within this time a client sends its first request, and closes its side when it is told the end. */
const LINGER_MS = 1_000;
/** A connection whose answer has been on its way for so long may be cut for the sake of a new one. */
const STALLED_MS = 2_000;

export type Connections = {
  /** A client has connected. False: there is no room, and none can be made; the caller sends the refusal. */
  accept(socket: Socket): boolean;
  /** Begins the exchange, or lets it wait behind the one under way on its connection. */
  take(exchange: Exchange): void;
  /** A connection has had no request, and sent nothing, for as long as it may: it is cut where it answers nothing. */
  timedOut(socket: Socket): void;
  /** Cuts what has been sent for too long. To be called every second. */
  sweep(): void;
  /** Whether something is answered of which node:http does not know. */
  isRepeating(): boolean;
  /** From now on every answer says `Connection: close`. */
  closeAfterAnswers(): void;
  /**
   * Ends the connections that answer nothing: no more is sent on them. What is still open a second later, because its
   * client has not closed it too, is cut then.
   */
  endIdle(): void;
  count(): number;
};

export type ConnectionParts = ConnectionLimits & {
  readonly nowMs: () => number;
  /** Runs what it is given in a later turn of the event loop. */
  readonly soon: (run: () => void) => void;
  /** `handed`: its call was admitted before. */
  readonly begin: (exchange: Exchange, handed: Handed | null) => void;
  readonly again: AnswerRepeat;
  /** The lines of a head that are about its connection, and the head's end. */
  readonly ownLines: (isLast: boolean) => string;
};

type Turns = {
  readonly parts: ConnectionParts;
  readonly book: ConnectionBook;
  waitingInAll: number;
  isClosing: boolean;
};

/** `begin` of the parts answers an exchange; it ends when its response is closed. */
export function createConnections(parts: ConnectionParts): Connections {
  const book = createConnectionBook(parts);
  const turns: Turns = { parts, book, waitingInAll: 0, isClosing: false };
  const answered = (connection: Connection) => ended(turns, connection);
  const arrivals = {
    again: parts.again,
    ownLines: parts.ownLines,
    isLast: (connection: Connection) => isLast(turns, connection),
    isClosing: () => turns.isClosing,
    setBusy: (connection: Connection) => book.setIdle(connection, false),
    setFree: (connection: Connection) => setFree(turns, connection),
  };
  return {
    accept: (socket) => {
      const connection = book.add(socket, parts.nowMs(), answered);
      if (connection === null) return false;
      socket.once('close', () => forget(turns, connection));
      watchArrivals(connection, arrivals);
      return true;
    },
    take: (exchange) => {
      const connection = book.find(exchange.request.socket);
      // Cut while Node was still reading what had arrived of it, or ended before this came: it was not accepted.
      if (connection === undefined || connection.endedAtMs !== null) return;
      connection.openedAtMs = null;
      connection.requests += 1;
      connection.newest = exchange.request;
      if (connection.current !== null || connection.waiting.length > 0) {
        wait(turns, connection, exchange);
        return;
      }
      book.setIdle(connection, false);
      begin(turns, connection, exchange);
    },
    timedOut: (socket) => {
      const repeat = book.find(socket)?.repeat ?? null;
      if (repeat === null) socket.destroy();
    },
    sweep: () => book.setStalled(cutSlow(book, parts)),
    isRepeating: () => book.all().some(({ repeat }) => repeat !== null),
    closeAfterAnswers: () => {
      turns.isClosing = true;
      for (const { current, waiting } of book.all()) {
        if (current !== null && waiting.length === 0) current.response.shouldKeepAlive = false;
      }
    },
    endIdle: () => endIdle(book, parts.nowMs()),
    count: () => book.count(),
  };
}

function forget(turns: Turns, connection: Connection): void {
  turns.waitingInAll -= connection.waiting.splice(0).length;
  turns.book.remove(connection);
}

function begin(turns: Turns, connection: Connection, exchange: Exchange): void {
  connection.current = exchange;
  const { response } = exchange;
  const { handed } = connection;
  connection.handed = null;
  if (isLast(turns, connection) && connection.waiting.length === 0) {
    response.shouldKeepAlive = false;
  }
  // A response is closed once.
  response.on('close', connection.answered);
  turns.parts.begin(exchange, handed);
}

function isLast({ isClosing, parts }: Turns, { requests }: Connection): boolean {
  return isClosing || requests >= parts.maxRequestsPerConnection;
}

function setFree({ book }: Turns, connection: Connection): void {
  const { socket } = connection;
  connection.sendingSinceMs = null;
  if (book.find(socket) !== undefined && socket.writable) book.setIdle(connection, true);
}

function ended(turns: Turns, connection: Connection): void {
  const { socket, waiting } = connection;
  connection.current = null;
  connection.sendingSinceMs = null;
  // After an answer with `Connection: close` nothing more is answered, and the client knows it.
  if (turns.book.find(socket) === undefined || !socket.writable) return;
  if (waiting.length > 0) {
    // In a turn of its own: 20,000 pipelined requests that follow each other at once hold the event loop for 2 s.
    turns.parts.soon(() => beginNext(turns, connection));
    return;
  }
  if (connection.isPaused) {
    connection.isPaused = false;
    socket.resume();
  }
  turns.book.setIdle(connection, true);
}

function beginNext(turns: Turns, connection: Connection): void {
  const next = connection.waiting.shift();
  if (next === undefined) return;
  turns.waitingInAll -= 1;
  begin(turns, connection, next);
}

function wait(turns: Turns, connection: Connection, exchange: Exchange): void {
  const { socket, waiting, current } = connection;
  if (waiting.length >= turns.parts.maxPipelined && turns.waitingInAll >= SPARE_WAITING) {
    forget(turns, connection);
    socket.destroy();
    return;
  }
  waiting.push(exchange);
  turns.waitingInAll += 1;
  // Of those that have arrived the last answer says that the connection is closed.
  if (turns.isClosing && current?.response.headersSent === false) {
    current.response.shouldKeepAlive = true;
  }
  if (connection.isPaused) return;
  connection.isPaused = true;
  // Node resumes the socket at the end of each request that it parses, so this is for after the last one it has.
  queueMicrotask(() => {
    if (connection.isPaused) socket.pause();
  });
}

/** Returns those that may be cut when there is no room for another connection. */
function cutSlow(book: ConnectionBook, { nowMs, sendMs }: ConnectionParts): readonly Connection[] {
  const now = nowMs();
  const slow: Connection[] = [];
  for (const connection of book.all()) {
    const { current, sendingSinceMs, socket } = connection;
    if (!isSending(connection)) continue;
    // What is made while it is sent, as a batch, waits for the service and not for the client once that has taken everything.
    const isTaken =
      current !== null && !current.response.writableEnded && current.response.writableLength === 0;
    if (sendingSinceMs === null || isTaken) connection.sendingSinceMs = now;
    else if (now - sendingSinceMs >= sendMs) socket.destroy();
    else if (now - sendingSinceMs >= STALLED_MS) slow.push(connection);
  }
  return slow;
}

function isSending({ current, repeat }: Connection): boolean {
  return current === null ? repeat === 'sent' : current.response.headersSent;
}

function endIdle(book: ConnectionBook, now: number): void {
  for (const connection of book.idle()) {
    const { socket, endedAtMs, openedAtMs } = connection;
    // Whoever has just connected is about to send a request.
    if (openedAtMs !== null && now - openedAtMs < LINGER_MS) continue;
    if (endedAtMs === null) {
      connection.endedAtMs = now;
      socket.end();
    } else if (now - endedAtMs >= LINGER_MS) socket.destroy();
  }
}
