// A table as CSV that spreadsheets read as it is, and run nothing of.

/** A spreadsheet would run a text that begins so as a formula. Numbers are written as numbers. */
const FORMULA = /^[=+\-@\t\r]/;
/** The same behind what ends a cell where people write 1,5: spreadsheets part cells at semicolons there. A signed number is none. */
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
