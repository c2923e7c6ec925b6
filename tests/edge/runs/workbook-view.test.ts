// What holds for every product is said once in a workbook; what distinguishes rows is in them, with the names of shops.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { workbookView } from '../../../src/edge/runs/workbook-view.ts';
import type { TableColumn } from '../../../src/edge/sheets/table-cell.ts';

const COLUMNS: readonly TableColumn[] = [
  { name: 'warnings', kind: 'own' },
  { name: 'best_retailer', kind: 'text' },
  { name: 'retailer_w_price', kind: 'dollars' },
  { name: 'warnings', kind: 'text' },
];
const SHOPS = { retailer_w: 'shop-w.example', retailer_h: 'shop-h.example' };

async function viewed(common: readonly string[], warnings: readonly (readonly string[])[]) {
  const rows = async function* () {
    for (const each of warnings) {
      yield ['retailer_w', 'retailer_w', 5, [...common, ...each].join('; ')];
    }
  };
  const view = workbookView(
    { columns: COLUMNS, rows: rows() },
    {
      ownColumns: 1,
      shops: SHOPS,
      warnings: { common: new Set(common), hasOthers: warnings.flat().length > 0 },
    },
  );
  const names = view.columns.map(({ name, title }) => title ?? name);
  const shown: (readonly unknown[])[] = [];
  for await (const row of view.rows) shown.push(row);
  return { names, rows: shown, notes: view.notes };
}

test('a warning of every product is in the notes, one of some products in their rows', async () => {
  const { names, rows, notes } = await viewed(
    ['retailer_h blocked'],
    [[], ['retailer_w other_pack', 'no_fees']],
  );
  assert.deepEqual(names, ['warnings', 'best_retailer', 'shop-w.example price', 'warnings']);
  assert.deepEqual(rows, [
    ['retailer_w', 'shop-w.example', 5, null],
    ['retailer_w', 'shop-w.example', 5, 'shop-w.example other_pack; no_fees'],
  ]);
  assert.deepEqual(notes, [
    'These warnings hold for every product that was found:',
    'shop-h.example blocked',
  ]);
});

test('without a warning that distinguishes rows there is no column of them', async () => {
  const { names, rows } = await viewed(['retailer_h blocked'], [[], []]);
  assert.deepEqual(names, ['warnings', 'best_retailer', 'shop-w.example price']);
  assert.deepEqual(rows[0], ['retailer_w', 'shop-w.example', 5]);
});
