// Parses an amount of money in a sheet cell into cents. Pure.

/** The character before the cents in a column of amounts. */
export type DecimalMark = '.' | ',';

/**
 * One to seven digits, or groups of three separated by a point, a comma or, as in Switzerland, an apostrophe; then
 * decimals.
 */
const AMOUNT = /^(\d{1,7}|\d{1,3}(?<group>[.,'\u2019])\d{3}(?:\k<group>\d{3})*)(?:([.,])(\d+))?$/;
const MOST_CENTS = 100_000_000;

/**
 * Parses `$1,234.50`, `12.5`, `12,50`, `1.234,50` as cents, rounded. Null if it is not an amount in the currency from 0 to a
 * million. `mark` is the column's decimal mark, by which `1.500` and `12,505` are read. Without it, a point precedes decimals,
 * and three digits after a comma are thousands.
 */
export function amountCents(
  cell: string,
  mark: DecimalMark | null = null,
  currency = 'USD',
): number | null {
  const text = bareOf(cell, currency);
  const [, whole = '', , decimalMark, decimals = ''] = AMOUNT.exec(text) ?? [];
  if (whole === '') return null;
  // One mark and three digits, as in `1.500` or `12,505`.
  const [, left = '', only, three = ''] = /^(\d{1,3})([.,])(\d{3})$/.exec(text) ?? [];
  if (only !== undefined) {
    return left === '0' || only === (mark ?? '.')
      ? centsOf(left, three)
      : centsOf(left + three, '');
  }
  const isGrouped = !/^\d+$/.test(whole);
  if (isGrouped && decimalMark !== undefined && whole.includes(decimalMark)) return null;
  // Three or more digits after a comma are decimals only in a column whose mark is the comma.
  if (decimalMark === ',' && mark !== ',' && decimals.length > 2) return null;
  return centsOf(whole.replaceAll(/\D/g, ''), decimals);
}

/** Signs that stand for one currency in a sheet that is said to be in it. */
const SIGNS: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', JPY: '¥', INR: '₹' };

/** Removes sign and code of the currency, and spaces, from a cell. */
function bareOf(cell: string, currency = 'USD'): string {
  const bare = cell.replaceAll(/[\s\u00a0]/g, '');
  if (currency !== 'USD') return withoutOne(bare, [currency, SIGNS[currency] ?? currency]);
  return bare.replace(/^(?:(?:us)?\$|usd)/i, '').replace(/(?:\$|usd)$/i, '');
}

function withoutOne(text: string, names: readonly string[]): string {
  const upper = text.toUpperCase();
  const before = names.find((name) => upper.startsWith(name));
  if (before !== undefined) return text.slice(before.length);
  const after = names.find((name) => upper.endsWith(name));
  return after === undefined ? text : text.slice(0, -after.length);
}

function centsOf(whole: string, decimals: string): number | null {
  const [hundredths, next = '0'] = [`${decimals}00`.slice(0, 2), decimals[2]];
  const cents = Number(whole + hundredths) + (next >= '5' ? 1 : 0);
  return cents > MOST_CENTS ? null : cents;
}

/**
 * Returns a column's decimal mark: the only mark after which some of its cells have one or two digits. Null if no mark has
 * such cells, or both do.
 */
export function decimalMarkOf(cells: readonly string[]): DecimalMark | null {
  const isUsed = (mark: DecimalMark): boolean =>
    cells.some((cell) => {
      const text = bareOf(cell);
      return amountCents(cell) !== null && /^[.,]\d{1,2}$/.test(text.slice(text.lastIndexOf(mark)));
    });
  const [hasComma, hasPoint] = [isUsed(','), isUsed('.')];
  if (hasComma === hasPoint) return null;
  return hasComma ? ',' : '.';
}
