// Converts retailer_w's product page to a listing, or explains why there is none. The state object comes first; a page
// without one is left to the generic reader: older layouts have structured data.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { FailedVerdict, Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { hasObjectAt, textAt, at, listAt } from '../../page-data/json/json-path.ts';
import { stateOfScript } from '../../page-data/json/script-state.ts';
import { asProductAnswer, inOtherLayout, productAnswer } from '../expected-fields.ts';
import { filledGaps } from '../generic/filled-gaps.ts';
import { readGenericPage } from '../generic/read-page.ts';
import { asOfCountry, itemCurrencyAbroad } from './other-countries.ts';
import { absenceOf, currencyOn, openPage, partsOf } from './page-state.ts';
import type { PageState } from './page-state.ts';
import { itemIdOfUrl, listingOfState } from './state-listing.ts';

/** Returns the first buy box line for the page's item, otherwise the first line. */
function boxLine(box: unknown): unknown {
  const lines = listAt(box, 'products', 100);
  const main = textAt(box, 'primaryUsItemId');
  return lines.find((line) => main !== null && textAt(line, 'usItemId') === main) ?? lines[0];
}

function shippingOf(line: unknown): unknown {
  const shown = at(line, 'shippingOptionToDisplay');
  if (shown === undefined) return undefined;
  return {
    availabilityStatus: at(line, 'shippable') === true ? 'AVAILABLE' : undefined,
    deliveryDate: at(shown, 'fulfillmentDateRange.earliestDeliverDate'),
    maxDeliveryDate: at(shown, 'fulfillmentDateRange.latestDeliveryDate'),
    shipPrice: at(shown, 'fulfillmentPrice'),
  };
}

function priceInfoOf(line: unknown): unknown {
  const map = at(line, 'priceMap');
  const currencyUnit = at(map, 'currencyUnit');
  return {
    currentPrice: { price: at(map, 'price'), currencyUnit },
    wasPrice: { price: at(map, 'wasPrice'), currencyUnit },
    listPrice: { price: at(map, 'listPrice'), currencyUnit },
  };
}

/**
 * Returns the item state of pages from 2019 to 2021 (`script#item`) under the current names, so that one function can build
 * the listing: `{product, idml}`. Null when the older state has no item.
 */
function modernised(root: unknown): { product: unknown; idml: unknown } | null {
  const line = boxLine(at(root, 'item.product.buyBox'));
  if (textAt(line, 'productName') === null) return null;
  const product = {
    usItemId: at(line, 'usItemId'),
    upc: at(line, 'upc'),
    name: at(line, 'productName'),
    brand: at(line, 'brandName'),
    model: at(line, 'model'),
    manufacturerProductId: at(line, 'manufactureNumber'),
    canonicalUrl: at(line, 'canonicalUrl'),
    imageInfo: { allImages: at(line, 'images') },
    category: { path: at(line, 'path') },
    priceInfo: priceInfoOf(line),
    availabilityStatus: at(line, 'availabilityStatus'),
    sellerId: at(line, 'sellerId'),
    catalogSellerId: at(line, 'catalogSellerId'),
    sellerDisplayName: at(line, 'sellerDisplayName') ?? at(line, 'sellerName'),
    numberOfReviews: at(line, 'reviewsCount'),
    averageRating: at(line, 'averageRating'),
    conditionType: at(line, 'conditionType'),
    transactableOfferCount: at(line, 'offerCount'),
    shippingOption: shippingOf(line),
    variants: at(line, 'variants'),
  };
  const sections = at(line, 'idmlSections');
  const idml = {
    specifications: at(sections, 'specifications'),
    longDescription: at(sections, 'idmlLongDescription'),
    shortDescription: at(sections, 'idmlShortDescription'),
  };
  return { product, idml };
}

/** Returns the kind of a page that is not a product page; null for one that may be. */
function otherKind({ page, initial }: PageState): string | null {
  const path = URL.canParse(page.url) ? new URL(page.url).pathname : '';
  if (path.startsWith('/reviews/')) return 'a page of reviews';
  const { product, search, seller } = partsOf(initial);
  if (hasObjectAt(product)) return null;
  if (search !== null) return 'a search page';
  return seller === null ? null : 'a seller page';
}

/** Reads the product in the state of any page or reply. */
export function readStateProduct(state: PageState): PageVerdict<RetailerAnswer> {
  const { product, idml, reviews } = partsOf(state.initial);
  if (product === null) return absenceOf(state, 'product');
  const { currency, words } = state;
  const { url, requestedUrl } = state.page;
  const listing = listingOfState({ product, idml, reviews, currency, url, words });
  if (listing.title === null) return untitled(state, product);
  const asked = itemIdOfUrl(requestedUrl, requestedUrl);
  const isOther = asked !== null && listing.itemId !== null && asked !== listing.itemId;
  const remarks = [
    'price from the page state',
    ...(isOther ? [`item ${asked} was asked, the page shows item ${listing.itemId}`] : []),
  ];
  return productAnswer(listing, remarks);
}

/**
 * Returns the verdict for a product without a name. A replaced item has a node with only its successor, and is itself gone.
 */
function untitled(state: PageState, product: unknown): FailedVerdict {
  const successor = textAt(product, 'redirect.replacedByItemId');
  if (successor !== null && /^\d{6,12}$/.test(successor)) {
    return { kind: 'not_found', why: `replaced by item ${successor}` };
  }
  const absence = absenceOf(state, 'product');
  return absence.kind === 'retry' || absence.kind === 'not_found'
    ? absence
    : { kind: 'unreadable', why: 'a product without a name in the state' };
}

/**
 * Reads a page without the current state: its structured data and the older item state. If neither has the item id, it
 * comes from the address.
 */
function readOlderPage(
  page: Page,
  html: HtmlPage,
  words: UnknownWords,
): PageVerdict<RetailerAnswer> {
  const generic = readGenericPage(page, words);
  const currency = currencyOn(page);
  const older = modernised(stateOfScript(html, 'item'));
  const state =
    older === null
      ? null
      : listingOfState({ ...older, reviews: null, currency, url: page.url, words });
  if (generic.kind !== 'read' && (state?.title ?? null) === null) return generic;
  const other = generic.kind === 'read' ? generic.value : EMPTY_LISTING;
  const filled = state === null ? other : filledGaps(state, other);
  const asked = itemIdOfUrl(page.url, page.url);
  const listing = { ...filled, itemId: filled.itemId ?? asked, sku: null };
  const remarks = generic.kind === 'read' ? generic.notes.remarks : [];
  return inOtherLayout(productAnswer(listing, ['no current page state', ...remarks]));
}

function inCountry(
  read: PageVerdict<RetailerAnswer>,
  currency: string,
): PageVerdict<RetailerAnswer> {
  if (read.kind !== 'read' || read.value.kind !== 'product') return read;
  return { ...read, value: { ...read.value, listing: asOfCountry(read.value.listing, currency) } };
}

/** Reads a product page, or the GraphQL reply with the same content. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const opened = openPage(page, words);
  if (opened.kind === 'verdict') return opened.verdict;
  const abroad = itemCurrencyAbroad(page.url);
  if (opened.kind === 'stateless') {
    return abroad === null
      ? readOlderPage(page, opened.html, words)
      : asProductAnswer(readGenericPage(page, words));
  }
  const other = otherKind(opened.state);
  if (other !== null) return { kind: 'not_a_product', why: other };
  const read = readStateProduct(opened.state);
  return abroad === null ? read : inCountry(read, abroad);
}
