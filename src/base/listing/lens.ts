// The currency in which an answer shows stored amounts (D87). Nothing is converted: an amount in another currency is not
// shown. Pure.

import type { Money } from './money/minor-units.ts';

/** The currency of an installation that chooses none, and of everything stored without a currency. */
export const USUAL_CURRENCY = 'USD';

/** Asks for the currency of the listing that supplies the price, whichever that is. */
export const NATIVE_CURRENCY = 'native';

export type Lens = {
  /** An ISO 4217 code. With `isNative` only if the listing states no currency. */
  readonly currency: string;
  readonly isNative: boolean;
};

/** Returns the lens for a currency as requested; `usual` is the installation's. */
export function lensOf(asked: string | undefined, usual: string = USUAL_CURRENCY): Lens {
  const isNative = asked === NATIVE_CURRENCY;
  return { currency: isNative ? usual : (asked ?? usual), isNative };
}

/** Returns the currency that an answer is in, given the price of its anchor. */
export function currencyThrough({ currency, isNative }: Lens, anchorPrice: Money | null): string {
  return isNative ? (anchorPrice?.currency ?? currency) : currency;
}
