// A row of a manifest against an answer: what is counted, and how.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseManifest } from '../../lab/eval/parsing/manifest.ts';
import type { ManifestRow } from '../../lab/eval/parsing/manifest.ts';
import { reportLines } from '../../lab/eval/parsing/report.ts';
import { scoreRow } from '../../lab/eval/parsing/row-score.ts';
import type { Answer, RowScore } from '../../lab/eval/parsing/row-score.ts';
import { shareOf, summaryOf, tallyOf, weightedOf } from '../../lab/eval/parsing/score.ts';

function rowOf(row: Record<string, unknown>): ManifestRow {
  const whole = { file: 'a.html', slug: 'generic', reader: 'product', url: null, ...row };
  const { rows, problems } = parseManifest(JSON.stringify(whole));
  assert.deepEqual(problems, []);
  const [first] = rows;
  assert.ok(first);
  return first;
}

type Fields = Readonly<Record<string, unknown>>;

function answered(fields: Fields, entries: readonly Fields[] = []): Answer {
  return { kind: 'answer', fields, entries };
}

function outcomes({ scores }: RowScore): Record<string, string> {
  return Object.fromEntries(
    scores.map(({ place, field, outcome }) => [
      place === '' ? field : `${place}: ${field}`,
      outcome,
    ]),
  );
}

test('only what the row names is counted; the rest is listed as unexpected or unused', () => {
  const row = rowOf({ expect: { verdict: 'product', title: 'Cup', price: null, colour: 'red' } });
  const score = scoreRow(
    row,
    answered({
      verdict: 'product',
      title: 'Mug',
      price: null,
      gtin: '00012345678905',
      colour: 'red',
    }),
    null,
  );
  assert.deepEqual(outcomes(score), { verdict: 'right', title: 'wrong', price: 'right' });
  assert.deepEqual(score.unexpected, [['gtin', '00012345678905']]);
  assert.deepEqual(score.unused, ['colour']);
});

test('a right amount in a wrong currency is a wrong price', () => {
  const row = rowOf({ expect: { price: 5, currency: 'EUR' } });
  const inUsd = scoreRow(row, answered({ price: 5, currency: 'USD' }), null);
  assert.deepEqual(outcomes(inUsd), { price: 'wrong', currency: 'wrong' });
  assert.equal(tallyOf(inUsd.scores).wrong_prices, 1);
  const unknown = scoreRow(row, answered({ price: 5, currency: null }), null);
  assert.deepEqual(outcomes(unknown), { price: 'right', currency: 'missing' });
});

test('a false product is a verdict of product where another one is expected', () => {
  const row = rowOf({ expect: { verdict: 'not_product' } });
  const wrong = tallyOf(scoreRow(row, answered({ verdict: 'product' }), null).scores);
  assert.equal(wrong.false_products, 1);
  assert.equal(wrong.wrong, 1);
  const blocked = tallyOf(scoreRow(row, answered({ verdict: 'blocked' }), null).scores);
  assert.equal(blocked.false_products, 0);
  assert.equal(blocked.wrong, 1);
});

test('entries are found by their key in any order; one that is not found misses all its fields', () => {
  const row = rowOf({
    reader: 'search',
    expect: {
      result_count: 2,
      entries: [
        { item_id: '1', title: 'One' },
        { item_id: '2', title: 'Two', expect_any: { price: [2, null] } },
        { item_id: '3', title: 'Three' },
      ],
    },
  });
  const entries = [
    { item_id: '2', title: 'Two' },
    { item_id: '1', title: 'Uno', price: 9 },
  ];
  assert.deepEqual(outcomes(scoreRow(row, answered({ result_count: 2 }, entries), null)), {
    result_count: 'right',
    'entry 1: item_id': 'right',
    'entry 1: title': 'wrong',
    'entry 2: item_id': 'right',
    'entry 2: title': 'right',
    'entry 2: price': 'right',
    'entry 3: item_id': 'missing',
    'entry 3: title': 'missing',
  });
});

test('a throw makes every field missing and the verdict wrong', () => {
  const row = rowOf({ expect: { verdict: 'product', title: 'Cup', price: null } });
  const score = scoreRow(row, { kind: 'threw', error: 'boom' }, null);
  assert.deepEqual(outcomes(score), { verdict: 'wrong', title: 'missing', price: 'missing' });
});

test('without a reader every field of the row and of its entries is missing', () => {
  const row = rowOf({
    reader: 'offers',
    expect: { verdict: 'offers', entries: [{ offer_id: 'a', price: 5 }] },
  });
  const { scores } = scoreRow(row, { kind: 'no_reader' }, null);
  assert.deepEqual(tallyOf(scores).missing, 3);
});

test('an answer of an API that is no longer queried is not counted, a page without a reader is', () => {
  const counted = (reader: string): boolean => {
    const row = rowOf({ reader, expect: { verdict: 'product' } });
    return scoreRow(row, { kind: 'no_reader' }, null).row.scored;
  };
  assert.deepEqual(['api:gone', 'offers'].map(counted), [false, true]);
});

test('a page of another kind that is read as a product counts one more verdict', () => {
  const row = rowOf({ reader: 'search', expect: { verdict: 'search' } });
  const honest = scoreRow(row, { kind: 'no_reader' }, 'not_product');
  assert.deepEqual(outcomes(honest), { verdict: 'missing', 'as product: verdict': 'right' });
  const fooled = tallyOf(scoreRow(row, { kind: 'no_reader' }, 'product').scores);
  assert.equal(fooled.false_products, 1);
  assert.equal(fooled.wrong, 1);
});

test('sums leave unscored rows out, and saying something wrong weighs three times silence', () => {
  const expect = { verdict: 'product', price: 5, gtin: '00012345678905', title: 'Cup' };
  const good = answered({ verdict: 'product', price: 5, gtin: '00012345678905', title: 'Cup' });
  const bad = answered({ verdict: 'product', price: 6, gtin: '00012345678912', title: null });
  const rows = [
    scoreRow(rowOf({ expect }), good, null),
    scoreRow(rowOf({ expect, slug: 'shopify' }), bad, null),
    scoreRow(rowOf({ expect, slug: 'shopify', scored: false }), bad, null),
  ];
  const summary = summaryOf(rows);
  const zeros = { wrong_prices: 0, wrong_barcodes: 0, false_products: 0 };
  const faults = { wrong_prices: 1, wrong_barcodes: 1, false_products: 0 };
  assert.deepEqual(summary, {
    fields: 8,
    right: 5,
    wrong: 2,
    missing: 1,
    ...faults,
    by_slug: {
      generic: { fields: 4, right: 4, wrong: 0, missing: 0, ...zeros },
      shopify: { fields: 4, right: 1, wrong: 2, missing: 1, ...faults },
    },
  });
  assert.equal(shareOf(summary), 5 / 8);
  assert.equal(weightedOf(summary), 1 - (1 + 3 + 3) / 8);
  const report = reportLines(rows).join('\n');
  for (const part of ['price: expected 5, got 6', 'missing title', 'Not scored rows']) {
    assert.ok(report.includes(part), part);
  }
});
