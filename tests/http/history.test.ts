import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS } from '../../src/core/clock.ts';
import type { Gtin14 } from '../../src/identifiers/gtin.ts';
import type { Money } from '../../src/listing/money.ts';
import { createLookupHistory } from '../../src/lookup/lookup-history.ts';
import { listingIdOf } from '../../src/store/listings.ts';
import { barcodeKey, insertImported } from '../../src/store/imported-history.ts';
import { HistoryBody } from '../../src/wire/history.ts';
import { startService, type Service } from '../support/service.ts';
import { insertObservation } from '../../src/store/recent-observations.ts';

let service: Service;

before(async () => {
  service = await startService({ withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const usd = (cents: number): Money => ({ cents, currency: 'USD' });

/** The body of a 200 that keeps the schema. */
async function historyOf(id: string, query = ''): Promise<HistoryBody> {
  const answer = await service.get(`/v1/products/${encodeURIComponent(id)}/history${query}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return HistoryBody.parse(answer.body);
}

/** Noon (UTC) so many days ago. */
function daysAgo(days: number): number {
  return (Math.floor(Date.now() / DAY_MS) - days) * DAY_MS + (days === 0 ? 1 : DAY_MS / 2);
}

type Past = readonly [days: number, price: Money | null, inStock: boolean | null];

async function append(retailer: string, key: string, past: readonly Past[]): Promise<void> {
  const unit = past.map(([days, price, inStock]) =>
    insertObservation({
      listingId: listingIdOf(retailer, key),
      observedAtMs: daysAgo(days),
      price,
      inStock,
    }),
  );
  assert.ok((await service.app.store.sql.write(unit)).done);
}

async function importFor(gtin: string, retailer: string, past: readonly Past[]): Promise<void> {
  const code = gtin as Gtin14;
  await insertImported(
    service.app.store.sql,
    past.map(([days, price, inStock]) => ({
      retailer,
      key: barcodeKey(code),
      url: '',
      gtin: code,
      observedAtMs: daysAgo(days),
      price,
      inStock,
    })),
  );
}

test('a lookup leaves one observation that the history shows for two tokens', async () => {
  const { item_id: itemId } = service.sandbox.describe();
  const record = await service.lookup(itemId);
  assert.equal(record.status, 200, JSON.stringify(record.body));
  const history = await historyOf(itemId);
  assert.equal(history.identifier, itemId);
  assert.equal(history.retailer, 'retailer_w');
  assert.equal(history.timeframe, '30d');
  assert.equal(history.tokens_consumed, 2);
  assert.equal(history.tokens_remaining, Number(record.body['tokens_remaining']) - 2);
  assert.deepEqual(history.observations, [
    {
      observed_at: (record.body['_freshness'] as Record<string, unknown>)['refreshed_at'],
      price: record.body['current_price'],
      in_stock: true,
    },
  ]);
  assert.equal(history.stats?.observation_count, 1);
  assert.equal(history.stats?.current, record.body['current_price']);
});

test('timeframes count days from today, newest first; the figures stay those of 30 days', async () => {
  const gtin = '04006381333931';
  await importFor(gtin, 'retailer_w', [
    [0, usd(1_000), true],
    [6, usd(1_100), true],
    [7, usd(1_200), true],
    [29, usd(1_500), true],
    [30, usd(9_000), true],
    [89, usd(2_000), true],
    [364, usd(3_000), true],
    [365, usd(4_000), true],
    [900, usd(5_000), true],
  ]);
  const rows = { '7d': 2, '30d': 4, '90d': 6, '1y': 7, all: 9 };
  for (const [timeframe, count] of Object.entries(rows)) {
    const history = await historyOf('4006381333931', `?timeframe=${timeframe}`);
    assert.equal(history.identifier, gtin);
    assert.equal(history.timeframe, timeframe);
    assert.equal(history.observations.length, count, timeframe);
    const times = history.observations.map((each) => each.observed_at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.deepEqual(history.stats, {
      current: 10,
      lowest_30d: 10,
      highest_30d: 15,
      average_30d: 12,
      observation_count: count,
    });
    assert.equal(history.tokens_consumed, 2);
  }
});

test('out of stock has no price, stands in the rows and makes no figure; other money is no dollars', async () => {
  const gtin = '00036000291452';
  await importFor(gtin, 'retailer_w', [
    [3, usd(2_000), true],
    [2, { cents: 100, currency: 'EUR' }, true],
    [1, usd(700), false],
    [0, null, null],
  ]);
  const history = await historyOf('036000291452');
  assert.deepEqual(
    history.observations.map((each) => [each.price, each.in_stock]),
    [
      [null, null],
      [null, false],
      [null, true],
      [20, true],
    ],
  );
  assert.deepEqual(history.stats, {
    current: null,
    lowest_30d: 20,
    highest_30d: 20,
    average_30d: 20,
    observation_count: 4,
  });
});

test('an identifier that is known without an observation of that retailer has [] and null stats', async () => {
  const { asin } = service.sandbox.describe();
  assert.equal((await service.lookup(asin)).status, 200);
  const url = service.sandbox.describe().url.json_ld;
  const record = await service.lookup(url);
  for (const query of ['', '?retailer=retailer_t', '?retailer=nosuchshop']) {
    const { observations, stats, next } = await historyOf(url, query);
    assert.deepEqual({ observations, stats, next }, { observations: [], stats: null, next: null });
  }
  const slug = String((record.body['_meta'] as Record<string, unknown>)['price_source']);
  assert.equal((await historyOf(url, `?retailer=${slug}`)).observations.length, 1);
  assert.equal((await historyOf(asin, '?retailer=retailer_a')).observations.length, 1);
});

test('an identifier of which nothing is held is 404, unbilled, and nobody is asked', async () => {
  await service.worked();
  const asked = service.sandbox.requestCount();
  const spent = await service.get('/v1/products/9780306406157/history');
  assert.equal(spent.status, 404);
  assert.equal(spent.body['code'], 'not_found');
  assert.equal(spent.body['tokens_consumed'], 0);
  const gone = service.sandbox.describe().trouble.gone;
  assert.equal((await service.lookup(gone)).status, 404);
  const later = service.sandbox.requestCount();
  const remembered = await service.get(`/v1/products/${encodeURIComponent(gone)}/history`);
  assert.equal(remembered.status, 404);
  assert.equal(service.sandbox.requestCount(), later);
  assert.ok(later >= asked);
});

test('all lists every retailer with its slug, and only confirmed listings make the figures', async () => {
  const gtin = '09780306406157';
  await importFor(gtin, 'retailer_w', [[1, usd(1_000), true]]);
  await importFor(gtin, 'retailer_e', [[2, usd(800), true]]);
  // A retailer that can never be confirmed.
  await importFor(gtin, 'retailer_t', [[0, usd(100), true]]);
  const history = await historyOf(gtin, '?retailer=all');
  assert.deepEqual(
    history.observations.map((each) => [each.retailer, each.price]),
    [
      ['retailer_t', 1],
      ['retailer_w', 10],
      ['retailer_e', 8],
    ],
  );
  assert.deepEqual(history.stats, {
    current: 10,
    lowest_30d: 8,
    highest_30d: 10,
    average_30d: 9,
    observation_count: 3,
  });
  assert.equal(history.tokens_consumed, 2);
  const own = await historyOf(gtin, '?retailer=retailer_t');
  assert.equal(own.stats?.current, 1);
  assert.ok(own.observations.every((each) => !('retailer' in each)));
});

test('a mismatching listing has no part in the history of the barcode', async () => {
  const gtin = '05901234123457' as Gtin14;
  await importFor(gtin, 'retailer_w', [[1, usd(500), true]]);
  await importFor('00036000291452', 'retailer_b', [[1, usd(300), true]]);
  const other = listingIdOf('retailer_b', barcodeKey('00036000291452' as Gtin14));
  const written = await service.app.store.sql.write([
    {
      text: `insert into cells (gtin14, retailer, status, listing_id, identity_state,
          identity_method, page_barcode, source, checked_at_ms)
        values ($1, 'retailer_b', 'ok', $2, 'mismatch', 'page_barcode', '00036000291452',
          'primary', 1)`,
      params: [gtin, other],
    },
  ]);
  assert.ok(written.done);
  const history = await historyOf(gtin, '?retailer=all');
  assert.deepEqual(
    history.observations.map((each) => each.retailer),
    ['retailer_w'],
  );
});

test('what was imported under a barcode continues in what is fetched, in the record’s stats too', async () => {
  const { upc } = service.sandbox.describe();
  const first = await service.lookup(upc);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  await importFor(String(first.body['gtin']), 'retailer_w', [[2, usd(1), true]]);
  const history = await historyOf(upc);
  assert.equal(history.observations.length, 2);
  const { windows } = (await service.lookup(upc)).body['stats'] as {
    windows: Record<string, Record<string, number>>;
  };
  assert.deepEqual(
    [windows['30d']?.['low'], windows['30d']?.['high'], windows['30d']?.['average']],
    [history.stats?.lowest_30d, history.stats?.highest_30d, history.stats?.average_30d],
  );
  assert.equal(windows['30d']?.['low'], 0.01);
});

test('more rows than an answer holds go on at `next`, none twice and none left out', async () => {
  const { store } = service.app;
  const past: Past[] = Array.from({ length: 25 }, (_, days) => [days, usd(100 + days), true]);
  await importFor('04012345678901', 'retailer_w', past);
  await importFor('04012345678901', 'retailer_e', past);
  const read = createLookupHistory({
    store,
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
    isAllowedUrl: () => true,
    maxRows: 7,
  });
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await read({
      text: '4012345678901',
      timeframe: 'all',
      retailer: 'all',
      cursor,
    });
    assert.ok(page.observations.length <= 7);
    seen.push(...page.observations.map((each) => `${each.observedAtMs} ${each.retailer}`));
    if (page.next === null) {
      assert.equal(pages, 8);
      break;
    }
    cursor = page.next;
  }
  assert.equal(seen.length, 50);
  assert.equal(new Set(seen).size, 50);
  const whole = await historyOf('4012345678901', '?timeframe=all&retailer=all');
  assert.equal(whole.next, null);
  assert.equal(whole.observations.length, 50);
  const rest = await historyOf('4012345678901', `?timeframe=all&retailer=all&cursor=${cursor}`);
  assert.equal(rest.observations.length, 1);
});

test('an answer has at most 10,000 rows', async () => {
  const now = Date.now();
  const gtin = '05012345678900' as Gtin14;
  const entries = Array.from({ length: 10_001 }, (_, at) => ({
    retailer: 'retailer_w',
    key: barcodeKey(gtin),
    url: '',
    gtin,
    observedAtMs: now - at,
    price: usd(100),
    inStock: true,
  }));
  await insertImported(service.app.store.sql, entries);
  const first = await historyOf(gtin, '?timeframe=all');
  assert.equal(first.observations.length, 10_000);
  const second = await historyOf(gtin, `?timeframe=all&cursor=${first.next}`);
  assert.equal(second.observations.length, 1);
  assert.equal(second.next, null);
});

const REFUSED: readonly (readonly [
  path: string,
  status: number,
  code: string,
  parameter?: string,
])[] = [
  ['036000291452/history?timeframe=60d', 400, 'invalid_parameter', 'timeframe'],
  ['036000291452/history?timeframe=30d&timeframe=7d', 400, 'invalid_parameter', 'timeframe'],
  ['036000291452/history?retailer=Shop.example', 400, 'invalid_parameter', 'retailer'],
  ['036000291452/history?retailer=', 400, 'invalid_parameter', 'retailer'],
  ['036000291452/history?cursor=1', 400, 'invalid_parameter', 'cursor'],
  ['036000291452/history?time_frame=30d', 400, 'unknown_parameter', 'time_frame'],
  ['036000291452/history?include_offers=true', 400, 'unknown_parameter', 'include_offers'],
  ['4006381333932/history', 400, 'invalid_identifier'],
  ['%ff/history', 400, 'invalid_identifier'],
  [`${encodeURIComponent('http://10.0.0.1/a')}/history`, 400, 'url_not_allowed'],
  ['2000000000008/history', 404, 'not_found'],
];

for (const [path, status, code, parameter] of REFUSED) {
  test(`${path} is ${status} ${code}, unbilled`, async () => {
    const { body, ...answer } = await service.get(`/v1/products/${path}`);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.equal(body['code'], code);
    if (parameter !== undefined) assert.equal(body['parameter'], parameter);
    assert.equal(body['tokens_consumed'], 0);
  });
}

test('without a key it is 401, and without tokens 429 with nothing told', async () => {
  const path = '/v1/products/036000291452/history';
  const refused = await service.get(path, { authorization: '' });
  assert.equal(refused.status, 401);
  const poor = await service.newKey({ organization: 'poor', monthlyQuota: 1, note: null });
  const spent = await service.get(path, { authorization: `Bearer ${poor}` });
  assert.equal(spent.status, 429);
  assert.equal(spent.body['code'], 'quota_exceeded');
  assert.ok(!('observations' in spent.body));
});

test('the history of an identifier reads nothing from a shop', async () => {
  await service.worked();
  const asked = service.sandbox.requestCount();
  await historyOf('036000291452', '?retailer=all&timeframe=all');
  assert.equal(service.sandbox.requestCount(), asked);
  await append('retailer_w', service.sandbox.describe().item_id, [[40, usd(777), true]]);
  const older = await historyOf(service.sandbox.describe().item_id, '?timeframe=90d');
  assert.equal(older.observations.at(-1)?.price, 7.77);
});
