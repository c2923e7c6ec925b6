// The rows of the table, one for each row of the sheet, in sheet order.

import type { SellerCosts } from '../../rules/product/profit.ts';
import type { SheetColumns } from '../sheets/identifier-column.ts';
import type { TableCell } from '../sheets/write-table.ts';
import type { Journal } from './journal.ts';
import type { ReadEntry } from './read-entries.ts';
import { resultRow, type EntryResult } from './result-table.ts';

/** Number of rows by their result. `repeated` rows are also counted among the others. */
export type RunCounts = { -readonly [Status in EntryResult['status'] | 'repeated']: number };

type ResultRowsParts = {
  readonly journal: Pick<Journal, 'result'>;
  readonly columns: SheetColumns;
  readonly costs: Omit<SellerCosts, 'costCents'>;
  /** Whether there is a column for the currency. */
  readonly hasCurrency: boolean;
  /** Counted while the rows are made. */
  readonly counts: RunCounts;
};

/** Yields the rows of the result, in sheet order. */
export async function* resultRows(
  entries: AsyncIterable<ReadEntry>,
  { journal, columns, costs, hasCurrency, counts }: ResultRowsParts,
): AsyncGenerator<readonly TableCell[]> {
  const seen = new Set<string>();
  for await (const entry of entries) {
    const result = resultOf(entry, journal);
    const { wanted, cells } = entry;
    const isAgain = wanted !== null && seen.has(wanted);
    if (wanted !== null) seen.add(wanted);
    counts[result.status] += 1;
    if (isAgain) counts.repeated += 1;
    // Only the first row of a product shows what it cost.
    const shown = isAgain ? { ...result, tokens: 0 } : result;
    const own = columns.names.map((_, at) => cells[at] ?? null);
    yield [...own, ...resultRow(entry, shown, costs), ...(hasCurrency ? [currencyOf(result)] : [])];
  }
}

function currencyOf(result: EntryResult): string | null {
  return result.status === 'found' ? (result.product.currency ?? null) : null;
}

/** Checks whether the answers of a run state their currency: all do, or none. */
export async function statesCurrency(
  entries: AsyncIterable<ReadEntry>,
  journal: Pick<Journal, 'result'>,
): Promise<boolean> {
  for await (const entry of entries) {
    const result = resultOf(entry, journal);
    if (result.status === 'found') return result.product.currency !== undefined;
  }
  return false;
}

function resultOf({ wanted, problem }: ReadEntry, journal: Pick<Journal, 'result'>): EntryResult {
  if (wanted !== null) return journal.result(wanted);
  const { status, detail } = problem ?? { status: 'invalid' as const, detail: '' };
  return { status, detail, tokens: 0 };
}
