// A page reading as JSON: every field present, amounts in whole hundredths, unknown as null (D23).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { presentListing, presentReading } from '../../../src/answer/wire/record/listing.ts';

const snake = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test('every field of a listing is presented, null where nothing is known', () => {
  const presented: Record<string, unknown> = presentListing(EMPTY_LISTING);
  for (const field of Object.keys(EMPTY_LISTING)) {
    assert.ok(Object.hasOwn(presented, snake(field)), field);
  }
  for (const field of ['currency', 'estimated_sales', 'price', 'dimensions', 'fulfillment']) {
    assert.equal(presented[field], null, field);
  }
});

test('amounts are in the page’s own currency, the item’s weight goes before its package’s', () => {
  const listing: Listing = {
    ...EMPTY_LISTING,
    price: { cents: 1999, currency: 'EUR' },
    listPrice: { cents: 2510, currency: 'EUR' },
    weightPackageLbs: 2,
    dimensionsPackage: { heightIn: 1, widthIn: null, lengthIn: 3 },
    soldTag: '1K+ bought in past month',
    fulfillment: {
      shipping: { available: true, costCents: 499, date: '2026-11-24' },
      delivery: null,
      pickup: null,
    },
  };
  const presented = presentListing(listing);
  assert.equal(presented.price, 19.99);
  assert.equal(presented.list_price, 25.1);
  assert.equal(presented.currency, 'EUR');
  assert.equal(presented.weight_lbs, 2);
  assert.equal(presentListing({ ...listing, weightAssembledLbs: 1.5 }).weight_lbs, 1.5);
  assert.deepEqual(presented.dimensions, { height_in: 1, width_in: null, length_in: 3 });
  assert.equal(presented.estimated_sales, 1000);
  assert.deepEqual(presented.fulfillment?.shipping, {
    available: true,
    cost: 4.99,
    date: '2026-11-24',
  });
});

test('a reading names its verdict, and says why when there is no listing', () => {
  const read = presentReading({
    kind: 'read',
    value: EMPTY_LISTING,
    notes: { missing: ['price'], remarks: [] },
  });
  assert.equal(read.verdict, 'product');
  assert.deepEqual('notes' in read ? read.notes.missing : null, ['price']);
  const why = 'a category';
  assert.deepEqual(presentReading({ kind: 'not_a_product', why }), { verdict: 'not_product', why });
  assert.deepEqual(presentReading({ kind: 'not_found', why }), { verdict: 'not_found', why });
  assert.deepEqual(presentReading({ kind: 'blocked', why, retryAfterSeconds: 5 }), {
    verdict: 'blocked',
    why,
    retry_after_seconds: 5,
  });
  const follow = presentReading({
    kind: 'follow',
    request: { url: 'https://shop.example/a.json', accept: 'json' },
  });
  assert.deepEqual(follow, { verdict: 'follow', follow: 'https://shop.example/a.json' });
});
