import assert from 'node:assert/strict';

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { barcodeKey, insertImported } from '../../../src/data/history/imported-history.ts';
import { lookupHistory } from '../../../src/answer/lookup/history/lookup-history.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { createMatchingLater } from '../../../src/rules/matching/matching-later.ts';
import { MODEL } from '../../rules/matching/shipped-model.ts';
import { createIsTrustedShop } from '../../../src/read/retailers/addresses/trusted-shops.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { at, contractService, productPath } from '../support/contract-service.ts';
import { importPast } from '../support/past.ts';
import { proves } from '../support/proves.ts';

// When both paths are compared, each answer is requested again, and after the first one retailers are queried.
const contract = contractService({ isAlone: true });

type Row = Readonly<Record<string, unknown>>;

async function historyOf(id: string, query = '') {
  const body = await contract.ok(productPath(id, `/history${query}`));
  assert.equal(body['tokens_consumed'], 2);
  return { ...body, rows: body['observations'] as readonly Row[] } as Row & {
    readonly rows: readonly Row[];
  };
}

proves(
  'OV-04 EH-02 EH-03 EH-05 HO-01 EH-06 D43h',
  'one lookup leaves one observation, shown for two tokens under the normal form of the identifier',
  async () => {
    const { item_id: itemId, upc, gtin } = contract.world;
    // Before the lookup, after which retailer_b may be queried: something is known, but too old to be shown.
    await importPast(contract, gtin, 'retailer_w', [[100, 1_000, true]]);
    const other = await historyOf(upc, '?retailer=retailer_b');
    assert.deepEqual(other.rows, [], 'begins with the first lookup there');
    // The call may have asked for the barcode in the background, which reads the same listing.
    await contract.untilQueueIdle();
    const record = await contract.record(itemId);
    const history = await historyOf(itemId);
    assert.deepEqual(
      [history['identifier'], history['retailer'], history['timeframe']],
      [itemId, 'retailer_w', '30d'],
    );
    assert.deepEqual(history.rows, [
      {
        // A fetched observation is stored at its whole second.
        observed_at: String((record['_freshness'] as Row)['refreshed_at']).replace(
          /\.\d+Z$/,
          '.000Z',
        ),
        price: record['current_price'],
        in_stock: true,
      },
    ]);
    assert.equal((await historyOf(upc))['identifier'], gtin);
    await contract.record(upc, '?retailer=retailer_b');
    assert.equal((await historyOf(upc, '?retailer=retailer_b')).rows.length, 1);
  },
);

proves(
  'EH-01 EH-06 D43d D43e D29a D29b',
  'timeframes count days from today, newest first; the figures are always those of 30 days',
  async () => {
    const gtin = '04006381333931';
    await importPast(contract, gtin, 'retailer_w', [
      [0, 1_000, true],
      [6, 1_100, true],
      [7, 1_200, true],
      [29, 1_500, true],
      [30, 9_000, true],
      [89, 2_000, true],
      [90, 2_100, true],
      [364, 3_000, true],
      [365, 4_000, true],
      [900, 5_000, true],
    ]);
    for (const [timeframe, count] of [
      ['7d', 2],
      ['30d', 4],
      ['90d', 6],
      ['1y', 8],
      ['all', 10],
    ] as const) {
      const history = await historyOf('4006381333931', `?timeframe=${timeframe}`);
      assert.equal(history['identifier'], gtin);
      assert.equal(history.rows.length, count, timeframe);
      const times = history.rows.map((row) => String(row['observed_at']));
      assert.deepEqual(times, times.toSorted().toReversed());
      assert.deepEqual(history['stats'], {
        current: 10,
        lowest_30d: 10,
        highest_30d: 15,
        average_30d: 12,
        observation_count: count,
      });
    }
    assert.equal((await historyOf(gtin)).rows.length, 4, '30d when nothing is said');
  },
);

proves(
  'HO-02 EH-04 D43f D43g EH-06',
  'all shows every retailer with its slug; what was imported counts, and a mismatch is not a row',
  async () => {
    const gtin = '09780306406157';
    await importPast(contract, gtin, 'retailer_w', [[1, 1_000, true]]);
    await importPast(contract, gtin, 'retailer_e', [[2, 800, true]]);
    await importPast(contract, gtin, 'retailer_t', [[0, 100, true]]);
    const other = '00036000291452';
    await importPast(contract, other, 'retailer_b', [[1, 300, true]]);
    const mismatching = listingIdOf('retailer_b', barcodeKey(other as Gtin14));
    const written = await contract.app.store.sql.write([
      {
        text: `insert into cells (gtin14, retailer, status, listing_id, identity_state,
            identity_method, page_barcode, source, checked_at_ms)
          values ($1, 'retailer_b', 'ok', $2, 'mismatch', 'page_barcode', $3, 'primary', 1)`,
        params: [gtin, mismatching, other],
      },
    ]);
    assert.ok(written.done);
    const history = await historyOf(gtin, '?retailer=all');
    assert.deepEqual(
      history.rows.map((row) => [row['retailer'], row['price'], row['counted']]),
      [
        ['retailer_t', 1, true],
        ['retailer_w', 10, true],
        ['retailer_e', 8, true],
      ],
    );
    assert.deepEqual(history['stats'], {
      current: 1,
      lowest_30d: 1,
      highest_30d: 10,
      average_30d: 6.33,
      observation_count: 3,
    });
    const own = await historyOf(gtin, '?retailer=retailer_e');
    assert.ok(own.rows.every((row) => !('retailer' in row) && !('counted' in row)));
  },
);

proves(
  'D28b D28c CV-03',
  'sold out has no price, stands in the rows and makes no figure',
  async () => {
    const gtin = '05901234123457';
    await importPast(contract, gtin, 'retailer_w', [
      [3, 2_000, true],
      [1, 700, false],
      [0, null, false],
    ]);
    const history = await historyOf(gtin);
    assert.deepEqual(
      history.rows.map((row) => [row['price'], row['in_stock']]),
      [
        [null, false],
        [null, false],
        [20, true],
      ],
    );
    assert.deepEqual(history['stats'], {
      current: null,
      lowest_30d: 20,
      highest_30d: 20,
      average_30d: 20,
      observation_count: 3,
    });
  },
);

proves('D43a D43b', 'nothing observed is [] and null, and no retailer is asked', async () => {
  const { asin } = contract.world;
  await contract.record(asin);
  const page = contract.world.url.open_graph;
  const shop = await contract.record(page);
  await contract.untilQueueIdle();
  const asked = contract.sandbox.requestCount();
  const history = await historyOf(asin, `?retailer=${String(at(shop, '_meta.price_source'))}`);
  assert.deepEqual([history.rows, history['stats']], [[], null]);
  assert.equal(history['next'], null);
  for (const slug of 'waeltbh') {
    const { rows } = await historyOf(asin, `?retailer=retailer_${slug}`);
    if (slug === 'a') assert.ok(rows.length > 0);
  }
  assert.equal(contract.sandbox.requestCount(), asked);
});

proves(
  'D43e D28b',
  'a price in another currency is not a price in dollars, and unknown stock is null',
  async () => {
    const { sql } = contract.app.store;
    const gtin = '00036000291469' as Gtin14;
    const seen = { retailer: 'retailer_w', key: barcodeKey(gtin), url: '', gtin };
    const now = contract.clock.now();
    await insertImported(sql, [
      { ...seen, observedAtMs: now - 2_000, price: { cents: 100, currency: 'EUR' }, inStock: true },
      { ...seen, observedAtMs: now - 1_000, price: null, inStock: null },
    ]);
    const history = await historyOf(gtin);
    assert.deepEqual(
      history.rows.map((row) => [row['price'], row['in_stock']]),
      [
        [null, null],
        [null, true],
      ],
    );
  },
);

proves(
  'D29d D43d',
  'what was imported under a barcode continues in what is fetched: in history, stats and series',
  async () => {
    const { upc, gtin } = contract.world;
    await contract.record(upc, '?retailer=retailer_w');
    await contract.untilQueueIdle();
    const before = await historyOf(upc);
    await importPast(contract, gtin, 'retailer_w', [[2, 4_001, true]]);
    const { rows, stats } = await historyOf(upc);
    assert.equal(rows.length, before.rows.length + 1);
    const record = await contract.record(upc, '?include_price_series=true');
    for (const [window, figure] of [
      ['low', 'lowest_30d'],
      ['high', 'highest_30d'],
      ['average', 'average_30d'],
    ] as const) {
      assert.equal(at(record, `stats.windows.30d.${window}`), at(stats, figure), window);
    }
    const bars = at(record, 'price_history.series') as readonly Row[];
    assert.ok(bars.some(({ close }) => close === 40.01));
  },
);

proves('D43i', 'rows at one instant and of several retailers are paged without loss', async () => {
  const days = Array.from({ length: 25 }, (_, number) => [number, 100 + number, true] as const);
  await importPast(contract, '04012345678901', 'retailer_w', days);
  await importPast(contract, '04012345678901', 'retailer_e', days);
  const parts = {
    store: contract.app.store,
    clock: contract.clock,
    isAllowedUrl: () => true,
    isTrustedShop: createIsTrustedShop([]),
    matching: createMatchingLater(() => Promise.resolve(createMatching(MODEL))),
    maxRows: 7,
  };
  const question = { text: '4012345678901', timeframe: 'all', retailer: 'all' } as const;
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; pages <= 8; pages += 1) {
    const { observations, next } = await lookupHistory(parts, { ...question, cursor });
    assert.ok(observations.length <= 7);
    seen.push(...observations.map((each) => `${each.observedAtMs} ${each.retailer}`));
    assert.equal(next === null, pages === 8);
    cursor = next ?? cursor;
  }
  assert.deepEqual([seen.length, new Set(seen).size], [50, 50]);
  const rest = await historyOf('4012345678901', `?timeframe=all&retailer=all&cursor=${cursor}`);
  assert.equal(rest.rows.length, 1);
});

proves('D43i', 'ten thousand rows at most, the rest at next', async () => {
  const gtin = '05012345678900';
  const now = contract.clock.now();
  const past = Array.from({ length: 10_001 }, (_, number) => [number, 100, true] as const);
  await importPast(contract, gtin, 'retailer_w', past);
  assert.ok(now > 0);
  const first = await historyOf(gtin, '?timeframe=all');
  assert.equal(first.rows.length, 10_000);
  const second = await historyOf(gtin, `?timeframe=all&cursor=${String(first['next'])}`);
  assert.deepEqual([second.rows.length, second['next']], [1, null]);
});
