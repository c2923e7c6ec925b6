// Amounts as integers in the minor unit of their currency (D87): written as decimal numbers, read from decimal digits, and
// labelled with a currency that is only known later. Pure.

import { MINOR_DIGITS } from './currencies.ts';

/** An amount of money. `cents` are in the minor unit of `currency`: yen, hundredths of a dollar, thousandths of a dinar (D87). */
export type Money = {
  readonly cents: number;
  /** ISO 4217; null if the page states none: unknown does not mean USD (D26). The amount is then in hundredths. */
  readonly currency: string | null;
  /**
   * The same amount in ten-thousandths, if no currency is known yet and hundredths do not express it: the currency may turn
   * out to have more decimals. Readers use it, nothing stores it.
   */
  readonly finer?: number;
};

/** Decimals of an amount in an unknown currency. */
const USUAL = 2;
/** Decimals of `finer`: no currency has more. */
const FINEST = 4;
/** Fifteen digits: every such amount is exact as a decimal number too, on the wire and in files. */
const MOST_UNITS = 999_999_999_999_999;
const POWERS = [1, 10, 100, 1_000, 10_000] as const;

/** Returns the number of decimals of a currency by ISO 4217; two for an unknown one. */
export function decimalsOf(currency: string | null): number {
  return currency === null ? USUAL : (MINOR_DIGITS.get(currency) ?? USUAL);
}

const isAmount = (units: number): boolean => units > 0 && units <= MOST_UNITS;

const powerOf = (decimals: number): number => POWERS[decimals] ?? 1;

/** Returns an amount as a number in whole units, such as 1980 yen or 4.567 dinars; equal amounts give equal numbers. */
export function amountOf({ cents, currency }: Money): number {
  // Two integers are divided, so the result is the number nearest to the decimal text.
  return cents / powerOf(decimalsOf(currency));
}

/** Writes an amount with exactly the decimals of its currency, without a floating-point step: `1980`, `19.90`, `4.567`. */
export function decimalText({ cents, currency }: Money): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(cents);
  const digits = String(cents).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Returns decimal digits in units of so many decimals, rounded half up on the digits themselves; null for zero and for an amount
 * that is too large to be exact.
 */
function unitsOf(integer: string, fraction: string, decimals: number): number | null {
  const units = Number(`${integer}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  const rounded = units + ((fraction[decimals] ?? '0') >= '5' ? 1 : 0);
  return isAmount(rounded) ? rounded : null;
}

/** Returns the money that decimal digits state in a currency; null for zero and for an amount that is too large. */
export function moneyOfDigits(
  integer: string,
  fraction: string,
  currency: string | null,
): Money | null {
  const cents = unitsOf(integer, fraction, decimalsOf(currency));
  if (cents === null) return null;
  const isWhole = currency !== null || fraction.length <= USUAL || /^\d\d0*$/.test(fraction);
  const finer = isWhole ? null : unitsOf(integer, fraction, FINEST);
  return finer === null ? { cents, currency } : { cents, currency, finer };
}

/** Converts units of `from` decimals to units of `to` decimals, rounded half up; null if nothing remains, or too much. */
export function rescaledUnits(units: number, from: number, to: number): number | null {
  if (from === to || units === 0) return units;
  const power = powerOf(Math.abs(to - from));
  const scaled = to > from ? units * power : Math.floor((units + power / 2) / power);
  return isAmount(scaled) ? scaled : null;
}

/**
 * Returns the same amount labelled with another currency, or with none: nothing is converted but the unit in which it is
 * counted. Null if less than half of its smallest unit remains, because zero is not a price (D26).
 */
export function inCurrency(money: Money, currency: string | null): Money | null {
  if (money.currency === currency) return money;
  const { cents, finer } = money;
  const to = decimalsOf(currency);
  const units =
    finer === undefined
      ? rescaledUnits(cents, decimalsOf(money.currency), to)
      : rescaledUnits(finer, FINEST, to);
  return units === null ? null : { cents: units, currency };
}

/**
 * Returns an amount that is counted in hundredths in every currency, as in many programs and in everything stored before
 * D87. Null if nothing remains of it in the currency's unit.
 */
export function ofHundredths(hundredths: number, currency: string | null): Money | null {
  return inCurrency({ cents: hundredths, currency: null }, currency);
}

/** Checks whether two amounts are equal as far as the currency of both, or of the only one that has one, can tell. */
export function isSameAmount(a: Money, b: Money): boolean {
  if (a.currency === b.currency) return a.cents === b.cents;
  if (a.currency === null) return inCurrency(a, b.currency)?.cents === b.cents;
  if (b.currency === null) return inCurrency(b, a.currency)?.cents === a.cents;
  return amountOf(a) === amountOf(b);
}
