// The offers of a marketplace listing at an instant, with prices and terms; offers come and go by day. The cheapest new
// one in stock is the buy box.

import { DAY_MS, dayOf } from '../../src/base/clock.ts';
import { chance, chanceBetween, chanceOf } from '../chance.ts';
import { hexId } from './codes.ts';
import type { Market, MarketListing } from './market.ts';
import { isThere, priceAt } from './price.ts';
import { firstParty } from './sellers.ts';
import type { Seller } from './sellers.ts';

export type OfferCondition = 'new' | 'used_like_new' | 'used_good' | 'refurbished';

export type MarketOffer = {
  readonly offerId: string;
  readonly seller: Seller;
  readonly isFirstParty: boolean;
  readonly cents: number;
  readonly wasCents: number | null;
  readonly shippingCents: number;
  readonly condition: OfferCondition;
  readonly isFulfilledByRetailer: boolean;
  readonly inStock: boolean;
  readonly deliveryDay: string;
  readonly maxDeliveryDay: string;
  readonly orderLimit: number;
  /** Remaining pieces, stated only if there are few. */
  readonly quantityLeft: number | null;
  readonly isReturnable: boolean;
  readonly returnDays: number;
  readonly hasFreeReturns: boolean;
  readonly isBuyBox: boolean;
};

const MOST_SELLERS = 6;
const USED = ['used_like_new', 'used_good', 'refurbished'] as const;

/** Returns the offers of a listing of retailer_w or retailer_a, buy box first, then by price. */
export function offersAt(
  market: Market,
  listing: MarketListing,
  atMs: number,
): readonly MarketOffer[] {
  const { seed } = market;
  const { slug, product } = listing;
  const key = ['offer', slug, product.index];
  const count = chanceBetween(seed, [...key, 'sellers'], 0, MOST_SELLERS);
  const isSoldDirectly =
    product.isReliable || count === 0 || chance(seed, [...key, 'direct']) < 0.5;
  const numbers = Array.from({ length: count }, (_, slot) => slot);
  const offers = [
    ...(isSoldDirectly ? [makeOffer(market, listing, null, atMs)] : []),
    ...numbers
      .filter((slot) => isThere(seed, [...key, slot, 'there'], 0.85, atMs))
      .map((slot) => makeOffer(market, listing, slot, atMs)),
  ];
  const rank = ({ inStock, condition, cents, shippingCents }: MarketOffer): number =>
    (inStock ? 0 : 1e9) + (condition === 'new' ? 0 : 1e8) + cents + shippingCents;
  const [first, ...rest] = offers.toSorted((a, b) => rank(a) - rank(b));
  if (first === undefined) return [];
  return [{ ...first, isBuyBox: first.inStock && first.condition === 'new' }, ...rest];
}

/** Makes the offer of the retailer itself (`slot` null) or of the seller in a slot. */
function makeOffer(
  market: Market,
  listing: MarketListing,
  slot: number | null,
  atMs: number,
): MarketOffer {
  const { seed } = market;
  const { slug, product } = listing;
  const key = ['offer', slug, product.index, slot ?? 'direct'];
  const sellers = market.sellers(slug);
  const direct = firstParty(slug, market.origins[slug].page);
  const seller =
    slot === null ? direct : (sellers[(product.index + slot * 11) % sellers.length] ?? direct);
  const condition =
    slot !== null && slot > 2 && chance(seed, [...key, 'used']) < 0.4
      ? chanceOf(seed, [...key, 'condition'], USED)
      : 'new';
  const share = condition === 'new' ? chanceBetween(seed, [...key, 'factor'], 96, 118) : 70;
  const byRetailer = slot === null || chance(seed, [...key, 'fulfilled']) < 0.5;
  const ships = byRetailer ? 0 : chanceOf(seed, [...key, 'ship'], [0, 0, 499, 599, 895]);
  const days = chanceBetween(seed, [...key, 'days'], 2, 5);
  const few = chance(seed, [...key, 'few', Math.floor(atMs / DAY_MS)]) < 0.15;
  return {
    offerId: hexId(seed, [...key, 'id'], 32).toUpperCase(),
    seller,
    isFirstParty: slot === null,
    ...priceAt(seed, key, (product.baseCents * share) / 100, atMs),
    shippingCents: ships,
    condition,
    isFulfilledByRetailer: byRetailer,
    inStock: hasStock(listing, seed, key, atMs),
    deliveryDay: dayOf(atMs + days * DAY_MS),
    maxDeliveryDay: dayOf(atMs + (days + 3) * DAY_MS),
    orderLimit: chanceBetween(seed, [...key, 'limit'], 2, 12),
    quantityLeft: few ? chanceBetween(seed, [...key, 'left'], 1, 9) : null,
    isReturnable: chance(seed, [...key, 'returnable']) < 0.9,
    returnDays: chanceOf(seed, [...key, 'window'], [30, 90]),
    hasFreeReturns: chance(seed, [...key, 'free']) < 0.7,
    isBuyBox: false,
  };
}

/**
 * Returns whether there is stock. Reliable products and those with a trouble are always in stock, unless the trouble is
 * `sold_out` or `ended`.
 */
export function hasStock(
  listing: MarketListing,
  seed: number,
  key: readonly (string | number)[],
  atMs: number,
): boolean {
  const { trouble, isReliable } = listing.product;
  const kind = trouble?.slug === listing.slug ? trouble.kind : null;
  if (kind === 'sold_out' || kind === 'ended') return false;
  return isReliable || trouble !== null || isThere(seed, [...key, 'stock'], 0.92, atMs);
}
