// Amounts as people write them, in a parameter or an option, and as answers show them. They are separate from the schemas,
// because every command reads options, and a lookup is answered before the schemas are loaded.

import { dollars } from '../../base/dollars.ts';

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

/** Converts cents to dollars, as on the wire. */
export function usdOf(cents: number | null): number | null {
  return cents === null ? null : dollars(cents);
}
