// Only two listings under one barcode: what is reported although both count (D59).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { withPackCount } from '../../../src/read/titles/pack-count.ts';
import { MODEL } from './shipped-model.ts';

const matching = createMatching(MODEL);

function stored(retailer: string, title: string): StoredListing {
  const listing = withPackCount({
    ...EMPTY_LISTING,
    gtin: '00614141810001' as Gtin14,
    title,
  });
  const place = { retailer, key: '1', url: 'https://shop.example/1', fetchedAtMs: 1 };
  return { ...place, id: `${retailer}:${title}`, foundVia: 'native_catalog', listing };
}

function alone(one: string, two: string) {
  const group = [stored('shop0', one), stored('shop1', two)];
  const { agreeing, disagreements, score } = matching.agreementOf(group);
  return { isKept: agreeing.length === 2, named: disagreements.map((each) => each.detail), score };
}

test('one word in the place of one is named, counts, and holds the score, whichever comes first', () => {
  for (const [one, two, said] of [
    ['Arden Quince Jam 370g', 'Arden Medlar Jam 370 g', ['quince', 'medlar']],
    [
      'Arden Wash Powder Universal 6 kg',
      'Arden Wash Powder Sensitive 6kg',
      ['universal', 'sensitive'],
    ],
  ] as const) {
    for (const [titles, words] of [
      [[one, two], said],
      [[two, one], said.toReversed()],
    ] as const) {
      const { isKept, named, score } = alone(titles[0] ?? '', titles[1] ?? '');
      assert.ok(isKept);
      assert.deepEqual(named, [`title ${words.join(' vs ')}`]);
      assert.ok(score !== null && score < 0.4, String(score));
    }
  }
});

test('a listing contradicts neither itself nor its amounts in another unit', () => {
  for (const [one, two] of [
    ['Arden Black 110ml - T3000/T5000/T7000', 'Arden Black 110 ml - T3000/T5000/T7000'],
    ['Arden Shampoo Volume 500 ml', 'Arden Shampoo Volume 0.5 l'],
    ['Arden QX700 Earbuds (3rd Gen) 30-Hour', 'Arden QX700 Earbuds 3rd Generation 30-Hour'],
  ] as const) {
    for (const [a, b] of [
      [one, one],
      [one, two],
      [two, one],
    ] as const) {
      assert.deepEqual(alone(a, b).named, [], `${a} | ${b}`);
    }
  }
});

test('the same words with an amount in another spelling are named for nothing', () => {
  for (const [one, two] of [
    ['Arden Quince Jam 370g', 'Arden Quince Jam 370 g'],
    ['Arden Water 6x0,75l', 'Arden Water 6 x 750 ml'],
    ['Arden Coffee Beans 1kg', 'Arden Coffee Beans 1000 g'],
  ] as const) {
    const { isKept, named, score } = alone(one, two);
    assert.ok(isKept && named.length === 0, one);
    assert.ok(score !== null && score > 0.4, `${one}: ${score}`);
  }
});
