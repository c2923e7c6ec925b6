// Opens the data: database, schema, and the parts that read and write it. The only file that chooses the
// database (D51).

import { existsSync } from 'node:fs';

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
import type { Database } from './sql.ts';
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
    };

export type Store = AsyncDisposable & {
  readonly sql: Database;
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
};

/** Opens the store with the newest schema. Rejects with StoreUnavailable and a reason a person can act on. */
export async function openStore(config: StoreConfig): Promise<Store> {
  const sql = await (config.kind === 'sqlite' ? openFile(config.path) : openServer(config.url));
  return {
    sql,
    catalog: createCatalog(sql),
    cells: createCells(sql),
    shops: createShops(sql),
    history: createHistory(sql),
    sellers: createSellers(sql),
    reviews: createReviews(sql),
    offers: createOffers(sql),
    productHistory: createProductHistory(sql),
    fillRates: createFillRates(sql),
    accounts: createAccounts(sql),
    jobs: createJobs(sql),
    misses: createMisses(sql),
    leases: createLeases(sql),
    hostSlots: createHostSlots(sql),
    [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose](),
  };
}

async function openFile(path: string): Promise<Database> {
  const sql = await openSqlite({ path });
  await migrateOrClose(sql, path);
  return sql;
}

/** The client of PostgreSQL is read only where it is needed: everything starts faster without it. */
async function openServer(url: string): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts');
  // On a connection of its own: a migration may take as long as it needs, and wait for that of another process.
  const patient = await openPostgres({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  await migrateOrClose(patient, databaseName(url));
  await patient[Symbol.asyncDispose]();
  return await openPostgres({ url });
}

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
