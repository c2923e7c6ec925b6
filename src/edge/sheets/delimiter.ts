// Detects how a text separates and quotes its cells: by the delimiter that most records have equally often outside quotes, and
// by the quotes that fit it, as in RFC 4180 or in the usual other ways. Null if the text is a plain list with one entry a
// line. Pure.

import { amountCents } from './amount-cell.ts';
import { isBarcode } from './repair-code.ts';

export type Dialect = {
  readonly delimiter: string;
  readonly quote: '"' | "'";
  /** What precedes a quote within quotes: another one, or a backslash. */
  readonly escape: '"' | "'" | '\\';
};

/** In order of preference if several fit equally well: where `;` separates cells, commas occur in numbers. */
const DELIMITERS = ['\t', ';', '|', ','] as const;

/** The minimum share of records that must fit. */
const ENOUGH = 0.6;

/** `sample` is the beginning of the text. A truncated last line does no harm. */
export function dialectOf(sample: string): Dialect | null {
  const declared = /^"?sep=([^\p{L}\p{N}"'\r\n])"?[\r\n]/iu.exec(sample)?.[1];
  const delimiters = declared === undefined ? DELIMITERS : [declared];
  // A quote inside an unquoted cell is literal. With another delimiter the same quote may open or close a cell.
  const fits = delimiters
    .flatMap((delimiter) => quotesIn(sample).map((quotes) => ({ delimiter, ...quotes })))
    .map((dialect) => ({ dialect, ...fitOf(sample, dialect) }))
    .filter(({ dialect, isSure }) => dialect.quote === '"' || isSure);
  const [best] = fits
    .filter(({ share }) => share >= ENOUGH || declared !== undefined)
    .toSorted(
      (a, b) =>
        a.strayQuotes - b.strayQuotes ||
        b.share - a.share ||
        codesWith(sample, b.dialect.delimiter) - codesWith(sample, a.dialect.delimiter),
    );
  if (best === undefined) return null;
  const { dialect } = best;
  return declared === undefined && isAddresses(sample, dialect.delimiter) ? null : dialect;
}

type Quotes = Pick<Dialect, 'quote' | 'escape'>;

const APOSTROPHES: Quotes = { quote: "'", escape: "'" };
const BACKSLASHES: Quotes = { quote: '"', escape: '\\' };

/** Returns the ways of quoting that occur in the sample, in order of preference. */
function quotesIn(sample: string): readonly Quotes[] {
  return [
    ...(/(?:^|[\r\n])'/.test(sample) || /[\t;|,]'/.test(sample) ? [APOSTROPHES] : []),
    { quote: '"', escape: '"' },
    ...(sample.includes('\\"') ? [BACKSLASHES] : []),
  ];
}

/** Counts lines with a barcode or an address between two of the character. */
function codesWith(sample: string, delimiter: string): number {
  const cells = sample.split(/[\r\n]+/).map((line) => line.replaceAll('"', '').split(delimiter));
  return cells.filter((line) => line.some((cell) => isBarcode(cell.trim()) || ADDRESS.test(cell)))
    .length;
}

const ADDRESS = /^https?:\/\/[^\s"]+$/i;

/**
 * Checks whether every line is one address that contains the character by chance. After the character, no line then has
 * what a sheet has there: an amount, a barcode, another address or nothing.
 */
function isAddresses(sample: string, delimiter: string): boolean {
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
  /** Number of records with a quote where the dialect allows none. */
  readonly strayQuotes: number;
  /** Whether half of the records have a quoted cell, and none has a stray quote or is left open. */
  readonly isSure: boolean;
};

function fitOf(sample: string, dialect: Dialect): Fit {
  const { records, isOpen } = recordsOf(sample, dialect);
  const frequency = new Map<number, number>();
  for (const { count } of records) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  const [usual] = [...frequency].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
  const fitting = records.filter(
    ({ count, hasQuoted, hasStray }) => count === usual || (count > 0 && hasQuoted && !hasStray),
  );
  const strayQuotes = records.filter(({ hasStray }) => hasStray).length;
  const quoted = records.filter(({ hasQuoted }) => hasQuoted).length;
  return {
    share: usual === 0 ? 0 : fitting.length / records.length,
    strayQuotes,
    isSure: !isOpen && strayQuotes === 0 && quoted * 2 >= records.length,
  };
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

type Records = {
  readonly records: readonly Counted[];
  /** Whether the sample ends within quotes, although it is the whole text. */
  readonly isOpen: boolean;
};

/** A shorter sample is the whole text. */
const WHOLE = 60_000;

/**
 * Splits the sample into records as RFC 4180 does with these characters: a quote opens where a cell begins, and closes at the
 * next one that is not escaped; line breaks within quotes are text. Empty lines are not records, nor is a record whose quote
 * the end of the sample cuts off, unless there is no other.
 */
function recordsOf(sample: string, { delimiter, quote, escape }: Dialect): Records {
  const records: Counted[] = [];
  let record = { count: 0, hasQuoted: false, hasStray: false };
  let [isQuoted, isEmpty, isEscaped] = [false, true, false];
  let before: Before = 'start';
  for (const sign of sample) {
    if (isEscaped) isEscaped = false;
    else if (isQuoted) {
      if (sign === quote) [isQuoted, before] = [false, 'closed'];
      else isEscaped = sign === escape;
    } else if (sign === '\n' || sign === '\r') {
      if (!isEmpty) records.push(record);
      record = { count: 0, hasQuoted: false, hasStray: false };
      [isEmpty, before] = [true, 'start'];
    } else {
      isEmpty = false;
      if (sign === delimiter) {
        record.count += 1;
        before = 'start';
      } else if (
        sign === quote &&
        (before === 'start' || (before === 'closed' && escape === quote))
      ) {
        // The second of two quotes continues the cell that the first seemed to close.
        isQuoted = true;
        record.hasQuoted = true;
      } else {
        // An apostrophe within a text is not a quote.
        record.hasStray ||= (sign === '"' && quote === '"') || before === 'closed';
        before = 'text';
      }
    }
  }
  if (!isEmpty && (!isQuoted || records.length === 0)) records.push(record);
  return { records, isOpen: isQuoted && sample.length < WHOLE };
}
