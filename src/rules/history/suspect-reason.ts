// Why a price is suspect, based on its relation to its listing's level (D68). Slips and placeholders are errors no matter
// how often they are seen; a large price drop may be a deal. Pure.

import { DAY_MS } from '../../base/clock.ts';
import type { PriceLevel } from './price-level.ts';

/**
 * `above_level`: at least five times the listing's level. `hundredth`: a hundredth of it or less. `currency`: the ratio of
 * two currencies. `placeholder`: an amount of nines that stands for no price (nines.ts). `deep_fall`: between a hundredth and a
 * fifteenth, seen once.
 */
export const SUSPECT_REASONS = [
  'above_level',
  'hundredth',
  'currency',
  'placeholder',
  'deep_fall',
] as const;
export type SuspectReason = (typeof SUSPECT_REASONS)[number];

/** Four times the price is believed, as from a seller without competitors; so is a sale at a tenth of the price. */
export const TOO_HIGH = 5;
export const TOO_LOW = 1 / 15;
export const HUNDREDTH = 1 / 100;
/** A run of slips that lasts this long is the listing's new price. */
export const ACCEPTED_MS = 30 * DAY_MS;
/** The prices of a run differ by at most this factor. So does another retailer's price that supports it. */
export const ALIKE = 2;
/** A price this close to the last of a run belongs to it, even if it would be believed on its own. */
export const SAME = 1.1;
/**
 * A price that is too high must also be this many times the usual price: the end of a sale may be many times the sale price.
 */
export const ABOVE_USUAL = 2.5;
/** Below five, a currency ratio counts as one only from here on, where no seller's price is expected. */
export const LEAST_CURRENCY_RATIO = 4.2;

/** The reference values for a price. */
type Against = PriceLevel & {
  /** The preceding believed price, in cents. */
  readonly last: number;
  /** Days since that price was seen. */
  readonly days: number;
};

/** Returns why a price contradicts a level, as if nothing followed it; null if it does not. */
export function reasonAgainst(cents: number, against: Against): SuspectReason | null {
  const { recent, last, high } = against;
  if (cents >= ABOVE_USUAL * Math.max(recent, high, last)) {
    const ratio = cents / Math.max(recent, last);
    if (ratio >= LEAST_CURRENCY_RATIO && isCurrencyRatio(ratio)) return 'currency';
    if (ratio >= TOO_HIGH) return 'above_level';
  }
  if (cents <= HUNDREDTH * Math.min(recent, last)) {
    return isCurrencyRatio(last / cents) ? 'currency' : 'hundredth';
  }
  if (cents > TOO_LOW * Math.max(recent, last)) return null;
  return isHundredthOf(cents, last, against.days) ? 'hundredth' : 'deep_fall';
}

/** Typical daily price change without a sale. Over a week and more, prices change by no more than six times that. */
const DRIFT_A_DAY = 0.01;
const MOST_DRIFT_DAYS = 6;

/**
 * Returns whether a price is a hundredth of another that was seen this many days before or after it, rounded to the cent.
 * Within a day it must be exact; after that, prices may have changed in between.
 */
export function isHundredthOf(cents: number, other: number, days: number): boolean {
  const drift = DRIFT_A_DAY * Math.min(MOST_DRIFT_DAYS, Math.max(0, days - 1.5));
  return Math.abs(cents * 100 - other) <= 50 + other * drift;
}

/** How many units of a currency a dollar bought in recent years: minimum and maximum. */
const UNITS_OF_A_DOLLAR: readonly (readonly [code: string, least: number, most: number])[] = [
  ['MYR', 4.2, 4.8],
  ['RON', 4.2, 4.9],
  ['BRL', 4.8, 6.3],
  ['DKK', 6.2, 7.3],
  ['CNY', 6.9, 7.4],
  ['HKD', 7.7, 7.9],
  ['SEK', 9.1, 11.3],
  ['NOK', 9.8, 11.7],
  ['MXN', 16.3, 21],
  ['ZAR', 16.8, 19.6],
  ['CZK', 20.4, 25.5],
  ['TWD', 29, 33.5],
  ['THB', 31.4, 37.2],
  ['TRY', 28, 44],
  ['UAH', 36, 44],
  ['PHP', 55, 60],
  ['INR', 81, 91],
  ['RUB', 76, 115],
  ['JPY', 138, 163],
  ['HUF', 320, 410],
  ['CLP', 840, 1_020],
  ['KRW', 1_270, 1_490],
  ['COP', 3_650, 4_500],
  ['IDR', 14_800, 17_000],
  ['VND', 23_800, 26_800],
];

/** The decimal logarithm of a one percent increase. */
const ONE_PERCENT = 0.0043;

/**
 * Returns whether this multiple of the level is the dollar's rate in some currency: another country's page was then read as
 * ours.
 */
function isCurrencyRatio(ratio: number): boolean {
  // Powers of ten count as a lost or added decimal place, not as kronor or roubles.
  const tens = Math.log10(ratio);
  if (Math.abs(tens - Math.round(tens)) < ONE_PERCENT) return false;
  return UNITS_OF_A_DOLLAR.some(([, least, most]) => ratio >= least && ratio <= most);
}
