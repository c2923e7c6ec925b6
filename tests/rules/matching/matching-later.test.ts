import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { createMatchingLater } from '../../../src/rules/matching/matching-later.ts';
import { MODEL } from './shipped-model.ts';

function stored(retailer: 'retailer_w' | 'retailer_b'): StoredListing {
  const place = { id: retailer, retailer, key: '1', url: `https://${retailer}.example/1` } as const;
  const listing = { ...EMPTY_LISTING, title: 'Arden QX700 Headphones', brand: 'Arden' };
  return { ...place, fetchedAtMs: 1, foundVia: 'native_catalog', listing };
}

test('a listing alone is answered without the matcher, and several wait for it, which is loaded once', async () => {
  const matching = createMatching(MODEL);
  let loads = 0;
  const later = createMatchingLater(() => {
    loads += 1;
    return Promise.resolve(matching);
  });
  const one = [stored('retailer_w')];
  assert.deepEqual(await later.agreementOf(one), matching.agreementOf(one));
  assert.deepEqual(await later.agreementOf([]), matching.agreementOf([]));
  assert.deepEqual([loads, later.version()], [0, '']);
  const two = [...one, stored('retailer_b')];
  const [first, second] = await Promise.all([later.agreementOf(two), later.agreementOf(two)]);
  assert.deepEqual(first, matching.agreementOf(two));
  assert.deepEqual(second, first);
  assert.deepEqual([loads, later.version()], [1, matching.version()]);
});

test('everyone who needs the matcher learns that it cannot be loaded', async () => {
  const later = createMatchingLater(() => Promise.reject(new Error('model.txt is damaged')));
  const two = [stored('retailer_w'), stored('retailer_b')];
  await assert.rejects(later.agreementOf(two), /model\.txt is damaged/);
  await assert.rejects(later.load(), /model\.txt is damaged/);
  assert.equal((await later.agreementOf(two.slice(1))).score, null);
});
