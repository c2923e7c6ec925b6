// Compaction packs recent observations into the year of their listing. One transaction writes the year and deletes exactly the
// rows it was made of, so that a crash leaves both unchanged. Rows that arrive meanwhile stay recent. If two processes compact
// the same year, one is rolled back and has nothing left to do.

import { DAY_MS, type Day } from '../../base/clock.ts';
import { yearOf } from '../../rules/history/encoded-year.ts';
import type { StoredObservation } from '../../rules/history/year-state.ts';
import { writeChanges, type CompactedYear } from '../answers/answer-writes.ts';
import { findRecentBetween, type ListingObservation } from '../history/recent-observations.ts';
import {
  DamagedYear,
  unpackYear,
  type PackedYear,
  findYears,
} from '../history/packed-observations.ts';
import { StoreUnavailable, type Sql } from '../sql.ts';
import { mergeYear } from '../history/observations.ts';

/** Complete UTC days whose observations are never packed: late answers and corrections arrive within them. */
const RECENT_DAYS = 3;

/** Returns the first day that is not packed yet (days since 1970). */
export function firstRecentDay(today: Day): number {
  return Date.parse(`${today}T00:00:00Z`) / DAY_MS - RECENT_DAYS;
}

/** Returns the oldest day with a recent observation (days since 1970); null if there is none. */
export async function findOldestRecentDay(sql: Sql): Promise<number | null> {
  const day = (await sql.all('select min(day) as day from observations'))[0]?.['day'];
  return typeof day === 'number' ? day : null;
}

/** Counts the observations that are not packed yet and are from before the given day: these can be compacted. */
export async function countCompactable(sql: Sql, beforeDay: number): Promise<number> {
  const rows = await sql.all('select count(*) as total from observations where day < $1', [
    beforeDay,
  ]);
  return Number(rows[0]?.['total'] ?? 0);
}

/** Maximum size of a slice: it limits how long this process is blocked. */
type SliceSize = { readonly listings: number; readonly observations: number };

/**
 * The position of a walk through recent observations, by day, then by listing; and the number of listings for the next
 * slice.
 */
export type CompactionPosition = {
  readonly day: number;
  readonly listingId: string;
  readonly listings: number;
};

export const FROM_THE_START: CompactionPosition = { day: -1, listingId: '', listings: 1_000 };

type CompactedSlice = {
  /** Where the next slice begins. */
  readonly next: CompactionPosition;
  /** Observations packed. */
  readonly observations: number;
  /** Transactions that were rolled back, because another process compacts the same years. */
  readonly lost: number;
  /** Years that could not be read, a sentence for each. Their recent observations stay. */
  readonly damaged: readonly string[];
};

/** A slice as it was read, with the rows that its transactions will write. */
export type ReadSlice = {
  readonly changes: readonly CompactedYear[];
  readonly damaged: readonly string[];
  /** The day used to find its listings. */
  readonly day: number;
  /** Where the next slice begins if this one is complete for its listings. */
  readonly after: CompactionPosition;
  /** Where the rest of its only listing starts, once this slice is written; null if the slice is complete. */
  readonly rest: CompactionPosition | null;
};

/**
 * Reads the slice before a day that begins at a position, oldest days first: some listings of one day, with their rows on
 * later days. Null at the end of the walk. A walk visits everything once, even if something could not be packed. Rejects if
 * the database fails.
 */
export async function readSlice(
  sql: Sql,
  beforeDay: number,
  size: SliceSize,
  position: CompactionPosition,
): Promise<ReadSlice | null> {
  const most = Math.min(size.listings, position.listings);
  const found = await nextListings(sql, beforeDay, most, position);
  if (found === null) return null;
  const { day } = found;
  const { ids, recent } = await findWhole(sql, found, beforeDay, size.observations);
  const years = recent.map(({ observedAtMs }) => yearOf(observedAtMs));
  const firstYear = years.reduce((first, year) => Math.min(first, year), 9_999);
  const listingIds = [...new Set(recent.map(({ listingId }) => listingId))];
  const packed = await findYears(sql, listingIds, firstYear);
  const damaged: string[] = [];
  const changes = [...byYear(recent)].flatMap((rows) => compactedYear(rows, packed, damaged) ?? []);
  const listings = recent.length * 4 > size.observations ? ids.length : ids.length * 2;
  return {
    changes,
    damaged,
    day,
    after: { day, listingId: ids.at(-1) ?? '', listings },
    rest: recent.length < size.observations ? null : { ...position, listings },
  };
}

/** Writes the slice that was read. Rejects if the database fails. */
export async function writeSlice(sql: Sql, slice: ReadSlice): Promise<CompactedSlice> {
  const groups = groupsOf(slice.changes);
  const written = await Promise.all(groups.map((years) => writeYears(sql, years)));
  const observations = written.reduce((sum, each) => sum + each.observations, 0);
  return {
    // The rest of a listing is read next, as long as something is written.
    next: observations > 0 ? (slice.rest ?? slice.after) : slice.after,
    observations,
    lost: written.reduce((sum, each) => sum + each.lost, 0),
    damaged: slice.damaged,
  };
}

type WrittenYears = { readonly observations: number; readonly lost: number };

/** Years written per transaction. */
const YEARS_TOGETHER = 256;

function groupsOf(years: readonly CompactedYear[]): readonly (readonly CompactedYear[])[] {
  const groups: (readonly CompactedYear[])[] = [];
  for (let at = 0; at < years.length; at += YEARS_TOGETHER) {
    groups.push(years.slice(at, at + YEARS_TOGETHER));
  }
  return groups;
}

/** Writes the years together, because most of a year's cost is its transaction. If that fails, writes them one by one. */
async function writeYears(sql: Sql, years: readonly CompactedYear[]): Promise<WrittenYears> {
  if (await isWritten(sql, years)) {
    return { observations: years.reduce((sum, { taken }) => sum + taken.length, 0), lost: 0 };
  }
  if (years.length === 1) return { observations: 0, lost: 1 };
  const alone = await Promise.all(years.map((year) => writeYears(sql, [year])));
  return {
    observations: alone.reduce((sum, each) => sum + each.observations, 0),
    lost: alone.reduce((sum, each) => sum + each.lost, 0),
  };
}

/**
 * Whether the years were written; false if another process has changed one of them. With several years that may be an error, so
 * that each is then tried by itself.
 */
async function isWritten(sql: Sql, years: readonly CompactedYear[]): Promise<boolean> {
  try {
    return (await writeChanges(sql, [{ kind: 'compacted-years', years }])).done;
  } catch (error) {
    if (error instanceof StoreUnavailable || years.length === 1) throw error;
    return false;
  }
}

/**
 * Finds the rows of as many listings as fit into a slice, each with all its rows, because a year compacted in parts is packed
 * again for each part. A listing too large for a slice returns as many rows as a slice takes. Listings in between that only
 * have rows on later days are included.
 */
async function findWhole(sql: Sql, found: NextListings, beforeDay: number, most: number) {
  const { day, after } = found;
  let { ids } = found;
  for (;;) {
    const range = { after, until: ids.at(-1) ?? '' };
    const recent = await findRecentBetween(sql, range, { fromDay: day, toDay: beforeDay }, most);
    if (recent.length < most || ids.length <= 1) return { ids, recent };
    ids = ids.slice(0, Math.ceil(ids.length / 4));
  }
}

type NextListings = {
  readonly day: number;
  /** The last listing that was visited on that day. */
  readonly after: string;
  readonly ids: readonly string[];
};

/** Returns the next listings, with their day; null if none is left before the day. */
async function nextListings(
  sql: Sql,
  beforeDay: number,
  most: number,
  position: CompactionPosition,
): Promise<NextListings | null> {
  let { day, listingId } = position;
  for (;;) {
    const rows = await sql.all(
      // The instants tell PostgreSQL which month to read.
      `select distinct listing_id from observations
       where day = $1 and listing_id > $2 and observed_at_ms >= $3 and observed_at_ms < $4
       order by listing_id limit ${Math.trunc(most)}`,
      [day, listingId, day * DAY_MS, (day + 1) * DAY_MS],
    );
    const ids = rows.map((row) => String(row['listing_id']));
    if (ids.length > 0) return { day, after: listingId, ids };
    const later = await sql.all(
      'select min(day) as day from observations where day > $1 and day < $2',
      [day, beforeDay],
    );
    const next = later[0]?.['day'];
    if (typeof next !== 'number') return null;
    day = next;
    listingId = '';
  }
}

function byYear(recent: readonly ListingObservation[]): Iterable<readonly ListingObservation[]> {
  return Map.groupBy(recent, (each) => `${each.listingId} ${yearOf(each.observedAtMs)}`).values();
}

/**
 * Merges recent rows into a listing's year; null if the packed year cannot be read, which is then in `damaged`. The year of
 * the rows may be among `packed`.
 */
function compactedYear(
  rows: readonly ListingObservation[],
  packed: readonly PackedYear[],
  damaged: string[],
): CompactedYear | null {
  const { listingId, observedAtMs } = rows[0] ?? { listingId: '', observedAtMs: 0 };
  const position = { listingId, year: yearOf(observedAtMs) };
  const before = packed.find((each) => each.listingId === listingId && each.year === position.year);
  try {
    const stored: readonly StoredObservation[] = before === undefined ? [] : unpackYear(before);
    const after = mergeYear(stored, rows);
    return {
      place: position,
      before: before?.packed ?? null,
      after,
      taken: rows,
    };
  } catch (error) {
    if (!(error instanceof DamagedYear)) throw error;
    damaged.push(error.message);
    return null;
  }
}
