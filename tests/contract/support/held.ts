// Listings that are held as if they had been read: for combinations of facts that no simulated page shows.

import assert from 'node:assert/strict';

import type { Gtin14 } from '../../../src/identifiers/gtin.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/listing/listing.ts';
import type { KnownSlug } from '../../../src/core/retailer.ts';
import { upsertListing } from '../../../src/store/listings.ts';
import type { Contract } from './contract-service.ts';

type HeldKey = {
  readonly retailer: KnownSlug;
  readonly key: string;
  readonly gtin?: string | null;
};

/** Files a listing as read just now, at the address of its retailer and key. */
export async function hold(
  contract: Contract,
  { retailer, key, gtin = null }: HeldKey,
  listing: Partial<Listing>,
): Promise<void> {
  const { page } = contract.sandbox.market().origins[retailer];
  const filed = upsertListing({
    retailer,
    key,
    url: `${page}/ip/${key}`,
    foundVia: 'native_catalog',
    fetchedAtMs: contract.clock.now(),
    listing: { ...EMPTY_LISTING, title: 'Held', gtin: gtin as Gtin14 | null, ...listing },
    notes: { missing: [], remarks: [] },
  });
  assert.ok((await contract.app.store.sql.write([filed])).done);
}

/** The same for an item of retailer_w; answers its id. */
export async function holdItem(
  contract: Contract,
  itemId: string,
  listing: Partial<Listing>,
  gtin: string | null = null,
): Promise<string> {
  await hold(contract, { retailer: 'retailer_w', key: itemId, gtin }, { itemId, ...listing });
  return itemId;
}
