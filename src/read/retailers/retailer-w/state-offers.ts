// Reads one offer in retailer_w's state. The seller list and the product page use the same names; a product page has the offer
// of its buy button and occasionally some others. A stock quantity is only known when an option states one.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import { isSameAmount, ofHundredths, type Money } from '../../../base/listing/money/minor-units.ts';
import { EMPTY_OFFER } from '../../../base/listing/offer.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt, dayAt, firstLineAt, moneyAt } from '../../page-data/json/json-values.ts';
import { deliveryDateOf, fulfillmentOf, shippingCents } from './state-fulfillment.ts';
import { pricesOf } from './state-prices.ts';
import { isFulfilledByRetailer, sellerOf } from './state-seller.ts';

const DAYS: Readonly<Record<string, number>> = { DAY: 1, DAYS: 1, WEEK: 7, WEEKS: 7 };

/** Returns the return window in days, from days or weeks; other units have no fixed number of days. */
function windowDays(policy: unknown): number | null {
  const value = countAt(policy, 'returnWindow.value');
  const unit = DAYS[(textAt(policy, 'returnWindow.unitType') ?? '').toUpperCase()];
  return value === null || unit === undefined ? null : value * unit;
}

function returnsOf(node: unknown) {
  const policy = at(node, 'returnPolicy');
  return {
    returnable: boolAt(policy, 'returnable'),
    freeReturns: boolAt(policy, 'freeReturns'),
    returnWindowDays: windowDays(policy),
  };
}

function conditionOf(node: unknown, list: ListContext): Condition | null {
  const named = firstLineAt(node, ['conditionType', 'conditionV2.name', 'conditionV2.displayName']);
  const known = named === null ? null : list.words.note(readCondition(named));
  if (known !== null) return known;
  const code = numberAt(node, 'conditionV2.code');
  if (code === null) return list.condition;
  return code === 1 ? 'new' : null;
}

/** Returns the shipping cost in both layouts, in the currency of the price. */
function shippingOf(node: unknown, currency: string | null, words: UnknownWords): Money | null {
  const listed = fulfillmentOf(node, words)?.shipping?.costCents ?? null;
  const cents = listed ?? shippingCents(at(node, 'shippingOption'), words);
  return cents === null ? null : ofHundredths(cents, currency);
}

function shippingEntry(node: unknown): unknown {
  return listAt(node, 'fulfillmentOptions', 50).find(
    (entry) => textAt(entry, 'type')?.toUpperCase() === 'SHIPPING',
  );
}

/** Values shared by every offer of the list. */
type ListContext = {
  readonly currency: string | null;
  /** The only condition that was requested, or null. */
  readonly condition: Condition | null;
  /** The offer id of the buy box, if the reply states it. */
  readonly boxId: string | null;
  readonly words: UnknownWords;
};

export function offerOf(node: unknown, list: ListContext): Offer {
  const { words } = list;
  const seller = sellerOf(node);
  const prices = pricesOf(at(node, 'priceInfo'), list.currency);
  // Offers in other conditions, and some of other sellers, have only a price.
  const price =
    prices.price ??
    moneyAt(node, 'currentPrice', list.currency) ??
    moneyAt(node, 'price', list.currency);
  const status = textAt(node, 'availabilityStatus');
  const offerId = textAt(node, 'offerId');
  const isByRetailer = isFulfilledByRetailer(node, seller.type);
  const entry = shippingEntry(node);
  return {
    ...EMPTY_OFFER,
    ...returnsOf(node),
    offerId,
    sellerId: seller.catalogId ?? seller.hexId,
    sellerIdHex: seller.hexId,
    sellerName: seller.name,
    sellerType: seller.type,
    sellerRating: seller.rating,
    sellerReviewCount: seller.reviewCount,
    proSeller: seller.isPro,
    price,
    wasPrice: prices.listPrice,
    shipping: shippingOf(node, price?.currency ?? list.currency, words),
    isBuyBox: boolAt(node, 'isBuyBox') ?? (list.boxId === null ? null : offerId === list.boxId),
    inStock: status === null ? null : (words.note(readAvailability(status))?.inStock ?? null),
    condition: conditionOf(node, list),
    fulfilledW: isByRetailer,
    fulfilledByMarketplace: isByRetailer,
    fulfillmentType: textAt(node, 'fulfillmentType')?.slice(0, 40).toLowerCase() ?? null,
    deliveryDate: deliveryDateOf(fulfillmentOf(node, words)),
    maxDeliveryDate:
      dayAt(node, 'shippingOption.maxDeliveryDate') ?? dayAt(entry, 'speedDetails.maxDeliveryDate'),
    maxOrderQuantity: orderLimitOf(node) ?? orderLimitOf(entry),
    quantityAvailable: countAt(entry, 'availableQuantity') ?? countAt(node, 'availableQuantity'),
  };
}

/** Returns the order limit; zero means not available, not a limit. */
function orderLimitOf(node: unknown): number | null {
  const limit = countAt(node, 'orderLimit') ?? countAt(node, 'maxOrderQuantity');
  return limit === 0 ? null : limit;
}

/** Whether an offer states at least one of id, seller and price. */
export const isStated = ({ offerId, sellerName, price }: Offer): boolean =>
  (offerId ?? sellerName ?? price) !== null;

/** Other offers on a product page, if any: most pages leave them to the seller list. */
const OTHER_OFFERS = ['secondaryOffers', 'conditionOffers'];
const MOST_OTHERS = 50;

type OfferFacts = Pick<Listing, 'condition' | 'inStock' | 'price' | 'secondaryOfferPrice'>;

/**
 * Returns the offers stated on a product page: the buy button's and the listed ones from other sellers. The lowest other price,
 * whose seller the page does not state, is added if none of these offers has it.
 */
export function offersOnPage(
  product: unknown,
  { condition, inStock, price, secondaryOfferPrice }: OfferFacts,
  { currency, words }: Pick<ListContext, 'currency' | 'words'>,
): readonly Offer[] {
  const list = { currency, condition: null, boxId: null, words };
  const own = offerOf(product, list);
  const box = { ...own, condition, price, inStock, isBuyBox: inStock !== false };
  const others = OTHER_OFFERS.flatMap((path) => listAt(product, path, MOST_OTHERS))
    .map((node) => ({ ...offerOf(node, list), isBuyBox: false }))
    .filter(
      (offer) => isStated(offer) && (offer.offerId === null || offer.offerId !== own.offerId),
    );
  const stated = [...(isStated(box) ? [box] : []), ...others];
  if (secondaryOfferPrice === null) return stated;
  const isNamed = others.some(
    ({ price: other }) => other !== null && isSameAmount(other, secondaryOfferPrice),
  );
  if (isNamed) return stated;
  return [...stated, { ...EMPTY_OFFER, price: secondaryOfferPrice, isBuyBox: false }];
}
