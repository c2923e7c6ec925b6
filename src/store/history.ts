// Price observations: appended once for each successful fetch, never changed. Bars and windows are made
// from them by domain/price-history.ts.

import { dayOf } from '../domain/clock.ts';
import type { Listing } from '../domain/listing.ts';
import type { ObservedSpan, Observation } from '../domain/price-history.ts';
import type { Row, Sql, Statement } from './sql.ts';

export type History = {
  /** Observations at or after an instant, oldest first. */
  observationsSince(listingId: string, fromMs: number): Promise<readonly Observation[]>;
  /** First and last day observed and days with a price, over all that is held. */
  observedSpan(listingId: string): Promise<ObservedSpan>;
  countObservations(listingId: string): Promise<number>;
};

export function createHistory(sql: Sql): History {
  return {
    async observationsSince(listingId, fromMs) {
      const rows = await sql.all(
        `select observed_at_ms, price_cents, in_stock from observations
         where listing_id in (${WITH_IMPORTED}) and observed_at_ms >= $2 order by observed_at_ms`,
        [listingId, fromMs],
      );
      return rows.map(toObservation);
    },
    observedSpan: (listingId) => observedSpan(sql, listingId),
    async countObservations(listingId) {
      const rows = await sql.all(
        'select count(*) as held from observations where listing_id = $1',
        [listingId],
      );
      return Number(rows[0]?.['held'] ?? 0);
    },
  };
}

/**
 * A listing and what was imported for its barcode at the same retailer: a price history that a user kept
 * under the barcode continues in what is fetched.
 */
const WITH_IMPORTED = `select cast($1 as text)
  union select imported.id from listings mine
  join listings imported on imported.gtin14 = mine.gtin14 and imported.retailer = mine.retailer
    and imported.record is null
  where mine.id = $1`;

/** A row of `observations` as the domain knows it. */
export function toObservation(row: Row): Observation {
  const { price_cents: price, in_stock: stock } = row;
  return {
    observedAtMs: Number(row['observed_at_ms']),
    priceCents: typeof price === 'number' ? price : null,
    inStock: typeof stock === 'number' ? stock === 1 : null,
  };
}

async function observedSpan(sql: Sql, listingId: string): Promise<ObservedSpan> {
  const rows = await sql.all(
    `select min(observed_at_ms) as first_ms, max(observed_at_ms) as last_ms,
       count(distinct case when price_cents is not null then observed_at_ms / 86400000 end) as days
     from observations where listing_id in (${WITH_IMPORTED})`,
    [listingId],
  );
  const { first_ms: firstMs, last_ms: lastMs, days } = rows[0] ?? {};
  return {
    firstDay: typeof firstMs === 'number' ? dayOf(firstMs) : null,
    lastDay: typeof lastMs === 'number' ? dayOf(lastMs) : null,
    daysCovered: Number(days ?? 0),
  };
}

export type SeenPrice = {
  readonly listingId: string;
  readonly observedAtMs: number;
  readonly price: Listing['price'];
  readonly inStock: boolean | null;
};

/**
 * Appends what a fetch saw. USD goes into `price_cents`; another or an unknown currency is kept as it was
 * and enters no bar (D26); out of stock has no price (D28); zero is none (D26). The same instant twice is
 * one observation.
 */
export function appendObservation(seen: SeenPrice): Statement {
  const price =
    seen.inStock === false || seen.price === null || seen.price.cents <= 0 ? null : seen.price;
  const isUsd = price?.currency === 'USD';
  return {
    text: `insert into observations
        (listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (listing_id, observed_at_ms) do nothing`,
    params: [
      seen.listingId,
      seen.observedAtMs,
      price !== null && isUsd ? price.cents : null,
      price === null || isUsd ? null : price.cents,
      price === null || isUsd ? null : price.currency,
      seen.inStock === null ? null : Number(seen.inStock),
    ],
  };
}
