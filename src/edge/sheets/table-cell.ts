// A table's columns and cells, as read and as written. Pure.

/** A cell of a workbook that is not text: what it shows, its value, and how the value is formatted (ECMA-376, 18.8.30). */
export type TypedCell = {
  readonly text: string;
  /** A number, which may be a date (days since 1899-12-30), or a truth value. */
  readonly value: number | boolean;
  /** The number of a built-in format, or the code of another. */
  readonly format: number | string;
};

export type TableCell = string | number | boolean | null | TypedCell;

export type TableColumn = {
  readonly name: string;
  /** The name in a workbook, if it is another one there. */
  readonly title?: string;
  /** A workbook marks the rows in which it is filled. */
  readonly marksRows?: true;
  /**
   * `own`: a cell of the sheet that was given, which may be typed; `time`: a text in ISO 8601; `percent`: 12.5 is 12.5 %. A
   * workbook formats each kind.
   */
  readonly kind:
    | 'text'
    | 'own'
    | 'link'
    | 'time'
    | 'number'
    | 'money'
    | 'dollars'
    | 'percent'
    | 'boolean';
};

/** Returns what a cell of a sheet shows. */
export function shownText(cell: TableCell): string | number | boolean | null {
  return typeof cell === 'object' && cell !== null ? cell.text : cell;
}

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,6})(?:\.\d{1,6})?$/;
const ISO_DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const BUILT_IN_DATE = 14;

/**
 * Returns the number or date that a cell of a text file states. Longer numbers and those with leading zeros are codes, which
 * remain text.
 */
export function typedCellOf(text: string): string | TypedCell {
  if (PLAIN_NUMBER.test(text)) return { text, value: Number(text), format: 0 };
  const serial = ISO_DAY.test(text) ? serialOf(text) : null;
  return serial === null ? text : { text, value: serial, format: BUILT_IN_DATE };
}

const DAY_MS = 86_400_000;
/** The first date of which every program has the same number: before it, one counted a day that never was. */
const FIRST_SERIAL = 61;

/** Returns the number of a date or a time in ISO 8601 in a workbook; null if it has none. */
export function serialOf(iso: string): number | null {
  const days = (Date.parse(iso) - Date.UTC(1899, 11, 30)) / DAY_MS;
  return days >= FIRST_SERIAL ? days : null;
}
