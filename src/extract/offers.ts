// The offers of a schema.org product: what each asks and says, and which of them is the page's price. Rules
// for prices are told in docs/reading-pages.md; each stands here as a function with its reason.

import { readAvailability } from '../domain/availability.ts';
import { readCondition } from '../domain/condition.ts';
import type { Gtin14 } from '../domain/gtin.ts';
import type { Condition } from '../domain/listing.ts';
import { currencyOf, readAmount, readMoney } from '../domain/money.ts';
import type { Money } from '../domain/money.ts';
import type { PageContext, StatedPrice } from './facts.ts';
import { hasType, isNode, listOf, plainNumber, typesOf, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { absoluteUrl } from './page-address.ts';
import { barcodeIn, firstOf, isTemplateRest, textIn, textOf } from './schema-values.ts';

export type Offer = {
  readonly price: StatedPrice | null;
  readonly isPriceZero: boolean;
  readonly listPrice: Money | null;
  /** The lowest of a range without offers of its own. */
  readonly isAggregate: boolean;
  readonly inStock: boolean | null;
  readonly unavailable: boolean | null;
  readonly condition: Condition | null;
  readonly sellerName: string | null;
  readonly sku: string | null;
  readonly mpn: string | null;
  readonly gtin: Gtin14 | null;
  readonly url: URL | null;
};

/** No page has more; 100,000 offers are an attack. */
const OFFER_LIMIT = 500;

/** What is asked for something else than the thing itself. */
const OTHER_CHARGES = new Set(['deliverychargespecification', 'paymentchargespecification']);
const NO_OFFERS = new Set(['offershippingdetails', 'demand', 'offerforlease', 'service']);

/** A stated amount with its currency; null for zero, template rests and nonsense. */
export function statedPrice(
  value: unknown,
  currency: string | null,
  context: PageContext,
): StatedPrice | null {
  if (typeof value === 'number') {
    const cents = readAmount(value, { currency });
    return cents === null ? null : { money: { cents, currency }, isWhole: Number.isInteger(value) };
  }
  if (typeof value !== 'string' || isTemplateRest(value)) return null;
  const text = value.slice(0, 300);
  const isDollar = currency === null && context.dollarIsUs && text.includes('$');
  // A bare number is a structured value, whatever the page's language ("24.990" is read by its currency).
  const money = /^[\s\d.,']+$/.test(text)
    ? amountOnly(text, currency)
    : readMoney(text, { currency: isDollar ? 'USD' : currency });
  return money === null ? null : { money, isWhole: /^\D*\d+\D*$/.test(text) };
}

function amountOnly(text: string, currency: string | null): Money | null {
  const cents = readAmount(text, { currency });
  return cents === null ? null : { cents, currency };
}

function isZero(value: unknown): boolean {
  if (typeof value === 'number') return value === 0;
  return (
    typeof value === 'string' && /^\D{0,5}0+(?:[.,]0+)?\D{0,5}$/.test(value.slice(0, 40).trim())
  );
}

/** ISO code of `priceCurrency`, which some shops write as a sign or a name. */
function currencyIn(node: SchemaNode, context: PageContext): string | null {
  const text = textIn(node, 'priceCurrency', 40);
  if (text === null) return null;
  return currencyOf(text) ?? (text === '$' && context.dollarIsUs ? 'USD' : null);
}

type Specification = {
  readonly price: StatedPrice;
  /** Last part of `priceType`, lower case: listprice, saleprice, strikethroughprice. */
  readonly kind: string;
  readonly withTax: boolean | null;
  readonly forMembers: boolean;
};

/** Was-prices and recommendations: never what a buyer pays now. */
const LIST_KINDS = new Set([
  'listprice',
  'strikethroughprice',
  'regularprice',
  'msrp',
  'srp',
  'suggestedretailprice',
  'manufacturersuggestedretailprice',
  'minimumadvertisedprice',
]);

/** A price per 100 ml, per month or from ten pieces on is not the price of the thing. */
function isPartialPrice(node: SchemaNode): boolean {
  if (hasType(node, OTHER_CHARGES)) return true;
  if (valueOf(node, 'billingDuration') !== undefined) return true;
  if (valueOf(node, 'billingIncrement') !== undefined) return true;
  const quantity = firstOf(node, 'eligibleQuantity');
  if (isNode(quantity) && (plainNumber(valueOf(quantity, 'minValue')) ?? 1) > 1) return true;
  const reference = firstOf(node, 'referenceQuantity');
  if (!isNode(reference)) return false;
  const unit = textIn(reference, 'unitCode', 20) ?? textIn(reference, 'unitText', 20) ?? 'C62';
  const isPiece = /^(?:c62|ea|h87|pce|piece|unit|each)$/i.test(unit);
  return !isPiece || (plainNumber(valueOf(reference, 'value')) ?? 1) !== 1;
}

function specificationsOf(
  offer: SchemaNode,
  currency: string | null,
  context: PageContext,
): readonly Specification[] {
  const found: Specification[] = [];
  for (const node of listOf(offer, 'priceSpecification').slice(0, 20)) {
    if (!isNode(node) || isPartialPrice(node)) continue;
    const own = currencyIn(node, context) ?? currency;
    const amount = firstOf(node, 'price') ?? firstOf(node, 'minPrice');
    const price = statedPrice(amount, own, context);
    if (price === null) continue;
    const taxed = firstOf(node, 'valueAddedTaxIncluded');
    found.push({
      price,
      kind: (textIn(node, 'priceType', 200) ?? '').replace(/^.*[/#:]/, '').toLowerCase(),
      withTax: taxed === undefined ? null : taxed === true || taxed === 'true' || taxed === 'True',
      forMembers: valueOf(node, 'validForMemberTier') !== undefined,
    });
  }
  return found;
}

type Prices = { readonly price: StatedPrice | null; readonly list: StatedPrice | null };

/** The price of the moment among specifications: sale before plain, with tax before without, for all before members. */
function pricesOf(specifications: readonly Specification[]): Prices {
  const list = specifications.find((entry) => LIST_KINDS.has(entry.kind))?.price ?? null;
  let active = specifications.filter((entry) => !LIST_KINDS.has(entry.kind));
  const forAll = active.filter((entry) => !entry.forMembers);
  if (forAll.length > 0) active = forAll;
  if (active.some((entry) => entry.withTax === true)) {
    active = active.filter((entry) => entry.withTax !== false);
  }
  const sale = active.find((entry) => entry.kind === 'saleprice');
  return { price: (sale ?? active[0])?.price ?? null, list };
}

/** The amount an offer states itself; some shops put an object with `value` there. */
function ownPrice(
  node: SchemaNode,
  currency: string | null,
  context: PageContext,
): StatedPrice | null {
  for (const value of listOf(node, 'price').slice(0, 5)) {
    const isObject = isNode(value);
    const amount = isObject ? (firstOf(value, 'value') ?? firstOf(value, 'price')) : value;
    const own = isObject ? (currencyIn(value, context) ?? textIn(value, 'currency', 10)) : null;
    const price = statedPrice(amount, own ?? currency, context);
    if (price !== null) return price;
  }
  return null;
}

function offerPrices(node: SchemaNode, context: PageContext): Prices {
  const currency = currencyIn(node, context);
  const specified = pricesOf(specificationsOf(node, currency, context));
  const own =
    ownPrice(node, currency, context) ?? statedPrice(firstOf(node, 'lowPrice'), currency, context);
  if (own === null) return specified;
  // The offer's own price may be the regular one that a specification undercuts as the price of the moment.
  const cheaper =
    specified.price !== null &&
    specified.price.money.currency === own.money.currency &&
    specified.price.money.cents < own.money.cents &&
    specified.list !== null &&
    specified.list.money.cents === own.money.cents;
  return cheaper ? specified : { price: own, list: specified.list };
}

/** Words of a property that may be a text, a link, a thing with an `@id`, or a list of these. */
function wordsIn(node: SchemaNode, name: string): readonly string[] {
  return listOf(node, name)
    .slice(0, 5)
    .map((value) => (isNode(value) ? (valueOf(value, '@id') ?? valueOf(value, 'name')) : value))
    .filter((value) => typeof value === 'string')
    .map((value) => value.slice(0, 200).trim())
    .filter((value) => value !== '' && !isTemplateRest(value));
}

export function conditionIn(node: SchemaNode): Condition | null {
  for (const word of wordsIn(node, 'itemCondition')) {
    const condition = readCondition(word);
    if (condition !== null) return condition;
  }
  return null;
}

function sellerIn(node: SchemaNode): string | null {
  const seller = firstOf(node, 'seller') ?? firstOf(node, 'offeredBy');
  if (!isNode(seller)) return textIn(node, 'seller', 300);
  return textIn(seller, 'name', 300) ?? textIn(seller, 'legalName', 300);
}

function readOffer(node: SchemaNode, context: PageContext): Offer {
  const { price, list } = offerPrices(node, context);
  const states = wordsIn(node, 'availability').map((word) => readAvailability(word));
  const state = states.find((entry) => entry !== null) ?? null;
  const isHigher = price !== null && list !== null && list.money.cents > price.money.cents;
  return {
    price,
    isPriceZero:
      price === null && [...listOf(node, 'price'), ...listOf(node, 'lowPrice')].some(isZero),
    listPrice: isHigher ? list.money : null,
    isAggregate: firstOf(node, 'lowPrice') !== undefined && firstOf(node, 'price') === undefined,
    inStock: state?.inStock ?? null,
    unavailable: state?.unavailable ?? null,
    condition: conditionIn(node),
    sellerName: sellerIn(node),
    sku: textIn(node, 'sku', 200),
    mpn: textIn(node, 'mpn', 200),
    gtin: barcodeIn(node),
    url: absoluteUrl(textIn(node, 'url', 4096), context.url),
  };
}

/** Rent, lease and repair are other business than selling. */
function isSale(node: SchemaNode): boolean {
  if (hasType(node, NO_OFFERS)) return false;
  return !wordsIn(node, 'businessFunction').some((word) => /lease|rent|repair|buy$/i.test(word));
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
 * A product that writes price or stock on itself, as pages did before there were offers. Several prices are
 * those of tiles whose own scopes are missing: none of them counts.
 */
function ownOffer(product: SchemaNode, context: PageContext): Offer | null {
  const prices = new Set(listOf(product, 'price').map((price) => textOf(price)));
  const says = prices.size === 1 || valueOf(product, 'availability') !== undefined;
  if (!says || prices.size > 1) return null;
  const offer = readOffer(product, context);
  return { ...offer, sku: null, mpn: null, gtin: null, url: null };
}

/** The offers under `offers`: an AggregateOffer stands for its own offers when one of them has a price. */
function statedOffers(product: SchemaNode, context: PageContext): readonly Offer[] {
  const found: Offer[] = [];
  for (const node of listOf(product, 'offers')) {
    if (!isNode(node) || !isSale(node) || !looksLikeOffer(node)) continue;
    const nested = listOf(node, 'offers')
      .filter(isNode)
      .filter(isSale)
      .map((inner) => readOffer(inner, context));
    if (nested.some((offer) => offer.price !== null)) found.push(...nested);
    else found.push(readOffer(node, context));
    if (found.length >= OFFER_LIMIT) break;
  }
  return found.slice(0, OFFER_LIMIT);
}

/** Offers of a product in page order; price and stock written on the product itself where it has none. */
export function readOffers(product: SchemaNode, context: PageContext): readonly Offer[] {
  const stated = statedOffers(product, context);
  const own = ownOffer(product, context);
  if (own === null) return stated;
  if (stated.length === 0) return [own];
  const isToldAlready = own.inStock === null || stated.some((offer) => offer.inStock !== null);
  if (isToldAlready) return stated;
  const { inStock, unavailable } = own;
  return stated.map((offer) => ({ ...offer, inStock, unavailable }));
}

/** The page's offer: the first in stock with a price, else the first with a price, else the first. */
export function mainOffer(offers: readonly Offer[]): Offer | null {
  const priced = offers.filter((offer) => offer.price !== null);
  return priced.find((offer) => offer.inStock === true) ?? priced[0] ?? offers[0] ?? null;
}

/** In stock when any offer is; out of stock when every one that tells is out; null when none tells. */
export function stockOf(offers: readonly Offer[]): boolean | null {
  const known = offers.map((offer) => offer.inStock).filter((value) => value !== null);
  return known.length === 0 ? null : known.includes(true);
}
