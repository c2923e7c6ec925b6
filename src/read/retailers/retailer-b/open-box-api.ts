// Reads retailer_b's open-box API: the opened units of a SKU, as offers in addition to the new one. Prices are US
// dollars. Every grade is an open box: "certified" and "excellent" in the API, "good" and "fair" on the site.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { EMPTY_OFFER } from '../../../base/listing/offer.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import {
  addressAt,
  countAt,
  lineAt,
  moneyAt,
  proseAt,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { isSku, pageUrl } from './address-book.ts';
import { apiAnswer } from './api-answer.ts';

const RESULT_LIMIT = 100;
const OFFER_LIMIT = 100;

function offerOf(offer: unknown): Offer {
  const sellerId = lineAt(offer, 'sellerId', 100);
  return {
    ...EMPTY_OFFER,
    offerId: lineAt(offer, 'listingId', 100),
    sellerId,
    sellerType: sellerId === null ? '1p' : '3p',
    price: moneyAt(offer, 'prices.current', 'USD'),
    wasPrice: moneyAt(offer, 'prices.regular', 'USD'),
    inStock: boolAt(offer, 'onlineAvailability'),
    condition: 'open_box',
  };
}

/** Returns the product of these offers; its price is the price of a new unit. */
function productOf(result: unknown): Listing {
  const sku = textAt(result, 'sku')?.trim() ?? '';
  const itemId = isSku(sku) ? sku : null;
  const price = moneyAt(result, 'prices.current', 'USD');
  const regular = moneyAt(result, 'prices.regular', 'USD');
  return {
    ...EMPTY_LISTING,
    url: pageUrl(itemId, null),
    itemId,
    title: lineAt(result, 'names.title'),
    description: proseAt(result, 'descriptions.short'),
    imageUrl: addressAt(result, 'images.standard'),
    price,
    listPrice: listPriceOf(price, [regular]),
    rating: starsAt(result, 'customerReviews.averageScore'),
    reviewCount: countAt(result, 'customerReviews.count'),
  };
}

/** Reads open-box offers; a SKU without any gives an empty list. */
export function readOpenBox(page: Page): PageVerdict<RetailerAnswer> {
  const answer = apiAnswer(page);
  if (!answer.ok) return answer.verdict;
  const { body } = answer;
  if (!Array.isArray(at(body, 'results'))) return { kind: 'unreadable', why: 'no list of results' };
  const results = listAt(body, 'results', RESULT_LIMIT);
  const offers = results.flatMap((each) => listAt(each, 'offers', OFFER_LIMIT)).map(offerOf);
  const list = { offers: offers.slice(0, OFFER_LIMIT), totalOffers: null };
  const [only] = results;
  const value =
    only === undefined || results.length > 1
      ? ({ kind: 'offers', offers: list } as const)
      : ({ kind: 'offers', offers: list, product: productOf(only) } as const);
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
