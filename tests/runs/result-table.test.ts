// The table of a run has every column of the sheet beside its own, each once.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tableColumns } from '../../src/runs/result-table.ts';

for (const [given, shown] of [
  [
    ['Code', 'Shelf'],
    ['Code', 'Shelf'],
  ],
  [['status'], ['status (input)']],
  [
    ['Status', 'TITLE'],
    ['Status (input)', 'TITLE (input)'],
  ],
  [
    ['status', 'status (input)'],
    ['status (input) (2)', 'status (input)'],
  ],
  [
    ['Status (Input)', 'status', 'status (input) (2)'],
    ['Status (Input)', 'status (input) (3)', 'status (input) (2)'],
  ],
] as const) {
  test(`a sheet of ${given.join(', ')} has ${shown.join(', ')} in the table`, () => {
    const names = tableColumns(given).map(({ name }) => name);
    assert.deepEqual(names.slice(0, given.length), shown);
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
  });
}
