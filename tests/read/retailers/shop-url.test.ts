// The reduced form of an address: the same for the same page, and different otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isPlainText,
  parsedUrl,
  reducedShopUrl,
} from '../../../src/read/retailers/addresses/shop-url.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { vectorRowsWithSpaces } from '../../support/vectors.ts';

/** Returns the reduced form of an address sent as text. */
function reduced(text: string): string | null {
  const url = parsedUrl(text);
  return url === null || !isPlainText(text) ? null : reducedShopUrl(url);
}

test('every row has its reduced form', () => {
  for (const [text = '', form] of vectorRowsWithSpaces('shop_urls.tsv', 2)) {
    assert.equal(reduced(text) ?? '-', form, JSON.stringify(text));
  }
});

test('credentials never stay in a reduced form', () => {
  assert.equal(reducedShopUrl(new URL('https://a:b@shop.example/p')), 'https://shop.example/p');
});

test('reducing twice changes nothing, and the order of what stays is kept', (t) => {
  const seed = seedOf(20_260_106);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const names = [
    'id',
    'variant',
    'utm_source',
    'ref',
    'a b',
    '%zz',
    'é',
    'gclid',
    '',
    'size',
    'UTM_X',
  ];
  const paths = ['/', '/p', '/p/', '//p', '/%e9', '/a/../b', '/é/x y'.replace(' ', '%20'), ''];
  for (let round = 0; round < 20_000; round += 1) {
    const query = Array.from(
      { length: integerBelow(random, 6) },
      (_, at) => `${pick(random, names).replace(' ', '+')}=${at}`,
    );
    const text = `https://Shop.Example${pick(random, paths)}?${query.join('&')}#f`;
    const once = reduced(text) ?? assert.fail(text);
    assert.equal(reduced(once), once, text);
    const kept = [...new URL(once).searchParams.values()].map(Number);
    assert.deepEqual(
      kept,
      kept.toSorted((a, b) => a - b),
      text,
    );
    assert.ok(!/utm|gclid|[?&]ref=/i.test(once), once);
  }
});
