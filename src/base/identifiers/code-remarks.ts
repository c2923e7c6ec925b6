// Explains possible mistakes in a text that is not a code, or in a code that matches no product (D67): what spreadsheets do
// to barcodes, a mistyped digit, a lost leading zero. Sentences for people. Pure.

import { gs1CheckDigit, hasGs1CheckDigit } from './check-digit.ts';
import { exponentForm } from './exponent-form.ts';
import { productCode, toGtin14, WHY_UNUSABLE } from './gtin.ts';

/** A longer text is not a code damaged by a spreadsheet. */
const MAX_LENGTH = 40;

/** Returns the remark about a text as it was sent, ending with a space; '' if it does not look like spreadsheet output. */
export function spreadsheetRemark(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return '';
  if (exponentForm(trimmed)?.kind === 'lost') {
    return (
      `"${trimmed}" is how a spreadsheet shows a long number: its last digits are lost. Format the column as text and ` +
      'enter the codes again. '
    );
  }
  const inner = /^=?["'](\d{6,14})["']$|^'(\d{6,14})$|^=(\d{6,14})$/.exec(trimmed);
  const digits = inner?.[1] ?? inner?.[2] ?? inner?.[3];
  if (digits !== undefined)
    return `"${trimmed}" has a spreadsheet's signs around it: send ${digits}. `;
  const whole = /^(\d{6,14})[.,]0+$/.exec(trimmed)?.[1];
  return whole === undefined ? '' : `"${trimmed}" is a code with a fraction: send ${whole}. `;
}

/**
 * Returns the remark about digits that were looked up as a retailer's item id and not found: what they could be as a
 * barcode. It begins with a space; '' if nothing suggests a barcode.
 */
export function barcodeRemark(digits: string): string {
  const why = whyNoProduct(digits);
  if (why !== null) return ` As a barcode it ${why}, so no single product has it.`;
  if (!/^\d{11,12}$/.test(digits)) return '';
  if (digits.length === 12) {
    if (hasGs1CheckDigit(digits)) return '';
    const right = gs1CheckDigit(digits.slice(0, -1));
    return ` If it is a UPC, a digit is mistyped: after its first eleven digits the check digit would be ${right}.`;
  }
  const withCheckDigit = digits + gs1CheckDigit(digits);
  const withZero = `0${digits}`;
  const zero = hasGs1CheckDigit(withZero)
    ? `its leading zero may be lost (${withZero})`
    : `with its leading zero (${withZero}) the check digit would be ${gs1CheckDigit(withZero.slice(0, -1))}`;
  return ` A UPC has twelve digits: ${zero}, or the check digit is missing (${withCheckDigit}).`;
}

/**
 * Returns why a UPC, or eight digits that are not a UPC-E, with a correct check digit cannot identify a product; null if it
 * can (D8).
 */
function whyNoProduct(digits: string): string | null {
  if (!/^(?:\d{12}|[2-9]\d{7})$/.test(digits)) return null;
  const code = toGtin14(digits);
  const product = code === null ? null : productCode(code);
  return product === null || product.usable ? null : WHY_UNUSABLE[product.why];
}

/**
 * Text that may be echoed to the caller: limited in length, and without characters that another program could interpret.
 */
const REPEATED = /^[\w .:/+-]{1,40}$/;

/**
 * Returns the remark about a text that is not an identifier: what it was probably meant to be. It ends with a space; '' if
 * the check digit explains the problem.
 */
export function formRemark(text: string): string {
  if (text === '') return 'The identifier is empty. ';
  if (!REPEATED.test(text)) return 'The text is not an identifier. ';
  if (/^[a-z]{2,6}:\/*/i.test(text)) {
    return `"${text}" is not the address of a page: it needs https:// and the name of a host. `;
  }
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/\S*$/i.test(text)) {
    return `An address begins with https://: send https://${text}. `;
  }
  if (/^[0-9]{8}$|^[0-9]{12,14}$/.test(text)) return '';
  if (/^B[0-9A-Z]{8}$|^B0[0-9A-Z]{9,10}$/i.test(text)) {
    return `"${text}" has ${text.length} characters; an ASIN has 10. `;
  }
  if (/^[0-9]+$/.test(text)) return `"${text}" has ${text.length} digits. `;
  return `"${text}" is not an identifier. `;
}
