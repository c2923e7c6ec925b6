// Which stated amount is the list price of an offer: the former, struck-through or recommended one beside its price.

import type { Money } from './money.ts';

/** Whether two amounts may be in one currency: what states none may be in any. */
export function mayBeOneCurrency(a: Money, b: Money): boolean {
  return a.currency === null || b.currency === null || a.currency === b.currency;
}

/**
 * The first amount above the price that may be in its currency; null: there is none, or no price. One that is not above it is
 * left over from an earlier sale, or belongs to something else.
 */
export function listPriceOf(price: Money | null, stated: readonly (Money | null)[]): Money | null {
  if (price === null) return null;
  const found = stated.find(
    (money) => money !== null && money.cents > price.cents && mayBeOneCurrency(money, price),
  );
  return found ? { cents: found.cents, currency: price.currency ?? found.currency } : null;
}

/**
 * The same of amounts that the retailer itself calls a list price: where the price is in the cart only, the list price is
 * known all the same (docs/decisions/0094). Of an amount that is merely higher or older nobody can tell without the price.
 */
export function namedListPriceOf(
  price: Money | null,
  stated: readonly (Money | null)[],
): Money | null {
  return price === null
    ? (stated.find((money) => money !== null) ?? null)
    : listPriceOf(price, stated);
}
