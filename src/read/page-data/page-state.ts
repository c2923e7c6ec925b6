// Reads the product from state that a page's scripts expose to other scripts: `dataLayer` and its `ecommerce`, tag managers,
// framework state. A product is recognized by its name, which must match that of the page's product. No script is run. The
// state is only read for facts that a page does not state otherwise.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { isSameAmount, type Money } from '../../base/listing/money/minor-units.ts';
import { currencyOf, readValue } from '../../base/listing/money/money.ts';
import { parseScriptJson } from './json/bounded-json.ts';
import { embeddedStates, unflattened } from './json/embedded-states.ts';
import type { Wanted } from './json/embedded-states.ts';
import { wordToFind } from './html/find-word.ts';
import type { HtmlPage } from './html/html.ts';
import { isNode, valueOf } from './schema-org/node.ts';
import type { SchemaNode } from './schema-org/node.ts';
import { bareName } from './page-names.ts';
import { assignedState, pushedStates, toldStates } from './json/script-state.ts';
import {
  isVariantMember,
  stateAmount,
  stateBarcodes,
  stateBrand,
  stateCurrency,
  stateSellers,
  titlesOfState,
} from './state-fields.ts';

/** The price of the page's product. */
export type StateOffer = {
  readonly price: Money;
  /** Whether the amount is certainly in the units shown to buyers; if not, it may be in smaller ones. */
  readonly isMajor: boolean;
  readonly brand: string | null;
};

/** The barcode and the seller of the page's product; null also when it or its variants have several. */
type StateNames = { readonly gtin: Gtin14 | null; readonly sellerName: string | null };

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
const JSON_TYPE = /^(?:application|text)\/(?:json|x-magento-init)$/;
const JSON_LENGTH = 1_500_000;

/** The source of a state that may have a price. */
const PRICED = /price/i;
/**
 * The source of a state that may have a barcode or a seller. Colons are rarer than the letters with which the names begin: to look
 * behind them takes half the time.
 */
const NAMED = {
  gtin: /:(?=\s?\[?\\?(?:["']|&quot;)?\d{8})(?<=(?:gtin|ean|upc|isbn|bar_?code)[\d_]{0,3}(?:code)?s?\\?(?:["']|&quot;)?:)/i,
  seller:
    /:(?=\s?\\?(?:["'{]|&quot;))(?<=\W(?:seller|merchant|sold_?by)(?:_?name)?\\?(?:["']|&quot;)?:)/i,
};
/** A word that is written alike in every form of a name: other letters may be escaped. */
const PLAIN_WORD = /(?<!\p{L})[a-z]{3,}(?!\p{L})/giu;

/** Returns whether a source matches a pattern and may have one of the names. */
function wantedFor(patterns: readonly RegExp[], names: readonly string[]): Wanted {
  const words = names.map(
    (name) => (name.match(PLAIN_WORD) ?? []).toSorted((a, b) => b.length - a.length)[0],
  );
  const isCalled = words.includes(undefined)
    ? null
    : new RegExp([...new Set(words)].join('|'), 'i');
  return (source) =>
    (isCalled === null || isCalled.test(source)) && patterns.some((each) => each.test(source));
}

type Root = { readonly value: unknown; readonly isMajor: boolean };

/** Returns the states under well-known names, and those in scripts of their own. */
function knownRoots(page: HtmlPage): readonly Root[] {
  const roots: Root[] = [];
  for (const name of NAMES) {
    const value = assignedState(page, name);
    if (value !== undefined) roots.push({ value, isMajor: OF_TAG_MANAGERS.has(name.text) });
  }
  return [...roots, ...pushedRoots(page), ...jsonRoots(page, (text) => PRICED.test(text))];
}

function pushedRoots(page: HtmlPage): readonly Root[] {
  return pushedStates(page, DATA_LAYER).map((value) => ({ value, isMajor: true }));
}

/** Returns the states in scripts that are JSON. */
function jsonRoots({ html, scripts }: HtmlPage, wanted: Wanted): readonly Root[] {
  return scripts
    .filter(({ type, id }) => JSON_TYPE.test(type) || id === '__NEXT_DATA__')
    .filter(({ from, to }) => to - from <= JSON_LENGTH)
    .map(({ from, to }) => html.slice(from, to))
    .filter(wanted)
    .slice(0, JSON_SCRIPTS)
    .map((text) => ({ value: unflattened(parseScriptJson(text)), isMajor: false }));
}

/** Returns the facts about the viewed product that the page sends to advertisers. */
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

type Step = {
  readonly value: unknown;
  readonly depth: number;
  readonly currency: string | null;
  /** Whether it belongs to the page's product (true), to other goods (false), or to neither for sure. */
  readonly isOwn: boolean | null;
  /** Whether it is a variant, which has a name of its own. */
  readonly isVariant: boolean;
};

/** The facts in states that may belong to the page's product. */
type Found = {
  readonly offers: StateOffer[];
  /** The barcodes and sellers of objects with the page's name. */
  readonly gtins: Set<Gtin14>;
  readonly sellers: Set<string>;
  /** The same and those of objects that are not clearly of other goods. */
  readonly likelyGtins: Set<Gtin14>;
  readonly likelySellers: Set<string>;
};

/** Returns the price facts of an object with the page's name; null when it states no amount. */
function offerOf(node: SchemaNode, around: string | null, isMajor: boolean): StateOffer | null {
  const amount = stateAmount(node);
  if (amount === null) return null;
  const [own, written] = [amount.currency, amount.value].map((text) =>
    typeof text === 'string' ? currencyOf(text) : null,
  );
  const price = readValue(amount.value, own ?? around ?? written ?? null);
  if (price === null) return null;
  const isWhole = /^\d+$/.test(String(amount.value));
  return { price, isMajor: isMajor || !isWhole, brand: stateBrand(node) };
}

/** Adds the facts that objects below a root state about the product with one of the names. */
function addFound(found: Found, root: Root, names: ReadonlySet<string>): void {
  const open: Step[] = [
    { value: root.value, depth: 0, currency: null, isOwn: null, isVariant: false },
  ];
  for (let steps = 0; steps < NODE_LIMIT; steps += 1) {
    const step = open.pop();
    if (step === undefined) break;
    const { value, depth, isVariant } = step;
    let { currency, isOwn } = step;
    if (isNode(value)) {
      const stated = stateCurrency(value);
      currency = (stated === null ? null : currencyOf(stated)) ?? currency;
      const titles = titlesOfState(value);
      const isNamed = titles.some((title) => names.has(bareName(title)));
      if (isNamed || (titles.length > 0 && !isVariant)) isOwn = isNamed;
      const offer = isNamed ? offerOf(value, currency, root.isMajor) : null;
      if (offer !== null) found.offers.push(offer);
      if (isOwn !== false) addNames(found, value, isNamed);
    }
    if (depth >= DEPTH) continue;
    for (const child of childrenOf(value, isVariant))
      open.push({ ...child, depth: depth + 1, currency, isOwn });
  }
}

function addNames(found: Found, node: SchemaNode, isNamed: boolean): void {
  for (const code of stateBarcodes(node)) {
    found.likelyGtins.add(code);
    if (isNamed) found.gtins.add(code);
  }
  for (const seller of stateSellers(node)) {
    found.likelySellers.add(seller);
    if (isNamed) found.sellers.add(seller);
  }
}

/** Returns the lists and objects directly inside a value. The entries of a list of variants are variants. */
function childrenOf(
  value: unknown,
  isVariant: boolean,
): readonly Pick<Step, 'value' | 'isVariant'>[] {
  const members = Array.isArray(value)
    ? (value as unknown[]).slice(0, 500).map((entry) => ({ value: entry, isVariant }))
    : isNode(value)
      ? Object.keys(value)
          .slice(0, 500)
          .map((name) => ({ value: valueOf(value, name), isVariant: isVariantMember(name) }))
      : [];
  return members.filter(({ value: inner }) => typeof inner === 'object' && inner !== null);
}

function foundIn(roots: readonly Root[], names: readonly string[]): Found {
  const found: Found = {
    offers: [],
    gtins: new Set(),
    sellers: new Set(),
    likelyGtins: new Set(),
    likelySellers: new Set(),
  };
  const wanted = new Set(names.map(bareName).filter((name) => name.length > 2));
  if (wanted.size > 0) for (const root of roots) addFound(found, root, wanted);
  return found;
}

function wantedScripts({ html, scripts }: HtmlPage, wanted: Wanted): HtmlPage['scripts'] {
  return scripts.filter(({ from, to }) => wanted(html.slice(from, to)));
}

/** Returns the states under names that nobody knows beforehand, without events about other things than the page's product. */
function otherRoots(
  page: HtmlPage,
  wanted: Wanted,
  scripts = wantedScripts(page, wanted),
): readonly Root[] {
  return embeddedStates(page, scripts, wanted)
    .filter((value) => !isNode(value) || valueOf(value, 'event') === undefined)
    .map((value) => ({ value, isMajor: false }));
}

/**
 * Returns the price of the product with one of these names. Null when no state has it, or when they state different amounts,
 * which then belong to variants or other buyers.
 */
export function stateOffer(page: HtmlPage, names: readonly string[]): StateOffer | null {
  const wanted = wantedFor([PRICED], names);
  for (const rootsFrom of [knownRoots, toldRoots, otherRoots]) {
    const { offers } = foundIn(rootsFrom(page, wanted), names);
    const withCurrency = offers.find(({ price }) => price.currency !== null) ?? offers[0];
    if (withCurrency === undefined) continue;
    if (!offers.every(({ price }) => isSameAmount(price, withCurrency.price))) return null;
    const brands = new Set(offers.map(({ brand }) => brand).filter((brand) => brand !== null));
    const [brand = null] = brands.size === 1 ? brands : [];
    return { ...withCurrency, isMajor: offers.some(({ isMajor }) => isMajor), brand };
  }
  return null;
}

/** Returns the barcode and the seller of the product with one of these names, as far as they are looked for. */
export function stateNames(
  page: HtmlPage,
  names: readonly string[],
  lookedFor: readonly (keyof typeof NAMED)[],
): StateNames {
  const patterns = lookedFor.map((each) => NAMED[each]);
  const wanted = wantedFor(patterns, names);
  const scripts = wantedScripts(page, wanted);
  const likely = { ...page, scripts };
  const pushed = pushedRoots(likely);
  const roots = [...jsonRoots(likely, wanted), ...pushed, ...otherRoots(page, wanted, scripts)];
  const { gtins, sellers, likelyGtins, likelySellers } = foundIn(roots, names);
  const [gtin = null] = likelyGtins.size === 1 ? gtins : [];
  const [sellerName = null] = likelySellers.size === 1 ? sellers : [];
  return { gtin, sellerName };
}
