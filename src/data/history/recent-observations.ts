// Recent observations, the rows of `observations`. One is appended for each successful fetch and each row of a file. They are
// never changed, and are removed when packed into their year. The table is ordered by day, then by listing.

import { DAY_MS, SECOND_MS } from '../../base/clock.ts';
import { wholeSecond } from '../../rules/history/recorded-instant.ts';
import { fromNative, storedPrice, type StoredObservation } from '../../rules/history/year-state.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { placeholdersOf, padded } from '../statement-values.ts';

/** One observation with the listing it belongs to. */
export type ListingObservation = StoredObservation & { readonly listingId: string };

/** Days since 1970: `fromDay` is included, `toDay` is not. */
type EpochDays = { readonly fromDay: number; readonly toDay: number };

export const ALL_DAYS: EpochDays = { fromDay: 0, toDay: 100_000_000 };

/** Maximum days in one statement. There are fewer recent days if compaction runs every week. */
const DAYS_AT_ONCE = 64;

/**
 * Finds recent observations of these listings. The statement names days and listings, the order of the rows. Each row is then
 * found directly, regardless of the amount of other data, and the database needs no statistics to plan that.
 */
export async function findRecent(
  sql: Sql,
  listingIds: readonly string[],
  span: EpochDays,
): Promise<readonly ListingObservation[]> {
  return await findRecentOfDays(sql, listingIds, await recentDays(sql, span));
}

/** Finds the recent observations of these listings on these ordered days; at most `most`, whichever are found first. */
export async function findRecentOfDays(
  sql: Sql,
  listingIds: readonly string[],
  days: readonly number[],
  most = Number.MAX_SAFE_INTEGER,
): Promise<readonly ListingObservation[]> {
  const found: ListingObservation[] = [];
  for (let from = 0; from < days.length && found.length < most; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE);
    const names = { days: padded(some), ids: padded(listingIds) };
    const dayMarks = placeholdersOf(names.days, 4);
    const rows = await sql.all(
      `select listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock
       from observations
       where observed_at_ms >= $1 and observed_at_ms < $2 and day in (${dayMarks})
         and listing_id in (${placeholdersOf(names.ids, 4 + names.days.length)})
       limit $3`,
      [...instantsOf(some), most - found.length, ...names.days, ...names.ids],
    );
    for (const row of rows) found.push(toListingObservation(row));
  }
  return found;
}

/** Listings with ids after `after` and up to `until`, inclusive. */
type ListingRange = { readonly after: string; readonly until: string };

/**
 * Finds recent observations of a range of listings, at most `most`, whichever are found first. On each day the rows of a range
 * are adjacent. Hundreds of listings are not named one by one, because a server that plans by a list of parameters compares
 * each row with all of them.
 */
export async function findRecentBetween(
  sql: Sql,
  { after, until }: ListingRange,
  span: EpochDays,
  most: number,
): Promise<readonly ListingObservation[]> {
  const found: ListingObservation[] = [];
  const days = await recentDays(sql, span);
  for (let from = 0; from < days.length && found.length < most; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE);
    const named = padded(some);
    const rows = await sql.all(
      `select listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock
       from observations
       where observed_at_ms >= $1 and observed_at_ms < $2 and day in (${placeholdersOf(named, 6)})
         and listing_id > $3 and listing_id <= $4
       limit $5`,
      [...instantsOf(some), after, until, most - found.length, ...named],
    );
    for (const row of rows) found.push(toListingObservation(row));
  }
  return found;
}

/**
 * Returns the instants from the start of the first day to the end of the last: they only tell PostgreSQL which months to
 * skip.
 */
function instantsOf(days: readonly number[]): readonly [number, number] {
  return [(days[0] ?? 0) * DAY_MS, ((days.at(-1) ?? 0) + 1) * DAY_MS];
}

/** Returns the days that may have recent observations, in order. */
async function recentDays(sql: Sql, { fromDay, toDay }: EpochDays): Promise<readonly number[]> {
  const rows = await sql.all(
    `select (select min(day) from observations where day >= $1 and day < $2) as first,
       (select max(day) from observations where day >= $1 and day < $2) as last`,
    [fromDay, toDay],
  );
  return await daysBetween(sql, rows[0] ?? {}, { fromDay, toDay });
}

/** Returns all days from `first` to `last` of a row. If these are far apart, only the days that have rows. */
export async function daysBetween(
  sql: Sql,
  { first, last }: Row,
  span: EpochDays,
): Promise<readonly number[]> {
  if (typeof first !== 'number' || typeof last !== 'number') return [];
  if (last - first >= DAYS_AT_ONCE) return await daysWithRows(sql, span);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Seeks from each day to the next one that has a row: imported history may have long gaps. */
async function daysWithRows(sql: Sql, { fromDay, toDay }: EpochDays): Promise<readonly number[]> {
  const rows = await sql.all(
    `with recursive days (day) as (
       select min(day) from observations where day >= $1 and day < $2
       union all
       select (select min(later.day) from observations later
         where later.day > days.day and later.day < $2)
       from days where days.day is not null)
     select day from days where day is not null`,
    [fromDay, toDay],
  );
  return rows.map((row) => Number(row['day'])).toSorted((a, b) => a - b);
}

function toListingObservation(row: Row): ListingObservation {
  const { price_cents: price, in_stock: stock, native_cents: native, native_currency: its } = row;
  const seen = {
    listingId: String(row['listing_id']),
    observedAtMs: Number(row['observed_at_ms']),
    inStock: typeof stock === 'number' ? stock === 1 : null,
  };
  const priceCents = typeof price === 'number' ? price : null;
  if (typeof native !== 'number') return { ...seen, priceCents, native: null };
  const currency = typeof its === 'string' ? its : null;
  return { ...seen, ...fromNative(seen, { cents: native, currency }) };
}

/** Days since 1970. */
export const dayNumber = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** A price seen at an instant. */
export type NewObservation = {
  readonly listingId: string;
  readonly observedAtMs: number;
  readonly price: Money | null;
  readonly inStock: boolean | null;
  /** Whether the page supports its all-nines price; false if absent. */
  readonly isBacked?: boolean;
};

/**
 * Returns the stored form of an observation. USD is `priceCents`; another or an unknown currency is stored unconverted and
 * is not part of any bar (D26). Out of stock has no price (D28), and zero is not a price (D26).
 */
export function storedForm({
  observedAtMs,
  price: seen,
  inStock,
  isBacked = false,
}: NewObservation): StoredObservation {
  const price = inStock === false || seen === null || seen.cents <= 0 ? null : seen;
  const isUsd = price?.currency === 'USD';
  return {
    observedAtMs,
    priceCents: price !== null && isUsd ? price.cents : null,
    native: price === null || isUsd ? null : price,
    inStock,
    ...(isBacked && price !== null && isUsd ? { isBacked } : {}),
  };
}

/** The values of the columns `price_cents`, `native_cents`, `native_currency` and `in_stock`. */
function priceValues(stored: StoredObservation): readonly (number | string | null)[] {
  const { priceCents, native } = storedPrice(stored);
  const { inStock } = stored;
  return [
    priceCents,
    native?.cents ?? null,
    native?.currency ?? null,
    inStock === null ? null : Number(inStock),
  ];
}

/** Name of a statement that appends an observation. It returns the place of an observation that was not stored before. */
export const OBSERVATION = 'observation';

/**
 * Appends an observation at exactly this instant, as stated in a file; stores `storedForm` of it. Two at the same instant are
 * one observation.
 */
export function insertObservation(seen: NewObservation): Statement {
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
      ...priceValues(storedForm(seen)),
    ],
    name: OBSERVATION,
  };
}

/** The observation of a fetch. */
export type FetchedObservation = Omit<NewObservation, 'observedAtMs'> & {
  readonly fetchedAtMs: number;
};

/**
 * Appends a fetched observation at the instant given by `instantToRecord`: the whole second, if it is the first observation
 * in that second. It must follow the change of its listing, so that no other process can change that row.
 */
export function insertFetched({ fetchedAtMs, ...seen }: FetchedObservation): Statement {
  const second = wholeSecond(fetchedAtMs);
  return {
    text: `insert into observations
        (day, listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock)
      select cast($1 as bigint), cast($2 as text),
        case when last is null then cast($3 as bigint)
          when last > cast($4 as bigint) then last + 1 else cast($4 as bigint) end,
        cast($6 as bigint), cast($7 as bigint), cast($8 as text), cast($9 as bigint)
      from (select max(observed_at_ms) as last from observations
        where day = $1 and listing_id = $2 and observed_at_ms >= $3 and observed_at_ms < $5) as stored_row
      where true
      on conflict (day, listing_id, observed_at_ms) do nothing`,
    params: [
      dayNumber(second),
      seen.listingId,
      second,
      fetchedAtMs,
      second + SECOND_MS,
      ...priceValues(storedForm({ ...seen, observedAtMs: second })),
    ],
  };
}

/** The place of an observation: a listing has at most one per instant. */
export type ObservationPlace = { readonly listingId: string; readonly observedAtMs: number };

/** Maximum observations removed by one statement. */
const MOST_TAKEN_OUT = 256;

/**
 * Removes observations that are now packed, hundreds per statement, because each statement costs a round trip to a server.
 */
export function deleteObservations(places: readonly ObservationPlace[]): readonly Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < places.length; at += MOST_TAKEN_OUT) {
    const some = padded(places.slice(at, at + MOST_TAKEN_OUT));
    statements.push({
      text: takenOutText(some.length),
      params: some.flatMap(({ listingId, observedAtMs }) => [
        dayNumber(observedAtMs),
        listingId,
        observedAtMs,
      ]),
    });
  }
  return statements;
}

/** SQL texts by number of observations, which takes few values. */
const TAKEN_OUT_TEXTS = new Map<number, string>();

function takenOutText(count: number): string {
  const known = TAKEN_OUT_TEXTS.get(count);
  if (known !== undefined) return known;
  const rows = Array.from({ length: count }, (_, row) => {
    const [day, id, at] = [1, 2, 3].map((first) => `$${first + 3 * row}`);
    return `(cast(${day} as bigint), cast(${id} as text), cast(${at} as bigint))`;
  });
  const text = `delete from observations
    where (day, listing_id, observed_at_ms) in (values ${rows.join(', ')})`;
  TAKEN_OUT_TEXTS.set(count, text);
  return text;
}

/** Removes all observations before a day (days since 1970). */
export function deleteObservationsBefore(day: number): Statement {
  return { text: 'delete from observations where day < $1', params: [day] };
}

/** Removes all recent observations of these listings. The rows are ordered by day, so this scans all of them. */
export function deleteObservationsOf(listingIds: readonly string[]): Statement {
  return {
    text: `delete from observations where listing_id in (${placeholdersOf(listingIds, 1)})`,
    params: listingIds,
  };
}
