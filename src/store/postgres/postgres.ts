// The SQL port over PostgreSQL: reads on a few connections that cannot write, every write through one connection
// that commits what waits together. Knows nothing of tables.

import type { PostgresConnection } from './connection.ts';
import { connectErrorOf } from './faults.ts';
import { createPostgresHosts, type PostgresHosts } from './hosts.ts';
import { createPostgresReaders } from './readers.ts';
import { createPostgresWriter } from './writer.ts';
import { StoreUnavailable, type Database } from '../sql.ts';
import { createWriteQueue, probeQueue } from '../write-queue.ts';

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database`, with `sslmode` and the like behind it; may name several hosts. */
  readonly url: string;
  /** The servers of the address, where others connect to them too. */
  readonly hosts?: PostgresHosts;
  /** How long a statement may take; 0: as long as it wants, for migrations. */
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for another process; 0: as long as it takes. */
  readonly lockTimeoutMs?: number;
};

/** Reads of one process that run at the same time. */
export const MAX_READERS = 8;
export const STATEMENT_TIMEOUT_MS = 30_000;
export const LOCK_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;

/** Connects to the database. Rejects with StoreUnavailable when it cannot be asked. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const hosts = options.hosts ?? createPostgresHosts(options.url);
  const settings = {
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
  };
  let writing: PostgresConnection | null = null;
  const open = async (isWriter: boolean): Promise<PostgresConnection> => {
    try {
      const connection = await hosts.connect(settings);
      if (isWriter) writing = connection;
      else refuseShared(connection, writing);
      return connection;
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      throw connectErrorOf(cause);
    }
  };
  const writer = createPostgresWriter(await open(true), () => open(true));
  const readers = createPostgresReaders(() => open(false), MAX_READERS);
  const queue = createWriteQueue((transactions, onEarly) => writer.commit(transactions, onEarly));
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await queue.drain();
    await Promise.all([writer.close(), readers.close()]);
  };
  return {
    dialect: 'postgres',
    skipLocked: ' for update skip locked',
    commits: writer.commits,
    all: (text, params = []) => readers.read({ text, params }),
    write: (transaction, options) => queue.write(transaction, options),
    probe: (deadlineMs) => probeQueue(queue, deadlineMs ?? PROBE_MS),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/**
 * A pooler in transaction mode gives both connections one session of the server in turn: what is prepared and set for one of them
 * would hold for the other, that it cannot write among it.
 */
function refuseShared(reading: PostgresConnection, writing: PostgresConnection | null): void {
  if (writing === null || writing.isLost() || writing.backend !== reading.backend) return;
  reading.destroy();
  throw new StoreUnavailable(
    'DATABASE_URL leads to a pooler in transaction mode, which openshelf cannot use. Name the server itself in it, or a pooler ' +
      'in session mode',
  );
}
