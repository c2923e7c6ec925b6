import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { EMPTY_OFFER, type Offer } from '../../src/base/listing/offer.ts';
import { storeOffers } from '../../src/answer/collect/storing/store-offers.ts';
import { offersCountOf, offersHistoryOf } from '../../src/answer/lookup/add-ons/offers-history.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { upsertListing } from '../../src/data/answers/listing-writes.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import type { Store } from '../../src/data/store.ts';
import { openTestStore } from '../support/stores.ts';
import type { StoredListing } from '../../src/base/listing/stored-listing.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');

function listingOf(retailer: string, key: string): StoredListing {
  return {
    id: listingIdOf(retailer, key),
    retailer,
    key,
    url: `https://shop.example/${key}`,
    foundVia: 'submitted_url',
    fetchedAtMs: NOON,
    listing: EMPTY_LISTING,
  };
}

const ITEM = listingOf('retailer_w', '1234567');

async function open(): Promise<Store> {
  const store = await openTestStore();
  for (const listing of [ITEM, listingOf('retailer_a', 'B000000001')]) {
    await store.sql.write([...upsertListing({ ...listing, notes: { missing: [], remarks: [] } })]);
  }
  return store;
}

function offer(number: number, cents: number, given: Partial<Offer> = {}): Offer {
  return {
    ...EMPTY_OFFER,
    offerId: `offer-${number}`,
    sellerId: String(number),
    sellerIdHex: String(number).padStart(32, '0'),
    price: { cents, currency: 'USD' },
    inStock: true,
    ...given,
  };
}

function file(store: Store, offers: readonly Offer[], fetchedAtMs: number, listing = ITEM) {
  const { id: listingId, retailer } = listing;
  return storeOffers(store, { listingId, retailer, offers, fetchedAtMs, isPartial: false });
}

/** As a product page states them. */
function filePart(store: Store, offers: readonly Offer[], fetchedAtMs: number, listing = ITEM) {
  const { id: listingId, retailer } = listing;
  return storeOffers(store, { listingId, retailer, offers, fetchedAtMs, isPartial: true });
}

test('what a product page states is archived as a part, and is not the length of the list', async () => {
  await using store = await open();
  await file(store, [offer(1, 500), offer(2, 700), offer(3, 900)], NOON);
  await filePart(store, [offer(1, 450)], NOON + 2 * HOUR_MS);
  const { total, offers } = await offersHistoryOf(store, ITEM);
  assert.equal(total, 4);
  assert.deepEqual(
    offers.map(({ isPartial, offer: one }) => [isPartial, one.wasPrice?.cents ?? null]),
    [
      [true, 500],
      [false, null],
      [false, null],
      [false, null],
    ],
  );
  assert.equal(await offersCountOf(store, ITEM, NOON + 3 * HOUR_MS), 3, 'nobody has left');
  const other = listingOf('retailer_w', '7654321');
  await store.sql.write([...upsertListing({ ...other, notes: { missing: [], remarks: [] } })]);
  await filePart(store, [offer(1, 450)], NOON, other);
  assert.equal(await offersCountOf(store, other, NOON), null, 'how many there are is not known');
  assert.deepEqual(await checkStore(store.sql), []);
});

test('of a long archive the newest 500 rows are returned, with the total', async () => {
  await using store = await open();
  for (let hour = 0; hour < 60; hour += 1) {
    const list = Array.from({ length: 10 }, (_, number) => offer(number, 1_000 + hour));
    await file(store, list, NOON + hour * HOUR_MS);
  }
  const { total, offers } = await offersHistoryOf(store, ITEM);
  assert.deepEqual([total, offers.length], [600, 500]);
  const places = offers.map(({ observedAtMs, offer: one }) => {
    return -(observedAtMs - NOON) / HOUR_MS + Number(one.sellerId) / 100;
  });
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    'newest first, each list in its order',
  );
  assert.equal(offers[0]?.observedAtMs, NOON + 59 * HOUR_MS);
  assert.equal(offers[0]?.offer.wasPrice?.cents, 1_058);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('the was price of a list stands; without one it is what the same offer cost before', async () => {
  await using store = await open();
  await file(store, [offer(1, 500), offer(2, 700)], NOON);
  const stated = { wasPrice: { cents: 900, currency: 'USD' } };
  await file(store, [offer(1, 450, stated), offer(2, 710), offer(3, 5)], NOON + HOUR_MS);
  const { offers } = await offersHistoryOf(store, ITEM);
  assert.deepEqual(
    offers.map(({ offer: one }) => [one.offerId, one.wasPrice?.cents ?? null]),
    [
      ['offer-1', 900],
      ['offer-2', 700],
      ['offer-3', null],
      ['offer-1', null],
      ['offer-2', null],
    ],
  );
});

test('an offer that went away and came back has the price it had when it was seen last', async () => {
  await using store = await open();
  await file(store, [offer(1, 500), offer(2, 700)], NOON);
  await file(store, [offer(2, 700)], NOON + HOUR_MS);
  await file(store, [offer(1, 450), offer(2, 700)], NOON + 2 * HOUR_MS);
  const { offers } = await offersHistoryOf(store, ITEM);
  assert.equal(offers[0]?.offer.wasPrice?.cents, 500);
});

test('the same list again, and an older one that comes late, change nothing that is stored', async () => {
  await using store = await open();
  await file(store, [offer(1, 500)], NOON);
  await file(store, [offer(1, 500)], NOON);
  const rows = await store.sql.all('select * from archived_offers');
  assert.equal(rows.length, 1);
  await file(store, [offer(1, 300), offer(2, 4)], NOON - MINUTE_MS);
  const { total, offers } = await offersHistoryOf(store, ITEM);
  assert.equal(total, 3);
  assert.deepEqual(
    offers.map(({ offer: one }) => one.price?.cents),
    [500, 300, 4],
  );
  assert.equal(
    await offersCountOf(store, ITEM, NOON),
    1,
    'of the newest list, not of the last write',
  );
  assert.deepEqual(await checkStore(store.sql), []);
});

test('an empty list is a list: nothing is archived, and there are none', async () => {
  await using store = await open();
  assert.equal(await offersCountOf(store, ITEM, NOON), null);
  await file(store, [], NOON);
  assert.equal(await offersCountOf(store, ITEM, NOON), 0);
  assert.deepEqual(await offersHistoryOf(store, ITEM), { total: 0, offers: [] });
});

test('sold out, foreign and free offers are kept as they were listed, without a price in dollars', async () => {
  await using store = await open();
  const list = [
    offer(1, 500, { inStock: false }),
    offer(2, 500, { price: { cents: 500, currency: null } }),
    offer(3, 0),
    offer(4, 500, { offerId: null, sellerId: null, sellerIdHex: null }),
  ];
  await file(store, list, NOON);
  const { offers } = await offersHistoryOf(store, ITEM);
  assert.deepEqual(
    offers.map((each) => each.offer),
    list,
  );
  const rows = await store.sql.all('select price_cents from archived_offers order by place');
  assert.deepEqual(
    rows.map((row) => row['price_cents']),
    [null, null, null, 500],
  );
  assert.deepEqual(await checkStore(store.sql), []);
});

test('of another marketplace only the length of the list is noted', async () => {
  await using store = await open();
  const other = listingOf('retailer_a', 'B000000001');
  await file(store, [offer(1, 500)], NOON, other);
  assert.equal(await offersCountOf(store, other, NOON), 1);
  assert.deepEqual(await offersHistoryOf(store, other), { total: 0, offers: [] });
  assert.deepEqual(await store.sql.all('select * from sellers'), []);
});

test('an offer that was archived before a field existed says nothing about it', async () => {
  await using store = await open();
  await file(store, [offer(1, 500)], NOON);
  await store.sql.write([
    { text: `update archived_offers set record = '{"offerId":"old"}' where place = 0` },
  ]);
  const { offers } = await offersHistoryOf(store, ITEM);
  assert.deepEqual(offers[0]?.offer, { ...EMPTY_OFFER, offerId: 'old' });
});
