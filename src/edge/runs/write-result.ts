// Writes the table of a complete run to a file.

import { shopHosts } from '../../read/retailers/addresses/public-origins.ts';
import type { SellerCosts } from '../../rules/product/profit.ts';
import type { SheetColumns } from '../sheets/identifier-column.ts';
import { filePath } from '../sheets/output-file.ts';
import type { TableFormat } from '../sheets/table-format.ts';
import { writeTable } from '../sheets/write-table.ts';
import type { Journal, LastRun } from './journal.ts';
import type { ReadEntry } from './read-entries.ts';
import { resultRows, statesCurrency, warningFacts, type RunCounts } from './result-rows.ts';
import { tableColumns } from './result-table.ts';
import { orderNamed, sortedRows } from './sorted-rows.ts';
import { workbookView } from './workbook-view.ts';

type ResultParts = {
  /** Reads the entries from the beginning at each call. */
  readonly entries: () => AsyncIterable<ReadEntry>;
  readonly journal: Pick<Journal, 'result'>;
  readonly columns: SheetColumns;
  readonly costs: Omit<SellerCosts, 'costCents'>;
  /** Whether each marketplace has a column for the profit there. */
  readonly hasProfits: boolean;
  /** The last run, to state what changed; null if that is not wanted, `none` if there was none. */
  readonly last: Pick<LastRun, 'result'> | 'none' | null;
  /** A column, and `:desc`; undefined for the order of the sheet. */
  readonly sort: string | undefined;
};

/** Returns the number of rows by result. Throws if there is no such column to sort by. */
export async function writeResult(
  out: string,
  format: TableFormat,
  { entries, journal, columns, costs, hasProfits, last, sort }: ResultParts,
): Promise<RunCounts> {
  const counts: RunCounts = {
    found: 0,
    not_found: 0,
    error: 0,
    invalid: 0,
    unread: 0,
    skipped: 0,
    repeated: 0,
  };
  const hasCurrency = await statesCurrency(entries(), journal);
  const made = { journal, costs, columns, hasCurrency, hasProfits, last, counts };
  const ours = tableColumns(columns.names, {
    hasCurrency,
    hasProfits,
    hasChanges: last !== null,
  });
  const inOrder = resultRows(entries(), made);
  const rows =
    sort === undefined
      ? inOrder
      : sortedRows(inOrder, orderNamed(sort, ours), `${filePath(out)}.sorting`);
  const table = { columns: ours, rows };
  const view = async () =>
    workbookView(table, {
      ownColumns: columns.names.length,
      shops: shopHosts(),
      warnings: await warningFacts(entries(), journal, costs.costPer),
    });
  await writeTable(out, format, format === 'xlsx' ? await view() : table);
  return counts;
}
