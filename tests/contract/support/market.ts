// The truth of the simulated market for the suite: listings of a kind, and the facts of a listing when it was read.

import assert from 'node:assert/strict';

import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import { SIMULATED_RETAILERS } from '../../../sandbox/simulated-retailers.ts';
import type { ListingTruth } from '../../../sandbox/market/listing-truth.ts';
import type { MarketListing } from '../../../sandbox/market/market.ts';
import { offersAt, type MarketOffer } from '../../../sandbox/market/offers.ts';
import { listingViewAt, type ListingView } from '../../../sandbox/market/listing-view.ts';
import { at, type Contract } from './contract-service.ts';

/** Returns ordinary listings of a retailer: without trouble, and publishing their own barcode. */
export function ordinary(
  contract: Contract,
  slug: KnownSlug,
  fits: (view: ListingView) => boolean = () => true,
): readonly MarketListing[] {
  const market = contract.sandbox.market();
  return market
    .listings(slug)
    .filter(({ product, hasWrongBarcode }) => product.trouble === null && !hasWrongBarcode)
    .filter((each) => fits(listingViewAt(market, each, contract.clock.now())));
}

/** Returns the first that fits; the market has one. */
export function one(
  contract: Contract,
  slug: KnownSlug,
  fits: (view: ListingView) => boolean = () => true,
): MarketListing {
  return ordinary(contract, slug, fits)[0] ?? assert.fail(`${slug} has such a listing`);
}

/** Returns the address of a listing's page. */
export function addressOf(contract: Contract, listing: MarketListing): string {
  return SIMULATED_RETAILERS[listing.slug].address(contract.sandbox.market(), listing);
}

/** Returns the facts at the time when the record says the listing was read. */
export function truthAt(
  contract: Contract,
  listing: MarketListing,
  record: Record<string, unknown>,
): ListingTruth {
  return SIMULATED_RETAILERS[listing.slug].truth(
    listingViewAt(contract.sandbox.market(), listing, readAt(record)),
  );
}

export function offersOf(
  contract: Contract,
  listing: MarketListing,
  atMs: number,
): readonly MarketOffer[] {
  return offersAt(contract.sandbox.market(), listing, atMs);
}

/** Returns when the record says it was read, in milliseconds. */
export function readAt(record: Record<string, unknown>): number {
  const text = at(record, '_freshness.refreshed_at');
  assert.ok(typeof text === 'string');
  return Date.parse(text);
}

/** Returns the retailers queried since a request count, each once and in order, without robots.txt. */
export function askedSince(contract: Contract, from: number): readonly KnownSlug[] {
  const { origins } = contract.sandbox.market();
  const slugs = contract.sandbox
    .requests()
    .slice(from)
    .filter(({ path }) => path !== '/robots.txt')
    .map(({ origin }) =>
      KNOWN_SLUGS.find((slug) =>
        [origins[slug].page, ...Object.values(origins[slug].api)].includes(origin),
      ),
    );
  return [...new Set(slugs.filter((slug) => slug !== undefined))];
}
