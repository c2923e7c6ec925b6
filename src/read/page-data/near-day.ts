// Resolves a day written without a year: "Wed, Jan 7", "Jan 15 - Jan 16". Requires the fetch time; a saved page of unknown
// time has no such day. Words like "tomorrow" are ignored, because a page may have been generated a day earlier or in
// another time zone.

import { DAY_MS } from '../../base/clock.ts';
import type { Day } from '../../base/clock.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH_DAY = new RegExp(
  '(?:^|[^\\p{L}])(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
    'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?\\s{1,3}(\\d{1,2})(?!\\d|:)',
  'iu',
);

/** A delivery is in the future, but the page may have been made a day earlier. */
const AFTER_MS = 2 * DAY_MS;

/** Returns the first month and day in a text as its next occurrence after the fetch (or up to two days before it). */
export function nearDay(text: string, fetchedAtMs: number): Day | null {
  const match = MONTH_DAY.exec(text.slice(0, 300));
  if (match === null || fetchedAtMs <= 0) return null;
  const month = MONTHS.indexOf((match[1] ?? '').slice(0, 3).toLowerCase());
  const number = Number(match[2]);
  const year = new Date(fetchedAtMs).getUTCFullYear();
  for (const candidate of [year, year + 1]) {
    const atMs = Date.UTC(candidate, month, number);
    // Skips impossible days: JavaScript turns 30 February into 1 or 2 March.
    if (new Date(atMs).getUTCDate() !== number) continue;
    if (atMs >= fetchedAtMs - AFTER_MS) return new Date(atMs).toISOString().slice(0, 10);
  }
  return null;
}
