// Finds the amount that the page shows for a price that its data states without tax. It only counts upward, and only if nothing
// on the page shows that the stated amount is the price.

import {
  decimalsOf,
  isSameAmount,
  type Money,
} from '../../../../base/listing/money/minor-units.ts';
import { isWithTax, vatRatesOf } from '../../../../base/listing/money/vat-rates.ts';
import type { StatedPrice } from '../../facts.ts';
import { currencyOfCountry } from '../../page-currency.ts';
import { TAXED_LATER } from './related-amounts.ts';
import type { VisibleAmount } from './visible-amounts.ts';

/**
 * Returns the country whose rates apply to a stated price: any if its source says that it is without tax, otherwise the page's,
 * if that is its currency. Undefined if the price cannot be one without tax.
 */
function taxCountry(stated: StatedPrice, country: string | null): string | null | undefined {
  const { money, isNet, isOneOfSeveral, highestCents } = stated;
  if (isNet === false || isOneOfSeveral === true || highestCents !== undefined) return undefined;
  if (TAXED_LATER.has(money.currency)) return undefined;
  if (isNet === true) return null;
  return country !== null && currencyOfCountry(country) === money.currency ? country : undefined;
}

/** The amount that a page shows as its price, and all amounts on it. */
type Shown = { readonly price: Money | null; readonly amounts: readonly VisibleAmount[] };

/**
 * Returns the displayed amount that is the stated price with tax: the page's price if the page does not show the stated one, or
 * calls it the one without tax; otherwise the only one that is labelled as with tax.
 */
export function withTaxOf(
  stated: StatedPrice,
  { price, amounts }: Shown,
  country: string | null,
): Money | null {
  const of = taxCountry(stated, country);
  if (of === undefined) return null;
  const { money } = stated;
  const isGross = (each: Money): boolean =>
    each.currency === money.currency &&
    each.cents > money.cents &&
    isWithTax(each.cents, money.cents, of);
  const places = amounts.filter((amount) => isSameAmount(amount.money, money));
  if (price !== null && isGross(price) && places.every(({ isNet }) => isNet)) return price;
  if (places.length === 0 || places.some(({ isTaxed }) => isTaxed)) return null;
  const [gross, ...others] = amounts.filter(
    (amount) =>
      amount.score > 0 &&
      amount.isTaxed &&
      !amount.isFormer &&
      !amount.isRegular &&
      !amount.isNamedOtherwise &&
      !amount.isForSeveral &&
      !amount.isForHolders &&
      isGross(amount.money),
  );
  if (gross === undefined) return null;
  return others.every((other) => isSameAmount(other.money, gross.money)) ? gross.money : null;
}

/** Between the thousands of an amount in a source: a mark, a blank or a reference to one. */
const PARTED = "(?:[.,'\u2019\\s]|&[#\\w]{1,8};)?";

/**
 * Returns a pattern of the whole units that a stated price may have with tax: a page without any of them need not be searched
 * for it. Null if the price cannot be one without tax.
 */
export function taxedUnits(stated: StatedPrice, country: string | null): RegExp | null {
  const of = taxCountry(stated, country);
  if (of === undefined) return null;
  const { cents, currency } = stated.money;
  const units = vatRatesOf(of).flatMap((rate) =>
    // Rounding the amount without tax moves the other one by at most one.
    [-1, 0, 1].map((slip) =>
      Math.floor((Math.round((cents * (100 + rate)) / 100) + slip) / 10 ** decimalsOf(currency)),
    ),
  );
  const texts = [...new Set(units)].map((unit) =>
    String(unit).replaceAll(/\B(?=(?:\d{3})+$)/g, PARTED),
  );
  return texts.length === 0 ? null : new RegExp(`(?<!\\d)(?:${texts.join('|')})(?!\\d)`);
}
