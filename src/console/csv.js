// A table as CSV that spreadsheets read as it is, and run nothing of.

/** A spreadsheet would run a text that begins so as a formula. Numbers are written as numbers. */
const FORMULA = /^[=+\-@\t\r]/;

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
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
