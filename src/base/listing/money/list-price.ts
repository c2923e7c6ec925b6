// Selects an offer's list price from the stated amounts: the former, struck-through or recommended price next to its price.

import { amountOf, inCurrency, isSameAmount, type Money } from './minor-units.ts';
import { isMoneyOfNines } from './nines.ts';

/** Returns whether two amounts may have the same currency: an amount without a stated currency may have any. */
export function mayBeOneCurrency(a: Money, b: Money): boolean {
  return a.currency === null || b.currency === null || a.currency === b.currency;
}

/**
 * Returns the first amount above the price that may have its currency; null if there is none, or no price. An amount not above
 * the price is left over from an earlier sale, or belongs to something else. One that equals a price of nines supports it
 * (D89).
 */
export function listPriceOf(price: Money | null, stated: readonly (Money | null)[]): Money | null {
  if (price === null) return null;
  const found = stated.find(
    (money) => money !== null && isAbove(money, price) && mayBeOneCurrency(money, price),
  );
  return found ? inCurrency(found, price.currency ?? found.currency) : null;
}

function isAbove(money: Money, price: Money): boolean {
  return amountOf(money) > amountOf(price) || (isSameAmount(money, price) && isMoneyOfNines(money));
}

/**
 * Same for amounts that the retailer itself labels as a list price. They count even if the price is only shown in the cart,
 * because a manufacturer may forbid advertising it. An amount that is merely higher or older cannot be judged without the
 * price.
 */
export function namedListPriceOf(
  price: Money | null,
  stated: readonly (Money | null)[],
): Money | null {
  return price === null
    ? (stated.find((money) => money !== null) ?? null)
    : listPriceOf(price, stated);
}
