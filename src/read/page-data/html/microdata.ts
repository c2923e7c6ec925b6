// Converts microdata, and RDFa Lite, which means the same with other attributes, to schema.org nodes. Uses the scanner's
// tags with a bounded stack. With broken markup (void elements, unclosed list items, stray closing tags), properties of one
// item must not leak into another.

import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { Item, ItemReferences } from './item-references.ts';
import { numberOf, NUMBERS, RARE } from './markup-names.ts';
import { AMOUNT_SOURCE, amountText, TAIL } from './microdata-amounts.ts';
import type { MarkupScanner } from './markup.ts';
import type { SchemaNode } from '../schema-org/node.ts';

/** Maximum number of open elements on the stack; deeper ones are ignored (a hostile page may have 80,000 open tables). */
const DEPTH_LIMIT = 512;
const ITEM_LIMIT = 3000;
const PROPERTY_LIMIT = 20_000;
/** Maximum number of source characters of property texts, per page and per property. */
const TEXT_BUDGET = 2_000_000;
const TEXT_SOURCE_LIMIT = 60_000;
const TEXT_LIMIT = 20_000;

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr frame'.split(' '),
);

/** The elements that get a bit: those closed implicitly by another element, and those that bound the search for them. */
const PARTS = 'li ul ol menu dt dd dl tr td th table tbody thead tfoot option select'.split(' ');

function bitsOf(names: string): number {
  return names.split(' ').reduce((bits, name) => bits | (1 << PARTS.indexOf(name)), 0);
}

/** The elements that an opening tag closes implicitly, and the ancestor that bounds the search. */
type ImpliedEnds = { readonly names: number; readonly within: number };

const CLOSES: ReadonlyMap<string, ImpliedEnds> = new Map([
  ['li', { names: bitsOf('li'), within: bitsOf('ul ol menu') }],
  ['dt', { names: bitsOf('dt dd'), within: bitsOf('dl') }],
  ['dd', { names: bitsOf('dt dd'), within: bitsOf('dl') }],
  ['tr', { names: bitsOf('tr td th'), within: bitsOf('table tbody thead tfoot') }],
  ['td', { names: bitsOf('td th'), within: bitsOf('tr table') }],
  ['th', { names: bitsOf('td th'), within: bitsOf('tr table') }],
  ['option', { names: bitsOf('option'), within: bitsOf('select') }],
]);

/** Names of the vocabulary that preceded schema.org. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['currency', 'priceCurrency'],
  ['photo', 'image'],
  ['offerDetails', 'offers'],
  ['condition', 'itemCondition'],
]);

/** Elements with struck-through text: a price in them is the former one. */
const STRUCK = new Set(['del', 's', 'strike']);
/** Classes and styles that strike through an amount or mark it as the former one. */
const FORMER =
  /(?:^|[\s_-])(?:old|was|former|previous|strike(?:d|through)?|line-?through|crossed(?:-?out)?)(?:[\s_-]|$)|(?:old|was)-?price|price-?(?:old|was)/i;
const LINE_THROUGH = /line-through/i;
/** Items that belong to the enclosing product even without a property. */
const OWN_OFFERS = /(?:^|[/#:\s])(?:Offer|AggregateOffer|Offer-aggregate)\/?(?:\s|$)/i;
const OWN_PRODUCT = /(?:^|[/#:\s])(?:Product|IndividualProduct|ProductModel)\/?(?:\s|$)/i;
const AMOUNT = /(?<![a-z])(?:price|lowPrice)(?![a-z])/gi;
/** The attribute containing the value, for elements whose text is not the value. */
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

/** Properties whose value is the link text, not its address: `<a itemprop="brand" href>Acme</a>`. */
const TEXT_EVEN_IN_LINKS = new Set(['name', 'brand', 'manufacturer', 'category', 'sku', 'mpn']);

const FOREIGN = /^(?:og|fb|al|twitter|article|product|place|book|music|video|store):/i;

/** An open element with item information; most elements have none, and only their kind is stored. */
type Saying = {
  /** The number of enclosing elements. */
  readonly depth: number;
  /** The properties set to the text of this element when it closes. */
  readonly properties: string | null;
  /** The enclosing item. */
  readonly around: Item | null;
  /** The item that the properties belong to. */
  readonly owner: Item | null;
  readonly contentFrom: number;
};

/** Properties shared by all elements with one name, looked up once per tag. */
type ElementKind = {
  /** Its index in the list of all kinds. */
  readonly number: number;
  /** Its bit among `PARTS`; 0 when it has none. */
  readonly part: number;
  readonly closes: ImpliedEnds | null;
  readonly isVoid: boolean;
  readonly isStruck: boolean;
  /** Number of open elements of this kind. Detects a stray closing tag without a search. */
  open: number;
};

/** The meaning of a tag's attributes. */
type Said = {
  readonly property: string | null;
  /** The item that the property belongs to. */
  readonly owner: Item | null;
  /** The item that nested properties belong to. */
  readonly item: Item | null;
  /** Whether the property already has its value: an item or an attribute. */
  readonly isDone: boolean;
};

const HEADING = numberOf('h1');
/** The empty list, which is copied for each page because making it takes ten times as long. */
const NO_KINDS: readonly (ElementKind | null)[] = Array.from({ length: NUMBERS }, () => null);

/** Collects the items of a page while its tags are scanned. */
export class ItemCollector {
  readonly items: Item[] = [];

  readonly #html: string;
  /** Null on nearly every page. */
  readonly #references: ItemReferences | null;
  #rdfa = false;
  /** The open elements, and those of them with item information. */
  readonly #stack: ElementKind[] = [];
  readonly #saying: Saying[] = [];
  /** The depth of the innermost of those; -1 if none. */
  #sayingDepth = -1;
  /** The item that properties belong to at the current position. */
  #item: Item | null = null;
  /** The kinds by name number, followed by those of names without a number. */
  readonly #kinds: (ElementKind | null)[] = NO_KINDS.slice();
  readonly #rare = new Map<string, ElementKind>();
  /**
   * Tags outside all items: twice the number of their kind, plus 1 for a closing tag. Replayed when another item begins.
   */
  readonly #passed: number[] = [];
  #struckOpen = 0;
  #properties = 0;
  #budget = TEXT_BUDGET;

  constructor(html: string, references: ItemReferences | null = null) {
    this.#html = html;
    this.#references = references;
  }

  /** Also reads `typeof` and `property` from now on. */
  followRdfa(): void {
    this.#rdfa = true;
  }

  /** Returns the items that are not a property of another item, in page order. */
  topItems(): readonly SchemaNode[] {
    return this.items.filter((item) => !item.isProperty).map((item) => item.node);
  }

  open(tag: MarkupScanner): void {
    const kind = this.#kindOf(tag);
    // Most tags have no item attribute.
    const says = this.#says(tag);
    if (!says && this.#sayingDepth < 0) {
      this.#passed.push(kind.number * 2);
      return;
    }
    if (this.#passed.length > 0) this.#catchUp();
    this.#opened(kind, tag.start, says || tag.number === HEADING ? tag : null);
  }

  #says(tag: MarkupScanner): boolean {
    return tag.hasItem || this.#rdfa || this.#references?.isNamed(tag) === true;
  }

  /** Opens an element of this kind; `tag` is given when it may have item information. */
  #opened(kind: ElementKind, start: number, tag: MarkupScanner | null): void {
    if (kind.closes !== null) this.#closeImplied(kind.closes, start);
    const said = tag !== null && this.#says(tag) ? this.#said(tag, this.#item) : null;
    if (kind.isVoid || this.#stack.length >= DEPTH_LIMIT) return;
    kind.open += 1;
    if (kind.isStruck) this.#struckOpen += 1;
    // A heading inside a product names a product that has no name.
    if (tag !== null) this.#keep(tag, said);
    this.#stack.push(kind);
  }

  /** Replays the tags skipped outside all items: the end of an element around an item ends the item. */
  #catchUp(): void {
    for (const passed of this.#passed) {
      const kind = this.#kinds[passed >> 1] ?? null;
      if (kind === null) continue;
      if ((passed & 1) === 0) this.#opened(kind, 0, null);
      else this.#closed(kind, 0);
    }
    this.#passed.length = 0;
  }

  /** Stores an element's item information until it closes. */
  #keep(tag: MarkupScanner, said: Said | null): void {
    const around = this.#item;
    const { item, owner } = said ?? { item: around, owner: around };
    const waiting = said?.property ?? (tag.number === HEADING ? 'heading' : null);
    const waits = waiting !== null && said?.isDone !== true && owner !== null;
    if (!waits && item === around) return;
    this.#item = item;
    this.#sayingDepth = this.#stack.length;
    this.#saying.push({
      depth: this.#sayingDepth,
      properties: waits ? waiting : null,
      around,
      owner,
      contentFrom: tag.end,
    });
  }

  /** Reads the attributes of a tag. */
  #said(tag: MarkupScanner, around: Item | null): Said {
    const owner = this.#references?.partAt(tag, around) ?? around;
    const written = this.#attribute(tag, 'itemprop', 'property');
    const property =
      written !== null && this.#isStruck(tag) ? written.replaceAll(AMOUNT, 'wasPrice') : written;
    const isScope = this.#isScope(tag);
    let item = owner;
    if (isScope && this.items.length < ITEM_LIMIT) {
      const link = property ?? this.#unnamedLink(tag, owner);
      item = this.#newItem(tag, link !== null && owner !== null);
      if (link !== null) this.#add(owner, link, item.node);
      this.#nameByContent(tag, property, item);
    }
    const value = property === null || isScope ? null : this.#ownValue(tag, property);
    if (value !== null && property !== null) this.#add(owner, property, value);
    return { property, owner, item, isDone: isScope || value !== null };
  }

  #kindOf(tag: MarkupScanner): ElementKind {
    const { number } = tag;
    const known = number === RARE ? this.#rare.get(tag.name) : this.#kinds[number];
    return known ?? this.#newKind(number, tag.name);
  }

  #newKind(number: number, name: string): ElementKind {
    const kind = {
      number: number === RARE ? this.#kinds.length : number,
      part: PARTS.includes(name) ? bitsOf(name) : 0,
      closes: CLOSES.get(name) ?? null,
      isVoid: VOID.has(name),
      isStruck: STRUCK.has(name),
      open: 0,
    };
    this.#kinds[kind.number] = kind;
    if (number === RARE) this.#rare.set(name, kind);
    return kind;
  }

  close(tag: MarkupScanner): void {
    const kind = this.#kindOf(tag);
    if (this.#sayingDepth < 0) this.#passed.push(kind.number * 2 + 1);
    else this.#closed(kind, tag.start);
  }

  /** A stray closing tag closes nothing. */
  #closed(kind: ElementKind, at: number): void {
    if (kind.open === 0) return;
    // Most closing tags close the last opened element.
    const last = this.#stack.length - 1;
    this.#popTo(this.#stack[last] === kind ? last : this.#stack.lastIndexOf(kind), at);
  }

  /** Ends the page. */
  finish(): void {
    // The text of an unclosed element may be half a price, so it is dropped.
    this.#stack.length = 0;
    this.#saying.length = 0;
    this.#sayingDepth = -1;
    this.#item = null;
    this.#references?.settle((item, name, value) => this.#add(item, name, value));
  }

  #attribute(tag: MarkupScanner, microdata: string, rdfa: string): string | null {
    let value = tag.hasItem ? tag.attribute(microdata) : null;
    if (value === null && this.#rdfa) {
      value = tag.attribute(rdfa);
      // `og:title` and similar use the same attribute and belong to no item.
      if (value !== null && FOREIGN.test(value)) return null;
    }
    return value === null || value.trim() === '' ? null : value.slice(0, 300).trim();
  }

  #isStruck(tag: MarkupScanner): boolean {
    if (this.#struckOpen > 0 || STRUCK.has(tag.name)) return true;
    if (!tag.hasItem) return false;
    if (LINE_THROUGH.test((tag.attribute('style') ?? '').slice(0, 300))) return true;
    return FORMER.test((tag.attribute('class') ?? '').slice(0, 300));
  }

  /** Links an offer inside a product to it, even if the shop omitted `itemprop="offers"`. */
  #unnamedLink(tag: MarkupScanner, owner: Item | null): string | null {
    if (owner === null || !OWN_PRODUCT.test(owner.type)) return null;
    return OWN_OFFERS.test(this.#attribute(tag, 'itemtype', 'typeof') ?? '') ? 'offers' : null;
  }

  /** Names an item by its content: `<meta itemprop="brand" itemscope itemtype="…/Brand" content="Acme">`. */
  #nameByContent(tag: MarkupScanner, property: string | null, item: Item): void {
    if (property === null || !TEXT_EVEN_IN_LINKS.has(property)) return;
    const content = tag.attribute('content');
    if (content !== null && content.trim() !== '') this.#add(item, 'name', content.slice(0, 1000));
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
    const item = { node, isProperty, type };
    this.items.push(item);
    this.#references?.note(tag, item);
    return item;
  }

  /** Returns the value given in an attribute of the element; null when its text is the value. */
  #ownValue(tag: MarkupScanner, property: string): string | null {
    // `content` is the value on any element: shops use it on spans, and search engines read it.
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

  #add(owner: Item | null, property: string, value: unknown): void {
    // A property outside of every item is ignored.
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

  /** `<li>` closes the previous list item and `<td>` the previous cell: pages omit the closing tags. */
  #closeImplied(rule: ImpliedEnds, at: number): void {
    for (let index = this.#stack.length - 1; index >= 0; index -= 1) {
      const part = this.#stack[index]?.part ?? 0;
      if ((part & rule.within) !== 0) return;
      if ((part & rule.names) === 0) continue;
      this.#popTo(index, at);
      return;
    }
  }

  #popTo(index: number, at: number): void {
    while (this.#stack.length > index) {
      const kind = this.#stack.pop();
      if (kind === undefined) return;
      kind.open -= 1;
      if (kind.isStruck) this.#struckOpen -= 1;
      if (this.#stack.length === this.#sayingDepth) this.#closeSaying(at);
    }
  }

  #closeSaying(at: number): void {
    const element = this.#saying.pop();
    if (element === undefined) return;
    this.#item = element.around;
    this.#sayingDepth = this.#saying.at(-1)?.depth ?? -1;
    if (element.properties === null) return;
    this.#add(element.owner, element.properties, this.#textOf(element, at));
  }

  #textOf({ contentFrom: from, properties }: Saying, to: number): string {
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
