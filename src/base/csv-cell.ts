// A text as a cell of CSV (RFC 4180) in which no spreadsheet finds a formula, whatever it takes for the end of a cell (OWASP, CSV
// injection). Where people write 1,5, spreadsheets separate cells at semicolons, and do not heed quotes within a cell. So each
// place where a cell may begin gets an apostrophe if a formula begins there. `console/csv.js` does the same in browsers.

/** Characters that begin a formula, also as wide and small forms, which some spreadsheets read as the plain ones. */
const BEGINS_FORMULA = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b';
/** What some spreadsheet ends a cell with, blanks and quotes that it may skip before the next one, and what begins a formula. */
const CELL_START = new RegExp(`([,;|"\\s\\p{Cc}\\p{Cf}]+)([${BEGINS_FORMULA}])?`, 'gu');
const SKIPPED = /[,;|"\s\p{Cc}\p{Cf}]/u;
const ENDS_CELL = /[,;|\p{Cc}\u2028\u2029]/u;
const FORMULA = new RegExp(`^[${BEGINS_FORMULA}]`);
const MARK = new RegExp(`'(?=[${BEGINS_FORMULA}])`, 'g');
/** A number with its sign, which a spreadsheet may have as a number. */
const NUMBER = /^[+-]\.?\d[\d.,]*(?:e[+-]?\d{1,3})?%?$/i;
const QUOTED = /[",\r\n]|^\s|\s$/;

/** The cell of a text, with quotes if it needs them. */
export function csvCell(text: string): string {
  const safe = withoutFormulas(text);
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text with an apostrophe before each formula. A text that has them already does not get more. */
function withoutFormulas(text: string): string {
  if (NUMBER.test(text)) return text;
  const within = text.replace(
    CELL_START,
    (whole, before: string, begins: string | undefined, at) =>
      begins !== undefined && (at === 0 || ENDS_CELL.test(before)) ? `${before}'${begins}` : whole,
  );
  // Spreadsheets drop control characters at the beginning, and look at what is after them.
  return FORMULA.test(within) || /^\p{Cc}/u.test(within) ? `'${within}` : within;
}

/** The text that `csvCell` wrote, without the apostrophes that it put in. */
export function textOfCell(cell: string): string {
  const text = /^'\p{Cc}/u.test(cell) ? cell.slice(1) : cell;
  return text.replaceAll(MARK, (mark: string, at: number) => {
    let from = at;
    while (SKIPPED.test(text[from - 1] ?? '')) from -= 1;
    return from === 0 || ENDS_CELL.test(text.slice(from, at)) ? '' : mark;
  });
}
