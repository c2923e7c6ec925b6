// Slugs of other shops from their hosts (D10): always in the form that the interface accepts (D2).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKnownSlug, isSlug } from '../../../src/base/retailer.ts';
import { numberedSlug, shopOfHost } from '../../../src/read/retailers/addresses/shop-slug.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { vectorRows } from '../../support/vectors.ts';

test('every row has its domain and slugs', () => {
  for (const [host = '', domain, slug, otherSlug] of vectorRows('shop_slugs.tsv', 4)) {
    assert.deepEqual(shopOfHost(host), { domain, slug, otherSlug }, host);
  }
});

test('a host without letters and digits has none', () => {
  for (const host of ['', '.', '..', '_', '-._']) assert.equal(shopOfHost(host), null, host);
});

test('further domains of a taken name are numbered within thirty characters', () => {
  const shop = shopOfHost(`${'a'.repeat(60)}.com`) ?? assert.fail();
  assert.equal(numberedSlug(shop, 2), `${'a'.repeat(27)}co2`);
  assert.equal(numberedSlug(shop, 12_345).length, 30);
  const short = shopOfHost('lamps.com') ?? assert.fail();
  assert.equal(numberedSlug(short, 3), 'lampscom3');
});

test('whatever the host, a slug is a slug, is not one of the seven, and does not mean all', (t) => {
  const seed = seedOf(20_260_107);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const alphabet = [
    ...'abcxyz019-_.....'.split(''),
    'com',
    'co.uk',
    'xn--',
    'all',
    'retailer_w',
    '[',
    ':',
    'é',
    '\ud800',
  ];
  for (let round = 0; round < 100_000; round += 1) {
    const length = integerBelow(random, 24);
    const host = Array.from({ length }, () => pick(random, alphabet)).join('');
    const shop = shopOfHost(host);
    if (shop === null) continue;
    for (const slug of [shop.slug, shop.otherSlug, numberedSlug(shop, 2)]) {
      assert.ok(isSlug(slug) && !isKnownSlug(slug) && slug !== 'all', `${host}: ${slug}`);
    }
  }
});
