// Reads over a few connections that cannot write: one statement each, at once when a connection is free, else in
// turn.

import type { PostgresConnection, StatementOutcome } from './connection.ts';
import { faultKindOf, storeErrorOf } from './faults.ts';
import type { Row, Statement } from '../sql.ts';
import { StoreUnavailable } from '../sql.ts';

export type PostgresReaders = {
  /** Rejects with StoreUnavailable, or with what is wrong with the statement. */
  read(statement: Statement): Promise<readonly Row[]>;
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
    const connection = idleOne(readers) ?? (await readers.open());
    const [answer = new Error('a read without an outcome')] = await work(connection);
    if (!connection.isLost()) readers.idle.push(connection);
    else {
      connection.destroy();
      // What ended one of them, a restart of the server for one, has mostly ended them all.
      for (const other of readers.idle.splice(0)) other.destroy();
    }
    return answer;
  } finally {
    const next = readers.line.shift();
    if (next === undefined) readers.free += 1;
    else next();
  }
}

/** The one that was used last, unless it was lost meanwhile. */
function idleOne({ idle }: Readers): PostgresConnection | null {
  for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
    if (!one.isLost()) return one;
    one.destroy();
  }
  return null;
}
