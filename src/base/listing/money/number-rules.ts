// How amounts are written in each currency: the meaning of three digits after a separator.

import type { NumeralRules } from '../text/numeral.ts';
import { decimalsOf } from './minor-units.ts';

/** What is known about the money in a text. */
type NumberHints = { readonly currency?: string | null };

/** Returns the number of decimals that shops write in a currency: none in Iraq, whatever the standard says. */
export function writtenDecimals(currency: string | null | undefined): number {
  return currency === 'IQD' ? 0 : decimalsOf(currency ?? null);
}

/**
 * A currency with three decimals whose country separates thousands by blanks, so that both a point and a comma are decimal
 * separators.
 */
const EITHER_MARK = 'TND';

/** Three digits after a single separator are thousands, except in a currency with three decimals or more. */
export function textRules(hints: NumberHints): NumeralRules {
  const three = writtenDecimals(hints.currency) >= 3;
  const isDecimal = (mark: string): boolean =>
    three && (mark === '.' || hints.currency === EITHER_MARK);
  return {
    blanks: true,
    apostropheCents: true,
    threeDigits: (mark) => (isDecimal(mark) ? 'decimal' : 'thousands'),
  };
}

/**
 * A structured value uses a point for decimals (schema.org), but some shops also use it for thousands. The currency's precision
 * decides: `19.990` is 19.99, `1.299` can only be 1299.
 */
export function structuredRules(hints: NumberHints): NumeralRules {
  const digits = writtenDecimals(hints.currency);
  return {
    blanks: true,
    apostropheCents: true,
    threeDigits: (mark, _integer, fraction) => {
      if (hints.currency === EITHER_MARK) return 'decimal';
      if (mark !== '.' || digits === 0) return 'thousands';
      return digits >= 3 || fraction.endsWith('0') ? 'decimal' : 'thousands';
    },
  };
}
