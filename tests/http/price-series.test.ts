import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS, dayOf } from '../../src/core/clock.ts';
import type { Gtin14 } from '../../src/identifiers/gtin.ts';
import { listingIdOf } from '../../src/store/listings.ts';
import { barcodeKey, insertImported } from '../../src/store/imported-history.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { RefreshRecord } from '../../src/wire/refresh.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { insertObservation } from '../../src/store/recent-observations.ts';

const clock = shiftedClock();
let service: Service;
let spare: IterableIterator<string>;

before(async () => {
  service = await startService({ clock, withRetailers: true });
  const described = service.sandbox.describe().item_id;
  spare = service.sandbox
    .market()
    .listings('retailer_w')
    .filter(({ id, product, hasWrongBarcode }) => {
      return product.trouble === null && !hasWrongBarcode && id !== described;
    })
    .map(({ id }) => id)
    .values();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** An item of retailer_w that no other test has, and of which a price was seen. */
async function newItem(): Promise<string> {
  for (const id of spare) {
    const { status, body } = await service.lookup(id);
    if (status === 200 && typeof body['current_price'] === 'number') return id;
  }
  return assert.fail('such an item exists');
}

async function series(id: string, query = ''): Promise<ProductRecord> {
  const { status, body } = await service.lookup(id, `?include_price_series=true${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return ProductRecord.parse(body);
}

/** Noon (UTC) so many days ago, and some minutes. */
function daysAgo(days: number, minutes = 0): number {
  return (Math.floor(clock.now() / DAY_MS) - days) * DAY_MS + DAY_MS / 2 + minutes * 60_000;
}

type Past = readonly [atMs: number, cents: number | null, inStock: boolean | null];

async function append(retailer: string, key: string, past: readonly Past[]): Promise<void> {
  const unit = past.map(([observedAtMs, cents, inStock]) =>
    insertObservation({
      listingId: listingIdOf(retailer, key),
      observedAtMs,
      price: cents === null ? null : { cents, currency: 'USD' },
      inStock,
    }),
  );
  assert.ok((await service.app.store.sql.write(unit)).done);
}

test('every bar that is held, newest first, with what the day began, ended and ranged at', async () => {
  const id = await newItem();
  await append('retailer_w', id, [
    [daysAgo(3), 1_999, true],
    [daysAgo(3, 10), 2_499, true],
    [daysAgo(3, 20), 1_549, null],
    [daysAgo(3, 30), 2_001, true],
    [daysAgo(2), null, false],
    [daysAgo(900), 500, true],
  ]);
  const record = await series(id);
  const { price_history: history } = record;
  const bars = history?.series ?? [];
  assert.deepEqual(
    bars.map(({ date }) => date),
    [0, 3, 900].map((days) => dayOf(daysAgo(days))),
  );
  const [today, past, oldest] = bars;
  assert.deepEqual(past, {
    date: dayOf(daysAgo(3)),
    open: 19.99,
    close: 20.01,
    low: 15.49,
    high: 24.99,
    observations: 4,
  });
  assert.deepEqual([oldest?.open, oldest?.observations], [5, 1]);
  assert.equal(today?.close, record.current_price);
  assert.equal(history?.days_covered, bars.length);
  assert.equal(history.first_observed_date, oldest?.date);
  assert.equal(record.tokens_consumed, 11);
});

test('a lookup that did not ask has no series and pays for none', async () => {
  const id = await newItem();
  const { body } = await service.lookup(id);
  const { price_history: history, tokens_consumed: tokens } = ProductRecord.parse(body);
  assert.ok(history !== undefined && !('series' in history));
  assert.equal(tokens, 1);
});

test('ten tokens are taken only when there is a bar, fetched or held', async () => {
  const { out_of_stock_url: soldOut, item_id: itemId } = service.sandbox.describe();
  const left = (await series(itemId)).tokens_remaining;
  const none = await series(soldOut);
  assert.deepEqual([none.price_history?.series, none.tokens_consumed], [[], 1]);
  assert.equal(none.tokens_remaining, left - 1, 'what was reserved beyond it is given back');
  const held = await series(itemId);
  assert.ok((held.price_history?.series ?? []).length > 0);
  assert.equal(held.tokens_consumed, 11);
  assert.equal(held.tokens_remaining, left - 12);
});

test('a product that was never seen with a price has no bar and costs one token', async () => {
  const soldOut = service.sandbox
    .market()
    .listings('retailer_w')
    .filter(({ product }) => product.trouble?.slug === 'retailer_w')
    .filter(({ product }) => product.trouble?.kind === 'sold_out');
  assert.ok(soldOut[0] !== undefined);
  for (const again of ['fetched', 'held']) {
    const { price_history: history, tokens_consumed: tokens } = await series(soldOut[0].id);
    assert.deepEqual([history?.series, history?.days_covered, tokens], [[], 0, 1], again);
  }
});

test('the record of another shop has an empty series, free, although its own prices are held', async () => {
  const { gtin, retailers, url } = service.sandbox.describe();
  await series(gtin);
  for (const [id, query] of [
    [retailers.retailer_b.url, ''],
    [url.json_ld, ''],
    [gtin, '&retailer=retailer_b'],
  ] as const) {
    const { price_history: history, tokens_consumed: tokens } = await series(id, query);
    assert.deepEqual([history?.series, tokens], [[], 1], id);
    assert.ok(history !== undefined && history.days_covered > 0);
  }
  // D29: an address that stands for an identifier speaks of its own shop all the same.
  await append('retailer_w', service.sandbox.describe().item_id, [[daysAgo(5), 1_000, true]]);
  const { price_history: dates } = await series(retailers.retailer_b.url);
  assert.equal(dates?.first_observed_date, dayOf(clock.now()));
  assert.equal((await series(gtin)).price_history?.first_observed_date, dayOf(daysAgo(5)));
});

test('retailer_w is meant by its barcode, item id and address, and with retailer=retailer_w', async () => {
  const { gtin, item_id: itemId, asin, retailers } = service.sandbox.describe();
  const { price_history: own } = await series(itemId);
  assert.ok((own?.series ?? []).length > 0);
  for (const [id, query] of [
    [gtin, ''],
    [gtin, '&retailer=retailer_w'],
    [retailers.retailer_w.url, ''],
  ] as const) {
    const { price_history: history, tokens_consumed: tokens } = await series(id, query);
    assert.deepEqual([history, tokens], [own, 11], `${id} ${query}`);
  }
  // The record of an ASIN is anchored elsewhere; its history is retailer_w's all the same (D29).
  const { price_history: ofAsin, tokens_consumed: tokens, _meta: meta } = await series(asin);
  assert.equal(meta.price_source, 'retailer_a');
  assert.deepEqual([ofAsin, tokens], [own, 11]);
});

test('without price_history there is no series, and nothing is paid for it', async () => {
  const { item_id: itemId } = service.sandbox.describe();
  const { price_history: history, tokens_consumed: tokens } = await series(
    itemId,
    '&include_history=false',
  );
  assert.deepEqual([history, tokens], [undefined, 1]);
});

test('a history that was imported for the barcode goes on in the series', async () => {
  const id = await newItem();
  const { gtin } = await series(id);
  await insertImported(service.app.store.sql, [
    {
      retailer: 'retailer_w',
      key: barcodeKey(gtin as Gtin14),
      url: '',
      gtin: gtin as Gtin14,
      observedAtMs: daysAgo(400),
      price: { cents: 777, currency: 'USD' },
      inStock: true,
    },
  ]);
  const { price_history: history } = await series(id);
  assert.equal(history?.series?.at(-1)?.close, 7.77);
  assert.deepEqual([history?.series?.length, history?.days_covered], [2, 2]);
});

test('live and archived offers and the series are paid one by one', async () => {
  const { item_id: itemId } = service.sandbox.describe();
  const all = '&include_offers=true&include_offers_history=true&include_offers_reviews=true';
  assert.equal((await series(itemId, all)).tokens_consumed, 1 + 10 + 5 + 5);
});

test('a refresh answers with every day that is held, of retailer_w, and pays for it', async () => {
  const id = await newItem();
  await append('retailer_w', id, [[daysAgo(90), 1_234, true]]);
  const refresh = async (address: string, query: string): Promise<RefreshRecord> => {
    const path = `/v1/products/${encodeURIComponent(address)}/refresh`;
    const { status, body } = await service.post(`${path}?include_offers_reviews=false${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return RefreshRecord.parse(body);
  };
  const month = await refresh(id, '');
  assert.deepEqual([month.price_history?.length, month.tokens_consumed], [1, 4]);
  const all = await refresh(id, '&include_price_series=true');
  assert.deepEqual([all.price_history?.length, all.tokens_consumed], [2, 14]);
  assert.equal(all.price_history?.at(-1)?.close, 12.34);
  const { url } = service.sandbox.describe().retailers.retailer_b;
  const other = await refresh(url, '&include_price_series=true');
  assert.ok((other.price_history ?? []).length > 0, 'the last 30 days of its own');
  assert.equal(other.tokens_consumed, 4);
});

test('a call that could cost more than is left is refused before anything is fetched', async () => {
  const key = await service.newKey({ organization: 'poor', note: null });
  const poor = { authorization: `Bearer ${key}` };
  const { accounts } = service.app.store;
  await accounts.upsertOrganization({ name: 'poor', monthlyQuota: 5 }, clock.now());
  const from = service.sandbox.requestCount();
  const id = spare.next().value;
  const path = `/v1/products/${id}`;
  const refused = await service.get(`${path}?include_price_series=true`, poor);
  assert.deepEqual([refused.status, refused.body['code']], [429, 'quota_exceeded']);
  assert.equal(service.sandbox.requestCount(), from);
  const { out_of_stock_url: soldOut } = service.sandbox.describe();
  await service.lookup(soldOut);
  const free = await service.get(
    `/v1/products/${encodeURIComponent(soldOut)}?include_price_series=true`,
    poor,
  );
  assert.deepEqual([free.status, free.body['tokens_consumed']], [200, 1], 'held: the real price');
});
