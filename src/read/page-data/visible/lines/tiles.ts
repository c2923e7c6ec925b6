// Which lines of a page are of other goods. Tiles are told by how they are built and not by what they are called: an item whose first
// thing shown is a link to another page, with an amount next to the link. A list item, or an element marked up as a product, is one
// alone, and so is any element behind the button to buy, any other next to a second. A heading above other goods is told by its words.

import type { MarkupScanner } from '../../html/markup.ts';
import { isAccessoryHeading, isRelatedHeading } from './related-headings.ts';
import { isPressed } from './visible-buttons.ts';
import type { BuyButton } from './visible-buttons.ts';
import { MARK } from './visible-marks.ts';

/** A line and its pieces, as visible-lines.ts makes them. */
type ShownLine = {
  readonly text: string;
  readonly at: number;
  readonly marks: number;
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
  /** Its classes and other names. */
  readonly names: string;
  /** Where it opens in the source. */
  readonly start: number;
  readonly isLink: boolean;
  readonly from: number;
  /** What the first thing shown inside it is; null while nothing shown decides it. */
  lead: 'link' | 'other' | null;
  /** The last element inside it that may be a tile. */
  last: Tile | null;
};

/** What an element opens with that is marked up as a product. */
const PRODUCT = /^<[^<>]{0,600}\sitemtype\s*=\s*["']?[^"'\s<>]{0,60}\bProduct\b/i;

/** Where a link to a maker leads. */
const MAKER =
  /\/(?:brands?|designers?|vendors?|manufacturers?|makers?|authors?|publishers?|marken?|hersteller|marques?|marcas?|merken|proizvoditel[iy]?)\/[^/]*\/?$/i;

/** The longest text of a badge. A badge above a picture ("-20 %", "New") does not decide what an element is; an amount does. */
const BADGE = 16;
const AMOUNT = /\p{Sc}|\d[.,:]\d|\d[.,][-–—]|\d\s?\p{L}{1,4}\.?\s*$|^\s*\p{L}{1,4}\.?\s?\d/u;

/** What the rows of a table and of a list of terms begin with. */
const CELLS: ReadonlySet<string> = new Set(['td', 'th', 'dt']);

const isDigit = (code: number): boolean => code >= 48 && code < 58;

/** A character that every amount has, so that most lines need no closer look. */
const PART_OF_AMOUNT = /[\d\p{Sc}]/u;
/** Most lines of a tile: what has more is a section of the page. */
const MOST_LINES = 40;
/** The most lines of a tile that stands alone. */
const MOST_OF_ONE = 8;

/** Where the main heading, the button of the product and, of one without a price, the first amount after the heading are shown. */
type Before = {
  readonly heading: number;
  readonly button: number | undefined;
  readonly priced: number | undefined;
};

/** Follows the elements of a page as they open and close. */
export class TileFinder {
  readonly #html: string;
  /** Whether the data of the page offers its product and states no price. */
  readonly #isUnpriced: boolean;
  readonly #found: Tile[] = [];
  /** Elements that count as tiles only if there is a second one next to them. */
  readonly #single: Tile[] = [];
  readonly #open: Item[] = [];
  /** The elements of headings, in page order. */
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

  /** A picture, or a text, is shown inside what is open. */
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

  /** Everything from this depth on is closed. `heading`: where the main heading is, which no tile has; null before it. */
  closed(depth: number, lines: readonly ShownLine[], heading: number | null): void {
    while (this.#open.length > depth) {
      const item = this.#open.pop();
      if (item?.lead === 'link' && (heading === null || heading < item.from)) {
        this.#closedItem(item, lines);
      }
    }
  }

  /**
   * The page is shown, with these buttons to buy. What stands below a heading above other goods is of them, and so is what
   * may be a tile after the button of the product.
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
    // A picture for a button right above the heading is at the same place.
    this.#found.push({ name: '', group: '', from: section.at + 1, to: Number.POSITIVE_INFINITY });
  }

  /**
   * The sections that a heading element calls accessories, each as far as the next heading of its level or above: those after the
   * button of the product, and those before the first amount, where the data offers the product without a price.
   */
  #accessories(lines: readonly ShownLine[], { heading, button, priced }: Before): readonly Tile[] {
    const isSection = (from: number): boolean =>
      from > (button ?? Number.POSITIVE_INFINITY) ||
      (from > heading && priced !== undefined && from < priced);
    const sections = this.#headings.map(({ level, at }, index) => {
      const end = this.#headings
        .slice(index + 1)
        .find((next) => next.level <= level && next.at > at);
      return { name: '', group: '', from: at, to: end?.at ?? Number.POSITIVE_INFINITY };
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
    // The first of its classes: tiles side by side share it.
    const group = names.split(' ', 1)[0] ?? '';
    const tile = { name, group, from, to: last.at + last.text.length };
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

  /** The line, with the mark of what is in a tile where it is in one. */
  marked<T extends ShownLine>(line: T): T {
    const aside = this.marksAt(line.at);
    if (aside === 0) return line;
    const pieces = line.pieces.map((piece) => ({ ...piece, marks: piece.marks | aside }));
    return { ...line, marks: line.marks | aside, pieces };
  }

  /** The mark of what is shown at this place, where that is in a tile. */
  marksAt(place: number): number {
    return this.#found.some(({ from, to }) => place >= from && place < to) ? MARK.aside : 0;
  }
}

/** The label of a tab, a link to a section and a choice are no headings. */
const NO_HEADING = MARK.click | MARK.option;

/** Whether a line has an amount in no link. */
function hasAmount({ text, pieces }: ShownLine): boolean {
  if (!PART_OF_AMOUNT.test(text)) return false;
  const isLinked = ({ marks }: { readonly marks: number }): boolean => (marks & MARK.link) !== 0;
  if (!pieces.some(isLinked)) return AMOUNT.test(text);
  const beside = pieces
    .filter((piece) => !isLinked(piece))
    .map(({ from }) => text.slice(from, pieces.find((next) => next.from > from)?.from));
  return AMOUNT.test(beside.join(''));
}

/** Whether a text outside of links says that its element is no tile. */
const isTelling = (text: string): boolean => text.length > BADGE || AMOUNT.test(text);
