import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { NOT_CHECKED } from '../../../src/rules/product/identity.ts';
import {
  upsertBarcodeAnswer,
  upsertFailedAttempt,
} from '../../../src/data/answers/barcode-answers.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { checkAnswers } from '../../../src/data/maintenance/check-answers.ts';
import { openTestStore } from '../../support/stores.ts';

const GTIN = '00036000291452' as Gtin14;

const FAULTS: readonly (readonly [change: string, problem: string])[] = [
  ["retailer = 'lampshop'", 'other shops cannot be queried by barcode'],
  ["status = 'not_found'", 'it found nothing but has a listing'],
  [
    "status = 'not_found', listing_id = null, asked_at_ms = null",
    'the time of its answer is not stored',
  ],
  ['listing_id = null', 'it was found but has no listing'],
  ["retailer = 'retailer_b'", 'its listing is a listing of retailer_w'],
];

for (const [change, problem] of FAULTS) {
  test(`a cell with ${change}: ${problem}`, async () => {
    await using store = await openTestStore();
    const listing = upsertListing({
      retailer: 'retailer_w',
      key: '1',
      url: 'https://w.example/1',
      foundVia: 'native_catalog',
      fetchedAtMs: 5,
      listing: { ...EMPTY_LISTING, title: 'Lamp', gtin: GTIN },
      notes: { missing: [], remarks: [] },
    });
    const cell = upsertBarcodeAnswer({
      gtin: GTIN,
      retailer: 'retailer_w',
      status: 'ok',
      listingId: listingIdOf('retailer_w', '1'),
      identity: NOT_CHECKED,
      source: 'primary',
      foundVia: 'native_catalog',
      checkedAtMs: 5,
      askedAtMs: 5,
      judgedBy: null,
    });
    await store.sql.write([...listing, cell]);
    assert.deepEqual(await checkAnswers(store.sql), []);
    await store.sql.write([{ text: `update cells set ${change}` }]);
    const [found = '', ...more] = await checkAnswers(store.sql);
    assert.ok(found.endsWith(problem), found);
    assert.deepEqual(more, []);
  });
}

test('a retailer that was asked by a clock that was set back since, and did not answer since, is not a problem', async () => {
  await using store = await openTestStore();
  const cell = {
    gtin: GTIN,
    retailer: 'retailer_w',
    status: 'not_found',
    listingId: null,
    identity: NOT_CHECKED,
    source: 'primary',
    foundVia: null,
    judgedBy: null,
  } as const;
  const nowMs = 1_000_000_000;
  const aheadMs = nowMs + DAY_MS;
  await store.sql.write([
    upsertBarcodeAnswer({ ...cell, checkedAtMs: aheadMs, askedAtMs: aheadMs }),
    upsertFailedAttempt({ ...cell, status: 'error', checkedAtMs: nowMs, askedAtMs: null }),
  ]);
  const [row] = await store.sql.all('select status, checked_at_ms from cells');
  assert.deepEqual({ ...row }, { status: 'error', checked_at_ms: nowMs });
  assert.deepEqual(await checkAnswers(store.sql), []);
});
