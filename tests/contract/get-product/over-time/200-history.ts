import assert from 'node:assert/strict';

import { DAY_MS, dayOf } from '../../../../src/base/clock.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { ordinary } from '../../support/market.ts';
import { appendPast, type Past } from '../../support/past.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService({ isAlone: true });

/** Days 1 to 200 back; two of them have two prices, one is sold out. */
const PAST: readonly Past[] = [
  [1, 1_000, true, 8],
  [1, 1_400, true, 20],
  [2, 900, true, 8],
  [2, 700, true, 20],
  [3, 100, false],
  [29, 2_000, true],
  [30, 3_000, true],
  [59, 4_000, true],
  [60, 5_000, true],
  [89, 6_000, true],
  [90, 7_000, true],
  [179, 8_000, true],
  [180, 100, true],
];

proves(
  'PR-31 PR-35 PR-36 PR-37 D29a D29b D29c D28c D29d',
  'windows count UTC days back from today; low, high and mean of closes are those of the bars',
  async () => {
    const [listing] = ordinary(contract, 'retailer_w', ({ inStock }) => inStock).slice(5);
    assert.ok(listing !== undefined);
    await contract.record(listing.id);
    // After the first answer retailer_w is also queried for its barcode, which reads it again.
    await contract.untilQueueIdle();
    const first = await contract.record(listing.id);
    const now = Number(first['current_price']);
    const read = Number(at(first, 'stats.windows.30d.observation_count'));
    await appendPast(contract, 'retailer_w', listing.id, PAST);
    const record = await contract.record(listing.id);
    const window = (name: string) => at(record, `stats.windows.${name}`) as Record<string, number>;
    const mean = (...closes: readonly number[]) =>
      Math.round((closes.reduce((sum, each) => sum + each, 0) / closes.length) * 100) / 100;
    const closes = [now, 14, 7, 20];
    const low = Math.min(7, now);
    assert.deepEqual(window('30d'), {
      low,
      high: Math.max(20, now),
      average: mean(...closes),
      days_covered: 4,
      observation_count: read + 5,
      excluded_count: 0,
    });
    assert.deepEqual(window('60d'), {
      low,
      high: Math.max(40, now),
      average: mean(...closes, 30, 40),
      days_covered: 6,
      observation_count: read + 7,
      excluded_count: 0,
    });
    assert.deepEqual(window('90d'), {
      low,
      high: Math.max(60, now),
      average: mean(...closes, 30, 40, 50, 60),
      days_covered: 8,
      observation_count: read + 9,
      excluded_count: 0,
    });
    assert.deepEqual(window('180d'), {
      low,
      high: Math.max(80, now),
      average: mean(...closes, 30, 40, 50, 60, 70, 80),
      days_covered: 10,
      observation_count: read + 11,
      excluded_count: 0,
    });
    assert.equal(at(record, 'stats.current_price'), now);
    const today = contract.clock.now();
    assert.deepEqual(record['price_history'], {
      first_observed_date: dayOf(today - 180 * DAY_MS),
      last_observed_date: dayOf(today),
      days_covered: 11,
    });
    assert.equal(record['tokens_consumed'], 1);
  },
);

proves(
  'D29d D29e',
  'history and stats are the anchor’s, whichever retailer it is, and with retailer= that retailer’s',
  async () => {
    const { gtin, asin, item_id: itemId } = contract.world;
    await contract.record(itemId);
    await contract.record(asin);
    await appendPast(contract, 'retailer_w', itemId, [[5, 11_100, true]]);
    await appendPast(contract, 'retailer_a', asin, [[7, 22_200, true]]);
    const high = (record: Record<string, unknown>) => at(record, 'stats.windows.30d.high');
    const { url } = contract.world.retailers.retailer_a;
    const ofW = await contract.record(gtin);
    assert.deepEqual([high(ofW), at(ofW, 'price_history.days_covered')], [111, 2]);
    // An ASIN's address is equivalent to the ASIN.
    const ofA = [asin, url, `${gtin}?retailer=retailer_a`];
    for (const id of ofA) {
      const [text = '', query = ''] = id.split('?');
      const record = await contract.record(text, query === '' ? '' : `?${query}`);
      assert.deepEqual([high(record), at(record, 'price_history.days_covered')], [222, 2], id);
      assert.equal(at(record, 'stats.current_price'), record['current_price'], id);
    }
    const shop = await contract.record(contract.world.url.open_graph);
    assert.equal(high(shop), shop['current_price']);
  },
);

proves(
  'D29e',
  'the address of a page at another of the seven makes history and stats its own',
  async () => {
    const { item_id: itemId, retailers } = contract.world;
    await contract.record(itemId);
    for (const slug of ['retailer_b', 'retailer_h', 'retailer_e', 'retailer_l'] as const) {
      const other = await contract.record(retailers[slug].url);
      assert.equal(at(other, 'stats.current_price'), other['current_price'], slug);
      assert.equal(at(other, 'stats.windows.30d.high'), other['current_price'], slug);
    }
  },
);

proves(
  'PA-24 D22d',
  'include_history and include_stats decide, free of charge, whether their field stands',
  async () => {
    const id = contract.world.item_id;
    const whole = await contract.record(id, '?include_history=true&include_stats=1');
    assert.ok('price_history' in whole && 'stats' in whole);
    const bare = await contract.record(id, '?include_history=FALSE&include_stats=0');
    assert.ok(!('price_history' in bare) && !('stats' in bare));
    const half = await contract.record(id, '?include_history=false');
    assert.ok(!('price_history' in half) && 'stats' in half);
    assert.deepEqual(
      [whole, bare, half].map((each) => each['tokens_consumed']),
      [1, 1, 1],
    );
  },
);
