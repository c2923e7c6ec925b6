// Reads over a few read-only connections. A read is one statement; it runs at once if a connection is free, otherwise in its
// turn.

import { asError, type PostgresConnection, type StatementOutcome } from './connection.ts';
import { faultKindOf, hasNoRoom, storeErrorOf } from './faults.ts';
import type { Row, Statement } from '../sql.ts';
import { StoreUnavailable } from '../sql.ts';

export type PostgresReaders = {
  /** Rejects with StoreUnavailable, or with the error of the statement. */
  read(statement: Statement): Promise<readonly Row[]>;
  /**
   * Closes one of the connections to free its slot, at once or when a read is done with it. Returns false if there is none.
   */
  giveUp(): Promise<boolean>;
  /** Resolves when the running reads have ended. */
  close(): Promise<void>;
};

/** A read changes nothing, so it can be repeated on another connection. */
const MAX_ATTEMPTS = 3;

type Readers = {
  readonly open: () => Promise<PostgresConnection>;
  readonly idle: PostgresConnection[];
  /** Reads that wait for one of the `most` places. */
  readonly waitingForPlace: (() => void)[];
  free: number;
  /**
   * Reads that have a place but no connection, because the server allows no more. Each read that returns a connection wakes the
   * next of them.
   */
  readonly waitingForConnection: (() => void)[];
  /** Callers of `giveUp` that wait for a connection to be closed. */
  readonly givingUp: (() => void)[];
  /** Connections that are in use or being made. */
  used: number;
  making: number;
  /** Until this is aborted, no new connection is requested from the server. */
  refused: AbortSignal;
  isClosed: boolean;
  readonly running: Set<Promise<unknown>>;
};

/** Uses at most `most` connections, each opened when it is first needed. */
export function createPostgresReaders(
  open: () => Promise<PostgresConnection>,
  most: number,
): PostgresReaders {
  const readers: Readers = {
    open,
    idle: [],
    waitingForPlace: [],
    free: most,
    waitingForConnection: [],
    givingUp: [],
    used: 0,
    making: 0,
    refused: AbortSignal.abort(),
    isClosed: false,
    running: new Set(),
  };
  return {
    read: async (statement) => {
      if (readers.isClosed) throw new StoreUnavailable('the store is closed');
      const reading = readAgain(readers, statement);
      readers.running.add(reading);
      try {
        return await reading;
      } finally {
        readers.running.delete(reading);
      }
    },
    giveUp: async () => {
      readers.refused = AbortSignal.timeout(REFUSED_MS);
      const idle = idleConnection(readers);
      // A connection that is still being opened is itself waiting for a slot.
      if (idle === null && readers.used === readers.making) return false;
      if (idle === null) await new Promise<void>((resolve) => readers.givingUp.push(resolve));
      else await idle.close();
      return true;
    },
    close: async () => {
      readers.isClosed = true;
      await Promise.allSettled(readers.running);
      await Promise.all(readers.idle.splice(0).map((connection) => connection.close()));
    },
  };
}

async function readAgain(readers: Readers, statement: Statement): Promise<readonly Row[]> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await inTurn(readers, (connection) => connection.run([statement]));
    if (!(answer instanceof Error)) return answer;
    const kind = faultKindOf(answer);
    const mayRepeat = kind === 'connection' || kind === 'contention';
    if (!mayRepeat || attempt === MAX_ATTEMPTS) {
      throw storeErrorOf(answer, 'the store cannot read');
    }
  }
}

async function inTurn(
  readers: Readers,
  work: (connection: PostgresConnection) => Promise<readonly StatementOutcome[]>,
): Promise<StatementOutcome> {
  if (readers.free > 0) readers.free -= 1;
  else await new Promise<void>((resolve) => readers.waitingForPlace.push(resolve));
  try {
    const connection = await connectionFor(readers);
    const [answer = new Error('a read without an outcome')] = await work(connection).finally(() =>
      handBack(readers, connection),
    );
    return answer;
  } finally {
    const next = readers.waitingForPlace.shift();
    if (next === undefined) readers.free += 1;
    else next();
  }
}

/** After a server had no room for a connection, no other is requested for this long (ms). */
const REFUSED_MS = 1_000;

/**
 * Returns an idle connection, or a new one. Other processes may have taken the server's last slots. The existing connections
 * are then passed from read to read: without this, of two processes with four connections each, nearly half of the calls failed
 * under load.
 */
async function connectionFor(readers: Readers): Promise<PostgresConnection> {
  for (;;) {
    const idle = idleConnection(readers);
    if (idle !== null) {
      readers.used += 1;
      return idle;
    }
    if (readers.used > 0 && !readers.refused.aborted) {
      await new Promise<void>((resolve) => readers.waitingForConnection.push(resolve));
      continue;
    }
    readers.used += 1;
    readers.making += 1;
    try {
      return await readers.open();
    } catch (error) {
      readers.used -= 1;
      const mayWait = hasNoRoom(asError(error)) && readers.used + readers.idle.length > 0;
      if (!mayWait) {
        readers.waitingForConnection.shift()?.();
        throw error;
      }
      readers.refused = AbortSignal.timeout(REFUSED_MS);
    } finally {
      readers.making -= 1;
    }
  }
}

function handBack(readers: Readers, connection: PostgresConnection): void {
  readers.used -= 1;
  const closed = readers.givingUp.shift();
  if (connection.isLost()) {
    connection.destroy();
    // An event that ended one connection, such as a server restart, has usually ended them all.
    for (const other of readers.idle.splice(0)) other.destroy();
    closed?.();
  } else if (closed === undefined) readers.idle.push(connection);
  else void connection.close().then(closed, closed);
  readers.waitingForConnection.shift()?.();
}

/** Returns the most recently used idle connection that is not lost. */
function idleConnection({ idle }: Readers): PostgresConnection | null {
  for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
    if (!one.isLost()) return one;
    one.destroy();
  }
  return null;
}
