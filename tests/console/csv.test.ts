// A table of the console as a file: text of hostile shops stays text in a spreadsheet of any language.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csvOf } from '../../console/csv.js';
import { csvCell } from '../../src/base/csv-cell.ts';
import { nastyText } from '../support/nasty-cells.ts';
import { randomFrom, seedOf } from '../support/random.ts';

test('what a spreadsheet would run has an apostrophe before it, also after whatever may end a cell', () => {
  const rows = [
    ['=1+1', 'tea;=1+1', 'tea;"=1+1;'],
    ['tea\n=1+1', 'tea\t+1+1', "tea;-1 +cmd|' /C calc'!A0"],
    ['20;-5', 'black; = white; a=b', -5],
  ];
  assert.equal(
    csvOf(rows),
    `'=1+1,tea;'=1+1,"tea;""'=1+1;"\r\n` +
      `"tea\n'=1+1",tea\t'+1+1,tea;'-1 +cmd|' /C calc'!A0\r\n` +
      "20;'-5,black; '= white; a=b,-5\r\n",
  );
});

const seed = seedOf(20_261_129);

test(`the service writes the same cells (seed ${seed})`, () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 20_000; round += 1) {
    const text = nastyText(random);
    assert.equal(csvOf([[text, 'x']]), `${csvCell(text)},x\r\n`, `seed ${seed}`);
  }
});
