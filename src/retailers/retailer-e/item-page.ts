// retailer_e's item page -> its listing. What a visitor sees decides what is asked for the item and whether
// it can be had; structured data, where the page has any, fills the rest. Auctions, ended listings and
// converted amounts have no price here: docs/retailers/retailer_e.md tells why.

import { EMPTY_LISTING } from '../../domain/listing.ts';
import type { Listing, Spec } from '../../domain/listing.ts';
import { readMoney } from '../../domain/money.ts';
import type { Money } from '../../domain/money.ts';
import type { Page, PageVerdict } from '../../domain/page.ts';
import { cleanText } from '../../domain/text.ts';
import { measuresIn } from '../../extract/spec-measures.ts';
import { absoluteUrl } from '../../extract/page-address.ts';
import { nearDay } from '../../extract/near-day.ts';
import { parsePage, readParsedPage } from '../generic.ts';
import type { ParsedPage } from '../generic.ts';
import { missingFields } from '../listing-notes.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { idsIn, itemUrl } from './address-book.ts';
import {
  elementsOf,
  elementsWithin,
  firstSeen,
  itemElements,
  pictureIn,
  seenText,
  specificsIn,
} from './item-elements.ts';
import type { ItemElements } from './item-elements.ts';
import {
  conditionOf,
  lotSizeIn,
  quantityMeaning,
  saysEnded,
  soldTagIn,
  specificFacts,
  stated,
} from './listing-values.ts';
import { sellerFacts } from './seller-element.ts';
import { stockOfAny, variationsIn } from './variations.ts';
import type { Variation } from './variations.ts';

/** What is read of an item page beside the listing: what its one offer needs. */
export type ItemPage = {
  readonly listing: Listing;
  readonly shippingText: string | null;
  readonly returnsText: string | null;
  readonly remarks: readonly string[];
};

type Parts = {
  readonly parsed: ParsedPage;
  readonly elements: ItemElements;
  /** What structured data says; empty where there is none. */
  readonly base: Listing;
  readonly itemId: string | null;
  readonly variantId: string | null;
};

/** On this retailer's own host a bare `$` is the US dollar; elsewhere nobody says which. */
function dollarHint({ itemId, parsed }: Parts): string | null {
  return itemId !== null && idsIn(parsed.page.url).itemId !== null ? 'USD' : null;
}

function moneyIn(parts: Parts, text: string | null): Money | null {
  // "GBP 1.99 (Approximately US $2.66)": what follows is a conversion.
  const own = text?.split(/approximately|\(approx/i, 1)[0] ?? '';
  return own === '' ? null : readMoney(own, { currency: dollarHint(parts) });
}

type Asking = {
  readonly price: Money | null;
  readonly listPrice: Money | null;
  readonly isBid: boolean;
};

function seenPrices(parts: Parts): Asking {
  const { elements } = parts;
  const fixed = elementsOf(elements, 'price', 'bid');
  const bids = elementsOf(elements, 'bid').length > 0 || elementsOf(elements, 'bids').length > 0;
  const texts = fixed.slice(0, 5).map((element) => seenText(elements, element, 200));
  const price = texts.map((text) => moneyIn(parts, text)).find((money) => money !== null) ?? null;
  // A count of bids without a box of its own: the one price that is shown is the bid.
  const boxed = elementsOf(elements, 'bid').length > 0;
  const isBid = bids && (price === null || (!boxed && fixed.length <= 1));
  if (isBid) return { price: null, listPrice: null, isBid };
  const [extra] = elementsOf(elements, 'extra');
  const struck = extra === undefined ? [] : elementsWithin(elements, extra, 'struck');
  const [list] = [...struck, ...elementsOf(elements, 'list')];
  return {
    price,
    listPrice: list === undefined ? null : moneyIn(parts, seenText(elements, list, 200)),
    isBid,
  };
}

function isAbove(list: Money | null, price: Money | null): boolean {
  if (list === null || price === null) return false;
  return list.currency === price.currency && list.cents > price.cents;
}

type OfferFacts = Pick<Listing, 'price' | 'listPrice' | 'inStock' | 'unavailable'>;

/** Visible stock first: structured data of this retailer says "in stock" of listings long over. */
function stockFacts(parts: Parts, remarks: string[]): Pick<Listing, 'inStock' | 'unavailable'> {
  const { elements, base } = parts;
  const status = firstSeen(elements, ['status']);
  if (saysEnded(status)) {
    remarks.push('the listing is over');
    return { inStock: false, unavailable: true };
  }
  if (status !== null && /\bout of stock\b/i.test(status))
    return { inStock: false, unavailable: false };
  const said = quantityMeaning(firstSeen(elements, ['quantity']));
  if (said !== null) return said;
  if (base.inStock !== null) return { inStock: base.inStock, unavailable: base.unavailable };
  const canBuy = elementsOf(elements, 'buy').length > 0;
  return canBuy ? { inStock: true, unavailable: false } : { inStock: null, unavailable: null };
}

function offerFacts(parts: Parts, remarks: string[]): OfferFacts {
  const { base } = parts;
  const seen = seenPrices(parts);
  const stock = stockFacts(parts, remarks);
  if (seen.isBid) remarks.push('an auction: the current bid is no price');
  if (seen.isBid || stock.unavailable === true) return { ...stock, price: null, listPrice: null };
  const price = seen.price ?? base.price;
  const listPrice = isAbove(seen.listPrice, price) ? seen.listPrice : base.listPrice;
  return { ...stock, price, listPrice: isAbove(listPrice, price) ? listPrice : null };
}

/** With variations: the facts of the one that the address chooses, else the listing's with any's stock. */
function variedFacts(parts: Parts, facts: OfferFacts, remarks: string[]): OfferFacts {
  const variations = variationsIn(parts.parsed.html);
  if (variations === null || facts.unavailable === true) return facts;
  if (parts.variantId === null) {
    const inStock = stockOfAny(variations) ?? facts.inStock;
    return { ...facts, inStock, unavailable: inStock === null ? facts.unavailable : false };
  }
  const chosen = variations.get(parts.variantId);
  if (chosen === undefined) {
    remarks.push('the chosen variation is not on the page');
    return { price: null, listPrice: null, inStock: null, unavailable: null };
  }
  return ofVariation(chosen, facts);
}

function ofVariation({ price, inStock }: Variation, facts: OfferFacts): OfferFacts {
  const currency = price?.currency ?? facts.price?.currency ?? null;
  const own = price === null ? null : { cents: price.cents, currency };
  const isSame = own?.cents === facts.price?.cents;
  return {
    price: own,
    listPrice: isSame ? facts.listPrice : null,
    inStock: inStock ?? facts.inStock,
    unavailable: inStock === null ? facts.unavailable : false,
  };
}

/** US cents of a shipping text; other currencies are left out (D26). */
export function shippingCents(text: string | null): number | null {
  if (text === null) return null;
  if (/^(?:\W*shipping:?\s*)?free\b/i.test(text)) return 0;
  const money = readMoney(text.split(/\(approx/i, 1)[0] ?? '', { currency: 'USD' });
  return money?.currency === 'USD' ? money.cents : null;
}

/** The value behind the label of a row ("Shipping: US $5.00 ..."). */
function rowText(elements: ItemElements, key: string): string | null {
  const [row] = elementsOf(elements, key);
  if (row === undefined) return null;
  const [value] = elementsWithin(elements, row, 'value');
  return seenText(elements, value ?? row, 300);
}

function fulfillmentFacts(
  { elements, parsed }: Parts,
  shippingText: string | null,
): Pick<Listing, 'deliveryDate' | 'fulfillment'> {
  const cost = shippingCents(shippingText);
  const row = rowText(elements, 'delivery');
  const deliveryDate = row === null ? null : nearDay(row, parsed.page.fetchedAtMs);
  if (shippingText === null && deliveryDate === null) return { deliveryDate, fulfillment: null };
  const available =
    shippingText === null ? null : !/does not ship|local pickup only/i.test(shippingText);
  const shipping = { available, costCents: cost, date: deliveryDate };
  return { deliveryDate, fulfillment: { shipping, delivery: null, pickup: null } };
}

function conditionIn(elements: ItemElements, specs: readonly Spec[]): Listing['condition'] {
  const seen = conditionOf(null, firstSeen(elements, ['condition'], 200));
  if (seen !== null) return seen;
  const spec = specs.find(({ name }) => name.toLowerCase() === 'condition');
  return spec === undefined ? null : conditionOf(null, cleanText(spec.value, 100));
}

function imageOf({ elements, parsed, base }: Parts): string | null {
  const tagged = parsed.html.metas.find(({ key }) => key === 'og:image')?.content ?? null;
  const address = base.imageUrl ?? pictureIn(elements) ?? tagged;
  return absoluteUrl(address, parsed.context.url)?.href ?? null;
}

function itemPageOf(parts: Parts, title: string): ItemPage {
  const { base, elements, itemId, variantId } = parts;
  const remarks: string[] = [];
  const specs = specificsIn(elements);
  const own = specificFacts(specs);
  const measures = measuresIn(specs);
  const shippingText = rowText(elements, 'shipping');
  const sales = firstSeen(elements, ['quantity']) ?? '';
  const listing: Listing = {
    ...base,
    ...variedFacts(parts, offerFacts(parts, remarks), remarks),
    ...sellerFacts(elements),
    ...fulfillmentFacts(parts, shippingText),
    url: itemUrl(itemId, variantId) ?? base.url,
    itemId,
    variantId,
    sku: null,
    title,
    gtin: own.gtin ?? base.gtin,
    brand: own.brand ?? stated(base.brand),
    mpn: own.mpn ?? stated(base.mpn),
    model: own.model ?? stated(base.model),
    packCount: own.packCount ?? lotSizeIn(sales),
    condition: conditionIn(elements, specs) ?? base.condition,
    imageUrl: imageOf(parts),
    specs: specs.length > 0 ? specs : base.specs,
    weightLbs: measures.weightLbs ?? base.weightLbs,
    weightPackageLbs: measures.weightPackageLbs,
    dimensions: measures.dimensions ?? base.dimensions,
    dimensionsPackage: measures.dimensionsPackage,
    soldTag: soldTagIn(sales) ?? soldTagIn(firstSeen(elements, ['sales'])),
  };
  return { listing, shippingText, returnsText: rowText(elements, 'returns'), remarks };
}

/** What this retailer's pages say instead of an item that is not there. */
const GONE =
  /^error page\b|looks like this page is missing|^(?:this|the) (?:listing|item)(?: you selected)? (?:(?:was|has been|is) (?:removed|unavailable)|ended)|^invalid item/i;

function otherVerdict(parsed: ParsedPage, page: Page): PageVerdict<never> {
  const obstacle = readObstacle(parsed.html, page);
  if (obstacle !== null) return obstacle;
  const names = [parsed.html.title, ...parsed.html.headings].filter((name) => name !== null);
  return names.some((name) => GONE.test(name))
    ? { kind: 'not_found', why: 'an error page with status 200' }
    : { kind: 'unreadable', why: 'no item title' };
}

/** An item page, taken apart; a verdict for every other page. */
export function itemPage(
  page: Page,
): { readonly kind: 'item'; readonly item: ItemPage } | PageVerdict<never> {
  const early = readStatus(page);
  if (early !== null) return early;
  const parsed = parsePage(page);
  const elements = itemElements(parsed.html.html);
  const asked = idsIn(page.url);
  const written = firstSeen(elements, ['number'], 40);
  const itemId =
    idsIn(parsed.context.canonical?.href ?? null).itemId ??
    asked.itemId ??
    (written !== null && /^\d{9,15}$/.test(written) ? written : null);
  const generic = readParsedPage(parsed);
  const base = generic.kind === 'read' ? generic.value : EMPTY_LISTING;
  // A page without this retailer's elements is its item's where structured data and address say so.
  const title = firstSeen(elements, ['title'], 1000) ?? (asked.itemId === null ? null : base.title);
  if (title === null) return otherVerdict(parsed, page);
  const variantId = asked.variantId ?? idsIn(page.requestedUrl).variantId;
  return { kind: 'item', item: itemPageOf({ parsed, elements, base, itemId, variantId }, title) };
}

/** Facts that no item page has: their absence is no alarm. */
const RARE = new Set(['sku', 'gtin', 'brand', 'description', 'categories']);

/** Reads an item page as a product. */
export function readItemPage(page: Page): PageVerdict<Listing> {
  const read = itemPage(page);
  if (read.kind !== 'item') return read;
  const { listing, remarks } = read.item;
  const missing = missingFields(listing).filter((name) => !RARE.has(name));
  return { kind: 'read', value: listing, notes: { missing, remarks } };
}
