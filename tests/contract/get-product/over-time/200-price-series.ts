import assert from 'node:assert/strict';

import { DAY_MS, dayOf } from '../../../../src/base/clock.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { ordinary } from '../../support/market.ts';
import { appendPast } from '../../support/past.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService({ isAlone: true });

type Bar = Readonly<Record<string, unknown>>;

async function seriesOf(id: string, query = '') {
  const record = await contract.record(id, `?include_price_series=true${query}`);
  return { record, bars: at(record, 'price_history.series') as readonly Bar[] };
}

proves(
  'PR-32 PR-33 PR-34 PR-35 CO-06 PA-13 D28c OV-03',
  'every bar that is stored, newest first, one a day, for ten tokens',
  async () => {
    const [, item] = ordinary(contract, 'retailer_w', ({ inStock }) => inStock);
    assert.ok(item !== undefined);
    const first = await contract.record(item.id);
    await appendPast(contract, 'retailer_w', item.id, [
      [3, 1_999, true, 2],
      [3, 2_499, true, 4],
      [3, 1_549, true, 6],
      [3, 2_001, true, 8],
      [2, 700, false],
      [900, 500, true],
    ]);
    const { record, bars } = await seriesOf(item.id);
    const now = contract.clock.now();
    assert.deepEqual(
      bars.map(({ date }) => date),
      [0, 3, 900].map((days) => dayOf(now - days * DAY_MS)),
    );
    assert.deepEqual(bars[1], {
      date: dayOf(now - 3 * DAY_MS),
      open: 19.99,
      close: 20.01,
      low: 15.49,
      high: 24.99,
      observations: 4,
    });
    assert.equal(bars[0]?.['close'], first['current_price']);
    assert.equal(at(record, 'price_history.days_covered'), 3);
    assert.equal(record['tokens_consumed'], 11);
  },
);

proves(
  'PA-13 D17d CV-03',
  'no bar costs nothing extra, fetched or held, and what was reserved is given back',
  async () => {
    const { sold_out: pointer } = contract.world.retailers.retailer_w.trouble;
    const left = await contract.left();
    for (const again of ['fetched', 'held']) {
      const { record, bars } = await seriesOf(pointer?.id ?? '');
      assert.deepEqual([bars, record['tokens_consumed']], [[], 1], again);
    }
    assert.equal(await contract.left(), left - 2);
  },
);

proves(
  'PA-12 D29f',
  'the series is retailer_w’s, named where the anchor is another; without its bars there is no charge',
  async () => {
    const { gtin, retailers, url } = contract.world;
    const own = await seriesOf(gtin);
    assert.equal(at(own.record, '_meta.series_source'), undefined);
    for (const [id, query] of [
      [url.open_graph, ''],
      [gtin, '&retailer=retailer_b'],
    ] as const) {
      const { record, bars } = await seriesOf(id, query);
      assert.deepEqual([bars, record['tokens_consumed']], [[], 1], `${id}${query}`);
      assert.equal(at(record, '_meta.series_source'), undefined);
    }
    for (const id of [contract.world.asin, retailers.retailer_b.url]) {
      const { record, bars } = await seriesOf(id);
      assert.deepEqual(bars, own.bars, id);
      assert.equal(record['tokens_consumed'], 11);
      assert.equal(at(record, '_meta.series_source'), 'retailer_w');
      assert.notEqual(at(record, '_meta.price_source'), 'retailer_w');
    }
  },
);

proves('PR-32 PA-24', 'without price_history there is no series and no price for it', async () => {
  const record = await contract.record(
    contract.world.item_id,
    '?include_price_series=true&include_history=false',
  );
  assert.ok(!('price_history' in record));
  assert.equal(record['tokens_consumed'], 1);
});

proves('D19g D19c', 'a refresh with the series lists every day that is stored', async () => {
  const { item_id: id } = contract.world;
  await contract.record(id);
  await appendPast(contract, 'retailer_w', id, [
    [29, 1_000, true],
    [30, 1_100, true],
    [400, 1_200, true],
  ]);
  const query = '?include_offers_reviews=false';
  const short = await contract.refresh(id, query);
  assert.equal((short.body['price_history'] as readonly Bar[]).length, 2);
  const whole = await contract.refresh(id, `${query}&include_price_series=true`);
  assert.equal((whole.body['price_history'] as readonly Bar[]).length, 4);
  assert.deepEqual([short.body['tokens_consumed'], whole.body['tokens_consumed']], [4, 14]);
});

proves(
  'PA-12 D29d',
  'retailer_w is meant by its barcode, item id and address, and with retailer=retailer_w',
  async () => {
    const { gtin, item_id: itemId, retailers } = contract.world;
    const { record: own } = await seriesOf(itemId);
    for (const [id, query] of [
      [gtin, ''],
      [gtin, '&retailer=retailer_w'],
      [retailers.retailer_w.url, ''],
    ] as const) {
      const { record } = await seriesOf(id, query);
      assert.deepEqual(record['price_history'], own['price_history'], `${id}${query}`);
    }
  },
);

proves(
  'D19g PA-12 D29f',
  'a refresh of another retailer has its own last 30 days; with the series it has and names retailer_w’s',
  async () => {
    const { gtin, retailers } = contract.world;
    await contract.record(gtin);
    const { url } = retailers.retailer_b;
    const query = '?include_offers_reviews=false';
    const own = await contract.refresh(url, query);
    assert.equal(
      (own.body['price_history'] as readonly Bar[])[0]?.['close'],
      own.body['current_price'],
    );
    assert.equal(own.body['tokens_consumed'], 4);
    const { body } = await contract.refresh(url, `${query}&include_price_series=true`);
    const { bars } = await seriesOf(gtin);
    assert.deepEqual(body['price_history'], bars);
    assert.equal(at(body, '_meta.series_source'), 'retailer_w');
    assert.equal(at(body, 'stats.current_price'), body['current_price']);
    assert.equal(body['tokens_consumed'], 14);
  },
);

proves(
  'D17c PA-13',
  'a held record without bars is charged its real price, even when the series could not be paid',
  async () => {
    const key = await contract.newKey({ organization: 'poor', note: null, monthlyQuota: 5 });
    // Never in stock there, so it has no bars, whatever later requests find.
    const { sold_out: pointer } = contract.world.retailers.retailer_w.trouble;
    const id = pointer?.id ?? '';
    await contract.record(id);
    await contract.untilQueueIdle();
    const record = await contract.record(id, '?include_price_series=true', { key });
    assert.equal(record['tokens_consumed'], 1);
  },
);
