// Adds up the instalments that a page offers: "4 interest-free payments of $249.75", "$83.25/mo for 12 months", "12 x $83.25".
// Dollars only: they support a price of nines (D89), and only prices in dollars are judged. Linear.

import type { Money } from './minor-units.ts';

const AMOUNT = String.raw`(?:USD|US\s?\$|\$)\s?(\d{1,3}(?:,\d{3})+|\d{1,7})(\.\d{2})?(?![\d,.]*\d)`;
const PAYMENTS = '(?:payments?|instal?lments?)';
const KINDS =
  '(?:(?:easy|equal|simple|interest[- ]free|0%|monthly|weekly|bi-?weekly|fortnightly)[, ]{1,2}){0,3}';
const MONTHS = '(?:mos?|mths?|months?|wks?|weeks?)';

/** The most characters of a page that are read: a longer page would exceed a reader's time. */
const MOST_TEXT = 1_000_000;

/** The number of instalments comes first: "4 payments of $249.75", "12 x $83.25". */
const COUNT_FIRST = new RegExp(
  String.raw`(?<![\d.,$])(\d{1,2})(?: ${KINDS}${PAYMENTS}(?: of| at|:)?| ?[x×](?: of)?) ?(?:only |just )?${AMOUNT}`,
  'giu',
);
/** The amount comes first: "$83.25/mo for 12 months", "$83.25 x 12", "$83.25 a month (12 mo.)". */
const AMOUNT_FIRST = new RegExp(
  String.raw`${AMOUNT} ?(?:(?:\/ ?|per |an? )?(?:${MONTHS}|monthly|weekly)\b\.?)?` +
    String.raw`(?: ?(?:for|over|in|[(,·]) ?(\d{1,2})[ -]?${KINDS}(?:${MONTHS}\b|${PAYMENTS})| ?[x×] ?(\d{1,2})(?![\d.,]))`,
  'giu',
);

/**
 * Returns the instalment total in a page's text (may contain tags) that is closest to a price in dollars; null if the page
 * offers no instalments.
 */
export function instalmentTotalOf(text: string, price: Money): Money | null {
  if (price.currency !== 'USD') return null;
  const plain = text
    .slice(0, MOST_TEXT)
    .replaceAll(/<[^<>]{0,2000}>|&nbsp;|\s+/gu, ' ')
    .replaceAll(/ {2,}/gu, ' ');
  const totals = [
    ...plain.matchAll(COUNT_FIRST).map(([, count, whole, part]) => totalOf(count, whole, part)),
    ...plain
      .matchAll(AMOUNT_FIRST)
      .map(([, whole, part, times, crosses]) => totalOf(times ?? crosses, whole, part)),
  ].filter((cents) => cents > 0);
  const away = (cents: number): number => Math.abs(cents - price.cents);
  const [nearest] = totals.toSorted((a, b) => away(a) - away(b) || a - b);
  return nearest === undefined ? null : { cents: nearest, currency: 'USD' };
}

/** In cents; zero if it is not a series of instalments. */
function totalOf(count = '', whole = '', part = '.00'): number {
  const times = Number(count);
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.slice(1));
  return times < 2 ? 0 : times * cents;
}
