// Detects the delimiter of a text's cells: the character that most records have equally often outside quotes, and that fits the
// quotes as in RFC 4180. Null if the text is a plain list with one entry a line. Pure.

import { amountCents } from './amount-cell.ts';
import { isBarcode } from './mend-code.ts';

/** In order of preference if they do equally well: with `;` between cells, the comma occurs in numbers. */
const DELIMITERS = ['\t', ';', '|', ','] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The minimum share of records that must fit. */
const ENOUGH = 0.6;

/** `sample` is the beginning of the text. A truncated last line does no harm. */
export function delimiterOf(sample: string): Delimiter | null {
  const declared = /^sep=([\t;|,])[\r\n]/i.exec(sample)?.[1];
  if (declared !== undefined) return declared as Delimiter;
  // A quote within a cell that does not begin with one is not a quote with this delimiter, but may be one with another.
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, ...fitOf(sample, delimiter) }))
    .filter(({ share }) => share >= ENOUGH)
    .toSorted(
      (a, b) =>
        a.strayQuotes - b.strayQuotes ||
        b.share - a.share ||
        codesWith(sample, b.delimiter) - codesWith(sample, a.delimiter),
    );
  return best === undefined || isAddresses(sample, best.delimiter) ? null : best.delimiter;
}

/** Counts lines with a barcode or an address between two of the character. */
function codesWith(sample: string, delimiter: Delimiter): number {
  const cells = sample.split(/[\r\n]+/).map((line) => line.replaceAll('"', '').split(delimiter));
  return cells.filter((line) => line.some((cell) => isBarcode(cell.trim()) || ADDRESS.test(cell)))
    .length;
}

const ADDRESS = /^https?:\/\/[^\s"]+$/i;

/**
 * Checks whether every line is one address that contains the character by chance. After the character, no line then has
 * what a sheet has there: an amount, a barcode, another address or nothing.
 */
function isAddresses(sample: string, delimiter: Delimiter): boolean {
  const lines = sample.split(/\r?\n|\r/).map((line) => line.trim());
  // The end of the sample may have truncated the last line.
  if (lines.length > 1) lines.pop();
  const entries = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (!entries.every((line) => ADDRESS.test(line))) return false;
  const cells = entries.filter((line) => isCell(line.split(delimiter)[1] ?? ''));
  return cells.length < entries.length / 2;
}

function isCell(text: string): boolean {
  const isAmount = /[.,]\d{1,2}$/.test(text) && amountCents(text) !== null;
  return text === '' || isAmount || isBarcode(text) || ADDRESS.test(text);
}

type Fit = {
  /**
   * The share of records that have the most frequent number of delimiters, or a quoted cell between them; 0 if most have
   * none.
   */
  readonly share: number;
  /** Number of records with a quote where RFC 4180 allows none. */
  readonly strayQuotes: number;
};

function fitOf(sample: string, delimiter: Delimiter): Fit {
  const records = recordsOf(sample, delimiter);
  const frequency = new Map<number, number>();
  for (const { count } of records) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  const [usual] = [...frequency].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
  const fitting = records.filter(
    ({ count, hasQuoted, hasStray }) => count === usual || (count > 0 && hasQuoted && !hasStray),
  );
  const strayQuotes = records.filter(({ hasStray }) => hasStray).length;
  return { share: usual === 0 ? 0 : fitting.length / records.length, strayQuotes };
}

type Counted = {
  /** Number of delimiters outside quotes. */
  readonly count: number;
  /** Whether a cell is quoted, and whether a quote occurs where none is allowed. */
  readonly hasQuoted: boolean;
  readonly hasStray: boolean;
};

/** What precedes a character in its cell: nothing, text without quotes, or a quote that may have closed it. */
type Before = 'start' | 'text' | 'closed';

/**
 * Splits the sample into records as RFC 4180 does with this delimiter: a quote opens where a cell begins, and closes at the
 * next one that is not doubled; line breaks within quotes are text. Empty lines are not records, nor is a record whose quote
 * the end of the sample cuts off, unless there is no other.
 */
function recordsOf(sample: string, delimiter: Delimiter): readonly Counted[] {
  const records: Counted[] = [];
  let record = { count: 0, hasQuoted: false, hasStray: false };
  let [isQuoted, isEmpty] = [false, true];
  let before: Before = 'start';
  for (const sign of sample) {
    if (isQuoted) {
      if (sign === '"') [isQuoted, before] = [false, 'closed'];
    } else if (sign === '\n' || sign === '\r') {
      if (!isEmpty) records.push(record);
      record = { count: 0, hasQuoted: false, hasStray: false };
      [isEmpty, before] = [true, 'start'];
    } else {
      isEmpty = false;
      if (sign === delimiter) {
        record.count += 1;
        before = 'start';
      } else if (sign === '"' && before !== 'text') {
        // The second of two quotes continues the cell that the first seemed to close.
        isQuoted = true;
        record.hasQuoted = true;
      } else {
        record.hasStray ||= sign === '"' || before === 'closed';
        before = 'text';
      }
    }
  }
  if (!isEmpty && (!isQuoted || records.length === 0)) records.push(record);
  return records;
}
