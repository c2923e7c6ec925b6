// Listings: what each retailer said last, found by its own identifier or by barcode. Reads are functions
// over Sql; writes are statements, so that a listing and its observation can share one unit.

import { createHash } from 'node:crypto';

import { EMPTY_LISTING, type Listing } from '../domain/listing.ts';
import type { Gtin14 } from '../domain/gtin.ts';
import type { ReadNotes } from '../domain/page.ts';
import type { FoundVia, StoredListing } from '../domain/product.ts';
import type { Slug } from '../domain/retailer.ts';
import type { Row, Sql, Statement } from './sql.ts';

/** The last attempt's result: `read`, or what a verdict or a failed fetch was called. */
export type ListingOutcome = string;

/** A row of the catalog: the last attempt, and the listing of the last attempt that read one. */
export type ListingRow = {
  readonly id: string;
  readonly retailer: Slug;
  readonly key: string;
  readonly outcome: ListingOutcome;
  readonly checkedAtMs: number;
  /** Null: nothing was ever read here (a remembered negative answer, D38). */
  readonly held: (StoredListing & { readonly notes: ReadNotes }) | null;
};

export type Catalog = {
  /** By the retailer's identifier, or the reduced address for a shop without identifiers (D9). */
  findListing(retailer: Slug, key: string): Promise<ListingRow | null>;
  /** A held listing by its id; null when there is none or nothing was ever read. */
  findListingById(id: string): Promise<StoredListing | null>;
  /** Every held listing that publishes this barcode, by retailer and key; at most 200. */
  findListingsByGtin(gtin: Gtin14): Promise<readonly StoredListing[]>;
};

const MAX_OF_ONE_BARCODE = 200;

export function createCatalog(sql: Sql): Catalog {
  return {
    async findListing(retailer, key) {
      const rows = await sql.all(
        'select * from listings where retailer = $1 and listing_key = $2',
        [retailer, key],
      );
      return rows.map(toListingRow)[0] ?? null;
    },
    async findListingById(id) {
      const rows = await sql.all('select * from listings where id = $1', [id]);
      return rows.map(toListingRow)[0]?.held ?? null;
    },
    async findListingsByGtin(gtin) {
      const rows = await sql.all(
        `select * from listings where gtin14 = $1 and record is not null
         order by retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
        [gtin],
      );
      return rows.map(toListingRow).flatMap(({ held }) => (held === null ? [] : [held]));
    },
  };
}

/** A function of what the listing is, so that its observation can name it in the same unit. */
export function listingIdOf(retailer: Slug, key: string): string {
  return createHash('sha256').update(`${retailer}\n${key}`).digest('base64url').slice(0, 22);
}

function toListingRow(row: Row): ListingRow {
  const id = String(row['id']);
  const retailer = String(row['retailer']);
  const key = String(row['listing_key']);
  const record = row['record'];
  return {
    id,
    retailer,
    key,
    outcome: String(row['outcome']),
    checkedAtMs: Number(row['checked_at_ms']),
    held:
      typeof record !== 'string'
        ? null
        : {
            id,
            retailer,
            key,
            url: String(row['url']),
            // SAFETY: only `fileListing` and `fileFailure` write it, from the same union.
            foundVia: String(row['found_via']) as FoundVia,
            fetchedAtMs: Number(row['fetched_at_ms']),
            ...recordOf(record),
          },
  };
}

/**
 * The listing and notes of a stored record; throws on text that is no record. A record written before a
 * field existed says nothing about it: null, as everywhere (D23).
 */
export function recordOf(text: string): { listing: Listing; notes: ReadNotes } {
  // SAFETY: our own JSON, made by `fileListing`; `checkStore` reports a row where it is not.
  const { listing, notes } = JSON.parse(text) as {
    listing: Partial<Listing>;
    notes?: Partial<ReadNotes>;
  };
  if (typeof listing !== 'object' || listing === null) throw new Error('record has no listing');
  return {
    listing: { ...EMPTY_LISTING, ...listing },
    notes: { missing: notes?.missing ?? [], remarks: notes?.remarks ?? [] },
  };
}

export type FiledListing = {
  readonly retailer: Slug;
  readonly key: string;
  /** Where it was read. */
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  readonly notes: ReadNotes;
};

/**
 * Files what was read. What was fetched earlier never replaces what was fetched later, whichever write
 * comes last, and a failure that was noted meanwhile stays noted. The id is `listingIdOf`.
 */
export function fileListing(filed: FiledListing): Statement {
  const { listing } = filed;
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms, fetched_at_ms, record, price_cents, currency, in_stock)
      values ($1, $2, $3, $4, $5, $6, 'read', $7, $7, $8, $9, $10, $11)
      on conflict (retailer, listing_key) do update set
        url = excluded.url, found_via = excluded.found_via, gtin14 = excluded.gtin14,
        outcome = case when listings.checked_at_ms > excluded.checked_at_ms
          then listings.outcome else excluded.outcome end,
        checked_at_ms = case when listings.checked_at_ms > excluded.checked_at_ms
          then listings.checked_at_ms else excluded.checked_at_ms end,
        fetched_at_ms = excluded.fetched_at_ms, record = excluded.record,
        price_cents = excluded.price_cents, currency = excluded.currency,
        in_stock = excluded.in_stock
      where listings.fetched_at_ms is null or excluded.fetched_at_ms >= listings.fetched_at_ms`,
    params: [
      listingIdOf(filed.retailer, filed.key),
      filed.retailer,
      filed.key,
      filed.url,
      filed.foundVia,
      listing.gtin,
      filed.fetchedAtMs,
      JSON.stringify({ listing, notes: filed.notes }),
      listing.price?.cents ?? null,
      listing.price?.currency ?? null,
      listing.inStock === null ? null : Number(listing.inStock),
    ],
  };
}

export type FiledFailure = {
  readonly retailer: Slug;
  readonly key: string;
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly outcome: ListingOutcome;
  readonly checkedAtMs: number;
};

/**
 * Remembers an attempt that read nothing (D38). The record that is held stays, with its own time: a time
 * stamp is never renewed without a fetch that succeeded (D25).
 */
export function fileFailure(failure: FiledFailure): Statement {
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (retailer, listing_key) do update set
        outcome = excluded.outcome, checked_at_ms = excluded.checked_at_ms
      where excluded.checked_at_ms >= listings.checked_at_ms`,
    params: [
      listingIdOf(failure.retailer, failure.key),
      failure.retailer,
      failure.key,
      failure.url,
      failure.foundVia,
      failure.outcome,
      failure.checkedAtMs,
    ],
  };
}
