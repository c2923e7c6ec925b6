// Reads the product from state that a page's scripts expose to other scripts: `dataLayer` and its `ecommerce`, tag managers,
// framework state. Member names vary by shop, so a product is recognized by its name, which must match that of the page's
// product. No script is run. The state is only read when a page states no price otherwise.

import { isSameAmount, type Money } from '../../base/listing/money/minor-units.ts';
import { currencyOf, readAmount, readValue } from '../../base/listing/money/money.ts';
import { parseScriptJson } from './json/bounded-json.ts';
import { wordToFind } from './html/find-word.ts';
import type { HtmlPage } from './html/html.ts';
import { isNode, valueOf } from './schema-org/node.ts';
import type { SchemaNode } from './schema-org/node.ts';
import { bareName } from './page-names.ts';
import { assignedState, pushedStates, toldStates } from './json/script-state.ts';
import { textOf } from './schema-org/schema-values.ts';

export type StateOffer = {
  readonly price: Money;
  /** Whether the amount is certainly in the units shown to buyers; if not, it may be in smaller ones. */
  readonly isMajor: boolean;
  readonly brand: string | null;
};

/** Names that scripts use for such state, most common first. */
const NAMES = [
  'dataLayer',
  'utag_data',
  'digitalData',
  '__INITIAL_STATE__',
  '__PRELOADED_STATE__',
  '__APOLLO_STATE__',
  '__INITIAL_DATA__',
  '__STATE__',
  'pageData',
  'productData',
  'productInfo',
  'universal_variable',
  'product',
].map(wordToFind);
const DATA_LAYER = wordToFind('dataLayer');
/** States whose amounts are as shown to buyers, because their receivers require it. */
const OF_TAG_MANAGERS = new Set(['dataLayer', 'utag_data', 'digitalData', 'universal_variable']);

/** The events that pages send to advertisers when a visitor views a product. */
const VIEWS = ['view_item', 'ViewContent'].map(wordToFind);

const NODE_LIMIT = 20_000;
const DEPTH = 24;
const JSON_SCRIPTS = 12;
const JSON_LENGTH = 1_500_000;

const TITLES =
  /^(?:item_?|product_?|display_?|prod_?|page_?)?(?:name|title|label)$|^(?:name|title)(?:en|_en)?$/i;
/** Price names, strongest first: what a buyer pays comes before the amounts next to it. */
const PRICES: readonly RegExp[] = [
  /^(?:unit_?)?(?:sale|special|final|current|discounted|promo|promotional|offer|selling|actual|now|net)_?price(?:_?(?:incl|gross|with_?tax|inc_?vat))?$/i,
  /^(?:item_?|product_?|prod_?|unit_?)?price_?(?:incl|gross|with_?tax|inc_?vat)$/i,
  /^(?:item_?|product_?|prod_?|unit_?)?price(?:_?(?:value|amount))?$/i,
  /^prices?$/i,
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
  'centAmount',
];
const CURRENCIES = /^(?:price_?)?currency(?:_?(?:code|iso|id))?$|^(?:iso_?)?currency$/i;
const BRANDS = /^(?:item_?|product_?|prod_?)?(?:brand|manufacturer|maker)(?:_?name)?$/i;

type Root = { readonly value: unknown; readonly isMajor: boolean };

/** Returns the states in the page's scripts. */
function rootsOf(page: HtmlPage): readonly Root[] {
  const roots: Root[] = [];
  for (const name of NAMES) {
    const value = assignedState(page, name);
    if (value !== undefined) roots.push({ value, isMajor: OF_TAG_MANAGERS.has(name.text) });
  }
  for (const value of pushedStates(page, DATA_LAYER)) roots.push({ value, isMajor: true });
  let scripts = 0;
  for (const { type, id, from, to } of page.scripts) {
    const isState = type === 'application/json' || id === '__NEXT_DATA__';
    if (!isState || to - from > JSON_LENGTH || scripts >= JSON_SCRIPTS) continue;
    const text = page.html.slice(from, to);
    if (!/price/i.test(text)) continue;
    scripts += 1;
    roots.push({ value: parseScriptJson(text), isMajor: false });
  }
  return roots;
}

/** Returns what the page sends to advertisers about the product viewed. */
function toldRoots(page: HtmlPage): readonly Root[] {
  return VIEWS.flatMap((event) => toldStates(page, event)).map((value) => ({
    value: asNamed(value),
    isMajor: true,
  }));
}

/** Returns the product of an event that uses its own names for title and price: `{content_name: 'Mug', value: 12.5}`. */
function asNamed(value: unknown): unknown {
  const name = isNode(value) ? valueOf(value, 'content_name') : undefined;
  if (!isNode(value) || name === undefined) return value;
  return { name, price: valueOf(value, 'value'), currency: valueOf(value, 'currency') };
}

function single(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? (value as unknown[])[0] : value;
}

/** Yields the texts of the node's members whose names match the pattern, in order. */
function* textsAt(node: SchemaNode, pattern: RegExp): Generator<string> {
  for (const name of Object.keys(node).slice(0, 200)) {
    if (!pattern.test(name)) continue;
    const value = single(valueOf(node, name));
    const text = textOf(isNode(value) ? valueOf(value, 'name') : value, 500);
    if (text !== null) yield text;
  }
}

function textAt(node: SchemaNode, pattern: RegExp): string | null {
  for (const text of textsAt(node, pattern)) return text;
  return null;
}

type Amount = { readonly value: unknown; readonly currency: unknown };

function amountIn(value: unknown): Amount | null {
  const one = single(value);
  if (typeof one === 'number' || typeof one === 'string') return { value: one, currency: null };
  if (!isNode(one)) return null;
  for (const name of INNER_PRICES) {
    const inner = single(valueOf(one, name));
    const amount = isNode(inner) ? (valueOf(inner, 'value') ?? valueOf(inner, 'amount')) : inner;
    if (typeof amount !== 'number' && typeof amount !== 'string') continue;
    const place = isNode(inner) ? inner : one;
    return { value: amount, currency: textAt(place, CURRENCIES) };
  }
  return null;
}

function amountOf(node: SchemaNode): Amount | null {
  const names = Object.keys(node).slice(0, 200);
  for (const pattern of PRICES) {
    for (const name of names) {
      const amount = pattern.test(name) ? amountIn(valueOf(node, name)) : null;
      if (amount !== null && readAmount(amount.value) !== null) return amount;
    }
  }
  return null;
}

type Step = { readonly value: unknown; readonly depth: number; readonly currency: string | null };

/** Whether one of a node's names matches. An event has its page's name in addition to its product's. */
function isNamed(node: SchemaNode, names: ReadonlySet<string>): boolean {
  return textsAt(node, TITLES).some((text) => names.has(bareName(text)));
}

/** Returns what a node states about the page's product; null when it has another name or states no amount. */
function offerOf(
  node: SchemaNode,
  around: string | null,
  names: ReadonlySet<string>,
): StateOffer | null {
  const amount = isNamed(node, names) ? amountOf(node) : null;
  if (amount === null) return null;
  const own = typeof amount.currency === 'string' ? currencyOf(amount.currency) : null;
  const price = readValue(amount.value, own ?? around);
  if (price === null) return null;
  const isMajor = !/^\d+$/.test(String(amount.value));
  return { price, isMajor, brand: textAt(node, BRANDS) };
}

/** Returns the offers of the nodes below a root that have the name of the page's product. */
function offersIn(root: Root, names: ReadonlySet<string>): readonly StateOffer[] {
  const found: StateOffer[] = [];
  const open: Step[] = [{ value: root.value, depth: 0, currency: null }];
  for (let steps = 0; steps < NODE_LIMIT; steps += 1) {
    const step = open.pop();
    if (step === undefined) break;
    const { value, depth } = step;
    let { currency } = step;
    if (isNode(value)) {
      const stated = textAt(value, CURRENCIES);
      currency = (stated === null ? null : currencyOf(stated)) ?? currency;
      const offer = offerOf(value, currency, names);
      if (offer !== null) found.push({ ...offer, isMajor: root.isMajor || offer.isMajor });
    }
    if (depth < DEPTH) {
      for (const child of childrenOf(value))
        open.push({ value: child, depth: depth + 1, currency });
    }
  }
  return found;
}

/** Returns the lists and objects directly inside a value. */
function childrenOf(value: unknown): readonly unknown[] {
  const members = Array.isArray(value)
    ? (value as unknown[]).slice(0, 500)
    : isNode(value)
      ? Object.keys(value)
          .slice(0, 500)
          .map((name) => valueOf(value, name))
      : [];
  return members.filter((member) => typeof member === 'object' && member !== null);
}

/**
 * Returns what the page's states say about the product with one of these names. Null when none has it, or when they state
 * different amounts, which then belong to variants or other buyers.
 */
export function stateOffer(page: HtmlPage, names: readonly string[]): StateOffer | null {
  const wanted = new Set(names.map(bareName).filter((name) => name.length > 2));
  if (wanted.size === 0) return null;
  const held = rootsOf(page).flatMap((root) => offersIn(root, wanted));
  const offers = held.length > 0 ? held : toldRoots(page).flatMap((root) => offersIn(root, wanted));
  const withCurrency = offers.find(({ price }) => price.currency !== null) ?? offers[0];
  if (withCurrency === undefined) return null;
  if (!offers.every(({ price }) => isSameAmount(price, withCurrency.price))) return null;
  const brands = new Set(offers.map(({ brand }) => brand).filter((brand) => brand !== null));
  const [brand = null] = brands.size === 1 ? brands : [];
  return { ...withCurrency, isMajor: offers.some(({ isMajor }) => isMajor), brand };
}
