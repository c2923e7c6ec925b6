// Reads the prices of one offer: its own amount and its price specifications. offers.ts decides which offer counts.
// docs/how/reading.md explains the rules.

import { compile, oneOf } from '../../../base/listing/words/all-languages.ts';
import {
  amountOf,
  decimalsOf,
  isSameAmount,
  rescaledUnits,
  type Money,
} from '../../../base/listing/money/minor-units.ts';
import {
  readAmounts,
  readMoney,
  readValue,
  currencyOrToman,
} from '../../../base/listing/money/money.ts';
import { inRials, TOMAN } from '../../../base/listing/money/toman.ts';
import { decodeEntities } from '../../../base/listing/text/text.ts';
import type { PageContext, StatedPrice } from '../facts.ts';
import { hasType, isNode, listOf, plainNumber, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { firstOf, isTemplateRest, textIn, textsIn } from './schema-values.ts';
import { isOfOtherTime } from '../stated-dates.ts';

/** Types of charges for something other than the product. */
const OTHER_CHARGES = new Set(['deliverychargespecification', 'paymentchargespecification']);

/** An amount that the text labels as the former or recommended price. */
const WAS_PRICE = compile(
  'formerBefore',
  (words) => `^\\s*${words}(?!\\p{L})[^\\d]{0,20}\\d[\\d.,'\\s]*`,
);

/** Returns "Was £59.90 Now £49.90" without the former price. */
function withoutWasPrice(text: string): string {
  return /^\s*\p{L}/u.test(text) ? decodeEntities(text).replace(WAS_PRICE, '') : text;
}

/** Returns a stated amount with its currency; null for zero, unfilled templates and anything that is not an amount. */
export function statedPrice(
  value: unknown,
  currency: string | null,
  context: PageContext,
): StatedPrice | null {
  if (typeof value === 'number') {
    const money = readValue(value, currency);
    return money === null ? null : { money: inRials(money), isWhole: Number.isInteger(value) };
  }
  if (typeof value !== 'string' || isTemplateRest(value)) return null;
  const text = withoutWasPrice(value.slice(0, 300));
  const isDollar = currency === null && context.dollarIsUs && text.includes('$');
  // A plain number is a structured value regardless of the page language ("24.990" depends on its currency).
  const money = /^[\s\d.,']+$/.test(text)
    ? amountOnly(text, currency)
    : readMoney(text, { currency: isDollar ? 'USD' : currency });
  if (money === null) return null;
  const price = { money, isWhole: /^\D*\d+\D*$/.test(text) };
  const otherCents = currency === TOMAN ? null : otherCentsOf(text, money);
  return otherCents === null ? price : { ...price, otherCents };
}

/** Returns the alternative to an amount for one separator and three digits ("1.290"), which may be decimals or thousands. */
function otherCentsOf(text: string, { cents, currency }: Money): number | null {
  const match = /^\s*(\d{1,3})[.,](\d{3})\s*$/.exec(text);
  if (match === null) return null;
  const thousandths = Number(`${match[1] ?? ''}${match[2] ?? ''}`);
  const decimals = decimalsOf(currency);
  const amounts = [thousandths * 10 ** decimals, rescaledUnits(thousandths, 3, decimals) ?? 0];
  return amounts.find((amount) => Math.abs(amount - cents) > 1) ?? null;
}

/**
 * Currencies without hundredths in practice: "12.990" is twelve thousand. For all others `readValue` decides what
 * three digits after a point mean.
 */
const SMALL_UNITS = new Set(
  (
    'ALL AMD ARS CLP COP CRC CZK DZD HUF IDR IQD IRR IRT ISK JPY KHR KRW KZT LAK LBP LKR MMK MNT NGN PKR PYG RSD ' +
    'RUB TWD TZS UGX UZS VND'
  ).split(' '),
);

function amountOnly(written: string, currency: string | null): Money | null {
  const isThousands = SMALL_UNITS.has(currency ?? '') && /^\s*\d{1,3}\.\d{3}\s*$/.test(written);
  const text = isThousands ? written.replace('.', '') : written;
  const money = readValue(text, currency);
  return money === null ? null : inRials(money);
}

/** Whether an amount is zero: "0.00", 0. */
export function isZero(value: unknown): boolean {
  if (typeof value === 'number') return value === 0;
  return (
    typeof value === 'string' && /^\D{0,5}0+(?:[.,]0+)?\D{0,5}$/.test(value.slice(0, 40).trim())
  );
}

/** Returns the ISO code of `priceCurrency`, which some shops write as a sign or a name. */
function currencyIn(node: SchemaNode, context: PageContext): string | null {
  const text = textIn(node, 'priceCurrency', 40);
  if (text === null) return null;
  return currencyOrToman(text) ?? (text === '$' && context.dollarIsUs ? 'USD' : null);
}

type Specification = {
  readonly price: StatedPrice;
  /** The last part of `priceType` in lower case: listprice, saleprice, strikethroughprice. */
  readonly kind: string;
  readonly withTax: boolean | null;
  /** Whether it is for a unit that is not known to be one piece. */
  readonly perUnit: boolean;
};

/** Types of former and recommended prices, which are not the current price. */
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

/** Unit codes and words for one piece. */
const PIECE = /^(?:c62|ea|h87|pce|xpp|nar|piece|unit|each|st(?:ü|u)ck|item)$/i;
/** Unit codes and words of weight, volume, length, area and time: a price for one of them is a rate. */
const MEASURE = new RegExp(
  '^(?:kgm|grm|mgm|onz|lbr|tne|ltr|mlt|clt|dlt|oza|gll|qti?|pti?|mtr|cmt|mmt|inh|fot|yrd|mtk|cmk|ftk|ydk|ink|' +
    'mon|ann|wee|day|hur|min|g|kg|oz|fl ?oz|lbs?|ml|cl|l|m|cm|ft|yd|sq ?ft|m2|m²|months?|mo|weeks?|years?|days?|hours?)$',
  'i',
);
/** Names of specifications that are not the price. */
const CHARGE_NAME =
  /\b(?:core (?:charge|deposit)|deposit|shipping|delivery|handling|installation|protection plan|warranty|financing|instal?lments?|trade[- ]in|subscription|recycling fee)\b/i;
/** Types that are only a price component or an additional charge (schema.org PriceComponentTypeEnumeration). */
const COMPONENTS =
  /(?:downpayment|installment|subscription|activationfee|cleaningfee|distancefee)$/i;

/** Whether a price is for members, subscribers or buyers of several pieces. */
function isForSome(node: SchemaNode): boolean {
  if (FOR_SOME.some((property) => valueOf(node, property) !== undefined)) return true;
  const quantity = firstOf(node, 'eligibleQuantity');
  return isNode(quantity) && (plainNumber(valueOf(quantity, 'minValue')) ?? 1) > 1;
}

const FOR_SOME = ['validForMemberTier', 'billingDuration', 'billingIncrement'] as const;

/**
 * Whether a specification is not the product's price: a deposit, or a price per 100 ml, per month, for members or from ten
 * pieces up.
 */
function isPartialPrice(node: SchemaNode): boolean {
  if (hasType(node, OTHER_CHARGES)) return true;
  if (isForSome(node)) return true;
  // An invoice price is what the shop itself pays.
  if (/invoiceprice$/i.test(textIn(node, 'priceType', 200) ?? '')) return true;
  if (CHARGE_NAME.test(textIn(node, 'name', 80) ?? '')) return true;
  if (MEASURE.test(textIn(node, 'unitCode', 20) ?? '')) return true;
  if (textsIn(node, 'priceComponentType').some((word) => COMPONENTS.test(word))) return true;
  const reference = firstOf(node, 'referenceQuantity');
  if (!isNode(reference)) return false;
  const unit = textIn(reference, 'unitCode', 20) ?? textIn(reference, 'unitText', 20) ?? 'C62';
  return !PIECE.test(unit) || (plainNumber(valueOf(reference, 'value')) ?? 1) !== 1;
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
    const isDated = isOfOtherTime(node, context.nowMs);
    const taxed = firstOf(node, 'valueAddedTaxIncluded');
    found.push({
      price: isDated ? { ...price, isOfOtherTime: true } : price,
      kind: (textIn(node, 'priceType', 200) ?? '').replace(/^.*[/#:]/, '').toLowerCase(),
      withTax: taxed === undefined ? null : taxed === true || taxed === 'true' || taxed === 'True',
      perUnit: !PIECE.test(textIn(node, 'unitCode', 20) ?? 'C62'),
    });
  }
  return found;
}

type Prices = { readonly price: StatedPrice | null; readonly list: StatedPrice | null };

/**
 * Returns the specifications in one currency: the offer's, otherwise the page's, otherwise that of the first specification.
 */
function inOneCurrency(
  all: readonly Specification[],
  wanted: string | null,
): readonly Specification[] {
  const codes = new Set(
    all.map(({ price }) => price.money.currency).filter((code) => code !== null),
  );
  if (codes.size < 2) return all;
  const [first] = codes;
  const code = wanted !== null && codes.has(wanted) ? wanted : first;
  return all.filter(({ price }) => price.money.currency === code);
}

/** Types of the price that everybody pays before and after a sale. */
const REGULAR_KINDS = new Set(['listprice', 'strikethroughprice', 'regularprice']);

/**
 * Returns the current price among specifications of one currency. Those of another time do not count next to one of now; a sale
 * of another time leaves the regular price.
 */
function pricesOf(all: readonly Specification[]): Prices {
  const ofNow = all.filter(({ price }) => price.isOfOtherTime !== true);
  const now = pricesOfOneTime(ofNow);
  if (now.price !== null) return now;
  const { price, list } = pricesOfOneTime(all);
  const regular = ofNow.find(({ kind }) => REGULAR_KINDS.has(kind))?.price ?? null;
  if (price === null || regular === null) return { price, list };
  return { price: { ...price, isOfOtherTime: false, afterwards: regular.money }, list };
}

/** Returns the price among specifications: sale price before plain, with tax before without. */
function pricesOfOneTime(specifications: readonly Specification[]): Prices {
  const list = specifications.find((entry) => LIST_KINDS.has(entry.kind))?.price ?? null;
  let active = specifications.filter((entry) => !LIST_KINDS.has(entry.kind));
  if (active.some((entry) => !entry.perUnit)) active = active.filter((entry) => !entry.perUnit);
  if (active.some((entry) => entry.withTax === true)) {
    active = active.filter((entry) => entry.withTax !== false);
  }
  const sale = active.find((entry) => entry.kind === 'saleprice');
  return { price: (sale ?? active[0])?.price ?? null, list };
}

/** Returns the offer's own amount; some shops write an object with `value`. */
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

function isSame(a: StatedPrice, b: StatedPrice): boolean {
  return a.money.cents === b.money.cents && a.money.currency === b.money.currency;
}

/**
 * Whether a specification replaces the offer's own amount: it is lower and the specifications call the amount the regular
 * price, or they mark the amount as without tax and state one with tax.
 */
function isOverruled(own: StatedPrice, specified: Prices, all: readonly Specification[]): boolean {
  const { price, list } = specified;
  if (price === null || price.money.currency !== own.money.currency) return false;
  if (price.isOfOtherTime === true) return false;
  const isDated = all.some(
    (entry) => entry.price.isOfOtherTime === true && isSame(entry.price, own),
  );
  if (isDated) return !isSame(price, own);
  if (list !== null && isSame(list, own) && price.money.cents < own.money.cents) return true;
  const isNet = all.some((entry) => entry.withTax === false && isSame(entry.price, own));
  return isNet && all.some((entry) => entry.withTax === true && isSame(entry.price, price));
}

/** Whether the specifications say that the offer's own amount only applies to some buyers. */
function isOwnForSome(node: SchemaNode, own: StatedPrice, context: PageContext): boolean {
  const { currency } = own.money;
  return listOf(node, 'priceSpecification')
    .slice(0, 20)
    .some((specification) => {
      if (!isNode(specification) || !isForSome(specification)) return false;
      const price = statedPrice(firstOf(specification, 'price'), currency, context);
      return price !== null && isSame(price, own);
    });
}

const AUCTION = new RegExp(`\\b${oneOf('auction')}\\b`, 'i');

/** Whether an offer is an auction running until `availabilityEnds`: its amount is the starting bid. */
function isAuction(node: SchemaNode, { url }: PageContext): boolean {
  if (valueOf(node, 'availabilityEnds') === undefined) return false;
  const says = ['name', 'itemOffered', 'description', 'category', 'url', 'additionalType'];
  return [url?.href ?? '', ...says.map((name) => textIn(node, name, 300) ?? '')].some((text) =>
    AUCTION.test(text.replaceAll(/[_/.-]+/g, ' ')),
  );
}

/** Returns the second of two amounts in one value (" 10,75 € 11,95 € ") when it is the higher: the former price. */
function secondAmount(node: SchemaNode, first: StatedPrice): StatedPrice | null {
  const value = firstOf(node, 'price');
  if (typeof value !== 'string' || value.length > 300) return null;
  const amounts = readAmounts(value, { currency: first.money.currency });
  const [own, other] = amounts;
  if (amounts.length !== 2 || own === undefined || other === undefined) return null;
  if (!isSameAmount(own, first.money) || amountOf(other) <= amountOf(own)) return null;
  if (other.currency !== first.money.currency) return null;
  return { money: other, isWhole: false };
}

/** Returns the current and the former price of one offer, and whether it dates them to another time. */
export function offerPrices(node: SchemaNode, context: PageContext): Prices {
  const { price, list } = undatedPrices(node, context);
  const isDated = price !== null && isOfOtherTime(node, context.nowMs);
  return { price: isDated ? { ...price, isOfOtherTime: true } : price, list };
}

function undatedPrices(node: SchemaNode, context: PageContext): Prices {
  // A price for members is not the price for everyone.
  if (valueOf(node, 'validForMemberTier') !== undefined) return { price: null, list: null };
  if (isAuction(node, context)) return { price: null, list: null };
  const currency = currencyIn(node, context);
  const stated = specificationsOf(node, currency, context);
  const all = inOneCurrency(stated, currency ?? context.currency);
  const specified = pricesOf(all);
  const own =
    ownPrice(node, currency, context) ?? statedPrice(firstOf(node, 'lowPrice'), currency, context);
  if (own === null || isOverruled(own, specified, all) || isOwnForSome(node, own, context)) {
    return specified;
  }
  // Text that is struck through (`<del>`) is the former price.
  const struck = statedPrice(firstOf(node, 'wasPrice'), currency, context);
  const isSpecified = specified.price !== null && isSame(specified.price, own);
  const price = isSpecified ? { ...specified.price, ...own } : own;
  return { price, list: specified.list ?? struck ?? secondAmount(node, own) };
}
