// Finds the character between the cells of a text: the one that most lines have equally often outside quotes. Null if the text
// is a plain list with one entry a line. Pure.

import { amountCents } from './amount-cell.ts';
import { isBarcode } from './mend-code.ts';

/** In the order in which they win if they do equally well: with `;` between cells, the comma stands in numbers. */
const DELIMITERS = ['\t', ';', '|', ','] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const MOST_RECORDS = 200;
/** The least share of lines that must have the character as often as most lines do. */
const ENOUGH = 0.6;

/** `sample` is the beginning of the text. A last line that is cut off does no harm. */
export function delimiterOf(sample: string): Delimiter | null {
  const declared = /^sep=([\t;|,])[\r\n]/i.exec(sample)?.[1];
  if (declared !== undefined) return declared as Delimiter;
  const scored = DELIMITERS.map((delimiter) => ({ delimiter, share: shareOf(sample, delimiter) }));
  const best = scored.reduce((a, b) => (b.share > a.share ? b : a));
  if (best.share < ENOUGH || isAddresses(sample, best.delimiter)) return null;
  return best.delimiter;
}

const ADDRESS = /^https?:\/\/[^\s"]+$/i;

/**
 * Whether every line is one address in which the character stands by chance. Behind the character, no line then has what a
 * sheet has there: an amount, a barcode, another address or nothing.
 */
function isAddresses(sample: string, delimiter: Delimiter): boolean {
  const lines = sample.split(/\r?\n|\r/).map((line) => line.trim());
  // The end of the sample may have cut the last line off.
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

/** The share of lines that have the most usual number of the character; 0 if that number is 0. */
function shareOf(sample: string, delimiter: Delimiter): number {
  const counts = countsOf(sample, delimiter);
  const frequency = new Map<number, number>();
  for (const count of counts) frequency.set(count, (frequency.get(count) ?? 0) + 1);
  const [usual, lines] = [...frequency].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
  return usual === 0 ? 0 : lines / counts.length;
}

/**
 * Counts the character in each line outside quotes. A quote opens where a cell begins, and closes at the next one that is not
 * doubled.
 */
function countsOf(sample: string, delimiter: Delimiter): readonly number[] {
  const counts: number[] = [];
  let count = 0;
  let isQuoted = false;
  let isStart = true;
  let isEmpty = true;
  for (const sign of sample) {
    if (isQuoted) {
      if (sign === '"') isQuoted = false;
      continue;
    }
    if (sign === '"' && isStart) isQuoted = true;
    const isEnd = sign === '\n' || sign === '\r';
    isStart = sign === delimiter || isEnd;
    if (sign === delimiter) count += 1;
    if (!isEnd) {
      isEmpty = false;
      continue;
    }
    if (!isEmpty) counts.push(count);
    count = 0;
    isEmpty = true;
    if (counts.length === MOST_RECORDS) return counts;
  }
  if (!isEmpty) counts.push(count);
  return counts;
}
