// Price observations: appended once for each successful fetch, never changed. Bars and windows are made
// from them by history/daily-bars.ts; held-observations.ts knows where they stand.

import { DAY_MS, dayOf } from '../core/clock.ts';
import type { Listing } from '../listing/listing.ts';
import { yearOf, type KeptObservation } from '../history/encoded-year.ts';
import type { ObservedSpan, Observation } from '../history/daily-bars.ts';
import {
  ALL_DAYS,
  daysBetween,
  readRecent,
  readRecentDays,
  readYears,
  together,
  type ListedObservation,
} from './held-observations.ts';
import type { PackedYear } from './packed-years.ts';
import type { Sql, Statement } from './sql.ts';

export type SeenSince = {
  /** Oldest first. */
  readonly observations: readonly Observation[];
  /** Of all that is held, whatever the instant. */
  readonly span: ObservedSpan;
};

export type History = {
  /** Observations at or after an instant, oldest first. */
  observationsSince(listingId: string, fromMs: number): Promise<readonly Observation[]>;
  /** First and last day observed and days with a price, over all that is held. */
  observedSpan(listingId: string): Promise<ObservedSpan>;
  /** Both in the time of one. */
  seenSince(listingId: string, fromMs: number): Promise<SeenSince>;
  /** Of the listing alone, without what was imported for its barcode. */
  countObservations(listingId: string): Promise<number>;
};

export function createHistory(sql: Sql): History {
  const seenSince: History['seenSince'] = async (listingId, fromMs) => {
    const { ids, days } = await withImported(sql, listingId);
    const tail = await readRecentDays(sql, ids, days);
    const years = await readYears(sql, ids, yearOf(fromMs));
    const isPlain = !overlaps(tail, years);
    return {
      observations: together(tail, years, fromMs),
      span: isPlain
        ? sumOf(tail, years)
        : sumOf(together(tail, await readYears(sql, ids, 0), 0), []),
    };
  };
  return {
    seenSince,
    observationsSince: async (listingId, fromMs) =>
      (await seenSince(listingId, fromMs)).observations,
    observedSpan: async (listingId) => (await seenSince(listingId, NEVER_MS)).span,
    async countObservations(listingId) {
      const tail = await readRecent(sql, [listingId], ALL_DAYS);
      const years = await readYears(sql, [listingId], NEVER);
      return years.reduce((sum, each) => sum + each.observations, tail.length);
    },
  };
}

/** The last instant that a date can have. */
const NEVER_MS = 8.64e15;
/** A year that never comes: of packed years only what stands beside their texts. */
const NEVER = 1_000_000;

/**
 * A listing and what was imported for its barcode at the same retailer: a price history that a user kept
 * under the barcode continues in what is fetched.
 */
async function withImported(sql: Sql, listingId: string) {
  // With the days of the tail, because every statement is a way to the database and back.
  const rows = await sql.all(
    `select id, (select min(day) from observations) as first,
       (select max(day) from observations) as last
     from (select cast($1 as text) as id
       union select imported.id from listings mine
       join listings imported on imported.gtin14 = mine.gtin14
         and imported.retailer = mine.retailer and imported.record is null
       where mine.id = $1) whose`,
    [listingId],
  );
  const days = await daysBetween(sql, rows[0] ?? {}, ALL_DAYS);
  return { ids: rows.map((row) => String(row['id'])), days };
}

const dayNumber = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** A UTC day may be counted in two places: then what they say of themselves does not add up. */
function overlaps(tail: readonly ListedObservation[], years: readonly PackedYear[]): boolean {
  const spans = years
    .map(({ firstMs, lastMs }) => [dayNumber(firstMs), dayNumber(lastMs)] as const)
    .toSorted(([a], [b]) => a - b);
  return (
    spans.some(([from], at) => from <= (spans[at - 1]?.[1] ?? -1)) ||
    tail.some(({ observedAtMs }) => {
      const day = dayNumber(observedAtMs);
      return spans.some(([from, to]) => day >= from && day <= to);
    })
  );
}

function sumOf(tail: readonly ListedObservation[], years: readonly PackedYear[]): ObservedSpan {
  const all = [...tail.map((each) => each.observedAtMs), ...years.map((each) => each.firstMs)];
  if (all.length === 0) return { firstDay: null, lastDay: null, daysCovered: 0 };
  const last = [...tail.map((each) => each.observedAtMs), ...years.map((each) => each.lastMs)];
  const days = new Set(
    tail.flatMap((each) => (each.priceCents === null ? [] : [dayNumber(each.observedAtMs)])),
  );
  return {
    firstDay: dayOf(all.reduce((a, b) => Math.min(a, b))),
    lastDay: dayOf(last.reduce((a, b) => Math.max(a, b))),
    daysCovered: years.reduce((sum, each) => sum + each.pricedDays, days.size),
  };
}

export type NewObservation = {
  readonly listingId: string;
  readonly observedAtMs: number;
  readonly price: Listing['price'];
  readonly inStock: boolean | null;
};

/**
 * What is kept of what a fetch saw. USD is `priceCents`; another or an unknown currency is kept as it was and enters no
 * bar (D26); out of stock has no price (D28); zero is none (D26).
 */
export function keptOf({ observedAtMs, price: seen, inStock }: NewObservation): KeptObservation {
  const price = inStock === false || seen === null || seen.cents <= 0 ? null : seen;
  const isUsd = price?.currency === 'USD';
  return {
    observedAtMs,
    priceCents: price !== null && isUsd ? price.cents : null,
    native: price === null || isUsd ? null : price,
    inStock,
  };
}

/** The name of a statement that appends an observation, and returns its place if it was not held before. */
export const OBSERVATION = 'observation';

/** Appends what a fetch saw, as `keptOf`. The same instant twice is one observation. */
export function insertObservation(seen: NewObservation): Statement {
  const { priceCents, native, inStock } = keptOf(seen);
  return {
    text: `insert into observations
        (day, listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (day, listing_id, observed_at_ms) do nothing
      returning listing_id, observed_at_ms`,
    params: [
      dayNumber(seen.observedAtMs),
      seen.listingId,
      seen.observedAtMs,
      priceCents,
      native?.cents ?? null,
      native?.currency ?? null,
      inStock === null ? null : Number(inStock),
    ],
    name: OBSERVATION,
  };
}

/** Which observation it is. */
export type ObservationPlace = { readonly listingId: string; readonly observedAtMs: number };

/** Takes one out that is packed from now on. */
export function deleteObservation({ listingId, observedAtMs }: ObservationPlace): Statement {
  return {
    text: 'delete from observations where day = $1 and listing_id = $2 and observed_at_ms = $3',
    params: [dayNumber(observedAtMs), listingId, observedAtMs],
  };
}

/** `day`: days since 1970. */
export function deleteObservationsBefore(day: number): Statement {
  return { text: 'delete from observations where day < $1', params: [day] };
}
