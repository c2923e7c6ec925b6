// Chooses the list price of an offer among the stated amounts: the former, struck-through or recommended price next to its price.

import type { Money } from './money.ts';
import { isNines } from './nines.ts';

/** Whether two amounts may be in one currency: an amount without a stated currency may be in any. */
export function mayBeOneCurrency(a: Money, b: Money): boolean {
  return a.currency === null || b.currency === null || a.currency === b.currency;
}

/**
 * The first amount above the price that may be in its currency; null when there is none, or no price. An amount that is not above
 * the price is left over from an earlier sale, or belongs to something else. One that equals a price of nines supports it (D89).
 */
export function listPriceOf(price: Money | null, stated: readonly (Money | null)[]): Money | null {
  if (price === null) return null;
  const found = stated.find(
    (money) => money !== null && isAbove(money, price) && mayBeOneCurrency(money, price),
  );
  return found ? { cents: found.cents, currency: price.currency ?? found.currency } : null;
}

function isAbove({ cents }: Money, price: Money): boolean {
  return cents > price.cents || (cents === price.cents && isNines(cents));
}

/**
 * The same for amounts that the retailer itself calls a list price. They count even if the price is shown in the cart only,
 * because a maker may forbid to advertise it. An amount that is merely higher or older cannot be judged without the price.
 */
export function namedListPriceOf(
  price: Money | null,
  stated: readonly (Money | null)[],
): Money | null {
  return price === null
    ? (stated.find((money) => money !== null) ?? null)
    : listPriceOf(price, stated);
}
