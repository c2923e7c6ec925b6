// Joins the text pieces of a line: handles spaces between elements, texts that need no change, and elements that do not end a
// line.

import { INLINE } from '../../../../base/listing/text/text.ts';

/** Elements that do not end a line: the inline ones, and a few more that shops place within a line. */
export const IN_LINE: ReadonlySet<string> = new Set([
  ...INLINE,
  'data',
  'del',
  'img',
  'input',
  'label',
]);

/** Elements without content. */
export const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr frame'.split(' '),
);

/** Elements with small or raised text, as used for cents. */
export const RAISED: ReadonlySet<string> = new Set(['sup', 'small']);

/** Returns the separator between a line's text and its next piece; `isCents`: the piece is small or raised, like cents. */
export function glueBetween(text: string, piece: string, isCents: boolean): string {
  if (piece.length > 4 || !/^\p{Sc}?\d\d\s?$/u.test(piece)) return gapBetween(text, piece);
  // The sign is in the place of the point: `249€<sup>99</sup>`, `249<sup>€99</sup>`.
  const isSigned = !isDigit(piece.charAt(0));
  if (isCents && (isSigned ? WHOLE : WHOLE_AND_SIGN).test(text)) return '';
  if (isSigned || !WHOLE.test(text)) return gapBetween(text, piece);
  // Cents in a separate element: `49<sup>90</sup>`, `1.249<sup>90</sup>`.
  return /\.\d{3}$/.test(text) ? ',' : '.';
}

/** Texts that end with a number without decimals. */
const WHOLE = /(?<![.,]\d?)\d$/;
const WHOLE_AND_SIGN = /(?<![.,]\d?)\d\p{Sc}$/u;

/** An amount followed by its sign, or by a dash for its decimals: no word continues there. */
const SIGNED_END =
  /\d\s?(?:[.,:][-–—]\s?)?(?:\p{Sc}|\p{L}{1,4}\.?|\p{L}\.\p{L}\.?)$|\d[.,:][-–—]$/u;

function endsSigned(text: string): boolean {
  const end = text.slice(-8);
  // Few texts have a digit there, and checking for one first is cheaper.
  for (let at = 0; at < end.length; at += 1) {
    if (isDigit(end.charAt(at))) return SIGNED_END.test(end);
  }
  return false;
}

/**
 * Returns the gap between adjacent elements without whitespace: "$200" and "2 bids", "was" and "12", "399,-" and "329,-", "49
 * €" and "statt".
 */
function gapBetween(before: string, after: string): string {
  const last = before.at(-1) ?? '';
  const first = after.at(0) ?? '';
  // Two spaces: a single one may separate the thousands of a number.
  if (isDigit(first) && isDigit(last)) return '  ';
  if (isDigit(first) && /[.,:][-–—]$/.test(before)) return ' ';
  if (!isDigit(last) && isWord(first) && endsSigned(before)) return ' ';
  // "złCena": a word does not continue with a capital in the next element.
  if (!isDigit(last) && !isDigit(first)) return isLower(last) && isUpper(first) ? ' ' : '';
  return isWord(last) && isWord(first) ? ' ' : '';
}

/** Whether adjacent elements contain words that no visitor reads as one: only styling separates them. */
export function areWordsApart(before: string, after: string): boolean {
  return /\p{L}{2}/u.test(after)
    ? /\p{L}{2}|[%)]/u.test(before)
    : /[%)]\s?$/.test(before) && /^\d/.test(after);
}

/** Whether a text is only whitespace; most texts between tags are. */
export function isBlankText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 32) return code >= 128 && !/\S/.test(text);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}

/** Whether its only whitespace is single spaces, so that it needs no normalization. */
export function isInOneLine(text: string): boolean {
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 32 ? before === 32 : code < 14 || code >= 128) return !/[^\S ]| {2}/.test(text);
    before = code;
  }
  return true;
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const isLower = (character: string): boolean => /\p{Ll}/u.test(character);
const isUpper = (character: string): boolean => /\p{Lu}/u.test(character);
const isWord = (character: string): boolean =>
  (character >= 'a' && character <= 'z') || /[\p{L}\d\p{Sc}]/u.test(character);
