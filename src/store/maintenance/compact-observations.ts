// Folding: observations leave the tail for the packed year of their listing. One unit puts the year in and takes
// exactly the rows out that it was made of: a crash leaves both as they were, what arrives meanwhile stays in the
// tail, and of two processes that fold the same year one is undone and has nothing left to do.

import { DAY_MS, type Day } from '../../core/clock.ts';
import { yearOf, type KeptObservation } from '../../history/encoded-year.ts';
import { writeChanges, type AnswerChange } from '../answer-writes.ts';
import { merged, readRecent, readYears, type ListedObservation } from '../held-observations.ts';
import { DamagedYear, unpackYear, type PackedYear } from '../packed-years.ts';
import type { Sql } from '../sql.ts';

/** Complete UTC days that stay in the tail whatever happens: late answers and corrections come within them. */
export const RECENT_DAYS = 3;

/** The first day, since 1970, that is not folded yet. */
export function firstRecentDay(today: Day): number {
  return Date.parse(`${today}T00:00:00Z`) / DAY_MS - RECENT_DAYS;
}

/** The oldest day of the tail, days since 1970; null when it is empty. */
export async function oldestRecentDay(sql: Sql): Promise<number | null> {
  const day = (await sql.all('select min(day) as day from observations'))[0]?.['day'];
  return typeof day === 'number' ? day : null;
}

/** Rows of the tail before a day: what there is to fold. */
export async function countCompactable(sql: Sql, beforeDay: number): Promise<number> {
  const rows = await sql.all('select count(*) as held from observations where day < $1', [
    beforeDay,
  ]);
  return Number(rows[0]?.['held'] ?? 0);
}

/** What a slice may take at once: it bounds the time for which nothing else happens in this process. */
export type SliceSize = { readonly listings: number; readonly observations: number };

/** How far a walk through the tail came: by day, then by listing; and how many listings filled the last slice. */
export type CompactionPlace = {
  readonly day: number;
  readonly listingId: string;
  readonly listings: number;
};

export const FROM_THE_START: CompactionPlace = { day: -1, listingId: '', listings: 1_000 };

export type CompactedSlice = {
  /** Where the next slice begins; null when the walk is over. */
  readonly next: CompactionPlace | null;
  /** Rows that left the tail. */
  readonly observations: number;
  /** Units that were undone: another process folds the same years. */
  readonly lost: number;
  /** Years that could not be read, a sentence for each. Their rows stay in the tail. */
  readonly damaged: readonly string[];
};

/**
 * Folds one slice of what stands before a day, oldest days first: some listings of one day, with what they have on the
 * days after it. A walk visits everything once, whatever could not be folded. Rejects when the database fails.
 */
export async function compactSlice(
  sql: Sql,
  beforeDay: number,
  size: SliceSize,
  place: CompactionPlace = FROM_THE_START,
): Promise<CompactedSlice> {
  const most = Math.min(size.listings, place.listings);
  const found = await nextListings(sql, beforeDay, most, place);
  if (found === null) return { next: null, observations: 0, lost: 0, damaged: [] };
  const { day } = found;
  const { ids, tail } = await readWhole(sql, found.ids, { day, beforeDay }, size.observations);
  const firstYear = tail.reduce((least, each) => Math.min(least, yearOf(each.observedAtMs)), 9_999);
  const packed = await readYears(sql, ids, firstYear);
  const damaged: string[] = [];
  const writes = [...byYear(tail)].map(async (rows) => {
    const change = compactedYear(rows, packed, damaged);
    const isDone = change === null ? null : (await writeChanges(sql, [change])).done;
    return { rows: rows.length, isDone };
  });
  const written = await Promise.all(writes);
  const folded = written.reduce((sum, each) => sum + (each.isDone === true ? each.rows : 0), 0);
  // A full slice may have left rows of its one listing: it comes again, as long as that leads on.
  const listings = tail.length * 4 > size.observations ? ids.length : ids.length * 2;
  const isWhole = tail.length < size.observations || folded === 0;
  return {
    next: { ...(isWhole ? { day, listingId: ids.at(-1) ?? '' } : place), listings },
    observations: folded,
    lost: written.filter((each) => each.isDone === false).length,
    damaged,
  };
}

/**
 * As many of the listings as have no more rows together than a slice takes, with all their rows: a year that is folded
 * in parts is packed anew for each. Of one that has more by itself, so many rows as a slice takes.
 */
async function readWhole(
  sql: Sql,
  listingIds: readonly string[],
  { day, beforeDay }: { readonly day: number; readonly beforeDay: number },
  most: number,
) {
  let ids = listingIds;
  for (;;) {
    const tail = await readRecent(sql, ids, { fromDay: day, toDay: beforeDay }, most);
    if (tail.length < most || ids.length <= 1) return { ids, tail };
    ids = ids.slice(0, Math.ceil(ids.length / 4));
  }
}

/** The listings that come next, with their day; null when none is left before the day. */
async function nextListings(sql: Sql, beforeDay: number, most: number, place: CompactionPlace) {
  let { day, listingId } = place;
  for (;;) {
    const rows = await sql.all(
      `select distinct listing_id from observations where day = $1 and listing_id > $2
       order by listing_id limit ${Math.trunc(most)}`,
      [day, listingId],
    );
    if (rows.length > 0) return { day, ids: rows.map((row) => String(row['listing_id'])) };
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

function byYear(tail: readonly ListedObservation[]): Iterable<readonly ListedObservation[]> {
  return Map.groupBy(tail, (each) => `${each.listingId} ${yearOf(each.observedAtMs)}`).values();
}

/** Null: the year that is packed cannot be read, which is said in `damaged`. `packed`: its own may be among them. */
function compactedYear(
  rows: readonly ListedObservation[],
  packed: readonly PackedYear[],
  damaged: string[],
): AnswerChange | null {
  const { listingId, observedAtMs } = rows[0] ?? { listingId: '', observedAtMs: 0 };
  const place = { listingId, year: yearOf(observedAtMs) };
  const before = packed.find((each) => each.listingId === listingId && each.year === place.year);
  try {
    const held: readonly KeptObservation[] = before === undefined ? [] : unpackYear(before);
    const after = merged(held, rows);
    return { kind: 'compacted-year', place, before: before?.packed ?? null, after, taken: rows };
  } catch (error) {
    if (!(error instanceof DamagedYear)) throw error;
    damaged.push(error.message);
    return null;
  }
}
