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

const BETWEEN =
  /\s*(?:[,;/|&+\r\n\t]|\s(?:and|or|und|oder|et|ou|y|e|o|i|en|of)\s)+\s*|(?<=\d)\s+(?=\p{L}{3})/iu;

/** Returns the parts of a text that may each be a code, because of what is between them; empty if it is not divided. */
export function partsOf(text: string): readonly string[] {
  const parts = text.split(BETWEEN).filter((part) => part !== '');
  if (parts.length > 1) return parts;
  const words = text.trim().split(/\s+/);
  return words.length > 1 && words.every((word) => word.length >= 8) ? words : [];
}
