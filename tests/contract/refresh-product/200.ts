import assert from 'node:assert/strict';

import { DAY_MS, dayOf, HOUR_MS } from '../../../src/base/clock.ts';
import { at, contractService } from '../support/contract-service.ts';
import { askedSince, one, readAt } from '../support/market.ts';
import { appendPast } from '../support/past.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

async function refreshed(id: string, query = ''): Promise<Record<string, unknown>> {
  const { status, body } = await contract.refresh(id, query);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function retailersAskedBy(call: () => Promise<unknown>): Promise<readonly string[]> {
  await contract.untilQueueIdle();
  const from = contract.sandbox.requests().length;
  await call();
  return askedSince(contract, from);
}

proves(
  'OV-05 RF-01 RF-03 RF-04 D19a D19h PR-52',
  'it reads now, renews what is stored, costs 9, and has offers, reviews and their summary',
  async () => {
    const { upc } = contract.world;
    const before = await contract.record(upc);
    contract.clock.advance(HOUR_MS);
    const record = await refreshed(upc);
    assert.equal(record['tokens_consumed'], 9);
    assert.ok(Number.isInteger(record['tokens_remaining']));
    assert.ok(readAt(record) > readAt(before));
    assert.equal(readAt(await contract.record(upc)), readAt(record), 'the stored row is renewed');
    assert.ok(Array.isArray(record['offers']) && record['offers'].length > 0);
    assert.ok('reviews' in record && record['review_summary'] !== null);
    for (const name of Object.keys(before)) assert.ok(name in record, name);
  },
);

proves('D19b D30a', 'without offers and reviews it costs 4', async () => {
  const record = await refreshed(contract.world.item_id, '?include_offers_reviews=false');
  assert.equal(record['tokens_consumed'], 4);
  assert.ok('review_summary' in record);
});

proves('D19c', 'other add-ons add their price', async () => {
  const query = '?include_offers_reviews=false&include_cross_retailer=true';
  const record = await refreshed(contract.world.item_id, query);
  assert.equal(record['tokens_consumed'], 6);
  assert.ok('cross_retailer' in record);
  const offers = await refreshed(
    contract.world.item_id,
    '?include_offers_reviews=false&include_offers=true',
  );
  assert.equal(offers['tokens_consumed'], 9);
  assert.ok('offers' in offers && !('reviews' in offers));
  const full = await refreshed(contract.world.item_id, '?include_cross_retailer=true');
  assert.equal(full['tokens_consumed'], 11);
});

proves(
  'PR-51 PR-52 D19f D19g PR-33 PR-34',
  'stats have the three figures next to the windows, price_history lists the bars of 30 days',
  async () => {
    const item = one(contract, 'retailer_w', ({ inStock }) => inStock);
    const first = await contract.record(item.id);
    await appendPast(contract, 'retailer_w', item.id, [
      [1, 1_000, true, 3],
      [1, 1_500, true, 5],
      [1, 1_200, true, 9],
      [2, 100, false],
      [29, 2_000, true],
      [30, 9_900, true],
      [300, 8_800, true],
    ]);
    const record = await refreshed(item.id, '?include_offers_reviews=false');
    const bars = record['price_history'] as readonly Record<string, unknown>[];
    const now = contract.clock.now();
    assert.deepEqual(
      bars.map(({ date }) => date),
      [0, 1, 29].map((days) => dayOf(now - days * DAY_MS)),
    );
    assert.deepEqual(bars[1], {
      date: dayOf(now - DAY_MS),
      open: 10,
      close: 12,
      low: 10,
      high: 15,
      observations: 3,
    });
    const price = Number(first['current_price']);
    assert.equal(at(record, 'stats.low_30d'), Math.min(10, price));
    assert.equal(at(record, 'stats.high_30d'), Math.max(20, price));
    assert.equal(at(record, 'stats.avg_30d'), at(record, 'stats.windows.30d.average'));
    assert.ok(at(record, 'stats.windows.180d') !== undefined);
  },
);

proves('D19d D27b', 'only the anchor is asked; retailer= chooses it', async () => {
  const { upc } = contract.world;
  await contract.record(upc);
  const query = '?include_offers_reviews=false';
  const ofW = await retailersAskedBy(() => refreshed(upc, query));
  assert.deepEqual(ofW, ['retailer_w']);
  const ofB = await retailersAskedBy(async () => {
    const record = await refreshed(upc, `${query}&retailer=retailer_b`);
    assert.equal(at(record, '_meta.price_source'), 'retailer_b');
  });
  assert.deepEqual(ofB, ['retailer_b']);
});

proves('D18d', 'include_force_refresh on the lookup is the same for 3 more tokens', async () => {
  const { upc } = contract.world;
  const before = await contract.record(upc);
  const record = await contract.record(upc, '?include_force_refresh=true');
  assert.equal(record['tokens_consumed'], 4);
  assert.ok(readAt(record) > readAt(before));
  assert.ok(!Array.isArray(record['price_history']), 'the shape stays the lookup’s');
});

proves('D45a', 'asin_match stands on a refresh of an ASIN', async () => {
  const { asin } = contract.world;
  const record = await refreshed(asin, '?include_offers_reviews=false');
  assert.deepEqual(record['asin_match'], { state: 'exact', matched_asin: asin });
});

proves('RR-04', 'a page address of retailer_b is refreshed', async () => {
  const { url } = contract.world.retailers.retailer_b;
  const record = await refreshed(url, '?retailer=retailer_b');
  assert.equal(at(record, '_meta.price_source'), 'retailer_b');
});
