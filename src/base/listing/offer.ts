// One seller's offer of a product, as listed by a marketplace, and a list of offers. Null means that the source does not
// state it.

import type { Money } from './money/minor-units.ts';

/** The canonical conditions, shared by all retailers. */
export const CONDITIONS = [
  'new',
  'open_box',
  'refurbished',
  'used_like_new',
  'used_very_good',
  'used_good',
  'used_acceptable',
  'collectible',
  'for_parts',
] as const;
export type Condition = (typeof CONDITIONS)[number];

export type Offer = {
  readonly offerId: string | null;
  /** The public id: retailer_w's catalog number, retailer_a's own id (D32). */
  readonly sellerId: string | null;
  /** retailer_w's 32-character id. */
  readonly sellerIdHex: string | null;
  readonly sellerName: string | null;
  /** `1p`: sold by the retailer itself; independent of who ships it. */
  readonly sellerType: '1p' | '3p' | null;
  readonly sellerRating: number | null;
  readonly sellerReviewCount: number | null;
  readonly proSeller: boolean | null;
  readonly price: Money | null;
  readonly wasPrice: Money | null;
  readonly shipping: Money | null;
  readonly isBuyBox: boolean | null;
  readonly inStock: boolean | null;
  readonly condition: Condition | null;
  /** Fulfilled by retailer_w, by retailer_a; null where the concept does not exist. */
  readonly fulfilledW: boolean | null;
  readonly fulfilledA: boolean | null;
  readonly fulfilledByMarketplace: boolean | null;
  readonly fulfillmentType: string | null;
  /** YYYY-MM-DD. */
  readonly deliveryDate: string | null;
  readonly maxDeliveryDate: string | null;
  readonly maxOrderQuantity: number | null;
  readonly quantityAvailable: number | null;
  readonly returnable: boolean | null;
  readonly returnWindowDays: number | null;
  readonly freeReturns: boolean | null;
};

/** Offers in the source's order, and the number of sellers it states. */
export type OfferList = {
  readonly offers: readonly Offer[];
  readonly totalOffers: number | null;
};

/** An empty offer, which readers start from. */
export const EMPTY_OFFER: Offer = Object.freeze({
  offerId: null,
  sellerId: null,
  sellerIdHex: null,
  sellerName: null,
  sellerType: null,
  sellerRating: null,
  sellerReviewCount: null,
  proSeller: null,
  price: null,
  wasPrice: null,
  shipping: null,
  isBuyBox: null,
  inStock: null,
  condition: null,
  fulfilledW: null,
  fulfilledA: null,
  fulfilledByMarketplace: null,
  fulfillmentType: null,
  deliveryDate: null,
  maxDeliveryDate: null,
  maxOrderQuantity: null,
  quantityAvailable: null,
  returnable: null,
  returnWindowDays: null,
  freeReturns: null,
});

/** Returns the price that may be shown, in minor units; null if out of stock (D28) or in another currency (D87). */
export function shownOfferCents({ price, inStock }: Offer, currency: string): number | null {
  if (inStock === false || price?.currency !== currency || price.cents <= 0) return null;
  return price.cents;
}

/** Returns the id that identifies the seller: the 32 characters, otherwise the public id. */
export function sellerKeyOf({ sellerIdHex, sellerId }: Offer): string | null {
  return sellerIdHex ?? sellerId;
}
