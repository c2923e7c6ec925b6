// Opens the data: database, schema, and the parts that read and write it. The only file that chooses the
// database (D51).

import { existsSync } from 'node:fs';

import type { Clock } from '../domain/clock.ts';
import { createAccounts, type Accounts } from './accounts.ts';
import { createCatalog, type Catalog } from './catalog.ts';
import { createCells, type Cells } from './cells.ts';
import { createFillRates, type FillRates } from './fill-rates.ts';
import { createHistory, type History } from './history.ts';
import { createHostSlots, type HostSlots } from './host-slots.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { databaseName } from './database-url.ts';
import { createLeases, type Leases } from './leases.ts';
import { migrate } from './migrate.ts';
import { createMisses, type Misses } from './misses.ts';
import { refuseUnfinishedMove } from './move-progress.ts';
import { createOffers, type Offers } from './offers.ts';
import { createReviews, type Reviews } from './reviews.ts';
import { createSellers, type Sellers } from './sellers.ts';
import { createProductHistory, type ProductHistory } from './product-history.ts';
import { createShops, type Shops } from './shops.ts';
import type { Database, Sql } from './sql.ts';
import { openSqlite } from './sqlite.ts';
import { StoreUnavailable } from './store-error.ts';

export type StoreConfig =
  | {
      readonly kind: 'sqlite';
      /** The database file; ':memory:' for one that dies with the store. */
      readonly path: string;
    }
  | {
      readonly kind: 'postgres';
      /** `postgres://...`; with a password in it, which no message may show. */
      readonly url: string;
      /** A copy that follows it and may answer reads of products, with a clock that never goes back. */
      readonly replica?: { readonly url: string; readonly clock: Clock } | null;
    };

export type Store = AsyncDisposable & {
  readonly sql: Database;
  /** As `sql`, for what has nothing to do with products: with a read replica they are not read anew after its writes. */
  readonly apart: Sql;
  readonly catalog: Catalog;
  readonly cells: Cells;
  readonly shops: Shops;
  readonly history: History;
  readonly sellers: Sellers;
  readonly reviews: Reviews;
  readonly offers: Offers;
  readonly productHistory: ProductHistory;
  readonly fillRates: FillRates;
  readonly accounts: Accounts;
  readonly jobs: Jobs;
  readonly misses: Misses;
  readonly leases: Leases;
  readonly hostSlots: HostSlots;
  /** Reads of products by the server that answered; null without a read replica. */
  readonly readsAnswered: (() => ReadsAnswered) | null;
};

export type ReadsAnswered = { readonly primary: number; readonly replica: number };

/** Three ways to one database; without a read replica they are the same. */
type Ways = {
  readonly sql: Database;
  readonly apart: Sql;
  readonly products: Sql;
  readonly answered?: () => ReadsAnswered;
};

/** Opens the store with the newest schema. Rejects with StoreUnavailable and a reason a person can act on. */
export async function openStore(config: StoreConfig): Promise<Store> {
  const { sql, apart, products, answered } = await (config.kind === 'sqlite'
    ? openFile(config.path)
    : openServer(config));
  return {
    sql,
    apart,
    catalog: createCatalog(products),
    cells: createCells(products),
    shops: createShops(products),
    history: createHistory(products),
    sellers: createSellers(products),
    reviews: createReviews(products),
    offers: createOffers(products),
    productHistory: createProductHistory(products),
    fillRates: createFillRates(apart),
    accounts: createAccounts(apart),
    jobs: createJobs(apart),
    misses: createMisses(products),
    // Who takes a lease looks at what the holder before filed.
    leases: createLeases(sql),
    hostSlots: createHostSlots(apart),
    readsAnswered: answered ?? null,
    [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose](),
  };
}

async function openFile(path: string): Promise<Ways> {
  const sql = await openSqlite({ path });
  await migrateOrClose(sql, path);
  return { sql, apart: sql, products: sql };
}

/** The client of PostgreSQL is read only where it is needed: everything starts faster without it. */
async function openServer({ url, replica }: PostgresConfig): Promise<Ways> {
  const { openPostgres } = await import('./postgres.ts');
  // On a connection of its own: a migration may take as long as it needs, and wait for that of another process.
  const patient = await openPostgres({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  await migrateOrClose(patient, databaseName(url));
  await patient[Symbol.asyncDispose]();
  if (replica !== undefined && replica !== null) {
    const { openReplicated } = await import('./read-replica.ts');
    return await openReplicated({ url, replicaUrl: replica.url, clock: replica.clock });
  }
  const sql = await openPostgres({ url });
  return { sql, apart: sql, products: sql };
}

type PostgresConfig = Extract<StoreConfig, { kind: 'postgres' }>;

/** Whether there is data; `openStore` would make some. Rejects with StoreUnavailable. */
export async function holdsData(config: StoreConfig): Promise<boolean> {
  if (config.kind === 'sqlite') return existsSync(config.path);
  const { openPostgres } = await import('./postgres.ts');
  await using sql = await openPostgres({ url: config.url });
  const rows = await sql.all("select to_regclass('schema_versions') is not null as is_there");
  return rows[0]?.['is_there'] === 1;
}

async function migrateOrClose(sql: Database, name: string): Promise<void> {
  try {
    await refuseUnfinishedMove(sql);
    await migrate(sql);
  } catch (error) {
    await sql[Symbol.asyncDispose]();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailable(`${name}: ${reason}`, { cause: error });
  }
}
