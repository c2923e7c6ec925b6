// retailer_h's product page: the state of its scripts, its JSON-LD and what it shows, weighed into one listing.
// Category and search pages carry dozens of products and are none.

import { EMPTY_LISTING } from '../../listing/listing.ts';
import type { Listing } from '../../listing/listing.ts';
import type { Page, PageVerdict } from '../../listing/page.ts';
import type { RetailerAnswer } from '../../listing/retailer-answer.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import { isNode } from '../../page-data/node.ts';
import { textIn } from '../../page-data/schema-values.ts';
import { chooseProduct } from '../../page-data/main-product.ts';
import { inOtherLayout } from '../expected-fields.ts';
import { filledGaps } from '../filled-gaps.ts';
import { parsePage, readParsedPage } from '../generic.ts';
import type { ParsedPage } from '../generic.ts';
import { readStatus } from '../page-status.ts';
import { pathOn } from '../product-path.ts';
import { retailerHAddressBook } from './address-book.ts';
import { pageStateOf } from './apollo-state.ts';
import { productReading, readGatewayProduct } from './gateway.ts';
import { gatewayListing, isGatewayProduct } from './gateway-product.ts';
import { visibleFactsOf } from './visible-facts.ts';
import type { VisibleFacts } from './visible-facts.ts';

const NO_PRODUCT: PageVerdict<RetailerAnswer> = {
  kind: 'unreadable',
  why: 'a product page without a product',
};

const ITEM_ID = /^\d{6,12}$/;

/** The item that the page's own or canonical address names. */
export function addressedItem(parsed: ParsedPage): string | null {
  for (const url of [parsed.context.canonical, parsed.context.url]) {
    const identifier = url === null ? null : retailerHAddressBook.reduce(url);
    if (identifier !== null) return identifier.value;
  }
  return null;
}

/** `productID` of the page's JSON-LD product is the item id; its `sku` is the store's number. */
function statedItem(parsed: ParsedPage): string | null {
  const { jsonLd, context, signs } = parsed;
  const choice = chooseProduct(jsonLd, { context, signs, isStrict: false });
  const nodes = choice.kind === 'one' ? choice.nodes : [];
  const ids = nodes.filter(isNode).map((node) => textIn(node, 'productID', 40));
  return ids.find((id) => id !== null && ITEM_ID.test(id)) ?? null;
}

/** JSON-LD pictures are thumbnails; the one for sharing is the large one. */
function imageOf(parsed: ParsedPage, listing: Listing): string | null {
  const shared = parsed.tags.facts.imageUrl;
  return shared !== null && /^https?:\/\//i.test(shared) ? shared : listing.imageUrl;
}

/** Price and list price from one source; rating and count likewise. */
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

/** A stated currency beats the one that the host suggests. */
function statesOther(stated: Listing, assumed: Listing): boolean {
  const currency = stated.price?.currency ?? null;
  return currency !== null && currency !== assumed.price?.currency;
}

function samePrice(a: Listing, b: Listing): boolean {
  return a.price !== null && b.price !== null && a.price.cents === b.price.cents;
}

/** A tile that sells wins over what the structured data says; a shut one does not. */
function stockOf(listing: Listing, seen: VisibleFacts): Pick<Listing, 'inStock' | 'unavailable'> {
  const inStock = seen.inStock === true ? true : (listing.inStock ?? seen.inStock);
  const unavailable = inStock === true ? false : listing.unavailable;
  return { inStock, unavailable: unavailable ?? (inStock === null ? null : false) };
}

/** A was-price belongs to the price it stands beside. */
function pricesOf(listing: Listing, seen: VisibleFacts): Pick<Listing, 'price' | 'listPrice'> {
  const { price, listPrice } = listing;
  if (price === null) return { price: seen.price, listPrice: seen.wasPrice };
  const isSame = seen.price !== null && seen.price.cents === price.cents;
  return { price, listPrice: listPrice ?? (isSame ? seen.wasPrice : null) };
}

/** Adds what only the visible page says. */
function completed(parsed: ParsedPage, listing: Listing, itemId: string | null): Listing {
  const seen = visibleFactsOf(parsed.html.html, parsed.page.fetchedAtMs);
  return {
    ...listing,
    itemId: listing.itemId ?? seen.itemId ?? itemId,
    model: listing.model ?? seen.model,
    sku: listing.sku ?? seen.storeSku,
    ...pricesOf(listing, seen),
    imageUrl: imageOf(parsed, listing),
    ...stockOf(listing, seen),
    fulfillment: listing.fulfillment ?? seen.fulfillment,
    deliveryDate: listing.deliveryDate ?? seen.deliveryDate,
    isBestSeller: listing.isBestSeller ?? seen.isBestSeller,
  };
}

/** A page without structured data that still shows the numbers of one product. */
function shownListing(parsed: ParsedPage): Listing | null {
  const [title] = parsed.html.headings;
  const seen = visibleFactsOf(parsed.html.html, parsed.page.fetchedAtMs);
  if (title === undefined || seen.itemId === null) return null;
  return { ...EMPTY_LISTING, title, itemId: seen.itemId };
}

/** A page of the retailer that is no product's: what it carries is not its own. */
function elsewhere(parsed: ParsedPage, generic: PageVerdict<Listing>): PageVerdict<RetailerAnswer> {
  if (generic.kind !== 'read') return generic;
  const { url } = parsed.context;
  if (url === null || pathOn(retailerHAddressBook.hosts, url) === null) {
    return { kind: 'unreadable', why: 'no address of this retailer' };
  }
  return { kind: 'not_a_product', why: 'the address is none of a product page' };
}

/** Reads a page that was taken apart; `unreadable` leaves it to the generic reader. */
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
  const base = listing ?? (generic.kind === 'not_a_product' ? shownListing(parsed) : null);
  if (base === null) return generic.kind === 'read' ? NO_PRODUCT : generic;
  const sources = [own === null ? null : 'state', structured === null ? null : 'JSON-LD'];
  const remark = `facts from ${sources.filter((name) => name !== null).join(', ') || 'the visible page'}`;
  const notes = generic.kind === 'read' ? generic.notes.remarks : [];
  const reading = productReading(completed(parsed, base, addressed), [remark, ...notes]);
  return own === null && structured === null ? inOtherLayout(reading) : reading;
}

/** "Error Page" over "Oops!! Something went wrong": what its edge answers to visitors it does not let in. */
function isRefusal({ html }: ParsedPage): boolean {
  const isNamed = /^error page$/i.test(html.title ?? '');
  return isNamed && /\boops!{1,3}\s+something went wrong/i.test(html.html.slice(0, 20_000));
}

/** Reads the answer to a request for a product page. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page, words);
  // The gateway's answer may stand where a page was asked for.
  if (parsed.html.html === '') return readGatewayProduct(page, words);
  const verdict = readParsedProduct(parsed);
  // Its walls come with 206 as well as with 403 (reference facts 0.4).
  if (verdict.kind === 'read') return verdict;
  if (page.status === 206) {
    return { kind: 'blocked', why: 'a partial answer (206) without a product' };
  }
  return isRefusal(parsed)
    ? { kind: 'blocked', why: 'the page with which the shop refuses visitors' }
    : verdict;
}
