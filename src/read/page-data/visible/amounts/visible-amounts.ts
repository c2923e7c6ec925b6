// Finds the amounts displayed around a page's heading, each with the evidence for and against it being the product's price:
// element names, adjacent text, distance from the heading and the buy button.

import { amountLine, moneyAlone, placedAmounts } from '../../../../base/listing/money/money.ts';
import type { Money } from '../../../../base/listing/money/minor-units.ts';
import type { PlacedMoney } from '../../../../base/listing/money/money.ts';
import {
  FORMER_LABEL,
  GROSS_WORDS,
  NET_WORDS,
  OFFICIAL_LABEL,
  RANGE_LABEL,
  REGULAR_LABEL,
} from './amount-labels.ts';
import {
  isCharge,
  isForHolders,
  isForSeveral,
  isFreeOfCharge,
  isOfSubscribers,
  isPaidOnce,
  isPerOne,
  isPerPiece,
  isRate,
  isRateLabel,
  withPaidOnce,
} from './charge-words.ts';
import type { WordsAround } from './charge-words.ts';
import { isControlAbove, isLabelAbove, isOtherName } from './price-labels.ts';
import { hasOwnSign } from './own-signs.ts';
import { crownsOf } from '../lines/split-amounts.ts';
import { PERCENT, SIGN, taxWords, untaxed } from './tax-words.ts';
import type { BuyButton } from '../lines/visible-buttons.ts';
import type { VisibleLine, VisiblePart } from '../lines/visible-lines.ts';
import { MARK } from '../lines/visible-marks.ts';

export type VisibleAmount = {
  readonly money: Money;
  /** Visible characters between the heading and the amount; negative before the heading. */
  readonly at: number;
  /** Index of its line. */
  readonly line: number;
  readonly marks: number;
  /** The words before the amount, on its line or the line above. */
  readonly label: string;
  /** The weight of the evidence that the amount is the current price; at 0 or less it is not. */
  readonly score: number;
  /** The score without the line above, if only that line makes the amount a charge; else 0. */
  readonly unlabelled: number;
  /** The score without the words after it, if only they make it a charge and another amount follows on the line; else 0. */
  readonly unnoted: number;
  /** Whether the amount is struck through or called the former price. */
  readonly isFormer: boolean;
  /** Whether text says so, not only element names. */
  readonly isFormerLabelled: boolean;
  /** Whether those words are "regular price": alone, it is the price for everyone, unlike "was" and "list price". */
  readonly isRegularLabelled: boolean;
  /** Whether the amount is called the regular or list price. */
  readonly isRegular: boolean;
  readonly isNet: boolean;
  /** Whether text says so, not only element names. */
  readonly isCalledNet: boolean;
  /** Whether the words before it say that it is with tax. */
  readonly isCalledGross: boolean;
  /** Whether words before or after the amount say that it is with tax. */
  readonly isTaxed: boolean;
  /** Whether the amount is for buyers of several pieces. */
  readonly isForSeveral: boolean;
  /** Whether the amount is for holders of a named card or account. */
  readonly isForHolders: boolean;
  /** Whether the amount is labelled as the price of one piece. */
  readonly isPerPiece: boolean;
  /** Whether the words before it name something other than a price. */
  readonly isNamedOtherwise: boolean;
  /** Whether the words after it name something other than a price. */
  readonly isNotedOtherwise: boolean;
};

/** Maximum length of a label, and of one that states a quantity. */
const LABEL = 48;
const ROW = 24;

/** The distance at which amount and button belong together, in displayed characters. */
const BESIDE_BUTTON = 350;
const NEAR_BUTTON = 900;

/** Precedes the amount in table rows; the quantity is on the line above. */
const EACH = /^(?:je|à|each|p\.|per)$/iu;

const SENTENCE = /\p{L}{3}[.。]$/u;
/** Maximum length of the start of a line that may be the name of its amount. */
const CLAUSE = 20;
/** Maximum length of a line that is not prose. Amounts in prose are not the product's price. */
const PROSE = 200;
const FARTHEST = 5000;
const MOST_AMOUNTS = 200;
/** The hints for ambiguous signs. */
export type CurrencyHints = {
  /** The currency stated on the page or used in its country; null if unknown. */
  readonly currency: string | null;
  /** Whether the page states it: then it applies to amounts without a sign. */
  readonly isStated: boolean;
};

/** Replaces the Turkish capital, which case-insensitive patterns do not match: "İndirimli fiyat". */
const withPlainI = (text: string): string => text.replaceAll('İ', 'I');

function marksAt(line: VisibleLine, from: number, to: number): number {
  let marks: number | null = null;
  for (const [index, piece] of line.pieces.entries()) {
    const end = line.pieces[index + 1]?.from ?? line.text.length;
    // The digits decide: signs and labels are in separate elements.
    if (piece.from < to && end > from && /\d/.test(line.text.slice(piece.from, end)))
      marks = (marks ?? 0) | piece.marks;
  }
  return marks ?? line.marks;
}

/** Whether an amount repeats the one before it in another currency: "399,00 лв. / 204,01 €", "79,90 € (602,01 kn)". */
function isConversion(text: string, before: PlacedMoney | undefined, placed: PlacedMoney): boolean {
  return (
    before !== undefined &&
    before.currency !== null &&
    placed.currency !== null &&
    before.currency !== placed.currency &&
    /^\.?\s?[/|(≈~=]\s?$/.test(text.slice(before.end, placed.start))
  );
}

function labelOf(
  lines: readonly VisibleLine[],
  index: number,
  [from, start]: readonly [number, number],
): string {
  const own = (lines[index]?.text ?? '').slice(Math.max(from, start - LABEL), start).trim();
  if (from > 0) return own;
  if (/\p{L}/u.test(own) && !EACH.test(own)) return own;
  const line = lines[index - 1];
  // The product name is not a label, regardless of its words: "Pillow Cover".
  const above = line === undefined || line.at === 0 ? '' : line.text;
  if (above.length > LABEL || isFreeOfCharge(above)) return own;
  if (isOfSubscribers(above)) return above.trim();
  // Table rows: "Ab 100", "5+".
  if (/\d/.test(above)) return above.length <= ROW && isForSeveral(above, '') ? above.trim() : own;
  return /\p{L}/u.test(above) ? above.trim() : own;
}

function nearest(buttons: readonly BuyButton[], at: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (const button of buttons) {
    if ((button.marks & MARK.aside) === 0) best = Math.min(best, Math.abs(button.at - at));
  }
  return best;
}

function distanceScore(at: number): number {
  if (at < -700) return -2;
  if (at < 0) return 1;
  if (at < 350) return 3;
  if (at < 1100) return 2;
  if (at < 2600) return 1;
  return at < 5000 ? 0 : -3;
}

/** Returns the start and end of the visually separated part of a line that contains the amount. */
function boxOf(
  { pieces, text }: VisibleLine,
  { start, digitsEnd }: PlacedMoney,
): readonly [number, number] {
  let from = 0;
  for (const piece of pieces) {
    if (!piece.isApart) continue;
    if (piece.from >= digitsEnd) return [from, piece.from];
    if (piece.from <= start) from = piece.from;
  }
  return [from, text.length];
}

type Found = {
  readonly marks: number;
  readonly at: number;
  readonly isMarked: boolean;
  readonly hasDecimals: boolean;
  /** Number of characters in the line outside the amount. */
  readonly around: number;
  readonly toButton: number;
  /** Whether words precede it on a line that ends like a sentence. */
  readonly isSentence: boolean;
};

function scoreOf({
  marks,
  at,
  isMarked,
  hasDecimals,
  around,
  toButton,
  isSentence,
}: Found): number {
  const has = (mark: number): boolean => (marks & mark) !== 0;
  if (has(MARK.aside | MARK.hidden | MARK.link | MARK.charge)) return 0;
  // An amount of the cart in the page header.
  if (at < 0 && has(MARK.cart)) return 0;
  let score = isMarked ? 2 : 0;
  if (hasDecimals) score += 0.5;
  if (has(MARK.price)) score += 3;
  if (has(MARK.current)) score += 0.75;
  if (has(MARK.strong)) score += 0.5;
  if (has(MARK.option)) score -= 3;
  score += distanceScore(at);
  if (toButton <= BESIDE_BUTTON) score += 2;
  else if (toButton <= NEAR_BUTTON) score += 1;
  if (around <= 3) score += 1;
  else if (around > 90) score -= 4;
  else if (isSentence) score -= 4;
  else if (around > 45) score -= 1.5;
  return Math.max(score, 0);
}

/** The words around an amount, and the number of characters next to it in its box. */
type Around = {
  readonly label: string;
  /** The label if it is certainly the amount's name; else ''. */
  readonly name: string;
  /** All text after it. */
  readonly after: string;
  /** The words after it that refer to it. */
  readonly own: string;
  /** The words about its tax. */
  readonly tax: string;
  readonly length: number;
  /** Whether the label is the line above. */
  readonly isAbove: boolean;
  /** Whether that line is a control to press or tick: "Compare". */
  readonly isControl: boolean;
};

/**
 * Returns the end of the words between an amount and the next one that may refer to it: those in an element with the next one
 * belong to that one.
 */
function betweenTo(line: VisibleLine, { end }: PlacedMoney, next: Placed['next']): number {
  const from = line.pieces.findLast((piece) => piece.isApart && piece.from <= next)?.from ?? 0;
  const isOfNext = from >= end && !/\p{L}/u.test(line.text.slice(end, from));
  return isOfNext ? from : next;
}

/** Returns the words around an amount; `last` is the end of the preceding amount on its line. */
function wordsAround(
  lines: readonly VisibleLine[],
  index: number,
  { line, text, placed, last, next }: Placed,
): Around {
  const [boxFrom, boxTo] = boxOf(line, placed);
  const isInBox = /\p{L}/u.test(text.slice(Math.max(last, boxFrom), placed.start));
  const from = isInBox ? Math.max(last, boxFrom) : last;
  const label = withPlainI(labelOf(lines, index, [from, placed.start]));
  const isOwn = isInBox || /\p{L}/u.test(text.slice(from, placed.start));
  const name = isOwn || isLabelAbove(label) ? label : '';
  // Words between two amounts belong to the second, unless they are in the box of the first.
  const after = text.slice(placed.end, placed.end + LABEL);
  const beside = text.slice(placed.end, Math.min(boxTo, placed.end + LABEL));
  const isSaid = /\p{L}/u.test(beside);
  const said = (isSaid ? beside : after).replaceAll(PERCENT, '');
  const noted = /\d/.test(said) ? '' : said;
  // "-20 % discount" in a separate element says that the price was reduced.
  const own = isSaid || !/\d/.test(after) ? noted : '';
  const words = {
    label,
    own: noted,
    between: text.slice(placed.end, betweenTo(line, placed, next)),
  };
  const tax = taxWords(words, lines[index + 1]);
  const length = boxTo - boxFrom - (Math.min(placed.end, boxTo) - placed.start);
  const pressed = (lines[index - 1]?.marks ?? 0) & (MARK.click | MARK.added);
  const isControl = !isOwn && isControlAbove(label, pressed !== 0);
  return { label, name, after, own, tax, length, isAbove: !isOwn, isControl };
}

/** Whether only the line above makes an amount a charge: "Delivery tomorrow" may refer to the product. */
const isOnlyAbove = ({ isAbove }: Around, said: WordsAround): boolean =>
  isAbove && !isCharge({ ...said, label: '', name: '' });

const isMoneyIn = (text: string): boolean => /\d/.test(text) && SIGN.test(text);

/** Whether only the words after an amount make it a charge. */
const isOnlyAfter = (said: WordsAround): boolean => !isCharge({ ...said, after: '', ahead: '' });

/** An amount on its line, whose text was prepared for reading amounts. */
type Placed = {
  readonly line: VisibleLine;
  readonly text: string;
  readonly placed: PlacedMoney;
  readonly last: number;
  /** Start of the next amount. */
  readonly next: number;
};

/**
 * Whether a line is searched for amounts: long ones are prose, unless they have several boxes or are named after a price.
 */
function mayHaveAmounts({ text, at, marks, pieces }: VisibleLine): boolean {
  if (!/\d/.test(text) || at > FARTHEST) return false;
  if ((marks & MARK.price) !== 0) return true;
  return SIGN.test(text) && (text.length <= PROSE || pieces.some(({ isApart }) => isApart));
}

/**
 * Returns the start of the words that may precede an amount: those in the box of the previous amount belong to that one.
 */
function wordsFrom(line: VisibleLine, before: PlacedMoney | undefined, start: number): number {
  if (before === undefined) return 0;
  const [, to] = boxOf(line, before);
  return to <= start ? to : before.end;
}

/**
 * Returns every amount in the lines, in page order. Letters in the heading belong to the name: "Camera R5" is not five
 * rand.
 */
export function visibleAmounts(
  { lines, buttons }: VisiblePart,
  heading: string,
  { currency: hint, isStated }: CurrencyHints,
): readonly VisibleAmount[] {
  const found: VisibleAmount[] = [];
  /** One-off amounts, with the score they would have as the price. */
  const once: VisibleAmount[] = [];
  for (const [index, line] of lines.entries()) {
    if (found.length > MOST_AMOUNTS || !mayHaveAmounts(line)) continue;
    const crowns = crownsOf(line, hint);
    const text = withPlainI(amountLine(crowns ?? line.text));
    const placedHere = placedAmounts(text, { currency: hint });
    for (const [order, placed] of placedHere.entries()) {
      const isInName = line.at === 0 && placed.start < heading.length;
      if (isInName && /\p{L}/u.test(text.charAt(placed.start))) continue;
      if (!placed.hasDecimals && /^\p{L}/u.test(text.slice(placed.end))) continue;
      const named = marksAt(line, placed.digits, placed.digitsEnd);
      // "£1.50/unit" in an element that is named after a unit.
      const isOfOne = isPerPiece(text.slice(placed.end, placed.end + LABEL));
      const marks = isOfOne ? named & ~MARK.charge : named;
      const isPriced = (marks & MARK.price) !== 0;
      const beforeIt = placedHere[order - 1];
      const isMarked = crowns !== null || hasOwnSign(line, placed, beforeIt);
      if (!isMarked && !(isStated && isPriced && placed.hasDecimals)) continue;
      // A bare number ("lowest price of 30 days") belongs to the words around it.
      const before = placedHere.slice(0, order).findLast((one) => one.isMarked || one.hasDecimals);
      const next = placedHere[order + 1]?.start ?? text.length;
      const last = wordsFrom(line, before, placed.start);
      const words = wordsAround(lines, index, { line, text, placed, last, next });
      const { after } = words;
      if (isRate(after === '' ? (lines[index + 1]?.text ?? '') : after, after === '')) continue;
      if (isRateLabel(words.label) || (words.length > PROSE && !isPriced)) continue;
      const at = line.at + placed.start;
      const said = { label: words.label, name: words.name, after: words.own, ahead: after };
      const isOther = isConversion(text, beforeIt, placed) || isCharge(said);
      const place = {
        marks,
        at,
        isMarked,
        hasDecimals: placed.hasDecimals,
        around: words.length,
        toButton: nearest(buttons, at),
        isSentence: placed.start > CLAUSE && SENTENCE.test(text),
      };
      const amount = {
        money: moneyAlone(placed),
        at,
        line: index,
        score: isOther ? 0 : scoreOf(place),
        unlabelled: isOther && isOnlyAbove(words, said) ? scoreOf(place) : 0,
        unnoted:
          isOther && isMoneyIn(text.slice(placed.end)) && isOnlyAfter(said) ? scoreOf(place) : 0,
        ...saidOf(words, marks, placed.isRange),
      };
      found.push(amount);
      if (isOther && isPaidOnce(said)) once.push({ ...amount, score: scoreOf(place) });
    }
  }
  return once.length === 0 ? found : withPaidOnce(found, once);
}

/** Returns the properties that words and element names give an amount. */
function saidOf(
  { label, name, after, own, tax, isControl }: Around,
  marks: number,
  isRange: boolean,
) {
  const isFormerLabelled =
    FORMER_LABEL.test(label) && !isControl && !(isRange && RANGE_LABEL.test(label));
  const isGross = GROSS_WORDS.test(tax);
  const isCalledNet = NET_WORDS.test(tax) && !isGross;
  return {
    marks,
    label,
    isFormer: (marks & MARK.former) !== 0 || isFormerLabelled,
    isFormerLabelled,
    isRegularLabelled: isFormerLabelled && REGULAR_LABEL.test(label),
    isRegular: (marks & MARK.regular) !== 0 || OFFICIAL_LABEL.test(label),
    isNet: isCalledNet || ((marks & MARK.net) !== 0 && !isGross),
    isCalledNet,
    isCalledGross: GROSS_WORDS.test(label),
    isTaxed: isGross,
    isForSeveral: isForSeveral(label, after),
    isForHolders: isForHolders({ name: untaxed(name).trim(), after: untaxed(own) }),
    isPerPiece: isPerOne(after),
    isNamedOtherwise: isOtherName(untaxed(name)),
    isNotedOtherwise: isOtherName(untaxed(own)),
  };
}
