// Observations as they are held: single rows in the tail, packed years behind it, read as one. A row that stands in
// both, as between two statements while another process folds, is one observation.

import { DAY_MS } from '../domain/clock.ts';
import { yearOf, type KeptObservation, type PackPlace } from '../domain/packed-observations.ts';
import { toPackedYear, unpackYear, YEAR_COLUMNS, type PackedYear } from './packed-years.ts';
import type { Row, Sql, SqlValue } from './sql.ts';

/** One observation with the listing it belongs to. */
export type ListedObservation = KeptObservation & { readonly listingId: string };

/** Whose: a query that gives ids, and its parameters, the first of which is $1. */
export type WhoseObservations = { readonly text: string; readonly params: readonly SqlValue[] };

/** The listings with these ids; at least one. */
export function listingsNamed(ids: readonly string[]): WhoseObservations {
  const text = ids.map((_, at) => `select cast($${at + 1} as text)`).join(' union all ');
  return { text, params: ids };
}

/** Both days since 1970: from, included, and to, not included. */
export type TailSpan = { readonly fromDay: number; readonly toDay: number };

export const ALL_DAYS: TailSpan = { fromDay: 0, toDay: Number.MAX_SAFE_INTEGER };

/**
 * Rows of the tail. It is ordered by day first: so from each day that has any row one seek leads to the next, and one
 * to each listing. With `most` rows at most, whichever are found first. Forced into that order, because no statistics tell a database how few days there are.
 */
export async function readTail(
  sql: Sql,
  whose: WhoseObservations,
  { fromDay, toDay }: TailSpan,
  most?: number,
): Promise<readonly ListedObservation[]> {
  const [from, to] = [whose.params.length + 1, whose.params.length + 2];
  const limit = most === undefined ? '' : `limit ${Math.trunc(most)}`;
  const rows = await sql.all(
    `with recursive whose (id) as (${whose.text}), days (day) as (
       select min(day) from observations where day >= $${from} and day < $${to}
       union all
       select (select min(later.day) from observations later
         where later.day > days.day and later.day < $${to})
       from days where days.day is not null)
     select observations.listing_id, observed_at_ms, price_cents, native_cents, native_currency,
       in_stock
     from days cross join whose cross join observations
     where observations.day = days.day and observations.listing_id = whose.id ${limit}`,
    [...whose.params, fromDay, toDay],
  );
  return rows.map(toListed);
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

/** Packed years, newest first; with their texts from `textFrom` on. */
export async function readYears(
  sql: Sql,
  whose: WhoseObservations,
  textFrom: number,
): Promise<readonly PackedYear[]> {
  const rows = await sql.all(
    `select ${YEAR_COLUMNS}, case when year >= $${whose.params.length + 1} then packed end as packed
     from packed_observations where listing_id in (${whose.text}) order by year desc, listing_id`,
    [...whose.params, textFrom],
  );
  return rows.map(toPackedYear);
}

/** The year as it is now, with its text; none when it is gone. */
export async function readYear(sql: Sql, { listingId, year }: PackPlace) {
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
  whose: WhoseObservations,
  fromMs: number,
): Promise<readonly ListedObservation[]> {
  const tail = await readTail(sql, whose, { ...ALL_DAYS, fromDay: Math.floor(fromMs / DAY_MS) });
  const years = await readYears(sql, whose, yearOf(fromMs));
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
