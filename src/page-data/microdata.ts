// Microdata (and RDFa Lite, which says the same with other attribute names) -> schema.org nodes. Works on
// the scanner's tags with a bounded stack; torn markup (void elements, list items that never close, closing
// tags of nothing) must not let the properties of one item fall into another.

import { isRateBehind } from '../listing/other-charges.ts';
import { cleanText, plainTextOfHtml } from '../listing/text.ts';
import type { MarkupScanner } from './markup.ts';
import type { SchemaNode } from './node.ts';

/** Open elements remembered; deeper ones are passed over (80,000 open tables are no page). */
const DEPTH_LIMIT = 512;
const ITEM_LIMIT = 3000;
const PROPERTY_LIMIT = 20_000;
/** Source characters that become property texts on one page, and of one property. */
const TEXT_BUDGET = 2_000_000;
const TEXT_SOURCE_LIMIT = 60_000;
const TEXT_LIMIT = 20_000;

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr frame'.split(' '),
);

/** What an opening tag closes, up to which ancestor it may look. */
const CLOSES: ReadonlyMap<string, { readonly names: string; readonly within: string }> = new Map([
  ['li', { names: ' li ', within: ' ul ol menu ' }],
  ['dt', { names: ' dt dd ', within: ' dl ' }],
  ['dd', { names: ' dt dd ', within: ' dl ' }],
  ['tr', { names: ' tr td th ', within: ' table tbody thead tfoot ' }],
  ['td', { names: ' td th ', within: ' tr table ' }],
  ['th', { names: ' td th ', within: ' tr table ' }],
  ['option', { names: ' option ', within: ' select ' }],
]);

/** Names of the vocabulary before schema.org. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['currency', 'priceCurrency'],
  ['photo', 'image'],
  ['offerDetails', 'offers'],
  ['condition', 'itemCondition'],
]);

/** Elements whose text is struck through: a price in them is what it was before. */
const STRUCK = ['del', 's', 'strike'];
const AMOUNT = /(?<![a-z])(?:price|lowPrice)(?![a-z])/gi;
/** Source of an amount: no price takes more. */
const AMOUNT_SOURCE = 1000;
/** Cents in an element of their own: `49<sup>90</sup>`, `1.249<span class="cents"> 90</span>`. */
const OWN_CENTS = /(?<![.,]\d?)(\d)(?:<[^<>!]*>)+(\d{2})(?=<|$)/;
const RAISED_CENTS =
  /(?<![.,]\d?)(\d)\s*<(?:sup\b[^<>]*|[a-z]+ class=["'][^"'<>]*(?:cent|dec|frac)[^"'<>]*["'][^<>]*)>\s*(\d{2})(?=\s*<|$)/i;

const STRUCK_TAG = /<(del|s|strike)(?=[\s>])[^<>]*>/gi;
/** Source behind an amount that may tell what it is by: `</span><small>/mo</small>`. */
const TAIL = 120;

/** Without what is struck through within it: what it was before. An element that never closes strikes nothing. */
function withoutStruck(source: string): string {
  const lower = source.toLowerCase();
  let left = '';
  let from = 0;
  for (const tag of source.matchAll(STRUCK_TAG)) {
    if (tag.index < from) continue;
    const close = lower.indexOf(`</${(tag[1] ?? '').toLowerCase()}`, tag.index);
    if (close < 0) break;
    left += `${source.slice(from, tag.index)} `;
    const end = source.indexOf('>', close);
    from = end < 0 ? source.length : end + 1;
  }
  return left + source.slice(from);
}

/** The text of an element that holds an amount, with the rate that stands right behind it. */
function amountText(source: string, tail: string): string {
  const left = withoutStruck(source);
  const now = /\d/.test(left) ? left : source;
  // In "1.249<sup>90</sup>" the point is taken.
  const mark = /\d\.\d{3}(?!\d)/.test(now) ? ',' : '.';
  const withCents = `$1${mark}$2`;
  const text = plainTextOfHtml(
    now.replace(OWN_CENTS, withCents).replace(RAISED_CENTS, withCents),
    AMOUNT_SOURCE,
  );
  const behind = plainTextOfHtml(tail.replace(/<[^<>]*$/, ''), TAIL).trim();
  return isRateBehind(behind) ? `${text} ${behind}` : text;
}

/** Where an element keeps its value, when not in its text. */
const VALUE_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['img', 'src'],
  ['audio', 'src'],
  ['video', 'src'],
  ['source', 'src'],
  ['embed', 'src'],
  ['iframe', 'src'],
  ['track', 'src'],
  ['object', 'data'],
  ['data', 'value'],
  ['meter', 'value'],
  ['time', 'datetime'],
]);

/** Links that carry a text, not an address, in these properties: `<a itemprop="brand" href>Acme</a>`. */
const TEXT_EVEN_IN_LINKS = new Set(['name', 'brand', 'manufacturer', 'category', 'sku', 'mpn']);

const FOREIGN = /^(?:og|fb|al|twitter|article|product|place|book|music|video|store):/i;

type Item = { readonly node: Record<string, unknown>; readonly isProperty: boolean };

type OpenElement = {
  readonly name: string;
  /** The item whose properties stand inside; the enclosing one for elements without a scope. */
  readonly item: Item | null;
  /** Properties that take this element's text when it closes, and of which item. */
  readonly properties: string | null;
  readonly owner: Item | null;
  readonly contentFrom: number;
};

export class ItemCollector {
  readonly items: Item[] = [];

  readonly #html: string;
  #rdfa = false;
  readonly #stack: OpenElement[] = [];
  /** How many elements of a name stand open: a closing tag of nothing is known without a search. */
  readonly #open = new Map<string, number>();
  #properties = 0;
  #budget = TEXT_BUDGET;

  constructor(html: string) {
    this.#html = html;
  }

  /** From here on `typeof` and `property` are read as well. */
  followRdfa(): void {
    this.#rdfa = true;
  }

  /** Items that are no property of another one, in page order. */
  topItems(): readonly SchemaNode[] {
    return this.items.filter((item) => !item.isProperty).map((item) => item.node);
  }

  open(tag: MarkupScanner): void {
    this.#closeImplied(tag.name, tag.start);
    const written = this.#attribute(tag, 'itemprop', 'property');
    const property = this.#isStruck(tag)
      ? (written?.replaceAll(AMOUNT, 'wasPrice') ?? null)
      : written;
    const isScope = this.#isScope(tag);
    const owner = this.#stack.at(-1)?.item ?? null;
    let item = owner;
    if (isScope && this.items.length < ITEM_LIMIT) {
      item = this.#newItem(tag, property !== null && owner !== null);
      if (property !== null) this.#add(owner, property, item.node);
    }
    const value = property === null || isScope ? null : this.#ownValue(tag, property);
    if (value !== null && property !== null) this.#add(owner, property, value);
    if (VOID.has(tag.name) || this.#stack.length >= DEPTH_LIMIT) return;
    // The page's heading within a product's scope is what a product without a name is called.
    const waiting = property ?? (tag.name === 'h1' ? 'heading' : null);
    const waits = waiting !== null && !isScope && value === null && owner !== null;
    this.#open.set(tag.name, (this.#open.get(tag.name) ?? 0) + 1);
    this.#stack.push({
      name: tag.name,
      item,
      properties: waits ? waiting : null,
      owner,
      contentFrom: tag.end,
    });
  }

  /** A closing tag of nothing closes nothing. */
  close(name: string, at: number): void {
    if ((this.#open.get(name) ?? 0) === 0) return;
    for (let index = this.#stack.length - 1; index >= 0; index -= 1) {
      if (this.#stack[index]?.name !== name) continue;
      this.#popTo(index, at);
      return;
    }
  }

  /** Gives the texts of elements that never closed. */
  finish(): void {
    // What the end of the page cut off may be half a price: elements that stand open give no text.
    this.#stack.length = 0;
  }

  #attribute(tag: MarkupScanner, microdata: string, rdfa: string): string | null {
    let value = tag.hasItem ? tag.attribute(microdata) : null;
    if (value === null && this.#rdfa) {
      value = tag.attribute(rdfa);
      // `og:title` and its kin use the same attribute and belong to nobody's scope.
      if (value !== null && FOREIGN.test(value)) return null;
    }
    return value === null || value.trim() === '' ? null : value.slice(0, 300).trim();
  }

  #isStruck(tag: MarkupScanner): boolean {
    return STRUCK.some((name) => tag.name === name || (this.#open.get(name) ?? 0) > 0);
  }

  #isScope(tag: MarkupScanner): boolean {
    if (tag.hasItem && tag.attribute('itemscope') !== null) return true;
    return this.#rdfa && tag.attribute('typeof') !== null;
  }

  #newItem(tag: MarkupScanner, isProperty: boolean): Item {
    const node = Object.create(null) as Record<string, unknown>;
    const type = this.#attribute(tag, 'itemtype', 'typeof') ?? '';
    node['@type'] = type.split(/\s+/);
    const id = this.#attribute(tag, 'itemid', 'resource');
    if (id !== null) node['@id'] = id;
    const item = { node, isProperty };
    this.items.push(item);
    return item;
  }

  /** The value an element carries in an attribute; null when its text is the value. */
  #ownValue(tag: MarkupScanner, property: string): string | null {
    // A `content` attribute is the value on any element: shops write it on spans, search engines read it.
    const content = tag.attribute('content');
    if (content !== null) return content.slice(0, TEXT_SOURCE_LIMIT);
    if (tag.name === 'meta') return '';
    const attribute = VALUE_ATTRIBUTES.get(tag.name);
    if (attribute === undefined || (tag.name === 'a' && TEXT_EVEN_IN_LINKS.has(property))) {
      return null;
    }
    const value =
      tag.attribute(attribute) ?? (tag.name === 'img' ? tag.attribute('data-src') : null);
    if (value !== null) return value.slice(0, TEXT_SOURCE_LIMIT);
    return VOID.has(tag.name) ? '' : null;
  }

  #add(owner: Item | null, property: string, value: string | SchemaNode): void {
    // A property in no scope says nothing of anything.
    const target = owner?.node;
    if (target === undefined) return;
    for (const written of property.split(/\s+/).slice(0, 8)) {
      this.#properties += 1;
      if (this.#properties > PROPERTY_LIMIT) return;
      const bare = written.slice(Math.max(written.lastIndexOf('/'), written.lastIndexOf(':')) + 1);
      const name = ALIASES.get(bare) ?? bare;
      if (name === '' || name === '__proto__') continue;
      const clean = typeof value === 'string' ? cleanText(value, TEXT_LIMIT) : value;
      const before = target[name];
      if (before === undefined) target[name] = clean;
      else if (Array.isArray(before)) (before as unknown[]).push(clean);
      else target[name] = [before, clean];
    }
  }

  /** `<li>` ends the list item before it, `<td>` the cell before it: pages leave these tags open. */
  #closeImplied(name: string, at: number): void {
    const rule = CLOSES.get(name);
    if (rule === undefined) return;
    for (let index = this.#stack.length - 1; index >= 0; index -= 1) {
      const open = ` ${this.#stack[index]?.name ?? ''} `;
      if (rule.within.includes(open)) return;
      if (!rule.names.includes(open)) continue;
      this.#popTo(index, at);
      return;
    }
  }

  #popTo(index: number, at: number): void {
    while (this.#stack.length > index) {
      const element = this.#stack.pop();
      if (element === undefined) return;
      this.#open.set(element.name, (this.#open.get(element.name) ?? 1) - 1);
      if (element.properties === null) continue;
      this.#add(element.owner, element.properties, this.#textOf(element, at));
    }
  }

  #textOf({ contentFrom: from, properties }: OpenElement, to: number): string {
    const end = Math.min(to, from + TEXT_SOURCE_LIMIT);
    this.#budget -= Math.max(0, end - from);
    if (this.#budget < 0 || end <= from) return '';
    const source = this.#html.slice(from, end);
    if (source.length > AMOUNT_SOURCE || properties?.search(AMOUNT) === -1) {
      return plainTextOfHtml(source, TEXT_LIMIT);
    }
    return amountText(source, this.#html.slice(to, to + TAIL));
  }
}
