// The identifier that a sheet's row is looked up by.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  columnsOf,
  readEntries,
  rowsAboveRemark,
  type ReadEntry,
} from '../../../src/edge/runs/read-entries.ts';
import { readWholeSheet } from '../../../src/edge/runs/read-whole-sheet.ts';
import { openSheet } from '../../../src/edge/sheets/sheet.ts';

async function read(text: string) {
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  const sheet = await openSheet({ name: 'a.csv', bytes }, null);
  const columns = await columnsOf(sheet, { identifier: null, cost: null });
  const entries: ReadEntry[] = [];
  for await (const entry of readEntries(sheet, columns)) entries.push(entry);
  return { columns, entries };
}

for (const [heading, code, wanted] of [
  ['EAN', '96385074', '000096385074'],
  ['EAN', '9638 5074', '000096385074'],
  ['UPC', '04252614', '042100005264'],
  // A spreadsheet dropped its leading zero.
  ['UPC', '4252614', '042100005264'],
  ['EAN', '4252614', '042100005264'],
  // An EAN-8 and a UPC-E.
  ['UPC', '10000168', '100001000068'],
  ['EAN / UPC', '10000168', '000010000168'],
  ['Item ID', '96385074', '96385074'],
  ['Item ID', '4252614', '4252614'],
] as const) {
  test(`an EAN-8 in a column of barcodes is asked for as a barcode only: ${code} below ${heading} is ${wanted}`, async () => {
    const { entries } = await read(`${heading},cost\n${code},1\n`);
    assert.equal(entries[0]?.wanted, wanted);
  });
}

test('rows above the headings are not entries, and that is said', async () => {
  const { columns, entries } = await read(
    'Report of November\n\nUPC,Title,Cost\n614141000036,Lamp,1\n,Desk,2\n',
  );
  assert.deepEqual(
    entries.map(({ line, costCents }) => [line, costCents]),
    [
      [4, 100],
      [5, 200],
    ],
  );
  assert.equal(rowsAboveRemark(columns), 'The row above the headings in line 3 is skipped.');
  assert.equal(rowsAboveRemark((await read('UPC\n614141000036\n')).columns), null);
});

test('a cost that is not an amount is named with its row and text, and does not count as a repair', async () => {
  const bytes = Buffer.from('UPC,Cost\n614141000005,tbd\n614141000760,4.10-\n614141000043,5\n');
  const answer = await readWholeSheet({ name: 'a.csv', bytes });
  assert.deepEqual([answer.mended, answer.without_cost], [0, 2]);
  assert.deepEqual(
    answer.without_cost_lines.map(({ line, what }) => [line, what]),
    [
      [2, 'the cost "tbd" is not an amount'],
      [3, 'the cost "4.10-" is negative'],
    ],
  );
  assert.deepEqual(
    answer.products.map(({ cost }) => cost),
    [null, null, 5],
  );
});

test('costs of an uploaded sheet are in the currency of the installation', async () => {
  const bytes = Buffer.from('EAN;EK €\n4006381333931;4,10 €\n');
  const inEuros = await readWholeSheet({ name: 'a.csv', bytes, currency: 'EUR' });
  assert.equal(inEuros.products[0]?.cost, 4.1);
  const inDollars = await readWholeSheet({ name: 'a.csv', bytes });
  assert.equal(inDollars.products[0]?.cost, null);
  assert.match(inDollars.remarks.join(' '), /"EK €" is not in USD/);
});
