// How amounts are written in each currency: the meaning of three digits after a separator.

import type { NumeralRules } from '../text/numeral.ts';
import { decimalsOf } from './minor-units.ts';

/** What is known about the money in a text. */
type NumberHints = { readonly currency?: string | null };

/** The rupees and takas of South Asia, whose amounts are grouped in lakhs. */
const IN_LAKHS = new Set(['INR', 'PKR', 'NPR', 'LKR', 'BDT']);
const LAKHS_SIGN = /[₹₨৳]|(?<!\p{L})(?:rs|inr|pkr|npr|lkr|bdt)(?!\p{L})/iu;

/** Whether an amount may be grouped in lakhs, by its currency or the signs in its text. */
const isInLakhs = (text: string, { currency }: NumberHints): boolean =>
  IN_LAKHS.has(currency ?? '') || LAKHS_SIGN.test(text);

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
export function textRules(hints: NumberHints, text = ''): NumeralRules {
  const three = writtenDecimals(hints.currency) >= 3;
  const isDecimal = (mark: string): boolean =>
    three && (mark === '.' || hints.currency === EITHER_MARK);
  return {
    blanks: true,
    apostropheCents: true,
    lakhs: isInLakhs(text, hints),
    threeDigits: (mark) => (isDecimal(mark) ? 'decimal' : 'thousands'),
  };
}

/**
 * A structured value uses a point for decimals (schema.org), but some shops also use it for thousands. The currency's precision
 * decides: `19.990` is 19.99, `1.299` can only be 1299.
 */
export function structuredRules(hints: NumberHints, text = ''): NumeralRules {
  const digits = writtenDecimals(hints.currency);
  return {
    blanks: true,
    apostropheCents: true,
    lakhs: isInLakhs(text, hints),
    threeDigits: (mark, _integer, fraction) => {
      if (hints.currency === EITHER_MARK) return 'decimal';
      if (mark !== '.' || digits === 0) return 'thousands';
      return digits >= 3 || fraction.endsWith('0') ? 'decimal' : 'thousands';
    },
  };
}

/** Languages that write decimals after a point, those that write them after a comma, and regions that differ from theirs. */
const POINT = new Set('en ja zh ko he th hi bn ta te mr ur ms fil cy mt'.split(' '));
const COMMA = new Set(
  'de fr es it nl pt pl cs sk sl hr sr bs mk bg ro hu tr el ru uk be kk lt lv et fi sv nb nn no da is id vi ca gl'.split(
    ' ',
  ),
);
const POINT_REGIONS = new Set(
  'de-ch it-ch de-li es-mx es-us es-pe es-pr es-do es-gt es-pa'.split(' '),
);
const COMMA_REGIONS = new Set(['en-za']);

/** Returns the decimal separator of a language tag; null for a language that uses both, or is not in the tables. */
export function decimalMarkOfLanguage(lang: string | null): '.' | ',' | null {
  const [language = '', region = ''] = (lang ?? '').toLowerCase().split(/[-_]/);
  const tag = `${language}-${region}`;
  if (POINT_REGIONS.has(tag)) return '.';
  if (COMMA_REGIONS.has(tag)) return ',';
  return POINT.has(language) ? '.' : COMMA.has(language) ? ',' : null;
}
