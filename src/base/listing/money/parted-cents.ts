// Joins cents to their amount when a blank separates them because they are in a separate element: `118, 99 TL`, `129 ,99 €`, `$
// 8. 94`.

import { markerAfter, markerBefore } from './currency-marker.ts';

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
  const isHeld = markerBefore(near, from) !== null && !/^\s*\p{L}/u.test(near.slice(to));
  return isHeld || isAlone(near, from, to) ? near.replace(AFTER_MARK, '$2$4$1$3') : near;
}

/** Returns whether the text has no digits or words besides the number from `from` to `to` and a currency on one side. */
function isAlone(text: string, from: number, to: number): boolean {
  const start = markerBefore(text, from)?.start ?? from;
  const end = markerAfter(text, to)?.end ?? to;
  const around = `${text.slice(0, start)}${text.slice(end)}`;
  return !/[\p{L}\d]/u.test(around);
}
