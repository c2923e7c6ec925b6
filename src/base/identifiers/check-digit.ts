// Arithmetic of GS1 and ISBN check digits, ISBN-10 to ISBN-13 and back, and UPC-E. Inputs are plain ASCII digits. gtin.ts
// handles prefixes, fillers and page texts; parse-identifier.ts handles the meaning of a caller's identifier.

const DIGITS = /^[0-9]{1,64}$/;
const ISBN10 = /^[0-9]{9}[0-9X]$/;
const UPC_E = /^[01][0-9]{7}$/;

/**
 * Returns the GS1 check digit for `body` (1 to 64 ASCII digits without their check digit), '0' to '9'. Weights 3, 1, 3, 1,
 * ... from the right (GS1 General Specifications), so leading zeros change nothing. Throws a RangeError for anything but
 * digits.
 */
export function gs1CheckDigit(body: string): string {
  if (!DIGITS.test(body)) throw new RangeError('a GS1 check digit is computed over 1 to 64 digits');
  let sum = 0;
  for (let i = body.length - 1, weight = 3; i >= 0; i -= 1, weight = 4 - weight) {
    sum += digitAt(body, i) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Returns whether the last of 2 to 64 digits is the GS1 check digit of those before it. */
export function hasGs1CheckDigit(code: string): boolean {
  return code.length > 1 && DIGITS.test(code) && code.endsWith(gs1CheckDigit(code.slice(0, -1)));
}

/**
 * Returns the ISBN-10 check character of nine digits: the sum of each digit times its position from 1, modulo 11, with 10
 * written X. Throws a RangeError for anything else.
 */
function isbn10CheckCharacter(body: string): string {
  if (body.length !== 9 || !DIGITS.test(body)) throw new RangeError('an ISBN-10 has nine digits');
  let sum = 0;
  for (let i = 0; i < 9; i += 1) sum += digitAt(body, i) * (i + 1);
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}

/** Checks for nine digits and their correct check character; X is upper case and only in the last place. */
export function isIsbn10(code: string): boolean {
  return ISBN10.test(code) && code.endsWith(isbn10CheckCharacter(code.slice(0, 9)));
}

/** Checks for thirteen digits beginning with 978 or 979, except 9790 (printed music, ISMN), with a correct check digit. */
export function isIsbn13(code: string): boolean {
  return code.length === 13 && hasIsbnPrefix(code) && hasGs1CheckDigit(code);
}

/** Checks for 978 and 979 except 9790 (D8). Looks only at the prefix of a 13-digit code. */
export function hasIsbnPrefix(ean13: string): boolean {
  return ean13.startsWith('978') || (ean13.startsWith('979') && !ean13.startsWith('9790'));
}

/** Converts an ISBN-10 with a correct check character to its ISBN-13; null for anything else. */
export function isbn13FromIsbn10(isbn10: string): string | null {
  if (!isIsbn10(isbn10)) return null;
  const body = `978${isbn10.slice(0, 9)}`;
  return body + gs1CheckDigit(body);
}

/** Converts a nine-digit SBN, an ISBN-10 without its leading zero, to the ISBN-10; null if the check fails. */
export function isbn10FromSbn(sbn: string): string | null {
  const isbn10 = `0${sbn}`;
  return isIsbn10(isbn10) ? isbn10 : null;
}

/**
 * Expands an 8-digit UPC-E to its 12-digit UPC-A; null if the text is not a UPC-E. The eighth digit is the check digit of
 * the expanded code, not of the eight digits, so a wrong one is only detected here.
 */
export function upcAFromUpcE(upcE: string): string | null {
  if (!UPC_E.test(upcE)) return null;
  const system = upcE.slice(0, 1);
  const [x1, x2, x3, x4, x5] = upcE.slice(1, 6);
  const x6 = upcE.slice(6, 7);
  let body: string;
  if (x6 <= '2') body = `${system}${x1}${x2}${x6}0000${x3}${x4}${x5}`;
  else if (x6 === '3') body = `${system}${x1}${x2}${x3}00000${x4}${x5}`;
  else if (x6 === '4') body = `${system}${x1}${x2}${x3}${x4}00000${x5}`;
  else body = `${system}${x1}${x2}${x3}${x4}${x5}0000${x6}`;
  const upcA = body + upcE.slice(7);
  return hasGs1CheckDigit(upcA) ? upcA : null;
}

function digitAt(text: string, index: number): number {
  return text.charCodeAt(index) - 48;
}
