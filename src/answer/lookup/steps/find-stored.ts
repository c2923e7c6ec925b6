// Finds the stored data of a key: the listing that would anchor the answer, and the data under its barcode. Only reads.

import type { Clock } from '../../../base/clock.ts';
import { FaultError } from '../../../base/fault.ts';
import { STALE_MS } from '../../collect/freshness.ts';
import { shownAt } from '../../collect/shown-at.ts';
import { slugOf } from '../../collect/slug-of.ts';
import { goalOfShortLink, isShortLinkKey } from '../../collect/listing-key.ts';
import type { CanAskByBarcode } from '../../collect/asking/source-access.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { addressReadAtMs } from '../../../base/listing/stored-listing.ts';
import type { Reads } from '../cache/read-session.ts';
import { anchorOf, unknownShopAnchor, type Anchor } from '../stored/anchor.ts';
import {
  NOTHING_STORED,
  readStoredForBarcode,
  type StoredForBarcode,
  type StoredForBarcodeParts,
} from '../stored/stored-for-barcode.ts';
import { haveAllAnswered, isAnswered } from '../stored/is-answered.ts';
import { askedTooEarly } from '../stored/judged-again.ts';
import type { LookupKey, ParsedLookup } from './parse-lookup.ts';

/** A key whose listing or barcode is known. */
export type KnownKey = Exclude<LookupKey, { by: 'barcode_of_listing' }>;

export type FindStoredParts = StoredForBarcodeParts & {
  readonly store: Reads;
  readonly canAskByBarcode: CanAskByBarcode;
  readonly clock: Clock;
};

export type StoredAnchor = {
  /** Null if no stored listing may answer. */
  readonly anchor: Anchor | null;
  /** False if retailers must be asked first; `anchor` is then used if they do not answer (D38). */
  readonly isAnswered: boolean;
  /** The data stored for the requested barcode. Empty for a listing, because its anchor states its barcode. */
  readonly forBarcode: StoredForBarcode;
};

/**
 * Returns the key with its listing's barcode, if that listing is stored and not too old. Null if the listing must be read
 * first. A short link that was followed stands for the product to which it leads.
 */
export async function storedKey(
  { store, clock }: FindStoredParts,
  key: LookupKey,
): Promise<KnownKey | null> {
  if (key.by === 'listing' && isShortLinkKey(key.listing)) {
    const { retailer, key: name } = key.listing;
    const storedListing = await store.listings.findListing(retailer, name);
    const shown = storedListing === null ? null : await shownAt(store.listings, storedListing);
    const goal = shown === null ? null : goalOfShortLink(key.listing, shown.listing);
    return goal === null ? key : { identifier: goal.identifier, by: 'listing', listing: goal };
  }
  if (key.by !== 'barcode_of_listing') return key;
  const { identifier, listing } = key;
  const stored = await store.listings.findListing(listing.retailer, listing.key);
  if (stored === null || clock.now() - stored.fetchedAtMs > STALE_MS) return null;
  const { gtin } = stored.listing;
  return gtin === null ? null : { identifier, by: 'barcode', gtin };
}

/** Throws for an address whose shop is not the one in `retailer=` (D46). */
export async function findStored(
  parts: FindStoredParts,
  { retailer }: ParsedLookup,
  key: KnownKey,
): Promise<StoredAnchor> {
  if (key.by === 'barcode') return storedForBarcode(parts, key.gtin, retailer);
  const { store, clock } = parts;
  const slug = await slugOf(store, key.listing);
  if (retailer !== null && retailer !== slug) throw otherShop(slug);
  const storedListing = await store.listings.findListing(slug, key.listing.key);
  const shown = storedListing === null ? null : await shownAt(store.listings, storedListing);
  // D18: with `retailer=` no other shop answers, not even the one to which the address leads now.
  const stored = retailer !== null && shown?.retailer !== retailer ? null : shown;
  const from =
    storedListing === null || storedListing.id === stored?.id ? {} : { from: storedListing };
  const anchor = stored === null ? null : { stored, identity: null, ...from };
  return { anchor, isAnswered: isNewEnough(anchor, clock), forBarcode: NOTHING_STORED };
}

/** D56: returns the retailers' answers, without listings of retailers that were not asked for this barcode. */
export async function storedForBarcode(
  parts: FindStoredParts,
  gtin: Gtin14,
  retailer: string | null,
): Promise<StoredAnchor> {
  const { matching, canAskByBarcode: canAsk, clock } = parts;
  const forBarcode = await readStoredForBarcode(parts, gtin);
  const asking = { canAsk, nowMs: clock.now() };
  const isComplete = retailer !== null || isAnswered(forBarcode, asking);
  const tied = await anchorOf(matching, forBarcode, retailer);
  const anchor =
    tied ??
    (retailer === null && haveAllAnswered(forBarcode, asking)
      ? unknownShopAnchor(forBarcode)
      : null);
  const isJudged = retailer !== null || askedTooEarly(forBarcode, anchor, canAsk).length === 0;
  return { anchor, isAnswered: isComplete && isJudged && isNewEnough(anchor, clock), forBarcode };
}

function isNewEnough(anchor: Anchor | null, clock: Clock): boolean {
  if (anchor === null) return false;
  const { stored, from = stored } = anchor;
  if (stored.limits?.withheld === 'facts') return false;
  const readAtMs = Math.min(stored.fetchedAtMs, addressReadAtMs(from));
  return clock.now() - readAtMs <= STALE_MS;
}

function otherShop(slug: string): FaultError {
  return new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: [slug],
    detail: `This address belongs to "${slug}". Send retailer=${slug}, or leave out retailer=.`,
  });
}
