// Stores what an organization brought (D84): the listing lies over the common one in its own answers, and is nobody else's business
// unless the operator trusts the key that it came with.

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import { markOwnFacts } from '../../../data/accounts/organizations.ts';
import { HELD_MS } from '../../../data/metering/authentication.ts';
import { listingChanges, storedListing, type ListingToStore } from './store-listing.ts';
import { storeRead, type StoreReadParts } from './store-read.ts';

type OwnFacts = Required<Pick<ListingToStore, 'owner'>> & ListingToStore;

/**
 * Stores an organization's listing and lets its watches see it; durable when it resolves. The first one takes half a second: until
 * then another process may still think that the organization has nothing of its own, and give it common answers.
 */
export async function storeOwnFacts(
  parts: StoreReadParts,
  facts: OwnFacts,
  context: FetchContext,
): Promise<StoredListing> {
  const { store, clock } = parts;
  const isFirst = await markOwnFacts(store.sql, facts.owner.organizationId);
  store.accounts.noteChange();
  if (isFirst) await clock.sleep(HELD_MS, context.signal);
  const stored = storedListing(facts);
  await storeRead(
    parts,
    { stored, gtin: null, changes: listingChanges(facts), alongside: [] },
    context,
  );
  return stored;
}
