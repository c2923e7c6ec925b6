// Prices at an instant: a regular level that drifts over weeks, sales by day, and for every third seller small hourly
// changes. A function of seed, key and instant alone.

import { DAY_MS, HOUR_MS } from '../../src/base/clock.ts';
import { chance, chanceBetween } from '../chance.ts';

type Key = readonly (string | number)[];

type Price = {
  readonly cents: number;
  /** The regular price during a sale. */
  readonly wasCents: number | null;
};

/** Returns the price of the item that `key` identifies, around `baseCents`. Constant within an hour. */
export function priceAt(seed: number, key: Key, baseCents: number, atMs: number): Price {
  const day = Math.floor(atMs / DAY_MS);
  const level = 0.92 + 0.16 * chance(seed, [...key, 'level', Math.floor(day / 7)]);
  const regular = shelfCents(baseCents * level);
  const lively = chance(seed, [...key, 'lively']) < 1 / 3;
  const hour = Math.floor(atMs / HOUR_MS);
  const wobble = lively ? 0.98 + 0.04 * chance(seed, [...key, 'hour', hour]) : 1;
  const onSale = chance(seed, [...key, 'sale', day]) < 0.2;
  const off = onSale ? chanceBetween(seed, [...key, 'off', day], 10, 30) : 0;
  return {
    cents: shelfCents(regular * wobble * (1 - off / 100)),
    wasCents: onSale ? regular : null,
  };
}

/** Returns the nearest cents that end in 9, never below 99. */
export function shelfCents(cents: number): number {
  return Math.max(99, Math.round((cents - 9) / 10) * 10 + 9);
}

/** Returns whether the item that `key` identifies exists on the day of an instant; true on `share` (0 to 1) of all days. */
export function isThere(seed: number, key: Key, share: number, atMs: number): boolean {
  return chance(seed, [...key, Math.floor(atMs / DAY_MS)]) < share;
}
