import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  FEW,
  fillChanges,
  fillVerdict,
  totalsOf,
  type AnswerCount,
} from '../../../src/base/listing/fill-rate.ts';

/** Counts of this many product pages of retailer_w with these fields; a minus marks a missing one. */
function pages(answers: number, words: string, given: Partial<AnswerCount> = {}): AnswerCount {
  const fields = words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ field: word.replace('-', ''), isMissing: word.startsWith('-') }));
  const place = { retailer: 'retailer_w', pageKind: 'product' };
  return { ...place, outcome: 'read', fields, answers, ...given };
}

const changesOf = (now: readonly AnswerCount[], before: readonly AnswerCount[]) =>
  fillChanges(totalsOf(now), totalsOf(before));

test('counts with the same place and field add up, whatever the other fields were', () => {
  const { fields, outcomes } = totalsOf([
    pages(3, 'title -price'),
    pages(2, 'title price'),
    pages(4, '', { outcome: 'blocked' }),
  ]);
  assert.deepEqual(
    fields.map(({ field, expected, missing }) => [field, expected, missing]),
    [
      ['title', 5, 0],
      ['price', 5, 3],
    ],
  );
  assert.deepEqual(
    outcomes.map(({ outcome, answers }) => [outcome, answers]),
    [
      ['read', 5],
      ['blocked', 4],
    ],
  );
});

test('a field that was there and now is mostly missing is lost, and stands first', () => {
  const changes = changesOf(
    [pages(30, 'title -price brand'), pages(10, 'title price -brand')],
    [pages(100, 'title price brand')],
  );
  assert.deepEqual(
    changes.map(({ field, isLost }) => [field, isLost]),
    [
      ['price', true],
      ['brand', false],
      ['(answer)', false],
      ['title', false],
    ],
  );
  assert.equal(changes[0]?.change, 0.75);
});

test('worse is a quarter more of ten answers or a tenth more of a hundred, and no less', () => {
  const verdictOf = (now: readonly [number, number], before: readonly [number, number]) =>
    fillVerdict(
      changesOf(
        [pages(now[0], '-brand'), pages(now[1], 'brand')],
        [pages(before[0], '-brand'), pages(before[1], 'brand')],
      ),
    );
  assert.equal(verdictOf([6, 14], [1, 19]), 'worse', '30 % after 5 %');
  assert.equal(verdictOf([5, 15], [1, 19]), 'steady', '25 % after 5 % of twenty');
  assert.equal(verdictOf([20, 80], [1, 99]), 'worse', '20 % after 1 % of a hundred');
  assert.equal(verdictOf([10, 90], [1, 99]), 'steady', '10 % after 1 % of a hundred');
  assert.equal(verdictOf([9, 1], [1, 8]), 'too_few');
  assert.equal(verdictOf([0, 50], [25, 25]), 'steady', 'better is not worse');
});

test('a field that was always mostly missing is not lost', () => {
  const [change] = changesOf([pages(50, '-gtin')], [pages(30, '-gtin'), pages(20, 'gtin')]);
  assert.deepEqual([change?.field, change?.isLost], ['gtin', false]);
});

test('a share of too few answers is marked so, loses nothing and stands after what is sure', () => {
  const changes = changesOf(
    [
      pages(FEW - 1, '-price', { pageKind: 'offers' }),
      pages(FEW, 'brand'),
      pages(1, '-brand', { pageKind: 'product' }),
    ],
    [pages(40, 'price', { pageKind: 'offers' }), pages(40, 'brand')],
  ).filter(({ field }) => field !== '(answer)');
  assert.deepEqual(
    changes.map(({ field, now, isLost }) => [field, now.isFew, isLost]),
    [
      ['brand', false, false],
      ['price', true, false],
    ],
  );
});

test('answers that no reader could read are lost as a whole; walls and what is gone do not count', () => {
  const changes = changesOf(
    [
      pages(40, '', { outcome: 'unreadable' }),
      pages(500, '', { outcome: 'blocked' }),
      pages(500, '', { outcome: 'not_found' }),
    ],
    [pages(40, 'title')],
  );
  const [whole, title] = changes;
  assert.deepEqual(
    [whole?.field, whole?.now.expected, whole?.now.share, whole?.isLost],
    ['(answer)', 40, 1, true],
  );
  // With nothing read there is no share of a field to compare.
  assert.deepEqual([title?.field, title?.now.share, title?.change], ['title', null, null]);
});
