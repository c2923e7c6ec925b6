// Elements of a page that are chosen by their opening tag (an id, a class). One pass without a tree: ends are found by
// counting open elements of each name, so nesting costs nothing.

import { plainTextOfHtml } from '../listing/text.ts';
import { MarkupScanner } from './markup.ts';

/** `html.slice(start, from)` is the opening tag and `html.slice(from, to)` the content. */
export type PageElement = {
  /** The key from the `Picker`. */
  readonly key: string;
  /** The element name in lower case. */
  readonly name: string;
  readonly start: number;
  readonly from: number;
  readonly to: number;
};

/** The key for the current tag of the scanner; null when it is not wanted. */
export type Picker = (tag: MarkupScanner) => string | null;

/** Elements without content. */
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Most elements returned: no real page has as many wanted ones. */
const ELEMENT_LIMIT = 5000;
/** Characters in which a text is looked for: nested unclosed elements all have the rest of the page as their content. */
const TEXTLESS_SOURCE = 60_000;
/** Characters of one element in which `firstText` looks. */
const FIRST_SOURCE = 30_000;

type Open = { readonly index: number; readonly depth: number };
/** The depth inside elements of one name, counted from the first wanted one. */
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

/** The wanted elements of `html` in page order; an unclosed one ends with the page. */
export function pageElements(html: string, pick: Picker): readonly PageElement[] {
  const tag = new MarkupScanner(html);
  const collector = new ElementCollector();
  while (collector.elements.length < ELEMENT_LIMIT && tag.next()) {
    if (tag.kind === 'open') collector.opened(tag, pick(tag));
    else collector.closed(tag);
  }
  return collector.elements;
}

/** The content of the element as written. */
export function innerHtml(html: string, element: PageElement): string {
  return html.slice(element.from, element.to);
}

/** The visible text of the element as one line of at most `max` UTF-16 units; null when there is none. */
export function visibleText(html: string, element: PageElement, max = 500): string | null {
  return plainTextOfHtml(innerHtml(html, element), max) || null;
}

/** The visible text, at most 1,000 characters, of the first element with this key that has any; null when none has. */
export function firstText(
  html: string,
  elements: readonly PageElement[],
  key: string,
): string | null {
  let left = TEXTLESS_SOURCE;
  for (const element of elements) {
    if (element.key !== key) continue;
    if (left <= 0) return null;
    left -= Math.min(element.to - element.from, FIRST_SOURCE);
    const text = visibleText(html, element, 1000);
    if (text !== null) return text;
  }
  return null;
}

/** An attribute of the element as written (entities are not decoded); null when it does not have it. */
export function attributeOf(html: string, element: PageElement, name: string): string | null {
  const tag = new MarkupScanner(html.slice(element.start, element.from));
  return tag.next() ? tag.attribute(name) : null;
}

/** Most tags have none of the classes, and are told so without a list of theirs. */
function holdsAny(tag: MarkupScanner, wanted: ReadonlySet<string>): boolean {
  for (const name of wanted) if (tag.attributeHas('class', name)) return true;
  return false;
}

/** Whether the tag has one of the classes. */
export function hasClass(tag: MarkupScanner, wanted: ReadonlySet<string>): boolean {
  if (!holdsAny(tag, wanted)) return false;
  const written = tag.attribute('class') ?? '';
  return written
    .slice(0, 1000)
    .split(/\s+/)
    .some((name) => wanted.has(name));
}
