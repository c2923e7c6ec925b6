// Elements of a page picked by their opening tags (an id, a class), each as a piece of the page's text. One
// pass, no tree: where an element ends is counted per tag name, so a page of any nesting costs one walk.

import { plainTextOfHtml } from '../listing/text.ts';
import { MarkupScanner } from './markup.ts';

/** `html.slice(start, from)` is the opening tag, `html.slice(from, to)` what it holds. */
export type PageElement = {
  /** What the picker called it. */
  readonly key: string;
  /** Lower case. */
  readonly name: string;
  readonly start: number;
  readonly from: number;
  readonly to: number;
};

/** Names the tag that the scanner stands on; null: not wanted. */
export type Picker = (tag: MarkupScanner) => string | null;

/** Elements that hold nothing. */
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Further ones are not looked at: no page has as many that a reader asks for. */
const ELEMENT_LIMIT = 5000;

type Open = { readonly index: number; readonly depth: number };
/** How deep the page is inside elements of one name, counted from the first wanted one. */
type Level = { depth: number; readonly open: Open[] };

class ElementCollector {
  readonly elements: PageElement[] = [];
  readonly #levels = new Map<string, Level>();

  opened(tag: MarkupScanner, key: string | null): void {
    const { name } = tag;
    if (VOID.has(name) || tag.rawTo > tag.rawFrom) {
      if (key !== null) this.#keep(tag, key, tag.rawTo);
      return;
    }
    const level = this.#levels.get(name);
    if (level !== undefined && level.open.length > 0) level.depth += 1;
    if (key === null) return;
    const here = level ?? { depth: 0, open: [] };
    if (level === undefined) this.#levels.set(name, here);
    if (here.open.length === 0) here.depth = 1;
    here.open.push({ index: this.elements.length, depth: here.depth });
    this.#keep(tag, key, tag.html.length);
  }

  closed(tag: MarkupScanner): void {
    const level = this.#levels.get(tag.name);
    const last = level?.open.at(-1);
    if (level === undefined || last === undefined) return;
    if (last.depth === level.depth) {
      level.open.pop();
      const element = this.elements[last.index];
      if (element !== undefined) this.elements[last.index] = { ...element, to: tag.start };
    }
    level.depth -= 1;
  }

  #keep(tag: MarkupScanner, key: string, to: number): void {
    this.elements.push({ key, name: tag.name, start: tag.start, from: tag.end, to });
  }
}

/** The picked elements of `html` in the order in which they open; one that never closes ends with the page. */
export function pageElements(html: string, pick: Picker): readonly PageElement[] {
  const tag = new MarkupScanner(html);
  const collector = new ElementCollector();
  while (collector.elements.length < ELEMENT_LIMIT && tag.next()) {
    if (tag.kind === 'open') collector.opened(tag, pick(tag));
    else collector.closed(tag);
  }
  return collector.elements;
}

/** What the element holds, as it is written. */
export function innerHtml(html: string, element: PageElement): string {
  return html.slice(element.from, element.to);
}

/** What a visitor reads in the element, in one line of at most `max` UTF-16 units; null when nothing. */
export function visibleText(html: string, element: PageElement, max = 500): string | null {
  return plainTextOfHtml(innerHtml(html, element), max) || null;
}

/** The visible text of the first element under this key that has any; null when none has. At most 1,000 characters. */
export function firstText(
  html: string,
  elements: readonly PageElement[],
  key: string,
): string | null {
  for (const element of elements) {
    const text = element.key === key ? visibleText(html, element, 1000) : null;
    if (text !== null) return text;
  }
  return null;
}

/** An attribute of the element as it is written (references not decoded); null when it has none. */
export function attributeOf(html: string, element: PageElement, name: string): string | null {
  const tag = new MarkupScanner(html.slice(element.start, element.from));
  return tag.next() ? tag.attribute(name) : null;
}

/** Whether the tag has one of the classes. */
export function hasClass(tag: MarkupScanner, wanted: ReadonlySet<string>): boolean {
  const written = tag.attribute('class');
  if (written === null) return false;
  return written
    .slice(0, 1000)
    .split(/\s+/)
    .some((name) => wanted.has(name));
}
