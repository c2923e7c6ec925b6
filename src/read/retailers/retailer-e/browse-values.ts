// Values shared by items and search hits of retailer_e's Browse API: ids, money, condition, seller, shipping.

import type { FulfillmentOption, Listing } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, countAt, dayAt, lineAt, moneyAt } from '../../page-data/json/json-values.ts';
import { idsIn, itemUrl } from './address-book.ts';
import { conditionOf, starsOfShare } from './listing-values.ts';

/**
 * Returns an API amount. For a seller in another currency it has a converted amount and the original one, which is the
 * price.
 */
export function browseMoney(value: unknown, path: string): Money | null {
  const found = at(value, path);
  const original = moneyOf(found, 'convertedFromValue', 'convertedFromCurrency');
  return original ?? moneyOf(found, 'value', 'currency');
}

function moneyOf(found: unknown, amountName: string, currencyName: string): Money | null {
  const currency = textAt(found, currencyName);
  const code = currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null;
  return moneyAt(found, amountName, code);
}

/** Returns the ids from `v1|<item id>|<variation or 0>`, else the plain item id, else the address. */
function browseIds(item: unknown): {
  readonly itemId: string | null;
  readonly variantId: string | null;
} {
  const [own, long, variation] = (textAt(item, 'itemId') ?? '').split('|');
  const bare = own !== undefined && /^\d{9,15}$/.test(own) ? own : null;
  const plain =
    textAt(item, 'legacyItemId') ?? long ?? bare ?? idsIn(textAt(item, 'itemWebUrl')).itemId;
  const itemId = plain !== null && /^\d{1,15}$/.test(plain) ? plain : null;
  const isVariation = variation !== undefined && /^[1-9]\d{0,14}$/.test(variation);
  return { itemId, variantId: isVariation ? variation : null };
}

/** Whether the item is only an auction: a current bid is not a price, but a fixed price next to it is. */
export function isAuctionOnly(item: unknown): boolean {
  const options = listAt(item, 'buyingOptions', 20);
  return options.includes('AUCTION') && !options.includes('FIXED_PRICE');
}

/** Returns the price and the list price. */
function browsePrices(item: unknown): Pick<Listing, 'price' | 'listPrice'> {
  if (isAuctionOnly(item)) return { price: null, listPrice: null };
  const price = browseMoney(item, 'price');
  return {
    price,
    listPrice: listPriceOf(price, [browseMoney(item, 'marketingPrice.originalPrice')]),
  };
}

/** The cheapest shipping: cost in US cents, first and last day of arrival. */
type BrowseShipping = {
  readonly cost: Money | null;
  readonly isFree: boolean;
  readonly day: string | null;
  readonly lastDay: string | null;
};

export function browseShipping(item: unknown): BrowseShipping | null {
  const options = listAt(item, 'shippingOptions', 50).map((option) => {
    const amount = numberAt(option, 'shippingCost.value');
    const cost = browseMoney(option, 'shippingCost');
    return {
      cost,
      isFree: amount === 0,
      day: dayAt(option, 'minEstimatedDeliveryDate'),
      lastDay: dayAt(option, 'maxEstimatedDeliveryDate'),
    };
  });
  const rank = (option: BrowseShipping): number =>
    option.isFree ? 0 : (option.cost?.cents ?? Number.POSITIVE_INFINITY);
  return options.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** Returns the shipping option of a listing; a cost in another currency is omitted, because cents are US cents (D26). */
function shippingOption(shipping: BrowseShipping | null): FulfillmentOption | null {
  if (shipping === null) return null;
  const { cost, isFree, day } = shipping;
  const isUs = cost?.currency === 'USD';
  return { available: true, costCents: isFree ? 0 : isUs ? cost.cents : null, date: day };
}

/** Returns the facts that items and search hits state in the same way. */
export function sharedFacts(item: unknown, words: UnknownWords): Partial<Listing> {
  const ids = browseIds(item);
  const shipping = browseShipping(item);
  return {
    ...ids,
    url: itemUrl(ids.itemId, ids.variantId) ?? addressAt(item, 'itemWebUrl'),
    title: lineAt(item, 'title'),
    imageUrl: addressAt(item, 'image.imageUrl') ?? addressAt(item, 'additionalImages.0.imageUrl'),
    ...browsePrices(item),
    condition: words.note(conditionOf(textAt(item, 'conditionId'), lineAt(item, 'condition', 200))),
    sellerName: lineAt(item, 'seller.username', 200),
    sellerId: lineAt(item, 'seller.username', 200),
    sellerType: '3p',
    sellerRating: starsOfShare(numberAt(item, 'seller.feedbackPercentage')),
    sellerReviewCount: countAt(item, 'seller.feedbackScore'),
    deliveryDate: shipping?.day ?? null,
    fulfillment:
      shipping === null
        ? null
        : { shipping: shippingOption(shipping), delivery: null, pickup: null },
  };
}
