// Suggests barcodes for digits that are not a valid one: the digits with the correct check digit, or with the leading zero
// that a spreadsheet removed. Pure.

/**
 * @typedef {{ code: string, when: string }} CorrectedCode a barcode, and the condition under which it is the one that was
 * meant
 */

/**
 * Returns nothing if the digits are already a barcode, or if no similar number is one.
 * @param {string} asked digits as printed, with blanks or hyphens between them
 * @returns {readonly CorrectedCode[]}
 */
export function correctedCodes(asked) {
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

/**
 * Computes the GS1 check digit: from the right, digits are weighted three and one alternately. @param {string} digits those
 * before it
 */
function checkDigitOf(digits) {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
