// The SQL port over PostgreSQL. Reads use a few read-only connections; every write goes through one connection that commits
// all waiting writes together. This file has no knowledge of tables.

import { asError, type PostgresConnection } from './connection.ts';
import { connectErrorOf, hasNoRoom } from './faults.ts';
import { createPostgresHosts, type PostgresHosts } from './hosts.ts';
import { createPostgresReaders, type PostgresReaders } from './readers.ts';
import { createPostgresWriter } from './writer.ts';
import { StoreUnavailable, type Database } from '../sql.ts';
import { createWriteQueue, probeQueue } from '../write-queue.ts';

type PostgresOptions = {
  /**
   * `postgres://user:password@host:port/database`, optionally with parameters such as `sslmode`; may name several hosts.
   */
  readonly url: string;
  /** The servers of the address, if other parts connect to them too. */
  readonly hosts?: PostgresHosts;
  /** Statement timeout; 0 means no limit, for migrations. */
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for another process; 0 means no limit. */
  readonly lockTimeoutMs?: number;
};

/** Maximum concurrent reads of one process. */
export const MAX_READERS = 8;
export const STATEMENT_TIMEOUT_MS = 30_000;
export const LOCK_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;

/** Connects to the database. Rejects with StoreUnavailable if it cannot be reached. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const hosts = options.hosts ?? createPostgresHosts(options.url);
  const settings = {
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
  };
  const connect = async (): Promise<PostgresConnection> => {
    try {
      return await hosts.connect(settings);
    } catch (error) {
      throw connectErrorOf(asError(error));
    }
  };
  let writing: PostgresConnection | null = null;
  let opening: Promise<unknown> = Promise.resolve();
  const openReader = async (): Promise<PostgresConnection> => {
    // A reader waits for the writer first: it could take the last place, and without a writer no call is answered.
    await opening;
    const connection = await connect();
    refuseShared(connection, writing);
    return connection;
  };
  const readers = createPostgresReaders(openReader, MAX_READERS);
  const openWriter = async (): Promise<PostgresConnection> => {
    const made = connectWriter(connect, readers);
    opening = made.catch(() => undefined);
    writing = await made;
    return writing;
  };
  const writer = createPostgresWriter(await openWriter(), openWriter);
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
    changes: () => null,
    all: (text, params = []) => readers.read({ text, params }),
    write: (transaction, options) => queue.write(transaction, options),
    probe: (deadlineMs) => probeQueue(queue, deadlineMs ?? PROBE_MS),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/** Maximum readers that give up their slots: other processes may take such a slot before the writer does. */
const MOST_GIVEN_UP = 3;

/**
 * Connects the writer. If the server has no room left, readers of this process make some. After a restart they may have taken
 * every slot, and would keep it while the process runs: every call was then answered with 503.
 */
async function connectWriter(
  connect: () => Promise<PostgresConnection>,
  readers: Pick<PostgresReaders, 'giveUp'>,
): Promise<PostgresConnection> {
  for (let given = 0; ; given += 1) {
    try {
      return await connect();
    } catch (error) {
      if (given === MOST_GIVEN_UP || !hasNoRoom(asError(error))) throw error;
      if (!(await readers.giveUp())) throw error;
    }
  }
}

/**
 * Refuses a pooler in transaction mode. It lets both connections share one server session in turn. What is prepared and set
 * for one of them would then apply to the other, even that it cannot write.
 */
function refuseShared(reading: PostgresConnection, writing: PostgresConnection | null): void {
  if (writing === null || writing.isLost() || writing.backend !== reading.backend) return;
  reading.destroy();
  throw new StoreUnavailable(
    'DATABASE_URL points to a pooler in transaction mode, which openshelf cannot use. Use the server itself, ' +
      'or a pooler in session mode',
  );
}
