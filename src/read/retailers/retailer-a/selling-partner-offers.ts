// Reads the offers of an ASIN from retailer_a's Selling Partner API (official, for its sellers).

import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import { ofHundredths, type Money } from '../../../base/listing/money/minor-units.ts';
import { EMPTY_OFFER } from '../../../base/listing/offer.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { costAt, countAt, moneyAt } from '../../page-data/json/json-values.ts';
import { isOwnSeller } from './address-book.ts';
import { refusalOf } from './api-answer.ts';
import { jsonBody } from '../json-body.ts';

function amountAt(offer: unknown, path: string): Money | null {
  return moneyAt(offer, `${path}.Amount`, textAt(offer, `${path}.CurrencyCode`));
}

/** Returns the shipping charge, which may be zero, unlike a price. */
function shippingOf(offer: unknown): Money | null {
  const cents = costAt(offer, 'Shipping.Amount');
  const currency = textAt(offer, 'Shipping.CurrencyCode');
  return cents === null ? null : ofHundredths(cents, currency);
}

function offerOf(offer: unknown, words: UnknownWords): Offer | null {
  const price = amountAt(offer, 'ListingPrice');
  const sellerId = textAt(offer, 'SellerId')?.slice(0, 40) ?? null;
  if (price === null && sellerId === null) return null;
  const own = isOwnSeller(sellerId, null);
  const fulfilled = boolAt(offer, 'IsFulfilledByAmazon');
  const condition = textAt(offer, 'SubCondition');
  const availability = textAt(offer, 'ShippingTime.availabilityType');
  return {
    ...EMPTY_OFFER,
    sellerId,
    sellerType: own === null ? null : own ? '1p' : '3p',
    sellerReviewCount: countAt(offer, 'SellerFeedbackRating.FeedbackCount'),
    price,
    shipping: shippingOf(offer),
    isBuyBox: boolAt(offer, 'IsBuyBoxWinner'),
    inStock: availability === null ? null : availability === 'NOW',
    condition: condition === null ? null : words.note(readCondition(condition)),
    fulfilledA: fulfilled,
    fulfilledByMarketplace: fulfilled,
    fulfillmentType: fulfilled === null ? null : fulfilled ? 'retailer' : 'marketplace',
  };
}

/**
 * Returns the facts of the list about buying the product: the featured offer, and stock. Without an offer of new goods
 * nothing new is in stock.
 */
function saleOf(payload: unknown, offers: readonly Offer[]): Listing {
  const featured = offers.find(({ isBuyBox }) => isBuyBox === true);
  const stated = listAt(payload, 'Summary.BuyBoxPrices', 20).find((each) =>
    /^new$/i.test(textAt(each, 'condition') ?? ''),
  );
  const price = featured?.price ?? amountAt(stated, 'ListingPrice');
  const inStock = featured?.inStock ?? offers.length > 0;
  const shipping = featured?.shipping ?? null;
  const costCents = shipping?.currency === 'USD' ? shipping.cents : null;
  return {
    ...EMPTY_LISTING,
    price,
    priceReadFrom: price === null ? null : 'api',
    listPrice: namedListPriceOf(price, [amountAt(payload, 'Summary.ListPrice')]),
    inStock,
    condition: featured?.condition ?? null,
    sellerId: featured?.sellerId ?? null,
    sellerType: featured?.sellerType ?? null,
    sellerReviewCount: featured?.sellerReviewCount ?? null,
    offersCount: countAt(payload, 'Summary.TotalOfferCount'),
    fulfillment:
      shipping === null
        ? null
        : { shipping: { available: inStock, costCents, date: null }, delivery: null, pickup: null },
  };
}

/** Reads the offers of an ASIN: at most twenty, their total number, and the featured one as the product's. */
export function readItemOffers(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  const refusal = refusalOf(page, root);
  if (refusal !== null) return refusal;
  const payload = at(root, 'payload') ?? root;
  if (!Array.isArray(at(payload, 'Offers')))
    return { kind: 'unreadable', why: 'no list of offers' };
  const offers = listAt(payload, 'Offers', 100)
    .map((offer) => offerOf(offer, words))
    .filter((offer) => offer !== null);
  const totalOffers = countAt(payload, 'Summary.TotalOfferCount');
  return {
    kind: 'read',
    value: { kind: 'offers', offers: { offers, totalOffers }, product: saleOf(payload, offers) },
    notes: { missing: [], remarks: [] },
  };
}
