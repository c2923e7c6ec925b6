// What the console makes of a pasted line: an identifier and a cost.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readLines } from '../../src/console/amounts.js';

const LAMP = 'https://shop.example.com/p/lamp';

for (const [line, id, cost] of [
  ['614141000005,6', '614141000005', 6],
  ['614141000005\t$7.50', '614141000005', 7.5],
  ['614141000005; 7,50', '614141000005', 7.5],
  [`${LAMP},123`, `${LAMP},123`, null],
  [`${LAMP},1,23`, `${LAMP},1,23`, null],
  [`${LAMP},123, 5`, `${LAMP},123`, 5],
  [`${LAMP},123\t5`, `${LAMP},123`, 5],
  [`${LAMP},5.50`, LAMP, 5.5],
  [`${LAMP},$5`, LAMP, 5],
  [`${LAMP};5`, LAMP, 5],
  [`"${LAMP},123"`, `${LAMP},123`, null],
  [`"${LAMP},123",5`, `${LAMP},123`, 5],
] as const) {
  test(`“${line}” is ${id}${cost === null ? '' : `, and costs ${cost}`}`, () => {
    assert.deepEqual(readLines(line), [{ id, cost }]);
  });
}

test('an amount with points between thousands and a decimal comma is what one costs', () => {
  assert.deepEqual(readLines('614141000036;1.234,50'), [{ id: '614141000036', cost: 1234.5 }]);
});
