// Fetches a listing of a known retailer by the retailer's own identifier, reads it, and stores it in one transaction.

import type { FetchContext } from '../../base/fetch-context.ts';
import { EMPTY_LISTING } from '../../base/listing/listing.ts';
import { bookOf } from '../../read/retailers/addresses/address-books.ts';
import { soleListingOf } from '../../read/retailers/addresses/own-identifier.ts';
import type { CollectOutcome, CollectParts } from './collect-outcome.ts';
import type { OwnListingKey } from './listing-key.ts';
import { tallied, writeTally } from './storing/read-tally.ts';
import {
  askProduct,
  listingToStore,
  ownAddressOf,
  type AnsweredListing,
  type OwnAddress,
} from './asking/retailer-listing.ts';
import {
  deleteMissOf,
  givenListing,
  listingChanges,
  storedListing,
} from './storing/store-listing.ts';
import { storeRead } from './storing/store-read.ts';
import { substituted } from './substituted.ts';

/**
 * Collects the listing. If the retailer serves a different listing instead, that is stored under its own identifier, and the
 * outcome is a miss. Throws `identity_mismatch` if that is another ASIN (D45).
 */
export async function collectOwn(
  given: CollectParts,
  key: OwnListingKey,
  context: FetchContext,
): Promise<CollectOutcome> {
  const parts = tallied(given);
  const { retailer, identifier } = key;
  const outcome = await askProduct(parts, retailer, identifier, context);
  const answered = outcome.kind === 'read' ? outcome.product : null;
  if (answered === null) {
    await writeTally(parts.store, parts.tally);
    return outcome.kind === 'read' ? UNREADABLE : outcome;
  }
  const served = servedInstead(key, answered);
  const toStore = listingToStore(retailer, served ?? key, answered);
  const alongside = [...deleteMissOf(toStore), ...parts.tally.take()];
  const stored = storedListing(toStore);
  const { withdrawnRules } = toStore.notes;
  const changes = listingChanges(toStore);
  const read = { stored, gtin: null, changes, alongside, withdrawnRules };
  await storeRead(parts, read, context);
  if (served === null) {
    return { kind: 'read', stored: await givenListing(parts.store, stored), identity: null };
  }
  if (identifier.kind !== 'asin') {
    const detail = `${retailer} shows ${served.key} at the address of ${key.key}, which is another product.`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  throw substituted(identifier.value, served.key);
}

/**
 * Returns the address of another listing than the requested one. It counts only if the identifier names exactly one listing, or
 * if the request was redirected to another one's address. A parent's page that shows its first variant is the retailer's own
 * answer to the parent's id.
 */
function servedInstead(key: OwnListingKey, { listing, url }: AnsweredListing): OwnAddress | null {
  const { identifier, retailer } = key;
  const { asin, itemId } = listing;
  const served = identifier.kind === 'asin' ? asin : itemId;
  const asked = soleListingOf(identifier) ?? (isLedTo(key, url, served) ? identifier.value : null);
  if (asked === null || served === null || served === asked) return null;
  return ownAddressOf(retailer, { ...EMPTY_LISTING, asin, itemId });
}

/**
 * Checks whether the address that answered is this item's. A catalog product's id is not a number, and leads to one of its
 * listings.
 */
function isLedTo(
  { identifier, retailer }: OwnListingKey,
  url: string,
  itemId: string | null,
): boolean {
  const answered = /^\d+$/.test(identifier.value) ? URL.parse(url) : null;
  const there = answered === null ? null : bookOf(retailer).reduce(answered);
  return there !== null && there.kind === identifier.kind && there.value === itemId;
}

const UNREADABLE: CollectOutcome = {
  kind: 'failed',
  fault: {
    code: 'source_unusable',
    upstream: 'upstream_bad_response',
    detail: "The retailer's response could not be read. Trying again is unlikely to help.",
  },
};
