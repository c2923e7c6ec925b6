import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING, type Listing } from '../../src/base/listing/listing.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { listingIdOf, recordOf } from '../../src/data/answers/listings.ts';
import { upsertListing, type ListingToUpsert } from '../../src/data/answers/listing-writes.ts';
import { upsertBarcodeAnswer } from '../../src/data/answers/barcode-answers.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { insertShop, upsertShopFacts } from '../../src/data/answers/shops.ts';
import { openTestStore } from '../support/stores.ts';
import { insertObservation } from '../../src/data/history/recent-observations.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');
const GTIN = '00012345678905' as Gtin14;

function open() {
  return openTestStore();
}

function filed(listing: Partial<Listing>, over: Partial<ListingToUpsert> = {}): ListingToUpsert {
  return {
    retailer: 'lampshop',
    key: 'https://lampshop.example/products/lamp',
    url: 'https://lampshop.example/products/lamp?ref=1',
    foundVia: 'submitted_url',
    fetchedAtMs: NOON,
    listing: { ...EMPTY_LISTING, title: 'Lamp', gtin: GTIN, ...listing },
    notes: { missing: ['brand'], remarks: ['price from JSON-LD'], chosen: { sku: 'L-1' } },
    ...over,
  };
}

test('a listing comes back as it was filed, by key and by barcode', async () => {
  await using store = await open();
  const lamp = filed({
    price: { cents: 1_999, currency: 'USD' },
    inStock: true,
    categories: ['a'],
  });
  await store.sql.write([...upsertListing(lamp)]);
  const row = await store.listings.findListing(lamp.retailer, lamp.key);
  assert.deepEqual(row, {
    id: listingIdOf(lamp.retailer, lamp.key),
    retailer: lamp.retailer,
    key: lamp.key,
    url: lamp.url,
    foundVia: 'submitted_url',
    fetchedAtMs: NOON,
    listing: lamp.listing,
    notes: lamp.notes,
  });
  const byCode = await store.listings.findListingsTiedTo(GTIN);
  assert.deepEqual(byCode, [row]);
  assert.equal(await store.listings.findListing('lampshop', 'other'), null);
  assert.deepEqual(await store.listings.findListingsTiedTo('00036000291452' as Gtin14), []);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('the later fetch wins, in whichever order the two are written', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    await using store = await open();
    const both = [filed({ title: 'old' }), filed({ title: 'new' }, { fetchedAtMs: NOON + 1 })];
    for (const index of order) await store.sql.write([...upsertListing(both[index] ?? filed({}))]);
    const row = await store.listings.findListing('lampshop', filed({}).key);
    assert.equal(row?.listing.title, 'new');
    assert.equal(row?.fetchedAtMs, NOON + 1);
  }
});

test('tied to a barcode are the listings that print it and those that its cells name, each once, the known retailers first', async () => {
  await using store = await open();
  const other = '00036000291452' as Gtin14;
  const at = (retailer: string, key: string, gtin: Gtin14 | null) =>
    filed({ gtin }, { retailer, key });
  const listings = [
    at('lampshop', 'https://lampshop.example/1', GTIN),
    at('retailer_w', '1', GTIN),
    at('retailer_e', '2', other),
    at('retailer_b', '3', null),
    at('retailer_h', '4', other),
  ];
  const cells = ['retailer_w', 'retailer_e', 'retailer_b'].map((retailer) => {
    const found = listings.find((each) => each.retailer === retailer);
    const id = listingIdOf(retailer, found?.key ?? '');
    return upsertBarcodeAnswer({
      gtin: GTIN,
      retailer,
      status: 'ok',
      listingId: id,
      identity: { state: 'unconfirmed', method: null, pageBarcode: null, checkedAtMs: NOON },
      source: 'primary',
      foundVia: 'native_catalog',
      checkedAtMs: NOON,
      askedAtMs: NOON,
      judgedBy: null,
    });
  });
  await store.sql.write([...listings.flatMap(upsertListing), ...cells]);
  const tied = await store.listings.findListingsTiedTo(GTIN);
  assert.deepEqual(
    tied.map(({ retailer }) => retailer),
    ['retailer_b', 'retailer_e', 'retailer_w', 'lampshop'],
  );
});

test('of a shop that prints a barcode on hundreds of pages one is read for it, and no other shop is displaced', async () => {
  await using store = await open();
  const page = (shop: string, number: number) => {
    const key = `https://${shop}.example/${number}`;
    return upsertListing(filed({}, { retailer: shop, key, url: key }));
  };
  const pages = Array.from({ length: 300 }, (_, at) => page('badshop', 999 - at));
  const known = ['1', '2'].flatMap((key) =>
    upsertListing(filed({}, { retailer: 'retailer_w', key })),
  );
  await store.sql.write([...pages.flat(), ...known, ...page('lampshop', 1)]);
  const tied = await store.listings.findListingsTiedTo(GTIN);
  assert.deepEqual(
    tied.map(({ key }) => key),
    ['1', '2', 'https://badshop.example/700', 'https://lampshop.example/1'],
  );
});

test('a listing that only has an imported history is not held until it is read', async () => {
  await using store = await open();
  const lamp = filed({});
  const id = listingIdOf(lamp.retailer, lamp.key);
  await store.sql.write([
    {
      text: `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms, gtin14)
        values ($1, $2, $3, $4, 'imported', 'imported', 0, $5)`,
      params: [id, lamp.retailer, lamp.key, lamp.url, GTIN],
    },
  ]);
  assert.equal(await store.listings.findListing(lamp.retailer, lamp.key), null);
  assert.equal(await store.listings.findListingById(id), null);
  assert.deepEqual(await store.listings.findListingsTiedTo(GTIN), []);
  await store.sql.write([...upsertListing(lamp)]);
  const stored = await store.listings.findListing(lamp.retailer, lamp.key);
  assert.equal(stored?.fetchedAtMs, NOON);
  assert.deepEqual(await store.listings.findListingById(id), stored);
});

test('the same record is the same listing object, and a changed one another', async () => {
  await using store = await open();
  const { retailer, key } = filed({});
  const listingNow = async () => (await store.listings.findListing(retailer, key))?.listing;
  await store.sql.write([...upsertListing(filed({}))]);
  const first = await listingNow();
  assert.equal(await listingNow(), first);
  assert.equal((await store.listings.findListingsTiedTo(GTIN))[0]?.listing, first);
  await store.sql.write([...upsertListing(filed({ title: 'Kettle' }, { fetchedAtMs: NOON + 1 }))]);
  assert.equal((await listingNow())?.title, 'Kettle');
});

test('a text that is not a record is an error each time', () => {
  for (const text of ['{', 'null', '{}', '{}']) assert.throws(() => recordOf(text));
});

test('a record written before a field existed says nothing about it', async () => {
  await using store = await open();
  await store.sql.write([
    ...upsertListing(filed({})),
    {
      text: 'update listings set record = $1, gtin14 = null',
      params: ['{"listing":{"title":"Old lamp","gtin":null}}'],
    },
  ]);
  const row = await store.listings.findListing('lampshop', filed({}).key);
  assert.deepEqual(row?.listing, { ...EMPTY_LISTING, title: 'Old lamp' });
  assert.deepEqual(row?.notes, { missing: [], remarks: [] });
});

test('a slug belongs to the first domain; the listing of another is rolled back with its slug (D10)', async () => {
  await using store = await open();
  const register = (domain: string) =>
    store.sql.write([
      ...insertShop({ slug: 'lampshop', domain }, NOON),
      ...upsertListing(filed({}, { key: domain })),
    ]);
  const [first, second] = await Promise.all([
    register('lampshop.example'),
    register('lampshop.test'),
  ]);
  assert.equal(first?.done, true);
  assert.deepEqual(second, { done: false, refusedBy: null });
  assert.equal((await register('lampshop.example')).done, true, 'registering twice is harmless');
  const shop = { slug: 'lampshop', domain: 'lampshop.example' };
  assert.deepEqual(await store.shops.findShopByDomain('lampshop.example'), shop);
  assert.deepEqual(await store.shops.findShopBySlug('lampshop'), shop);
  assert.equal(await store.shops.findShopByDomain('lampshop.test'), null);
  assert.equal(await store.listings.findListing('lampshop', 'lampshop.test'), null);
  const renamed = await store.sql.write([
    ...insertShop({ slug: 'lampshopexample', domain: 'lampshop.example' }, NOON),
  ]);
  assert.equal(renamed.done, false, 'a domain has one slug');
});

test('what was learnt last about a host is what is known', async () => {
  await using store = await open();
  const facts = { host: 'lampshop.example', platform: 'hosted' as const, learnedAtMs: NOON };
  await store.sql.write([upsertShopFacts({ ...facts, currency: 'USD' })]);
  await store.sql.write([upsertShopFacts({ ...facts, currency: 'EUR', learnedAtMs: NOON - 1 })]);
  const found = await store.shops.findShopFacts('lampshop.example');
  assert.deepEqual(found, { ...facts, currency: 'USD' });
  assert.equal(await store.shops.findShopFacts('other.example'), null);
});

test('observations keep USD apart from other money, and no price out of stock (D26, D28)', async () => {
  await using store = await open();
  const lamp = filed({});
  const listingId = listingIdOf(lamp.retailer, lamp.key);
  const table = [
    [{ cents: 1_000, currency: 'USD' }, true, [1_000, null, null, 1]],
    [{ cents: 1_000, currency: 'EUR' }, true, [null, 1_000, 'EUR', 1]],
    [{ cents: 1_000, currency: null }, null, [null, 1_000, null, null]],
    [{ cents: 1_000, currency: 'USD' }, false, [null, null, null, 0]],
    [{ cents: 1_000, currency: 'EUR' }, false, [null, null, null, 0]],
    [{ cents: 0, currency: 'USD' }, true, [null, null, null, 1]],
    [null, true, [null, null, null, 1]],
  ] as const;
  await store.sql.write([
    ...upsertListing(lamp),
    ...table.map(([price, inStock], index) =>
      insertObservation({ listingId, observedAtMs: NOON + index, price, inStock }),
    ),
  ]);
  const rows = await store.sql.all('select * from observations order by observed_at_ms');
  assert.deepEqual(
    rows.map((row) => [
      row['price_cents'],
      row['native_cents'],
      row['native_currency'],
      row['in_stock'],
    ]),
    table.map(([, , expected]) => expected),
  );
  assert.deepEqual(await checkStore(store.sql), []);
});

test('history is read from a moment on, oldest first; the same instant is one observation', async () => {
  await using store = await open();
  const lamp = filed({});
  const listingId = listingIdOf(lamp.retailer, lamp.key);
  const at = (iso: string) => Date.parse(iso);
  const seen = (observedAtMs: number, cents: number, inStock: boolean | null = true) =>
    insertObservation({ listingId, observedAtMs, price: { cents, currency: 'USD' }, inStock });
  await store.sql.write([...upsertListing(lamp)]);
  assert.deepEqual(await store.observations.findSpan(listingId), {
    firstDay: null,
    lastDay: null,
    daysCovered: 0,
  });
  await store.sql.write([
    seen(at('2026-03-14T23:59:59.999Z'), 300),
    seen(at('2026-03-12T00:00:00Z'), 100),
    seen(at('2026-03-12T05:00:00Z'), 200),
    seen(at('2026-03-12T05:00:00Z'), 999),
    seen(at('2026-03-16T01:00:00Z'), 400, false),
  ]);
  assert.equal(await store.observations.countObservations(listingId), 4);
  assert.deepEqual(await store.observations.findSpan(listingId), {
    firstDay: '2026-03-12',
    lastDay: '2026-03-16',
    daysCovered: 2,
  });
  const since = await store.observations.findSince(listingId, at('2026-03-12T05:00:00Z'));
  assert.deepEqual(
    since.observations.map(({ priceCents, inStock }) => [priceCents, inStock]),
    [
      [200, true],
      [300, true],
      [null, false],
    ],
  );
});

test('an observation of no listing is refused, with all of its transaction', async () => {
  await using store = await open();
  const transaction = [
    upsertShopFacts({ host: 'h', platform: 'other', currency: null, learnedAtMs: NOON }),
    insertObservation({ listingId: 'nobody', observedAtMs: NOON, price: null, inStock: null }),
  ];
  await assert.rejects(store.sql.write(transaction), /foreign key/i);
  assert.equal(await store.shops.findShopFacts('h'), null);
});
