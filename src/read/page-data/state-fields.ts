// Reads single fields of an object in a script's state. Member names vary by shop; those that shops use are listed here.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { readAmount } from '../../base/listing/money/money.ts';
import { isNode, listOf, valueOf } from './schema-org/node.ts';
import type { SchemaNode } from './schema-org/node.ts';
import { barcodesIn, textOf } from './schema-org/schema-values.ts';

const TITLES =
  /^(?:item_?|product_?|display_?|prod_?|page_?)?(?:name|title|label)$|^(?:name|title)(?:en|_en)?$/i;
/** A member with the name and numbers of the product whose price is next to it. */
const INFO = /^product_?info$/i;
/** Price names, strongest first: the price that a buyer pays comes before the amounts next to it. */
const PRICES: readonly RegExp[] = [
  /^(?:unit_?)?(?:sale|special|final|current|discounted|promo|promotional|offer|selling|actual|now|net)_?price(?:_?(?:incl|gross|with_?tax|inc_?vat))?$/i,
  /^(?:item_?|product_?|prod_?)?(?:unit_?)?price_?(?:incl|gross|with_?tax|inc_?vat)$/i,
  /^(?:item_?|product_?|prod_?)?(?:unit_?)?price(?:_?(?:value|amount))?$/i,
  /^prices?(?:_?range)?$/i,
];
const INNER_PRICES = [
  'sale',
  'special',
  'final',
  'finalPrice',
  'current',
  'now',
  'discounted',
  'selling',
  'salePrice',
  'currentPrice',
  'value',
  'amount',
  'price',
  'priceWithTax',
  'basePrice',
  'centAmount',
];
/** The ends of a range of prices. Equal ones are the price. */
const RANGES = [
  ['minVariantPrice', 'maxVariantPrice'],
  ['minimum', 'maximum'],
  ['min', 'max'],
] as const;
/** The amount as shown to buyers: "$35.00". */
const WRITTEN = /^(?:formatted|display)(?:_?(?:price|value|amount))?$/i;
const CURRENCIES = /^(?:price_?)?currency(?:_?(?:code|iso|id))?$|^(?:iso_?)?currency$/i;
const BRANDS = /^(?:item_?|product_?|prod_?)?(?:brand|manufacturer|maker)(?:_?name)?$/i;
const SELLERS = /^(?:seller|merchant)(?:_?name)?$|^sold_?by$/i;
const SELLER_LENGTH = 100;
/** Names of members with a barcode, and what such a member is called in structured data. */
const BARCODES: readonly (readonly [RegExp, 'gtin' | 'upc' | 'isbn'])[] = [
  [/^(?:product_?)?(?:gtin|ean)(?:_?(?:8|12|13|14))?(?:_?code)?s?$|^bar_?codes?$/i, 'gtin'],
  [/^(?:product_?)?upc(?:_?(?:12|a))?(?:_?code)?s?$/i, 'upc'],
  [/^isbn(?:_?(?:10|13))?s?$/i, 'isbn'],
];
/** Members with the variants of a product. */
const VARIANTS = /^(?:product_?)?(?:variants?|variations?|skus|sizes|options|children|models)$/i;

/** The possible meanings of a member, by its name, as bits. */
const KIND = { title: 1, info: 2, currency: 4, seller: 8, barcode: 16 } as const;
const KINDS: readonly (readonly [number, RegExp])[] = [
  [KIND.title, TITLES],
  [KIND.info, INFO],
  [KIND.currency, CURRENCIES],
  [KIND.seller, SELLERS],
  ...BARCODES.map(([pattern]) => [KIND.barcode, pattern] as const),
];
/** The kinds of names already examined: a state repeats few names thousands of times. At this many, it is cleared. */
const known = new Map<string, number>();
const MOST_KNOWN = 5000;
const NAME_LENGTH = 40;

function kindOf(name: string): number {
  if (name.length > NAME_LENGTH) return 0;
  const before = known.get(name);
  if (before !== undefined) return before;
  let kind = 0;
  for (const [bit, pattern] of KINDS) if (pattern.test(name)) kind |= bit;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, kind);
  return kind;
}

const MEMBERS = 200;

function single(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;
}

const membersOf = (node: SchemaNode): readonly string[] => Object.keys(node).slice(0, MEMBERS);

/** Yields the texts of the members that are wanted by their names, in order. */
function* textsAt(node: SchemaNode, isWanted: (name: string) => boolean): Generator<string> {
  for (const name of membersOf(node)) {
    if (!isWanted(name)) continue;
    const value = single(valueOf(node, name));
    const text = textOf(isNode(value) ? valueOf(value, 'name') : value, 500);
    if (text !== null) yield text;
  }
}

function textAt(node: SchemaNode, isWanted: (name: string) => boolean): string | null {
  for (const text of textsAt(node, isWanted)) return text;
  return null;
}

const isTitle = (name: string): boolean => (kindOf(name) & KIND.title) !== 0;
const isInfo = (name: string): boolean => (kindOf(name) & KIND.info) !== 0;
const isCurrency = (name: string): boolean => (kindOf(name) & KIND.currency) !== 0;
const isSeller = (name: string): boolean => (kindOf(name) & KIND.seller) !== 0;
const isBarcode = (name: string): boolean => (kindOf(name) & KIND.barcode) !== 0;

/** Returns the name of an object. An event has its page's name in addition to its product's. */
export function titlesOfState(node: SchemaNode): readonly string[] {
  const info = membersOf(node)
    .filter(isInfo)
    .map((name) => valueOf(node, name))
    .filter(isNode);
  return [node, ...info].flatMap((one) => [...textsAt(one, isTitle)]);
}

export const stateCurrency = (node: SchemaNode): string | null => textAt(node, isCurrency);
export const stateBrand = (node: SchemaNode): string | null =>
  textAt(node, (name) => BRANDS.test(name));

/** Returns the sellers that an object names. A number is not a name. */
export function stateSellers(node: SchemaNode): readonly string[] {
  return [...textsAt(node, isSeller)].filter(
    (text) => /\p{L}{2}/u.test(text) && text.length <= SELLER_LENGTH,
  );
}

/** Returns the barcodes that an object states itself. */
export function stateBarcodes(node: SchemaNode): readonly Gtin14[] {
  const stated: { [name: string]: unknown[] } = {};
  for (const name of membersOf(node).filter(isBarcode)) {
    const field = BARCODES.find(([pattern]) => pattern.test(name))?.[1];
    if (field !== undefined) (stated[field] ??= []).push(...listOf(node, name));
  }
  if (Object.keys(stated).length === 0) return [];
  return barcodesIn({ ...stated, sku: valueOf(node, 'sku'), mpn: valueOf(node, 'mpn') });
}

/** Whether a member has the variants of an object. */
export const isVariantMember = (name: string): boolean => VARIANTS.test(name);

/** An amount as stated, and the currency next to it. */
type StateAmount = { readonly value: unknown; readonly currency: unknown };

function amountIn(value: unknown): StateAmount | null {
  const one = single(value);
  if (typeof one === 'number' || typeof one === 'string') return { value: one, currency: null };
  if (!isNode(one)) return null;
  const range = RANGES.find(([least]) => valueOf(one, least) !== undefined);
  if (range !== undefined) {
    const [least = null, most = null] = range.map((name) => amountIn(valueOf(one, name)));
    return most === null || most.value === least?.value ? least : null;
  }
  for (const name of INNER_PRICES) {
    const inner = single(valueOf(one, name));
    const amount = isNode(inner) ? (valueOf(inner, 'value') ?? valueOf(inner, 'amount')) : inner;
    if (typeof amount !== 'number' && typeof amount !== 'string') continue;
    const place = isNode(inner) ? inner : one;
    const written = textAt(place, (inner) => WRITTEN.test(inner));
    const isWritten = written !== null && /\d/.test(written);
    return { value: isWritten ? written : amount, currency: textAt(place, isCurrency) };
  }
  return null;
}

/** Returns the price that an object states. */
function ownAmount(node: SchemaNode): StateAmount | null {
  const names = membersOf(node);
  for (const pattern of PRICES) {
    for (const name of names) {
      const amount = pattern.test(name) ? amountIn(valueOf(node, name)) : null;
      if (amount !== null && readAmount(amount.value) !== null) return amount;
    }
  }
  return null;
}

/** Returns the price of an object; if it states none, the price of its variants, if they all have the same. */
export function stateAmount(node: SchemaNode): StateAmount | null {
  const own = ownAmount(node);
  if (own !== null) return own;
  const variants = membersOf(node)
    .filter(isVariantMember)
    .flatMap((name) => listOf(node, name))
    .filter(isNode);
  const [first = null, ...others] = variants.map(ownAmount);
  return others.every((other) => other?.value === first?.value) ? first : null;
}
