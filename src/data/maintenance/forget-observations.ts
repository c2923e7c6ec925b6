// Retention deletes history that the operator does not keep (rules/history/retention.ts): whole years, and in older days
// every observation that no bar is based on. This is the only file that removes price history.

import { DAY_MS, type Day } from '../../base/clock.ts';
import { firstDayOf } from '../../rules/history/year-state.ts';
import {
  firstStoredYear,
  firstWholeDay,
  thinned,
  type Retention,
} from '../../rules/history/retention.ts';
import { writeChanges, type AnswerChange } from '../answers/answer-writes.ts';
import {
  toPackedYear,
  unpackYear,
  DamagedYear,
  YEAR_COLUMNS,
  type PackedYear,
} from '../history/packed-observations.ts';
import type { Sql } from '../sql.ts';

/** The position of a walk through the packed years. */
export type YearPosition = { readonly listingId: string; readonly year: number };

export const FIRST_YEAR: YearPosition = { listingId: '', year: 0 };

type Forgotten = {
  /** Where the next slice begins; null at the end of the walk. */
  readonly next: YearPosition | null;
  /** Observations deleted. */
  readonly observations: number;
  readonly damaged: readonly string[];
};

/** Whether the settings delete anything at all. */
export function forgets({ observationDays, barYears }: Retention): boolean {
  return observationDays !== null || barYears !== null;
}

/** Deletes recent observations of years that are not kept: imported ones that are not packed yet. */
export async function forgetRecent(sql: Sql, retention: Retention, today: Day): Promise<number> {
  const year = firstStoredYear(retention, today);
  if (year === null) return 0;
  const day = firstDayOf(year);
  const some = await sql.all('select count(*) as total from observations where day < $1', [day]);
  const count = Number(some[0]?.['total'] ?? 0);
  if (count > 0) {
    await writeChanges(sql, [{ kind: 'forgotten-days', beforeDay: day }]);
  }
  return count;
}

/** Visits the next packed years in order of their listings and deletes the days that are not kept. */
export async function forgetSlice(
  sql: Sql,
  limits: { readonly retention: Retention; readonly today: Day },
  most: number,
  place: YearPosition,
): Promise<Forgotten> {
  const firstYear = firstStoredYear(limits.retention, limits.today) ?? 0;
  const wholeFrom = firstWholeDay(limits.retention, limits.today) ?? 0;
  const rows = await sql.all(
    `select ${YEAR_COLUMNS},
       case when year >= $3 and first_ms < $4 and observations > 1 then packed end as packed
     from packed_observations where (listing_id, year) > ($1, $2)
     order by listing_id, year limit ${Math.trunc(most)}`,
    [place.listingId, place.year, firstYear, wholeFrom * DAY_MS],
  );
  const years = rows.map(toPackedYear);
  const damaged: string[] = [];
  const gone = years.map(async (year) => {
    const forgotten = forgottenOf(year, { firstYear, wholeFrom, damaged });
    if (forgotten === null) return 0;
    return (await writeChanges(sql, [forgotten.change])).done ? forgotten.observations : 0;
  });
  const counts = await Promise.all(gone);
  const last = years.at(-1);
  return {
    next: last === undefined ? null : { listingId: last.listingId, year: last.year },
    observations: counts.reduce((sum, count) => sum + count, 0),
    damaged,
  };
}

type Rules = {
  readonly firstYear: number;
  readonly wholeFrom: number;
  readonly damaged: string[];
};

/**
 * Returns the days to delete from a year. Null if all are kept, or if the year cannot be read, which is then in `damaged`.
 */
function forgottenOf(
  stored: PackedYear,
  { firstYear, wholeFrom, damaged }: Rules,
): { readonly change: AnswerChange; readonly observations: number } | null {
  const { listingId, year, observations, packed } = stored;
  const place = { listingId, year };
  if (year < firstYear) return { change: { kind: 'forgotten-year', place }, observations };
  if (packed === null) return null;
  try {
    const before = unpackYear(stored);
    const after = thinned(before, wholeFrom);
    if (after.length === before.length) return null;
    const change = { kind: 'thinned-year', place, before: packed, after } as const;
    return { change, observations: before.length - after.length };
  } catch (error) {
    if (!(error instanceof DamagedYear)) throw error;
    damaged.push(error.message);
    return null;
  }
}
