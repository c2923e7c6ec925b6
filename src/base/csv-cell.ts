// Writes a text as a CSV cell (RFC 4180) in which no spreadsheet finds a formula, whichever cell separator it uses (OWASP, CSV
// injection). In countries that write 1,5, spreadsheets separate cells at semicolons and ignore quotes within a cell. So every
// position where a cell may begin gets an apostrophe if a formula begins there. `console/csv.js` does the same in browsers.

/**
 * Characters that begin a formula, including their fullwidth and small forms, which some spreadsheets treat like the plain
 * ones.
 */
const BEGINS_FORMULA = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b';
/**
 * Cell separators of some spreadsheets, blanks and quotes that they may skip before the next cell, and the start of a
 * formula.
 */
const CELL_START = new RegExp(`([,;|"\\s\\p{Cc}\\p{Cf}]+)([${BEGINS_FORMULA}])?`, 'gu');
const SKIPPED = /[,;|"\s\p{Cc}\p{Cf}]/u;
const ENDS_CELL = /[,;|\p{Cc}\u2028\u2029]/u;
const FORMULA = new RegExp(`^[${BEGINS_FORMULA}]`);
const MARK = new RegExp(`'(?=[${BEGINS_FORMULA}])`, 'g');
/** A signed number, which a spreadsheet may read as a number. */
const NUMBER = /^[+-]\.?\d[\d.,]*(?:e[+-]?\d{1,3})?%?$/i;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** Returns the CSV cell for a text, quoted if necessary. */
export function csvCell(text: string): string {
  const safe = withoutFormulas(text);
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Puts an apostrophe before each formula, unless there is one already. */
function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text;
  const within = text.replace(
    CELL_START,
    (whole, before: string, begins: string | undefined, at) =>
      begins !== undefined && (at === 0 || ENDS_CELL.test(before)) ? `${before}'${begins}` : whole,
  );
  // Spreadsheets drop leading control characters and interpret the rest.
  return FORMULA.test(within) || /^\p{Cc}/u.test(within) ? `'${within}` : within;
}

/** Restores the text that `csvCell` wrote by removing the apostrophes it added. */
export function textOfCell(cell: string): string {
  const text = /^'\p{Cc}/u.test(cell) ? cell.slice(1) : cell;
  return text.replaceAll(MARK, (mark: string, at: number) => {
    let from = at;
    while (SKIPPED.test(text[from - 1] ?? '')) from -= 1;
    return from === 0 || ENDS_CELL.test(text.slice(from, at)) ? '' : mark;
  });
}
