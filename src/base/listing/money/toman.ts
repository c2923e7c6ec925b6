// The toman, in which shops in Iran state their prices. It is ten rials and has no ISO 4217 code, so amounts in it are
// converted to rials.

import type { Money } from './minor-units.ts';

/** The code that shop systems use for the toman. It is never exposed outside the money readers. */
export const TOMAN = 'IRT';
const RIAL = 'IRR';
const RIALS = 10;

/** Converts an amount in tomans to rials, both counted in hundredths; leaves other amounts unchanged. */
export function inRials<T extends Money>(money: T): T {
  if (money.currency !== TOMAN) return money;
  const cents = money.cents * RIALS;
  return Number.isSafeInteger(cents)
    ? { ...money, cents, currency: RIAL }
    : { ...money, currency: null };
}
