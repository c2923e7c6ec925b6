// openshelf check for price history: recent observations that this program could not have written, packed years that cannot
// be read or do not match their columns, observations that are both recent and packed.

import { DAY_MS } from '../../base/clock.ts';
import { summaryOf, yearOf } from '../../rules/history/encoded-year.ts';
import type { StoredObservation } from '../../rules/history/year-state.ts';
import { findRecent } from '../history/recent-observations.ts';
import {
  DamagedYear,
  toPackedYear,
  unpackYear,
  YEAR_COLUMNS,
  type PackedYear,
} from '../history/packed-observations.ts';
import type { Sql } from '../sql.ts';
import { rowsInPages } from './table-rows.ts';

const PAGE = 200;

/** Returns the problems by kind, one sentence each. */
export async function checkHistory(sql: Sql): Promise<readonly (readonly string[])[]> {
  return [await checkRecent(sql), await checkYears(sql), await checkOwners(sql)];
}

async function checkRecent(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select listing_id, observed_at_ms from observations
     left join listings on listings.id = listing_id
     where listings.id is null or (observations.in_stock = 0
       and (observations.price_cents is not null or native_cents is not null))
     order by listing_id, observed_at_ms`,
  );
  return rows.map(
    (row) =>
      `observation ${row['listing_id']} at ${row['observed_at_ms']}: it has no listing, or a price while out of stock`,
  );
}

/** Reads in pages, so that memory stays small. */
async function checkYears(sql: Sql): Promise<readonly string[]> {
  const problems: string[] = [];
  const columns = [...YEAR_COLUMNS.split(', '), 'packed'];
  const read = { name: 'packed_observations', key: ['listing_id', 'year'], columns };
  for await (const rows of rowsInPages(sql, read, PAGE)) {
    for (const year of rows.map(toPackedYear)) {
      const wrong = problemsOf(year);
      problems.push(...(wrong.length > 0 ? wrong : await storedTwice(sql, year)));
    }
  }
  return problems;
}

async function checkOwners(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select listing_id, year from packed_observations
     left join listings on listings.id = listing_id
     where listings.id is null order by listing_id, year`,
  );
  return rows.map(
    (row) =>
      `packed observations of listing ${row['listing_id']}, year ${row['year']}: the listing does not exist`,
  );
}

function problemsOf(year: PackedYear): readonly string[] {
  const name = `packed observations of listing ${year.listingId}, year ${year.year}`;
  let seen: readonly StoredObservation[];
  try {
    seen = unpackYear(year);
  } catch (error) {
    if (error instanceof DamagedYear) return [error.message];
    throw error;
  }
  const problems: string[] = [];
  const summary = summaryOf(seen);
  const isSummed =
    summary.observations === year.observations &&
    summary.pricedDays === year.pricedDays &&
    summary.firstMs === year.firstMs &&
    summary.lastMs === year.lastMs;
  if (!isSummed) problems.push(`${name}: the columns do not match the packed text`);
  const inOrder = seen.every(
    ({ observedAtMs }, at) =>
      yearOf(observedAtMs) === year.year && observedAtMs > (seen[at - 1]?.observedAtMs ?? -1),
  );
  if (!inOrder) problems.push(`${name}: an observation is not of the year, or not in order`);
  if (seen.some((each) => each.inStock === false && (each.priceCents ?? each.native) !== null)) {
    problems.push(`${name}: an observation has a price while out of stock`);
  }
  return problems;
}

/**
 * Finds recent rows that are also in a packed year. Read after the year, so that rows compacted meanwhile are already gone.
 */
async function storedTwice(sql: Sql, year: PackedYear): Promise<readonly string[]> {
  const { listingId, firstMs, lastMs } = year;
  const span = { fromDay: Math.floor(firstMs / DAY_MS), toDay: Math.floor(lastMs / DAY_MS) + 1 };
  const recent = await findRecent(sql, [listingId], span);
  if (recent.length === 0) return [];
  const packed = new Set(unpackYear(year).map((each) => each.observedAtMs));
  return recent
    .filter((each) => packed.has(each.observedAtMs))
    .map(
      (each) =>
        `observation ${listingId} at ${each.observedAtMs}: it is stored both as recent and as packed`,
    );
}
