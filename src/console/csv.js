// Writes a table as CSV in which spreadsheets find nothing to run.

/** Beginnings of texts that a spreadsheet would run as a formula. Numbers are written as numbers. */
const FORMULA = /^[=+\-@\t\r]/;
/**
 * The same beginnings after a character that ends a cell. In countries that write 1,5, spreadsheets split cells at semicolons. A
 * signed number is not a formula.
 */
const FORMULA_WITHIN = /([;\t\r\n]"*)(?=[=+\-@])(?![+-]\d+(?:[.,]\d+)?(?:["\s;]|$))/g;

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
  const begun = FORMULA.test(value) ? `'${value}` : value;
  const text = begun.replaceAll(FORMULA_WITHIN, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
