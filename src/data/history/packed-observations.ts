// Packed years, the rows of `packed_observations`: a listing's observations of one UTC year as one text. A text that
// cannot be read is an error that names its row.

import {
  encodeYear,
  EncodedYearError,
  summaryOf,
  type YearKey,
  type YearSummary,
  decodeYear,
} from '../../rules/history/encoded-year.ts';
import type { StoredObservation } from '../../rules/history/year-state.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { inPowersOfTwo, placeholdersOf, padded } from '../statement-values.ts';

export type PackedYear = YearKey &
  YearSummary & {
    /** The text of the year; null if it was not asked for. */
    readonly packed: string | null;
  };

export const YEAR_COLUMNS = 'listing_id, year, observations, priced_days, first_ms, last_ms';

export function toPackedYear(row: Row): PackedYear {
  const { packed } = row;
  return {
    listingId: String(row['listing_id']),
    year: Number(row['year']),
    observations: Number(row['observations']),
    pricedDays: Number(row['priced_days']),
    firstMs: Number(row['first_ms']),
    lastMs: Number(row['last_ms']),
    packed: typeof packed === 'string' ? packed : null,
  };
}

/** Thrown if a row cannot be read. The message names the row and what to do. */
export class DamagedYear extends Error {
  override readonly name = 'DamagedYear';
}

/** The observations of a year, oldest first. Throws DamagedYear; never returns an observation that was not packed. */
export function unpackYear(year: PackedYear): readonly StoredObservation[] {
  try {
    return decodeYear(year, year.packed ?? '');
  } catch (error) {
    if (!(error instanceof EncodedYearError)) throw error;
    throw new DamagedYear(
      `packed observations of listing ${year.listingId}, year ${year.year}: ${error.message}`,
      { cause: error },
    );
  }
}

/**
 * Packed years of these listings, newest first, with their texts from the year `textFrom` on; none if there are no listings.
 * The query also has the first and the last id as bounds; both databases order ids by their bytes, as this process does.
 * PostgreSQL reads all rows of a table that it takes for empty, and comparing each with hundreds of ids was 10 of 12 s of
 * compaction.
 */
export async function findYears(
  sql: Sql,
  listingIds: readonly string[],
  textFrom: number,
): Promise<readonly PackedYear[]> {
  // PostgreSQL accepts no empty list.
  if (listingIds.length === 0) return [];
  const ids = padded(listingIds.toSorted());
  const rows = await sql.all(
    `select ${YEAR_COLUMNS}, case when year >= $1 then packed end as packed
     from packed_observations
     where listing_id between $2 and $3 and listing_id in (${placeholdersOf(ids, 4)})
     order by year desc, listing_id`,
    [textFrom, ids[0] ?? '', ids.at(-1) ?? '', ...ids],
  );
  return rows.map(toPackedYear);
}

/** The year as it is now, with its text; an empty list if it is gone. */
export async function findYear(sql: Sql, { listingId, year }: YearKey) {
  const rows = await sql.all(
    `select ${YEAR_COLUMNS}, packed from packed_observations where listing_id = $1 and year = $2`,
    [listingId, year],
  );
  return rows.map(toPackedYear);
}

/**
 * Replaces a year that was read; rolls back if another process has changed it meanwhile. `before` is the text that was read,
 * null if there was none. An empty `after` removes the row.
 */
export function replaceYear(
  place: YearKey,
  before: string | null,
  after: readonly StoredObservation[],
): Statement {
  const { listingId, year } = place;
  if (after.length === 0) {
    return {
      text: `delete from packed_observations
        where listing_id = $1 and year = $2 and packed = $3 returning year`,
      params: [listingId, year, before],
      mustReturn: true,
    };
  }
  const { observations, pricedDays, firstMs, lastMs } = summaryOf(after);
  const packed = encodeYear(place, after);
  const values = [listingId, year, observations, pricedDays, firstMs, lastMs, packed];
  if (before === null) {
    return {
      text: `insert into packed_observations (${YEAR_COLUMNS}, packed)
        values ($1, $2, $3, $4, $5, $6, $7) on conflict (listing_id, year) do nothing returning year`,
      params: values,
      mustReturn: true,
    };
  }
  return {
    text: `update packed_observations set observations = $3, priced_days = $4, first_ms = $5,
        last_ms = $6, packed = $7
      where listing_id = $1 and year = $2 and packed = $8 returning year`,
    params: [...values, before],
    mustReturn: true,
  };
}

/** A year that had no row when it was read. */
type NewYear = { readonly place: YearKey; readonly after: readonly StoredObservation[] };

/**
 * Inserts years that had no row, none of them empty, by few statements. Unlike `replaceYear` it fails if another process has
 * packed one of them meanwhile: a statement of many rows cannot demand that each of them is returned.
 */
export function insertYears(years: readonly NewYear[]): readonly Statement[] {
  return inPowersOfTwo(years).map((some) => ({
    text: `insert into packed_observations (${YEAR_COLUMNS}, packed) values ${rowMarks(some.length)}`,
    params: some.flatMap(({ place, after }) => {
      const { observations, pricedDays, firstMs, lastMs } = summaryOf(after);
      const { listingId, year } = place;
      return [listingId, year, observations, pricedDays, firstMs, lastMs, encodeYear(place, after)];
    }),
  }));
}

const YEAR_VALUES = 7;

function rowMarks(rows: number): string {
  const marks = Array.from({ length: rows }, (_, row) => {
    const own = Array.from({ length: YEAR_VALUES }, (__, at) => `$${row * YEAR_VALUES + at + 1}`);
    return `(${own.join(', ')})`;
  });
  return marks.join(', ');
}

/** Removes a year, whatever it holds by now. */
export function deleteYear({ listingId, year }: YearKey): Statement {
  return {
    text: 'delete from packed_observations where listing_id = $1 and year = $2',
    params: [listingId, year],
  };
}

/** Removes every year of these listings. */
export function deleteYearsOf(listingIds: readonly string[]): Statement {
  return {
    text: `delete from packed_observations where listing_id in (${placeholdersOf(listingIds, 1)})`,
    params: listingIds,
  };
}
