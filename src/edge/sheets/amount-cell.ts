// Parses an amount of money in a sheet cell into cents. Pure.

import { typedText } from '../../base/identifiers/typed-text.ts';
import {
  markerAfter,
  markerBefore,
  wholeTextCodes,
} from '../../base/listing/money/currency-marker.ts';
import { numeralsOf, type Numeral } from '../../base/listing/text/numeral.ts';
import { oneOf } from '../../base/listing/words/all-languages.ts';
import { once } from '../../base/once.ts';

/** The character before the cents in a column of amounts. */
export type DecimalMark = '.' | ',';

/** What a cell states: an amount, or why it states none, as the rest of a sentence about the cell. */
export type AmountCell =
  | { readonly cents: number; readonly problem: null }
  | { readonly cents: null; readonly problem: string };

const MOST_CENTS = 100_000_000;
const MAX_LENGTH = 80;
const PLAIN = /^(\d{1,7})(?:([.,])(\d{1,2}))?$/;
/** Currencies whose cents may follow a colon. */
const WITH_COLON = /^(?:SEK|NOK|DKK|ISK)$/;

/**
 * Parses `$1,234.50`, `12.5`, `12,50 € / Stk`, `1.234,50`, `12,-`, `.99` as cents, rounded. It is not an amount if it is
 * negative, above a million, in a currency other than `currency`, or has words for anything but a piece, a tax or the
 * currency. `mark` is the column's decimal mark, by which `1.500` and `12,505` are read. Without it, a point precedes decimals,
 * and three digits after a comma are thousands.
 */
export function readAmountCell(
  cell: string,
  mark: DecimalMark | null = null,
  currency = 'USD',
): AmountCell {
  // Most cells are a number and nothing else.
  const [, units, , hundredths = ''] = PLAIN.exec(cell) ?? [];
  if (units !== undefined) return amount(units, hundredths);
  if (cell.length > MAX_LENGTH) return NOT_AN_AMOUNT;
  const text = preparedText(cell, currency);
  const exponent = EXPONENT.exec(text);
  if (exponent !== null) return amount(shifted(exponent), '');
  // The character before a dash for the cents is the decimal mark, whatever the column has.
  const own = /([.,]) ?-{1,2}(?!\d)/.exec(text)?.[1] as DecimalMark | undefined;
  const [numeral, ...others] = numeralsOf(text, rulesOf(own ?? mark));
  if (numeral === undefined || numeral.integer === null || others.length > 0) return NOT_AN_AMOUNT;
  const { integer, fraction, start } = numeral;
  const end = withDashForCents(text, numeral.end);
  const [before, after] = [markerBefore(text, start), markerAfter(text, end)];
  const around = `${text.slice(0, before?.start ?? start)} ${text.slice(after?.end ?? end)}`;
  if (isNegative(text, around)) return { cents: null, problem: 'is negative' };
  const markers = [before, after].filter((each) => each !== null).map(({ codes }) => codes);
  const words = around.replaceAll(/[()[\],;:]/g, ' ').trim();
  const named = words === '' ? undefined : wholeTextCodes(words);
  const other = [...markers, ...(named === undefined ? [] : [named])].find(
    (codes) => !codes.includes(currency),
  );
  if (other !== undefined) {
    return { cents: null, problem: `is in ${other.slice(0, 3).join(' or ')}, not ${currency}` };
  }
  if (named === undefined && !isOfOne(around)) return NOT_AN_AMOUNT;
  // Three digits after a comma are decimals only in a column whose mark is the comma.
  const isComma = text.slice(start, numeral.end).includes(`,${fraction}`);
  if (fraction.length === 3 && isComma && mark !== ',' && integer !== '0') return NOT_AN_AMOUNT;
  return amount(integer, fraction);
}

/** Same, but returns only the cents; null if the cell is not an amount. */
export function amountCents(
  cell: string,
  mark: DecimalMark | null = null,
  currency = 'USD',
): number | null {
  return readAmountCell(cell, mark, currency).cents;
}

const NOT_AN_AMOUNT = { cents: null, problem: 'is not an amount' } as const;

/** Spreadsheets and programs write a number as `1.25E+02`. */
const EXPONENT = /^(\d)(?:[.,](\d{1,15}))?e\+?0{0,2}(\d)$/i;

function shifted([, first = '', rest = '', power = '']: RegExpExecArray): string {
  const count = Number(power);
  return `${first}${rest.slice(0, count).padEnd(count, '0')}.${rest.slice(count)}`;
}

/** Returns plain text in which cents without a zero have one: `.99`, `$ ,5`, but not `Rs.99`. */
function preparedText(cell: string, currency: string): string {
  const text = typedText(cell)
    .trim()
    .replace(/(?<![\d.,\p{L}])[.,](?=\d)/u, (point) => `0${point}`);
  return WITH_COLON.test(currency) ? text.replace(/(?<=^\D*\d+):(?=\d\d(?!\d))/, '.') : text;
}

function rulesOf(mark: DecimalMark | null) {
  return {
    blanks: true,
    apostropheCents: true,
    threeDigits: (each: string) => (each === (mark ?? '.') ? 'decimal' : 'thousands'),
  } as const;
}

/** Returns the end of an amount with the dash that replaces its cents: `12,-`, `12.--`, `5:-`, and in India `500/-`. */
function withDashForCents(text: string, end: number): number {
  return end + (/^(?:[.,:] ?-{1,2}|\/[-=])(?!\d)/.exec(text.slice(end))?.[0].length ?? 0);
}

/** `-5`, `$-5`, `5-`, `(5)`, `5 CR`. */
function isNegative(text: string, around: string): boolean {
  const isInBrackets = /^\D{0,5}\(\D{0,5}[\d.,' ]+\D{0,5}\)\D{0,5}$/.test(text);
  return isInBrackets || /-\s*$|^\s*-|\bcr\b/i.test(around.trim());
}

const ofOne = once(() => {
  const words = (
    [
      'by',
      'per',
      'piece',
      'pieceOf',
      'tax',
      'withTax',
      'withoutTax',
      'taxExcluded',
      'taxIncluded',
      'net',
    ] as const
  )
    .map((meaning) => oneOf(meaning))
    .join('|');
  return new RegExp(
    `^(?:${words}|each|ea|à|@|l|u|un|[个個件本枚台]|unid|pza|pce|item|gross|article|artikel|cost|price)$`,
    'iu',
  );
});

/** Checks for words that leave an amount the cost of one: `/ Stk`, `each`, `excl. VAT`. */
function isOfOne(around: string): boolean {
  const words = around.split(/[\s/(),;.:*+=’']+/).filter((word) => word !== '');
  return words.every((word) => ofOne().test(word));
}

function amount(integer: string, fraction: string): AmountCell {
  const [whole = '', decimals = fraction] = integer.split('.');
  const [hundredths, next = '0'] = [`${decimals}00`.slice(0, 2), decimals[2]];
  const cents = Number(whole + hundredths) + (next >= '5' ? 1 : 0);
  return cents > MOST_CENTS ? NOT_AN_AMOUNT : { cents, problem: null };
}

/**
 * Returns a column's decimal mark: the only mark after which some of its cells have one, two or more than three digits, or a
 * dash for them. Null if no mark has such cells, or both do.
 */
export function decimalMarkOf(cells: readonly string[], currency = 'USD'): DecimalMark | null {
  const used = new Set(cells.map((cell) => markIn(cell, currency)));
  const [hasComma, hasPoint] = [used.has(','), used.has('.')];
  if (hasComma === hasPoint) return null;
  return hasComma ? ',' : '.';
}

function markIn(cell: string, currency: string): string | null {
  const plain = PLAIN.exec(cell);
  if (plain !== null) return plain[2] ?? null;
  if (amountCents(cell, null, currency) === null) return null;
  const text = preparedText(cell, currency);
  const [numeral] = numeralsOf(text, rulesOf(null)) as Iterable<Numeral>;
  const written = numeral === undefined ? '' : text.slice(numeral.start, numeral.end + 2);
  return (
    /([.,])(?:\d{1,2}|\d{4,}|[ -]-?)(?!\d)/.exec(
      written.slice(written.search(/[.,][^.,]*$/)),
    )?.[1] ?? null
  );
}
