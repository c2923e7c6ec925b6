// Determines which lines of a page belong to other goods. Tiles are recognized by structure, not by name: an item whose first
// visible content is a link to another page, with an amount next to the link. A list item, an element marked up as a product,
// or any element after the buy button counts on its own, any other only next to a second one. A heading above other goods is
// recognized by its words.

import type { MarkupScanner } from '../../html/markup.ts';
import { isAccessoryHeading, isRelatedHeading } from './related-headings.ts';
import { isPressed } from './visible-buttons.ts';
import type { BuyButton } from './visible-buttons.ts';
import { MARK } from './visible-marks.ts';

/** A line and its pieces, as built by visible-lines.ts. */
type ShownLine = {
  readonly text: string;
  readonly at: number;
  readonly marks: number;
  readonly pieces: readonly { readonly from: number; readonly marks: number }[];
};

/** An element that may be a tile; positions are in displayed characters, as for lines. */
type Tile = {
  readonly name: string;
  readonly group: string;
  readonly from: number;
  readonly to: number;
  readonly marks: number;
};

/** The marks of lines in a tile, and of lines in a section below a heading that names it. */
const OF_TILE = MARK.aside | MARK.tile;
const OF_SECTION = MARK.aside | MARK.beside;

type Item = {
  readonly name: string;
  /** Its classes and other names. */
  readonly names: string;
  /** Its start index in the source. */
  readonly start: number;
  readonly isLink: boolean;
  readonly from: number;
  /** The kind of its first visible content; null while undecided. */
  lead: 'link' | 'other' | null;
  /** The last element inside it that may be a tile. */
  last: Tile | null;
};

/** The opening tag of an element marked up as a product. */
const PRODUCT = /^<[^<>]{0,600}\sitemtype\s*=\s*["']?[^"'\s<>]{0,60}\bProduct\b/i;

/** Addresses of maker links. */
const MAKER =
  /\/(?:brands?|designers?|vendors?|manufacturers?|makers?|authors?|publishers?|marken?|hersteller|marques?|marcas?|merken|proizvoditel[iy]?)\/[^/]*\/?$/i;

/**
 * Maximum length of a badge text. A badge above a picture ("-20 %", "New") does not determine what an element is; an amount
 * does.
 */
const BADGE = 16;
const AMOUNT = /\p{Sc}|\d[.,:]\d|\d[.,][-–—]|\d\s?\p{L}{1,4}\.?\s*$|^\s*\p{L}{1,4}\.?\s?\d/u;

/** The elements that start the rows of a table or definition list. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th', 'dt']);

const isDigit = (code: number): boolean => code >= 48 && code < 58;

/** A character contained in every amount, to skip most lines quickly. */
const PART_OF_AMOUNT = /[\d\p{Sc}]/u;
/** Maximum number of lines of a tile: a larger element is a page section. */
const MOST_LINES = 40;
/** Maximum number of lines of a standalone tile. */
const MOST_OF_ONE = 8;

/**
 * Positions of the main heading, the product's button and, for a product without a price, the first amount after the heading.
 */
type Before = {
  readonly heading: number;
  readonly button: number | undefined;
  readonly priced: number | undefined;
};

/** Tracks the elements of a page as they open and close. */
export class TileFinder {
  readonly #html: string;
  /** Whether the page's data offers its product without a price. */
  readonly #isUnpriced: boolean;
  readonly #found: Tile[] = [];
  /** Elements that count as tiles only if there is a second one next to them. */
  readonly #single: Tile[] = [];
  readonly #open: Item[] = [];
  /** The heading elements, in page order. */
  readonly #headings: { readonly level: number; readonly at: number }[] = [];

  constructor(html: string, isUnpriced: boolean) {
    this.#html = html;
    this.#isUnpriced = isUnpriced;
  }

  /** `names` are its classes and other names, `at` the characters shown before it. */
  opened(tag: MarkupScanner, names: string, { isLink, at }: { isLink: boolean; at: number }): void {
    const { name, start } = tag;
    if (name.length === 2 && name.startsWith('h') && isDigit(name.charCodeAt(1))) {
      this.#headings.push({ level: Number(name.charAt(1)), at });
    }
    // A product may begin with its maker's picture.
    const isLead = isLink && !MAKER.test(tag.attribute('href') ?? '');
    this.#open.push({ name, names, start, isLink: isLead, from: at, lead: null, last: null });
  }

  /** Records a picture or text shown inside the open elements. */
  shown(text: string | null): void {
    if (this.#open.at(-1)?.lead !== null) return;
    const isOther = text !== null && (isTelling(text) || this.#isLabel(text));
    let isLinked = false;
    // Elements without a lead are always the innermost ones: nothing was shown since they opened.
    for (let at = this.#open.length - 1; at >= 0; at -= 1) {
      const item = this.#open[at];
      if (item === undefined || item.lead !== null) return;
      if (isLinked) item.lead = 'link';
      else if (isOther && !item.isLink) item.lead = 'other';
      isLinked ||= item.isLink;
    }
  }

  /** Whether a text is the label of a row: "Manufacturer", next to a link to the maker. */
  #isLabel(text: string): boolean {
    return this.#open.slice(-3).some(({ name }) => CELLS.has(name)) && /\p{L}{5}/u.test(text);
  }

  /**
   * Closes everything from this depth on. `heading` is the position of the main heading, which no tile contains; null
   * before it.
   */
  closed(depth: number, lines: readonly ShownLine[], heading: number | null): void {
    while (this.#open.length > depth) {
      const item = this.#open.pop();
      if (item?.lead === 'link' && (heading === null || heading < item.from)) {
        this.#closedItem(item, lines);
      }
    }
  }

  /**
   * Ends the page, with these buy buttons. Content below a heading above other goods belongs to them, as does any possible
   * tile after the product's button.
   */
  ended(lines: readonly ShownLine[], buttons: readonly BuyButton[], heading: number | null): void {
    this.closed(0, lines, heading);
    if (heading === null) return;
    const own = buttons.find(
      (button) => button.at > heading && isPressed(button) && this.marksAt(button.at) === 0,
    );
    const isPrice = (line: ShownLine): boolean => line.at > heading && hasAmount(line);
    const priced = this.#isUnpriced ? lines.find(isPrice)?.at : undefined;
    const before = { heading, button: own?.at, priced };
    this.#found.push(...this.#accessories(lines, before));
    if (own !== undefined) {
      this.#found.push(...this.#single.filter(({ from }) => from > own.at));
    }
    const section = lines.find(
      ({ at, marks, text }) => at > heading && (marks & NO_HEADING) === 0 && isRelatedHeading(text),
    );
    if (section === undefined) return;
    // A button's picture right above the heading has the same position.
    const to = Number.POSITIVE_INFINITY;
    this.#found.push({ name: '', group: '', from: section.at + 1, to, marks: OF_SECTION });
  }

  /**
   * Returns the sections whose heading element names accessories, each up to the next heading of its level or above: those
   * after the product's button, and those before the first amount if the data offers the product without a price.
   */
  #accessories(lines: readonly ShownLine[], { heading, button, priced }: Before): readonly Tile[] {
    const isSection = (from: number): boolean =>
      from > (button ?? Number.POSITIVE_INFINITY) ||
      (from > heading && priced !== undefined && from < priced);
    const sections = this.#headings.map(({ level, at }, index) => {
      const end = this.#headings
        .slice(index + 1)
        .find((next) => next.level <= level && next.at > at);
      const to = end?.at ?? Number.POSITIVE_INFINITY;
      return { name: '', group: '', from: at, to, marks: OF_SECTION };
    });
    return sections.filter(({ from }) => {
      const line = isSection(from) ? lines.find(({ at }) => at === from) : undefined;
      return line !== undefined && (line.marks & NO_HEADING) === 0 && isAccessoryHeading(line.text);
    });
  }

  #closedItem({ name, names, start, from }: Item, lines: readonly ShownLine[]): void {
    const inside = lines.slice(lines.findLastIndex(({ at }) => at < from) + 1);
    const last = inside.at(-1);
    if (last === undefined || inside.length > MOST_LINES || !inside.some(hasAmount)) return;
    // Its first class: adjacent tiles share it.
    const group = names.split(' ', 1)[0] ?? '';
    const tile = { name, group, from, to: last.at + last.text.length, marks: OF_TILE };
    const parent = this.#open.at(-1);
    const before = parent?.last ?? null;
    const isSecond = before !== null && before.name === name && before.group === group;
    const isItem = name === 'li' || PRODUCT.test(this.#html.slice(start, start + 700));
    if (isItem || isSecond) this.#found.push(tile);
    if (isSecond) this.#found.push(before);
    const isSmall = inside.length <= MOST_OF_ONE;
    if (!isItem && !isSecond && isSmall) this.#single.push(tile);
    if (parent !== undefined) parent.last = tile;
  }

  /** Returns the line with the marks of the tile or section that it is in. */
  marked<T extends ShownLine>(line: T): T {
    const aside = this.marksAt(line.at);
    if (aside === 0) return line;
    const pieces = line.pieces.map((piece) => ({ ...piece, marks: piece.marks | aside }));
    return { ...line, marks: line.marks | aside, pieces };
  }

  /** Returns the marks of the tiles and sections at this position. */
  marksAt(place: number): number {
    let found = 0;
    for (const { from, to, marks } of this.#found) {
      if (place >= from && place < to) found |= marks;
    }
    return found;
  }
}

/** A tab label, a link to a section and a choice are not headings. */
const NO_HEADING = MARK.click | MARK.option;

/** Whether a line has an amount outside links. */
function hasAmount({ text, pieces }: ShownLine): boolean {
  if (!PART_OF_AMOUNT.test(text)) return false;
  const isLinked = ({ marks }: { readonly marks: number }): boolean => (marks & MARK.link) !== 0;
  if (!pieces.some(isLinked)) return AMOUNT.test(text);
  const beside = pieces
    .filter((piece) => !isLinked(piece))
    .map(({ from }) => text.slice(from, pieces.find((next) => next.from > from)?.from));
  return AMOUNT.test(beside.join(''));
}

/** Whether a text outside links shows that its element is not a tile. */
const isTelling = (text: string): boolean => text.length > BADGE || AMOUNT.test(text);
