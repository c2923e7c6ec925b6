// npm run lab -- series [--bars N] [--kind days|fetched|busy] [--dir DIR] [--json]: price history at scale. Bytes per bar,
// compacted and as rows; speed and stalls of compaction; a window from packed years against one from rows; bytes of
// write-ahead log per bar. A bar is one listing's day. docs/how/benchmarks.md explains the figures.

import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { barText } from '../../src/edge/cli/progress-bar.ts';
import { dayOf, DAY_MS } from '../../src/base/clock.ts';
import { compact } from '../../src/answer/indexer/compaction.ts';
import { openStore, type Store } from '../../src/data/store.ts';
import { walOf, windows } from './series-costs.ts';
import {
  idOf,
  KINDS,
  LAST_DAY,
  NOW,
  PLAIN_TABLE,
  SEED,
  seenDays,
  type Kind,
  type Seen,
  type Shape,
} from './series-data.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

/** Both tables, their log and the space that compaction frees. */
const DISK_BYTES_A_BAR: Readonly<Record<Kind, number>> = { days: 220, fetched: 220, busy: 800 };

type Asked = {
  readonly bars: number;
  readonly kind: Kind;
  readonly dir: string;
  readonly json: boolean;
};

function askedFor(argv: readonly string[]): Asked {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      bars: { type: 'string', default: '100000' },
      kind: { type: 'string', default: 'days' },
      dir: { type: 'string', default: tmpdir() },
      json: { type: 'boolean', default: false },
    },
  });
  const bars = Number(values.bars);
  const kind = KINDS.find((each) => each === values.kind);
  if (!(Number.isSafeInteger(bars) && bars >= 3_650)) throw new Error('--bars: 3650 or more');
  if (kind === undefined) throw new Error(`--kind: ${KINDS.join(', ')}`);
  return { bars, kind, dir: values.dir, json: values.json };
}

function requireSpace({ bars, kind, dir }: Asked): void {
  const { bavail, bsize } = statfsSync(dir);
  const needed = bars * DISK_BYTES_A_BAR[kind] + 500e6;
  const free = bavail * bsize;
  const gb = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  process.stderr.write(`${dir}: about ${gb(needed)} needed, ${gb(free)} free\n`);
  if (free < needed * 1.2)
    throw new Error(`too little disk space in ${dir}: choose another with --dir`);
}

/** Overwrites one progress line; prints nothing unless stderr is a terminal. */
function showProgress(done: number, total: number, label: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${barText(done, total, label)}\x1b[K`);
}

function endProgress(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${line}\n`);
}

/** A fixed year, so that a window has the same amount to read in any run. */
function shapeOf({ bars, kind }: Asked): Shape {
  const days = Math.min(730, Math.max(365, Math.floor(bars / 27_400)));
  return { kind, days, listings: Math.floor(bars / days), firstDay: LAST_DAY - days + 1 };
}

/** Loads both tables day by day, and returns how long it took. */
function load(store: string, plain: string, shape: Shape): { readonly observations: number } {
  const [tail, rows] = [new DatabaseSync(store), new DatabaseSync(plain)];
  rows.exec('pragma journal_mode = off');
  rows.exec(PLAIN_TABLE);
  const ids = Array.from({ length: shape.listings }, (_, listing) => idOf(listing));
  const listing = tail.prepare(
    `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms)
     values (?, 'retailer_w', ?, '', 'submitted_url', 'imported', 0)`,
  );
  tail.exec('begin');
  ids.forEach((id, at) => listing.run(id, String(at)));
  tail.exec('commit');
  const append = tail.prepare('insert into observations values (?, ?, ?, ?, null, null, ?)');
  const insert = rows.prepare('insert into observations values (?, ?, ?, null, null, ?)');
  const byListing: Seen[][] = [];
  let observations = 0;
  let day = 0;
  const flush = () => {
    rows.exec('begin');
    for (const some of byListing) {
      for (const { listing: at, observedAtMs, priceCents, inStock } of some ?? []) {
        insert.run(ids[at] ?? '', observedAtMs, priceCents, Number(inStock));
      }
    }
    rows.exec('commit');
    byListing.length = 0;
  };
  for (const seen of seenDays(shape, SEED)) {
    tail.exec('begin');
    for (const each of seen) {
      const { listing: at, observedAtMs, priceCents, inStock } = each;
      append.run(
        Math.floor(observedAtMs / DAY_MS),
        ids[at] ?? '',
        observedAtMs,
        priceCents,
        Number(inStock),
      );
      (byListing[at] ??= []).push(each);
    }
    tail.exec('commit');
    observations += seen.length;
    day += 1;
    if (day % 73 === 0) flush();
    showProgress(day, shape.days, `loading: ${observations} observations`);
  }
  flush();
  // A listing's rows are written in several batches: packed as densely as rows can be.
  rows.exec('vacuum');
  tail.close();
  rows.close();
  return { observations };
}

function bytesOf(path: string, names: readonly string[]): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const list = names.map((name) => `'${name}'`).join(', ');
  const row = db
    .prepare(
      `select sum(pgsize) as bytes from dbstat
       where name in (select name from sqlite_schema where tbl_name in (${list}))`,
    )
    .get();
  db.close();
  return Number(row?.['bytes'] ?? 0);
}

type FoldFigures = {
  /** Observations a second. */
  readonly rate: number;
  readonly folded: number;
  readonly busy: Stalls;
  readonly idle: Stalls;
};

/** The longest time for which the process did nothing else, and the longest concurrent commit. */
type Stalls = { readonly stallMs: number; readonly commitMs: number };

/** Compaction stalls as in a running service are measured for this long; the rest is compacted as by `compact`. */
const WATCHED_MS = 10_000;

/** During compaction there is a commit and a read every 20 ms, as for lookups. */
async function foldAll(store: Store, total: number): Promise<FoldFigures> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const ended = new AbortController();
  let slowest = 0;
  const lookups = (async () => {
    while (!ended.signal.aborted) {
      const from = performance.now();
      await store.sql.probe(60_000);
      slowest = Math.max(slowest, performance.now() - from);
      await wait(20);
    }
  })();
  const stalls = async (work: () => Promise<unknown>): Promise<Stalls> => {
    await wait(100);
    delay.reset();
    delay.enable();
    slowest = 0;
    await work();
    delay.disable();
    return { stallMs: delay.max / 1e6, commitMs: slowest };
  };
  const fold = async (signal: AbortSignal, givesWay: boolean, done: number): Promise<number> => {
    const { compacted: folded } = await compact({
      sql: store.sql,
      retention: { observationDays: null, barYears: null },
      today: dayOf(NOW),
      signal,
      givesWay,
      pause: () => (givesWay ? wait(25) : Promise.resolve()),
      onCompacted: (more) =>
        showProgress(done + more, total, `compacting: ${done + more} observations`),
    });
    return folded;
  };
  // A busy machine stalls on its own.
  const idle = await stalls(() => wait(3_000));
  let watched = 0;
  const busy = await stalls(async () => {
    watched = await fold(AbortSignal.timeout(WATCHED_MS), true, 0);
  });
  const from = performance.now();
  const rest = await fold(ended.signal, false, watched);
  const seconds = (performance.now() - from) / 1e3;
  ended.abort();
  await lookups;
  return { rate: rest / seconds, folded: watched + rest, busy, idle };
}

async function main(argv: readonly string[]): Promise<void> {
  const asked = askedFor(argv);
  requireSpace(asked);
  using folder = temporaryFolder(asked.dir);
  const dir = folder.path;
  const [path, plain] = [join(dir, 'store.sqlite'), join(dir, 'rows.sqlite')];
  const shape = shapeOf(asked);
  const bars = shape.listings * shape.days;
  {
    await using _made = await openStore({ kind: 'sqlite', path });
  }
  const from = performance.now();
  const { observations } = load(path, plain, shape);
  endProgress(`loaded in ${((performance.now() - from) / 1e3).toFixed(1)} s`);
  const tailBytes = bytesOf(path, ['observations']) / bars;
  const rowsBytes = bytesOf(plain, ['observations']) / bars;
  await using store = await openStore({ kind: 'sqlite', path });
  const fold = await foldAll(store, observations);
  endProgress(`folded ${fold.folded} observations`);
  const packedBytes = bytesOf(path, ['packed_observations']) / bars;
  const window = await windows(store, plain, shape);
  const wal = { tail: await walOf(dir, 'tail'), rows: await walOf(dir, 'rows') };
  const figures = {
    kind: shape.kind,
    listings: shape.listings,
    days: shape.days,
    bars,
    observations,
    folded: fold.folded,
    bytes_a_bar: { packed: packedBytes, tail: tailBytes, rows: rowsBytes },
    packed_to_rows: packedBytes / rowsBytes,
    fold: {
      observations_a_second: fold.rate,
      longest_stall_ms: { folding: fold.busy.stallMs, idle: fold.idle.stallMs },
      longest_commit_ms: { folding: fold.busy.commitMs, idle: fold.idle.commitMs },
    },
    year_window: {
      packed_us: window.packedUs,
      rows_us: window.rowsUs,
      packed_to_rows: window.ratio,
    },
    wal_bytes_a_bar: wal,
  };
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value;
  process.stdout.write(`${JSON.stringify(figures, rounded, asked.json ? 0 : 2)}\n`);
}

await main(process.argv.slice(2));
