// Listings that are held as if they had been read: for combinations of facts that no simulated page shows.

import assert from 'node:assert/strict';

import type { Gtin14 } from '../../../src/domain/gtin.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/domain/listing.ts';
import { fileListing } from '../../../src/store/catalog.ts';
import type { Contract } from './contract-service.ts';

/** Files a listing of retailer_w as read just now, under an item id; answers the id. */
export async function holdItem(
  contract: Contract,
  itemId: string,
  listing: Partial<Listing>,
  gtin: string | null = null,
): Promise<string> {
  const url = `${contract.sandbox.market().origins.retailer_w.page}/ip/${itemId}`;
  const filed = fileListing({
    retailer: 'retailer_w',
    key: itemId,
    url,
    foundVia: 'native_catalog',
    fetchedAtMs: contract.clock.now(),
    listing: { ...EMPTY_LISTING, title: 'Held', itemId, gtin: gtin as Gtin14 | null, ...listing },
    notes: { missing: [], remarks: [] },
  });
  assert.ok((await contract.app.store.sql.write([filed])).done);
  return itemId;
}
