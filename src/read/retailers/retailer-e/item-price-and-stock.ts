// Determines price and stock of retailer_e's item page. Visible text comes first, because structured data says "in stock"
// for listings that ended long ago. Bids and converted amounts are not prices.

import type { Listing } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { inCurrency, isSameAmount, type Money } from '../../../base/listing/money/minor-units.ts';
import { readMoney, readValue } from '../../../base/listing/money/money.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import { jsonPieceAt } from '../../page-data/json/bounded-json.ts';
import { at, boolAt } from '../../page-data/json/json-path.ts';
import type { ParsedPage } from '../generic/parsed-page.ts';
import { idsIn } from './address-book.ts';
import { browseMoney } from './browse-values.ts';
import { elementsOf, elementsWithin, firstSeen, seenText } from './item-elements.ts';
import type { ItemElements } from './item-elements.ts';
import { quantityMeaning, saysEnded } from './listing-values.ts';

const MARK = '"variationsMap":';
const LIMIT = 2000;

type Variation = { readonly price: Money | null; readonly inStock: boolean | null };
type Variations = ReadonlyMap<string, Variation>;

function mapIn(page: HtmlPage): unknown {
  for (const { from, to } of page.scripts) {
    const found = page.html.slice(from, to).indexOf(MARK);
    if (found < 0) continue;
    const brace = from + found + MARK.length;
    if (page.html[brace] === '{') return jsonPieceAt(page.html, brace);
  }
  return null;
}

function priceOf(entry: unknown): Money | null {
  const value = at(entry, 'binModel.price.value');
  if (typeof value === 'object') return browseMoney(value, '');
  return readValue(value, null);
}

/** Returns the variations in the page's script: id -> price and stock. Null for a page without variations. */
function variationsIn(page: HtmlPage): Variations | null {
  const map = mapIn(page);
  if (typeof map !== 'object' || map === null) return null;
  const found = new Map<string, Variation>();
  for (const id of Object.keys(map).slice(0, LIMIT)) {
    if (!/^[1-9]\d{0,14}$/.test(id)) continue;
    const entry = at(map, id);
    const isOut = boolAt(entry, 'quantity.outOfStock') ?? boolAt(entry, 'outOfStock');
    found.set(id, { price: priceOf(entry), inStock: isOut === null ? null : !isOut });
  }
  return found.size === 0 ? null : found;
}

/** Returns true when any is in stock; false when all that state it are out of stock; null when none states it. */
function stockOfAny(variations: Variations): boolean | null {
  const known = [...variations.values()].map(({ inStock }) => inStock).filter((is) => is !== null);
  return known.length === 0 ? null : known.includes(true);
}

/** The parts of an item page. */
export type ItemParts = {
  readonly parsed: ParsedPage;
  readonly elements: ItemElements;
  /** The facts from structured data; empty if there is none. */
  readonly base: Listing;
  readonly itemId: string | null;
  readonly variantId: string | null;
};

/** Returns the currency of a bare `$`: the US dollar on this retailer's own host; elsewhere it is unknown. */
function dollarHint({ itemId, parsed }: ItemParts): string | null {
  return itemId !== null && idsIn(parsed.page.url).itemId !== null ? 'USD' : null;
}

function moneyIn(parts: ItemParts, text: string | null): Money | null {
  // "GBP 1.99 (Approximately US $2.66)": the second amount is a conversion.
  const own = text?.split(/approximately|\(approx/i, 1)[0] ?? '';
  return own === '' ? null : readMoney(own, { currency: dollarHint(parts) });
}

type SeenPrices = {
  readonly price: Money | null;
  readonly listPrice: Money | null;
  readonly isBid: boolean;
};

/**
 * Returns price elements that are not bids. On a page with bids, only those in a "buy it now" box, or outside a bid box,
 * count.
 */
function fixedPrices(elements: ItemElements): readonly PageElement[] {
  const outside = elementsOf(elements, 'price', 'bid');
  const boxed = elementsOf(elements, 'bid').length > 0;
  if (!boxed && elementsOf(elements, 'bids').length === 0) return outside;
  const atOnce = elementsOf(elements, 'fixed box').flatMap((box) =>
    elementsWithin(elements, box, 'price'),
  );
  return atOnce.length > 0 || !boxed ? atOnce : outside;
}

function seenPrices(parts: ItemParts): SeenPrices {
  const { elements } = parts;
  const bids = [...elementsOf(elements, 'bid'), ...elementsOf(elements, 'bids')];
  const texts = fixedPrices(elements)
    .slice(0, 5)
    .map((element) => seenText(elements, element, 200));
  const price = texts.map((text) => moneyIn(parts, text)).find((money) => money !== null) ?? null;
  if (bids.length > 0 && price === null) return { price, listPrice: null, isBid: true };
  const [extra] = elementsOf(elements, 'extra');
  const struck = extra === undefined ? [] : elementsWithin(elements, extra, 'struck');
  const [list] = [...struck, ...elementsOf(elements, 'list')];
  return {
    price,
    listPrice: list === undefined ? null : moneyIn(parts, seenText(elements, list, 200)),
    isBid: false,
  };
}

type OfferFacts = Pick<
  Listing,
  'price' | 'priceReadFrom' | 'listPrice' | 'inStock' | 'unavailable'
>;

/** Returns stock and end of the listing: from messages, then the quantity, then structured data, then the buy button. */
function stockFacts(parts: ItemParts, remarks: string[]): Pick<Listing, 'inStock' | 'unavailable'> {
  const { elements, base } = parts;
  const messages = elementsOf(elements, 'status')
    .slice(0, 10)
    .map((element) => seenText(elements, element) ?? '');
  if (messages.some(saysEnded) || elementsOf(elements, 'sold for').length > 0) {
    remarks.push('the listing has ended');
    return { inStock: false, unavailable: true };
  }
  if (messages.some((text) => /\bout of stock\b/i.test(text))) {
    return { inStock: false, unavailable: false };
  }
  const said = parts.parsed.context.words.note(quantityMeaning(firstSeen(elements, ['quantity'])));
  if (said !== null) return said;
  if (base.inStock !== null) return { inStock: base.inStock, unavailable: base.unavailable };
  const canBuy = elementsOf(elements, 'buy').length > 0;
  return canBuy ? { inStock: true, unavailable: false } : { inStock: null, unavailable: null };
}

/**
 * Returns the displayed amount with the currency from structured data with the same amount: a bare `$` may mean many
 * currencies.
 */
function withStatedCurrency(seen: Money | null, stated: Money | null): Money | null {
  if (seen === null || seen.currency !== null || stated === null) return seen;
  return isSameAmount(seen, stated) ? stated : seen;
}

function offerFacts(parts: ItemParts, remarks: string[]): OfferFacts {
  const { base } = parts;
  const seen = seenPrices(parts);
  const stock = stockFacts(parts, remarks);
  if (seen.isBid) remarks.push('an auction: the current bid is not a price');
  if (seen.isBid || stock.unavailable === true)
    return { ...stock, price: null, priceReadFrom: null, listPrice: null };
  const price = withStatedCurrency(seen.price, base.price) ?? base.price;
  const priceReadFrom = seen.price === null ? base.priceReadFrom : 'visible';
  return {
    ...stock,
    price,
    priceReadFrom,
    listPrice: listPriceOf(price, [seen.listPrice, base.listPrice]),
  };
}

/**
 * Returns, for a listing with variations, the facts of the selected one, otherwise those of the listing, in stock if any
 * variation is.
 */
function variedFacts(parts: ItemParts, facts: OfferFacts, remarks: string[]): OfferFacts {
  const variations = variationsIn(parts.parsed.html);
  if (variations === null || facts.unavailable === true) return facts;
  if (parts.variantId === null) {
    const inStock = stockOfAny(variations) ?? facts.inStock;
    return { ...facts, inStock, unavailable: inStock === null ? facts.unavailable : false };
  }
  const chosen = variations.get(parts.variantId);
  if (chosen === undefined) {
    remarks.push('the chosen variation is not on the page');
    return { price: null, priceReadFrom: null, listPrice: null, inStock: null, unavailable: null };
  }
  return ofVariation(chosen, facts);
}

function ofVariation({ price, inStock }: Variation, facts: OfferFacts): OfferFacts {
  const currency = price?.currency ?? facts.price?.currency ?? null;
  const own = price === null ? null : inCurrency(price, currency);
  const isSame = own?.cents === facts.price?.cents;
  return {
    price: own,
    priceReadFrom: own === null ? null : 'state',
    listPrice: isSame ? facts.listPrice : null,
    inStock: inStock ?? facts.inStock,
    unavailable: inStock === null ? facts.unavailable : false,
  };
}

/** Returns price, former price and stock of the listing, or of the variation selected by the address. */
export function priceAndStock(parts: ItemParts, remarks: string[]): OfferFacts {
  return variedFacts(parts, offerFacts(parts, remarks), remarks);
}
