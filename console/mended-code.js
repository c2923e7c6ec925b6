// Suggests barcodes for digits that are not one: the digits with the right check digit, or with the leading zero that a
// spreadsheet removed. Pure.

/** @typedef {{ code: string, when: string }} Mended a barcode, and when it is the one that was meant */

/**
 * Empty when the digits are a barcode already, or when no near number is one.
 * @param {string} asked digits as they are printed, with blanks or hyphens between them
 * @returns {readonly Mended[]}
 */
export function mendedCodes(asked) {
  const digits = asked.replaceAll(/[\s-]/g, '');
  if (/^\d{11}$/.test(digits))
    return isFitting(`0${digits}`)
      ? [{ code: `0${digits}`, when: 'if a zero was lost at its front' }]
      : [];
  if (!/^\d{12,13}$/.test(digits) || isFitting(digits)) return [];
  const others = digits.slice(0, -1);
  return [{ code: `${others}${checkDigitOf(others)}`, when: 'if only the last digit is wrong' }];
}

/** @param {string} digits */
function isFitting(digits) {
  return checkDigitOf(digits.slice(0, -1)) === Number(digits.at(-1));
}

/** GS1: from the right, digits count three times and once by turns. @param {string} digits those before it */
function checkDigitOf(digits) {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
