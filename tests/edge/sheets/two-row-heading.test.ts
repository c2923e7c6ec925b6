// A heading in two rows, the upper merged over several columns, names each column by both, and neither row is an entry.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseColumns, type WantedColumns } from '../../../src/edge/sheets/identifier-column.ts';
import { readRow } from '../../../src/edge/sheets/sheet-row.ts';

const UNIT = '614141000005';
const CASE = '10614141000002';
const NONE: WantedColumns = { identifier: null, cost: null };

const chosen = (lines: readonly string[], wanted = NONE) => {
  const rows = lines.map((line, at) => readRow(at + 1, line.split(',')));
  const { names, identifier, cost, headingLine, rowsAbove } = chooseColumns(rows, wanted);
  return [names[identifier], cost === null ? null : names[cost.at], headingLine, rowsAbove];
};

for (const [what, lines, expected] of [
  [
    'codes and costs of units and cases',
    ['Item,Codes,,Cost,', ',Unit UPC,Case UPC,Unit,Case', `Tray,${UNIT},${CASE},4.10,49.20`],
    ['Unit UPC Codes', 'Unit Cost', 2, 0],
  ],
  [
    'words for codes only in the upper row',
    ['Item,UPC,,Cost,', ',Unit,Case,Unit,Case', `Tray,${UNIT},${CASE},4.10,49.20`],
    ['Unit UPC', 'Unit Cost', 2, 0],
  ],
  [
    'a title above',
    [
      'Price list,,,,',
      'Item,UPC,,Cost,',
      ',Unit,Case,Unit,Case',
      `Tray,${UNIT},${CASE},4.10,49.20`,
    ],
    ['Unit UPC', 'Unit Cost', 3, 1],
  ],
  [
    'a column named in the upper row only',
    ['EAN,Name,Price,', ',,Net price,RRP', `${UNIT},Tray,4.10,9.99`],
    ['EAN', 'Net price Price', 2, 0],
  ],
  [
    'the same words below two others',
    ['EAN,Wholesale,,Retail,', 'Code,Price,Stock,Price,Stock', `${UNIT},4.10,3,9.99,1`],
    ['Code EAN', 'Price Wholesale', 2, 0],
  ],
  [
    'a heading in one row below a title of two cells',
    ['Acme,,Valid from May', 'UPC,Title,Cost', `${UNIT},Tray,4.10`],
    ['UPC', 'Cost', 2, 1],
  ],
  [
    'a heading in one row above a group of products',
    ['UPC,Title,Cost', 'Kitchen,Trays,', `${UNIT},Tray,4.10`],
    ['UPC', 'Cost', 1, 0],
  ],
  [
    'a heading in one row above a product without a code',
    ['UPC,Title,Cost', 'none yet,Tray,4.10', `${UNIT},Mug,5.00`],
    ['UPC', 'Cost', 1, 0],
  ],
  [
    'sections above a heading that needs no other names',
    ['Product,,Money,', 'UPC,Title,Cost,RRP', `${UNIT},Tray,4.10,9.99`],
    ['UPC', 'Cost', 2, 1],
  ],
  ['one row of headings', ['UPC,,Cost', `${UNIT},x,4.10`], ['UPC', 'Cost', 1, 0]],
] as const) {
  test(`columns are named with ${what}`, () => {
    assert.deepEqual(chosen(lines), expected);
  });
}

test('a column is taken by its whole name or by the lower one', () => {
  const lines = [
    'Item,Codes,,Cost,',
    ',Unit UPC,Case UPC,Unit,Case',
    `x,${UNIT},${CASE},4.10,49.20`,
  ];
  assert.equal(chosen(lines, { identifier: 'Case UPC', cost: null })[0], 'Case UPC');
  assert.equal(chosen(lines, { identifier: null, cost: 'Case Cost' })[1], 'Case Cost');
});
