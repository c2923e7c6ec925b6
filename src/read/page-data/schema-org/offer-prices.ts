// Reads the prices of one offer: its own amount and its price specifications. offers.ts decides which offer counts.
// docs/how/reading.md explains the rules.

import { oneOf } from '../../../base/listing/words/all-languages.ts';
import { amountOf, isSameAmount } from '../../../base/listing/money/minor-units.ts';
import { readAmounts } from '../../../base/listing/money/money.ts';
import type { PageContext, StatedPrice } from '../facts.ts';
import { hasType, isNode, listOf, plainNumber, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { isOfOtherTime } from '../stated-dates.ts';
import {
  currenciesIn,
  currenciesNamedBy,
  currenciesOfAmounts,
  soleOf,
} from './offer-currencies.ts';
import { firstOf, textIn, textOf, textsIn } from './schema-values.ts';
import { statedPrice } from './stated-price.ts';

/** Types of charges for something other than the product. */
const OTHER_CHARGES = new Set(['deliverychargespecification', 'paymentchargespecification']);

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
  // An invoice price is the price that the shop itself pays.
  if (/invoiceprice$/i.test(textIn(node, 'priceType', 200) ?? '')) return true;
  if (CHARGE_NAME.test(textIn(node, 'name', 80) ?? '')) return true;
  if (MEASURE.test(textIn(node, 'unitCode', 20) ?? '')) return true;
  if (textsIn(node, 'priceComponentType').some((word) => COMPONENTS.test(word))) return true;
  const reference = firstOf(node, 'referenceQuantity');
  if (!isNode(reference)) return false;
  const unit = textIn(reference, 'unitCode', 20) ?? textIn(reference, 'unitText', 20) ?? 'C62';
  return !PIECE.test(unit) || (plainNumber(valueOf(reference, 'value')) ?? 1) !== 1;
}

/** Returns whether a node says that its amount includes tax; null if it says neither. */
function withTaxIn(node: SchemaNode): boolean | null {
  const stated = firstOf(node, 'valueAddedTaxIncluded');
  const text = typeof stated === 'boolean' ? String(stated) : textOf(stated, 200);
  const word = (text ?? '').toLowerCase().replace(/^.*[/#:]/, '');
  if (word === 'true' || word === 'yes' || word === '1') return true;
  return word === 'false' || word === 'no' || word === '0' ? false : null;
}

function specificationsOf(
  offer: SchemaNode,
  currency: string | null,
  context: PageContext,
): readonly Specification[] {
  const found: Specification[] = [];
  for (const node of listOf(offer, 'priceSpecification').slice(0, 20)) {
    if (!isNode(node) || isPartialPrice(node)) continue;
    const codes = currenciesIn(node, context);
    const own = codes.length === 0 ? currency : soleOf(codes);
    const amount = firstOf(node, 'price') ?? firstOf(node, 'minPrice');
    const price = statedPrice(amount, own, context);
    if (price === null) continue;
    const isDated = isOfOtherTime(node, context.nowMs);
    const withTax = withTaxIn(node);
    const timed = isDated ? { ...price, isOfOtherTime: true } : price;
    found.push({
      price: withTax === null ? timed : { ...timed, isNet: !withTax },
      kind: (textIn(node, 'priceType', 200) ?? '').replace(/^.*[/#:]/, '').toLowerCase(),
      withTax,
      perUnit: !PIECE.test(textIn(node, 'unitCode', 20) ?? 'C62'),
    });
  }
  return found;
}

type Prices = { readonly price: StatedPrice | null; readonly list: StatedPrice | null };

const NO_PRICES: Prices = { price: null, list: null };

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
  const chosen = active.find((entry) => entry.kind === 'saleprice') ?? active[0];
  if (chosen === undefined) return { price: null, list };
  const { kind, withTax } = chosen;
  const equals = active.filter((entry) => entry.kind === kind && entry.withTax === withTax);
  return {
    price: oneOfTwo(
      chosen.price,
      equals.map(({ price }) => price),
    ),
    list,
  };
}

/** Returns a price with another of the same currency that the offer states in the same way: the page decides. */
function oneOfTwo(price: StatedPrice, stated: readonly StatedPrice[]): StatedPrice {
  const other = stated.find((one) => !isSame(one, price) && isIn(one, price.money.currency));
  if (other === undefined || price.highestCents !== undefined) return price;
  return { ...price, otherCents: other.money.cents, isUnclear: true };
}

/** Maximum number of amounts read from one property of an offer. */
const MOST_AMOUNTS = 20;

/** Returns the amounts of a property, each with its currency; some shops write an object with `value`. */
function amountsIn(
  node: SchemaNode,
  name: 'price' | 'lowPrice' | 'highPrice',
  currency: string | null,
  context: PageContext,
): readonly StatedPrice[] {
  const codes = currenciesOfAmounts(node, name, currency, context);
  return listOf(node, name)
    .slice(0, MOST_AMOUNTS)
    .map((value, index) => {
      const amount = isNode(value) ? (firstOf(value, 'value') ?? firstOf(value, 'price')) : value;
      return statedPrice(amount, codes[index] ?? null, context);
    })
    .filter((price) => price !== null);
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

/** Returns an offer's own amount with the tax statement of the offer, or of a specification of the same amount. */
function withTaxSaid(
  node: SchemaNode,
  own: StatedPrice,
  all: readonly Specification[],
): StatedPrice {
  const same = all.filter(({ price }) => isSame(price, own)).map(({ withTax }) => withTax);
  const said = [...same, withTaxIn(node)];
  if (said.includes(true)) return { ...own, isNet: false };
  return said.includes(false) ? { ...own, isNet: true } : own;
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

/** Returns the price with the highest of its range, if it is the lower end of one. */
function withUpperEnd(price: StatedPrice, highs: readonly StatedPrice[]): StatedPrice {
  const { currency } = price.money;
  const high = highs.find(({ money }) => money.currency === currency)?.money.cents ?? 0;
  return high > price.money.cents ? { ...price, highestCents: high } : price;
}

const isIn = (price: StatedPrice, code: string | null): boolean => price.money.currency === code;

/**
 * Returns the current and the former price of one offer, for each currency in which it states one. If the offer itself
 * states exactly one currency, its prices are in that currency.
 */
export function offerPrices(node: SchemaNode, context: PageContext): readonly Prices[] {
  const isDated = isOfOtherTime(node, context.nowMs);
  const dated = ({ price, list }: Prices): Prices => ({
    price: price !== null && isDated ? { ...price, isOfOtherTime: true } : price,
    list,
  });
  return undatedPrices(node, context).map(dated);
}

function undatedPrices(node: SchemaNode, context: PageContext): readonly Prices[] {
  // A price for members is not the price for everyone.
  if (valueOf(node, 'validForMemberTier') !== undefined) return [NO_PRICES];
  if (isAuction(node, context)) return [NO_PRICES];
  const named = currenciesIn(node, context);
  const currency =
    named.length === 0
      ? (soleOf(currenciesNamedBy(node, context)) ?? context.named)
      : soleOf(named);
  const all = specificationsOf(node, currency, context);
  const plain = amountsIn(node, 'price', currency, context);
  const highs = plain.length > 0 ? [] : amountsIn(node, 'highPrice', currency, context);
  const own =
    plain.length > 0
      ? plain
      : amountsIn(node, 'lowPrice', currency, context).map((low) => withUpperEnd(low, highs));
  const stated = [...own, ...all.map(({ price }) => price)];
  const codes = new Set(stated.map(({ money }) => money.currency).filter((code) => code !== null));
  if (codes.size === 0) return [pricesFrom(node, own, all, context)];
  if (codes.size === 1 && named.length < 2) return [pricesFrom(node, own, all, context)];
  return (named.length === 1 ? named : [...codes]).map((each) =>
    pricesFrom(
      node,
      own.filter((price) => isIn(price, each)),
      all.filter(({ price }) => isIn(price, each)),
      context,
    ),
  );
}

/** Returns the current and the former price among an offer's own amounts and its specifications, all in one currency. */
function pricesFrom(
  node: SchemaNode,
  owns: readonly StatedPrice[],
  all: readonly Specification[],
  context: PageContext,
): Prices {
  const specified = pricesOf(all);
  const { list } = specified;
  const current = owns.filter((price) => list === null || !isSame(price, list));
  const [own] = current.length > 0 ? current : owns;
  if (own === undefined || isOverruled(own, specified, all) || isOwnForSome(node, own, context)) {
    return specified;
  }
  // Text that is struck through (`<del>`) is the former price.
  const struck = statedPrice(firstOf(node, 'wasPrice'), own.money.currency, context);
  const isSpecified = specified.price !== null && isSame(specified.price, own);
  const stated = oneOfTwo(own, current);
  // The offer's own amount decides between two specifications.
  const { otherCents: _other, isUnclear: _unclear, ...said } = specified.price ?? stated;
  const price = isSpecified ? { ...said, ...stated } : stated;
  return {
    price: withTaxSaid(node, price, all),
    list: list ?? struck ?? secondAmount(node, own),
  };
}
