// Sales ranks as worded on product pages and as numbers from APIs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ranksOf, readSalesRanks } from '../../../src/base/listing/vocabularies/sales-rank.ts';

const ranks = (text: string) => readSalesRanks(text).map(({ category, rank }) => [rank, category]);

test('the ranks of a text are read in its order, whatever stands around the categories', () => {
  for (const [text, expected] of [
    [
      '#13,846 in Video Games (See Top 100 in Video Games) #57 in Xbox 360 Adapters',
      [
        [13_846, 'Video Games'],
        [57, 'Xbox 360 Adapters'],
      ],
    ],
    [
      '#41,328 Paid in Kindle Store (See Top 100 Paid in Kindle Store) #41 in Political Fiction (Books)',
      [
        [41_328, 'Kindle Store'],
        [41, 'Political Fiction (Books)'],
      ],
    ],
    ['# 7 Free in Apps & Games', [[7, 'Apps & Games']]],
    ['#124 in Computer Graphics Cards', [[124, 'Computer Graphics Cards']]],
    ['Amazing: .x{color:#333} #5 in Toys in Boxes', [[5, 'Toys in Boxes']]],
    ['#1 Best Seller', []],
    ['#0 in Toys', []],
    ['No rank in Toys', []],
    ['', []],
  ] as const) {
    assert.deepEqual(ranks(text), expected, text);
  }
});

test('a long text takes no long time, and has at most ten ranks', () => {
  assert.equal(readSalesRanks('#1 in A '.repeat(100_000)).length, 1);
  const many = Array.from({ length: 40 }, (_, n) => `#${n + 1} in C${n}`).join(' ');
  assert.equal(readSalesRanks(many).length, 10);
  assert.deepEqual(readSalesRanks(`#${'9'.repeat(5_000)} in Toys`), []);
  assert.deepEqual(readSalesRanks(`#1 in ${'('.repeat(50_000)}`).length <= 1, true);
});

test('what an API states is a rank only as a whole number from 1 to 2^31, each category once', () => {
  assert.deepEqual(
    ranksOf([
      ['Toys', 12],
      ['Toys', 3],
      [null, 7],
      ['Zero', 0],
      ['Half', 1.5],
      ['None', null],
      ['Large', 2 ** 31 + 1],
      ['  Board   Games ', 2 ** 31],
    ]),
    [
      { category: 'Toys', rank: 12 },
      { category: null, rank: 7 },
      { category: 'Board Games', rank: 2 ** 31 },
    ],
  );
});
