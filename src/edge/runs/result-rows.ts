// The rows of the table, one for each row of the sheet, in sheet order.

import type { SellerCosts } from '../../rules/product/profit.ts';
import type { SheetColumns } from '../sheets/identifier-column.ts';
import type { TableCell } from '../sheets/table-cell.ts';
import { changedText } from './changed-result.ts';
import type { Journal, LastRun } from './journal.ts';
import type { ReadEntry } from './read-entries.ts';
import { profitCells, resultRow, warningsOf, type EntryResult } from './result-table.ts';
import type { WarningFacts } from './workbook-view.ts';

/** Number of rows by their result. `repeated` rows are also counted among the others. */
export type RunCounts = { -readonly [Status in EntryResult['status'] | 'repeated']: number };

type ResultRowsParts = {
  readonly journal: Pick<Journal, 'result'>;
  readonly columns: SheetColumns;
  readonly costs: Omit<SellerCosts, 'costCents'>;
  /** Whether there is a column for the currency. */
  readonly hasCurrency: boolean;
  /** Whether each marketplace has a column for the profit there. */
  readonly hasProfits: boolean;
  /** The last run; null if changes are not wanted, `none` if there was none. */
  readonly last: Pick<LastRun, 'result'> | 'none' | null;
  /** Counted while the rows are made. */
  readonly counts: RunCounts;
};

/** Yields the rows of the result, in sheet order. */
export async function* resultRows(
  entries: AsyncIterable<ReadEntry>,
  { journal, columns, costs, hasCurrency, hasProfits, last, counts }: ResultRowsParts,
): AsyncGenerator<readonly TableCell[]> {
  const seen = new Set<string>();
  for await (const entry of entries) {
    const result = resultOf(entry, journal);
    const { wanted, cells, typed } = entry;
    const isAgain = wanted !== null && seen.has(wanted);
    if (wanted !== null) seen.add(wanted);
    counts[result.status] += 1;
    if (isAgain) counts.repeated += 1;
    // Only the first row of a product shows what it cost.
    const shown = isAgain ? { ...result, tokens: 0 } : result;
    const own = columns.names.map((_, at) => typed?.[at] ?? cells[at] ?? null);
    yield [
      ...own,
      ...resultRow(entry, shown, costs),
      ...(hasProfits ? profitCells(entry, result, costs) : []),
      ...(last === null ? [] : [changeOf(last, wanted, result)]),
      ...(hasCurrency ? [currencyOf(result)] : []),
    ];
  }
}

function changeOf(
  last: Pick<LastRun, 'result'> | 'none',
  wanted: string | null,
  now: EntryResult,
): string | null {
  return last === 'none' || wanted === null ? null : changedText(last.result(wanted), now);
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

/** Reads which warnings all products have, if several were found, and whether there are others. */
export async function warningFacts(
  entries: AsyncIterable<ReadEntry>,
  journal: Pick<Journal, 'result'>,
  costPer: SellerCosts['costPer'],
): Promise<WarningFacts> {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for await (const entry of entries) {
    if (entry.wanted === null || seen.has(entry.wanted)) continue;
    const result = resultOf(entry, journal);
    if (result.status !== 'found') continue;
    seen.add(entry.wanted);
    for (const each of warningsOf(result.product, costPer)) {
      counts.set(each, (counts.get(each) ?? 0) + 1);
    }
  }
  const isCommon = (count: number): boolean => seen.size > 1 && count === seen.size;
  const common = [...counts].flatMap(([each, count]) => (isCommon(count) ? [each] : []));
  return { common: new Set(common), hasOthers: common.length < counts.size };
}

function resultOf({ wanted, problem }: ReadEntry, journal: Pick<Journal, 'result'>): EntryResult {
  if (wanted !== null) return journal.result(wanted);
  const { status, detail } = problem ?? { status: 'invalid' as const, detail: '' };
  return { status, detail, tokens: 0 };
}
