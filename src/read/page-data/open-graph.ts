// Converts OpenGraph and product meta tags to facts. A tag may have several prefixes and repeat: the first usable value
// wins. Amounts are kept separate by kind, because the tags of one page often disagree.

import { oneOf } from '../../base/listing/words/all-languages.ts';
import { readAvailability } from '../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../base/listing/vocabularies/condition.ts';
import { readGtinWithLostZero } from '../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { readWeightLbs } from '../../base/listing/measures/measure.ts';
import { listPriceOf } from '../../base/listing/money/list-price.ts';
import { currencyOf, currencyOrToman } from '../../base/listing/money/money.ts';
import { NO_FACTS } from './facts.ts';
import type { Facts, PageContext, StatedPrice } from './facts.ts';
import type { MetaTag } from './html/html.ts';
import { hasPassed, isYetToCome } from './stated-dates.ts';
import { isSameAmount } from '../../base/listing/money/minor-units.ts';
import { isTemplateRest, textOf, TITLE_LENGTH, URL_LENGTH } from './schema-org/schema-values.ts';
import { statedPrice } from './schema-org/stated-price.ts';

export type OpenGraph = {
  /** `og:type` in lower case without its namespace: "product", "product.item", "website". */
  readonly types: readonly string[];
  readonly siteName: string | null;
  readonly url: string | null;
  /** The facts stated by the tags, with the current price as `price`. */
  readonly facts: Facts;
  /** The amount in a tag for the regular, standard or original price. */
  readonly regular: StatedPrice | null;
  /** The amount in a tag for the sale price. */
  readonly sale: StatedPrice | null;
  /** The sale price of a sale that the tags date to another time: then `sale` is null. */
  readonly otherSale: StatedPrice | null;
  /** The amount of `product:price:amount` or `og:price:amount`. */
  readonly plain: StatedPrice | null;
  /** The price of a product card ("twitter:label1" is "Price"): the weakest source of all. */
  readonly card: StatedPrice | null;
  /** The currency stated by the price tags, with or without an amount; null if they state several. */
  readonly currency: string | null;
  /** The currency named by any tag, if no tag has an amount; null if they name several. */
  readonly named: string | null;
};

/** Returns the first usable content among the named tags, in the order of the names. */
function firstText(
  tags: ReadonlyMap<string, string[]>,
  names: string,
  maxLength: number,
): string | null {
  for (const name of names.split(' ')) {
    for (const content of tags.get(name) ?? []) {
      const text = textOf(content, maxLength);
      if (text !== null) return text;
    }
  }
  return null;
}

function tagsByKey(metas: readonly MetaTag[]): Map<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const { key, content } of metas) {
    if (content === '') continue;
    const before = tags.get(key);
    if (before === undefined) tags.set(key, [content]);
    else if (before.length < 20) before.push(content);
  }
  return tags;
}

/** Returns the currencies in the tags of a name, in order. */
function codesOf(tags: ReadonlyMap<string, string[]>, name: string): readonly (string | null)[] {
  return (tags.get(name) ?? []).map((text) => currencyOrToman(text.slice(0, 20)));
}

/**
 * Returns the first usable amount with its currency, which is stated by the amount's own tag, otherwise by the other tags.
 * A tag that repeats with several currencies gives each to the amount at its place; the page's own currency decides, and
 * null is unclear.
 */
function amountOf(
  tags: ReadonlyMap<string, string[]>,
  amounts: string,
  currencies: string,
  context: PageContext,
): StatedPrice | null {
  const others = currencies.split(' ').map((name) => codesOf(tags, name));
  for (const name of amounts.split(' ')) {
    const contents = tags.get(name) ?? [];
    const own = codesOf(tags, `${name.replace(/:amount$/, '')}:currency`);
    const codes = own.length > 0 ? own : (others.find((each) => each.length > 0) ?? []);
    const isEach = new Set(codes).size > 1;
    const isParallel = codes.length === contents.length;
    const prices = contents.map((content, index) => {
      const code = isEach ? (isParallel ? codes[index] : null) : codes[0];
      return statedPrice(content, code ?? null, context);
    });
    const usable = prices.filter((price) => price !== null);
    const inPage = usable.find(({ money }) => money.currency === context.currency);
    const first = isEach && isParallel ? (inPage ?? null) : usable[0];
    if (usable.length > 0) return first ?? null;
  }
  return null;
}

const CURRENCIES = 'product:price:currency og:price:currency product:sale_price:currency';
/** Tags that name a currency apart from any amount. */
const OTHER_CURRENCIES = 'og:currency product:currency currency pricecurrency';

/** Returns the only currency that tags name; null if there are several, or none. */
function soleCurrency(tags: ReadonlyMap<string, string[]>, names: string): string | null {
  const codes = names.split(' ').flatMap((name) => tags.get(name) ?? []);
  const [first = null, ...others] = new Set(codes.map((text) => currencyOf(text.slice(0, 20))));
  return others.length > 0 ? null : first;
}

/** Returns the barcode from the tags, ignoring a shop's own number in that field. */
function barcode(tags: ReadonlyMap<string, string[]>): Gtin14 | null {
  const names =
    'product:gtin product:gtin14 product:gtin13 product:gtin12 og:gtin product:ean og:ean';
  const gtin = firstText(tags, names, 100);
  const upc = firstText(tags, 'product:upc og:upc', 100);
  const isbn = firstText(tags, 'product:isbn og:isbn books:isbn book:isbn', 100);
  return (
    (gtin === null ? null : readGtinWithLostZero(gtin)) ??
    (upc === null ? null : readGtinWithLostZero(upc, 'upc')) ??
    (isbn === null ? null : readGtinWithLostZero(isbn, 'isbn'))
  );
}

function imageOf(tags: ReadonlyMap<string, string[]>): string | null {
  const names = 'og:image:secure_url og:image og:image:url twitter:image twitter:image:src';
  return firstText(tags, names, URL_LENGTH);
}

function isZeroAmount(tags: ReadonlyMap<string, string[]>): boolean {
  const text = firstText(tags, 'product:price:amount og:price:amount', 40);
  return text !== null && /^0+(?:[.,]0+)?$/.test(text);
}

/** Returns pounds from `product:weight:value` with its unit; null for a number without a unit. */
function weightOf(tags: ReadonlyMap<string, string[]>): number | null {
  const value = firstText(tags, 'product:weight:value', 40);
  const units = firstText(tags, 'product:weight:units', 20);
  return value === null || units === null ? null : readWeightLbs(value, units);
}

type Prices = Pick<OpenGraph, 'plain' | 'sale' | 'regular' | 'otherSale'>;

/** Whether the tags date their sale price to another time. */
function isSaleOfOtherTime(tags: ReadonlyMap<string, string[]>, nowMs: number): boolean {
  const dates = 'product:sale_price_dates og:sale_price_dates';
  const named = (end: string): string => dates.replaceAll(/(?= |$)/g, end);
  const span = firstText(tags, `${dates} product:sale_price_effective_date`, 100)?.split('/') ?? [];
  const first = firstText(tags, named(':start'), 40) ?? span[0];
  const last = firstText(tags, named(':end'), 40) ?? span[1];
  return isYetToCome(first, nowMs) || hasPassed(last, nowMs);
}

/** Returns the amounts of the price tags, by kind. */
function pricesIn(tags: ReadonlyMap<string, string[]>, context: PageContext): Prices {
  const plain = amountOf(
    tags,
    'product:price:amount og:price:amount product:price og:price',
    CURRENCIES,
    context,
  );
  const sale = amountOf(
    tags,
    'product:sale_price:amount product:sale_price og:sale_price:amount',
    `product:sale_price:currency ${CURRENCIES}`,
    context,
  );
  const regular = amountOf(
    tags,
    'og:price:standard_amount product:original_price:amount product:regular_price:amount ' +
      'product:price:standard_amount og:original_price:amount',
    `product:original_price:currency ${CURRENCIES}`,
    context,
  );
  if (sale === null || !isSaleOfOtherTime(tags, context.nowMs))
    return { plain, regular, sale, otherSale: null };
  const isPlain = plain !== null && isSameAmount(plain.money, sale.money);
  const later = isPlain ? { ...plain, isOfOtherTime: true } : plain;
  return { plain: later, regular, sale: null, otherSale: { ...sale, isOfOtherTime: true } };
}

const CARD_PRICE = new RegExp(`^${oneOf('cardPrice')}$`, 'i');

/** Returns `twitter:data1` when `twitter:label1` is exactly a word for price. */
function cardPrice(tags: ReadonlyMap<string, string[]>, context: PageContext): StatedPrice | null {
  const stated = firstText(tags, CURRENCIES, 20);
  const currency = stated === null ? null : currencyOrToman(stated);
  for (const number of ['1', '2']) {
    const label = firstText(tags, `twitter:label${number}`, 40);
    if (label === null || !CARD_PRICE.test(label)) continue;
    return statedPrice(firstText(tags, `twitter:data${number}`, 60), currency, context);
  }
  return null;
}

/** Returns the price without a sale: the plain one, unless that is still the sale price. */
function priceOutsideSale({ plain, regular, otherSale }: Prices): StatedPrice | null {
  if (otherSale === null || (plain !== null && plain.isOfOtherTime !== true)) return plain;
  return regular ?? otherSale;
}

/** Returns the price facts; the sale price is the current one. */
function priceFacts(prices: Prices): Partial<Facts> {
  const { plain, sale, regular } = prices;
  const price = sale ?? priceOutsideSale(prices);
  if (price === null) return {};
  const before = [regular, plain].map((other) => other?.money ?? null);
  return { price, listPrice: listPriceOf(price.money, before) };
}

/** Reads a page's meta tags. `pretax_price` is never read: prices include tax. */
export function readOpenGraph(metas: readonly MetaTag[], context: PageContext): OpenGraph {
  const tags = tagsByKey(metas);
  const prices = pricesIn(tags, context);
  const isPriced = Object.values(prices).some((price) => price !== null);
  const stock = firstText(tags, 'product:availability og:availability availability', 100);
  const state = stock === null ? null : context.words.note(readAvailability(stock));
  const condition = firstText(tags, 'product:condition og:condition', 100);
  const types = (tags.get('og:type') ?? []).map((type) => type.trim().toLowerCase().slice(0, 100));
  const facts: Facts = {
    ...NO_FACTS,
    ...priceFacts(prices),
    isPriceZero: isZeroAmount(tags),
    title: firstText(tags, 'og:title twitter:title', TITLE_LENGTH),
    brand: firstText(tags, 'product:brand og:brand', 300),
    description: firstText(tags, 'og:description twitter:description description', 20_000),
    imageUrl: imageOf(tags),
    sku: firstText(tags, 'product:retailer_item_id product:sku og:sku', 200),
    mpn: firstText(tags, 'product:mfr_part_no product:mpn og:mpn', 200),
    gtin: barcode(tags),
    weightLbs: weightOf(tags),
    inStock: state?.inStock ?? null,
    unavailable: state?.unavailable ?? null,
    condition: condition === null ? null : context.words.note(readCondition(condition)),
  };
  return {
    types: types.filter((type) => !isTemplateRest(type)).map((type) => type.replace(/^.*:/, '')),
    siteName: firstText(tags, 'og:site_name', 200),
    url: firstText(tags, 'og:url', URL_LENGTH),
    facts,
    ...prices,
    card: cardPrice(tags, context),
    currency: soleCurrency(tags, CURRENCIES),
    named: isPriced ? null : soleCurrency(tags, `${CURRENCIES} ${OTHER_CURRENCIES}`),
  };
}
