// The toman, in which shops in Iran state their prices. It is ten rials and has no code of ISO 4217, so amounts in it are
// converted to rials.

/** What shop systems write for the toman in place of a code. It never leaves the readers of money. */
export const TOMAN = 'IRT';
const RIAL = 'IRR';
const RIALS = 10;

type Amount = { readonly cents: number; readonly currency: string | null };

/** Converts an amount in tomans to rials; any other amount stays as it is. */
export function inRials<T extends Amount>(money: T): T {
  if (money.currency !== TOMAN) return money;
  const cents = money.cents * RIALS;
  return Number.isSafeInteger(cents)
    ? { ...money, cents, currency: RIAL }
    : { ...money, currency: null };
}
