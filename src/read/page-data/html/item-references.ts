// Follows `itemref` of microdata: an item names the ids of elements anywhere on the page that have more of its properties.
// The properties of such an element are collected like those of an item, and handed out at the end of the page.

import type { MarkupScanner } from './markup.ts';

/** A microdata item, or the part of one that is somewhere else on the page. */
export type Item = {
  readonly node: Record<string, unknown>;
  isProperty: boolean;
  readonly type: string;
};

/** An element whose id an item names, and the item it is in. */
type Part = { readonly id: string; readonly item: Item; readonly around: Item | null };

const ATTRIBUTE = /\sitemref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>=]+))/gi;
/** Maximum numbers of elements referred to on a page and by one item, and of values followed to find a circle. */
const ID_LIMIT = 200;
const IDS_OF_ITEM = 20;
const CIRCLE_LIMIT = 1000;

function idsIn(text: string): readonly string[] {
  return text.slice(0, 1000).split(/\s+/).filter(Boolean).slice(0, IDS_OF_ITEM);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value contains the node: it must not become a part of itself. */
function contains(value: unknown, node: object): boolean {
  const open: unknown[] = [value];
  for (let steps = 0; open.length > 0; steps += 1) {
    const next = open.pop();
    if (next === node || steps > CIRCLE_LIMIT) return true;
    if (isObject(next)) open.push(...(Object.values(next) as unknown[]).slice(0, CIRCLE_LIMIT));
  }
  return false;
}

type Adder = (item: Item, name: string, value: unknown) => void;

function give(owner: Item, name: string, value: unknown, add: Adder): void {
  const known = owner.node[name];
  // An item may refer to an element and to another one inside it.
  if (known === value || (Array.isArray(known) && known.includes(value))) return;
  add(owner, name, value);
}

/** The elements that items of a page refer to. */
export class ItemReferences {
  readonly #ids: ReadonlySet<string>;
  readonly #parts = new Map<string, Part>();
  readonly #referring: { readonly item: Item; readonly ids: readonly string[] }[] = [];
  /** Items directly in a part, which are top items if no item takes them as a property. */
  readonly #items = new Map<object, Item>();

  /** Finds the ids before the page is read, because an element may precede the item that refers to it. */
  constructor(html: string) {
    const ids = new Set<string>();
    for (const match of html.matchAll(ATTRIBUTE)) {
      for (const id of idsIn(match[1] ?? match[2] ?? match[3] ?? '')) ids.add(id);
      if (ids.size > ID_LIMIT) break;
    }
    this.#ids = ids;
  }

  /** Whether an item of the page refers to this element. */
  isNamed(tag: MarkupScanner): boolean {
    const id = tag.attribute('id');
    return id !== null && this.#ids.has(id);
  }

  /** Returns the collector for the properties of an element that an item refers to; null for any other element. */
  partAt(tag: MarkupScanner, around: Item | null): Item | null {
    const id = tag.attribute('id');
    // Of several elements with one id, the first one has it.
    if (id === null || !this.#ids.has(id) || this.#parts.has(id)) return null;
    const node = Object.create(null) as Record<string, unknown>;
    const item = { node, isProperty: true, type: '' };
    this.#parts.set(id, { id, item, around });
    return item;
  }

  /** Notes an item, and the elements it refers to. */
  note(tag: MarkupScanner, item: Item): void {
    this.#items.set(item.node, item);
    const written = tag.attribute('itemref');
    if (written !== null) this.#referring.push({ item, ids: idsIn(written) });
  }

  /** Hands the properties of the parts to the items around them and to those that refer to them. */
  settle(add: Adder): void {
    // Parts inside others come last.
    for (const { id, item: part, around } of [...this.#parts.values()].reverse()) {
      const referring = this.#referring.filter(({ ids }) => ids.includes(id));
      const owners = new Set(referring.map(({ item }) => item));
      if (around !== null) owners.add(around);
      for (const [name, stated] of Object.entries(part.node)) {
        for (const value of [stated].flat()) {
          const takers = [...owners].filter(({ node }) => !contains(value, node));
          for (const owner of takers) give(owner, name, value, add);
          const item = isObject(value) ? this.#items.get(value) : undefined;
          if (takers.length === 0 && item !== undefined) item.isProperty = false;
        }
      }
    }
  }
}
