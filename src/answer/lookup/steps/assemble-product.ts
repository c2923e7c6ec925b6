// Composes the product from a lookup's anchor and the other stored data about it. Fetches nothing.

import { dayOf, type Clock } from '../../../base/clock.ts';
import { bestPriceOf, contenders, type BestPrice } from '../../../rules/product/best-price.ts';
import { composeProduct, type ListingHistory } from '../../../rules/product/compose.ts';
import { LOOK_BACK_MS, newestSuspicion } from '../../../rules/history/daily-bars.ts';
import { currencyThrough } from '../../../base/listing/lens.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { provesIn, type BarcodeRow, type IsTrusted } from '../../../rules/product/barcode-rows.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { AsinMatch, Product } from '../../../rules/product/product.ts';
import type { Reads } from '../cache/read-session.ts';
import type { Anchor } from '../stored/anchor.ts';
import { otherThanAnchor, clusterOfAnchor, publishingOf } from '../stored/other-than-anchor.ts';
import { substituted } from '../../collect/substituted.ts';
import type { StoredForBarcode } from '../stored/stored-for-barcode.ts';
import { readsThrough, spanThrough } from '../../collect/reads-through.ts';
import { feesShown } from '../stored/shown-fees.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import { offersCountOf } from '../add-ons/offers-history.ts';
import type { StoredAddOns } from '../add-ons/product-add-ons.ts';
import { isRetailerB, type ParsedLookup } from './parse-lookup.ts';
import { peersOf } from '../../collect/price-peers.ts';
import type { Slug } from '../../../base/retailer.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';

/** A lookup with a known anchor. */
type AnchoredLookup = {
  readonly lookup: ParsedLookup;
  /** The identifier that resolved. */
  readonly identifier: Identifier;
  readonly anchor: Anchor;
  /** The data stored for the barcode that was sent, else for the one that the anchor publishes (D34). */
  readonly forBarcode: StoredForBarcode;
  /** Retailers that were not asked for the barcode yet, and will be in the background. */
  readonly notAsked: readonly Slug[];
  /** Retailers that would have been asked first and cannot be asked here (D78). */
  readonly cannotAsk: readonly Slug[];
};

/** Makes the lookup's result from the data in `store`. Throws `identity_mismatch` (D45). */
export type Assemble<Found> = (store: Reads, asked: AnchoredLookup) => Promise<Found>;

type AssembleParts = {
  readonly clock: Clock;
  readonly matching: MatchingLater;
  readonly storedAddOns: StoredAddOns;
  readonly isTrustedShop: IsTrusted;
};

export function createAssemble(parts: AssembleParts): Assemble<Product> {
  return async (reads, asked) => {
    const { lookup, identifier, anchor: found, forBarcode, notAsked, cannotAsk } = asked;
    const { matching } = parts;
    const { gtin, rows } = forBarcode;
    const answering = inItsRow(rows, found);
    const { stored: anchor, identity, from } = answering;
    const isOwn = identity === null;
    const currency = currencyThrough(lookup.lens, anchor.listing.price);
    const store = readsThrough(reads, currency);
    const nowMs = parts.clock.now();
    const today = dayOf(nowMs);
    const asinMatch = asinMatchOf(identifier, anchor.listing.asin);
    const onlyAnchor = lookup.retailer !== null;
    const beside = otherThanAnchor(forBarcode, identifier, anchor);
    const { carriers } = beside;
    const compared = onlyAnchor ? { ...beside, carriers: [] } : beside;
    const { agreement, confirmed, guesses } = await clusterOfAnchor(matching, answering, compared);
    const listings = [anchor, ...confirmed];
    const fromMs = nowMs - LOOK_BACK_MS;
    const { observations, ...stored } = await store.observations.findSinceOf(anchor, fromMs);
    const span = await spanThrough(store, anchor, { ...stored, currency });
    const history = { observations, span };
    const publishing = publishingOf(gtin, [anchor, ...carriers]);
    const isTrusted = (stored: StoredListing): boolean =>
      parts.isTrustedShop(stored) && ((isOwn && stored.id === anchor.id) || provesIn(rows, stored));
    const product = composeProduct({
      anchor,
      peers: await peersOf({ store, matching }, { own: anchor, observations, carriers, fromMs }),
      isTrusted,
      others: confirmed,
      disputed: carriers.filter((each) => !confirmed.includes(each)),
      guesses,
      apart: beside.apart,
      agreement,
      gtin,
      history,
      fees: await feesShown(anchor, today),
      currency,
      today,
      isOnlyRetailer: onlyAnchor,
      withLinks: identifier.kind !== 'item_id',
      voters: onlyAnchor ? [anchor] : await voters(parts, { anchor, identity, confirmed, guesses }),
      askedAsin: identifier.kind === 'asin' ? identifier.value : null,
      asinMatch,
      resolvedByRetailerB: isRetailerB(identifier),
    });
    const { addOns, identifierMatch } = lookup;
    const storedParts = {
      ...forBarcode,
      anchor,
      isOwn,
      disagreements: agreement.disagreements,
      currency,
      carriers: publishing,
      sources: listings,
      onlyRetailer: lookup.retailer,
      observedUntilMs: observations.at(-1)?.observedAtMs ?? fromMs,
    };
    const added = await parts.storedAddOns(store, storedParts, addOns, identifierMatch);
    const offersCount = await offersCountOf(store, anchor, nowMs);
    const contest = { store, listings, carriers: publishing, product, history, isTrusted };
    const bestPrice =
      gtin === null || onlyAnchor
        ? {}
        : { bestPrice: await bestPriceIn(parts, { ...contest, gtin }) };
    // After a redirect. Another product at the same address already has that address.
    const moved = from === undefined || from.url === anchor.url ? {} : { movedFrom: from.url };
    return { ...product, ...bestPrice, ...moved, offersCount, notAsked, cannotAsk, ...added };
  };
}

/** The anchor of a barcode as its row has it: found as the retailer's answer was, whatever has read it since. */
function inItsRow(rows: readonly BarcodeRow[], anchor: Anchor): Anchor {
  const row = rows.find(({ stored }) => stored?.id === anchor.stored.id);
  if (anchor.identity === null || !row?.stored) return anchor;
  return { ...anchor, stored: { ...anchor.stored, foundVia: row.stored.foundVia } };
}

type Contest = {
  readonly store: Reads;
  readonly gtin: Gtin14;
  /** All listings, the anchor first. */
  readonly listings: readonly StoredListing[];
  /** Listings that publish the barcode. */
  readonly carriers: readonly StoredListing[];
  readonly product: Product;
  /** The anchor's history. */
  readonly history: ListingHistory;
  /** Returns whether a listing proves the barcode that it prints. */
  readonly isTrusted: (stored: StoredListing) => boolean;
};

/** D60: the lowest price that its own history supports. Histories are read only until one does. */
async function bestPriceIn(
  parts: AssembleParts,
  { store, gtin, listings, carriers, product, history, isTrusted }: Contest,
): Promise<BestPrice | null> {
  const { clock, matching } = parts;
  const nowMs = clock.now();
  const { packCount, currency } = product;
  const contest = { gtin, listings, packCount, isTrusted, currency, nowMs };
  const fromMs = nowMs - LOOK_BACK_MS;
  for (const stored of contenders(contest)) {
    const isAnchor = stored === listings[0];
    const own = isAnchor ? history : await store.observations.findSinceOf(stored, fromMs);
    const { observations } = own;
    const peers = await peersOf(
      { store, matching },
      { own: stored, observations, carriers, fromMs },
    );
    if (newestSuspicion(observations, peers) === null) return bestPriceOf(stored, contest);
  }
  return null;
}

type Votes = {
  readonly anchor: StoredListing;
  readonly identity: Anchor['identity'];
  readonly confirmed: readonly StoredListing[];
  readonly guesses: readonly StoredListing[];
};

/**
 * D35: a listing that is only guessed to be the product gets a vote if the matcher is sure of it compared with all that are
 * not guessed.
 */
async function voters(
  { matching }: AssembleParts,
  votes: Votes,
): Promise<readonly StoredListing[]> {
  const { anchor, identity, confirmed, guesses } = votes;
  const isGuessed = identity?.state === 'unconfirmed' && anchor.listing.gtin === null;
  const sure = isGuessed ? confirmed : [anchor, ...confirmed];
  const [first, ...others] = sure;
  const guessed = isGuessed ? [anchor, ...guesses] : guesses;
  if (first === undefined || guessed.length === 0) return sure;
  const { isStrong } = await matching.load();
  const known = [first, ...others] as const;
  return [...sure, ...guessed.filter((each) => isStrong(known, each))];
}

/**
 * D45: throws if the page is of another ASIN than the one sent, so that no caller gets a record of a product that it did not
 * request.
 */
function asinMatchOf(identifier: Identifier, served: string | null): AsinMatch | null {
  if (identifier.kind !== 'asin') return null;
  if (served === null) return { state: 'unknown', matchedAsin: null };
  if (served === identifier.value) return { state: 'exact', matchedAsin: served };
  throw substituted(identifier.value, served);
}
