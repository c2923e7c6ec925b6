// Recognizes amounts of nines, which shops use both as prices and as placeholders (D89). Pure.

import type { Listing } from '../listing.ts';
import { decimalsOf, type Money } from './minor-units.ts';

/**
 * Returns whether an amount in units of so many decimals consists only of nines from 999 on, with decimals of nines or zeros:
 * 999, 999.9, 999.99, 9,999.00.
 */
export function isNines(units: number, decimals = 2): boolean {
  const whole = 10 ** decimals;
  const part = units % whole;
  if (units < 999 * whole || !isPartOfNines(part, whole)) return false;
  // Arithmetic, because it runs for every price of a history.
  const next = (units - part) / whole + 1;
  let power = 1_000;
  while (power < next) power *= 10;
  return power === next;
}

/** Returns whether decimals are nines followed by zeros: of hundredths 0, 90 or 99. */
function isPartOfNines(part: number, whole: number): boolean {
  if (part === 0) return true;
  for (let rest = whole / 10; rest >= 1; rest /= 10) if (part === whole - rest) return true;
  return false;
}

/** Returns whether an amount of money consists only of nines. */
export function isMoneyOfNines({ cents, currency }: Money): boolean {
  return isNines(cents, decimalsOf(currency));
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
  if (price === null || !isMoneyOfNines(price)) return false;
  return [listPrice, instalmentTotal ?? null].some(
    (stated) =>
      stated !== null &&
      stated.currency === price.currency &&
      Math.abs(stated.cents - price.cents) <= price.cents * SUPPORT,
  );
}
