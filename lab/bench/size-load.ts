// Fills an empty openshelf database with invented products, fast: the rows are exactly those that the program's own
// statements would write, taken from these statements, and packed years are made by the program's own packing; only the
// write path differs (one large transaction after another, and nothing is synced until the end).

import { DatabaseSync } from 'node:sqlite';

import { Client } from 'pg';

import { dayOf } from '../../src/base/clock.ts';
import { yearOf } from '../../src/rules/history/encoded-year.ts';
import type { StoredObservation } from '../../src/rules/history/year-state.ts';
import { statementsFor } from '../../src/data/answers/answer-writes.ts';
import { replaceYear } from '../../src/data/history/packed-observations.ts';
import { ensureMonths } from '../../src/data/postgres/partitions.ts';
import type { SqlValue, Statement } from '../../src/data/sql.ts';
import { openStore, type StoreConfig } from '../../src/data/store.ts';
import {
  changesOf,
  DAYS_OF_HISTORY,
  GROUP,
  historiesOf,
  idOfListing,
  type World,
} from './size-data.ts';

type Filling = {
  readonly world: World;
  readonly products: number;
  /** One listing's day each; whole years, for the listings of the first products. */
  readonly bars: number;
  /** Rows written so far, out of approximately this many. */
  readonly onProgress: (done: number, total: number, label: string) => void;
};

export type Filled = {
  readonly bars: number;
  /** Listings with a year of history. */
  readonly histories: number;
  readonly seconds: number;
};

type Values = readonly SqlValue[];
type Insertion = { readonly table: string; readonly columns: readonly string[] };
type Rows = Insertion & { readonly rows: Values[] };

/** Where rows go; `on conflict do nothing`, because sellers recur. */
type Sink = {
  write(rows: Rows): Promise<void>;
  commit(): Promise<void>;
  close(): Promise<void>;
};

const PRODUCTS_A_COMMIT = 2_000;
const GROUPS_A_COMMIT = 200;

/** Creates the database and fills it. */
export async function fill(place: StoreConfig, filling: Filling): Promise<Filled> {
  const { world, products, bars, onProgress } = filling;
  const from = performance.now();
  {
    await using store = await openStore(place);
    await ensureMonths(store.sql, dayOf(world.nowMs));
  }
  const histories = Math.min(products * world.listings, Math.floor(bars / DAYS_OF_HISTORY));
  const total = products + histories / world.listings;
  const sink = place.kind === 'sqlite' ? fileSink(place.path) : await serverSink(place.url);
  try {
    for (let product = 0; product < products; product += PRODUCTS_A_COMMIT) {
      const until = Math.min(products, product + PRODUCTS_A_COMMIT);
      await writeAll(sink, productStatements(world, product, until));
      onProgress(until, total, `${until} products`);
    }
    for (let group = 0; group * GROUP < histories; group += GROUPS_A_COMMIT) {
      const until = Math.min(Math.ceil(histories / GROUP), group + GROUPS_A_COMMIT);
      await writeAll(sink, historyStatements(world, group, until, histories));
      const done = Math.min(histories, until * GROUP);
      onProgress(products + done / world.listings, total, `${done * DAYS_OF_HISTORY} bars`);
    }
  } finally {
    await sink.close();
  }
  const seconds = (performance.now() - from) / 1e3;
  return { bars: histories * DAYS_OF_HISTORY, histories, seconds };
}

function* productStatements(world: World, from: number, until: number): Generator<Statement> {
  for (let product = from; product < until; product += 1) {
    yield* statementsFor(changesOf(world, product), 'sqlite');
  }
}

function* historyStatements(
  world: World,
  from: number,
  until: number,
  histories: number,
): Generator<Statement> {
  for (let group = from; group < until; group += 1) {
    for (const [at, history] of historiesOf(world, group).entries()) {
      const listing = group * GROUP + at;
      if (listing < histories) yield* packedStatements(idOfListing(world, listing), history);
    }
  }
}

/** Returns the rows that compaction makes of a history. */
function packedStatements(
  listingId: string,
  history: readonly StoredObservation[],
): readonly Statement[] {
  const years = Map.groupBy(history, ({ observedAtMs }) => yearOf(observedAtMs));
  return [...years].map(([year, seen]) => replaceYear({ listingId, year }, null, seen));
}

async function writeAll(sink: Sink, statements: Iterable<Statement>): Promise<void> {
  const tables = new Map<string, Rows>();
  const add = ({ table, columns }: Insertion, values: Values) => {
    const rows = tables.get(table) ?? { table, columns, rows: [] };
    tables.set(table, rows);
    rows.rows.push(values);
  };
  for (const { text, params = [] } of statements) {
    if (text.startsWith('insert into revisions')) {
      for (const values of revisionsOf(params)) add(REVISIONS, values);
      continue;
    }
    const found = insertionOf(text);
    if (found !== null) add(found, found.values(params));
  }
  for (const rows of tables.values()) await sink.write(rows);
  await sink.commit();
}

const REVISIONS: Insertion = { table: 'revisions', columns: ['subject', 'revision'] };

/**
 * Converts the values to rows: the number comes first, subjects after it; barcodes that the statement looks up are next to
 * them, because the product is new.
 */
function revisionsOf([revision = 0, ...subjects]: Values): readonly Values[] {
  return [...new Set(subjects)]
    .filter((subject) => subject !== '')
    .map((subject) => [subject, revision]);
}

type Parsed = Insertion & { readonly values: (params: Values) => Values };
const parsed = new Map<string, Parsed>();

/** Returns what a statement inserts into which columns of an empty table; null: it inserts nothing. */
function insertionOf(text: string): Parsed | null {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  // Nothing was answered from an empty database: nobody compares its revisions.
  if (text.startsWith('delete ') || text.startsWith('insert into revisions')) return null;
  const match = /^insert into (\w+)\s+\(([^)]+)\)\s+values \(([^)]+)\)/.exec(text);
  const words = (list: string) => list.split(',').map((word) => word.trim());
  if (match === null) throw new Error(`what does this write: ${text}`);
  const [, table = '', columns = '', values = ''] = match;
  const readers = words(values).map((word): ((params: Values) => SqlValue) => {
    const place = /^\$(\d+)$/.exec(word)?.[1];
    if (place !== undefined) return (params) => params[Number(place) - 1] ?? null;
    const literal = /^'([^']*)'$/.exec(word)?.[1];
    if (literal === undefined) throw new Error(`what is ${word} in ${text}?`);
    return () => literal;
  });
  const insertion = {
    table,
    columns: words(columns),
    values: (params: Values) => readers.map((read) => read(params)),
  };
  parsed.set(text, insertion);
  return insertion;
}

/** Keeps the pages of all indexes in memory: their rows arrive in no order. */
const FILE_CACHE_KIB = 3_000_000;

function fileSink(path: string): Sink {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(
    `pragma journal_mode = delete; pragma journal_mode = memory; pragma synchronous = off;
     pragma locking_mode = exclusive; pragma cache_size = -${FILE_CACHE_KIB}; begin`,
  );
  return {
    async write({ table, columns, rows }) {
      const marks = columns.map(() => '?').join(', ');
      const insert = db.prepare(
        `insert into ${table} (${columns.join(', ')}) values (${marks}) on conflict do nothing`,
      );
      for (const row of rows) insert.run(...row);
    },
    // A single transaction: only pages that existed before it are journalled.
    commit: () => Promise.resolve(),
    async close() {
      db.exec('commit; pragma journal_mode = wal');
      db.close();
    },
  };
}

async function serverSink(url: string): Promise<Sink> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('set synchronous_commit = off');
  // PostgreSQL enforces foreign keys by triggers; every row refers to one of the same run.
  await client.query('set session_replication_role = replica');
  const { rows: found } = await client.query<{ name: string; type: string }>(
    `select table_name || '.' || column_name as name, udt_name as type
     from information_schema.columns where table_schema = current_schema()`,
  );
  const types = new Map(found.map(({ name, type }) => [name, type]));
  await client.query('begin');
  return {
    async write({ table, columns, rows }) {
      const lists = columns.map(
        (column, at) => `$${at + 1}::${types.get(`${table}.${column}`) ?? 'text'}[]`,
      );
      await client.query(
        `insert into ${table} (${columns.join(', ')}) select * from unnest(${lists.join(', ')})
         on conflict do nothing`,
        columns.map((_, at) => rows.map((row) => row[at] ?? null)),
      );
    },
    async commit() {
      await client.query('commit; begin');
    },
    async close() {
      await client.query('commit');
      await client.query('analyze');
      await client.end();
    },
  };
}
