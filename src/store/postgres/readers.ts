// Reads over a few connections that cannot write: one statement each, at once when a connection is free, else in
// turn.

import { asError, type PostgresConnection, type StatementOutcome } from './connection.ts';
import { faultKindOf, hasNoRoom, storeErrorOf } from './faults.ts';
import type { Row, Statement } from '../sql.ts';
import { StoreUnavailable } from '../sql.ts';

export type PostgresReaders = {
  /** Rejects with StoreUnavailable, or with what is wrong with the statement. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** Closes one of its connections, at once or when a read is done with one, for somebody who needs its place. False: it has none. */
  giveUp(): Promise<boolean>;
  /** Resolves when the reads that run have ended. */
  close(): Promise<void>;
};

/** A read changes nothing, so it can be repeated on another connection. */
const MAX_ATTEMPTS = 3;

type Readers = {
  readonly open: () => Promise<PostgresConnection>;
  readonly idle: PostgresConnection[];
  /** Reads that wait for one of `most` places. */
  readonly line: (() => void)[];
  free: number;
  /** Reads that have a place and no connection: the server gives no more, and each that is done with one wakes the next. */
  readonly without: (() => void)[];
  /** Who waits for the place of a connection. */
  readonly owed: (() => void)[];
  /** Connections in use, or being made. */
  used: number;
  making: number;
  /** Until it is aborted the server is not asked for another connection. */
  refused: AbortSignal;
  isClosed: boolean;
  readonly running: Set<Promise<unknown>>;
};

/** At most `most` connections, each opened when it is first needed. */
export function createPostgresReaders(
  open: () => Promise<PostgresConnection>,
  most: number,
): PostgresReaders {
  const readers: Readers = {
    open,
    idle: [],
    line: [],
    free: most,
    without: [],
    owed: [],
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
      const idle = idleOne(readers);
      // One that is being made waits for the place too.
      if (idle === null && readers.used === readers.making) return false;
      if (idle === null) await new Promise<void>((resolve) => readers.owed.push(resolve));
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
  else await new Promise<void>((resolve) => readers.line.push(resolve));
  try {
    const connection = await oneFor(readers);
    const [answer = new Error('a read without an outcome')] = await work(connection).finally(() =>
      handBack(readers, connection),
    );
    return answer;
  } finally {
    const next = readers.line.shift();
    if (next === undefined) readers.free += 1;
    else next();
  }
}

/** For so long (ms) a server that had no room for a connection is not asked for one again. */
const REFUSED_MS = 1_000;

/**
 * One that is idle, or a new one. Where the server has no room for more, which other processes may have taken, those that there are
 * go from read to read: of two processes with four connections each, nearly half of the calls failed under load.
 */
async function oneFor(readers: Readers): Promise<PostgresConnection> {
  for (;;) {
    const idle = idleOne(readers);
    if (idle !== null) {
      readers.used += 1;
      return idle;
    }
    if (readers.used > 0 && !readers.refused.aborted) {
      await new Promise<void>((resolve) => readers.without.push(resolve));
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
        readers.without.shift()?.();
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
  const owed = readers.owed.shift();
  if (connection.isLost()) {
    connection.destroy();
    // What ended one of them, a restart of the server for one, has mostly ended them all.
    for (const other of readers.idle.splice(0)) other.destroy();
    owed?.();
  } else if (owed === undefined) readers.idle.push(connection);
  else void connection.close().then(owed, owed);
  readers.without.shift()?.();
}

/** The one that was used last, unless it was lost meanwhile. */
function idleOne({ idle }: Readers): PostgresConnection | null {
  for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
    if (!one.isLost()) return one;
    one.destroy();
  }
  return null;
}
