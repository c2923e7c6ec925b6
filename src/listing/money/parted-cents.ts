// Cents that a blank parts from their amount, because they stand in an element of their own: `118, 99 TL`, `129 ,99 €`,
// `$ 8. 94`.

import { markerAfter, markerBefore } from './currency-marker.ts';

/** `129 ,99`: a mark that stands apart from the digits before it, and not from the two behind it, holds cents. */
const BEFORE_MARK = /(?<=\d)([ \u00a0]{1,3})([.,]\d{2})(?!\d|[.,]\d)/g;
/** `1.837, 32` and `129 , 99`: digits, a mark, blanks and two digits that no number goes on behind. */
const BEHIND_MARK = /(?<=\d)([ \u00a0]{0,3})([.,])([ \u00a0]{1,3})(\d{2})(?![\d%]|[.,]\s?\d)/;
const NUMBER_BEFORE = /(?:\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+|\d+)$/;

/** `24:50 kr`: a colon before the cents, as in Sweden. Without the crowns beside it, it may be an hour. */
const BEHIND_COLON =
  /(?<![\d:])(\d{1,5}):(?=\d\d\s?(?:kr|sek)(?![\p{L}\d]))|(?<=(?<!\p{L})(?:kr\.?|sek)\s?)(\d{1,5}):(?=\d\d(?![\d:]))/giu;

/** `15:90` as all that is written, or with what it is for behind it: "16:50/st". */
const CROWNS = /^(\s*\d{1,5}):(?=\d\d\s*(?:$|\/|per\s|kr(?!\p{L})))/iu;

/** What a text that is a price says in crowns, with a point before its cents; null for another text. */
export function crownsWithCents(text: string): string | null {
  return CROWNS.test(text) ? text.replace(CROWNS, '$1.') : null;
}

/**
 * The text with cents put beside their amount, and the blanks that were between them behind the cents, so that everything
 * else stays at its place. Where the blank is behind the mark, only if nothing else can be meant: the amount is all there is,
 * or its currency stands before it and no word behind it, as in "£5, 20 left".
 */
export function withCentsJoined(text: string): string {
  const plain = text.includes(':') ? text.replaceAll(BEHIND_COLON, '$1$2.') : text;
  const near = plain.replaceAll(BEFORE_MARK, '$2$1');
  const parted = BEHIND_MARK.exec(near);
  if (parted === null) return near;
  const { index } = parted;
  const from = NUMBER_BEFORE.exec(near.slice(0, index))?.index ?? index;
  const to = index + parted[0].length;
  const isHeld = markerBefore(near, from) !== null && !/^\s*\p{L}/u.test(near.slice(to));
  return isHeld || isAlone(near, from, to) ? near.replace(BEHIND_MARK, '$2$4$1$3') : near;
}

/** Whether the text has no other digits or words than the number from `from` to `to` and a currency on one of its sides. */
function isAlone(text: string, from: number, to: number): boolean {
  const start = markerBefore(text, from)?.start ?? from;
  const end = markerAfter(text, to)?.end ?? to;
  const around = `${text.slice(0, start)}${text.slice(end)}`;
  return !/[\p{L}\d]/u.test(around);
}
