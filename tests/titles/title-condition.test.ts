import assert from 'node:assert/strict';
import { test } from 'node:test';

import { settledCondition, titleCondition } from '../../src/titles/title-condition.ts';

const TITLES: readonly (readonly [string | null, string | null])[] = [
  ['Restored Phone 64GB', 'refurbished'],
  ['Phone 64GB (Renewed)', 'refurbished'],
  ['Phone (Certified Refurbished), Blue', 'refurbished'],
  ['Manufacturer Refurbished Phone', 'refurbished'],
  ['Phone - Refurbished', 'refurbished'],
  ['Open Box: Phone', 'open_box'],
  ['[Open-Box] Phone', 'open_box'],
  ['Pre-Owned Phone', 'used_good'],
  ['Open box of chocolates', null],
  ['Renewedly Fresh Soap', null],
  ['A Restored Heart: a Novel', null],
  ['Phone', null],
  [null, null],
];

for (const [title, expected] of TITLES) {
  test(`the title ${JSON.stringify(title)} says ${expected}`, () => {
    assert.equal(titleCondition(title), expected);
  });
}

test('a title wins over silence and over "new", never over another condition', () => {
  assert.equal(settledCondition('new', 'Restored Phone'), 'refurbished');
  assert.equal(settledCondition(null, 'Restored Phone'), 'refurbished');
  assert.equal(settledCondition('used_good', 'Restored Phone'), 'used_good');
  assert.equal(settledCondition('new', 'Phone'), 'new');
});
