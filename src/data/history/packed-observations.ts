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
    /** The year's text; null if it was not requested. */
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

/** Thrown if a row cannot be read. The message identifies the row and the problem. */
export class DamagedYear extends Error {
  override readonly name = 'DamagedYear';
}

/**
 * Returns the observations of a year, oldest first. Throws DamagedYear; never returns an observation that was not packed.
 */
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
 * Returns the packed years of these listings, newest first, with their texts from the year `textFrom` on; none if there are
 * no listings. The query is also bounded by the first and last id; both databases order ids by their bytes, as this process
 * does. PostgreSQL scans all rows of a table that it assumes to be empty, and comparing each with hundreds of ids took 10 of
 * the 12 s of compaction.
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

/** Returns the year's current row with its text; an empty list if it is gone. */
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
 * Inserts non-empty years that had no row, in few statements. Unlike `replaceYear` it fails if another process has packed
 * one of them meanwhile: a multi-row statement cannot require that each row is returned.
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

/** Removes a year, regardless of its current content. */
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
