// Amounts as people write them, in a parameter or an option, and as answers show them. They are separate from the schemas,
// because every command reads options, and a lookup is answered before the schemas are loaded.

import { USUAL_CURRENCY } from '../../base/listing/lens.ts';
import { amountOf, decimalsOf, type Money } from '../../base/listing/money/minor-units.ts';

const AMOUNT = /^(\d{1,7})(?:\.(\d{1,2}))?$/;
/** The largest amount. */
export const MOST = 1_000_000;
/** The allowed range, as a message for a person who wrote something else. */
export const AMOUNT_RULE = 'a number from 0 to 1000000 with at most two decimals, such as 12.50';

/** Parses an amount into hundredths; null if it is not an amount, or out of range. */
export function hundredthsOf(written: string): number | null {
  const [, whole, decimals = ''] = AMOUNT.exec(written) ?? [];
  if (whole === undefined) return null;
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return hundredths > MOST * 100 ? null : hundredths;
}

/** Converts minor units of a currency to the exact number on the wire. */
export function amountIn(cents: number, currency: string | null): number {
  return amountOf({ cents, currency });
}

/** Same, for an amount that may be missing. */
export function amountOrNull(cents: number | null, currency: string | null): number | null {
  return cents === null ? null : amountIn(cents, currency);
}

/** Converts with two more decimals than the currency has, because a piece may cost less than its smallest coin. */
export function fineAmountOf(cents: number, currency: string): number {
  return Math.round(cents * 100) / 10 ** (2 + decimalsOf(currency)) + 0;
}

/** Converts hundredths, as a person wrote them, to minor units of a currency. */
export function minorUnitsOf(written: number, currency: string): number {
  return Math.round(written * 10 ** (decimalsOf(currency) - 2));
}

/** Converts an amount on the wire to minor units of a currency. */
export function minorUnitsOfAmount(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOf(currency));
}

/** Converts cents to dollars, as on the wire. */
export function usdOf(cents: number | null): number | null {
  return amountOrNull(cents, 'USD');
}

/** Presents a price with its own currency. */
export function presentMoney({ cents, currency }: Money) {
  return { amount: amountIn(cents, currency), currency };
}

/** Returns the field that states an answer's currency, if that was requested (`isAsked`) or is not the usual one (D87). */
export function currencyField(currency: string, isAsked: boolean): { currency?: string } {
  return isAsked || currency !== USUAL_CURRENCY ? { currency } : {};
}
