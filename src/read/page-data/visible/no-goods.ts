// Recognizes pages that show a heading, a price and a buy button but sell no goods: a domain name, a place at an event on a
// certain day and hour, a gift card of the shop, or something paid by the month. The signs are the heading and the text between
// it and the button.

import { amountOf } from '../../../base/listing/money/minor-units.ts';
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

/** A bare host name. */
const HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,3}\p{L}{2,24}$/u;
const DOMAIN = compile('domain');

const WEEKDAY = oneOf('weekday');
const MONTH = oneOf('month');
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?';
/** A day given by its weekday or month name. */
const NAMED_DAY =
  `${WEEKDAY}(?!\\p{L})\\.?,?\\s+(?:(?:the|den|der|le|el|il)\\s+)?(?:${DAY}|${MONTH}(?!\\p{L}))|` +
  `${DAY}\\s+(?:de\\s+)?${MONTH}(?!\\p{L})|${MONTH}(?!\\p{L})\\.?\\s+${DAY}(?!\\d)`;
const HOUR =
  '(?<![\\d.,:])(?:[01]?\\d|2[0-3])(?:[:.h][0-5]\\d(?![\\d.])|\\s?(?:uhr|[ap]\\.?m\\.?)(?!\\p{L}))';
/** A line that starts with a day, after at most two words, and states a time: "Course on Sat, 12 Dec, 7pm". */
const TAKES_PLACE = new RegExp(
  `^(?!${oneOf('until')}(?!\\p{L}))(?:\\p{L}+\\s){0,2}?(?:${NAMED_DAY}).{0,40}?${HOUR}`,
  'iu',
);
/** Words that give a day another meaning: the end of an order period, a delivery, a release, how long a price is valid. */
const OF_GOODS = compile('ofGoods');

/** Maximum length of a line stating when something takes place. */
const LONGEST = 120;

/** Headings that are a name for a gift card or voucher with a freely chosen amount, in the languages of shops. */
const GIFT_MONEY = compile(
  'giftMoney',
  (words) => `^(?:(?:our|unser|der|ein|e|digitale?|online|the|la|le|el|il) )?${words}(?: \\d.*)?$`,
);

/** How far after the button the price of a plan or a ticket may be, in displayed characters. */
const AFTER_BUTTON = 200;

/** Labels that consist of a word for a ticket, in the languages of shops. */
const TICKETS = compile('ticket', wholeText);

/** Labels that consist of a word for adults. Together with a label for other visitors, they mark admission prices. */
const ADULTS = compile('adults', wholeText);
const OTHERS = compile('otherVisitors', wholeText);

/** Returns an amount's label without the words for a price. */
const nameOf = ({ label }: VisibleAmount): string =>
  withoutPriceWords(label)
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

/** Whether amounts are labelled as ticket prices ("Tickets from £25"), or as prices for adults and for others. */
function areOfTickets(amounts: readonly VisibleAmount[]): boolean {
  const names = amounts
    .filter(({ label, marks }) => label !== '' && (marks & MARK.aside) === 0)
    .map(nameOf);
  if (names.some((name) => TICKETS.test(name))) return true;
  return names.some((name) => ADULTS.test(name)) && names.some((name) => OTHERS.test(name));
}

/** Whether the page sells something other than goods. */
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
 * Whether the first amount of a line is recurring, and whether it has no other name: "$3.59/mo", or "14,99 €" above
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

/** Returns the amounts between the heading and a point shortly after the button. */
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

/** Whether every amount on a page is recurring: for a plan, a subscription or a rental. */
export function isOnlyByTime(page: VisiblePage): boolean {
  const asked = paidIn(page);
  return asked.every(({ isByTime }) => isByTime) && asked.some(isRate);
}

/**
 * Whether a recurring amount precedes `at`: an amount after it with a name other than a price is then a deposit or a fee.
 */
export function isAfterRate(page: VisiblePage, at: number): boolean {
  return paidIn(page).some((paid) => paid.at < at && isRate(paid));
}

/**
 * Whether a higher amount by weight, volume, length or area is between the heading and an amount: an amount with a name other
 * than a price is then a sample or a service.
 */
export function isBelowMeasure({ part: { lines } }: VisiblePage, amount: VisibleAmount): boolean {
  return lines.some(({ text, at, marks }) => {
    if (at <= 0 || at >= amount.at || text.length > LONGEST || (marks & MARK.aside) !== 0)
      return false;
    const line = amountLine(text);
    return placedAmounts(line, { isCharge: true }).some(
      (placed) =>
        placed.isMarked &&
        amountOf(placed) > amountOf(amount.money) &&
        isAskedByMeasure(line.slice(placed.end), false),
    );
  });
}
