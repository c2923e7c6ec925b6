// Tracks which connections are open, from which address, and which are idle. When a new one would exceed a limit, the
// connection that has been idle longest is closed, so that idle connections lock nobody out.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { addressGroup } from './client-address.ts';

export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Checks whether the client no longer waits for the answer. */
export function isGone({ request, response }: Exchange): boolean {
  return response.destroyed || !request.socket.writable;
}

export type Connection = {
  readonly socket: Socket;
  readonly address: string;
  /** The request that is being answered. */
  current: Exchange | null;
  /** State of a request that is answered without node:http: its answer is being looked up, or being sent (arrivals.ts). */
  repeat: 'asked' | 'sent' | null;
  /** Number of requests so far. */
  requests: number;
  /** The request that node:http has read last; null again once it was examined. */
  newest: IncomingMessage | null;
  /** Called when an answer of this connection is closed: one listener for all of them. */
  readonly answered: () => void;
  readonly waiting: Exchange[];
  /** When an answer was first seen being sent. */
  sendingSinceMs: number | null;
  isPaused: boolean;
  /**
   * Whether a request was followed by bytes that are not a request. The connection is then closed after the answers to
   * earlier requests.
   */
  isBroken: boolean;
  /** When this side was closed: nothing more is sent on the connection. */
  endedAtMs: number | null;
  /** When the connection was opened; null once a request has arrived. */
  openedAtMs: number | null;
};

export type BookLimits = {
  /** Maximum connections in total. */
  readonly maxConnections: number;
  /** Maximum connections of one address; null if they are not counted here, because all of them come from a proxy. */
  readonly maxPerAddress: number | null;
};

export type ConnectionBook = {
  /**
   * Adds a connection; null if there is no room and none can be freed. `answered` is called when an answer on it is closed.
   */
  add(socket: Socket, nowMs: number, answered: (connection: Connection) => void): Connection | null;
  find(socket: Socket): Connection | undefined;
  remove(connection: Connection): void;
  setIdle(connection: Connection, isIdle: boolean): void;
  all(): IteratorObject<Connection>;
  /** Idle connections, those that have been idle longest first. */
  idle(): Iterable<Connection>;
  /** Sets the connections whose clients do not read: they are closed for a new connection when none is idle. */
  setStalled(connections: readonly Connection[]): void;
  count(): number;
};

type OfAddress = { count: number; readonly idle: Set<Connection> };

export function createConnectionBook({
  maxConnections,
  maxPerAddress,
}: BookLimits): ConnectionBook {
  const all = new Map<Socket, Connection>();
  const idle = new Set<Connection>();
  const addresses = new Map<string, OfAddress>();
  let stalled: readonly Connection[] = [];

  function remove(connection: Connection): void {
    const { socket, address } = connection;
    if (!all.delete(socket)) return;
    idle.delete(connection);
    const of = addresses.get(address);
    if (of === undefined) return;
    of.idle.delete(connection);
    of.count -= 1;
    if (of.count === 0) addresses.delete(address);
  }

  function makeRoom(from: ReadonlySet<Connection>, of: OfAddress | null): boolean {
    const isStalled = ({ socket, address, sendingSinceMs }: Connection) =>
      sendingSinceMs !== null && all.has(socket) && (of === null || addresses.get(address) === of);
    const [longest] = from;
    const one = longest ?? stalled.find(isStalled);
    if (one === undefined) return false;
    remove(one);
    one.socket.destroy();
    return true;
  }

  function hasRoom(of: OfAddress): boolean {
    if (maxPerAddress !== null && of.count >= maxPerAddress && !makeRoom(of.idle, of)) return false;
    return all.size < maxConnections || makeRoom(idle, null);
  }

  return {
    add: (socket, nowMs, answered) => {
      const address = addressGroup(socket.remoteAddress ?? '') ?? '';
      const of = addresses.get(address) ?? { count: 0, idle: new Set() };
      if (!hasRoom(of)) return null;
      const connection = newConnection(socket, address, nowMs, answered);
      all.set(socket, connection);
      addresses.set(address, of);
      of.count += 1;
      idle.add(connection);
      of.idle.add(connection);
      return connection;
    },
    find: (socket) => all.get(socket),
    remove,
    setIdle: (connection, isIdle) => {
      const ofAddress = addresses.get(connection.address)?.idle;
      if (isIdle) {
        idle.add(connection);
        ofAddress?.add(connection);
      } else {
        idle.delete(connection);
        ofAddress?.delete(connection);
      }
    },
    all: () => all.values(),
    idle: () => idle,
    setStalled: (connections) => {
      stalled = connections;
    },
    count: () => all.size,
  };
}

function newConnection(
  socket: Socket,
  address: string,
  nowMs: number,
  answered: (connection: Connection) => void,
): Connection {
  const connection: Connection = {
    socket,
    address,
    current: null,
    repeat: null,
    requests: 0,
    newest: null,
    answered: () => answered(connection),
    waiting: [],
    sendingSinceMs: null,
    isPaused: false,
    isBroken: false,
    endedAtMs: null,
    openedAtMs: nowMs,
  };
  return connection;
}
