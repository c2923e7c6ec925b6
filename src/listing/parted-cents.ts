// Cents that a blank parts from the mark before them, because they stand in an element of their own: `118, 99 TL`, `$ 8. 94`.

import { markerAfter, markerBefore } from './currency-marker.ts';

/** `1.837, 32`: digits, a mark, blanks and two digits that no number goes on behind. */
const PARTED = /\d[.,]([ \u00a0]{1,3})(\d{2})(?![\d%]|[.,]\s?\d)/;
const NUMBER_BEFORE = /(?:\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+|\d+)$/;

/**
 * The text with cents put beside their amount, and the blanks that were between them behind the cents, so that everything
 * else stays at its place. Only where nothing else can be meant: the amount is all there is, or its currency stands before it
 * and no word behind it, as in "£5, 20 left".
 */
export function withCentsJoined(text: string): string {
  const parted = PARTED.exec(text);
  if (parted === null) return text;
  const digits = text.slice(0, parted.index + 1);
  const from = NUMBER_BEFORE.exec(digits)?.index ?? parted.index;
  const to = parted.index + parted[0].length;
  const isHeld = markerBefore(text, from) !== null && !/^\s*\p{L}/u.test(text.slice(to));
  return isHeld || isAlone(text, from, to) ? joined(text, parted) : text;
}

/** Whether the text has no other digits or words than the number from `from` to `to` and a currency on one of its sides. */
function isAlone(text: string, from: number, to: number): boolean {
  const start = markerBefore(text, from)?.start ?? from;
  const end = markerAfter(text, to)?.end ?? to;
  const around = `${text.slice(0, start)}${text.slice(end)}`;
  return !/[\p{L}\d]/u.test(around);
}

function joined(
  text: string,
  { index, 0: whole, 1: blanks = '', 2: cents = '' }: RegExpExecArray,
): string {
  const at = index + whole.indexOf(blanks);
  return `${text.slice(0, at)}${cents}${blanks}${text.slice(at + blanks.length + cents.length)}`;
}
