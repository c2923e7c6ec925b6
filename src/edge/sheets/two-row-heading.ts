// Headings in two rows, the upper of which is merged over several columns: "Cost" above "Unit" and "Case". Pure.

import { amountCents } from './amount-cell.ts';
import type { SheetRow } from './sheet-row.ts';

/** `row` is on the line of the lower row and names columns by both; `first` is the upper row. */
type WholeHeading = { readonly row: SheetRow; readonly first: SheetRow };

/**
 * Returns the heading of which this row is the upper or the lower half; null if it is a heading of its own. `rows` are those
 * before the first entry.
 */
export function twoRowHeading(rows: readonly SheetRow[], heading: SheetRow): WholeHeading | null {
  const at = rows.indexOf(heading);
  for (const upper of [at - 1, at]) {
    const [first, second] = rows.slice(Math.max(0, upper), upper + 2);
    if (upper >= 0 && first !== undefined && second !== undefined && isOneHeading(first, second)) {
      return { row: { ...second, cells: joinedNames(first, second) }, first };
    }
  }
  return null;
}

/**
 * Checks whether the rows are one heading: both have several names and nothing else, the upper has one above columns that only
 * the lower names, and the lower needs it, because it leaves a column without a name or names two alike.
 */
function isOneHeading({ cells: upper }: SheetRow, { cells: lower }: SheetRow): boolean {
  const filled = lower.filter((cell) => cell.trim() !== '');
  if (!isNames(upper) || !isNames(lower)) return false;
  const isMerged = lower.some((cell, at) => cell.trim() !== '' && (upper[at] ?? '').trim() === '');
  const isUnnamed = upper.some((cell, at) => cell.trim() !== '' && (lower[at] ?? '').trim() === '');
  const hasRepeated = new Set(filled.map((cell) => cell.trim().toLowerCase())).size < filled.length;
  return isMerged && (isUnnamed || hasRepeated);
}

function isNames(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return (
    filled.length > 1 &&
    filled.every((cell) => /\p{L}/u.test(cell) && !/\d{6}/.test(cell) && amountCents(cell) === null)
  );
}

function joinedNames({ cells: upper }: SheetRow, { cells: lower }: SheetRow): readonly string[] {
  let above = '';
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_, at) => {
    const [own, name] = [(upper[at] ?? '').trim(), (lower[at] ?? '').trim()];
    if (own !== '') above = own;
    if (name === '') return own;
    return above === '' ? name : `${name} ${above}`;
  });
}
