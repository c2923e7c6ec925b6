// Recognizes pages that show a heading, a price and a button to buy but do not sell goods. They sell a domain name, a place at an
// event on a day and at an hour, a gift card of the shop, or something that is paid by the month. The signs are the heading and
// the text between it and the button.

import { amountLine, placedAmounts } from '../../../base/listing/money/money.ts';
import { compile, oneOf, wholeText } from '../../../base/listing/words/all-languages.ts';
import { lowerWords } from '../page-names.ts';
import { isPaidByTime, isRate as isAskedByMeasure, isTimeLabel } from './amounts/charge-words.ts';
import { withoutPriceWords } from './amounts/price-labels.ts';
import type { VisibleAmount } from './amounts/visible-amounts.ts';
import type { VisibleLine } from './lines/visible-lines.ts';
import { isBuyingPlace } from './lines/visible-buttons.ts';
import type { VisiblePage } from './visible-page.ts';
import { MARK } from './lines/visible-marks.ts';

/** A name of a host and nothing else. */
const HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,3}\p{L}{2,24}$/u;
const DOMAIN = compile('domain');

const WEEKDAY = oneOf('weekday');
const MONTH = oneOf('month');
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?';
/** A day by the name of its weekday or its month. */
const NAMED_DAY =
  `${WEEKDAY}(?!\\p{L})\\.?,?\\s+(?:(?:the|den|der|le|el|il)\\s+)?(?:${DAY}|${MONTH}(?!\\p{L}))|` +
  `${DAY}\\s+(?:de\\s+)?${MONTH}(?!\\p{L})|${MONTH}(?!\\p{L})\\.?\\s+${DAY}(?!\\d)`;
const HOUR =
  '(?<![\\d.,:])(?:[01]?\\d|2[0-3])(?:[:.h][0-5]\\d(?![\\d.])|\\s?(?:uhr|[ap]\\.?m\\.?)(?!\\p{L}))';
/** A line that begins with a day, after a word or two at most, and names an hour: "Course on Sat, 12 Dec, 7pm". */
const TAKES_PLACE = new RegExp(
  `^(?!${oneOf('until')}(?!\\p{L}))(?:\\p{L}+\\s){0,2}?(?:${NAMED_DAY}).{0,40}?${HOUR}`,
  'iu',
);
/** Words that give a day another meaning: the end of an order period, a delivery, a release, how long a price holds. */
const OF_GOODS = compile('ofGoods');

/** Longest line that says when something takes place. */
const LONGEST = 120;

/** Headings that consist of a name for a gift card or voucher, whose amount the visitor chooses, in the languages of shops. */
const GIFT_MONEY = compile(
  'giftMoney',
  (words) => `^(?:(?:our|unser|der|ein|e|digitale?|online|the|la|le|el|il) )?${words}(?: \\d.*)?$`,
);

/** How far after the button the price of a plan or a ticket may stand, in characters shown. */
const AFTER_BUTTON = 200;

/** Labels that consist of a word for a ticket, in the languages of shops. */
const TICKETS = compile('ticket', wholeText);

/** Labels that consist of a word for adults. With a label for other visitors, they are the prices of an entrance. */
const ADULTS = compile('adults', wholeText);
const OTHERS = compile('otherVisitors', wholeText);

/** The label of an amount without the words for a price. */
const nameOf = ({ label }: VisibleAmount): string =>
  withoutPriceWords(label)
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

/** Whether amounts are called those of tickets ("Tickets from £25"), or are asked of adults and of others. */
function areOfTickets(amounts: readonly VisibleAmount[]): boolean {
  const names = amounts
    .filter(({ label, marks }) => label !== '' && (marks & MARK.aside) === 0)
    .map(nameOf);
  if (names.some((name) => TICKETS.test(name))) return true;
  return names.some((name) => ADULTS.test(name)) && names.some((name) => OTHERS.test(name));
}

/** Whether the thing that a page sells is not goods. */
export function isNoGoods({ heading, amounts, part: { lines, buttons } }: VisiblePage): boolean {
  if (GIFT_MONEY.test(lowerWords(heading).join(' '))) return true;
  const button = buttons.find(isBuyingPlace)?.at ?? 0;
  const asked = amounts.filter(({ at }) => at > 0 && at < button + AFTER_BUTTON);
  if (areOfTickets(asked)) return true;
  const between = lines.filter(
    ({ at, marks }) => at > 0 && at < button && (marks & MARK.aside) === 0,
  );
  if (HOST.test(heading)) return between.some(({ text }) => DOMAIN.test(text));
  return between.some(
    ({ text }) =>
      text.length <= LONGEST &&
      /\d/.test(text) &&
      TAKES_PLACE.test(text.trim()) &&
      !OF_GOODS.test(text),
  );
}

/**
 * Whether the first amount of a line is paid again and again, and whether it is called nothing else: "$3.59/mo", or "14,99 €" above
 * "monatlich"; null for a line without an amount.
 */
function paidByTime(
  { text, marks }: VisibleLine,
  below: VisibleLine | undefined,
): { readonly isByTime: boolean; readonly isBare: boolean } | null {
  if (text.length > LONGEST || !/\d/.test(text) || (marks & MARK.aside) !== 0) return null;
  const line = amountLine(text);
  const [first] = placedAmounts(line, { isCharge: true });
  if (first?.isMarked !== true) return null;
  const after = line.slice(first.end);
  const before = line.slice(0, first.start);
  const isCalled = isTimeLabel(before);
  return {
    isByTime: isCalled || isPaidByTime(after.trim() === '' ? (below?.text ?? '') : after),
    isBare: isCalled || !/\p{L}/u.test(before),
  };
}

type Paid = { readonly at: number; readonly isByTime: boolean; readonly isBare: boolean };

/** The amounts between the heading and some way after the button. */
function paidIn({ part: { lines, buttons } }: VisiblePage): readonly Paid[] {
  const button = buttons.find(isBuyingPlace)?.at;
  if (button === undefined) return [];
  return lines.flatMap((line, index) => {
    if (line.at <= 0 || line.at >= button + AFTER_BUTTON) return [];
    const paid = paidByTime(line, lines[index + 1]);
    return paid === null ? [] : [{ at: line.at, ...paid }];
  });
}

const isRate = ({ isByTime, isBare }: Paid): boolean => isByTime && isBare;

/** Whether every amount that a page asks is paid repeatedly: for a plan, a subscription or a rent. */
export function isOnlyByTime(page: VisiblePage): boolean {
  const asked = paidIn(page);
  return asked.every(({ isByTime }) => isByTime) && asked.some(isRate);
}

/** Whether what is paid by time stands before `at`: an amount by another name than a price after it is a deposit or a fee. */
export function isAfterRate(page: VisiblePage, at: number): boolean {
  return paidIn(page).some((paid) => paid.at < at && isRate(paid));
}

/**
 * Whether a higher amount by weight, volume, length or area stands between the heading and an amount: one by another name than a
 * price is a sample or a service then.
 */
export function isBelowMeasure({ part: { lines } }: VisiblePage, amount: VisibleAmount): boolean {
  return lines.some(({ text, at, marks }) => {
    if (at <= 0 || at >= amount.at || text.length > LONGEST || (marks & MARK.aside) !== 0)
      return false;
    const line = amountLine(text);
    return placedAmounts(line, { isCharge: true }).some(
      ({ cents, end, isMarked }) =>
        isMarked && cents > amount.money.cents && isAskedByMeasure(line.slice(end), false),
    );
  });
}
