// A database with a read replica. The primary serves everything except reads that may miss the last half second. The replica
// serves those while it is known to miss no more than that. A read fails only if neither can answer it.

import type { Clock } from '../../base/clock.ts';
import { databaseName } from './database-url.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';
import { createPostgresHosts } from './hosts.ts';
import { createPostgresReaders, type PostgresReaders } from './readers.ts';
import { LOCK_TIMEOUT_MS, MAX_READERS, openPostgres, STATEMENT_TIMEOUT_MS } from './postgres.ts';
import { createReplicaWatch, type ReplicaWatch } from './replica-watch.ts';
import { StoreUnavailable, type Database, type Row, type Sql, type Statement } from '../sql.ts';
import { within } from '../within.ts';

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
  /** Reads that the replica may answer; they may miss commits of the last half second. */
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
 * The facts known to the watch apply to the server that it queried. If the address now leads to another server, connections
 * to the previous one are no longer used. A connection that leads to yet another server is never used.
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

type ReplicaRead = (statement: Statement) => Promise<readonly Row[]>;

type ReplicaReads = {
  readonly read: ReplicaRead;
  /** Whether a read that begins now sees everything that was committed before a moment of the clock. */
  hasSince(atMs: number): boolean;
  /** How many reads each of the two servers has answered. */
  answered(): { readonly primary: number; readonly replica: number };
};

type ReplicaReadsParts = {
  readonly primary: ReplicaRead;
  readonly replica: ReplicaRead;
  readonly watch: ReplicaWatch;
  /** The clock used by the watch. */
  readonly clock: Clock;
};

/** Every read sees all commits that are at least this old, of any process. */
const MAX_BEHIND_MS = 500;
/** A read does not wait for a slower server if it can query the other one. */
const PATIENCE_MS = 2_000;

type ReplicaReadsState = ReplicaReadsParts & { primaryReads: number; replicaReads: number };

function createReplicaReads(parts: ReplicaReadsParts): ReplicaReads {
  const reads: ReplicaReadsState = { ...parts, primaryReads: 0, replicaReads: 0 };
  return {
    read: (statement) => read(reads, statement),
    hasSince: (atMs) => !isKnowing(reads) || parts.watch.knownUntilMs() > atMs,
    answered: () => ({ primary: reads.primaryReads, replica: reads.replicaReads }),
  };
}

async function read(reads: ReplicaReadsState, statement: Statement): Promise<readonly Row[]> {
  if (isKnowing(reads)) {
    const rows = await fromReplica(reads, statement);
    if (rows !== null) return rows;
  }
  const asked = fromPrimary(reads, statement);
  try {
    const rows = await within(PATIENCE_MS, asked, null);
    if (rows !== null) return rows;
    // If the primary does not respond at all, this does not wait until its connection times out.
    const instead = asLastResort(reads, statement).then((old) => old ?? asked);
    return await Promise.race([asked, instead]);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    await reads.watch.check();
    const rows = await asLastResort(reads, statement);
    if (rows === null) throw error;
    return rows;
  }
}

/**
 * Queries the replica, but only if the primary answered neither this read nor anything else. While the primary answers other
 * reads, an old replica may have been outdated for a long time.
 */
async function asLastResort(
  reads: ReplicaReadsState,
  statement: Statement,
): Promise<readonly Row[] | null> {
  if (!isKnowing(reads) && !reads.watch.isPrimaryAway()) return null;
  return await fromReplica(reads, statement);
}

/** Whether the replica is known to have everything that was written up to a moment ago. */
function isKnowing({ watch, clock }: Pick<ReplicaReadsState, 'watch' | 'clock'>): boolean {
  return clock.now() - watch.knownUntilMs() <= MAX_BEHIND_MS;
}

async function fromPrimary(
  reads: ReplicaReadsState,
  statement: Statement,
): Promise<readonly Row[]> {
  const rows = await reads.primary(statement);
  reads.primaryReads += 1;
  return rows;
}

/** Null if it failed for any reason or took too long: the primary is then queried. */
async function fromReplica(
  reads: ReplicaReadsState,
  statement: Statement,
): Promise<readonly Row[] | null> {
  const answer = reads.replica(statement).catch(() => null);
  const rows = await within(PATIENCE_MS, answer, null);
  if (rows !== null) reads.replicaReads += 1;
  return rows;
}
