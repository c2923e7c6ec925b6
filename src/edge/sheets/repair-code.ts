// Reverses what spreadsheets do to barcodes, if all digits are still there: characters around the digits, thousands
// separators, scientific notation, leading zeros that a number has lost. What is lost is reported, never guessed. Pure.

import { isIsbn10, isbn13FromIsbn10 } from '../../base/identifiers/check-digit.ts';
import { exponentForm } from '../../base/identifiers/exponent-form.ts';
import { productCode, toGtin14 } from '../../base/identifiers/gtin.ts';
import { trimmedText, typedText } from '../../base/identifiers/typed-text.ts';

type RepairedCode = {
  readonly text: string;
  /** What was corrected, or what cannot be; null if the code is unchanged. */
  readonly note: string | null;
  /** Whether digits are lost, so that the code no longer identifies anything. */
  readonly isLost: boolean;
};

/** A longer text is not a code. */
const MAX_LENGTH = 64;
/** A spreadsheet replaces digits beyond these with zeros. */
const EXACT_DIGITS = 15;
/** A barcode with fewer digits has lost more zeros than manufacturers' prefixes begin with. */
const LEAST_DIGITS = 8;
const WRAPPED = /^(?:=?["']?|["'])(\d{6,14}X?)["']?$/i;
const THOUSANDS = /^\d{1,3}(?:([,. ])\d{3})(?:\1\d{3}){1,3}$/;
const FRACTION = /^(\d{6,14})[.,]0+$/;

/** `inBarcodes` states that the column contains barcodes, so that digits that have lost their zeros are barcodes too. */
export function repairCode(cell: string, inBarcodes: boolean): RepairedCode {
  const trimmed = trimmedText(cell);
  const text = trimmed.includes('://') ? trimmed : typedText(trimmed).trim();
  if (text.length > MAX_LENGTH) return asIs(text);
  const written = exponentForm(text);
  if (written?.kind === 'lost') {
    return lost(text, 'is how a spreadsheet shows a long number: its last digits are lost');
  }
  const digits = written?.code ?? plainDigits(text);
  if (digits.length > EXACT_DIGITS && /^\d+0$/.test(digits)) {
    return lost(text, 'has more digits than a spreadsheet keeps in a number; the last are lost');
  }
  const said = digits === text ? null : `read from ${text}`;
  return (inBarcodes ? withZeros(digits) : null) ?? { text: digits, note: said, isLost: false };
}

const asIs = (text: string): RepairedCode => ({ text, note: null, isLost: false });

function lost(text: string, why: string): RepairedCode {
  return {
    text,
    note: `"${text}" ${why}. Format the column as text and enter the code again`,
    isLost: true,
  };
}

/** Strips the characters that a spreadsheet, or an export for one, puts around the digits. */
function plainDigits(text: string): string {
  const inner = WRAPPED.exec(text)?.[1] ?? FRACTION.exec(text)?.[1];
  if (inner !== undefined) return inner;
  return THOUSANDS.test(text) ? text.replaceAll(/[,. ]/g, '') : text;
}

/**
 * Returns the barcode of these digits with the leading zeros that a number cannot have; null if there is none, or the digits
 * already are one.
 */
function withZeros(digits: string): RepairedCode | null {
  if (!/^\d+$/.test(digits) || isBarcode(digits)) return null;
  if (digits.length === 7) return isUpcE(`0${digits}`) ? withoutLoss(digits, `0${digits}`) : null;
  if (digits.length < LEAST_DIGITS || digits.length > 12) return null;
  // Nine digits are an ISBN-10 if the check character is correct with a zero before them.
  const isbn = digits.length === 9 ? isbn13FromIsbn10(`0${digits}`) : null;
  const text = isbn ?? digits.padStart(12, '0');
  return isBarcode(text) ? withoutLoss(digits, text) : null;
}

function withoutLoss(digits: string, text: string): RepairedCode {
  return { text, note: `read from ${digits}, whose leading zeros were lost`, isLost: false };
}

/** Checks for the eight-digit short form of a UPC. */
function isUpcE(text: string): boolean {
  const gtin = toGtin14(text, { upcE: true });
  return gtin !== null && productCode(gtin).usable;
}

/** Checks for a barcode or ISBN with a correct check digit that a product may have. */
export function isBarcode(text: string): boolean {
  if (isIsbn10(text.replaceAll(/[\s-]/g, '').toUpperCase())) return true;
  const gtin = toGtin14(text);
  return gtin !== null && productCode(gtin).usable;
}
