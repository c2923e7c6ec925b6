// The table of a run as people read it in a workbook: shops have their names, and what holds for every product is said once,
// in a tab of its own. Files for programs keep the codes. Pure.

import { WARNINGS_COLUMN } from './result-table.ts';
import type { TableCell, TableColumn } from '../sheets/table-cell.ts';
import type { WorkbookTable } from '../sheets/write-workbook.ts';

type ViewParts = {
  /** Number of columns of the given sheet, which remain as they are. */
  readonly ownColumns: number;
  /** Names of shops by slug. */
  readonly shops: Readonly<Record<string, string>>;
  readonly warnings: WarningFacts;
};

export type WarningFacts = {
  /** Warnings that every found product has. */
  readonly common: ReadonlySet<string>;
  /** Whether any product has another one. */
  readonly hasOthers: boolean;
};

/** Returns the table with names instead of slugs, and with warnings only if they distinguish rows. */
export function workbookView(
  { columns, rows }: WorkbookTable,
  { ownColumns, shops, warnings }: ViewParts,
): WorkbookTable {
  const named = (text: string): string =>
    text.replaceAll(/\bretailer_[a-z](?![a-z])/g, (slug) => shops[slug] ?? slug);
  const warningsAt = columns.findIndex(
    ({ name }, at) => at >= ownColumns && name === WARNINGS_COLUMN,
  );
  const isShown = (_: unknown, at: number): boolean => warnings.hasOthers || at !== warningsAt;
  const titled = columns.map((column, at): TableColumn => {
    const title = at < ownColumns ? column.name : named(column.name.replace(PRICE_OF, '$1 $2'));
    return title === column.name ? column : { ...column, title };
  });
  const viewed = (cell: TableCell, at: number): TableCell => {
    if (at < ownColumns || typeof cell !== 'string') return cell;
    if (at !== warningsAt) return columns[at]?.kind === 'text' ? named(cell) : cell;
    const own = cell.split('; ').filter((each) => !warnings.common.has(each));
    return named(own.join('; ')) || null;
  };
  return {
    columns: titled.filter(isShown),
    rows: (async function* () {
      for await (const row of rows) yield row.map(viewed).filter(isShown);
    })(),
    notes:
      warnings.common.size === 0
        ? []
        : ['These warnings hold for every product that was found:', ...warnings.common].map(named),
  };
}

const PRICE_OF = /^(retailer_[a-z])_(price|profit)$/;
