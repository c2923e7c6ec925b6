import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ratingIn } from '../../../src/read/page-data/schema-org/schema-numbers.ts';

const ofCount = (reviewCount: unknown) =>
  ratingIn({ aggregateRating: { ratingValue: '4.5', reviewCount } }).reviewCount;

test('a review count above 2^31 is not one, whatever it is written as', () => {
  for (const count of [1e21, 2 ** 31, '2147483648', '999999999999', -1, 1.5, Number.MAX_VALUE]) {
    assert.equal(ofCount(count), null, String(count));
  }
  for (const count of [2 ** 31 - 1, '2,147,483,647']) assert.equal(ofCount(count), 2 ** 31 - 1);
  assert.equal(ofCount('1,234 reviews'), 1_234);
});
