// Writes the years of a compaction slice on PostgreSQL with one statement, however many they are, because each statement costs
// a message and a plan, and each parameter adds to that. The statement also deletes the packed rows, and returns a row only if
// every year was written.

import type { StoredObservation } from '../../rules/history/year-state.ts';
import { encodeYear, summaryOf, type YearKey } from '../../rules/history/encoded-year.ts';
import { dayNumber } from '../history/recent-observations.ts';
import type { Statement } from '../sql.ts';

type YearToWrite = {
  readonly place: YearKey;
  /** The text that was read; null if there was none. */
  readonly before: string | null;
  /** The year's new content; at least one observation. */
  readonly after: readonly StoredObservation[];
  /** The instants of the year's recent rows that were merged into `after`. */
  readonly taken: readonly Pick<StoredObservation, 'observedAtMs'>[];
};

/**
 * The bounds of the instants tell the server which months to skip. The bounds of the listings limit what it reads of a table
 * that it assumes to be small. The parts of the statement see the same rows, and the final count is of the rows they changed. A
 * year that another process has changed, added or removed is therefore missing from the count.
 */
const TEXT = `with given as (
    select * from json_to_recordset(cast($1 as json)) as given (listing_id text collate "C",
      year bigint, observations bigint, priced_days bigint, first_ms bigint, last_ms bigint,
      packed text collate "C", before text collate "C")),
  taken as (
    select * from json_to_recordset(cast($2 as json)) as taken (day bigint,
      listing_id text collate "C", observed_at_ms bigint)),
  added as (
    insert into packed_observations (listing_id, year, observations, priced_days, first_ms,
      last_ms, packed)
    select listing_id, year, observations, priced_days, first_ms, last_ms, packed
    from given where before is null
    on conflict (listing_id, year) do nothing returning 1),
  replaced as (
    update packed_observations as stored set observations = given.observations,
      priced_days = given.priced_days, first_ms = given.first_ms, last_ms = given.last_ms,
      packed = given.packed
    from given where stored.listing_id = given.listing_id and stored.year = given.year
      and stored.packed = given.before and stored.listing_id between $5 and $6
    returning 1),
  gone as (
    delete from observations as recent using taken
    where recent.day = taken.day and recent.listing_id = taken.listing_id
      and recent.observed_at_ms = taken.observed_at_ms
      and recent.observed_at_ms between $3 and $4 and recent.listing_id between $5 and $6)
  select 1 as written where (select count(*) from added) + (select count(*) from replaced)
    = (select count(*) from given)`;

/** Writes the years. Rolls back unless all are unchanged since they were read; requires at least one. */
export function writeYears(years: readonly YearToWrite[]): Statement {
  const given = years.map(({ place, before, after }) => {
    const { observations, pricedDays, firstMs, lastMs } = summaryOf(after);
    return {
      listing_id: place.listingId,
      year: place.year,
      observations,
      priced_days: pricedDays,
      first_ms: firstMs,
      last_ms: lastMs,
      packed: encodeYear(place, after),
      before,
    };
  });
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  const taken = years.flatMap(({ place: { listingId }, taken: rows }) =>
    rows.map(({ observedAtMs }) => {
      first = Math.min(first, observedAtMs);
      last = Math.max(last, observedAtMs);
      return { day: dayNumber(observedAtMs), listing_id: listingId, observed_at_ms: observedAtMs };
    }),
  );
  const ids = years.map(({ place }) => place.listingId).toSorted();
  return {
    text: TEXT,
    params: [
      JSON.stringify(given),
      JSON.stringify(taken),
      first,
      last,
      ids[0] ?? '',
      ids.at(-1) ?? '',
    ],
    mustReturn: true,
  };
}
