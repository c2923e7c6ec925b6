// Listings: what each retailer said last, found by its own identifier or by barcode. Reads are functions
// over Sql; writes are statements, so that a listing and its observation can share one unit.

import { createHash } from 'node:crypto';

import { EMPTY_LISTING, type Listing } from '../listing/listing.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { ReadNotes } from '../listing/page.ts';
import type { Slug } from '../core/retailer.ts';
import type { Row, Sql, Statement } from './sql.ts';
import type { FoundVia, StoredListing } from '../listing/stored-listing.ts';

/** A listing as it is held, with what its reader noted. */
export type HeldListing = StoredListing & { readonly notes: ReadNotes };

export type Listings = {
  /** By the retailer's identifier, or the reduced address for a shop without identifiers (D9). */
  findListing(retailer: Slug, key: string): Promise<HeldListing | null>;
  /** By its id. */
  findListingById(id: string): Promise<StoredListing | null>;
  /**
   * Every held listing that publishes this barcode or that a cell names under it, mismatching ones included, by
   * retailer and key; at most 200.
   */
  findListingsTiedTo(gtin: Gtin14): Promise<readonly StoredListing[]>;
  /**
   * Held listings in the order of their ids, which is no order of anything else: the first ones are a sample of all.
   * `after` is the last id of the page before, '' to begin.
   */
  sampleListings(after: string, limit: number): Promise<readonly StoredListing[]>;
};

const MAX_OF_ONE_BARCODE = 200;

/** A row without a record has an imported history and was never read: no listing is held. */
export function createListings(sql: Sql): Listings {
  return {
    findListing: (retailer, key) => findHeld(sql, listingIdOf(retailer, key)),
    findListingById: (id) => findHeld(sql, id),
    async findListingsTiedTo(gtin) {
      const rows = await sql.all(
        `select * from listings where record is not null and id in (
           select id from listings where gtin14 = $1
           union select listing_id from cells where gtin14 = $1 and listing_id is not null)
         order by retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
        [gtin],
      );
      return rows.map(toHeldListing);
    },
    async sampleListings(after, limit) {
      const rows = await sql.all(
        'select * from listings where record is not null and id > $1 order by id limit $2',
        [after, limit],
      );
      return rows.map(toHeldListing);
    },
  };
}

async function findHeld(sql: Sql, id: string): Promise<HeldListing | null> {
  const text = 'select * from listings where id = $1 and record is not null';
  return (await sql.all(text, [id])).map(toHeldListing)[0] ?? null;
}

/** A function of what the listing is, so that its observation can name it in the same unit. */
export function listingIdOf(retailer: Slug, key: string): string {
  return createHash('sha256').update(`${retailer}\n${key}`).digest('base64url').slice(0, 22);
}

function toHeldListing(row: Row): HeldListing {
  return {
    id: String(row['id']),
    retailer: String(row['retailer']),
    key: String(row['listing_key']),
    url: String(row['url']),
    // SAFETY: only `fileListing` writes it, from the same union.
    foundVia: String(row['found_via']) as FoundVia,
    fetchedAtMs: Number(row['fetched_at_ms']),
    ...recordOf(String(row['record'])),
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

export type ListingToUpsert = {
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
 * comes last. A failed attempt files nothing: what is held stays, with its own time (D25). The id is `listingIdOf`.
 */
export function upsertListing(filed: ListingToUpsert): Statement {
  const { listing } = filed;
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms, fetched_at_ms, record, price_cents, currency, in_stock)
      values ($1, $2, $3, $4, $5, $6, 'read', $7, $7, $8, $9, $10, $11)
      on conflict (id) do update set
        url = excluded.url, found_via = excluded.found_via, gtin14 = excluded.gtin14,
        checked_at_ms = excluded.checked_at_ms,
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

/** A listing as an imported price history names it. */
export type ImportedListing = {
  readonly retailer: Slug;
  readonly key: string;
  /** The page; empty when only a barcode is known. */
  readonly url: string;
  readonly gtin: Gtin14 | null;
};

/**
 * A listing that has a history and was never read (`record is null`, checked at no time). One that was read
 * keeps what its page said; a barcode fills in only where none is known.
 */
export function insertImportedListing({ retailer, key, url, gtin }: ImportedListing): Statement {
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms)
      values ($1, $2, $3, $4, 'submitted_url', $5, 'imported', 0)
      on conflict (id) do update set gtin14 = excluded.gtin14
      where listings.record is null and listings.gtin14 is null and excluded.gtin14 is not null`,
    params: [listingIdOf(retailer, key), retailer, key, url, gtin],
  };
}
