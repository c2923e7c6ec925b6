// What the history of a product is read from: the listings that are known of it, imported ones included,
// and their observations in pages, newest first. Knows no rule about which of them belong together.

import type { Gtin14 } from '../domain/gtin.ts';
import type { Observation } from '../domain/price-history.ts';
import type { Slug } from '../domain/retailer.ts';
import { listingIdOf } from './catalog.ts';
import { toObservation } from './history.ts';
import type { Row, Sql } from './sql.ts';

/** A listing that was read, or that has observations although it was only imported. */
export type KnownListing = {
  readonly id: string;
  readonly retailer: Slug;
  readonly gtin: Gtin14 | null;
  /** False: only imported, its page was never read. */
  readonly isRead: boolean;
};

/** One observation with the listing it belongs to; the pair of instant and listing is its place. */
export type PlacedObservation = Observation & { readonly listingId: string };

export type Place = { readonly observedAtMs: number; readonly listingId: string };

export type HistoryPage = {
  readonly listingIds: readonly string[];
  /** From this instant on. */
  readonly fromMs: number;
  /** Only what stands behind this place; null: from the newest. */
  readonly after: Place | null;
  readonly limit: number;
};

export type ProductHistory = {
  findKnownListing(retailer: Slug, key: string): Promise<KnownListing | null>;
  findKnownListingById(id: string): Promise<KnownListing | null>;
  /** By retailer and key; at most 200 that were read and 200 that were only imported. */
  findKnownListingsByGtin(gtin: Gtin14): Promise<readonly KnownListing[]>;
  /** Newest first; listings of the same instant in the order of their ids, backwards. */
  readPage(page: HistoryPage): Promise<readonly PlacedObservation[]>;
};

const KNOWN = `select id, retailer, gtin14, case when record is null then 0 else 1 end as is_read
  from listings`;
const IS_KNOWN = `(record is not null
  or exists (select 1 from observations where observations.listing_id = listings.id))`;
const MAX_OF_ONE_BARCODE = 200;

export function createProductHistory(sql: Sql): ProductHistory {
  const byGtin = (gtin: Gtin14, part: string) =>
    sql.all(
      `${KNOWN} where gtin14 = $1 and record ${part} and ${IS_KNOWN}
       order by retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
      [gtin],
    );
  return {
    findKnownListing: (retailer, key) => findKnown(sql, listingIdOf(retailer, key)),
    findKnownListingById: (id) => findKnown(sql, id),
    async findKnownListingsByGtin(gtin) {
      const read = await byGtin(gtin, 'is not null');
      return [...read, ...(await byGtin(gtin, 'is null'))].map(toKnownListing);
    },
    readPage: (page) => readPage(sql, page),
  };
}

async function findKnown(sql: Sql, id: string): Promise<KnownListing | null> {
  const rows = await sql.all(`${KNOWN} where id = $1 and ${IS_KNOWN}`, [id]);
  return rows.map(toKnownListing)[0] ?? null;
}

function toKnownListing(row: Row): KnownListing {
  const gtin = row['gtin14'];
  return {
    id: String(row['id']),
    retailer: String(row['retailer']),
    // SAFETY: only normal forms are written to the column, and `checkStore` reports another.
    gtin: typeof gtin === 'string' ? (gtin as Gtin14) : null,
    isRead: Number(row['is_read']) === 1,
  };
}

async function readPage(sql: Sql, page: HistoryPage): Promise<readonly PlacedObservation[]> {
  const { listingIds, fromMs, after, limit } = page;
  if (listingIds.length === 0) return [];
  const ids = listingIds.map((_, at) => `$${at + 4}`).join(', ');
  const rows = await sql.all(
    `select listing_id, observed_at_ms, price_cents, in_stock from observations
     where listing_id in (${ids}) and observed_at_ms >= $1 and (observed_at_ms < $2
       or (observed_at_ms = $2 and listing_id < $3))
     order by observed_at_ms desc, listing_id desc limit ${Math.trunc(limit)}`,
    [fromMs, after?.observedAtMs ?? Number.MAX_SAFE_INTEGER, after?.listingId ?? '', ...listingIds],
  );
  return rows.map((row) => ({ ...toObservation(row), listingId: String(row['listing_id']) }));
}
