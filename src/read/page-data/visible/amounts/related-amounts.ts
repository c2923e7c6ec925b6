// Relates the amounts around a heading: which are next to each other, which is part of another, a multiple of it, the same in
// another currency, the same without tax, or the price of other goods.

import {
  amountOf,
  decimalsOf,
  isSameAmount,
  type Money,
} from '../../../../base/listing/money/minor-units.ts';
import { isLabelAbove, isOtherName } from './price-labels.ts';
import type { VisibleAmount } from './visible-amounts.ts';
import { isBuyingPlace } from '../lines/visible-buttons.ts';
import type { VisibleLine, VisiblePart } from '../lines/visible-lines.ts';
import { MARK } from '../lines/visible-marks.ts';

/** The maximum distance between the price and a former price, in displayed characters and in lines. */
const BESIDE = 160;
const LINES_BESIDE = 8;

/** Whether two amounts have the same currency. */
export const sameCurrency = (a: Money, b: Money): boolean => a.currency === b.currency;

/** Whether two amounts are close enough for one to be the other's former price. */
export const isBeside = (a: VisibleAmount, b: VisibleAmount): boolean =>
  Math.abs(a.at - b.at) <= BESIDE && Math.abs(a.line - b.line) <= LINES_BESIDE;

/**
 * Whether an amount before the best one would outscore it without the line above that calls it a charge or, on another line
 * than the best one, without words that may belong to the next amount of its line; or whether it is higher, unnamed, and a
 * charge only by its element ("unitPrice"), while the best one has a name: either may be the price. When the best one has a
 * name, an amount after it also hides it if its score without words that may belong to the next amount exceeds `least`.
 */
export function isHiddenBefore(amount: VisibleAmount, best: VisibleAmount, least: number): boolean {
  if (isSameAmount(amount.money, best.money)) return false;
  const isElsewhere = amount.line !== best.line;
  if (isElsewhere && best.isNamedOtherwise && amount.unnoted > least) return true;
  if (amount.at <= 0 || amount.at >= best.at) return false;
  if (isElsewhere && amount.unnoted > best.score) return true;
  const isOfElement = (amount.marks & MARK.charge) !== 0 && (amount.marks & MARK.price) !== 0;
  const isBare = isOfElement && !amount.isNamedOtherwise && best.isNamedOtherwise;
  const isHigher = amountOf(amount.money) > amountOf(best.money);
  return amount.unlabelled > best.score || (isBare && isHigher);
}

/** Whether two amounts differ by a tax: one is marked as without it, or is the second on a line marked as with it. */
export function isNetOf(net: VisibleAmount, gross: VisibleAmount): boolean {
  const ratio = amountOf(gross.money) / amountOf(net.money);
  const isBefore = gross.isCalledGross && net.line === gross.line && net.at < gross.at;
  return (net.isNet || isBefore) && !gross.isNet && ratio > 1.02 && ratio < 1.35;
}

/**
 * Currencies of countries where shops state prices without sales tax, which is the price that everyone sees; and unknown
 * dollars.
 */
export const TAXED_LATER: ReadonlySet<string | null> = new Set(['USD', 'CAD', null]);

/** The styling that distinguishes an amount that counts from one that does not. */
const SET_OFF = MARK.strong | MARK.current;

/**
 * Whether the amount without tax is shown first, as in shops for businesses: nothing says which of the two a visitor pays,
 * unless only the one with tax is emphasized. On one line the second refers to the first, and so does one in brackets on the
 * next line: "3,980円（税込4,378円）".
 */
export function isNetFirst(net: VisibleAmount, best: VisibleAmount, lead: number): boolean {
  const isBelow = net.line + 1 === best.line && /^[(（]/.test(best.label);
  const isApart = !best.isTaxed || (net.line !== best.line && !isBelow);
  if (net.isCalledNet && (best.marks & SET_OFF) !== 0 && (net.marks & SET_OFF) === 0) return false;
  return isApart && net.at < best.at && net.score >= best.score - lead;
}

/**
 * The combined rounding deviation of parts, as a share of their amount, and its maximum when each part is rounded to a whole
 * unit.
 */
const ROUNDED = 0.005;
const ROUNDED_MOST = 0.04;
/** A whole number in the words before an amount: "4 x", "en 4 fois", "lub 3 rat po". */
const TIMES = /(?<![\d.,])(\d{1,2})\s?(?![\d.,%])[^\d]{1,24}$/u;

/** Whether an amount is one of several payments: the number before it, times the amount, gives another amount. */
export function isPart(
  { label, money }: VisibleAmount,
  amounts: readonly VisibleAmount[],
): boolean {
  const times = Number(TIMES.exec(label)?.[1] ?? 0);
  if (times < 2) return false;
  const whole = money.cents * times;
  const oneEach = times * 10 ** decimalsOf(money.currency);
  const slip = Math.min(Math.max(oneEach, whole * ROUNDED), whole * ROUNDED_MOST);
  return amounts.some(
    (other) =>
      other.score > 0 &&
      sameCurrency(other.money, money) &&
      Math.abs(other.money.cents - whole) <= slip,
  );
}

/**
 * Whether an amount is the total for several pieces of which another is the unit price: "4 Stück: 359,60 €" next to "89,90
 * €".
 */
export function isSum(
  { label, money, isForSeveral }: VisibleAmount,
  all: readonly VisibleAmount[],
): boolean {
  const times = isForSeveral ? Number(TIMES.exec(label)?.[1] ?? 0) : 0;
  if (times < 2) return false;
  return all.some(
    ({ money: one, marks }) =>
      (marks & (MARK.aside | MARK.hidden)) === 0 &&
      sameCurrency(one, money) &&
      one.cents * times === money.cents,
  );
}

/** Currencies replaced by the euro, with their fixed rates: for a year every price is displayed in both. */
const REPLACED: ReadonlyMap<string | null, number> = new Map([
  ['BGN', 1.95583],
  ['HRK', 7.5345],
]);

/** Whether two amounts are the same, one in euros and one in a currency replaced by the euro. */
function isSameInEuros(euros: Money, other: Money): boolean {
  const rate = REPLACED.get(other.currency);
  if (rate === undefined || euros.currency !== 'EUR') return false;
  return Math.abs(euros.cents * rate - other.cents) <= rate;
}

/** Whether an amount repeats the one before it in another currency. */
export function isSaidAgain(amount: VisibleAmount, amounts: readonly VisibleAmount[]): boolean {
  return amounts.some(
    (before) =>
      before.at < amount.at &&
      before.score > 0 &&
      isBeside(before, amount) &&
      (isSameInEuros(before.money, amount.money) || isSameInEuros(amount.money, before.money)),
  );
}

/** Whether a buy button is between a price and an amount after it. */
function isAfterButton({ buttons }: VisiblePart, at: number, price: VisibleAmount): boolean {
  return buttons.some((button) => isBuyingPlace(button) && button.at > price.at && button.at < at);
}

/**
 * Whether an amount after the buy button belongs to other goods by the name above or before it: a link to their page, a heading
 * or, after the page's only button, any words that are not a price label. Such words also make an amount before the heading
 * another's when the price is between heading and button.
 */
export function isOfOtherGoods(
  part: VisiblePart,
  amount: VisibleAmount,
  price: VisibleAmount,
): boolean {
  const { lines, buttons } = part;
  const { at, line, label } = amount;
  const [own, above] = [lines[line], lines[line - 1]];
  if (own === undefined || above === undefined) return false;
  if (at < 0 && price.at > 0 && isAfterButton(part, Number.POSITIVE_INFINITY, price)) {
    return isCalledOtherwise(part, amount) || isName(part, above);
  }
  if (!isAfterButton(part, at, price)) return false;
  if (isLinked(own, at - own.at)) return true;
  // If the first has a name above it too, both are list tiles.
  const before = lines[price.line - 1];
  const isSole = buttons.filter(isBuyingPlace).length === 1;
  const isOnly = isSole && !price.isNamedOtherwise && !isName(part, before);
  // Words before an unlabelled amount belong to the preceding one on its line.
  if (hasWords(own, at - own.at) && label !== '') return isOnly && isCalledOtherwise(part, amount);
  if (isLinked(above) || (isHeading(above) && !isHeading(before))) return true;
  return isOnly && isName(part, above);
}

/**
 * Whether an amount after the buy button may, by its name, belong to other goods, when another before it may be the price.
 */
export function mayBeOfOtherGoods(
  part: VisiblePart,
  amount: VisibleAmount,
  price: VisibleAmount,
): boolean {
  if (!isAfterButton(part, amount.at, price)) return false;
  return isCalledOtherwise(part, amount) || isName(part, part.lines[amount.line - 1]);
}

/** Whether words repeat the main heading, as in a sticky bar with the product name. */
function isOwnName({ lines }: VisiblePart, words: string): boolean {
  return lines.some(({ at, text }) => at === 0 && text.trim() === words.trim());
}

/** Whether the words before an amount name something other than a price and the product. */
function isCalledOtherwise(part: VisiblePart, { label, isNamedOtherwise }: VisibleAmount): boolean {
  return label !== '' && isNamedOtherwise && !isOwnName(part, label);
}

/** Maximum length of a line that may be the name of other goods. */
const NAME_LENGTH = 80;

/** Whether a line may be the name of other goods: its words are not a label of a price or anything else. */
function isName(part: VisiblePart, line: VisibleLine | undefined): boolean {
  if (line === undefined || line.at === 0 || line.text.length > NAME_LENGTH) return false;
  if ((line.marks & MARK.click) !== 0 || isOwnName(part, line.text)) return false;
  return !/[:：]/.test(line.text) && !isLabelAbove(line.text) && isOtherName(line.text);
}

/** Whether a line is formatted as a heading and its words are not a price label. */
export function isHeading(line: VisibleLine | undefined): boolean {
  if (line === undefined || line.at === 0 || (line.marks & MARK.strong) === 0) return false;
  return !/\d/.test(line.text) && !isLabelAbove(line.text) && isOtherName(line.text);
}

const hasWords = ({ text }: VisibleLine, to: number): boolean =>
  /\p{L}{3}/u.test(text.slice(0, to));

/** Whether all words of a line up to `to` are in links. */
function isLinked(line: VisibleLine, to = line.text.length): boolean {
  const { text, pieces } = line;
  return (
    hasWords(line, to) &&
    pieces.every(({ from, marks }, index) => {
      const words = text.slice(from, Math.min(to, pieces[index + 1]?.from ?? to));
      return (marks & MARK.link) !== 0 || !/\p{L}{3}/u.test(words);
    })
  );
}
