// A known retailer is asked for one of its products. The page that answers where an API failed may state neither price nor stock,
// as those of retailer_t do: it does not replace what is held (docs/decisions/0077).

import { isDoneSince, type Clock } from '../core/clock.ts';
import type { FetchContext } from '../core/fetch-context.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { Listing } from '../listing/listing.ts';
import type { KnownSlug } from '../core/retailer.ts';
import type { Store } from '../store/store.ts';
import { askRetailer, type AskParts, type RetailerOutcome } from './ask-retailer.ts';
import { STALE_MS } from './freshness.ts';
import { ownAddressOf, productOf } from './retailer-listing.ts';

type AskProductParts = AskParts & { readonly store: Store; readonly clock: Clock };

/** The failure of the source that has price and stock, where the answer of another would take a held price or stock away. */
export async function askProduct(
  parts: AskProductParts,
  retailer: KnownSlug,
  identifier: Identifier,
  context: FetchContext,
): Promise<RetailerOutcome> {
  const outcome = await askRetailer(parts, retailer, { kind: 'product', identifier }, context);
  if (outcome.kind !== 'read' || outcome.behind === undefined) return outcome;
  const listing = productOf(outcome)?.listing;
  if (listing === undefined || saysWhatItCosts(listing)) return outcome;
  const key = ownAddressOf(retailer, listing)?.key ?? identifier.value;
  const held = await parts.store.listings.findListing(retailer, key);
  if (held === null || !saysWhatItCosts(held.listing)) return outcome;
  const nowMs = parts.clock.now();
  return isDoneSince(held.fetchedAtMs, nowMs - STALE_MS, nowMs) ? outcome.behind : outcome;
}

function saysWhatItCosts({ price, inStock }: Listing): boolean {
  return price !== null || inStock !== null;
}
