// How amounts are written in each currency: what three digits after a mark mean.

import type { NumeralRules } from '../text/numeral.ts';
import { MINOR_DIGITS } from './currencies.ts';

/** What is known of the money that a text writes. */
type NumberHints = { readonly currency?: string | null };

/** How many decimals prices in a currency have; those in Iraq have none, whatever the standard says. */
export function decimalsOf(currency: string | null | undefined): number {
  return currency === 'IQD' ? 0 : (MINOR_DIGITS.get(currency ?? '') ?? 2);
}

/**
 * A currency of three decimals whose country separates thousands by blanks, so that a point and a comma are both decimal marks.
 */
const EITHER_MARK = 'TND';

/** Three digits after one mark are thousands, except in a currency that has three decimals. */
export function textRules(hints: NumberHints): NumeralRules {
  const three = decimalsOf(hints.currency) === 3;
  const isDecimal = (mark: string): boolean =>
    three && (mark === '.' || hints.currency === EITHER_MARK);
  return {
    blanks: true,
    apostropheCents: true,
    threeDigits: (mark) => (isDecimal(mark) ? 'decimal' : 'thousands'),
  };
}

/**
 * A structured value has a point for decimals (schema.org), yet shops write thousands with it too. What the currency can express
 * decides: `19.990` is 19.99, `1.299` can only be 1299.
 */
export function structuredRules(hints: NumberHints): NumeralRules {
  const digits = decimalsOf(hints.currency);
  return {
    blanks: true,
    apostropheCents: true,
    threeDigits: (mark, _integer, fraction) => {
      if (hints.currency === EITHER_MARK) return 'decimal';
      if (mark !== '.' || digits === 0) return 'thousands';
      return digits === 3 || fraction.endsWith('0') ? 'decimal' : 'thousands';
    },
  };
}
