// Derives the kinds of amounts inside an element from its classes, ids and styles, as bits: shops name their elements, in
// several languages, after their content.

import { oneOf, wordsFor } from '../../../../base/listing/words/all-languages.ts';
import type { Meaning } from '../../../../base/listing/words/language-words.ts';
import type { HtmlPage } from '../../html/html.ts';
import type { MarkupScanner } from '../../html/markup.ts';

/** Bits describing a piece of visible text. */
export const MARK = {
  /** An element that is named after a price. */
  price: 1,
  /** Struck through, or called old, was or former. */
  former: 2,
  /** Called regular, list or original: the former price only next to a lower one. */
  regular: 4,
  /** Called sale, current, new or final. */
  current: 8,
  /** A charge, a rate, a saving, points: not the price of the product. */
  charge: 16,
  /** Related goods, a cart, navigation, reviews: not about this product. */
  aside: 32,
  /** Inside a link to somewhere. */
  link: 64,
  /** Not shown. */
  hidden: 128,
  /** Without tax. */
  net: 256,
  /** Emphasized: a heading, bold. */
  strong: 512,
  /** One of several choices. */
  option: 1024,
  /** Inside a button or a link. */
  click: 2048,
  /** With tax, stated next to an amount without. */
  gross: 4096,
  /** An element that is named after stock. */
  stock: 8192,
  /** `former` from the immediately enclosing element. */
  ownFormer: 16_384,
  /** Struck through by an element, a style or a style sheet, along with everything inside. */
  struck: 32_768,
  /** Named after the cents of an amount. */
  cents: 65_536,
  /** Named after a number of things. */
  count: 131_072,
  /** Named after the upper end of a range. */
  upper: 262_144,
  /** Named after part of an amount, so that the name of its parent counts as if it were its own. */
  part: 524_288,
  /** Named after a cart, like the one in the page header and the form that fills it. */
  cart: 1_048_576,
  /** Named after the maker of goods. */
  maker: 2_097_152,
  /** After a checkbox: optional extras. */
  added: 4_194_304,
  /** In an element that is built like a tile of a list. */
  tile: 8_388_608,
  /** `aside`, and certainly not the list that a page consists of: related goods, a cart, navigation. */
  beside: 16_777_216,
} as const;

/** Marks inherited by everything inside an element; the others reach a few levels down. */
export const LASTING =
  MARK.aside |
  MARK.beside |
  MARK.link |
  MARK.hidden |
  MARK.option |
  MARK.click |
  MARK.struck |
  MARK.cart;

/**
 * Returns the marks that the surrounding names may still add to an element. In `<div class="price-list"><b class="sale-price">`
 * the outer name does not turn the inner one into a former price.
 */
export function saidAround(own: number): number {
  const isCurrent = (own & MARK.current) !== 0 && (own & MARK.price) !== 0;
  return isCurrent ? ~(MARK.former | MARK.regular | MARK.upper) : ~0;
}

/** Struck-through text is the former price. */
export const STRUCK = MARK.former | MARK.struck;

/** English words of names, and the mark that each gives. */
const WORDS: readonly (readonly [number, string])[] = [
  [
    MARK.regular,
    'regular reg original orig list listprice base full standard std normal retail initial ' +
      'recommended shelf',
  ],
  [MARK.regular | MARK.upper, 'high max maximum'],
  [MARK.aside, 'tile tiles search filter filters facet facets'],
  [
    MARK.aside | MARK.beside,
    'related similar recommend recommends recommended recommendation recommendations recs upsell ' +
      'upsells crosssell crosssells recently viewed recent accessory accessories bundle bundles ' +
      'frequently bought together suggest suggested suggestions alternatives complementary sponsored ' +
      'minicart footer newsletter cookie cookies popup modal dialog review reviews comment ' +
      'comments testimonial testimonials wishlist menu navigation nav navbar megamenu topbar breadcrumb ' +
      'breadcrumbs others blog',
  ],
  [MARK.part, 'currency integer fraction decimal decimals symbol literal amount'],
];

/** The marks given by words in many languages. */
const NAMES: readonly (readonly [number, Meaning])[] = [
  [MARK.former, 'nameFormer'],
  [MARK.current, 'nameCurrent'],
  [MARK.charge, 'nameCharge'],
  [MARK.net, 'nameNet'],
  [MARK.gross, 'nameGross'],
  [MARK.stock, 'nameStock'],
  [MARK.cents, 'nameCents'],
  [MARK.cart, 'nameCart'],
  [MARK.maker, 'nameMaker'],
  [MARK.count, 'nameCount'],
];

/** Two words in a row. */
const PAIRS: readonly (readonly [number, string])[] = [
  [MARK.net, 'price ex|ex vat|ex tax|without tax|tax excluded'],
  [MARK.gross, 'inc vat|inc tax|with tax'],
  [MARK.regular | MARK.upper, 'price to'],
  [
    MARK.aside | MARK.beside,
    'cross sell|cross sells|up sell|mini cart|cart drawer|cart sidebar|cart items|cart summary|cart total|cart content|basket content|cart dropdown|compare list',
  ],
  [
    MARK.aside,
    'product list|products list|product grid|products grid|product card|product miniature|product thumb',
  ],
];

function markTable(
  lines: readonly (readonly [number, string])[],
  separator: string,
): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (const [mark, words] of lines) {
    for (const word of words.split(separator)) table.set(word, (table.get(word) ?? 0) | mark);
  }
  return table;
}

const MARK_OF_WORD = markTable(
  [...WORDS, ...NAMES.map(([mark, meaning]) => [mark, wordsFor(meaning).join(' ')] as const)],
  ' ',
);
const MARK_OF_PAIR = markTable(PAIRS, '|');

/** Parts of words that mean a price in some language. */
const PRICE = new RegExp(oneOf('namePrice'));
const NO_PRICE = /priceless/;
/** Words that shops write together. */
const GLUED: readonly (readonly [number, RegExp])[] = [
  [
    MARK.former,
    /price(?:old|was|before|prev)|(?:old|was|before|prev|strike|crossed|compare)price|preisalt|prixbarre/,
  ],
  [
    MARK.regular,
    /(?:regular|list|original|orig|full|retail|normal|base)price|price(?:regular|original|base)/,
  ],
  [MARK.charge, /pricetax$/],
  [
    MARK.current,
    /price(?:new|now|sale|special|final)|(?:sale|special|final|current|new|discount)price/,
  ],
];

function marksOfWord(word: string): number {
  let marks = MARK_OF_WORD.get(word) ?? 0;
  if (!PRICE.test(word) || NO_PRICE.test(word)) return marks;
  marks |= MARK.price;
  for (const [mark, pattern] of GLUED) if (pattern.test(word)) marks |= mark;
  return marks;
}

/** The first words of pairs. */
const OPENS_PAIR = new Set([...MARK_OF_PAIR.keys()].map((pair) => pair.split(' ', 1)[0]));

/** The marks of one name, and the words at its ends, which may be half of a pair. */
type NameMarks = { readonly marks: number; readonly first: string; readonly last: string };

function pairMarks(before: string, word: string): number {
  return OPENS_PAIR.has(before) ? (MARK_OF_PAIR.get(`${before} ${word}`) ?? 0) : 0;
}

/** A recommended price; "recommended" alone names a section of other goods. */
const RECOMMENDED_PRICE = /(?:recommended|suggested|suggest)[-_ ]?(?:retail[-_ ]?)?pri[cs]/;

/** Returns the marks of one name; camelCase is split into words. */
function marksOfName(name: string): NameMarks {
  const spaced = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  let marks = 0;
  let first = '';
  let last = '';
  for (const word of spaced.split(/[^\p{L}\d]+/u)) {
    if (word === '') continue;
    marks |= marksOfWord(word) | pairMarks(last, word);
    if (first === '') first = word;
    last = word;
  }
  if ((marks & MARK.aside) !== 0 && RECOMMENDED_PRICE.test(spaced)) {
    marks = (marks & ~(MARK.aside | MARK.beside)) | MARK.price | MARK.regular;
  }
  return { marks, first, last };
}

/** Cache of names already examined: shops share most of them, and a page repeats its own. */
const known = new Map<string, NameMarks>();
/** When the cache reaches this many names, it is cleared. Longer names are not cached. */
const MOST_KNOWN = 20_000;
const KNOWN_LENGTH = 40;

function knownMarks(name: string): NameMarks {
  const before = known.get(name);
  if (before !== undefined) return before;
  const marks = marksOfName(name);
  if (name.length > KNOWN_LENGTH) return marks;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, marks);
  return marks;
}

/** Attributes next to `class` that name an element. */
const NAMING = ['id', 'data-testid', 'itemprop'] as const;

/** Returns the class, id and other names of an element as one string. */
export function elementNames(tag: MarkupScanner): string {
  let names = tag.attribute('class') ?? '';
  for (const attribute of NAMING) {
    const text = tag.attribute(attribute);
    if (text !== null) names += ` ${text}`;
  }
  return names.slice(0, 400);
}

/** Returns the marks given by an element's names: its class, id and test id as one string. */
export function marksOfNames(names: string): number {
  let marks = 0;
  let before = '';
  for (const name of names.split(/\s+/)) {
    const one = knownMarks(name);
    if (one.first === '') continue;
    marks |= one.marks | pairMarks(before, one.first);
    before = one.last;
  }
  return marks;
}

/** Returns the individual element names that would mark the content as aside: "product-card". */
export function asideNames(names: readonly string[]): readonly string[] {
  const single = new Set(names.flatMap((all) => all.split(/\s+/)));
  return [...single].filter((name) => (marksOfNames(name) & MARK.aside) !== 0);
}

/** Whether an element's name makes it a part of one of these, rather than another of them: "product-card__price". */
export function isPartOf(blocks: readonly string[], names: string): boolean {
  const likely = blocks.filter((block) => names.includes(block));
  if (likely.length === 0) return false;
  const single = names.split(/\s+/);
  return likely.some(
    (block) => !single.includes(block) && single.some((name) => name.startsWith(block)),
  );
}

const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const STRUCK_STYLE = /line-through/i;

/** Returns the marks given by an inline style. */
export function marksOfStyle(style: string): number {
  return (HIDDEN_STYLE.test(style) ? MARK.hidden : 0) | (STRUCK_STYLE.test(style) ? STRUCK : 0);
}

const ELEMENTS: ReadonlyMap<string, number> = new Map([
  ['del', STRUCK],
  ['s', STRUCK],
  ['strike', STRUCK],
  ['ins', MARK.current],
  ['strong', MARK.strong],
  ['b', MARK.strong],
  ['h2', MARK.strong],
  ['h3', MARK.strong],
  ['h4', MARK.strong],
  ['footer', MARK.aside],
  ['nav', MARK.aside],
  ['dialog', MARK.aside],
  ['header', MARK.aside],
  ['option', MARK.option],
  ['select', MARK.option],
  ['bdi', MARK.part],
  ['svg', MARK.hidden],
  ['noscript', MARK.hidden],
  ['button', MARK.click],
]);

/** Returns the marks given by an element's tag name. */
export function marksOfElement(name: string): number {
  return ELEMENTS.get(name) ?? 0;
}

/** A section of the page, a script, or an enlarged picture. */
const NO_PLACE = /^\s*(?:#|javascript:|$)|\.(?:jpe?g|png|webp|gif|avif)(?:[?#]|$)/i;

/** Returns the marks of a link, based on its address. */
export function marksOfLink(href: string | null): number {
  const isPlace = href !== null && !NO_PLACE.test(href);
  return MARK.click | (isPlace ? MARK.link : 0);
}

/** Class combinations that strike an element through. */
export type StruckClasses = readonly (readonly string[])[];

const SELECTOR_LENGTH = 400;

/** Maximum number of a page's rules examined, and of selectors stored. */
const RULES = 60;
const SELECTORS = 200;

/** Returns the names that the inline style sheets strike through: the classes in the last part of each selector. */
export function struckClasses({ html, styles }: Pick<HtmlPage, 'html' | 'styles'>): StruckClasses {
  const found: (readonly string[])[] = [];
  let rules = 0;
  for (const { from, to } of styles) {
    const sheet = html.slice(from, to);
    let at = sheet.indexOf('line-through');
    while (at >= 0 && rules < RULES && found.length < SELECTORS) {
      rules += 1;
      found.push(...struckBy(sheet, at));
      at = sheet.indexOf('line-through', at + 12);
    }
  }
  return found;
}

/** Returns the classes of each selector of the rule with `line-through` at `at`. */
function struckBy(sheet: string, at: number): StruckClasses {
  const brace = sheet.lastIndexOf('{', at);
  if (brace <= 0) return [];
  // Selectors are short: anything further back is ignored.
  const start = Math.max(0, brace - SELECTOR_LENGTH);
  const before = sheet.slice(start, brace);
  const selectors = before.slice(before.lastIndexOf('}') + 1).split(',');
  return selectors.map(classesOfLast).filter((names) => names.length > 0);
}

function classesOfLast(selector: string): readonly string[] {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  // State selectors (`:hover`) do not apply to the page as it is; those with `[data-v-12]` and `:after` do.
  if (/:(?:hover|focus|active|not|checked|disabled)/.test(last)) return [];
  return [...last.matchAll(/\.([a-z_][\w-]{1,60})/gi)].map(([, name]) => name ?? '');
}

/** Whether an element with these names has all classes of a striking selector. */
export function isStruckBy(struck: StruckClasses, names: string): boolean {
  const likely = struck.filter(([name = '']) => names.includes(name));
  if (likely.length === 0) return false;
  const all = new Set(names.split(/\s+/));
  return likely.some((wanted) => wanted.every((name) => all.has(name)));
}
