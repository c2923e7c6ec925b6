// "Wed, Jan 7", "Jan 15 - Jan 16": the day that a page means when it names no year. Needs to know when the page
// was fetched; a saved page whose time is not known has no such day. Words like "tomorrow" are none either:
// the page's day is not ours.

import { DAY_MS } from '../core/clock.ts';
import type { Day } from '../core/clock.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH_DAY = new RegExp(
  '(?:^|[^\\p{L}])(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
    'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?\\s{1,3}(\\d{1,2})(?!\\d|:)',
  'iu',
);

/** A delivery lies ahead; a page may be a day old where it was made. */
const BEHIND_MS = 2 * DAY_MS;

/** The first day that a text of a page names by month and number, next to the moment it was fetched. */
export function nearDay(text: string, fetchedAtMs: number): Day | null {
  const match = MONTH_DAY.exec(text.slice(0, 300));
  if (match === null || fetchedAtMs <= 0) return null;
  const month = MONTHS.indexOf((match[1] ?? '').slice(0, 3).toLowerCase());
  const number = Number(match[2]);
  const year = new Date(fetchedAtMs).getUTCFullYear();
  for (const candidate of [year, year + 1]) {
    const atMs = Date.UTC(candidate, month, number);
    // The 30th of February is another day than it says.
    if (new Date(atMs).getUTCDate() !== number) continue;
    if (atMs >= fetchedAtMs - BEHIND_MS) return new Date(atMs).toISOString().slice(0, 10);
  }
  return null;
}
