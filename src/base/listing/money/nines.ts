// Recognizes amounts of nines, which shops use both as prices and as placeholders (D89). Pure.

import type { Listing } from '../listing.ts';

/**
 * Returns whether an amount in hundredths consists only of nines from 999 on, with decimals of nines or zeros: 999, 999.9,
 * 999.99, 9,999.00.
 */
export function isNines(cents: number): boolean {
  const part = cents % 100;
  if (cents < 99_900 || (part !== 0 && part !== 90 && part !== 99)) return false;
  // Arithmetic, because it runs for every price of a history.
  const next = (cents - part) / 100 + 1;
  let power = 1_000;
  while (power < next) power *= 10;
  return power === next;
}

/** Maximum relative distance of a list price or instalment total from a price that it supports. */
const SUPPORT = 0.1;

/**
 * Returns whether a page supports its own price of nines: its list price or instalment total is within a tenth of it. False for
 * every other price, which needs no support.
 */
export function isPriceBacked(
  listing: Pick<Listing, 'price' | 'listPrice' | 'instalmentTotal'>,
): boolean {
  const { price, listPrice, instalmentTotal } = listing;
  if (price === null || !isNines(price.cents)) return false;
  return [listPrice, instalmentTotal ?? null].some(
    (stated) =>
      stated !== null &&
      stated.currency === price.currency &&
      Math.abs(stated.cents - price.cents) <= price.cents * SUPPORT,
  );
}
