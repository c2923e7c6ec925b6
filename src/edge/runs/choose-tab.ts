// Decides which sheet of a workbook is read, by where products are.

import type { SheetColumns, WantedColumns } from '../sheets/identifier-column.ts';
import { otherTab, type Sheet } from '../sheets/sheet.ts';
import { SheetProblem } from '../sheets/sheet-row.ts';
import { columnsOf, nameAnother } from './read-entries.ts';

type SheetWithColumns = { readonly sheet: Sheet; readonly columns: SheetColumns };

/**
 * Finds the columns in the first rows. If the first sheet of a workbook has no products, such as a cover, and of the others
 * that are not hidden a single one has, that one is read. `currency` is the currency of costs. Throws a SheetProblem.
 */
export async function withColumns(
  sheet: Sheet,
  wanted: WantedColumns,
  currency?: string,
): Promise<SheetWithColumns> {
  const first = await foundColumns(sheet, wanted, currency);
  if (!(first instanceof SheetProblem)) return { sheet, columns: first };
  if (sheet.which === null) throw first;
  const others: SheetWithColumns[] = [];
  for (const tab of sheet.tabs.filter(({ name, isHidden }) => !isHidden && name !== sheet.tab)) {
    const other = otherTab(sheet, tab);
    const columns = await foundColumns(other, wanted, currency);
    if (!(columns instanceof SheetProblem)) others.push({ sheet: other, columns });
  }
  const [only] = others;
  if (only === undefined || others.length > 1) throw tabProblem(sheet, first, others);
  const which = only.sheet.which?.replace(/\.$/, ', the only one with products.') ?? null;
  return { columns: only.columns, sheet: { ...only.sheet, which } };
}

function tabProblem(
  { which, tabs }: Sheet,
  problem: SheetProblem,
  others: readonly SheetWithColumns[],
): SheetProblem {
  const names = others.map(({ sheet }) => `"${sheet.tab ?? ''}"`).join(', ');
  const have = others.length === 0 ? '' : ` ${names} have products.`;
  const shown = tabs.flatMap(({ name, isHidden }) => (isHidden ? [] : [name]));
  const advice =
    others.length === 0
      ? 'Put the one with the products first, or save it as a file of its own.'
      : 'Choose one.';
  return new SheetProblem(
    `${problem.message} ${nameAnother(`${which}${have}`)}`,
    `${problem.onPage} ${which}${have} ${advice}`,
    shown,
  );
}

async function foundColumns(
  sheet: Sheet,
  wanted: WantedColumns,
  currency: string | undefined,
): Promise<SheetColumns | SheetProblem> {
  try {
    return await columnsOf(sheet, wanted, currency);
  } catch (error) {
    if (error instanceof SheetProblem) return error;
    throw error;
  }
}
