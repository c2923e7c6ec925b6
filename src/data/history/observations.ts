// Stored price observations: recent rows and packed years, read as one. An observation that is in both, as between two
// statements while another process compacts, counts once.

import { dayOf } from '../../base/clock.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { seriesOf, type StoredListing } from '../../base/listing/stored-listing.ts';
import type { ObservedSpan } from '../../rules/history/daily-bars.ts';
import { yearOf } from '../../rules/history/encoded-year.ts';
import { hasSeries, termLimitsOf } from '../../rules/terms/shown-layer.ts';
import { COMMON_VIEW, type View } from '../answers/layers.ts';
import type { StoredObservation } from '../../rules/history/year-state.ts';
import { findYear, findYears, unpackYear, type PackedYear } from './packed-observations.ts';
import {
  ALL_DAYS,
  dayNumber,
  daysBetween,
  findRecent,
  findRecentOfDays,
  type ListingObservation,
  type ObservationPlace,
} from './recent-observations.ts';
import type { Row, Sql } from '../sql.ts';
import { padded, placeholdersOf } from '../statement-values.ts';

type ObservationsSince = {
  /** Oldest first. */
  readonly observations: readonly StoredObservation[];
  /** The span of all stored observations, regardless of the instant. */
  readonly span: ObservedSpan;
};

type ObservationsPage = {
  readonly listingIds: readonly string[];
  /** From this instant on. */
  readonly fromMs: number;
  /** Only observations older than this one; null to begin with the newest. */
  readonly after: ObservationPlace | null;
  readonly limit: number;
};

/** The fields that determine which imported history belongs to a listing. */
type HistoryOwner = Pick<StoredListing, 'id' | 'retailer' | 'series'> & {
  readonly listing: Pick<Listing, 'gtin'>;
};

export type Observations = {
  /** Finds observations at or after an instant, oldest first, with the span of all. */
  findSince(listingId: string, fromMs: number): Promise<ObservationsSince>;
  /** Like `findSince`, for a listing that was already read: its row need not be read again for its barcode. */
  findSinceOf(listing: HistoryOwner, fromMs: number): Promise<ObservationsSince>;
  /** Does the same as `findSinceOf` for several listings in one read, by listing id. */
  findOfSeveral(
    listings: readonly HistoryOwner[],
    fromMs: number,
  ): Promise<ReadonlyMap<string, readonly StoredObservation[]>>;
  /** Returns the first and last observed day, and the number of days with a price, of all stored data. */
  findSpan(listingId: string): Promise<ObservedSpan>;
  /** Finds observations of several listings, newest first; those of the same instant in reverse order of listing id. */
  findPage(page: ObservationsPage): Promise<readonly ListingObservation[]>;
  /** Counts observations of the listing itself, excluding those imported for its barcode. */
  countObservations(listingId: string): Promise<number>;
};

/** `view`: under whose terms observations of sources make a history. */
export function createObservations(
  sql: Sql,
  view: Pick<View, 'terms' | 'now'> = COMMON_VIEW,
): Observations {
  return {
    findSince: async (listingId, fromMs) =>
      findSince(sql, await withImported(sql, listingId, view), fromMs),
    findSinceOf: async (listing, fromMs) =>
      findSince(sql, await withImportedOf(sql, listing), fromMs),
    findOfSeveral: (listings, fromMs) => findOfSeveral(sql, listings, fromMs),
    findSpan: async (listingId) =>
      (await findSince(sql, await withImported(sql, listingId, view), NEVER_MS)).span,
    findPage: (page) => findPage(sql, page),
    async countObservations(listingId) {
      const recent = await findRecent(sql, [listingId], ALL_DAYS);
      const years = await findYears(sql, [listingId], NO_YEAR);
      return years.reduce((sum, each) => sum + each.observations, recent.length);
    },
  };
}

async function findSince(
  sql: Sql,
  { ids, days }: HistorySource,
  fromMs: number,
): Promise<ObservationsSince> {
  const recent = await findRecentOfDays(sql, ids, days);
  const years = await findYears(sql, ids, yearOf(fromMs));
  const span = overlaps(recent, years)
    ? spanOf(allOf(recent, await findYears(sql, ids, 0), 0), [])
    : spanOf(recent, years);
  return { observations: allOf(recent, years, fromMs), span };
}

/** The latest instant that a date can represent. */
const NEVER_MS = 8.64e15;
/** Later than any year: no texts of packed years are then read, only their other columns. */
const NO_YEAR = 1_000_000;

/** Listings whose observations form one history, and the days with recent observations. */
type HistorySource = { readonly ids: readonly string[]; readonly days: readonly number[] };

/** The days of recent observations are selected with the ids, because every statement is a round trip to the database. */
const DAYS = `(select min(day) from observations) as first,
  (select max(day) from observations) as last`;

/**
 * The history of a listing also contains observations imported for its barcode at the same retailer: fetched observations
 * continue the history that a user kept under the barcode. It also contains the observations of sources with terms of their
 * own, if the terms allow it.
 */
async function withImported(
  sql: Sql,
  listingId: string,
  { terms, now }: Pick<View, 'terms' | 'now'>,
): Promise<HistorySource> {
  const text = `select id, source, fetched_at_ms, ${DAYS} from (
    select cast($1 as text) as id, cast(null as text) as source, cast(null as bigint) as fetched_at_ms
    union select imported.id, cast(null as text), cast(null as bigint) from listings mine
    join listings imported on imported.gtin14 = mine.gtin14
      and imported.retailer = mine.retailer and imported.record is null
    where mine.id = $1
    union select id, source, fetched_at_ms from listings where layer_of = $1 and organization_id is null) whose`;
  const rows = await sql.all(text, [listingId]);
  const nowMs = now();
  const allowed = rows.filter(({ source, fetched_at_ms: atMs }) => {
    if (typeof source !== 'string') return true;
    return hasSeries(
      termLimitsOf({ origin: { source }, fetchedAtMs: Number(atMs) }, { terms, nowMs }),
    );
  });
  return sourceOf(sql, allowed);
}

/** Like `withImported`, but by the listing's barcode: no row has to be looked up by id, each on another page. */
async function withImportedOf(sql: Sql, owner: HistoryOwner): Promise<HistorySource> {
  const { retailer, listing } = owner;
  const ids = padded(seriesOf(owner));
  const own = ids.map((_, at) => `select cast($${at + 3} as text) as id`).join(' union ');
  const text = `select id, ${DAYS} from (${own}
    union select id from listings where gtin14 = $1 and retailer = $2 and record is null) whose`;
  return sourceOf(sql, await sql.all(text, [listing.gtin, retailer, ...ids]));
}

async function findOfSeveral(
  sql: Sql,
  listings: readonly HistoryOwner[],
  fromMs: number,
): Promise<ReadonlyMap<string, readonly StoredObservation[]>> {
  const imported = await findImported(sql, listings);
  const byId = listings.map((owner) => {
    const { id, retailer, listing } = owner;
    const past = imported.filter(
      (each) => each.gtin === listing.gtin && each.retailer === retailer,
    );
    return [id, new Set([...seriesOf(owner), ...past.map((each) => each.id)])] as const;
  });
  const ids = new Set(byId.flatMap(([, sources]) => [...sources]));
  const seen = await findObservations(sql, [...ids], fromMs);
  return new Map(
    byId.map(([id, sources]) => [id, seen.filter(({ listingId }) => sources.has(listingId))]),
  );
}

type ImportedPast = { readonly id: string; readonly retailer: string; readonly gtin: string };

/** Finds the listings imported for the barcodes that listings print. */
async function findImported(
  sql: Sql,
  listings: readonly HistoryOwner[],
): Promise<readonly ImportedPast[]> {
  const gtins = new Set(listings.flatMap(({ listing: { gtin } }) => gtin ?? []));
  if (gtins.size === 0) return [];
  const marks = placeholdersOf([...gtins], 1);
  const rows = await sql.all(
    `select id, retailer, gtin14 from listings where gtin14 in (${marks}) and record is null`,
    [...gtins],
  );
  return rows.map((row) => ({
    id: String(row['id']),
    retailer: String(row['retailer']),
    gtin: String(row['gtin14']),
  }));
}

async function sourceOf(sql: Sql, rows: readonly Row[]): Promise<HistorySource> {
  const days = await daysBetween(sql, rows[0] ?? {}, ALL_DAYS);
  return { ids: rows.map((row) => String(row['id'])), days };
}

/** Whether a UTC day may be counted twice: the sums stored with the years then do not add up. */
function overlaps(recent: readonly ListingObservation[], years: readonly PackedYear[]): boolean {
  const spans = years
    .map(({ firstMs, lastMs }) => [dayNumber(firstMs), dayNumber(lastMs)] as const)
    .toSorted(([a], [b]) => a - b);
  return (
    spans.some(([from], at) => from <= (spans[at - 1]?.[1] ?? -1)) ||
    recent.some(({ observedAtMs }) => {
      const day = dayNumber(observedAtMs);
      return spans.some(([from, to]) => day >= from && day <= to);
    })
  );
}

function spanOf(recent: readonly ListingObservation[], years: readonly PackedYear[]): ObservedSpan {
  const all = [...recent.map((each) => each.observedAtMs), ...years.map((each) => each.firstMs)];
  if (all.length === 0) return { firstDay: null, lastDay: null, daysCovered: 0 };
  const last = [...recent.map((each) => each.observedAtMs), ...years.map((each) => each.lastMs)];
  const days = new Set(
    recent.flatMap((each) => (each.priceCents === null ? [] : [dayNumber(each.observedAtMs)])),
  );
  return {
    firstDay: dayOf(all.reduce((a, b) => Math.min(a, b))),
    lastDay: dayOf(last.reduce((a, b) => Math.max(a, b))),
    daysCovered: years.reduce((sum, each) => sum + each.pricedDays, days.size),
  };
}

/**
 * Merges a listing's packed year and its recent observations into one list, oldest first. If an observation is in both, the
 * packed one is kept.
 */
export function mergeYear(
  packed: readonly StoredObservation[],
  recent: readonly StoredObservation[],
): readonly StoredObservation[] {
  const sorted = recent.toSorted((a, b) => a.observedAtMs - b.observedAtMs);
  const [first] = sorted;
  const last = packed.at(-1);
  if (first === undefined || last === undefined) return [...packed, ...sorted];
  if (first.observedAtMs > last.observedAtMs) return [...packed, ...sorted];
  const stored = new Set(packed.map((each) => each.observedAtMs));
  return [...packed, ...sorted.filter((each) => !stored.has(each.observedAtMs))].sort(
    (a, b) => a.observedAtMs - b.observedAtMs,
  );
}

/** Finds all observations of some listings at or after an instant, oldest first; those of the same instant by listing. */
export async function findObservations(
  sql: Sql,
  listingIds: readonly string[],
  fromMs: number,
): Promise<readonly ListingObservation[]> {
  const recent = await findRecent(sql, listingIds, { ...ALL_DAYS, fromDay: dayNumber(fromMs) });
  const years = await findYears(sql, listingIds, yearOf(fromMs));
  return allOf(recent, years, fromMs);
}

/**
 * Merges recent observations, which were read first, with those of the packed years whose texts were read, oldest first.
 */
function allOf(
  recent: readonly ListingObservation[],
  years: readonly PackedYear[],
  fromMs: number,
): readonly ListingObservation[] {
  const stored = new Set<string>();
  const all: ListingObservation[] = [];
  const keyOf = (each: ListingObservation): string => `${each.observedAtMs} ${each.listingId}`;
  // Only a recent row within the span of a packed year can be in it too.
  const isBehind = ({ listingId, observedAtMs }: ListingObservation): boolean =>
    years.some((year) => year.listingId === listingId && observedAtMs <= year.lastMs);
  const mayBeTwice = recent.some(isBehind);
  for (const year of years.toReversed()) {
    if (year.packed === null || year.lastMs < fromMs) continue;
    for (const seen of unpackYear(year)) {
      if (seen.observedAtMs < fromMs) continue;
      const listed = { ...seen, listingId: year.listingId };
      if (mayBeTwice) stored.add(keyOf(listed));
      all.push(listed);
    }
  }
  for (const seen of recent) {
    if (seen.observedAtMs >= fromMs && !stored.has(keyOf(seen))) all.push(seen);
  }
  return all.sort(
    (a, b) => a.observedAtMs - b.observedAtMs || (a.listingId < b.listingId ? -1 : 1),
  );
}

/** Reads years one by one, newest first, until the page is full: only the shown part of a long history is unpacked. */
async function findPage(sql: Sql, page: ObservationsPage): Promise<readonly ListingObservation[]> {
  const { listingIds, fromMs, after, limit } = page;
  if (listingIds.length === 0) return [];
  const recent = await findRecent(sql, listingIds, { ...ALL_DAYS, fromDay: dayNumber(fromMs) });
  const years = await findYears(sql, listingIds, NO_YEAR);
  const isOfPage = (each: ListingObservation): boolean =>
    each.observedAtMs >= fromMs && (after === null || newestFirst(after, each) < 0);
  const wanted = years
    .filter(({ firstMs, lastMs }) => lastMs >= fromMs && firstMs <= (after?.observedAtMs ?? lastMs))
    .toSorted((a, b) => b.lastMs - a.lastMs);
  let rows = recent.filter(isOfPage).sort(newestFirst);
  for (const { lastMs, ...place } of wanted) {
    if ((rows[limit - 1]?.observedAtMs ?? -1) > lastMs) break;
    const more = allOf([], await findYear(sql, place), fromMs).filter(isOfPage);
    const stored = new Set(more.map(({ observedAtMs }) => observedAtMs));
    const isMore = (each: ListingObservation) =>
      each.listingId === place.listingId && stored.has(each.observedAtMs);
    rows = [...rows.filter((each) => !isMore(each)), ...more].sort(newestFirst);
  }
  return rows.slice(0, limit);
}

function newestFirst(a: ObservationPlace, b: ObservationPlace): number {
  return b.observedAtMs - a.observedAtMs || (b.listingId < a.listingId ? -1 : 1);
}
