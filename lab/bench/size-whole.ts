// Measures the overall cost of a large database: bytes by table, the start of the service, the first lookups with the file out
// of the page cache, a backup, and compacting its tail. Also proves that the loader wrote what the program would have written.

import { spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

import { dayOf, DAY_MS } from '../../src/base/clock.ts';
import { compact } from '../../src/answer/indexer/compaction.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import type { Row, Sql } from '../../src/data/sql.ts';
import { openStore, type StoreConfig } from '../../src/data/store.ts';
import { runCommand, startLoad, startService } from './children.ts';
import { figureOf, median, type Figure, type Pair, type Sample } from './measurement.ts';
import { changesOf, GROUP, historiesOf, idOfListing, type World } from './size-data.ts';
import { heldPaths, lookUp, startAnswering, type Side, type Sides } from './size-lookups.ts';
import { SHOP_ORIGIN } from './page-generator.ts';
import { openShop } from './shop.ts';

/** Pages of each table with its indexes and, on PostgreSQL, its TOAST data and partitions. */
const BYTES = {
  sqlite: `select tbl_name as name, cast(sum(pgsize) as integer) as bytes
    from sqlite_schema join dbstat on dbstat.name = sqlite_schema.name and dbstat.aggregate = 1
    group by tbl_name order by 2 desc`,
  postgres: `select coalesce(parent.relname, own.relname) as name,
      cast(sum(pg_total_relation_size(own.oid)) as bigint) as bytes
    from pg_class own left join pg_inherits on inhrelid = own.oid left join pg_class parent on parent.oid = inhparent
    where own.relkind = 'r' and own.relnamespace = current_schema()::regnamespace group by 1 order by 2 desc`,
} as const;

type TableBytes = { readonly table: string; readonly rows: number; readonly bytes: number };

/** Returns the size of each table, largest first; tables smaller than 100 KB are omitted. */
export async function bytesByTable(place: StoreConfig): Promise<readonly TableBytes[]> {
  await using store = await openStore(place);
  const found: TableBytes[] = [];
  for (const { name, bytes } of await store.sql.all(BYTES[place.kind])) {
    if (Number(bytes) < 100_000) continue;
    // A count may take longer than the service's statement timeout.
    const counted = await store.sql.all(`select count(*) as held from ${String(name)}`);
    found.push({ table: String(name), rows: Number(counted[0]?.['held']), bytes: Number(bytes) });
  }
  return found;
}

const SAMPLED_TABLES = [
  'listings',
  'cells',
  'observations',
  'packed_observations',
  'archived_offers',
];

/**
 * Writes the first products again, by the program's own transactions and by compacting their histories, and compares. Throws
 * when the loader wrote anything else.
 */
export async function compareSample(
  place: StoreConfig,
  world: World,
): Promise<{ readonly rows: number }> {
  const products = Math.ceil(GROUP / world.listings);
  const ids = Array.from({ length: GROUP }, (_, listing) => idOfListing(world, listing));
  await using own = await openStore({ kind: 'sqlite', path: ':memory:' });
  for (let product = 0; product < products; product += 1) {
    await writeChanges(own.sql, changesOf(world, product));
  }
  for (const [at, history] of historiesOf(world, 0).entries()) {
    const changes = history.map(({ observedAtMs, priceCents, inStock }) => {
      const price = priceCents === null ? null : { cents: priceCents, currency: 'USD' };
      const observation = { listingId: ids[at] ?? '', observedAtMs, price, inStock };
      return { kind: 'observation', observation } as const;
    });
    await writeChanges(own.sql, changes);
  }
  await foldTail(own.sql, world.nowMs, () => undefined);
  await using loaded = await openStore(place);
  let rows = 0;
  for (const table of SAMPLED_TABLES) {
    const [theirs, ours] = [
      await rowsOf(loaded.sql, table, ids),
      await rowsOf(own.sql, table, ids),
    ];
    if (theirs.length === 0 || JSON.stringify(theirs) !== JSON.stringify(ours)) {
      throw new Error(`${table}: the loader did not write what the program writes`);
    }
    rows += ours.length;
  }
  return { rows };
}

async function rowsOf(sql: Sql, table: string, ids: readonly string[]): Promise<readonly Row[]> {
  const id = table === 'listings' ? 'id' : 'listing_id';
  const marks = ids.map((_, at) => `$${at + 1}`).join(', ');
  const rows = await sql.all(`select * from ${table} where ${id} in (${marks})`, ids);
  const inOrder = (row: Row) =>
    JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return rows
    .toSorted((a, b) => (inOrder(a) < inOrder(b) ? -1 : 1))
    .map((row) => JSON.parse(inOrder(row)));
}

/** Compacts everything that is complete at an instant, as `openshelf compact` does; returns the number of observations. */
async function foldTail(
  sql: Sql,
  nowMs: number,
  onFolded: (folded: number) => void,
): Promise<number> {
  const { compacted: folded } = await compact({
    sql,
    retention: { observationDays: null, barYears: null },
    today: dayOf(nowMs),
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
    onCompacted: onFolded,
  });
  return folded;
}

type FoldFigures = {
  readonly observations: number;
  readonly seconds: number;
  /** Observations per second in each tenth of the run: shows whether it slows down. */
  readonly rates: readonly number[];
};

/** Compacts the tail as it will be when its days are complete: one row per listing. */
export async function foldLater(
  place: StoreConfig,
  world: World,
  total: number,
): Promise<FoldFigures> {
  await using store = await openStore(place);
  const from = performance.now();
  const rates: number[] = [];
  let [markRows, markMs] = [0, from];
  const observations = await foldTail(store.sql, world.nowMs + (3 + 8) * DAY_MS, (folded) => {
    if (folded - markRows < total / 10) return;
    const now = performance.now();
    rates.push(((folded - markRows) * 1e3) / (now - markMs));
    [markRows, markMs] = [folded, now];
  });
  return { observations, seconds: (performance.now() - from) / 1e3, rates };
}

async function startSample(side: Side): Promise<Sample> {
  const from = performance.now();
  const { dataDir } = side;
  const env = { OPENSHELF_CONTACT: `${SHOP_ORIGIN}/contact`, ...side.env };
  await using server = await startService({ dataDir, env, profileDir: null });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${server.url}/readyz`, { agent: false }, resolve).once('error', reject);
  const { statusCode } = (await promise).resume();
  const usPerCall = (performance.now() - from) * 1e3;
  if (statusCode !== 200) throw new Error(`/readyz answers ${statusCode}`);
  return { usPerCall, cpuUsPerCall: await server.cpuUs() };
}

/** Measures from process start until the service is ready: open, check for migrations, sweep, commit once. */
export async function benchStart({ large, small }: Sides, pairCount: number): Promise<Figure> {
  const pairs: Pair[] = [];
  for (let pair = 0; pair <= pairCount; pair += 1) {
    const [measured, baseline] = [await startSample(large), await startSample(small)];
    if (pair > 0) pairs.push({ measured, baseline });
  }
  const text = {
    name: 'start',
    measured: `starting \`serve\` on ${large.products} products until /readyz answers`,
    baseline: `the same on ${small.products}`,
    goal: null,
    ratioOf: 'time',
  } as const;
  return figureOf(text, pairs);
}

/** Evicts a file from the system's page cache. */
function forget(path: string): void {
  const args = [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'];
  const { status, stderr } = spawnSync('dd', args);
  if (status !== 0) throw new Error(`dd cannot drop ${path} from the cache: ${String(stderr)}`);
}

/** Measures the first lookups on a file that is not in memory, against a small one that is entirely in memory. */
export async function benchCold(sides: Sides, pairCount: number): Promise<Figure> {
  const { large, small } = sides;
  await using load = startLoad();
  await using shop = await openShop();
  const pairs: Pair[] = [];
  for (let pair = 0; pair < pairCount; pair += 1) {
    if (large.dataDir !== null) forget(join(large.dataDir, 'openshelf.db'));
    const round = async (side: Side) => {
      await using answering = await startAnswering(side, shop);
      return await lookUp(load, answering, heldPaths(side), { maxMs: 60_000, maxRequests: 3_000 });
    };
    pairs.push({ measured: await round(large), baseline: await round(small) });
  }
  const text = {
    name: 'held-cold',
    measured: `the first 3,000 stored products after a start, none of the file in memory`,
    baseline: `the first 3,000 after a start among ${small.products}`,
    goal: null,
    ratioOf: 'time',
  } as const;
  return figureOf(text, pairs);
}

type BackupFigures = {
  readonly bytes: number;
  readonly seconds: number;
  /** A plain copy of the same file, synced; null if there is no file. */
  readonly copySeconds: number | null;
};

const BACKUP_DEADLINE_MS = 3_600_000;

/** Measures `openshelf backup` against a copy of the file; on PostgreSQL `pg_dump`, uncompressed. */
export async function timeBackup({ place, dataDir }: Side, file: string): Promise<BackupFigures> {
  const timed = async (work: () => unknown): Promise<number> => {
    rmSync(file, { force: true });
    const from = performance.now();
    await work();
    return (performance.now() - from) / 1e3;
  };
  try {
    if (place.kind === 'postgres') {
      const seconds = await timed(() => {
        const args = ['--format=custom', '--compress=0', `--file=${file}`, place.url];
        const { status, stderr, error } = spawnSync('pg_dump', args);
        if (status !== 0) throw new Error(`pg_dump: ${error?.message ?? String(stderr)}`);
      });
      return { bytes: statSync(file).size, seconds, copySeconds: null };
    }
    const args = ['backup', file, '--data', dataDir ?? '', '--json'];
    const backups: number[] = [];
    const copies: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      backups.push(await timed(() => runCommand(args, { deadlineMs: BACKUP_DEADLINE_MS })));
      copies.push(await timed(() => copySynced(place.path, file)));
    }
    const bytes = statSync(place.path).size;
    return { bytes, seconds: median(backups), copySeconds: median(copies) };
  } finally {
    rmSync(file, { force: true });
  }
}

function copySynced(from: string, to: string): void {
  copyFileSync(from, to);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}
