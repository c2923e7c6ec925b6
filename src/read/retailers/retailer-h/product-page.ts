// retailer_h's product page: combines the state of its scripts, its JSON-LD and its visible text into one listing.
// Category and search pages have dozens of products and are not product pages.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import { isLoadCapacity } from '../../../base/listing/measures/load-capacity.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { pageElements, visibleText } from '../../page-data/html/page-elements.ts';
import { textIn } from '../../page-data/schema-org/schema-values.ts';
import { chooseProduct } from '../../page-data/schema-org/main-product.ts';
import { inOtherLayout, productAnswer } from '../expected-fields.ts';
import { filledGaps } from '../generic/filled-gaps.ts';
import { readParsedPage } from '../generic/read-page.ts';
import { parsePage } from '../generic/parsed-page.ts';
import type { ParsedPage } from '../generic/parsed-page.ts';
import { readStatus } from '../page-status.ts';
import { pathOn } from '../addresses/product-path.ts';
import { retailerHAddressBook } from './address-book.ts';
import { pageStateOf } from './apollo-state.ts';
import { readGatewayProduct } from './gateway.ts';
import { gatewayListing, isGatewayProduct } from './gateway-product.ts';
import { visibleFactsOf } from './visible-facts.ts';
import type { VisibleFacts } from './visible-facts.ts';

const NO_PRODUCT: PageVerdict<RetailerAnswer> = {
  kind: 'unreadable',
  why: 'a product page without a product',
};

const ITEM_ID = /^\d{6,12}$/;

/** Returns the item id from the canonical address, or from the one the page was served from. */
function addressedItem(parsed: ParsedPage): string | null {
  for (const url of [parsed.context.canonical, parsed.context.url]) {
    const identifier = url === null ? null : retailerHAddressBook.reduce(url);
    if (identifier !== null) return identifier.value;
  }
  return null;
}

/** Returns the item id in JSON-LD: `productID`. `sku` is the store's number. */
function statedItem(parsed: ParsedPage): string | null {
  const { jsonLd, context, signs } = parsed;
  const choice = chooseProduct(jsonLd, { context, signs, isStrict: false });
  const products = choice.kind === 'one' ? choice.products : [];
  const ids = products.map(({ node }) => textIn(node, 'productID', 40));
  return ids.find((id) => id !== null && ITEM_ID.test(id)) ?? null;
}

/** Returns the large image for sharing: images in JSON-LD are thumbnails. */
function imageOf(parsed: ParsedPage, listing: Listing): string | null {
  const shared = parsed.tags.facts.imageUrl;
  return shared !== null && /^https?:\/\//i.test(shared) ? shared : listing.imageUrl;
}

/** Returns the facts that must come from one source: price with list price, rating with review count. */
function together(first: Listing, second: Listing): Partial<Listing> {
  const priced = first.price === null || statesOther(second, first) ? second : first;
  const rated = first.rating === null && first.reviewCount === null ? second : first;
  const { listPrice } = priced.listPrice === null && samePrice(first, second) ? second : priced;
  return {
    price: priced.price,
    listPrice,
    rating: rated.rating,
    reviewCount: rated.reviewCount,
  };
}

/** Whether a source states a currency other than the one implied by the host. */
function statesOther(stated: Listing, assumed: Listing): boolean {
  const currency = stated.price?.currency ?? null;
  return currency !== null && currency !== assumed.price?.currency;
}

function samePrice(a: Listing, b: Listing): boolean {
  return a.price !== null && b.price !== null && a.price.cents === b.price.cents;
}

/** Returns the stock. An available tile overrides structured data; an unavailable one does not. */
function stockOf(listing: Listing, seen: VisibleFacts): Pick<Listing, 'inStock' | 'unavailable'> {
  const inStock = seen.inStock === true ? true : (listing.inStock ?? seen.inStock);
  const unavailable = inStock === true ? false : listing.unavailable;
  return { inStock, unavailable: unavailable ?? (inStock === null ? null : false) };
}

type PriceFacts = Pick<Listing, 'price' | 'priceReadFrom' | 'listPrice' | 'otherPrice'>;

/**
 * Returns the prices. The displayed price takes precedence over the data's, which may be the national price when the page
 * shows a store's. The former price only counts with the price next to it.
 */
function pricesOf(listing: Listing, seen: VisibleFacts): PriceFacts {
  const { price, listPrice, priceReadFrom } = listing;
  const isSame = price !== null && seen.price?.cents === price.cents;
  if (price !== null && (seen.price === null || isSame || price.currency !== 'USD')) {
    const was = isSame ? seen.wasPrice : null;
    return { price, priceReadFrom, listPrice: listPrice ?? was, otherPrice: null };
  }
  const isShown = seen.price !== null;
  return {
    price: seen.price,
    priceReadFrom: isShown ? 'visible' : null,
    listPrice: seen.wasPrice,
    otherPrice: isShown ? price : null,
  };
}

/** Adds the facts that are only on the visible page. */
function completed(parsed: ParsedPage, listing: Listing, itemId: string | null): Listing {
  const seen = visibleFactsOf(parsed.html.html, parsed.page.fetchedAtMs);
  return {
    ...listing,
    itemId: listing.itemId ?? seen.itemId ?? itemId,
    model: listing.model ?? seen.model,
    sku: listing.sku ?? seen.storeSku,
    ...pricesOf(listing, seen),
    weightLbs: ownWeight(listing, parsed),
    imageUrl: imageOf(parsed, listing),
    ...stockOf(listing, seen),
    fulfillment: listing.fulfillment ?? seen.fulfillment,
    deliveryDate: listing.deliveryDate ?? seen.deliveryDate,
    isBestSeller: listing.isBestSeller ?? seen.isBestSeller,
  };
}

/**
 * Returns the weight; null when the page states a matching load capacity. The shop also publishes the load of a chair as its
 * weight.
 */
function ownWeight({ weightLbs, description, specs, title }: Listing, parsed: ParsedPage) {
  if (weightLbs === null) return null;
  const points = pageElements(parsed.html.html, (tag) =>
    tag.attribute('data-testid') === 'SalientPoints' ? 'points' : null,
  );
  const shown = points.slice(0, 3).map((part) => visibleText(parsed.html.html, part, 4000) ?? '');
  const texts = [title ?? '', description ?? '', ...shown];
  const rows = specs.map(({ name, value }) => `${name}: ${value}`);
  return isLoadCapacity(weightLbs, [...texts, ...rows]) ? null : weightLbs;
}

/** Returns the listing of a page without structured data that shows the numbers of one product. */
function shownListing(parsed: ParsedPage): Listing | null {
  const [title] = parsed.html.headings;
  const seen = visibleFactsOf(parsed.html.html, parsed.page.fetchedAtMs);
  if (title === undefined || seen.itemId === null) return null;
  return { ...EMPTY_LISTING, title, itemId: seen.itemId };
}

/** Returns the verdict for a page that is not a product page: the products on it are not its own. */
function elsewhere(parsed: ParsedPage, generic: PageVerdict<Listing>): PageVerdict<RetailerAnswer> {
  if (generic.kind !== 'read') return generic;
  const { url } = parsed.context;
  if (url === null || pathOn(retailerHAddressBook.hosts, url) === null) {
    return { kind: 'unreadable', why: 'not an address of this retailer' };
  }
  return { kind: 'not_a_product', why: 'not the address of a product page' };
}

/** Reads a parsed page; `unreadable` leaves it to the generic reader. */
export function readParsedProduct(parsed: ParsedPage): PageVerdict<RetailerAnswer> {
  const addressed = addressedItem(parsed);
  const state = pageStateOf(parsed.html);
  const held = addressed === null ? undefined : state?.product(statedItem(parsed) ?? addressed);
  const own = isGatewayProduct(held) ? gatewayListing(held) : null;
  const generic = readParsedPage(parsed);
  const marked = generic.kind === 'read' ? generic.value : null;
  if (addressed === null) return elsewhere(parsed, generic);
  const structured = marked === null ? null : { ...marked, itemId: statedItem(parsed) };
  const listing =
    own === null || own.title === null
      ? structured
      : structured === null
        ? own
        : {
            ...filledGaps(own, structured),
            ...together(own, structured),
            url: structured.url ?? own.url,
          };
  const base = listing ?? (isWithoutData(generic) ? shownListing(parsed) : null);
  if (base === null) return generic.kind === 'read' ? NO_PRODUCT : generic;
  const sources = [own === null ? null : 'state', structured === null ? null : 'JSON-LD'];
  const remark = `facts from ${sources.filter((name) => name !== null).join(', ') || 'the visible page'}`;
  const notes = generic.kind === 'read' ? generic.notes.remarks : [];
  const verdict = productAnswer(completed(parsed, base, addressed), [remark, ...notes]);
  return own === null && structured === null ? inOtherLayout(verdict) : verdict;
}

const isWithoutData = ({ kind }: PageVerdict<Listing>): boolean =>
  kind === 'not_a_product' || kind === 'unreadable';

/** Whether it is the page shown to refused visitors: the title "Error Page" and "Oops!! Something went wrong". */
function isRefusal({ html }: ParsedPage): boolean {
  const isNamed = /^error page$/i.test(html.title ?? '');
  return isNamed && /\boops!{1,3}\s+something went wrong/i.test(html.html.slice(0, 20_000));
}

/** Reads a product page. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  // The body may be a gateway answer instead of a page.
  if (parsed.html.html === '') return readGatewayProduct(page, words);
  const verdict = readParsedProduct(parsed);
  // Walls have status 206 as well as 403.
  if (verdict.kind === 'read') return verdict;
  if (page.status === 206) {
    return { kind: 'blocked', why: 'a partial response (206) without a product' };
  }
  return isRefusal(parsed)
    ? { kind: 'blocked', why: 'the page that the shop shows to refused visitors' }
    : verdict;
}
