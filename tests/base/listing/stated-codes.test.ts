import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  comparableCodes,
  compareCodes,
  joinedCodes,
} from '../../../src/base/listing/stated-codes.ts';

const codes = (sku: string | null = null, gtin: string | null = null, mpn: string | null = null) =>
  comparableCodes([{ gtins: [gtin], skus: [sku], mpns: [mpn] }]);

test('numbers are compared by their letters and digits, whatever a page calls them', () => {
  const rows = [
    [codes('AL-204'), codes('al 204'), 'shared'],
    [codes('AL-204'), codes(null, null, 'AL204'), 'shared'],
    [codes('012345678905'), codes(null, '00012345678905'), 'shared'],
    [codes('ＡＬ２０４'), codes('AL204'), 'shared'],
    [codes('AL-204'), codes('NL-19'), 'none_shared'],
    [codes('AL-204', '4006381333931'), codes('NL-19', '4006381333931'), 'shared'],
    [codes('AL-204'), codes(null, '4006381333931'), 'not_comparable'],
    [codes('AL-204'), codes(), 'missing'],
    [codes(), codes(), 'missing'],
  ] as const;
  for (const [one, two, expected] of rows) {
    assert.equal(compareCodes(one, two), expected, `${one.join()} and ${two.join()}`);
    assert.equal(compareCodes(two, one), expected);
  }
});

test('a word that stands where there should be a number is not one', () => {
  for (const word of [
    'N/A',
    'none',
    'Does not apply',
    '-',
    '',
    '000',
    'null',
    'SKU',
    'x'.repeat(100),
  ])
    assert.deepEqual(codes(word), [], word);
});

test('of a product with thousands of variants the same numbers are kept, in whatever order they are listed', () => {
  const skus = Array.from({ length: 2_000 }, (_, at) => `V${at}`);
  const kept = comparableCodes([{ gtins: [], skus, mpns: [] }]);
  assert.equal(kept.length, 300);
  assert.deepEqual(comparableCodes([{ gtins: [], skus: skus.toReversed(), mpns: [] }]), kept);
  assert.deepEqual(joinedCodes([kept, kept]), kept);
});
