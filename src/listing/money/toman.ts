// The toman, in which shops in Iran state their prices: ten rials. It has no code of ISO 4217, so what is read in it is in rials.

/** What shop systems write for it in the place of a code. It never leaves the readers of money. */
export const TOMAN = 'IRT';
const RIAL = 'IRR';
const RIALS = 10;

type Amount = { readonly cents: number; readonly currency: string | null };

/** An amount that may be in tomans, in a currency that has a code. */
export function inRials<T extends Amount>(money: T): T {
  if (money.currency !== TOMAN) return money;
  const cents = money.cents * RIALS;
  return Number.isSafeInteger(cents)
    ? { ...money, cents, currency: RIAL }
    : { ...money, currency: null };
}
