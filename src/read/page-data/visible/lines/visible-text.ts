// Joins the pieces of text of a line: decides about blanks between elements, texts that need no change, and elements that do not
// end a line.

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

/** Elements whose text is set small or above the line, as cents are. */
export const RAISED: ReadonlySet<string> = new Set(['sup', 'small']);

/** What belongs between the text of a line and its next piece; `isCents`: that one is set small or above the line, as cents are. */
export function glueBetween(text: string, piece: string, isCents: boolean): string {
  if (piece.length > 4 || !/^\p{Sc}?\d\d\s?$/u.test(piece)) return gapBetween(text, piece);
  // The sign stands where the point would: `249€<sup>99</sup>`, `249<sup>€99</sup>`.
  const isSigned = !isDigit(piece.charAt(0));
  if (isCents && (isSigned ? WHOLE : WHOLE_AND_SIGN).test(text)) return '';
  if (isSigned || !WHOLE.test(text)) return gapBetween(text, piece);
  // Cents in an element of their own: `49<sup>90</sup>`, `1.249<sup>90</sup>`.
  return /\.\d{3}$/.test(text) ? ',' : '.';
}

/** Texts that end with a number without decimals. */
const WHOLE = /(?<![.,]\d?)\d$/;
const WHOLE_AND_SIGN = /(?<![.,]\d?)\d\p{Sc}$/u;

/** An amount with its sign after it, or a dash for its decimals: no word goes on there. */
const SIGNED_END =
  /\d\s?(?:[.,:][-–—]\s?)?(?:\p{Sc}|\p{L}{1,4}\.?|\p{L}\.\p{L}\.?)$|\d[.,:][-–—]$/u;

function endsSigned(text: string): boolean {
  const end = text.slice(-8);
  // Few texts have a digit there, and looking for one first costs less.
  for (let at = 0; at < end.length; at += 1) {
    if (isDigit(end.charAt(at))) return SIGNED_END.test(end);
  }
  return false;
}

/** Elements side by side have no blank between them: "$200" and "2 bids", "was" and "12", "399,-" and "329,-", "49 €" and "statt". */
function gapBetween(before: string, after: string): string {
  const last = before.at(-1) ?? '';
  const first = after.at(0) ?? '';
  // Two blanks: one may part the thousands of a number.
  if (isDigit(first) && isDigit(last)) return '  ';
  if (isDigit(first) && /[.,:][-–—]$/.test(before)) return ' ';
  if (!isDigit(last) && isWord(first) && endsSigned(before)) return ' ';
  // "złCena": a word does not go on with a capital in the next element.
  if (!isDigit(last) && !isDigit(first)) return isLower(last) && isUpper(first) ? ' ' : '';
  return isWord(last) && isWord(first) ? ' ' : '';
}

/** Whether elements side by side show words that no visitor reads as one: what parts them is the style of the page. */
export function areWordsApart(before: string, after: string): boolean {
  return /\p{L}{2}/u.test(after)
    ? /\p{L}{2}|[%)]/u.test(before)
    : /[%)]\s?$/.test(before) && /^\d/.test(after);
}

/** Whether a text is nothing but blanks; most texts between tags are. */
export function isBlankText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 32) return code >= 128 && !/\S/.test(text);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}

/** Whether its only blanks are single spaces, so that it needs no other form. */
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
