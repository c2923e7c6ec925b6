// Writes the shown table as a file, in the order on the page: CSV here, a workbook by the service.

import { session } from './session.js';
import { csvOf } from './csv.js';
import { download } from './dom.js';
import { hostOf } from './format.js';

/** @typedef {import('./table.js').Table} Table */
/** @typedef {import('./table.js').Line} Line */
/** @typedef {import('../src/answer/wire/sheet.ts').SheetTable} SheetTable */

/** Columns whose values are slugs of shops. */
const SHOPS = new Set(['best_at', 'sell_at', 'elsewhere_at']);

/** @param {Table} table */
export function saveCsv({ ordered, columns, costs, own }) {
  const shown = columns.filter(({ key: name }) => costs.hasProfits || !name.endsWith('_profit'));
  const rows = ordered.map((line) => [
    ...(own?.names.map((_, at) => textOf(cellsOf(own, line)[at])) ?? []),
    ...shown.map(({ value }) => value(line)),
    line.problem?.detail ?? line.state,
  ]);
  const heads = [...(own?.names ?? []), ...shown.map(({ key: name }) => name), 'state'];
  download('products.csv', csvOf([heads, ...rows]), 'text/csv;charset=utf-8');
}

/**
 * Has the service write a workbook, and downloads it. Returns why it did not; null if it did.
 * @param {Table} table
 * @returns {Promise<string | null>}
 */
export async function saveWorkbook(table) {
  try {
    const json = new Blob([JSON.stringify(sheetTable(table))]);
    const packed = json.stream().pipeThrough(new CompressionStream('gzip'));
    const response = await fetch('/console/sheet?write=xlsx', {
      method: 'POST',
      headers: {
        Authorization: `Session ${session()?.token ?? ''}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      body: await new Response(packed).blob(),
      credentials: 'same-origin',
    });
    if (!response.ok) return (await response.json()).detail;
    download('products.xlsx', await response.blob(), response.headers.get('content-type') ?? '');
    return null;
  } catch {
    return 'The service does not answer. Try again in a minute.';
  }
}

/**
 * @param {Table} table
 * @returns {SheetTable}
 */
function sheetTable({ lines, ordered, columns, costs, empty, own }) {
  const shown = columns.filter(({ key: name }) => !empty.has(name));
  const isDollars = lines.every(({ record }) => (record?.currency ?? 'USD') === 'USD');
  const kindOf = (/** @type {import('./columns.js').Kind} */ kind) =>
    kind === 'money' && isDollars ? 'dollars' : kind;
  return {
    columns: [
      ...(own?.names.map((name) => ({ name, kind: /** @type {const} */ ('own') })) ?? []),
      ...shown.map(({ label, kind }) => ({ name: label, kind: kindOf(kind) })),
      { name: 'Address', kind: 'link' },
      { name: 'State', kind: 'text' },
    ],
    rows: ordered.map((line) => [
      ...(own?.names.map((_, at) => cellsOf(own, line)[at] ?? null) ?? []),
      ...shown.map(({ key: name, value }) => named(name, value(line))),
      line.record?.best_price?.url ?? null,
      line.problem?.detail ?? line.state,
    ]),
    notes: costs.common.size === 0 ? [] : [`These warnings hold for all lines:`, ...costs.common],
  };
}

/** @param {string} column @param {string | number | null} value */
function named(column, value) {
  return SHOPS.has(column) && typeof value === 'string' ? hostOf(value) : value;
}

/** @param {import('./sheet-file.js').OwnCells} own @param {Line} line */
const cellsOf = (own, { id }) => own.cells.get(id) ?? [];

/** @param {import('../src/answer/wire/sheet.ts').OwnCell | undefined} cell */
const textOf = (cell) => (typeof cell === 'object' ? cell.text : cell);
