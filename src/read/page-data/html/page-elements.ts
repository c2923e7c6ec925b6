// Selects elements of a page by their opening tag (an id, a class). One pass without a tree: end positions are found by
// counting open elements of each name, so nesting costs nothing.

import { plainTextOfHtml } from '../../../base/listing/text/text.ts';
import type { ClassNames } from './class-names.ts';
import { namesIn, RARE } from './markup-names.ts';
import { MarkupScanner } from './markup.ts';

/** `html.slice(start, from)` is the opening tag and `html.slice(from, to)` the content. */
export type PageElement = {
  /** The key returned by the `Picker`. */
  readonly key: string;
  /** The element name in lower case. */
  readonly name: string;
  readonly start: number;
  readonly from: number;
  readonly to: number;
};

/** Returns the key for the scanner's current tag; null when it is not selected. */
type Picker = (tag: MarkupScanner) => string | null;

/** Elements without content. */
const isVoid = namesIn(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Maximum number of elements returned: no real page has as many matches. */
const ELEMENT_LIMIT = 5000;
/**
 * Maximum number of characters searched for text. Without it, each nested unclosed element would have the rest of the page as
 * its content.
 */
const TEXTLESS_SOURCE = 60_000;
/** Number of characters of one element that `firstText` searches. */
const FIRST_SOURCE = 30_000;

type Open = { readonly index: number; readonly depth: number };
/** The nesting depth within elements of one name, counted from the first selected one. */
type Level = { depth: number; readonly open: Open[] };

class ElementCollector {
  readonly elements: PageElement[] = [];
  /** The levels by name number, plus one for names without a number. */
  readonly #levels: (Level | undefined)[] = [];
  readonly #rare = new Map<string, Level>();

  opened(tag: MarkupScanner, key: string | null): void {
    if (isVoid(tag.number, tag.name) || tag.rawTo > tag.rawFrom) {
      if (key !== null) this.#keep(tag, key, tag.rawTo);
      return;
    }
    const level = this.#levelOf(tag);
    if (level !== undefined && level.open.length > 0) level.depth += 1;
    if (key === null) return;
    const here = level ?? this.#newLevel(tag);
    if (here.open.length === 0) here.depth = 1;
    here.open.push({ index: this.elements.length, depth: here.depth });
    this.#keep(tag, key, tag.html.length);
  }

  closed(tag: MarkupScanner): void {
    const level = this.#levelOf(tag);
    const last = level?.open.at(-1);
    if (level === undefined || last === undefined) return;
    if (last.depth === level.depth) {
      level.open.pop();
      const element = this.elements[last.index];
      if (element !== undefined) this.elements[last.index] = { ...element, to: tag.start };
    }
    level.depth -= 1;
  }

  #levelOf(tag: MarkupScanner): Level | undefined {
    return tag.number === RARE ? this.#rare.get(tag.name) : this.#levels[tag.number];
  }

  #newLevel({ number, name }: MarkupScanner): Level {
    const level: Level = { depth: 0, open: [] };
    if (number === RARE) this.#rare.set(name, level);
    else this.#levels[number] = level;
    return level;
  }

  #keep(tag: MarkupScanner, key: string, to: number): void {
    this.elements.push({ key, name: tag.name, start: tag.start, from: tag.end, to });
  }
}

/** Returns the selected elements of `html` in page order; an unclosed one extends to the end of the page. */
export function pageElements(html: string, pick: Picker): readonly PageElement[] {
  const tag = new MarkupScanner(html);
  const collector = new ElementCollector();
  while (collector.elements.length < ELEMENT_LIMIT && tag.next()) {
    if (tag.kind === 'open') collector.opened(tag, pick(tag));
    else collector.closed(tag);
  }
  return collector.elements;
}

/** Like `Picker`, with the tag's classes that are in `names`. */
type ClassPicker = (tag: MarkupScanner, classes: readonly string[]) => string | null;

/** The selectors: for elements, and for parts of them. */
type PartPickers = {
  /** All classes used by either picker. */
  readonly names: ClassNames;
  readonly pick: ClassPicker;
  readonly pickPart: ClassPicker;
};

/** The selected elements and their selected parts. */
export type ElementsWithParts = {
  readonly elements: readonly PageElement[];
  /** Returns the text of an element up to `to`, and its parts with positions relative to that text. */
  readonly within: (element: PageElement, to: number) => TextWithParts;
};

/** A piece of markup, and elements in it. */
export type TextWithParts = { readonly html: string; readonly parts: readonly PageElement[] };

/**
 * Finds the selected elements of `html` and the selected parts of each in one pass. The result is the same as reading each
 * element separately: an unclosed element ends where the next one begins.
 */
export function elementsWithParts(
  html: string,
  { names, pick, pickPart }: PartPickers,
): ElementsWithParts {
  const tag = new MarkupScanner(html);
  const outer = new ElementCollector();
  const inner = new ElementCollector();
  while (outer.elements.length < ELEMENT_LIMIT && tag.next()) {
    if (tag.kind === 'open') {
      const classes = names.of(tag);
      outer.opened(tag, pick(tag, classes));
      if (outer.elements.length > 0) inner.opened(tag, pickPart(tag, classes));
    } else {
      outer.closed(tag);
      inner.closed(tag);
    }
  }
  const isWhole = !tag.isLimited && outer.elements.length < ELEMENT_LIMIT;
  const within = ({ from, to: close }: PageElement, to: number): TextWithParts => {
    const text = html.slice(from, to);
    const next = outer.elements[firstFrom(outer.elements, to)]?.start;
    const isCut = to < close && next !== to;
    const parts = isWhole && !isCut ? partsBetween(inner.elements, from, to) : null;
    return {
      html: text,
      parts: parts ?? pageElements(text, (each) => pickPart(each, names.of(each))),
    };
  };
  return { elements: outer.elements, within };
}

/** Returns the parts that start within a range, with positions relative to it; null when there are too many. */
function partsBetween(
  parts: readonly PageElement[],
  from: number,
  to: number,
): readonly PageElement[] | null {
  const found: PageElement[] = [];
  for (let index = firstFrom(parts, from); index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined || part.start >= to) break;
    if (found.length >= ELEMENT_LIMIT - 1) return null;
    const { key, name, start } = part;
    found.push({
      key,
      name,
      start: start - from,
      from: part.from - from,
      to: Math.min(part.to, to) - from,
    });
  }
  return found;
}

/** Returns the index of the first part starting at or after `from`. */
function firstFrom(parts: readonly PageElement[], from: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((parts[middle]?.start ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the element's content as written. */
export function innerHtml(html: string, element: PageElement): string {
  return html.slice(element.from, element.to);
}

/** Returns the element's visible text as one line of at most `max` UTF-16 units; null when there is none. */
export function visibleText(html: string, element: PageElement, max = 500): string | null {
  return plainTextOfHtml(innerHtml(html, element), max) || null;
}

/**
 * Returns the visible text, at most 1,000 characters, of the first element with this key that has any; null when none has.
 */
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

/** Returns an attribute of the element as written (entities are not decoded); null when the element does not have it. */
export function attributeOf(html: string, element: PageElement, name: string): string | null {
  const tag = new MarkupScanner(html.slice(element.start, element.from));
  return tag.next() ? tag.attribute(name) : null;
}

/** Whether the tag has any of the classes. Most tags have none, which is detected without building a class list. */
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
