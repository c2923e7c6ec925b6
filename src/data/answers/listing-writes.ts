// Writes listings: a reading, in the common row or in a row of its source or organization (layers.ts), and what an imported
// price history names.

import type { Listing } from '../../base/listing/listing.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Origin } from '../../base/listing/origin.ts';
import type { ReadNotes } from '../../base/listing/page.ts';
import type { Slug } from '../../base/retailer.ts';
import type { FoundVia, Move, Owner } from '../../base/listing/stored-listing.ts';
import type { Statement } from '../sql.ts';
import { mayReplace, originValues, placeholdersOf } from '../statement-values.ts';
import { LAYERED, layerKey, type LayerOf } from './layers.ts';
import { listingIdOf } from './listings.ts';
import { unitsOfListing, withoutFiner } from './record-amounts.ts';

export type ListingToUpsert = {
  readonly retailer: Slug;
  readonly key: string;
  /** Where it was read. */
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** Present if its address shows another product now. */
  readonly moved?: Move;
  /** The number of products that its address has shown; absent if it is unchanged. */
  readonly shownCount?: number;
  /** The source that stated it; absent for rows that are older than origins. */
  readonly origin?: Origin;
  /** The organization whose fact it is; absent for everybody's. */
  readonly owner?: Owner;
};

/** The id of the row in which a reading is stored: the common one's, or the id of a row over it. */
export function rowIdOf(
  read: Pick<ListingToUpsert, 'retailer' | 'key' | 'origin' | 'owner'>,
): string {
  return listingIdOf(read.retailer, layerKey(read.key, layerOf(read)) ?? read.key);
}

function layerOf({ origin, owner }: Pick<ListingToUpsert, 'origin' | 'owner'>): LayerOf {
  return { origin, organizationId: owner?.organizationId };
}

/**
 * Writes a reading. An earlier fetch never replaces a later one, whichever is written last. A failed attempt writes
 * nothing: stored facts stay, with their own time (D25). Facts from a source with terms or an organization get a row over
 * the common one, which is made if it does not exist.
 */
export function upsertListing(read: ListingToUpsert): readonly Statement[] {
  const key = layerKey(read.key, layerOf(read));
  if (key === null) return [upsertRow(read, { key: read.key, over: null })];
  const id = listingIdOf(read.retailer, read.key);
  return [layeredRow(read, id), upsertRow(read, { key, over: id })];
}

function layeredRow({ retailer, key, url, foundVia }: ListingToUpsert, id: string): Statement {
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms, is_layered)
      values ($1, $2, $3, $4, $5, '${LAYERED}', 0, 1)
      on conflict (id) do update set is_layered = 1 where listings.is_layered is null`,
    params: [id, retailer, key, url, foundVia],
  };
}

/** A row's own key, and the id of the common row over which it lies. */
type RowPlace = { readonly key: string; readonly over: string | null };

function upsertRow(read: ListingToUpsert, { key, over }: RowPlace): Statement {
  const { listing, moved, shownCount, origin, owner } = read;
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms, fetched_at_ms, record, price_cents, currency, in_stock, moved_to, moved_since_ms,
        shown_count, source, door, layer_of, organization_id, is_shared)
      values ($1, $2, $3, $4, $5, $6, $12, $13, $7, $8, $9, $10, $11, $14, $15, $16, $17, $18, $19, $20, $21)
      on conflict (id) do update set
        url = excluded.url, found_via = excluded.found_via, gtin14 = excluded.gtin14,
        outcome = excluded.outcome, moved_to = excluded.moved_to,
        moved_since_ms = excluded.moved_since_ms,
        shown_count = coalesce(excluded.shown_count, listings.shown_count), checked_at_ms = excluded.checked_at_ms,
        fetched_at_ms = excluded.fetched_at_ms, record = excluded.record,
        price_cents = excluded.price_cents, currency = excluded.currency,
        in_stock = excluded.in_stock, source = excluded.source, door = excluded.door,
        is_shared = excluded.is_shared
      where listings.fetched_at_ms is null or ${mayReplace('listings', 'fetched_at_ms')}`,
    params: [
      listingIdOf(read.retailer, key),
      read.retailer,
      key,
      read.url,
      read.foundVia,
      listing.gtin,
      read.fetchedAtMs,
      recordText(listing, read.notes),
      listing.price?.cents ?? null,
      listing.price?.currency ?? null,
      listing.inStock === null ? null : Number(listing.inStock),
      moved === undefined ? 'read' : 'moved',
      moved?.readAtMs ?? read.fetchedAtMs,
      moved?.toId ?? null,
      moved?.sinceMs ?? null,
      shownCount ?? null,
      ...originValues(origin),
      over,
      owner?.organizationId ?? null,
      owner?.isShared === true ? 1 : null,
    ],
  };
}

/** The outcome of a row whose sale the terms of its source made us delete. */
export const STRIPPED = 'stripped';

/** The record as text. An offer states few of its many fields; the others are left out. */
export function recordText(
  listing: Listing,
  { places: _places, own: _own, ...notes }: ReadNotes,
): string {
  const { offers, ...facts } = withoutFiner(listing);
  const stated = offers.map((offer) =>
    Object.fromEntries(Object.entries(offer).filter(([, value]) => value !== null)),
  );
  return JSON.stringify({
    listing: stated.length === 0 ? facts : { ...facts, offers: stated },
    notes,
    ...unitsOfListing(listing),
  });
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
 * Writes a listing that has a history and was never read (`record is null`, checked at no time). One that was read keeps what
 * its page said. The barcode is only filled in if none is known.
 */
export function insertImportedListing({ retailer, key, url, gtin }: ImportedListing): Statement {
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms)
      values ($1, $2, $3, $4, 'submitted_url', $5, 'imported', 0)
      on conflict (id) do update set gtin14 = coalesce(listings.gtin14, excluded.gtin14),
        outcome = excluded.outcome
      where listings.record is null and (listings.outcome <> excluded.outcome
        or (listings.gtin14 is null and excluded.gtin14 is not null))`,
    params: [listingIdOf(retailer, key), retailer, key, url, gtin],
  };
}

/** Deletes listings. Everything that points to them must be gone before. */
export function deleteListings(ids: readonly string[]): Statement {
  return { text: `delete from listings where id in (${placeholdersOf(ids, 1)})`, params: ids };
}
