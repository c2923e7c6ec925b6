// Reads values of shops' state objects and APIs at a path, converted to listing types: lines of text, counts, charges,
// money, days, addresses. Every function accepts any value and returns null when it cannot interpret it.

import type { Spec } from '../../../base/listing/listing.ts';
import { currencyOf, readAmount, readMoney, readValue } from '../../../base/listing/money/money.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import { cleanText, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import { at, listAt, numberAt, textAt } from './json-path.ts';
import { absoluteUrl } from '../page-address.ts';
import { DESCRIPTION_LENGTH, TITLE_LENGTH, URL_LENGTH } from '../schema-org/schema-values.ts';

const SPEC_LIMIT = 200;
/** Larger counts are considered implausible. */
const COUNT_LIMIT = 1_000_000_000;

/** Returns a string or number as one clean line; null for blank strings and everything else. */
export function lineAt(value: unknown, path = '', max = TITLE_LENGTH): string | null {
  const text = textAt(value, path);
  if (text === null) return null;
  const line = /<\/?[a-z][^<>]*>/i.test(text.slice(0, max * 2))
    ? plainTextOfHtml(text, max)
    : cleanText(text, max);
  return line === '' ? null : line;
}

/** Returns the readable text of a piece of HTML, at most `max` UTF-16 units. */
export function proseAt(value: unknown, path = '', max = DESCRIPTION_LENGTH): string | null {
  const text = at(value, path);
  return typeof text === 'string' ? plainTextOfHtml(text, max) || null : null;
}

/** Returns the line at the first path that has one. */
export function firstLineAt(value: unknown, paths: readonly string[]): string | null {
  for (const path of paths) {
    const line = lineAt(value, path);
    if (line !== null) return line;
  }
  return null;
}

/** Returns a whole number of at least 0; strings may contain thousands separators ("4,495"). */
export function countAt(value: unknown, path = ''): number | null {
  const found = at(value, path);
  const text = typeof found === 'string' ? found.trim().slice(0, 30) : null;
  const number =
    text !== null && /^\d{1,3}(?:,\d{3})+$/.test(text)
      ? Number(text.replaceAll(',', ''))
      : numberAt(found);
  if (number === null || !Number.isInteger(number)) return null;
  return number >= 0 && number <= COUNT_LIMIT ? number : null;
}

/** Returns a star rating above 0 and up to 5. Shops write zero for "no reviews yet". */
export function starsAt(value: unknown, path = ''): number | null {
  const stars = numberAt(value, path);
  return stars !== null && stars > 0 && stars <= 5 ? stars : null;
}

/** Returns a charge in hundredths. Unlike a price, a charge may be zero ("0", 0, "$0.00", "FREE"). */
export function costAt(value: unknown, path = ''): number | null {
  const found = at(value, path);
  if (found === 0) return 0;
  if (typeof found === 'string' && /^\s*(?:free|\$?\s?0(?:\.0{1,2})?)\s*$/i.test(found)) return 0;
  return typeof found === 'number' || typeof found === 'string'
    ? readAmount(found, { isCharge: true })
    : null;
}

/**
 * Reads money in the shapes shops use: a number, a string ("$24.50"), or an object with `price`, `priceString` and
 * `currencyUnit`. `currency` applies when the value states none, and may be null.
 */
export function moneyAt(value: unknown, path: string, currency: string | null): Money | null {
  const found = at(value, path);
  if (typeof found === 'number') return readValue(found, currency);
  if (typeof found === 'string') {
    const money = readValue(found, currency);
    if (money === null) return null;
    return /^[\d.,\s]+$/.test(found) ? money : readMoney(found, { currency });
  }
  if (typeof found !== 'object' || found === null) return null;
  const unit = textAt(found, 'currencyUnit') ?? textAt(found, 'currency');
  const own = unit === null ? currency : currencyOf(unit.slice(0, 20), currency);
  const bare = at(found, 'price');
  if (typeof bare === 'number' || typeof bare === 'string') {
    const price = moneyAt(bare, '', own);
    if (price !== null) return price;
  }
  const shown = at(found, 'priceString');
  return typeof shown === 'string' ? moneyAt(shown, '', own) : null;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= 1990 && year < 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  );
}

function dayText(year: number, month: number, day: number): string | null {
  if (!isDay(year, month, day)) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/**
 * Returns the day of a timestamp or date in the time zone it is written in: ISO 8601, the American `2/15/2023`, or
 * milliseconds since 1970 (UTC).
 */
export function dayAt(value: unknown, path = ''): string | null {
  const found = at(value, path);
  if (typeof found === 'number') {
    if (!(found >= 631_152_000_000 && found < 4_102_444_800_000)) return null;
    return new Date(found).toISOString().slice(0, 10);
  }
  if (typeof found !== 'string') return null;
  const text = found.trim().slice(0, 40);
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(text);
  if (iso !== null) return dayText(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:$|\s)/.exec(text);
  if (american === null) return null;
  return dayText(Number(american[3]), Number(american[1]), Number(american[2]));
}

/** Returns an http(s) address; relative ones are resolved against `base`. */
export function addressAt(value: unknown, path = '', base: URL | null = null): string | null {
  const found = at(value, path);
  if (typeof found !== 'string') return null;
  const url = absoluteUrl(found, base);
  return url !== null && url.href.length <= URL_LENGTH ? url.href : null;
}

/** Returns objects with `name` and `value` as specifications, one per name. */
export function specsAt(value: unknown, path = ''): readonly Spec[] {
  const specs = new Map<string, Spec>();
  for (const entry of listAt(value, path)) {
    const name = lineAt(entry, 'name', 200);
    const text = lineAt(entry, 'value', 2000);
    if (name === null || text === null || specs.has(name) || specs.size >= SPEC_LIMIT) continue;
    specs.set(name, { name, value: text });
  }
  return [...specs.values()];
}

/** Returns review counts, ordered from one star up, as a record with the keys "1" to "5"; null when none is known. */
export function starCounts(counts: readonly (number | null)[]): Record<string, number> | null {
  if (counts.every((count) => count === null)) return null;
  const stars: Record<string, number> = {};
  for (const star of [5, 4, 3, 2, 1]) stars[String(star)] = counts[star - 1] ?? 0;
  return stars;
}
