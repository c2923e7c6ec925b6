// Codes that are written with more than their digits: an add-on, points between the groups, too many zeros in front, several
// codes in one text. Only a correct check digit makes such digits a code. Texts are those of `typedText`. Pure.

import { hasGs1CheckDigit, isIsbn10 } from './check-digit.ts';

/** An EAN-13 or UPC-A, and the two or five digits of the symbol next to it, which number an issue or state a price. */
const WITH_ADD_ON = /^(\d{12,13})(?:\s+|\s?\+\s?)(?:\d{2}|\d{5})$/;
/** The same in one, as scanners send them: books and magazines, and the five digits of comics. */
const JOINED_ADD_ON = /^(97[789]\d{10})(?:\d{2}|\d{5})$|^(\d{12})\d{5}$/;
const POINTS = /^\d+(?:\.\d+){2,}(?:\.?[Xx])?$/;
const NETWORK_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Systems store codes in up to twenty places. */
const PADDED = /^0{1,6}(\d{14})$/;

/** Returns the code before an add-on that is set apart; null if the text is not both. */
export function codeBeforeAddOn(text: string): string | null {
  return checked(WITH_ADD_ON.exec(text)?.[1]);
}

/** Returns the code that is meant by a text that is none as it stands; null if there is none. */
export function codeMeantBy(text: string): string | null {
  if (POINTS.test(text) && !NETWORK_ADDRESS.test(text)) {
    return checked(text.replaceAll('.', '').toUpperCase());
  }
  const compact = text.replaceAll(/[\s+-]/g, '');
  const [, book, upc] = JOINED_ADD_ON.exec(compact) ?? [];
  return checked(PADDED.exec(compact)?.[1]) ?? checked(book ?? upc);
}

function checked(code: string | undefined): string | null {
  if (code === undefined) return null;
  const isLong = /^\d{12,14}$/.test(code) && hasGs1CheckDigit(code);
  return isLong || isIsbn10(code) ? code : null;
}

/** Ten digits or more, or nine and an X, with single blanks or hyphens between them; and an ASIN. */
const RUN = /(?<![\p{L}\p{N}])(?:\d(?:[ -]?\d){8,}(?:[ -]?[\dX])|B0[0-9A-Z]{8})(?![\p{L}\p{N}])/giu;

/** Returns each code in a text; empty if one of its long numbers is none. */
export function codesWithin(text: string): readonly string[] {
  const codes = [...text.matchAll(RUN)].map(([run]) => codesOfRun(run.toUpperCase()));
  return codes.some((each) => each.length === 0) ? [] : codes.flat();
}

function codesOfRun(run: string): readonly string[] {
  if (run.startsWith('B0')) return [run];
  const whole = checked(run.replaceAll(/[ -]/g, '')) ?? codeBeforeAddOn(run);
  if (whole !== null) return [whole];
  const codes = run.split(' ').map((word) => checked(word));
  return codes.every((code) => code !== null) ? codes : [];
}

/** Words around a code that name its kind, and the digits next to its symbol. */
const EMPTY_WORD =
  /^(?:(?:gtin|ean|upc|isbn|jan|asin)(?:8|1[0234])?|bar|codes?|barcode|no|nr|number|[ae]|1[0234]|8)$/i;
const ADD_ON = /^\s*[|/+,;-]?\s*(?:\d{2}|\d{5})\b/;

/** Checks that a text has nothing but its only code and punctuation, words for a code, or after a label a remark in brackets. */
export function isNothingButCode(text: string): boolean {
  const { index, 0: run } = [...text.matchAll(RUN)][0] ?? { index: 0, 0: '' };
  const before = text.slice(0, index);
  const after = text.slice(index + run.length).replace(ADD_ON, '');
  const said = /\p{L}/u.test(before) ? after.replaceAll(/\([^()\d]*\)/g, '') : after;
  const words = `${before} ${said}`.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return run !== '' && words.every((word) => EMPTY_WORD.test(word));
}
