// Invented supplier sheets in many languages (tests/support/supplier-sheet.ts): the products and what one costs are read from the
// right columns, and from no other.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import { columnsOf, readEntries } from '../../../src/edge/runs/read-entries.ts';
import { openSheet } from '../../../src/edge/sheets/sheet.ts';
import { seedOf } from '../../support/random.ts';
import { supplierSheet } from '../../support/supplier-sheet.ts';

const SHEETS = 200;

test('in two hundred supplier sheets every product has its own code, and the cost of one or none', async (t) => {
  const seed = seedOf(20_261_130);
  t.diagnostic(`seed ${seed}`);
  for (let at = 0; at < SHEETS; at += 1) {
    const wanted = supplierSheet(seed + at);
    const bytes = async function* () {
      yield Buffer.from(wanted.text);
    };
    const sheet = await openSheet({ name: 'a.csv', bytes }, null);
    const columns = await columnsOf(sheet, { identifier: null, cost: null }, wanted.currency);
    const { names, identifier, cost, costRemarks } = columns;
    const found = {
      codes: names[identifier],
      costs: cost === null ? null : names[cost.at],
      rows: [] as { gtin: string | null; cents: number | null }[],
    };
    for await (const { wanted: code, costCents } of readEntries(sheet, columns)) {
      found.rows.push({ gtin: code === null ? null : toGtin14(code), cents: costCents });
    }
    const { codes, costs, rows } = wanted;
    assert.deepEqual(found, { codes, costs, rows }, `seed ${seed + at}\n${wanted.text}`);
    // Costs that are there and not used are never passed over without a word.
    if (costs === null) assert.match(costRemarks.join(' '), /not used/, wanted.text);
  }
});
