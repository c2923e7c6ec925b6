// The first rows of a sheet as a run would read them, before anything is asked or spent.

import { COST_PER_WORDS, type CostPer } from '../../../rules/product/cost-factor.ts';
import { readEntries } from '../../runs/read-entries.ts';
import { PREVIEW_ROWS } from '../../runs/read-whole-sheet.ts';
import type { SheetColumns } from '../../sheets/identifier-column.ts';
import type { Sheet } from '../../sheets/sheet.ts';
import { usdOf } from '../../../answer/wire/hundredths.ts';
import { textTable } from '../text-table.ts';

/** Renders ten rows: what would be looked up, what it costs you, and what was corrected or is wrong. */
export async function previewLines(
  sheet: Sheet,
  columns: SheetColumns,
  costPer: CostPer,
): Promise<readonly string[]> {
  const rows: (readonly string[])[] = [['line', 'looked up', 'your cost', '']];
  for await (const { line, identifier, wanted, problem, ...entry } of readEntries(sheet, columns)) {
    const about = [problem?.detail, entry.note, entry.costProblem];
    rows.push([
      String(line),
      (wanted ?? identifier).slice(0, 40) || '-',
      usdOf(entry.costCents)?.toFixed(2) ?? '-',
      about.filter((each) => each !== null && each !== undefined).join('; '),
    ]);
    if (rows.length > PREVIEW_ROWS) break;
  }
  const { cost, names } = columns;
  return [
    ...textTable(rows, (column) => column === 0 || column === 2),
    cost === null
      ? 'No column has your costs. Choose one with --cost-column.'
      : `A cost in "${names[cost.at]}" is for ${COST_PER_WORDS[costPer]} (--cost-per).`,
  ];
}
