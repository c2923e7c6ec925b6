// The connections of a listener, and how much each of them may hold. A connection is answered one request after the
// other: what a client pipelines waits, so that a client who never reads costs one answer and not hundreds (40 of them
// with 500 requests each took 6.8 GB before).

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { addressGroup } from './client-address.ts';

export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

export type ConnectionLimits = {
  /** Connections in all. */
  readonly maxConnections: number;
  /** Connections of one address; null: not counted here, because all of them come from a proxy. */
  readonly maxPerAddress: number | null;
  /** Requests of one connection that may always wait behind the one that is answered. */
  readonly maxPipelined: number;
  /** Milliseconds that the sending of one answer may take. */
  readonly sendMs: number;
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

type Connection = {
  readonly socket: Socket;
  readonly address: string;
  /** The request that is being answered. */
  current: Exchange | null;
  readonly waiting: Exchange[];
  /** When the answer was first seen on its way. */
  sendingSinceMs: number | null;
  isPaused: boolean;
  /** When nothing more was to be sent on it. */
  endedAtMs: number | null;
  /** When it was opened; null once a request came on it. */
  openedAtMs: number | null;
};

type OfAddress = { count: number; readonly idle: Set<Connection> };

export type Connections = {
  /** A client has connected. False: there is no room, and none can be made; the caller sends the refusal. */
  accept(socket: Socket): boolean;
  /** Begins the exchange, or lets it wait behind the one under way on its connection. */
  take(exchange: Exchange): void;
  /** Cuts what has been sent for too long. To be called every second. */
  sweep(): void;
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
  readonly begin: (exchange: Exchange) => void;
};

/** The books of one listener. `begin` answers an exchange; it ends when its response is closed. */
export function createConnections(parts: ConnectionParts): Connections {
  const { maxConnections, maxPerAddress, nowMs } = parts;
  const all = new Map<Socket, Connection>();
  /** Longest idle first. */
  const idle = new Set<Connection>();
  const addresses = new Map<string, OfAddress>();
  /** As the last sweep saw them. */
  let stalled: readonly Connection[] = [];
  let waitingInAll = 0;
  let isClosing = false;

  function hasRoom(of: OfAddress): boolean {
    if (maxPerAddress !== null && of.count >= maxPerAddress && !makeRoom(of.idle, of)) return false;
    return all.size < maxConnections || makeRoom(idle, null);
  }

  /** Cuts the connection that has been idle longest, else one whose client does not read. */
  function makeRoom(from: ReadonlySet<Connection>, of: OfAddress | null): boolean {
    const [longest] = from;
    const oldest = longest ?? stalled.find((each) => isStalled(each, of));
    if (oldest === undefined) return false;
    forget(oldest);
    oldest.socket.destroy();
    return true;
  }

  function isStalled({ socket, address, sendingSinceMs }: Connection, of: OfAddress | null) {
    if (sendingSinceMs === null || !all.has(socket)) return false;
    return of === null || addresses.get(address) === of;
  }

  function forget(connection: Connection): void {
    const { socket, address, waiting } = connection;
    if (!all.delete(socket)) return;
    waitingInAll -= waiting.splice(0).length;
    idle.delete(connection);
    const of = addresses.get(address);
    if (of === undefined) return;
    of.idle.delete(connection);
    of.count -= 1;
    if (of.count === 0) addresses.delete(address);
  }

  function setIdle(connection: Connection): void {
    idle.add(connection);
    addresses.get(connection.address)?.idle.add(connection);
  }

  function begin(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    const { response } = exchange;
    if (isClosing && connection.waiting.length === 0) response.shouldKeepAlive = false;
    response.once('close', () => ended(connection));
    parts.begin(exchange);
  }

  function ended(connection: Connection): void {
    const { socket, waiting } = connection;
    connection.current = null;
    connection.sendingSinceMs = null;
    if (!all.has(socket)) return;
    // After an answer with `Connection: close` nothing more is answered, and the client knows it.
    if (!socket.writable) return;
    if (waiting.length > 0) {
      // In a turn of its own: 20,000 pipelined requests that follow each other at once hold the event loop for 2 s.
      parts.soon(() => beginNext(connection));
      return;
    }
    if (connection.isPaused) {
      connection.isPaused = false;
      socket.resume();
    }
    setIdle(connection);
  }

  function beginNext(connection: Connection): void {
    const next = connection.waiting.shift();
    if (next === undefined) return;
    waitingInAll -= 1;
    begin(connection, next);
  }

  function wait(connection: Connection, exchange: Exchange): void {
    const { socket, waiting, current } = connection;
    if (waiting.length >= parts.maxPipelined && waitingInAll >= SPARE_WAITING) {
      forget(connection);
      socket.destroy();
      return;
    }
    waiting.push(exchange);
    waitingInAll += 1;
    // Of those that have arrived the last answer says that the connection is closed.
    if (isClosing && current?.response.headersSent === false)
      current.response.shouldKeepAlive = true;
    if (connection.isPaused) return;
    connection.isPaused = true;
    // Node resumes the socket at the end of each request that it parses, so this is for after the last one it has.
    queueMicrotask(() => {
      if (connection.isPaused) socket.pause();
    });
  }

  return {
    accept: (socket) => {
      const address = addressGroup(socket.remoteAddress ?? '') ?? '';
      const of = addresses.get(address) ?? { count: 0, idle: new Set() };
      if (!hasRoom(of)) return false;
      const connection: Connection = {
        socket,
        address,
        current: null,
        waiting: [],
        sendingSinceMs: null,
        isPaused: false,
        endedAtMs: null,
        openedAtMs: nowMs(),
      };
      all.set(socket, connection);
      addresses.set(address, of);
      of.count += 1;
      setIdle(connection);
      socket.once('close', () => forget(connection));
      return true;
    },
    take: (exchange) => {
      const connection = all.get(exchange.request.socket);
      // Cut while Node was still reading what had arrived of it, or ended before this came: it was not accepted.
      if (connection === undefined || connection.endedAtMs !== null) return;
      connection.openedAtMs = null;
      if (connection.current !== null || connection.waiting.length > 0) wait(connection, exchange);
      else {
        idle.delete(connection);
        addresses.get(connection.address)?.idle.delete(connection);
        begin(connection, exchange);
      }
    },
    sweep: () => {
      const now = nowMs();
      const slow: Connection[] = [];
      for (const connection of all.values()) {
        const { current, sendingSinceMs, socket } = connection;
        if (current?.response.headersSent !== true) continue;
        if (sendingSinceMs === null) connection.sendingSinceMs = now;
        else if (now - sendingSinceMs >= parts.sendMs) socket.destroy();
        else if (now - sendingSinceMs >= STALLED_MS) slow.push(connection);
      }
      stalled = slow;
    },
    closeAfterAnswers: () => {
      isClosing = true;
      for (const { current, waiting } of all.values()) {
        if (current !== null && waiting.length === 0) current.response.shouldKeepAlive = false;
      }
    },
    endIdle: () => {
      const now = nowMs();
      for (const connection of idle) {
        const { socket, endedAtMs, openedAtMs } = connection;
        // Whoever has just connected is about to send a request.
        if (openedAtMs !== null && now - openedAtMs < LINGER_MS) continue;
        if (endedAtMs === null) {
          connection.endedAtMs = now;
          socket.end();
        } else if (now - endedAtMs >= LINGER_MS) socket.destroy();
      }
    },
    count: () => all.size,
  };
}
