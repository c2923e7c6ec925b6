// How amounts are written in each currency: the meaning of three digits after a separator, and cents that a blank or an element
// separates from their amount: `118, 99 TL`, `129 ,99 €`, `$ 8. 94`.

import type { NumeralRules } from '../text/numeral.ts';
import { decimalsOf } from './minor-units.ts';
import { markerAfter, markerBefore } from './currency-marker.ts';

/** The known facts about the money in a text. */
type NumberHints = { readonly currency?: string | null };

/** The rupees and takas of South Asia, whose amounts are grouped in lakhs. */
const IN_LAKHS = new Set(['INR', 'PKR', 'NPR', 'LKR', 'BDT']);
const LAKHS_SIGN = /[₹₨৳]|(?<!\p{L})(?:rs|inr|pkr|npr|lkr|bdt)(?!\p{L})/iu;

/** Whether an amount may be grouped in lakhs, by its currency or the signs in its text. */
const isInLakhs = (text: string, { currency }: NumberHints): boolean =>
  IN_LAKHS.has(currency ?? '') || LAKHS_SIGN.test(text);

/** Returns the number of decimals that shops write in a currency: none in Iraq, despite the standard. */
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

/** Cents after a separator that is detached from the digits before it but not from the two digits after it: `129 ,99`. */
const BEFORE_MARK = /(?<=\d)([ \u00a0]{1,3})([.,]\d{2})(?!\d|[.,]\d)/g;
/** `1.837, 32` and `129 , 99`: digits, a separator, blanks, and two digits that end the number. */
const AFTER_MARK = /(?<=\d)([ \u00a0]{0,3})([.,])([ \u00a0]{1,3})(\d{2})(?![\d%]|[.,]\s?\d)/;
const NUMBER_BEFORE = /(?:\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+|\d+)$/;

/** `24:50 kr`: a colon before the cents, as in Sweden. Without crowns next to it, it may be a time of day. */
const AFTER_COLON =
  /(?<![\d:])(\d{1,5}):(?=\d\d\s?(?:kr|sek)(?![\p{L}\d]))|(?<=(?<!\p{L})(?:kr\.?|sek)\s?)(\d{1,5}):(?=\d\d(?![\d:]))/giu;

/** `15:90` as the whole text, or followed by the unit that it is for: "16:50/st". */
const CROWNS = /^(\s*\d{1,5}):(?=\d\d\s*(?:$|\/|per\s|kr(?!\p{L})))/iu;

/** Returns a price text in crowns with a point before its cents; null for any other text. */
export function crownsWithCents(text: string): string | null {
  return CROWNS.test(text) ? text.replace(CROWNS, '$1.') : null;
}

/**
 * Returns the text with cents moved next to their amount. The blanks between them move after the cents, so that all other
 * positions stay the same. A blank after the separator is moved only if it is unambiguous: the amount is the whole text, or its
 * currency precedes it and no word follows. "£5, 20 left" has such a word.
 */
export function withCentsJoined(text: string): string {
  const plain = text.includes(':') ? text.replaceAll(AFTER_COLON, '$1$2.') : text;
  const near = plain.replaceAll(BEFORE_MARK, '$2$1');
  const parted = AFTER_MARK.exec(near);
  if (parted === null) return near;
  const { index } = parted;
  const from = NUMBER_BEFORE.exec(near.slice(0, index))?.index ?? index;
  const to = index + parted[0].length;
  const isMarked = markerBefore(near, from) !== null && !/^\s*\p{L}/u.test(near.slice(to));
  return isMarked || isAlone(near, from, to) ? near.replace(AFTER_MARK, '$2$4$1$3') : near;
}

/** Returns whether the text has no digits or words except the number from `from` to `to` and a currency on one side. */
function isAlone(text: string, from: number, to: number): boolean {
  const start = markerBefore(text, from)?.start ?? from;
  const end = markerAfter(text, to)?.end ?? to;
  const around = `${text.slice(0, start)}${text.slice(end)}`;
  return !/[\p{L}\d]/u.test(around);
}
