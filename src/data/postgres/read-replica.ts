// A database with a read replica. The primary serves everything except reads that may miss the last half second. The replica
// serves those while it is known to miss no more than that.

import type { Clock } from '../../base/clock.ts';
import { databaseName } from './database-url.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';
import { createPostgresHosts } from './hosts.ts';
import { createPostgresReaders, type PostgresReaders } from './readers.ts';
import { LOCK_TIMEOUT_MS, MAX_READERS, openPostgres, STATEMENT_TIMEOUT_MS } from './postgres.ts';
import { createReplicaReads, type ReplicaRead } from './replica-reads.ts';
import { createReplicaWatch, type ReplicaWatch } from './replica-watch.ts';
import type { Database, Sql } from '../sql.ts';
import { StoreUnavailable } from '../sql.ts';

type ReplicatedOptions = {
  /** The address of the primary, with one host or several. */
  readonly url: string;
  readonly replicaUrl: string;
  /** A clock whose `now` never goes back. */
  readonly clock: Clock;
};

type Replicated = {
  /** The primary. */
  readonly sql: Database;
  /** Reads that the replica may answer; they may miss what was committed in the last half second. */
  readonly replica: Sql;
  /** Whether a `replica` read started now sees everything committed before a moment of the clock. */
  readonly hasSince: (atMs: number) => boolean;
  /** How many `replica` reads each of the two servers has served. */
  readonly answered: () => { readonly primary: number; readonly replica: number };
  /** Whether the replica responded when last queried. */
  readonly isThere: () => boolean;
};

const SESSION = {
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  lockTimeoutMs: LOCK_TIMEOUT_MS,
};

/**
 * Connects to the primary; the replica may be unavailable. Rejects with StoreUnavailable if the primary cannot be reached,
 * or if the replica responds and has other data.
 */
export async function openReplicated(options: ReplicatedOptions): Promise<Replicated> {
  const { url, replicaUrl, clock } = options;
  const hosts = createPostgresHosts(url);
  const primary = await openPostgres({ url, hosts });
  const openReplica = () => connectPostgres({ ...SESSION, url: replicaUrl, mayFollow: true });
  const asking = {
    primary: createPostgresReaders(() => hosts.connect(SESSION), 1),
    replica: createPostgresReaders(openReplica, 1),
  };
  const watch = createReplicaWatch({
    clock,
    askPrimary: (text) => asking.primary.read({ text }),
    askReplica: (text) => asking.replica.read({ text }),
    onSilence: () => hosts.abandon(),
  });
  const replica = createReadersOfOneServer(openReplica, watch);
  const readPrimary: ReplicaRead = ({ text, params = [] }) => primary.all(text, params);
  const reads = createReplicaReads({ primary: readPrimary, replica: replica.read, watch, clock });
  const close = async (): Promise<void> => {
    await Promise.all([primary[Symbol.asyncDispose](), watch.close()]);
    await Promise.all([asking.primary.close(), asking.replica.close(), replica.close()]);
  };
  await watch.check();
  if (watch.holdsOtherData()) {
    await close();
    const names = `${databaseName(replicaUrl)} is not a copy of ${databaseName(url)}`;
    throw new StoreUnavailable(`OPENSHELF_READ_URL: ${names}`);
  }
  let closing: Promise<void> | null = null;
  const dispose = () => (closing ??= close());
  const sql: Database = {
    ...primary,
    write: async (transaction, options) => {
      const result = await primary.write(transaction, options);
      watch.heard();
      return result;
    },
    [Symbol.asyncDispose]: dispose,
  };
  return {
    sql,
    replica: { ...sql, all: (text, params = []) => reads.read({ text, params }) },
    hasSince: (atMs) => reads.hasSince(atMs),
    answered: () => reads.answered(),
    isThere: () => watch.server() !== null,
  };
}

type ReadersOfOneServer = { readonly read: ReplicaRead; readonly close: () => Promise<void> };

/**
 * What the watch knows applies to the server it queried. If the address now leads to another server, connections to the
 * previous one are no longer used. A connection that leads to yet another server is never used.
 */
function createReadersOfOneServer(
  open: () => Promise<PostgresConnection>,
  watch: ReplicaWatch,
): ReadersOfOneServer {
  let current: { readonly server: string; readonly readers: PostgresReaders } | null = null;
  const openAt = async (server: string): Promise<PostgresConnection> => {
    const connection = await open();
    const [answer] = await connection.run([
      { text: 'select pg_postmaster_start_time()::text as server' },
    ]);
    if (Array.isArray(answer) && answer[0]?.['server'] === server) return connection;
    connection.destroy();
    throw new StoreUnavailable('the address of the replica now leads to another server');
  };
  return {
    read: async (statement) => {
      const server = watch.server();
      if (server === null) throw new StoreUnavailable('the replica does not answer');
      if (current?.server !== server) {
        // Reads running on the old connections finish there, or are repeated at the primary.
        void current?.readers.close();
        current = { server, readers: createPostgresReaders(() => openAt(server), MAX_READERS) };
      }
      return await current.readers.read(statement);
    },
    close: async () => {
      await current?.readers.close();
    },
  };
}
