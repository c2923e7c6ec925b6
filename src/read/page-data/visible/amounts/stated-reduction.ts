// Checks whether a page states how much a price was reduced when nothing strikes the higher amount through or calls it the
// former one, and whether words next to the lower amount restrict it to some buyers. docs/how/reading.md explains the rules.

import { compile } from '../../../../base/listing/words/all-languages.ts';
import { amountOf, decimalText, isSameAmount } from '../../../../base/listing/money/minor-units.ts';
import { isOtherName, withoutPriceWords } from './price-labels.ts';
import { REDUCTION, SIGN, untaxed } from './tax-words.ts';
import type { VisibleAmount } from './visible-amounts.ts';
import type { VisibleLine, VisiblePart } from '../lines/visible-lines.ts';

/** Returns the lines around two amounts, which may state a reduction: "-50 %", "Save $20". */
function savingsNear({ lines }: VisiblePart, a: VisibleAmount, b: VisibleAmount): string {
  const from = Math.max(0, Math.min(a.line, b.line) - 4);
  return lines
    .slice(from, Math.max(a.line, b.line) + 6)
    .map(({ text }) => text)
    .join(' | ')
    .slice(0, 1200);
}

/** Whether the page states the reduction from `higher` to `lower`: the percentage or the difference is displayed. */
export function isStatedReduction(
  part: VisiblePart,
  lower: VisibleAmount,
  higher: VisibleAmount,
): boolean {
  const text = savingsNear(part, lower, higher);
  const percent = (1 - amountOf(lower.money) / amountOf(higher.money)) * 100;
  for (const [, before, after] of text.matchAll(REDUCTION)) {
    if (Math.abs(Number(before ?? after) - percent) <= 1.01) return true;
  }
  const { currency } = higher.money;
  const difference = { cents: higher.money.cents - lower.money.cents, currency };
  const [whole = '', minor = ''] = decimalText(difference).split('.');
  const written = minor === '' ? [] : [`${whole}.${minor}`, `${whole},${minor}`];
  if (/^0*$/.test(minor) && amountOf(difference) >= 5) written.push(whole);
  return written.some((amount) => isCalledSaving(text, amount));
}

const SAVING = compile('saving', (words) => `${words}|-\\s?\\p{Sc}?\\s?$`);

/** Whether an amount occurs in a text next to words for a saving. */
function isCalledSaving(text: string, amount: string): boolean {
  for (let at = text.indexOf(amount); at >= 0; at = text.indexOf(amount, at + 1)) {
    const end = at + amount.length;
    const isAlone = !/[\d.,]/.test(text[at - 1] ?? ' ') && !/^[.,]?\d/.test(text.slice(end));
    if (isAlone && SAVING.test(text.slice(Math.max(0, at - 40), end + 12))) return true;
  }
  return false;
}

/** Words for a saving, including their inflected endings. */
const SAVING_WORDS = new RegExp(`(?:${SAVING.source})\\p{L}*`, 'giu');

/** A single word after a percentage: "15 % de réduction", "15% taniej", "%15 indirim". */
const AFTER_PERCENT = /(?<=[%٪](?:\s?\d{1,2})?)(?:\s(?:de|di))?[\s-]+\p{L}+[\s)\]]*$/u;
/** A percentage with up to two short words before it: "up to 10 %", "Bis zu 15 %", "%10". */
const SAID_PERCENT =
  /(?<!\p{L})(?:\p{L}{1,6}['’\s]+){0,2}[-–−]?\s?(?:\d{1,2}(?:[.,]\d{1,2})?\s?[%٪]|[%٪]\s?\d{1,2}(?!\d))/gu;

/** Whether words say something other than a price and its reduction. */
export function hasOtherWords(text: string): boolean {
  const words = withoutPriceWords(text.replace(AFTER_PERCENT, ''))
    .replaceAll(SAVING_WORDS, ' ')
    .replaceAll(SAID_PERCENT, ' ');
  // "Buy 2, save 15 %" is not an amount.
  const bare = untaxed(words).replaceAll(/(?<![\d.,])\d(?![.,]?\d)/g, ' ');
  return !(/\d/.test(bare) && SIGN.test(bare)) && isOtherName(bare);
}

/** Whether a line without an amount has such words. */
const saysOtherwise = (line: VisibleLine | undefined): boolean =>
  line !== undefined && line.at !== 0 && /\p{L}{2}/u.test(line.text) && hasOtherWords(line.text);

/** Whether a line has a percentage. */
const hasPercent = (line: VisibleLine | undefined): boolean =>
  (line?.text ?? '').search(REDUCTION) >= 0;

/**
 * Whether words on a separate line name the lower of two amounts: between the two, before a colon, or with the percentage above
 * or below it. It may apply to subscribers, code holders or used items.
 */
export function isCalledBetween(
  { lines }: VisiblePart,
  lower: VisibleAmount,
  higher: VisibleAmount,
): boolean {
  const above = lines[lower.line - 1];
  const below = lines[lower.line + 1];
  const isBetween =
    higher.line < lower.line - 1 || hasPercent(above) || /[:：]\s*$/.test(above?.text ?? '');
  return (isBetween && saysOtherwise(above)) || (hasPercent(below) && saysOtherwise(below));
}

/** Whether any words name an amount or are on the line above it, there or at another occurrence of the same sum. */
export function isNamedAnywhere(
  { lines }: VisiblePart,
  amounts: readonly VisibleAmount[],
  lower: VisibleAmount['money'],
): boolean {
  return amounts.some(
    ({ money, line, isNamedOtherwise, isNotedOtherwise }) =>
      isSameAmount(money, lower) &&
      (isNamedOtherwise ||
        isNotedOtherwise ||
        saysOtherwise(lines[line - 1]) ||
        (hasPercent(lines[line + 1]) && saysOtherwise(lines[line + 1]))),
  );
}

/**
 * Whether a struck-through amount is on the line of a lower one, after words that do not name a former price: "Subscribers
 * <s>$60</s> $51".
 */
export const isStruckForSome = (struck: VisibleAmount, lower: VisibleAmount): boolean =>
  struck.isFormer &&
  !struck.isFormerLabelled &&
  struck.line === lower.line &&
  struck.at < lower.at &&
  hasOtherWords(struck.label);
