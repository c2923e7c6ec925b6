// Reads the offers of a schema.org product: the facts of each, and which one is the page's offer. docs/how/reading.md
// explains the rules.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { amountOf, isSameAmount, type Money } from '../../../base/listing/money/minor-units.ts';
import { firstUnderstood } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { PageContext, StatedPrice } from '../facts.ts';
import { hasType, isNode, listOf, plainNumber, typesOf, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { withNamedCurrency } from './offer-currencies.ts';
import { inOfferOrder } from './offer-order.ts';
import { offerPrices } from './offer-prices.ts';
import { absoluteUrl } from '../page-address.ts';
import { barcodeIn, firstOf, textIn, textOf, textsIn } from './schema-values.ts';
import { DATES, hasEnded, hasNotBegun } from '../stated-dates.ts';
import { isZero } from './stated-price.ts';

export type SchemaOffer = {
  readonly price: StatedPrice | null;
  readonly isPriceZero: boolean;
  readonly listPrice: Money | null;
  /** Whether the price is the lower end of a range without individual offers. */
  readonly isAggregate: boolean;
  /** Whether it is in the list of an AggregateOffer, whose offers belong to several sellers or variants. */
  readonly isNested: boolean;
  readonly inStock: boolean | null;
  readonly unavailable: boolean | null;
  readonly condition: Condition | null;
  readonly sellerName: string | null;
  readonly sku: string | null;
  readonly mpn: string | null;
  readonly gtin: Gtin14 | null;
  readonly url: URL | null;
  readonly name: string | null;
  /** Minimum number of pieces for the offer; null when not stated. */
  readonly quantity: number | null;
  /** The node the offer was read from. */
  readonly node: SchemaNode;
};

/** Maximum number of offers read: no real page has more, and a hostile one may have 100,000. */
const OFFER_LIMIT = 500;

const SERVICES = new Set(['service', 'warrantypromise']);
const NO_OFFERS = new Set(['offershippingdetails', 'demand', 'offerforlease', 'service']);

/** Returns the condition stated by a node. */
export function conditionIn(node: SchemaNode, { words }: PageContext): Condition | null {
  return words.note(firstUnderstood(textsIn(node, 'itemCondition'), readCondition));
}

function sellerIn(node: SchemaNode): string | null {
  const seller = firstOf(node, 'seller') ?? firstOf(node, 'offeredBy');
  if (!isNode(seller)) return textIn(node, 'seller', 300);
  return textIn(seller, 'name', 300) ?? textIn(seller, 'legalName', 300);
}

function quantityIn(node: SchemaNode): number | null {
  const quantity = firstOf(node, 'eligibleQuantity');
  if (!isNode(quantity)) return plainNumber(quantity);
  return plainNumber(firstOf(quantity, 'minValue') ?? firstOf(quantity, 'value'));
}

/**
 * Returns the stated stock. A product that is only available later is not in stock, and after its last day "in stock" means
 * nothing.
 */
function inStockNow(
  inStock: boolean | null,
  node: SchemaNode,
  { nowMs }: PageContext,
): boolean | null {
  if (inStock !== true) return inStock;
  if (hasNotBegun(node, ['availabilityStarts'], nowMs)) return false;
  return hasEnded(node, ['availabilityEnds'], nowMs) ? null : true;
}

/** Reads an offer, once for each currency in which it states a price. */
function readOffer(node: SchemaNode, context: PageContext): readonly SchemaOffer[] {
  const state = context.words.note(
    firstUnderstood(textsIn(node, 'availability'), readAvailability),
  );
  const isAggregate =
    firstOf(node, 'lowPrice') !== undefined && firstOf(node, 'price') === undefined;
  const isZeroStated = [...listOf(node, 'price'), ...listOf(node, 'lowPrice')].some(isZero);
  const rest = {
    isNested: false,
    isAggregate,
    inStock: inStockNow(state?.inStock ?? null, node, context),
    unavailable: state?.unavailable ?? null,
    condition: conditionIn(node, context),
    sellerName: sellerIn(node),
    sku: textIn(node, 'sku', 200),
    mpn: textIn(node, 'mpn', 200),
    gtin: barcodeIn(node),
    url: absoluteUrl(textIn(node, 'url', 4096), context.url),
    name: textIn(node, 'name', 200),
    quantity: quantityIn(node),
    node,
  };
  return offerPrices(node, context).map(({ price, list }) => ({
    ...rest,
    price,
    isPriceZero: price === null && isZeroStated,
    listPrice: listPriceOf(price?.money ?? null, [list?.money ?? null]),
  }));
}

/** Names of offers that do not sell the product: financing, a plan, a deposit. */
const OTHER_BUSINESS =
  /^(?:(?:monthly|weekly|easy|flexible|interest[- ]free|0 ?%) )*(?:(?<=ly )payments?|financing|finance|instal?lments?|payment plan|lease|leasing|rental|trade[- ]in(?: (?:value|credit|offer))?|(?:[\w-]{1,20} ){0,3}(?:protection|service) plan|(?:[\w-]{1,20} ){0,3}warranty|core charge|deposit)$/i;

/** Whether an offer sells the product: not rent, lease, repair or a plan. */
function isSale(node: SchemaNode): boolean {
  if (hasType(node, NO_OFFERS)) return false;
  const item = firstOf(node, 'itemOffered');
  if (isNode(item) && hasType(item, SERVICES)) return false;
  if (OTHER_BUSINESS.test(textIn(node, 'name', 80)?.trim() ?? '')) return false;
  return !textsIn(node, 'businessFunction').some((word) => /lease|rent|repair|buy$/i.test(word));
}

function looksLikeOffer(node: SchemaNode): boolean {
  return (
    typesOf(node).length > 0 ||
    ['price', 'lowPrice', 'availability', 'offers', 'priceSpecification'].some(
      (name) => valueOf(node, name) !== undefined,
    )
  );
}

/**
 * Returns price or stock stated on the product itself, as in older markup. Several prices belong to other products whose
 * items are not marked up, so none of them counts.
 */
function ownOffer(product: SchemaNode, context: PageContext): SchemaOffer | null {
  const prices = new Set(listOf(product, 'price').map((price) => textOf(price)));
  const says = prices.size === 1 || valueOf(product, 'availability') !== undefined;
  if (!says || prices.size > 1) return null;
  const [offer] = readOffer(product, context);
  if (offer === undefined) return null;
  return { ...offer, sku: null, mpn: null, gtin: null, url: null, name: null };
}

/** Properties that an AggregateOffer states once for all its offers. */
const SHARED = ['priceCurrency', 'availability', 'itemCondition', 'seller', ...DATES];

function withShared(inner: SchemaNode, around: SchemaNode): SchemaNode {
  const missing = SHARED.filter((name) => valueOf(inner, name) === undefined);
  if (missing.every((name) => valueOf(around, name) === undefined)) return inner;
  const whole = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(inner)) whole[name] = inner[name];
  for (const name of missing) whole[name] = valueOf(around, name);
  return whole;
}

function nestedOffers(node: SchemaNode, { left }: PageContext): readonly SchemaNode[] {
  const inner = listOf(node, 'offers').slice(0, Math.max(0, left.offers));
  left.offers -= inner.length;
  return inner.filter(isNode).filter(isSale);
}

/** Returns the offers under `offers`. The offers inside an AggregateOffer replace it when one of them has a price. */
function statedOffers(product: SchemaNode, context: PageContext): readonly SchemaOffer[] {
  const found: SchemaOffer[] = [];
  for (const node of listOf(product, 'offers')) {
    if (context.left.offers <= 0) break;
    context.left.offers -= 1;
    if (!isNode(node) || !isSale(node) || !looksLikeOffer(node)) continue;
    const nested = nestedOffers(node, context).flatMap((inner) =>
      readOffer(withShared(inner, node), context).map((offer) => ({ ...offer, isNested: true })),
    );
    if (nested.some((offer) => offer.price !== null)) found.push(...nested);
    else found.push(...readOffer(node, context));
    if (found.length >= OFFER_LIMIT) break;
  }
  return found.slice(0, OFFER_LIMIT);
}

/** A product, a variant or a group, with its offers. */
export type OfferedNode = { readonly node: SchemaNode; readonly offers: readonly SchemaOffer[] };

/** Returns a node with its offers. */
export const withOffers = (node: SchemaNode, context: PageContext): OfferedNode => ({
  node,
  offers: readOffers(node, context),
});

/** Returns a product's offers in page order, otherwise the price and stock stated on the product itself. */
export function readOffers(product: SchemaNode, page: PageContext): readonly SchemaOffer[] {
  const context = withNamedCurrency(product, page);
  const stated = statedOffers(product, context);
  const own = ownOffer(product, context);
  if (own === null) return stated;
  if (stated.length === 0) return [own];
  const isToldAlready = own.inStock === null || stated.some((offer) => offer.inStock !== null);
  if (isToldAlready) return stated;
  const { inStock, unavailable } = own;
  return stated.map((offer) => ({ ...offer, inStock, unavailable }));
}

/**
 * Returns the offers that may be the page's: those in stock with a price, else those with a price. An offer for several
 * pieces only counts when there is none for one piece.
 */
function mainOffers(offers: readonly SchemaOffer[]): readonly SchemaOffer[] {
  const all = offers.filter((offer) => offer.price !== null);
  const single = all.filter(({ quantity }) => quantity === null || quantity <= 1);
  const priced = single.length > 0 ? single : all;
  const open = priced.filter((offer) => offer.inStock === true);
  return open.length > 0 ? open : priced;
}

const isOfNow = ({ price }: SchemaOffer): boolean => price?.isOfOtherTime !== true;

/**
 * Returns the offers without those whose last day is over or whose first has not come. All of them if no other has a price: a
 * template's date often stays on a shop's only offer.
 */
export function offersOfNow(offers: readonly SchemaOffer[]): readonly SchemaOffer[] {
  const ofNow = offers.filter(isOfNow);
  return ofNow.some(({ price }) => price !== null) ? ofNow : offers;
}

/**
 * Returns the page's offer: the one at the displayed price, if that is known, else the cheapest. The displayed price may be
 * that of an offer of another time, whose date is then wrong.
 */
export function mainOffer(
  offers: readonly SchemaOffer[],
  { shown }: Pick<PageContext, 'shown'>,
): SchemaOffer | null {
  const main = inOfferOrder(mainOffers(offersOfNow(offers)));
  const first = [...main, ...inOfferOrder(mainOffers(offers))].find(
    ({ price }) => price !== null && shown !== null && isSameAmount(price.money, shown),
  );
  return first ?? main[0] ?? inOfferOrder(offers)[0] ?? null;
}

/** Whether offers that may all be the page's differ in price. */
export function haveSeveralPrices(offers: readonly SchemaOffer[]): boolean {
  return new Set(mainOffers(offers).map(({ price }) => price && amountOf(price.money))).size > 1;
}

/** Properties in which an offer and its former version may differ, and properties compared by their parsed values. */
const AMOUNTS: ReadonlySet<string> = new Set([
  '@id',
  'price',
  'lowPrice',
  'highPrice',
  'wasPrice',
  'priceValidUntil',
  'priceCurrency',
  'availability',
  'itemCondition',
  'url',
]);
/** Maximum number of values compared between two offers, and of properties of one value. */
const MOST_TERMS = 500;

/** Whether two offers are identical except for their amounts. */
function haveSameTerms(first: SchemaNode, second: SchemaNode): boolean {
  const open: (readonly [unknown, unknown])[] = [[first, second]];
  for (let count = 0; count < MOST_TERMS; count += 1) {
    const pair = open.pop();
    if (pair === undefined) return true;
    const [one, other] = pair;
    if (one === other) continue;
    if (!isObject(one) || !isObject(other)) return false;
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    if (names.size > MOST_TERMS) return false;
    for (const name of names) if (!AMOUNTS.has(name)) open.push([one[name], other[name]]);
  }
  return false;
}

/** Whether a value is a node or a list. */
const isObject = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null;

/**
 * Returns two offers in one currency that differ only in the amount: the lower is the price, the higher the former one.
 * Null when they differ in anything else (seller, number, size, region, start, tax), or when either is a range.
 */
export function saleAndRegular(
  offers: readonly SchemaOffer[],
): { readonly sale: SchemaOffer; readonly regular: Money } | null {
  const [first, second] = offers;
  if (offers.length !== 2 || first === undefined || second === undefined) return null;
  if (first.price === null || second.price === null) return null;
  if (first.isAggregate || second.isAggregate || first.isNested || second.isNested) return null;
  const isSame =
    first.price.money.currency === second.price.money.currency &&
    first.condition === second.condition &&
    first.inStock === second.inStock &&
    first.url?.href === second.url?.href &&
    haveSameTerms(first.node, second.node);
  if (!isSame || first.price.money.cents === second.price.money.cents) return null;
  const isFirstLower = first.price.money.cents < second.price.money.cents;
  const [sale, regular] = isFirstLower ? [first, second] : [second, first];
  if (sale.price === null || regular.price === null) return null;
  // A page that shows only the higher one has ended the sale.
  const price = { ...sale.price, highestCents: regular.price.money.cents };
  return { sale: { ...sale, price }, regular: regular.price.money };
}

/** Whether offers belong to several variants or sellers: more than one, or one for an unknown number. */
export function areOfSeveral(offers: readonly SchemaOffer[]): boolean {
  if (offers.length !== 1) return offers.length > 1;
  return offers.some(
    ({ isAggregate, node }) => isAggregate && plainNumber(firstOf(node, 'offerCount')) !== 1,
  );
}

/**
 * Returns true when any offer is in stock; false when all offers that state it are out of stock; null when none states it.
 */
export function stockOf(offers: readonly SchemaOffer[]): boolean | null {
  const known = offers.map((offer) => offer.inStock).filter((value) => value !== null);
  return known.length === 0 ? null : known.includes(true);
}
