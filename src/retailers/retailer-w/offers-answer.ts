// retailer_w's reply with all sellers of an item -> offers in the order of the reply. A stock quantity is known only
// when an option states one.

import { readAvailability } from '../../listing/availability.ts';
import { readCondition } from '../../listing/condition.ts';
import type { Condition } from '../../listing/listing.ts';
import type { Money } from '../../listing/money.ts';
import { EMPTY_OFFER } from '../../listing/offer.ts';
import type { Offer } from '../../listing/offer.ts';
import type { Page, PageVerdict } from '../../listing/page.ts';
import type { RetailerAnswer } from '../../listing/retailer-answer.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json-path.ts';
import { countAt, dayAt, firstLineAt } from '../../page-data/json-values.ts';
import { parseScriptJson } from '../../page-data/bounded-json.ts';
import { absenceOf, isState, partsOf, readPageState } from './page-state.ts';
import { deliveryDateOf, fulfillmentOf, shippingCents } from './state-fulfillment.ts';
import { pricesOf } from './state-prices.ts';
import { isFulfilledByRetailer, sellerOf } from './state-seller.ts';

const OFFER_LIMIT = 500;
const DAYS: Readonly<Record<string, number>> = { DAY: 1, DAYS: 1, WEEK: 7, WEEKS: 7 };

/** The return window in days, from days or weeks; other units have no fixed number of days. */
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

/** The shipping cost in both layouts, in the currency of the price. */
function shippingOf(node: unknown, currency: string | null, words: UnknownWords): Money | null {
  const listed = fulfillmentOf(node, words)?.shipping?.costCents ?? null;
  const cents = listed ?? shippingCents(at(node, 'shippingOption'), words);
  return cents === null ? null : { cents, currency };
}

function shippingEntry(node: unknown): unknown {
  return listAt(node, 'fulfillmentOptions', 50).find(
    (entry) => textAt(entry, 'type')?.toUpperCase() === 'SHIPPING',
  );
}

/** What is the same for every offer of the list. */
type ListContext = {
  readonly currency: string | null;
  /** The only condition that was requested, or null. */
  readonly condition: Condition | null;
  /** The offer id of the buy box, when the reply names it. */
  readonly boxId: string | null;
  readonly words: UnknownWords;
};

function offerOf(node: unknown, list: ListContext): Offer {
  const { words } = list;
  const seller = sellerOf(node);
  const prices = pricesOf(at(node, 'priceInfo'), list.currency);
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
    price: prices.price,
    wasPrice: prices.listPrice,
    shipping: shippingOf(node, prices.price?.currency ?? list.currency, words),
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

/** The order limit; zero means not available, not a limit. */
function orderLimitOf(node: unknown): number | null {
  const limit = countAt(node, 'orderLimit') ?? countAt(node, 'maxOrderQuantity');
  return limit === 0 ? null : limit;
}

/** The condition that the request was limited to: new for `conditionCodes: [1]`. */
function askedCondition(page: Page): Condition | null {
  if (!URL.canParse(page.requestedUrl)) return null;
  const variables = new URL(page.requestedUrl).searchParams.get('variables');
  const codes =
    variables === null ? [] : listAt(parseScriptJson(variables.slice(0, 4096)), 'conditionCodes');
  return codes.length === 1 && codes[0] === 1 ? 'new' : null;
}

/** Reads the list of all sellers of an item. */
export function readOffersAnswer(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const state = readPageState(page, words);
  if (!isState(state)) return state;
  const { product } = partsOf(state.initial);
  if (!Array.isArray(at(product, 'allOffers'))) {
    if (product === null || listAt(state.initial, 'errors', 1).length > 0) {
      return absenceOf(state, 'product');
    }
    return { kind: 'unreadable', why: 'no offers in the answer' };
  }
  const list = {
    currency: state.currency,
    condition: askedCondition(page),
    boxId: textAt(product, 'offerId') ?? textAt(product, 'buyBoxOfferId'),
    words,
  };
  const offers = listAt(product, 'allOffers', OFFER_LIMIT)
    .map((node) => offerOf(node, list))
    .filter(({ offerId, sellerName, price }) => (offerId ?? sellerName ?? price) !== null);
  const totalOffers =
    countAt(product, 'transactableOfferCount') ?? countAt(product, 'allOffersCount');
  const value: RetailerAnswer = { kind: 'offers', offers: { offers, totalOffers } };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
