// Opens the data: the database, its schema, and the parts that read and write it. This is the only file that chooses the
// database (D51).

import { statSync } from 'node:fs';

import type { Clock } from '../base/clock.ts';
import type { TermsInForce } from '../rules/terms/profiles.ts';
import { messageOf } from '../base/fault.ts';
import { createAccounts, type Accounts } from './accounts/accounts.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { COMMON_VIEW, type View } from './answers/layers.ts';
import { createListings, type Listings } from './answers/listings.ts';
import { createBarcodeAnswers, type BarcodeAnswers } from './answers/barcode-answers.ts';
import { createChannels, type Channels } from './watches/channels.ts';
import { createReadingCounts, type ReadingCounts } from './answers/reading-counts.ts';
import { createOperation, type Operation } from './operation.ts';
import { createObservations, type Observations } from './history/observations.ts';
import { createHostPauses, type HostPauses } from './turns/host-pauses.ts';
import { createHostSlots, type HostSlots } from './turns/host-slots.ts';
import { createSourceStates, type SourceStates } from './turns/source-states.ts';
import { createJobs, type Jobs } from './turns/jobs.ts';
import { databaseName } from './postgres/database-url.ts';
import { createLeases, type Leases } from './turns/leases.ts';
import { firstStatement, migrate, schemaVersionOf } from './migrate.ts';
import { createMisses, type Misses } from './answers/misses.ts';
import { refuseUnfinishedMove } from './maintenance/move-progress.ts';
import { createOffers, type Offers } from './answers/offers.ts';
import { createReviews, type Reviews } from './answers/reviews.ts';
import { createSellers, type Sellers } from './answers/sellers.ts';
import { createShops, type Shops } from './answers/shops.ts';
import type { Database, Sql, SqlValue } from './sql.ts';
import { openSqliteFile } from './sqlite/connection.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { refuseBrokenFile } from './sqlite/whole-file.ts';
import { StoreUnavailable } from './sql.ts';
import { createWatches, type Watches } from './watches/watches.ts';
import { watchWrites, type WatchedWrites, type WriteHealth } from './write-health.ts';

export type StoreConfig =
  | {
      readonly kind: 'sqlite';
      /** The database file; ':memory:' for one that is deleted with the store. */
      readonly path: string;
      /** Whether this process is the service that has locked the database. */
      readonly isService?: boolean;
    }
  | {
      readonly kind: 'postgres';
      /** `postgres://...`. It may contain a password, which no message may show. */
      readonly url: string;
      /** A standby of the primary, for `Store.replica`, and a clock that never goes back. */
      readonly replica?: ReplicaConfig | null;
    };

type SqliteConfig = Extract<StoreConfig, { readonly kind: 'sqlite' }>;

type ReplicaConfig = { readonly url: string; readonly clock: Clock };

export type Store = AsyncDisposable & {
  readonly sql: Database;
  readonly writes: WriteHealth;
  readonly listings: Listings;
  readonly barcodeAnswers: BarcodeAnswers;
  readonly shops: Shops;
  readonly observations: Observations;
  readonly sellers: Sellers;
  readonly reviews: Reviews;
  readonly offers: Offers;
  readonly readingCounts: ReadingCounts;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly operation: Operation;
  readonly jobs: Jobs;
  readonly misses: Misses;
  readonly leases: Leases;
  readonly hostSlots: HostSlots;
  readonly hostPauses: HostPauses;
  readonly sourceStates: SourceStates;
  readonly watches: Watches;
  readonly channels: Channels;
  /** The terms of sources that are in force. */
  readonly terms: TermsInForce;
  /** The same reads for an organization whose own facts lie over the common ones. */
  readonly readsFor: (organizationId: string) => OwnReads;
  /** Null without a read replica. */
  readonly replica: ReplicaStore | null;
};

/** The kinds of data that an organization may have of its own. */
type OwnReads = Pick<Store, 'listings'>;

/** Under which terms stored facts are given. */
type StoreTerms = {
  readonly terms: TermsInForce;
  /** The clock that ages them. */
  readonly now: () => number;
};

/** The reads that a replica may answer. */
type ReplicaStore = {
  /**
   * The same store, but its product reads may miss commits of any process in the last half second. Not for reads that
   * decide about a write, nor for a call after its own fetch.
   */
  readonly store: Store;
  /** Whether reads that begin now see everything that was committed before a moment of `nowMs`. */
  readonly hasSince: (atMs: number) => boolean;
  /** The clock of `hasSince`, which never goes back. */
  readonly nowMs: () => number;
  /** How many reads of products each server has answered. */
  readonly answered: () => { readonly primary: number; readonly replica: number };
  /** Whether the replica responded when last queried. */
  readonly isThere: () => boolean;
};

/** Opens the store with the newest schema. Rejects with StoreUnavailable and an actionable reason. */
export async function openStore(
  config: StoreConfig,
  given: StoreTerms = COMMON_VIEW,
): Promise<Store> {
  if (config.kind === 'sqlite') return storeOver(watchWrites(await openFile(config)), given);
  const { url, replica } = config;
  await migrateServer(url);
  if (replica !== undefined && replica !== null) return await openWithReplica(url, replica, given);
  const { openPostgres } = await import('./postgres/postgres.ts');
  return storeOver(watchWrites(await openPostgres({ url })), given);
}

/** `products` is the port for all product reads. */
function storeOver(
  { sql, health }: WatchedWrites,
  { terms, now }: StoreTerms,
  products: Sql = sql,
): Store {
  const viewOf = (organizationId: string | null): View => ({ organizationId, terms, now });
  return {
    sql,
    writes: health,
    listings: createListings(products, viewOf(null)),
    barcodeAnswers: createBarcodeAnswers(products),
    shops: createShops(products),
    observations: createObservations(products, viewOf(null)),
    sellers: createSellers(products, viewOf(null)),
    reviews: createReviews(products, viewOf(null)),
    offers: createOffers(products, viewOf(null)),
    readingCounts: createReadingCounts(sql),
    accounts: createAccounts(sql),
    sessions: createSessions(sql),
    operation: createOperation(sql),
    jobs: createJobs(sql),
    misses: createMisses(products),
    leases: createLeases(sql),
    hostSlots: createHostSlots(sql),
    hostPauses: createHostPauses(sql),
    sourceStates: createSourceStates(sql),
    watches: createWatches(sql, viewOf(null)),
    channels: createChannels(sql),
    terms,
    readsFor: (organizationId) => ({ listings: createListings(products, viewOf(organizationId)) }),
    replica: null,
    [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose](),
  };
}

async function openWithReplica(
  url: string,
  replica: ReplicaConfig,
  given: StoreTerms,
): Promise<Store> {
  const { openReplicated } = await import('./postgres/read-replica.ts');
  const { clock } = replica;
  const opened = await openReplicated({ url, replicaUrl: replica.url, clock });
  const { sql, replica: reads, hasSince, answered, isThere } = opened;
  const nowMs = () => clock.now();
  const watched = watchWrites(sql);
  return {
    ...storeOver(watched, given),
    replica: { store: storeOver(watched, given, reads), hasSince, nowMs, answered, isThere },
  };
}

async function openFile({ path, isService = false }: SqliteConfig): Promise<Database> {
  const sql = await openSqlite({ path, isService, firstStatement: firstStatement('sqlite') });
  try {
    await refuseForeign(sql);
  } catch (error) {
    await sql[Symbol.asyncDispose]();
    throw new StoreUnavailable(`${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  await migrateOrClose(sql, path);
  return sql;
}

/**
 * Refuses a database without any tables: one created by this program has its first table from the beginning, so this one
 * was created elsewhere.
 */
async function refuseForeign(sql: Database): Promise<void> {
  const tables = await sql.all("select name from sqlite_schema where type = 'table' limit 1");
  if (tables.length > 0) return;
  throw new StoreUnavailable(
    'the database is empty and was not made by this program. Restore a backup (openshelf restore), or move ' +
      'the file away to start with an empty service.',
  );
}

/** The client of PostgreSQL is imported only if it is needed, so that everything else starts faster. */
async function migrateServer(url: string): Promise<void> {
  const { openPostgres } = await import('./postgres/postgres.ts');
  // A separate connection, because a migration may take as long as it needs, and may wait for another process's migration.
  const patient = await openPostgres({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  const { helpForTables } = await import('./postgres/faults.ts');
  await migrateOrClose(patient, databaseName(url), helpForTables);
  await patient[Symbol.asyncDispose]();
}

/** Whether there is data; `openStore` would create it. Rejects with StoreUnavailable, also if a folder may not be read. */
export async function holdsData(config: StoreConfig): Promise<boolean> {
  if (config.kind === 'sqlite') {
    return statSync(config.path, { throwIfNoEntry: false }) !== undefined;
  }
  return (await readSchemaVersion(config)) !== null;
}

/**
 * Returns the schema version of the data, like `schemaVersionOf`. Changes nothing, unlike `openStore`. Rejects with
 * StoreUnavailable.
 */
export async function readSchemaVersion(config: StoreConfig): Promise<number | null> {
  if (config.kind === 'sqlite') return readVersionInFile(config.path);
  const { openPostgres } = await import('./postgres/postgres.ts');
  await using sql = await openPostgres({ url: config.url });
  const { helpForTables } = await import('./postgres/faults.ts');
  const name = databaseName(config.url);
  const version = await schemaVersionOf(sql, name).catch((error: Error) => {
    const help = helpForTables(error.cause);
    throw help === '' ? error : new StoreUnavailable(`${name}: ${error.message}. ${help}`);
  });
  const may = "has_schema_privilege(current_schema(), 'create')";
  const [row] = version === null ? await sql.all(`select 1 as may where ${may}`) : [{}];
  if (row !== undefined) return version;
  throw new StoreUnavailable(`${name}: its user may not create tables. ${helpForTables('42501')}`);
}

async function readVersionInFile(path: string): Promise<number | null> {
  refuseBrokenFile(path);
  const connection = openSqliteFile(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    const all = async (text: string, params: readonly SqlValue[] = []) =>
      connection.all(text, params);
    return await schemaVersionOf({ dialect: 'sqlite', all }, path);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(`cannot read ${path}: ${String(error)}`, { cause: error });
  } finally {
    connection.close();
  }
}

const BUSY_TIMEOUT_MS = 5_000;

async function migrateOrClose(
  sql: Database,
  name: string,
  helpFor: (error: unknown) => string = () => '',
): Promise<void> {
  try {
    await refuseUnfinishedMove(sql);
    await migrate(sql);
  } catch (error) {
    await sql[Symbol.asyncDispose]();
    const reason = messageOf(error);
    const help = helpFor(error instanceof Error ? error.cause : null);
    throw new StoreUnavailable(`${name}: ${reason}${help === '' ? '' : `. ${help}`}`, {
      cause: error,
    });
  }
}
