// openshelf check for sellers, reviews and offers: rows that this program could not have written. Reads in pages, so that
// memory use stays small.

import type { Row, Sql } from '../sql.ts';
import { rowsInPages } from './table-rows.ts';

const PAGE = 500;

/** Returns the problems by kind, one sentence each. */
export async function checkMarketplace(sql: Sql): Promise<readonly (readonly string[])[]> {
  return [
    await checkEach(sql, SELLERS),
    await checkEach(sql, REVIEWS),
    await checkEach(sql, TOTALS),
    await checkReviewedItems(sql),
    await checkEach(sql, OFFERS),
    await checkOfferOwners(sql),
    await checkOfferLists(sql),
  ];
}

type RowCheck = {
  readonly table: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly called: string;
  /** Describes the defect of a row; null if there is none. */
  readonly problemOf: (row: Row) => string | null;
};

async function checkEach(sql: Sql, check: RowCheck): Promise<readonly string[]> {
  const { table: name, key, called, problemOf } = check;
  const columns = [...key, ...check.columns];
  const problems: string[] = [];
  for await (const rows of rowsInPages(sql, { name, key, columns }, PAGE)) {
    for (const row of rows) {
      const problem = problemOf(row);
      if (problem === null) continue;
      problems.push(`${called} ${key.map((column) => row[column]).join(' ')}: ${problem}`);
    }
  }
  return problems;
}

/** Parses a JSON object; null for any other text. */
function objectOf(text: Row[string] | undefined): Readonly<Record<string, unknown>> | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

const SELLERS: RowCheck = {
  table: 'sellers',
  key: ['seller_key'],
  columns: ['seller_hex', 'catalog_id', 'profile'],
  called: 'seller',
  problemOf: (row) => {
    const { seller_key: key, seller_hex: hex, catalog_id: number } = row;
    if (key !== (hex ?? number)) return 'it is not stored under any of its ids';
    if (typeof hex === 'string' && !/^[0-9A-Z]{32}$/.test(hex)) {
      return `${hex} is not 32 digits and capital letters`;
    }
    if (typeof number === 'string' && !/^\d{1,15}$/.test(number))
      return `${number} is not a number`;
    if (row['profile'] === null) return null;
    const profile = objectOf(row['profile']);
    if (profile === null) return 'the profile is not readable';
    const named = profile['sellerId'] ?? null;
    return named === hex ? null : `the profile is that of ${JSON.stringify(named)}`;
  },
};

const REVIEWS: RowCheck = {
  table: 'reviews',
  key: ['item_id', 'review_id'],
  columns: ['day'],
  called: 'review',
  problemOf: ({ day }) => (isDay(String(day)) ? null : `${day} is not a day`),
};

const TOTALS: RowCheck = {
  table: 'review_totals',
  key: ['item_id'],
  columns: ['average', 'total', 'distribution'],
  called: 'reviews of',
  problemOf: ({ average, total, distribution }) => {
    if (average !== null && !(Number(average) >= 0 && Number(average) <= 5)) {
      return `an average of ${average}`;
    }
    if (total !== null && Number(total) < 0) return `${total} reviews`;
    if (distribution === null) return null;
    const stars = objectOf(distribution);
    if (stars === null) return 'the numbers by stars are not readable';
    const wrong = Object.entries(stars).find(
      ([name, count]) => !/^[1-5]$/.test(name) || !Number.isInteger(count) || Number(count) < 0,
    );
    return wrong === undefined ? null : `${String(wrong[1])} reviews of ${wrong[0]} stars`;
  },
};

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  // The parser accepts February 30 as a day in March.
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}

/** Each item with reviews has totals: they are written with the first page of reviews, in one transaction. */
async function checkReviewedItems(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select distinct reviews.item_id as item_id from reviews
     left join review_totals on review_totals.item_id = reviews.item_id
     where review_totals.item_id is null order by reviews.item_id`,
  );
  return rows.map((row) => `reviews of ${row['item_id']}: there are some, but no totals`);
}

const OFFERS: RowCheck = {
  table: 'archived_offers',
  key: ['listing_id', 'observed_at_ms', 'place'],
  columns: ['offer_id', 'seller_key', 'price_cents', 'record'],
  called: 'offer',
  problemOf: (row) => {
    const offer = objectOf(row['record']);
    if (offer === null) return 'the record is not readable';
    const stated: readonly (readonly [string, unknown, unknown])[] = [
      ['id', offer['offerId'] ?? null, row['offer_id']],
      ['seller', offer['sellerIdHex'] ?? offer['sellerId'] ?? null, row['seller_key']],
      ['price', priceIn(offer), row['price_cents']],
    ];
    const wrong = stated.find(([, said, stored]) => said !== stored);
    if (wrong === undefined) return null;
    const [what, said, stored] = wrong;
    return `the record has ${what} ${String(said)}, the column ${String(stored)}`;
  },
};

/**
 * Returns the price in US cents; null unless it is in dollars, above zero, and of an available offer. Duplicated here on
 * purpose, as in `check.ts`.
 */
function priceIn(offer: Readonly<Record<string, unknown>>): number | null {
  const { price, inStock } = offer;
  if (inStock === false || typeof price !== 'object' || price === null) return null;
  const { cents, currency } = price as { readonly cents?: unknown; readonly currency?: unknown };
  return currency === 'USD' && typeof cents === 'number' && cents > 0 ? cents : null;
}

async function checkOfferOwners(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select distinct listing_id, retailer from archived_offers
     left join listings on listings.id = listing_id
     where listings.id is null or retailer <> 'retailer_w' order by listing_id`,
  );
  return rows.map((row) =>
    row['retailer'] === null
      ? `offers of ${row['listing_id']}: the listing does not exist`
      : `offers of ${row['listing_id']}: archived, but it is a listing of ${row['retailer']}`,
  );
}

/**
 * Checks that each listing with stored whole lists has an entry for its newest list, whose count is at least the number of
 * offers stored from that list. An entry older than the newest offers is correct: they were seen before a clock was set back.
 */
async function checkOfferLists(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select newest.listing_id as listing_id, newest.at_ms as at_ms, noted.fetched_at_ms as noted_ms,
       noted.offers_count as noted_count, count(stored.place) as stored
     from (select listing_id, max(observed_at_ms) as at_ms from archived_offers
       where is_partial = 0 group by listing_id) newest
     join archived_offers stored on stored.listing_id = newest.listing_id
       and stored.observed_at_ms = newest.at_ms and stored.is_partial = 0
     left join offer_lists noted on noted.listing_id = newest.listing_id
     group by newest.listing_id, newest.at_ms, noted.fetched_at_ms, noted.offers_count
     having noted.fetched_at_ms is null
       or (noted.fetched_at_ms = newest.at_ms and count(stored.place) > noted.offers_count)
     order by newest.listing_id`,
  );
  return rows.map((row) => {
    const { listing_id: listing, noted_ms: noted, at_ms: at } = row;
    return noted === null
      ? `offers of ${listing}: they are of a list read at ${at}, but no list is recorded`
      : `offers of ${listing}: ${row['stored']} are stored, of a list of ${row['noted_count']}`;
  });
}
