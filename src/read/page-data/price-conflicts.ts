// Determines a product's price when the sources of a page contradict each other: minor units, thousands or decimals, a
// missing currency, a sale price next to the regular one. docs/how/reading.md explains each rule.

import { listPriceOf, mayBeOneCurrency } from '../../base/listing/money/list-price.ts';
import {
  amountOf,
  decimalsOf,
  inCurrency,
  isSameAmount,
  type Money,
} from '../../base/listing/money/minor-units.ts';
import type { Facts, StatedPrice } from './facts.ts';
import type { OpenGraph } from './open-graph.ts';

/** The statements of one source about the price. */
type PriceSource = Pick<Facts, 'price' | 'isPriceZero'> & {
  /** For the remarks. */
  readonly name: string;
};

type ConflictingPrices = {
  /** Strongest first. */
  readonly sources: readonly PriceSource[];
  /** List prices stated by the sources, strongest first. */
  readonly listPrices: readonly (Money | null)[];
  readonly tags: OpenGraph;
};

type SettledPrices = {
  readonly price: StatedPrice | null;
  readonly listPrice: Money | null;
  readonly remarks: readonly string[];
  /** The name of the source, or that the sale price of the tags was used; null without a price. */
  readonly from: string | null;
};

/**
 * Corrects minor units: when one source writes 12999 and another 129.99, the whole number is in hundredths. Many programs count
 * every currency in hundredths, and others each in its own minor unit: 4567 for 4.567 dinars.
 */
function minorUnits(price: StatedPrice, others: readonly StatedPrice[]): StatedPrice | null {
  const whole = amountOf(price.money);
  if (!price.isWhole || whole < 1) return null;
  const decimal = others.find(({ money }) => {
    const currency = price.money.currency ?? money.currency;
    const isParted = [2, decimalsOf(currency)].some(
      (decimals) => decimals > 0 && amountOf(money) === whole / 10 ** decimals,
    );
    return isParted && mayBeOneCurrency(price.money, money);
  });
  if (decimal === undefined) return null;
  const money = inCurrency(decimal.money, price.money.currency ?? decimal.money.currency);
  return money === null ? null : { money, isWhole: false };
}

/**
 * Returns the alternative to an ambiguous amount when another source confirms it: "1.290" with 1290, "41.933" with 41.93, the
 * second of two prices of one offer.
 */
function confirmedAlternative(
  price: StatedPrice,
  others: readonly StatedPrice[],
): StatedPrice | null {
  const { otherCents, money } = price;
  if (otherCents === undefined) return null;
  const same = others.find(
    (other) =>
      other.otherCents === undefined &&
      Math.abs((inCurrency(other.money, money.currency)?.cents ?? -1) - otherCents) <= 1 &&
      mayBeOneCurrency(other.money, money),
  );
  if (same === undefined) return null;
  const confirmed = inCurrency(same.money, money.currency ?? same.money.currency);
  return confirmed === null ? null : { money: confirmed, isWhole: price.isWhole };
}

/** Whether an amount belongs to another variant than the one chosen at the last reading. */
export function isOfAnother({ ofOthers = [] }: StatedPrice, money: Money): boolean {
  return ofOthers.some((other) => isSameAmount(other, money));
}

/**
 * Returns the tags' sale price when the offer has the regular price. It is only used when the tags also state the offer's
 * price as the standard, original or plain one.
 */
function salePrice(price: StatedPrice, tags: OpenGraph): StatedPrice | null {
  const isRegular = (other: StatedPrice | null): boolean =>
    other !== null &&
    isSameAmount(other.money, price.money) &&
    mayBeOneCurrency(other.money, price.money);
  const lower = (other: StatedPrice | null): boolean =>
    other !== null &&
    other.isOfOtherTime !== true &&
    !isOfAnother(price, other.money) &&
    amountOf(other.money) < amountOf(price.money) &&
    mayBeOneCurrency(other.money, price.money);
  if (isRegular(tags.regular)) {
    if (lower(tags.sale)) return tags.sale;
    if (lower(tags.plain)) return tags.plain;
  }
  return isRegular(tags.plain) && lower(tags.sale) ? tags.sale : null;
}

/** Whether another source states the same amount in a form that has one meaning. */
function isClear({ money }: StatedPrice, others: readonly StatedPrice[]): boolean {
  return others.some((other) => other.isUnclear !== true && isSameAmount(other.money, money));
}

/** Adds to a price without currency the currency of another source that states the same amount. */
function withCurrency(price: StatedPrice, others: readonly StatedPrice[]): StatedPrice {
  if (price.money.currency !== null) return price;
  const same = others.find(
    (other) => isSameAmount(other.money, price.money) && other.money.currency !== null,
  );
  return same === undefined ? price : { money: same.money, isWhole: price.isWhole };
}

/** Returns the list price: stated with the price, otherwise the tags' regular price. */
function listPriceBeside(
  { money }: StatedPrice,
  { listPrices, tags }: Omit<ConflictingPrices, 'sources'>,
): Money | null {
  const tagged = tags.sale === null ? [tags.regular] : [tags.regular, tags.plain];
  return listPriceOf(money, [...listPrices, ...tagged.map((entry) => entry?.money ?? null)]);
}

/**
 * Returns the sources as of now. The strongest one's regular price replaces a sale that it dates to another time. Those of
 * other prices come first when it dates its only price so, or states that of the tags' sale of another time. A price that the
 * page shows applies now, regardless of its date.
 */
function byTime(sources: readonly PriceSource[], { otherSale }: OpenGraph): readonly PriceSource[] {
  const strongest = sources.find(({ price, isPriceZero }) => price !== null || isPriceZero)?.price;
  if (strongest === undefined || strongest === null) return sources;
  const isLike = (other: StatedPrice | null): boolean =>
    other !== null && isSameAmount(other.money, strongest.money);
  const { isOfOtherTime = false, afterwards, isWhole } = strongest;
  if (!isOfOtherTime && afterwards === undefined && !isLike(otherSale)) return sources;
  if (sources.some(({ name, price }) => name === 'visible' && isLike(price))) return sources;
  if (afterwards !== undefined) {
    const regular = { money: afterwards, isWhole };
    return sources.map((one) => (one.price === strongest ? { ...one, price: regular } : one));
  }
  const isOther = ({ price }: PriceSource): boolean =>
    price !== null && price.isOfOtherTime !== true && !isLike(price);
  return [...sources.filter(isOther), ...sources.filter((source) => !isOther(source))];
}

/** Returns the price from the strongest source that states one, corrected by the other sources, and the former price. */
export function settledPrices({ listPrices, tags, ...given }: ConflictingPrices): SettledPrices {
  const remarks: string[] = [];
  const sources = byTime(given.sources, tags);
  const strongest = sources.find(({ price, isPriceZero }) => price !== null || isPriceZero);
  const stated = strongest?.price ?? null;
  if (strongest === undefined || stated === null) {
    if (strongest !== undefined) remarks.push(`price 0 in ${strongest.name}: no price`);
    return { price: null, listPrice: null, remarks, from: null };
  }
  remarks.push(`price from ${strongest.name}`);
  const others = [
    ...sources.map((source) => source.price),
    tags.plain,
    tags.sale,
    tags.regular,
  ].filter((other): other is StatedPrice => other !== null && other !== stated);
  let price = stated;
  const decimal = minorUnits(price, others);
  if (decimal !== null) {
    remarks.push('price was in minor units: another source has it with decimals');
    price = decimal;
  }
  const confirmed = confirmedAlternative(price, others);
  if (confirmed !== null) {
    remarks.push('price of two meanings: another source shows which');
    price = confirmed;
  }
  if (confirmed === null && price.isUnclear === true && !isClear(price, others)) {
    remarks.push('price of two meanings: nothing shows which');
    return { price: null, listPrice: null, remarks, from: null };
  }
  price = withCurrency(price, others);
  const sale = salePrice(price, tags);
  if (sale !== null) {
    remarks.push('sale price from OpenGraph: the page calls the other one its standard price');
    const money = inCurrency(sale.money, sale.money.currency ?? price.money.currency);
    price = { money: money ?? sale.money, isWhole: sale.isWhole };
  }
  const from = sale === null ? strongest.name : 'sale tag';
  const listPrice = listPriceBeside(price, { listPrices, tags });
  return { price, listPrice, remarks, from };
}
