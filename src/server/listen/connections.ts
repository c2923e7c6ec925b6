// Limits the resources of each connection of a listener. A connection's requests are answered one after the other, and what
// a client pipelines waits. A client that never reads therefore costs one answer and not hundreds: 40 of them with 500
// requests each would otherwise take 6.8 GB.

import type { Socket } from 'node:net';

import { watchArrivals, type AnswerRepeat } from './arrivals.ts';
import {
  createConnectionBook,
  type BookLimits,
  type Connection,
  type ConnectionBook,
  type Exchange,
} from './connection-book.ts';

export type ConnectionLimits = BookLimits & {
  /** Maximum requests of one connection that may always wait after the one being answered. */
  readonly maxPipelined: number;
  /** Milliseconds that sending one answer may take. */
  readonly sendMs: number;
  readonly maxRequestsPerConnection: number;
};

/**
 * Requests beyond each connection's share that may wait on all connections together: about 2 KB each. While there is room,
 * a client that pipelines more than its share and reads is served; after that its connection is cut.
 */
const SPARE_WAITING = 512;
/**
 * A new client sends its first request within this time. A client that is notified of the end closes its side within it.
 */
const LINGER_MS = 1_000;
/** A connection whose answer has been sending for this long may be cut to make room for a new one. */
const STALLED_MS = 2_000;

export type Connections = {
  /**
   * Accepts a connection that a client has opened. Returns false if there is no room and none can be freed; the caller
   * sends the refusal.
   */
  accept(socket: Socket): boolean;
  /** Starts the exchange, or queues it after the one in progress on its connection. */
  take(exchange: Exchange): void;
  /**
   * Called when a connection has had no request, and sent nothing, for the maximum time. It is cut unless an answer is
   * being made for it.
   */
  timedOut(socket: Socket): void;
  /**
   * Called for bytes that are not a request. `answers`: whole requests before them are answered first, because they may be
   * charged already, and then the connection is closed. Otherwise the caller closes it: after a refusal, or, if an answer has
   * begun, after nothing.
   */
  broken(socket: Socket): 'answers' | 'refuse' | 'cut';
  /** Cuts connections whose answer has been sending for too long. Call it every second. */
  sweep(): void;
  /** Whether an answer is in progress that node:http does not know of. */
  isRepeating(): boolean;
  /** From now on every answer contains `Connection: close`. */
  closeAfterAnswers(): void;
  /**
   * Ends the connections that have no answer in progress: no more is sent on them. A connection that is still open a
   * second later, because its client has not closed it too, is then cut.
   */
  endIdle(): void;
  count(): number;
};

type ConnectionParts = ConnectionLimits & {
  readonly nowMs: () => number;
  /** Runs the function in a later turn of the event loop. */
  readonly soon: (run: () => void) => void;
  readonly begin: (exchange: Exchange) => void;
  readonly again: AnswerRepeat;
  /** Returns the lines of a head about its connection, and the end of the head. */
  readonly ownLines: (isLast: boolean) => string;
};

type Turns = {
  readonly parts: ConnectionParts;
  readonly book: ConnectionBook;
  waitingInAll: number;
  isClosing: boolean;
};

/** `parts.begin` answers an exchange; the exchange ends when its response is closed. */
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
      // The connection was cut while Node was still reading what had arrived, or was ended before this request arrived. The
      // request was never accepted.
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
    broken: (socket) => breakOff(turns, book.find(socket)),
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

function breakOff(turns: Turns, connection: Connection | undefined): 'answers' | 'refuse' | 'cut' {
  if (connection === undefined) return 'refuse';
  if (connection.isBroken) return 'answers';
  const { current, waiting } = connection;
  const whole = waiting.filter(({ request }) => request.complete);
  const last = whole.at(-1) ?? current;
  if (last?.request.complete !== true)
    return last?.response.headersSent === true ? 'cut' : 'refuse';
  turns.waitingInAll -= waiting.length - whole.length;
  waiting.splice(0, waiting.length, ...whole);
  connection.isBroken = true;
  last.response.shouldKeepAlive = false;
  return 'answers';
}

function forget(turns: Turns, connection: Connection): void {
  turns.waitingInAll -= connection.waiting.splice(0).length;
  turns.book.remove(connection);
}

function begin(turns: Turns, connection: Connection, exchange: Exchange): void {
  connection.current = exchange;
  const { response } = exchange;
  if (isLast(turns, connection) && connection.waiting.length === 0) {
    response.shouldKeepAlive = false;
  }
  // Added once for each response, because a response closes once.
  response.on('close', connection.answered);
  turns.parts.begin(exchange);
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
  // After an answer with `Connection: close` nothing more is answered, and the client knows that.
  if (turns.book.find(socket) === undefined || !socket.writable) return;
  if (waiting.length > 0) {
    // Each starts in its own turn: 20,000 pipelined requests answered in one turn block the event loop for 2 s.
    turns.parts.soon(() => beginNext(turns, connection));
    return;
  }
  if (connection.isBroken) {
    socket.destroySoon();
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
  // Only the last answer to the requests that have arrived states that the connection is closed.
  if (turns.isClosing && current?.response.headersSent === false) {
    current.response.shouldKeepAlive = true;
  }
  if (connection.isPaused) return;
  connection.isPaused = true;
  // Node resumes the socket at the end of each request that it parses. This pause comes after the last one.
  queueMicrotask(() => {
    if (connection.isPaused) socket.pause();
  });
}

/** Cuts the connections that were too slow. Returns those that may be cut when there is no room for a new one. */
function cutSlow(book: ConnectionBook, { nowMs, sendMs }: ConnectionParts): readonly Connection[] {
  const now = nowMs();
  const slow: Connection[] = [];
  for (const connection of book.all()) {
    const { current, sendingSinceMs, socket } = connection;
    if (!isSending(connection)) continue;
    // An answer that is still being generated, such as a batch's, waits for the service once the client has read everything
    // so far. That does not make the client slow.
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
    // A client that has just connected is about to send a request.
    if (openedAtMs !== null && now - openedAtMs < LINGER_MS) continue;
    if (endedAtMs === null) {
      connection.endedAtMs = now;
      socket.end();
    } else if (now - endedAtMs >= LINGER_MS) socket.destroy();
  }
}
