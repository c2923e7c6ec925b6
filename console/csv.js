// Writes a table as CSV that contains no formulas a spreadsheet would run. The rule is the same as in
// `src/base/csv-cell.ts`, which browsers do not load; a test compares the two.

/** Characters that begin a formula, including their full-width and small forms. */
const BEGINS_FORMULA = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b';
/** What may end a cell, blanks and quotes that may be skipped before the next one, and what begins a formula. */
const CELL_START = new RegExp(`([,;|"\\s\\p{Cc}\\p{Cf}]+)([${BEGINS_FORMULA}])?`, 'gu');
const ENDS_CELL = /[,;|\p{Cc}\u2028\u2029]/u;
const FORMULA = new RegExp(`^[${BEGINS_FORMULA}]`);
/** A signed number is not a formula. */
const NUMBER = /^[+-]\.?\d[\d.,]*(?:e[+-]?\d{1,3})?%?$/i;

/**
 * @param {readonly (readonly (string | number | null | undefined)[])[]} rows
 */
export function csvOf(rows) {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** @param {string | number | null | undefined} value */
function cell(value) {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = withoutFormulas(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {string} text */
function withoutFormulas(text) {
  if (NUMBER.test(text)) return text;
  const within = text.replace(CELL_START, (whole, before, begins, at) =>
    begins !== undefined && (at === 0 || ENDS_CELL.test(before)) ? `${before}'${begins}` : whole,
  );
  return FORMULA.test(within) || /^\p{Cc}/u.test(within) ? `'${within}` : within;
}
