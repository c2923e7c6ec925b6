// When a reader's answer counts as correct, wrong or missing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { compareField, VOCABULARY } from '../../lab/eval/parsing/compare.ts';
import type { Outcome } from '../../lab/eval/parsing/compare.ts';

test('each field is compared by its own rule', () => {
  const table: readonly [string, unknown, unknown, Outcome][] = [
    ['title', 'Blue  Cup', 'blue cup', 'right'],
    ['title', 'Cup &amp;#40;blue&#41;', 'Cup (blue)', 'right'],
    ['title', '“Cup” – 5″ ‘x’', '"Cup" - 5" \'x\'', 'right'],
    ['title', '«Cup»', '"Cup"', 'right'],
    ['title', 'Cup™ Pro®', 'Cup Pro', 'right'],
    ['title', 'Cu\u200bp', 'Cup', 'right'],
    ['title', 'ﬁve ½', 'five 1⁄2', 'right'],
    ['title', 'Cup', 'Cups', 'wrong'],
    ['brand', 'ACME', 'Acme', 'right'],
    ['item_id', ' 0012 ', '0012', 'right'],
    ['item_id', '0012', '12', 'wrong'],
    ['asin', 'b000000001', 'B000000001', 'right'],
    ['gtin', '00012345678905', '012345678905', 'right'],
    ['gtin', '00012345678905', '00012345678912', 'wrong'],
    ['price', 19.99, 19.994, 'right'],
    ['price', 19.99, 19.995, 'right'],
    ['price', 19.99, 20, 'wrong'],
    ['price', 19.99, '19.99', 'wrong'],
    ['rating', 4.5, 4.55, 'right'],
    ['rating', 4.5, 4.6, 'wrong'],
    ['weight_lbs', 10, 10.1, 'right'],
    ['weight_lbs', 10, 10.2, 'wrong'],
    ['weight_lbs', 0.1, 0.11, 'right'],
    ['review_count', 12, 12, 'right'],
    ['review_count', 12, 13, 'wrong'],
    ['in_stock', false, false, 'right'],
    ['in_stock', false, true, 'wrong'],
    ['image', true, true, 'right'],
    ['image', true, null, 'missing'],
    ['verdict', 'not_product', 'not_product', 'right'],
    ['price', 19.99, null, 'missing'],
    ['title', 'Cup', '', 'missing'],
    ['title', 'Cup', undefined, 'missing'],
    ['price', null, null, 'right'],
    ['price', null, undefined, 'right'],
    ['price', null, 5, 'wrong'],
    ['in_stock', null, false, 'wrong'],
  ];
  for (const [field, expected, got, outcome] of table) {
    assert.equal(
      compareField(field, [expected], got),
      outcome,
      JSON.stringify([field, expected, got]),
    );
  }
});

test('with several right values any of them will do, and null among them excuses silence', () => {
  assert.equal(compareField('price', [5, 6], 6), 'right');
  assert.equal(compareField('price', [5, 6], 7), 'wrong');
  assert.equal(compareField('price', [5, 6], null), 'missing');
  assert.equal(compareField('price', [5, null], null), 'right');
  assert.equal(compareField('price', [5, null], 6), 'wrong');
});

test('every field of the vocabulary has a rule, and no other field can be compared', () => {
  for (const field of VOCABULARY) assert.equal(compareField(field, [null], null), 'right');
  assert.throws(() => compareField('colour', ['red'], 'red'));
});
