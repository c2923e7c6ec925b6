// The anchor of a lookup -> the product: reads what else is held of it and composes. Fetches nothing.

import { dayOf, DAY_MS, type Clock } from '../core/clock.ts';
import { composeProduct, type ListingHistory } from '../product/compose.ts';
import { counts, type IsTrusted } from '../product/barcode-rows.ts';
import { anchorOrder } from '../product/source-order.ts';
import { isKnownSlug } from '../core/retailer.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { AsinMatch, Product } from '../product/product.ts';
import type { Store } from '../store/store.ts';
import type { Anchor } from './anchor.ts';
import { substituted } from '../collect/collect-own.ts';
import type { HeldForBarcode } from './held-for-barcode.ts';
import type { Matching } from '../matching/matcher.ts';
import { offersCountOf } from './offers-history.ts';
import type { HeldAddOns } from './product-add-ons.ts';
import type { ParsedLookup } from './parse-lookup.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** `identifier`: the one that resolved. Throws `identity_mismatch` (D45). */
export type Assemble = (
  lookup: ParsedLookup,
  identifier: Identifier,
  anchor: Anchor,
  /** Of the barcode that was sent, else of the one that the anchor publishes (D34). */
  forBarcode: HeldForBarcode,
) => Promise<Product>;

type AssembleParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly matching: Matching;
  readonly heldAddOns: HeldAddOns;
  readonly isTrustedShop: IsTrusted;
};

export function createAssemble(parts: AssembleParts): Assemble {
  return async (lookup, identifier, { stored: anchor, identity }, forBarcode) => {
    const { gtin } = forBarcode;
    const nowMs = parts.clock.now();
    const asinMatch = asinMatchOf(identifier, anchor.listing.asin);
    const onlyAnchor = lookup.retailer !== null;
    // What other lookups stored does not speak for a retailer that was not asked for a barcode that was sent alone. And a
    // retailer has one listing in a record: where the anchor is its, what else it lists adds nothing (D56).
    const others = forBarcode.rows
      .filter((row) => counts(row, 'gtin14' in identifier))
      .filter((row) => row.stored.retailer !== anchor.retailer);
    const guesses = others.filter((row) => row.tie === 'guess').map((row) => row.stored);
    const carriers = anchorOrder(
      others.filter((row) => row.tie === 'published').map((row) => row.stored),
    );
    const sources = onlyAnchor ? [anchor] : [anchor, ...carriers];
    const { agreeing, ...agreement } = parts.matching.agreementOf(sources);
    // What contradicts the others supplies nothing; when that is the anchor, the others supply nothing to it.
    const isAlone = !agreeing.includes(anchor);
    const confirmed = isAlone ? [] : carriers.filter((each) => agreeing.includes(each));
    const listings = [anchor, ...confirmed];
    const ofAnchor = onlyAnchor || isOtherShop(lookup, identifier);
    const history = await historyOf(parts.store, listings, ofAnchor, nowMs);
    const product = composeProduct({
      anchor,
      isTrustedAnchor: isKnownSlug(anchor.retailer) || parts.isTrustedShop(anchor),
      others: confirmed,
      disputed: carriers.filter((each) => !confirmed.includes(each)),
      guesses,
      agreement,
      gtin,
      history,
      today: dayOf(nowMs),
      withLinks: identifier.kind !== 'item_id',
      voters: onlyAnchor ? [anchor] : voters(parts, { anchor, identity, confirmed, guesses }),
      askedAsin: identifier.kind === 'asin' ? identifier.value : null,
      asinMatch,
      resolvedByRetailerB:
        identifier.kind === 'retailer_b_sku' || identifier.kind === 'retailer_b_product_id',
    });
    const { addOns, identifierMatch } = lookup;
    const held = {
      ...forBarcode,
      anchor,
      isOwn: identity === null,
      disagreements: agreement.disagreements,
      sources: listings,
      history,
      onlyRetailer: lookup.retailer,
    };
    const added = await parts.heldAddOns(held, addOns, identifierMatch);
    const offersCount = await offersCountOf(parts.store, anchor, nowMs);
    return { ...product, offersCount, ...added };
  };
}

type Votes = {
  readonly anchor: StoredListing;
  readonly identity: Anchor['identity'];
  readonly confirmed: readonly StoredListing[];
  readonly guesses: readonly StoredListing[];
};

/** D35: a listing that is only guessed to be the product has a vote when the matcher is sure of it. */
function voters({ matching }: AssembleParts, votes: Votes): readonly StoredListing[] {
  const { anchor, identity, confirmed, guesses } = votes;
  const isGuessed = identity?.state === 'unconfirmed' && anchor.listing.gtin === null;
  const sure = isGuessed ? confirmed : [anchor, ...confirmed];
  const [known] = sure;
  const guessed = isGuessed ? [anchor, ...guesses] : guesses;
  if (known === undefined) return [];
  return [...sure, ...guessed.filter((each) => matching.isStrong(known, each))];
}

/** D45. Throws where the listing is another ASIN's: a caller gets no record of a product it did not name. */
function asinMatchOf(identifier: Identifier, served: string | null): AsinMatch | null {
  if (identifier.kind !== 'asin') return null;
  if (served === null) return { state: 'unknown', matchedAsin: null };
  if (served === identifier.value) return { state: 'exact', matchedAsin: served };
  throw substituted(identifier.value, served);
}

/** The longest window of D29, 180 days, and the whole of its first day. */
const WINDOW_MS = 181 * DAY_MS;

/** The address of a shop other than retailer_w; an address of retailer_a is an ASIN in every respect (D9). */
function isOtherShop({ isBare }: ParsedLookup, { kind }: Identifier): boolean {
  return kind === 'url' || (!isBare && kind !== 'item_id' && kind !== 'asin');
}

/** D29: retailer_w's, except that `retailer=` or the URL of another shop makes it the anchor's. */
async function historyOf(
  { observations }: Store,
  listings: readonly StoredListing[],
  ofAnchor: boolean,
  nowMs: number,
): Promise<ListingHistory | null> {
  const listing = ofAnchor ? listings[0] : listings.find((each) => each.retailer === 'retailer_w');
  if (listing === undefined) return null;
  return { listing, ...(await observations.findSince(listing.id, nowMs - WINDOW_MS)) };
}
