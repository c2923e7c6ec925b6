// Several sources of one page -> one set of facts, field by field, first answer wins; and the rules for sources
// that contradict each other about the price. Every rule is told in docs/reading-pages.md.

import type { Money } from '../listing/money.ts';
import { NO_FACTS } from './facts.ts';
import type { Facts, StatedPrice } from './facts.ts';
import type { OpenGraph } from './open-graph.ts';

export type Source = { readonly name: string; readonly facts: Facts };

export type Weighed = { readonly facts: Facts; readonly remarks: readonly string[] };

type Prices = {
  readonly price: StatedPrice | null;
  readonly listPrice: Money | null;
  readonly remarks: readonly string[];
};

function sameCurrency(a: Money, b: Money): boolean {
  return a.currency === null || b.currency === null || a.currency === b.currency;
}

/** Minor units: one source writes 12999 where another writes 129.99. The whole number is in hundredths. */
function minorUnits(price: StatedPrice, others: readonly StatedPrice[]): StatedPrice | null {
  if (!price.isWhole || price.money.cents < 100) return null;
  const decimal = others.find(
    (other) =>
      other.money.cents * 100 === price.money.cents && sameCurrency(price.money, other.money),
  );
  if (decimal === undefined) return null;
  const currency = price.money.currency ?? decimal.money.currency;
  return { money: { cents: decimal.money.cents, currency }, isWhole: false };
}

/** "1.290" where another source writes 1290, "41.933" where it writes 41.93: that reading is the right one. */
function otherReading(price: StatedPrice, others: readonly StatedPrice[]): StatedPrice | null {
  const { otherCents, money } = price;
  if (otherCents === undefined) return null;
  const same = others.find(
    (other) =>
      other.otherCents === undefined &&
      Math.abs(other.money.cents - otherCents) <= 1 &&
      sameCurrency(other.money, money),
  );
  return same === undefined
    ? null
    : { money: { ...money, cents: same.money.cents }, isWhole: price.isWhole };
}

/**
 * The regular price in the offer, the sale price in the tags: the lower one counts only when the page itself
 * names the other as its standard, original or plain price.
 */
function salePrice(price: StatedPrice, tags: OpenGraph): StatedPrice | null {
  const isRegular = (other: StatedPrice | null): boolean =>
    other !== null &&
    other.money.cents === price.money.cents &&
    sameCurrency(other.money, price.money);
  const lower = (other: StatedPrice | null): boolean =>
    other !== null &&
    other.money.cents < price.money.cents &&
    sameCurrency(other.money, price.money);
  if (isRegular(tags.regular)) {
    if (lower(tags.sale)) return tags.sale;
    if (lower(tags.plain)) return tags.plain;
  }
  return isRegular(tags.plain) && lower(tags.sale) ? tags.sale : null;
}

/** A currency for an amount that came without one: from a source that states the same amount. */
function withCurrency(price: StatedPrice, others: readonly StatedPrice[]): StatedPrice {
  if (price.money.currency !== null) return price;
  const same = others.find(
    (other) => other.money.cents === price.money.cents && other.money.currency !== null,
  );
  return same === undefined ? price : { money: same.money, isWhole: price.isWhole };
}

/** The was-price: stated beside the price, else what the tags call regular or undercut; always the higher. */
function wasPrice(price: StatedPrice, sources: readonly Source[], tags: OpenGraph): Money | null {
  const stated = sources.map(({ facts }) => facts.listPrice);
  const tagged = tags.sale === null ? [tags.regular] : [tags.regular, tags.plain];
  for (const money of [...stated, ...tagged.map((entry) => entry?.money ?? null)]) {
    if (money === null || money.cents <= price.money.cents) continue;
    if (sameCurrency(money, price.money)) {
      return { cents: money.cents, currency: price.money.currency };
    }
  }
  return null;
}

function weighPrices(sources: readonly Source[], tags: OpenGraph): Prices {
  const remarks: string[] = [];
  const speaking = sources.find(({ facts }) => facts.price !== null || facts.isPriceZero);
  const stated = speaking?.facts.price ?? null;
  if (speaking === undefined || stated === null) {
    if (speaking !== undefined) remarks.push(`price 0 in ${speaking.name}: no price`);
    return { price: null, listPrice: null, remarks };
  }
  remarks.push(`price from ${speaking.name}`);
  const others = [
    ...sources.map(({ facts }) => facts.price),
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
  const told = otherReading(price, others);
  if (told !== null) {
    remarks.push('price with one mark and three digits: another source tells what the mark means');
    price = told;
  }
  price = withCurrency(price, others);
  const sale = salePrice(price, tags);
  if (sale !== null) {
    remarks.push('sale price from OpenGraph: the page calls the other one its standard price');
    const currency = sale.money.currency ?? price.money.currency;
    price = { money: { cents: sale.money.cents, currency }, isWhole: sale.isWhole };
  }
  return { price, listPrice: wasPrice(price, sources, tags), remarks };
}

/** The first source that answers, by field. */
function firstFact<K extends keyof Facts>(sources: readonly Source[], field: K): Facts[K] {
  for (const { facts } of sources) {
    const value = facts[field];
    if (Array.isArray(value) ? value.length > 0 : value !== null && value !== false) return value;
  }
  return NO_FACTS[field];
}

/** Rating and count belong together: both from the first source that has either. */
function ratingFacts(sources: readonly Source[]): Pick<Facts, 'rating' | 'reviewCount'> {
  const source =
    sources.find(({ facts }) => facts.rating !== null) ??
    sources.find(({ facts }) => facts.reviewCount !== null);
  return { rating: source?.facts.rating ?? null, reviewCount: source?.facts.reviewCount ?? null };
}

function stockFacts(sources: readonly Source[]): Pick<Facts, 'inStock' | 'unavailable'> {
  const source = sources.find(({ facts }) => facts.inStock !== null || facts.unavailable !== null);
  return {
    inStock: source?.facts.inStock ?? null,
    unavailable: source?.facts.unavailable ?? null,
  };
}

/** One set of facts out of `sources` (strongest first) and the page's tags. */
export function weighFacts(sources: readonly Source[], tags: OpenGraph): Weighed {
  const { price, listPrice, remarks } = weighPrices(sources, tags);
  const first = <K extends keyof Facts>(field: K): Facts[K] => firstFact(sources, field);
  const facts: Facts = {
    title: first('title'),
    brand: first('brand'),
    description: first('description'),
    imageUrl: first('imageUrl'),
    url: first('url'),
    itemId: first('itemId'),
    variantId: first('variantId'),
    sku: first('sku'),
    mpn: first('mpn'),
    model: first('model'),
    gtin: first('gtin'),
    price,
    isPriceZero: price === null && sources.some((source) => source.facts.isPriceZero),
    listPrice,
    ...stockFacts(sources),
    condition: first('condition'),
    ...ratingFacts(sources),
    sellerName: first('sellerName'),
    weightLbs: first('weightLbs'),
    dimensions: first('dimensions'),
    hazmat: first('hazmat'),
    categories: first('categories'),
    specs: first('specs'),
  };
  return { facts, remarks };
}
