// Which lines of a page are tiles of other goods, by how they are built and not by what they are called: an item whose first thing
// shown is a link to another page, with an amount beside the link. A list item, or one marked
// up as a product, is one alone, any other element beside a second.

import type { MarkupScanner } from './markup.ts';
import { MARK } from './visible-marks.ts';

/** A line and its pieces, as visible-lines.ts makes them. */
type ShownLine = {
  readonly text: string;
  readonly at: number;
  readonly pieces: readonly { readonly from: number; readonly marks: number }[];
};

/** An element that may be a tile; places are counted in characters shown, as those of lines are. */
type Tile = {
  readonly name: string;
  readonly group: string;
  readonly from: number;
  readonly to: number;
};

type Item = {
  readonly name: string;
  /** The first of its classes: tiles side by side share it. */
  readonly group: string;
  readonly isLink: boolean;
  /** Whether it is one of a list by its element, or a product by its markup. */
  readonly isItem: boolean;
  readonly from: number;
  /** What the first thing shown inside it is; null: nothing that tells yet. */
  lead: 'link' | 'other' | null;
  /** The last element inside it that may be a tile. */
  last: Tile | null;
};

/** A badge above a picture tells nothing: "-20 %", "New". An amount does. */
const BADGE = 16;
const AMOUNT = /\p{Sc}|\d[.,:]\d|\d[.,][-–—]|\d\s?\p{L}{1,4}\.?\s*$|^\s*\p{L}{1,4}\.?\s?\d/u;

/** What every amount has: most lines need not be taken apart. */
const PART_OF_AMOUNT = /[\d\p{Sc}]/u;

/** Follows the elements of a page as they open and close. */
export class TileFinder {
  readonly #found: Tile[] = [];
  readonly #open: Item[] = [];

  /** `names` are its classes and other names, `at` the characters shown before it. */
  opened(tag: MarkupScanner, names: string, { isLink, at }: { isLink: boolean; at: number }): void {
    const { name } = tag;
    const group = names.split(' ', 1)[0] ?? '';
    const isItem = name === 'li' || /\bProduct$/.test(tag.attribute('itemtype') ?? '');
    this.#open.push({ name, group, isLink, isItem, from: at, lead: null, last: null });
  }

  /** A picture, or a text, is shown inside what is open. */
  shown(text: string | null): void {
    let isLinked = false;
    // What has no lead yet is always the innermost: nothing was shown since it opened.
    for (let at = this.#open.length - 1; at >= 0; at -= 1) {
      const item = this.#open[at];
      if (item === undefined || item.lead !== null) return;
      if (isLinked) item.lead = 'link';
      else if (text !== null && isTelling(text) && !item.isLink) item.lead = 'other';
      isLinked ||= item.isLink;
    }
  }

  /** Everything from this depth on is closed. `heading`: where the main heading is, which no tile has; null before it. */
  closed(depth: number, lines: readonly ShownLine[], heading: number | null): void {
    while (this.#open.length > depth) {
      const item = this.#open.pop();
      if (item?.lead === 'link' && (heading === null || heading < item.from)) {
        this.#closedItem(item, lines);
      }
    }
  }

  #closedItem({ name, group, isItem, from }: Item, lines: readonly ShownLine[]): void {
    const inside = lines.slice(lines.findLastIndex(({ at }) => at < from) + 1);
    const last = inside.at(-1);
    const hasAmount = (line: ShownLine): boolean =>
      PART_OF_AMOUNT.test(line.text) && AMOUNT.test(besideLinks(line));
    if (last === undefined || !inside.some(hasAmount)) return;
    const tile = { name, group, from, to: last.at + last.text.length };
    const parent = this.#open.at(-1);
    const before = parent?.last ?? null;
    const isSecond = before !== null && before.name === name && before.group === group;
    if (isItem || isSecond) this.#found.push(tile);
    if (isSecond) this.#found.push(before);
    if (parent !== undefined) parent.last = tile;
  }

  /** The mark of what is shown at this place, where that is in a tile. */
  marksAt(place: number): number {
    return this.#found.some(({ from, to }) => place >= from && place < to) ? MARK.aside : 0;
  }
}

/** The text of a line that is in no link. */
function besideLinks({ text, pieces }: ShownLine): string {
  return pieces
    .filter(({ marks }) => (marks & MARK.link) === 0)
    .map(({ from }) => text.slice(from, pieces.find((next) => next.from > from)?.from))
    .join('');
}

/** Whether a text outside of links says that its element is no tile. */
const isTelling = (text: string): boolean => text.length > BADGE || AMOUNT.test(text);
