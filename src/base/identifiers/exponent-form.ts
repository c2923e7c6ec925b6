// Codes in the exponent form of numbers, as spreadsheets and programs write them. Such a text has all digits of its code, or
// has lost the last ones for good. Texts are those of `typedText`. Pure.

import { hasGs1CheckDigit, isIsbn10 } from './check-digit.ts';

type ExponentForm = { readonly kind: 'whole'; readonly code: string } | { readonly kind: 'lost' };

/**
 * The exponent may have three digits, and a program that decoded the text as a form has made a blank of its plus sign.
 * Engineering notation has up to three digits before the point.
 */
const EXPONENT_FORM = /^\+?(\d{1,14})(?:[.,](\d{1,20}))?e([+ ]?)0{0,2}(\d{1,2})$/i;
/** Digits that a program writes when it shortens a number only by its final zeros. */
const MANY_DIGITS = 9;
/** Item ids and codes have at least as many digits, and no code on a package has more. */
const [LEAST_DIGITS, MOST_DIGITS] = [6, 20];

/** Returns the code that a number in exponent form is, or that its digits are lost; null for any other text. */
export function exponentForm(text: string): ExponentForm | null {
  const [, whole, fraction = '', sign, power] = EXPONENT_FORM.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const zeros = Number(power) - fraction.length;
  const size = digits.length + zeros;
  if (digits === '' || size < LEAST_DIGITS || size > MOST_DIGITS) return null;
  if (zeros <= 0) {
    // More decimals than the number has: only zeros may follow its last digit.
    return /^0*$/.test(digits.slice(size)) ? { kind: 'whole', code: digits.slice(0, size) } : null;
  }
  // A spreadsheet writes the sign of the exponent. Other programs write no sign and leave out nothing but final zeros.
  const code = digits + '0'.repeat(zeros);
  const hasMany = digits.length >= Math.min(MANY_DIGITS, size - 1);
  return sign === '' && hasMany && isCode(code) ? { kind: 'whole', code } : { kind: 'lost' };
}

/** Checks the check digit of a barcode, whose leading zeros a number has lost, or of an ISBN-10. */
const isCode = (digits: string): boolean =>
  isIsbn10(digits) || (/^(?:\d{8}|\d{10,14})$/.test(digits) && hasGs1CheckDigit(digits));
