// Measures how fast price history is packed on PostgreSQL: the rows of one day, and of the seven days that a service packs at
// once, each round into the years that earlier rounds began. The server's durability settings stay on.

import { DAY_MS, dayOf } from '../../src/base/clock.ts';
import { compact } from '../../src/answer/indexer/compaction.ts';
import { ensureMonths } from '../../src/data/postgres/partitions.ts';
import type { Sql } from '../../src/data/sql.ts';
import { openStore } from '../../src/data/store.ts';
import { startPostgres } from '../../tests/support/postgres-server.ts';
import { figureOf, type Figure, type Pair } from './measurement.ts';
import { DURABLE } from './postgres-lookup.ts';
import { idOf, LAST_DAY, SEED, seenDays, type Seen } from './series-data.ts';

/** 20,000 rows a second. */
const GOAL_US_A_ROW = 50;
/** Of 40,000 rows a second. */
const STRETCH = 2;
const ROWS_A_STATEMENT = 10_000;

type CompactionEffort = {
  /** Rounds, in order: the first one runs with a program and tables that have packed nothing yet. */
  readonly rounds: number;
  /** Approximate number of rows that a round packs. */
  readonly rows: number;
};

/** Rejects if a round packs a different number of rows than it was given. */
export async function benchCompaction(effort: CompactionEffort): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [name, days] of [
    ['compaction-day', 1],
    ['compaction-week', 7],
  ] as const) {
    const listings = Math.floor(effort.rows / days);
    const shape = { listings, days, rounds: effort.rounds };
    figures.push(
      figureOf(
        {
          name,
          measured: `a row packed on PostgreSQL, ${days} of each of ${listings} listings at once`,
          baseline: `${GOAL_US_A_ROW} us`,
          ratioOf: 'throughput',
          goal: { is: 'at least', value: 1, stretch: STRETCH },
        },
        await packedIn(shape),
      ),
    );
  }
  return figures;
}

type RoundShape = { readonly listings: number; readonly days: number; readonly rounds: number };

async function packedIn({ listings, days, rounds }: RoundShape): Promise<readonly Pair[]> {
  await using server = await startPostgres(DURABLE);
  await using store = await openStore({ kind: 'postgres', url: server.url });
  const { sql } = store;
  const firstDay = LAST_DAY - rounds * days + 1;
  await ensureMonths(sql, dayOf(firstDay * DAY_MS));
  await fileListings(sql, listings);
  const seen = seenDays({ kind: 'fetched', listings, days: rounds * days, firstDay }, SEED);
  const pairs: Pair[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    let rows = 0;
    for (let day = 0; day < days; day += 1) rows += await insertDay(sql, seen.next().value ?? []);
    const today = dayOf((firstDay + round * days + 3) * DAY_MS);
    const us = await timeOf(() => packAll(sql, today, rows));
    pairs.push({
      measured: { usPerCall: us / rows, cpuUsPerCall: null },
      baseline: { usPerCall: GOAL_US_A_ROW, cpuUsPerCall: null },
    });
  }
  return pairs;
}

async function packAll(sql: Sql, today: string, rows: number): Promise<void> {
  const { compacted, damaged } = await compact({
    sql,
    retention: { observationDays: null, barYears: null },
    today,
    signal: new AbortController().signal,
    pause: () => Promise.resolve(),
  });
  if (compacted !== rows || damaged.length > 0) {
    throw new Error(`${compacted} of ${rows} rows were packed, ${damaged.length} years damaged`);
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return 1_000 * (performance.now() - from);
}

async function fileListings(sql: Sql, listings: number): Promise<void> {
  const ids = Array.from({ length: listings }, (_, at) => idOf(at));
  for (let from = 0; from < listings; from += ROWS_A_STATEMENT) {
    await sql.write([
      {
        text: `insert into listings
            (id, retailer, listing_key, url, found_via, outcome, checked_at_ms)
          select id, 'retailer_w', id, '', 'submitted_url', 'imported', 0
          from jsonb_array_elements_text($1::jsonb) as id`,
        params: [JSON.stringify(ids.slice(from, from + ROWS_A_STATEMENT))],
      },
    ]);
  }
}

/** Returns the number of rows; one per listing. */
async function insertDay(sql: Sql, seen: readonly Seen[]): Promise<number> {
  const rows = seen.map(({ listing, observedAtMs, priceCents, inStock }) => ({
    id: idOf(listing),
    at: observedAtMs,
    price: priceCents,
    stock: Number(inStock),
  }));
  for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
    await sql.write([
      {
        text: `insert into observations (day, listing_id, observed_at_ms, price_cents, in_stock)
          select at / ${DAY_MS}, id, at, price, stock
          from jsonb_to_recordset($1::jsonb) as row (id text, at bigint, price bigint, stock int)`,
        params: [JSON.stringify(rows.slice(from, from + ROWS_A_STATEMENT))],
      },
    ]);
  }
  return rows.length;
}
