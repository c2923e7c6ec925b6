// Measures the cost of reading and writing price history against the same as plain rows: a one-year window for a record,
// and the write-ahead log of one more day. For lab/bench/series.ts.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { dayOf, DAY_MS } from '../../src/base/clock.ts';
import { barsOf, windowsOf, type Observation } from '../../src/rules/history/daily-bars.ts';
import { openStore, type Store } from '../../src/data/store.ts';
import { median } from './measurement.ts';
import { chanceFrom, idOf, LAST_DAY, NOW, PLAIN_TABLE, SEED, type Shape } from './series-data.ts';
import { insertObservation } from '../../src/data/history/recent-observations.ts';

const YEAR_MS = 365 * DAY_MS;

type WindowFigures = { readonly packedUs: number; readonly rowsUs: number; readonly ratio: number };

/**
 * Reads what a record needs of a listing, from packed years and from rows; alternating, the same listings on both sides.
 */
export async function windows(store: Store, plain: string, shape: Shape): Promise<WindowFigures> {
  const rows = new DatabaseSync(plain, { readOnly: true });
  const select = rows.prepare(
    `select observed_at_ms, price_cents, in_stock from observations
     where listing_id = ? and observed_at_ms >= ? order by observed_at_ms`,
  );
  const span = rows.prepare(
    `select min(observed_at_ms) as first_ms, max(observed_at_ms) as last_ms,
       count(distinct case when price_cents is not null then observed_at_ms / 86400000 end) as days
     from observations where listing_id = ?`,
  );
  const since = NOW - YEAR_MS;
  const ofRows = async (id: string) => {
    const observations = select.all(id, since).map((row): Observation => ({
      observedAtMs: Number(row['observed_at_ms']),
      priceCents: row['price_cents'] === null ? null : Number(row['price_cents']),
      inStock: row['in_stock'] === null ? null : row['in_stock'] === 1,
    }));
    return { observations, days: Number(span.get(id)?.['days']) };
  };
  const ofPacked = async (id: string) => {
    const { observations, span: whole } = await store.observations.findSince(id, since);
    return { observations, days: whole.daysCovered };
  };
  const chance = chanceFrom(SEED + 1);
  const ids = Array.from({ length: 400 }, () => idOf(Math.floor(chance() * shape.listings)));
  for (const id of ids.slice(0, 50)) {
    const [one, other] = [await ofPacked(id), await ofRows(id)];
    const same =
      one.days === other.days &&
      JSON.stringify(windowsOf(barsOf(one.observations), dayOf(NOW))) ===
        JSON.stringify(windowsOf(barsOf(other.observations), dayOf(NOW)));
    if (!same) throw new Error(`listing ${id}: packed years and rows differ`);
  }
  const timed = async (read: (id: string) => Promise<unknown>) => {
    const from = performance.now();
    for (const id of ids) await read(id);
    return ((performance.now() - from) * 1e3) / ids.length;
  };
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < 12; round += 1)
    pairs.push([await timed(ofPacked), await timed(ofRows)]);
  // The first rounds trigger compilation.
  const counted = pairs.slice(3);
  rows.close();
  return {
    packedUs: median(counted.map(([packed]) => packed)),
    rowsUs: median(counted.map(([, row]) => row)),
    ratio: median(counted.map(([packed, row]) => packed / row)),
  };
}

const APPENDED = 27_400;

/** Days stored beforehand: with that many, every listing has pages of its own if rows are ordered by listing. */
const DAYS_BEFORE = { tail: 5, rows: 120 } as const;

/** Bytes of write-ahead log for one more day of many listings, one bar each: in that many commits, in this order. */
export async function walOf(dir: string, table: 'tail' | 'rows') {
  const path = join(dir, `wal-${table}.sqlite`);
  if (table === 'tail') {
    // The program's own schema.
    await using _made = await openStore({ kind: 'sqlite', path });
  }
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma synchronous = off;');
  if (table === 'rows') db.exec(PLAIN_TABLE);
  const own = insertObservation({ listingId: '', observedAtMs: 0, price: null, inStock: null });
  const append = db.prepare(
    table === 'rows' ? 'insert into observations values ($2, $3, $4, $5, $6, $7)' : own.text,
  );
  const day = (number: number, ids: readonly string[], commit: number) => {
    ids.forEach((id, at) => {
      if (at % commit === 0) db.exec('begin');
      const values = { 2: id, 3: number * DAY_MS + at * 3_000, 4: 1_999, 5: null, 6: null, 7: 1 };
      append.run(table === 'rows' ? values : { ...values, 1: number });
      if (at % commit === commit - 1 || at === ids.length - 1) db.exec('commit');
    });
  };
  const sorted = Array.from({ length: APPENDED }, (_, listing) => idOf(listing)).toSorted();
  const chance = chanceFrom(SEED);
  const random = sorted
    .map((id) => [chance(), id] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, id]) => id);
  let number = LAST_DAY;
  for (let before = DAYS_BEFORE[table]; before > 0; before -= 1)
    day((number += 1), sorted, APPENDED);
  const figures: Record<string, number> = {};
  for (const [order, ids] of Object.entries({ 'by listing': sorted, 'in any order': random })) {
    for (const commit of [APPENDED, 1_024]) {
      db.exec('pragma wal_checkpoint(truncate)');
      day((number += 1), ids, commit);
      figures[`${order}, ${commit} a commit`] = statSync(`${path}-wal`).size / APPENDED;
    }
  }
  db.close();
  rmSync(path, { force: true });
  return figures;
}
