// npm run lab -- size [part ...] [--products N] [--listings N] [--bars N] [--database sqlite|postgres] [--dir DIR] [--keep]
// [--json]: a database of that many invented products, and the cost of every operation on it against one of 1,000.
// docs/figures.md explains the figures.

import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { barText } from '../../src/edge/cli/progress-bar.ts';
import { HOUR_MS } from '../../src/base/clock.ts';
import type { StoreConfig } from '../../src/data/store.ts';
import { command } from '../../tests/support/databases.ts';
import { startPostgres } from '../../tests/support/postgres-server.ts';
import type { Figure } from './measurement.ts';
import { jsonLine, tableLines } from './report.ts';
import { DAYS_OF_HISTORY, MAX_LISTINGS, type World } from './size-data.ts';
import { fill, type Filled } from './size-load.ts';
import { benchFirst } from './size-first.ts';
import { benchLookups, type Side, type Sides } from './size-lookups.ts';
import { moveThereAndBack } from './size-move.ts';
import {
  benchCold,
  benchStart,
  bytesByTable,
  compareSample,
  foldLater,
  timeBackup,
} from './size-whole.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const SEED = 29;
/** The default parts; a move needs a file and a server, and twice the space. */
const USUAL = ['sample', 'bytes', 'start', 'first', 'lookups', 'cold', 'backup', 'fold'] as const;
const PARTS = [...USUAL, 'move'] as const;
type Part = (typeof PARTS)[number];

type Asked = {
  readonly parts: readonly Part[];
  readonly products: number;
  readonly listings: number;
  readonly bars: number;
  readonly database: 'sqlite' | 'postgres';
  readonly dir: string;
  readonly keep: boolean;
  readonly json: boolean;
  readonly pairs: number;
};

function askedFor(argv: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      products: { type: 'string', default: '10000' },
      listings: { type: 'string', default: '3' },
      bars: { type: 'string', default: '365000' },
      database: { type: 'string', default: 'sqlite' },
      dir: { type: 'string', default: tmpdir() },
      pairs: { type: 'string', default: '7' },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const { database, dir, keep, json } = values;
  const whole = (name: 'products' | 'listings' | 'bars' | 'pairs', min: number, max: number) => {
    const number = Number(values[name]);
    if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
    throw new Error(`--${name}: ${min} to ${max}`);
  };
  if (database !== 'sqlite' && database !== 'postgres')
    throw new Error('--database: sqlite or postgres');
  if (keep && database === 'postgres')
    throw new Error('--keep: the server of --database postgres stops with the program');
  const named = PARTS.filter((part) => positionals.includes(part));
  if (named.length < positionals.length) throw new Error(`parts: ${PARTS.join(', ')}`);
  const listings = whole('listings', 1, MAX_LISTINGS);
  const products = whole('products', 2_000, 100_000_000);
  return {
    parts: positionals.length === 0 ? USUAL : named,
    products,
    listings,
    bars: whole('bars', 10 * DAYS_OF_HISTORY, products * listings * DAYS_OF_HISTORY),
    database,
    dir,
    keep,
    json,
    pairs: whole('pairs', 1, 100),
  };
}

/** Returns the space for the database, its backup, and the log that PostgreSQL keeps. */
function neededBytes({ products, listings, bars, database, parts }: Asked): number {
  const data = products * (2_000 + 2_800 * listings) + bars * 14;
  const copies = parts.includes('move') ? 4 : parts.includes('backup') ? 2 : 1;
  return data * copies + (database === 'postgres' ? 3e9 + data / 2 : 0) + 500e6;
}

/** Creates the folder; refuses before the first byte is written into it. */
function requireSpace(asked: Asked): void {
  mkdirSync(asked.dir, { recursive: true });
  const { bavail, bsize } = statfsSync(asked.dir);
  const [needed, free] = [neededBytes(asked), bavail * bsize];
  const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  process.stderr.write(`${asked.dir}: about ${gb(needed)} needed, ${gb(free)} free\n`);
  if (free < needed * 1.1)
    throw new Error(`too little disk space in ${asked.dir}: choose another with --dir`);
}

/** Overwrites one line; prints nothing unless a person is looking. */
function showProgress(done: number, total: number, label: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${barText(done, total, label)}\x1b[K`);
}

function tell(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${line}\n`);
}

type Database = { readonly place: StoreConfig; readonly side: Side; readonly filled: Filled };

/** The note next to a kept database: that it is complete, and what it contains. */
type Note = { readonly world: World; readonly products: number; readonly filled: Filled };

async function makeDatabase(
  { place, dataDir }: { readonly place: StoreConfig; readonly dataDir: string | null },
  {
    world,
    products,
    bars,
  }: { readonly world: World; readonly products: number; readonly bars: number },
): Promise<Database> {
  const filled = await fill(place, { world, products, bars, onProgress: showProgress });
  tell(`${products} products and ${filled.bars} bars loaded in ${filled.seconds.toFixed(0)} s`);
  return databaseOf({ place, dataDir }, { world, products, filled });
}

function databaseOf(
  { place, dataDir }: { readonly place: StoreConfig; readonly dataDir: string | null },
  { world, products, filled }: Note,
): Database {
  const env: Readonly<Record<string, string>> =
    place.kind === 'postgres' ? { DATABASE_URL: place.url } : {};
  const withHistory = Math.floor(filled.histories / world.listings);
  return { place, filled, side: { place, dataDir, env, products, withHistory } };
}

const SMALL_PRODUCTS = 1_000;
/** Products with a year of bars to request: more than the proportional share, which would be only three. */
const SMALL_WITH_HISTORY = 100;

/** Set up as a dedicated, durable server. */
const SERVER_SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'wal_level=replica',
  'autovacuum=on',
  'shared_buffers=2GB',
  'max_wal_size=4GB',
];

async function measure(asked: Asked, world: World, large: Database, small: Database) {
  const { parts, pairs, dir } = asked;
  const { place, side } = large;
  const sides: Sides = { large: side, small: small.side };
  const wants = (part: Part) => parts.includes(part);
  const figures: Figure[] = [];
  const rest: Record<string, unknown> = {};
  const note = (name: string, value: unknown) => {
    rest[name] = value;
    tell(`${name}: ${JSON.stringify(value, rounded)}`);
  };
  const figure = (found: Figure) => {
    figures.push(found);
    tell(`${found.name}: ${found.ratio.toFixed(2)}`);
  };
  if (wants('sample')) note('sample', await compareSample(place, world));
  if (wants('bytes')) {
    const tables = await bytesByTable(place);
    const ofBars = tables.find(({ table }) => table === 'packed_observations')?.bytes ?? 0;
    const all = tables.reduce((sum, { bytes }) => sum + bytes, 0);
    note('bytes_a_product', (all - ofBars) / side.products);
    note('bytes_a_bar', ofBars / large.filled.bars);
    note('tables', tables);
  }
  if (wants('start')) figure(await benchStart(sides, pairs));
  if (wants('first')) figure(await benchFirst(sides, pairs));
  if (wants('lookups'))
    for (const each of await benchLookups(sides, { pairs, msPerRound: 2_000 })) figure(each);
  if (wants('cold') && place.kind === 'sqlite') figure(await benchCold(sides, 2));
  if (wants('backup'))
    note('backup', await timeBackup(side, join(dir, `openshelf-backup-${process.pid}`)));
  if (wants('move') && side.dataDir !== null) {
    using scratch = temporaryFolder(dir);
    process.env['TMPDIR'] = dir;
    await using server = await startPostgres(SERVER_SETTINGS);
    const { dataDir } = side;
    const ends = { dataDir, url: await newDatabase(server.url, 'moved'), scratch: scratch.path };
    note('move', await moveThereAndBack(ends, tell));
  }
  if (wants('fold')) note('fold', await foldLater(place, world, asked.products * asked.listings));
  return { figures, rest };
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;

async function onFiles(asked: Asked, world: World) {
  const { products, bars, dir, keep } = asked;
  const home = join(dir, `openshelf-size-${products}-${asked.listings}-${bars}`);
  const folder = (name: string) => {
    const dataDir = join(home, name);
    return { dataDir, place: { kind: 'sqlite', path: join(dataDir, 'openshelf.db') } } as const;
  };
  const noteFile = join(home, 'loaded.json');
  try {
    mkdirSync(home, { recursive: true });
    const kept = existsSync(noteFile) ? (JSON.parse(readFileSync(noteFile, 'utf8')) as Note) : null;
    if (kept === null) requireSpace(asked);
    const ofKept = kept?.world ?? world;
    const large =
      kept === null
        ? await makeDatabase(folder('large'), { world, products, bars })
        : databaseOf(folder('large'), kept);
    writeFileSync(noteFile, JSON.stringify({ world: ofKept, products, filled: large.filled }));
    rmSync(join(home, 'small'), { recursive: true, force: true });
    const small = await makeDatabase(folder('small'), smallOf(ofKept));
    return await measure(asked, ofKept, large, small);
  } finally {
    if (!keep) rmSync(home, { recursive: true, force: true });
  }
}

function smallOf(world: World) {
  const bars = SMALL_WITH_HISTORY * world.listings * DAYS_OF_HISTORY;
  return { world, products: SMALL_PRODUCTS, bars };
}

async function newDatabase(server: string, name: string): Promise<string> {
  await command(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(asked: Asked, world: World) {
  requireSpace(asked);
  // The server creates its folder in the temporary directory.
  process.env['TMPDIR'] = asked.dir;
  await using server = await startPostgres(SERVER_SETTINGS);
  const database = async (name: string) => {
    const url = await newDatabase(server.url, name);
    return { dataDir: null, place: { kind: 'postgres', url } } as const;
  };
  const { products, bars } = asked;
  const large = await makeDatabase(await database('large'), { world, products, bars });
  const small = await makeDatabase(await database('small'), smallOf(world));
  return await measure(asked, world, large, small);
}

const asked = askedFor(process.argv.slice(2));
const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const world: World = { seed: SEED, listings: asked.listings, nowMs };
const { figures, rest } = await (asked.database === 'sqlite' ? onFiles : onServer)(asked, world);
if (asked.json) {
  console.log(JSON.stringify({ ...rest, ...(JSON.parse(jsonLine(figures)) as object) }, rounded));
} else {
  for (const [name, value] of Object.entries(rest))
    console.log(`${name}: ${JSON.stringify(value, rounded)}`);
  for (const line of tableLines(figures)) console.log(line);
}
