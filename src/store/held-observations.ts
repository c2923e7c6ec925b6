// Observations as they are held: single rows in the tail, packed years behind it, read as one. A row that stands in
// both, as between two statements while another process folds, is one observation.

import { DAY_MS } from '../core/clock.ts';
import { yearOf, type KeptObservation, type YearKey } from '../history/encoded-year.ts';
import { toPackedYear, unpackYear, YEAR_COLUMNS, type PackedYear } from './packed-years.ts';
import type { Row, Sql } from './sql.ts';

/** One observation with the listing it belongs to. */
export type ListedObservation = KeptObservation & { readonly listingId: string };

/** Both days since 1970: from, included, and to, not included. */
export type DayRangeOfRecent = { readonly fromDay: number; readonly toDay: number };

export const ALL_DAYS: DayRangeOfRecent = { fromDay: 0, toDay: 100_000_000 };

/** Days that one statement names: more than a tail has that is folded every week. */
const DAYS_AT_ONCE = 64;

/**
 * Rows of the tail, of these listings; with `most`, so many at most, whichever are found first. The tail is ordered by
 * day, then by listing: a statement that names both finds each row by itself, whatever else is there, and no database
 * needs to guess that from statistics.
 */
export async function readRecent(
  sql: Sql,
  listingIds: readonly string[],
  span: DayRangeOfRecent,
  most = Number.MAX_SAFE_INTEGER,
): Promise<readonly ListedObservation[]> {
  return await readRecentDays(sql, listingIds, await recentDays(sql, span), most);
}

/** The same of these days, in order. */
export async function readRecentDays(
  sql: Sql,
  listingIds: readonly string[],
  days: readonly number[],
  most = Number.MAX_SAFE_INTEGER,
): Promise<readonly ListedObservation[]> {
  const found: ListedObservation[] = [];
  for (let from = 0; from < days.length && found.length < most; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE);
    const names = { days: padded(some), ids: padded(listingIds) };
    const dayMarks = marksOf(names.days, 4);
    const rows = await sql.all(
      // The instants say nothing new: they tell PostgreSQL which months to leave out.
      `select listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock
       from observations
       where observed_at_ms >= $1 and observed_at_ms < $2 and day in (${dayMarks})
         and listing_id in (${marksOf(names.ids, 4 + names.days.length)})
       limit $3`,
      [
        (some[0] ?? 0) * DAY_MS,
        ((some.at(-1) ?? 0) + 1) * DAY_MS,
        most - found.length,
        ...names.days,
        ...names.ids,
      ],
    );
    for (const row of rows) found.push(toListed(row));
  }
  return found;
}

/** Few lengths, so that there are few statements: the last member again, up to a power of two. */
function padded<T>(members: readonly T[]): readonly T[] {
  const last = members.at(-1);
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, members.length)));
  if (last === undefined || length === members.length) return members;
  return [...members, ...Array.from({ length: length - members.length }, () => last)];
}

function marksOf(members: readonly unknown[], first: number): string {
  return members.map((_, at) => `$${first + at}`).join(', ');
}

/** The days that the tail may have rows of, in order. */
async function recentDays(
  sql: Sql,
  { fromDay, toDay }: DayRangeOfRecent,
): Promise<readonly number[]> {
  const rows = await sql.all(
    `select (select min(day) from observations where day >= $1 and day < $2) as first,
       (select max(day) from observations where day >= $1 and day < $2) as last`,
    [fromDay, toDay],
  );
  return await daysBetween(sql, rows[0] ?? {}, { fromDay, toDay });
}

/** The days from `first` to `last` of a row, or, where these are far apart, those of them that have rows. */
export async function daysBetween(
  sql: Sql,
  { first, last }: Row,
  span: DayRangeOfRecent,
): Promise<readonly number[]> {
  if (typeof first !== 'number' || typeof last !== 'number') return [];
  if (last - first >= DAYS_AT_ONCE) return await daysWithRows(sql, span);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** From each day one seek to the next one that has a row: an imported past may have long gaps. */
async function daysWithRows(
  sql: Sql,
  { fromDay, toDay }: DayRangeOfRecent,
): Promise<readonly number[]> {
  const rows = await sql.all(
    `with recursive days (day) as (
       select min(day) from observations where day >= $1 and day < $2
       union all
       select (select min(later.day) from observations later
         where later.day > days.day and later.day < $2)
       from days where days.day is not null)
     select day from days where day is not null`,
    [fromDay, toDay],
  );
  return rows.map((row) => Number(row['day'])).toSorted((a, b) => a - b);
}

function toListed(row: Row): ListedObservation {
  const { price_cents: price, in_stock: stock, native_cents: native, native_currency: its } = row;
  return {
    listingId: String(row['listing_id']),
    observedAtMs: Number(row['observed_at_ms']),
    priceCents: typeof price === 'number' ? price : null,
    inStock: typeof stock === 'number' ? stock === 1 : null,
    native:
      typeof native === 'number'
        ? { cents: native, currency: typeof its === 'string' ? its : null }
        : null,
  };
}

/** Packed years of these listings, newest first; with their texts from the year `textFrom` on. */
export async function readYears(
  sql: Sql,
  listingIds: readonly string[],
  textFrom: number,
): Promise<readonly PackedYear[]> {
  const ids = padded(listingIds);
  const rows = await sql.all(
    `select ${YEAR_COLUMNS}, case when year >= $1 then packed end as packed
     from packed_observations where listing_id in (${marksOf(ids, 2)})
     order by year desc, listing_id`,
    [textFrom, ...ids],
  );
  return rows.map(toPackedYear);
}

/** The year as it is now, with its text; none when it is gone. */
export async function readYear(sql: Sql, { listingId, year }: YearKey) {
  const rows = await sql.all(
    `select ${YEAR_COLUMNS}, packed from packed_observations where listing_id = $1 and year = $2`,
    [listingId, year],
  );
  return rows.map(toPackedYear);
}

/** One listing's year out of the tail and what is packed of it, oldest first; what is packed was seen first. */
export function merged(
  packed: readonly KeptObservation[],
  tail: readonly KeptObservation[],
): readonly KeptObservation[] {
  const sorted = tail.toSorted((a, b) => a.observedAtMs - b.observedAtMs);
  const [first] = sorted;
  const last = packed.at(-1);
  if (first === undefined || last === undefined) return [...packed, ...sorted];
  if (first.observedAtMs > last.observedAtMs) return [...packed, ...sorted];
  const held = new Set(packed.map((each) => each.observedAtMs));
  return [...packed, ...sorted.filter((each) => !held.has(each.observedAtMs))].sort(
    (a, b) => a.observedAtMs - b.observedAtMs,
  );
}

/** Everything of some listings at or after an instant, oldest first; those of one instant by listing. */
export async function readObservations(
  sql: Sql,
  listingIds: readonly string[],
  fromMs: number,
): Promise<readonly ListedObservation[]> {
  const tail = await readRecent(sql, listingIds, {
    ...ALL_DAYS,
    fromDay: Math.floor(fromMs / DAY_MS),
  });
  const years = await readYears(sql, listingIds, yearOf(fromMs));
  return together(tail, years, fromMs);
}

/** The tail, read first, and the packed years whose texts were read. */
export function together(
  tail: readonly ListedObservation[],
  years: readonly PackedYear[],
  fromMs: number,
): readonly ListedObservation[] {
  const held = new Set<string>();
  const all: ListedObservation[] = [];
  const keyOf = (each: ListedObservation): string => `${each.observedAtMs} ${each.listingId}`;
  // Only what stands within a packed year can stand in it too.
  const isBehind = ({ listingId, observedAtMs }: ListedObservation): boolean =>
    years.some((year) => year.listingId === listingId && observedAtMs <= year.lastMs);
  const mayBeTwice = tail.some(isBehind);
  for (const year of years.toReversed()) {
    if (year.packed === null || year.lastMs < fromMs) continue;
    for (const seen of unpackYear(year)) {
      if (seen.observedAtMs < fromMs) continue;
      const listed = { ...seen, listingId: year.listingId };
      if (mayBeTwice) held.add(keyOf(listed));
      all.push(listed);
    }
  }
  for (const seen of tail) {
    if (seen.observedAtMs >= fromMs && !held.has(keyOf(seen))) all.push(seen);
  }
  return all.sort(
    (a, b) => a.observedAtMs - b.observedAtMs || (a.listingId < b.listingId ? -1 : 1),
  );
}
