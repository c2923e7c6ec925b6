// Reads the lines of text visible around a page's main heading, each piece with the marks of its elements
// (visible-marks.ts). Only a range of the source is read: content far from the heading is about other things.

import { foldDigits } from '../../../../base/listing/text/numeral.ts';
import { decodeEntities } from '../../../../base/listing/text/text.ts';
import {
  holdsButtons,
  isButtonClass,
  isBuyButtonLabel,
  isBuyingPlace,
  isBuyLabel,
  isBuyLabelled,
  isBuyNamed,
  isDisabledClass,
  isPastButtons,
  labelsOf,
} from './visible-buttons.ts';
import type { BuyButton } from './visible-buttons.ts';
import type { HtmlPage } from '../../html/html.ts';
import { LineDraft } from './line-draft.ts';
import type { VisiblePiece } from './line-draft.ts';
import { MarkupScanner, templateEnd } from '../../html/markup.ts';
import { besidePart, mayBePart, waitingPart } from './split-amounts.ts';
import type { AmountPart, Beside } from './split-amounts.ts';
import { TileFinder } from './tiles.ts';
import { IN_LINE, isBlankText, isInOneLine, RAISED, VOID } from './visible-text.ts';
import {
  asideNames,
  elementNames,
  isPartOf,
  isStruckBy,
  LASTING,
  MARK,
  marksOfElement,
  marksOfLink,
  marksOfNames,
  marksOfStyle,
  saidAround,
  STRUCK,
  struckClasses,
} from './visible-marks.ts';
import type { StruckClasses } from './visible-marks.ts';

export type VisibleLine = {
  readonly text: string;
  /** Displayed characters between the heading and this line; negative before the heading. */
  readonly at: number;
  readonly pieces: readonly VisiblePiece[];
  /** The combined marks of its pieces. */
  readonly marks: number;
};

export type VisiblePart = {
  readonly lines: readonly VisibleLine[];
  readonly buttons: readonly BuyButton[];
};

/** Number of source characters read before and after the start of the heading; fewer on a page that states a price. */
const SOURCE = { before: 12_000, after: 200_000 };
export const NEAR_SOURCE = { before: 12_000, after: 50_000 };
/** Number of visible characters after the heading at which reading stops: on a page that states a price, and on others. */
const NEAR_HEADING = 2600;
const TEXT_AFTER = 5000;
const LINE_LENGTH = 600;
const LINE_LIMIT = 3000;
const DEPTH_LIMIT = 256;
/** How many levels down an element's name still determines what an amount is. */
const NEAR_LEVELS = 4;
/** "Old" and "per unit" only apply to the element itself: a price block may be named after one of them. */
const NAMED_LEVELS = 2;
const OF_THE_ELEMENT = MARK.former | MARK.regular | MARK.net | MARK.gross | MARK.charge;
/** Marks that content around the heading does not have. */
const ASIDE = MARK.aside | MARK.beside;

type OpenElement = {
  readonly name: string;
  /** The names not examined yet; '' once they are. */
  names: string;
  readonly named: Named | null;
  own: number;
  /** The lasting marks of the element and its ancestors; null until requested. */
  lasting: number | null;
};

/** The meanings of an element's names; `marks` is null until requested. */
type Named = { readonly names: string; readonly isBuy: boolean; marks: number | null };

class LineCollector {
  readonly lines: VisibleLine[] = [];
  readonly buttons: BuyButton[] = [];
  readonly #stack: OpenElement[] = [];
  readonly #struck: StruckClasses;
  readonly #known = new Map<string, Named>();
  readonly #tiles: TileFinder;
  readonly #headingFrom: number;
  readonly #after: number;
  readonly #isToBuy: boolean;
  #draft = new LineDraft();
  /** Displayed characters so far, and at the heading. */
  #shown = 0;
  #headingAt: number | null = null;
  /** Names of elements around the heading that would mark it as aside. Their parts belong to the product too. */
  #around: readonly string[] = [];
  #disabledDepth = -1;
  /** The previous text if it may be a part of an amount. */
  #waiting: AmountPart | null = null;
  /** The depth of the outermost clickable element. */
  #clickDepth = -1;
  /** The start of its text in the line, and whether its names make it a button. */
  #clickFrom = 0;
  #isClickButton = false;

  constructor(
    page: Pick<HtmlPage, 'html' | 'styles'>,
    headingFrom: number,
    { isNear, isToBuy, isUnpriced }: LinesWanted,
  ) {
    this.#struck = struckClasses(page);
    this.#tiles = new TileFinder(page.html, isUnpriced);
    this.#after = isNear ? NEAR_HEADING : TEXT_AFTER;
    this.#isToBuy = isToBuy;
    this.#headingFrom = headingFrom;
  }

  get isDone(): boolean {
    if (this.lines.length >= LINE_LIMIT) return true;
    if (this.#headingAt === null) return false;
    const after = this.#shown - this.#headingAt;
    return after > this.#after || (this.#isToBuy && isPastButtons(after) && !this.#canBuy());
  }

  open(tag: MarkupScanner): void {
    const { name } = tag;
    if (name === 'li') this.#endListItem();
    if (!IN_LINE.has(name)) this.flush();
    this.#draft.opened();
    if (tag.start === this.#headingFrom) this.#beginHeading();
    const isRoot = name === 'html' || name === 'body' || name === 'main';
    const names = isRoot ? '' : elementNames(tag);
    const named = names === '' ? null : this.#named(names);
    const own = isRoot ? 0 : this.#plainMarksOf(tag, named);
    const isClick = this.#clickDepth >= 0 || (own & MARK.click) !== 0;
    const element: OpenElement = { name, names, named, own, lasting: null };
    const isInside = !VOID.has(name) && this.#stack.length < DEPTH_LIMIT;
    this.#button(tag, element, isClick);
    if (name === 'img') this.#tiles.shown(null);
    if (!isInside) return;
    this.#tiles.opened(tag, names, { isLink: (own & MARK.link) !== 0, at: this.#shown });
    if (isClick && this.#clickDepth < 0) {
      this.#clickDepth = this.#stack.length;
      this.#clickFrom = this.#draft.text.length;
      this.#isClickButton = isButtonClass(names);
    }
    this.#stack.push(element);
  }

  close(name: string): void {
    let last = this.#stack.length - 1;
    while (last >= 0 && this.#stack[last]?.name !== name) last -= 1;
    if (last < 0) return;
    if (!IN_LINE.has(name)) this.flush();
    this.#draft.closed();
    if (last <= this.#disabledDepth) this.#disabledDepth = -1;
    if (last <= this.#clickDepth) {
      const to = this.#draft.text.length;
      this.#draft.clicks.push({ from: this.#clickFrom, to, isButton: this.#isClickButton });
      this.#clickDepth = -1;
    }
    this.#tiles.closed(last, this.lines, this.#headingAt);
    this.#stack.length = last;
  }

  /** Ends a list item at the start of the next one. */
  #endListItem(): void {
    const last = this.#stack.findLast(
      ({ name }) => name === 'li' || name === 'ul' || name === 'ol',
    );
    if (last?.name === 'li') this.close('li');
  }

  text(source: string): void {
    const before = this.#draft.text;
    if (before.length > LINE_LENGTH || (before === '' && isBlankText(source))) return;
    const bare = source.includes('<!--') ? source.replaceAll(/<!--[\s\S]*?-->/g, '') : source;
    const decoded = bare.includes('&') ? decodeEntities(bare) : bare;
    const folded = foldDigits(decoded);
    const plain = isInOneLine(folded) ? folded : folded.replaceAll(/\s+/g, ' ');
    if (plain === '' || (plain === ' ' && this.#draft.text === '')) return;
    const marks = this.#near();
    if ((marks & MARK.hidden) !== 0) return;
    this.#tiles.shown(plain);
    const isRaised = plain.length <= 4 && RAISED.has(this.#stack.at(-1)?.name ?? '');
    const beside = this.#besideBefore(plain, marks);
    const isCents = isRaised || beside === 'cents';
    this.#draft.add({
      text: plain,
      // A text that may be either cents or a price does not count as an amount.
      marks: beside === 'unsure' ? marks | MARK.charge : marks,
      isBroken: plain === ' ' && source.includes('\n'),
      isSign: beside === 'sign',
      isJoined: beside === 'sign' || (isCents && /^\s?\d\d\s?$/.test(plain)),
      isCents,
    });
  }

  /** Ends the line. */
  flush(): void {
    const draft = this.#draft;
    const { text, pieces, marks } = draft;
    if (text === '') return;
    this.#draft = new LineDraft();
    this.#waiting = null;
    const line = text.trimEnd();
    if (line.trim() === '') return;
    const at = this.#shown;
    this.#shown += line.length + 1;
    const isLabel = (marks & MARK.link) !== 0 ? isBuyLabel : isBuyButtonLabel;
    if ((marks & MARK.click) !== 0 && labelsOf(draft).some(isLabel)) {
      this.buttons.push({ at, isDisabled: this.#disabledDepth >= 0, marks });
    }
    this.lines.push({ text: line, at, pieces, marks });
  }

  /** Returns lines and buttons with their distance from the heading. */
  placed(): VisiblePart {
    this.flush();
    this.#tiles.ended(this.lines, this.buttons, this.#headingAt);
    const heading = this.#headingAt ?? 0;
    return {
      lines: this.lines.map((line) => ({ ...this.#tiles.marked(line), at: line.at - heading })),
      buttons: this.buttons.map((button) => {
        const marks = button.marks | this.#tiles.marksAt(button.at);
        return { ...button, at: button.at - heading, marks };
      }),
    };
  }

  #canBuy(): boolean {
    const heading = this.#headingAt ?? 0;
    return this.buttons.some((button) => isBuyingPlace({ ...button, at: button.at - heading }));
  }

  /** Begins the heading. The content around it belongs to the product, regardless of its element names. */
  #beginHeading(): void {
    this.flush();
    this.#headingAt ??= this.#shown;
    this.#around = asideNames(this.#stack.map(({ named }) => named?.names ?? ''));
    for (const [depth, element] of this.#stack.entries()) {
      const lasting = this.#lastingOf(depth);
      element.own &= ~ASIDE;
      element.lasting = lasting & ~(ASIDE | MARK.hidden);
    }
  }

  #near(): number {
    const depth = this.#stack.length - 1;
    let marks = this.#lastingOf(depth);
    if ((marks & MARK.struck) !== 0) marks |= MARK.former | MARK.ownFormer;
    let around = ~0;
    let named = 0;
    for (let level = 1; level <= NEAR_LEVELS; level += 1) {
      const own = this.#stack.at(-level)?.own ?? 0;
      const told = named < NAMED_LEVELS ? own : own & ~OF_THE_ELEMENT;
      marks |= told & around;
      around &= saidAround(own);
      if ((own & MARK.part) === 0) named += 1;
      if (level === 1 && (own & MARK.former) !== 0) marks |= MARK.ownFormer;
    }
    return marks;
  }

  /** Returns how a text continues the previous one as part of an amount. */
  #besideBefore(text: string, marks: number): Beside {
    const before = this.#waiting;
    if (text === ' ' && before !== null) this.#waiting = { ...before, isApart: true };
    else if (before !== null || text !== ' ') this.#waiting = null;
    if (!mayBePart(text)) return 'apart';
    const last = this.#stack.length - 1;
    const { own = 0, named = null } = this.#stack[last] ?? {};
    const priced = this.#stack
      .slice(-NEAR_LEVELS)
      .findLast((element) => (element.own & MARK.price) !== 0);
    const isNamed = named !== null;
    const part = { text, marks, own, priced: priced ?? null, isNamed, isApart: false };
    const beside = besidePart(before, part);
    this.#waiting = waitingPart(before, part, beside);
    return beside;
  }

  /** Returns the lasting marks of the open element at this depth, based on the names of all its ancestors. */
  #lastingOf(depth: number): number {
    // Starts at the outermost element not computed yet.
    let from = depth;
    while (from >= 0 && this.#stack[from]?.lasting === null) from -= 1;
    let lasting = from < 0 ? 0 : (this.#stack[from]?.lasting ?? 0);
    for (let level = from + 1; level <= depth; level += 1) {
      const element = this.#stack[level];
      if (element === undefined) break;
      lasting |= this.#ownOf(element) & LASTING;
      element.lasting = lasting;
    }
    return lasting;
  }

  #ownOf(element: OpenElement): number {
    const { named, names } = element;
    if (named === null || names === '') return element.own;
    named.marks ??= marksOfNames(names) | (isStruckBy(this.#struck, names) ? STRUCK : 0);
    const isOwn = (named.marks & MARK.aside) !== 0 && isPartOf(this.#around, names);
    element.own |= isOwn ? named.marks & ~ASIDE : named.marks;
    element.names = '';
    return element.own;
  }

  /** Returns the marks of an element that do not come from its names. */
  #plainMarksOf(tag: MarkupScanner, named: Named | null): number {
    const { name } = tag;
    let marks = marksOfElement(name);
    const style = tag.attribute('style');
    if (style !== null) marks |= marksOfStyle(style.slice(0, 400));
    if (tag.attribute('hidden') !== null) marks |= MARK.hidden;
    if (name === 'a') marks |= marksOfLink(tag.attribute('href'));
    const isBuy = named?.isBuy === true && !holdsButtons(name);
    return isBuy || tag.attribute('role') === 'button' ? marks | MARK.click : marks;
  }

  #named(names: string): Named {
    const before = this.#known.get(names);
    if (before !== undefined) return before;
    const named = { names, isBuy: isBuyNamed(names), marks: null };
    this.#known.set(names, named);
    return named;
  }

  /** Records a button labelled by an attribute, and whether the opening element is disabled. */
  #button(tag: MarkupScanner, element: OpenElement, isClick: boolean): void {
    if (!isClick && tag.name !== 'input') return;
    const kind = (tag.attribute('type') ?? '').toLowerCase();
    if (tag.name === 'input' && kind !== 'hidden') this.#draft.isTicked = kind === 'checkbox';
    const isOff =
      tag.attribute('disabled') !== null ||
      tag.attribute('aria-disabled') === 'true' ||
      isDisabledClass(tag.attribute('class') ?? '');
    if (isOff && !VOID.has(tag.name)) this.#disabledDepth = this.#stack.length;
    const isInput = tag.name === 'input' && ['submit', 'button', 'image'].includes(kind);
    if (tag.name === 'input' && !isInput) return;
    if (!isBuyLabelled(tag, kind)) return;
    const marks = this.#ownOf(element);
    const around = this.#lastingOf(this.#stack.length - 1) | (marks & LASTING);
    const at = this.#shown + this.#draft.text.length;
    this.buttons.push({ at, isDisabled: isOff, marks: marks | around });
  }
}

/** The lines to read. */
type LinesWanted = {
  /** Whether only the nearest lines are needed. */
  readonly isNear: boolean;
  /**
   * Whether lines are only needed if there is a buy button. Then nothing after the last possible button position is read.
   */
  readonly isToBuy: boolean;
  /** Whether the page's data offers its product without a price. */
  readonly isUnpriced: boolean;
};

/** Returns the lines around the element that opens at `headingFrom` in the source. */
export function visibleLines(
  { html, scripts, styles }: Pick<HtmlPage, 'html' | 'scripts' | 'styles'>,
  headingFrom: number,
  wanted: LinesWanted,
): VisiblePart {
  const reach = wanted.isNear ? NEAR_SOURCE : SOURCE;
  const about = Math.max(0, headingFrom - reach.before);
  // Inside a script every `<` would be a tag.
  const script = scripts.find(({ from, to }) => from <= about && about < to);
  const start = Math.max(0, html.indexOf('<', script?.to ?? about));
  const end = Math.min(html.length, headingFrom + reach.after);
  const tag = new MarkupScanner(html, start, end);
  const collector = new LineCollector({ html, styles }, headingFrom, wanted);
  let textFrom = start;
  // If one template is not closed, no later one is, so the end is searched once.
  let templatesEnd = true;
  while (!collector.isDone && tag.next()) {
    if (tag.start > textFrom) collector.text(html.slice(textFrom, tag.start));
    textFrom = tag.end;
    if (tag.kind === 'close') {
      collector.close(tag.name);
      continue;
    }
    collector.open(tag);
    if (tag.rawTo > tag.rawFrom) {
      const close = html.indexOf('>', tag.rawTo);
      textFrom = close < 0 ? end : close + 1;
      collector.close(tag.name);
    } else if (templatesEnd && tag.name === 'template') {
      const closing = templateEnd(tag);
      templatesEnd = closing >= 0 && closing < end;
      if (!templatesEnd) continue;
      tag.skipTo(closing);
      textFrom = closing;
    }
  }
  return collector.placed();
}
