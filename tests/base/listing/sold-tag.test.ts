// Which tags refer to sales, and the monthly sales they state (D24).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { estimatedSales, readSoldTag } from '../../../src/base/listing/vocabularies/sold-tag.ts';

test('a sales tag is kept word for word, and only a month makes a number of it', () => {
  for (const [tag, units] of [
    ['1K+ bought in past month', 1000],
    ['1.5K+ bought in past month', 1500],
    ['200+ bought in past month', 200],
    ['1,200+ bought in past month', 1200],
    ['2M+ bought in past month', 2_000_000],
    ['300 sold in the last 30 days', 300],
    ['500+ bought since yesterday', null],
    ['50+ bought in past week', null],
    ['1,234 sold', null],
    ['12 sold in last 24 hours', null],
    ['Over 100 sold', null],
  ] as const) {
    assert.equal(readSoldTag(tag), tag);
    assert.equal(estimatedSales(tag), units, tag);
  }
});

test('carts, sellers and badges are not sales tags', () => {
  for (const text of [
    "In 100+ people's carts",
    'Sold by Example Store',
    'Sold out',
    'Best seller',
    '#1 Best Seller',
    'Only 9 left',
    'Popular pick',
    '',
    '12 sold separately',
    'x'.repeat(100_000),
  ]) {
    assert.equal(readSoldTag(text), null, text.slice(0, 60));
    assert.equal(estimatedSales(text), null, text.slice(0, 60));
  }
});
