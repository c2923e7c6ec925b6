import assert from 'node:assert/strict';

import { DAY_MS, dayOf } from '../../../../src/base/clock.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { addressOf, ordinary } from '../../support/market.ts';
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

/** Each way to a record with the series: its answer, and its price without bars. */
const WAYS: Readonly<
  Record<
    string,
    { readonly tokens: number; readonly answer: (id: string, query?: string) => Promise<Bar> }
  >
> = {
  lookup: {
    tokens: 1,
    answer: (id, query = '') => contract.record(id, `?include_price_series=true${query}`),
  },
  'forced lookup': {
    tokens: 4,
    answer: (id, query = '') =>
      contract.record(id, `?include_price_series=true&include_force_refresh=true${query}`),
  },
  refresh: {
    tokens: 4,
    answer: async (id, query = '') => {
      const only = '?include_offers_reviews=false&include_price_series=true';
      return (await contract.refresh(id, `${only}${query}`)).body;
    },
  },
  'batch line': {
    tokens: 1,
    answer: async (id, query = '') => {
      const line = {
        id,
        include_price_series: true,
        ...Object.fromEntries(new URLSearchParams(query)),
      };
      const { body } = await contract.call('/v1/products/batch', {
        method: 'POST',
        body: JSON.stringify(line),
      });
      const [{ product } = { product: null }] = body['lines'] as readonly { product: Bar | null }[];
      return product ?? assert.fail(`${id} has no record`);
    },
  },
};

/** The bars of an answer, of which a refresh has nothing else. */
function barsIn(answer: Bar): readonly Bar[] {
  const history = answer['price_history'];
  return (Array.isArray(history) ? history : at(history, 'series')) as readonly Bar[];
}

for (const [way, { tokens, answer }] of Object.entries(WAYS)) {
  proves(
    'PA-12 PA-13 D29f D19g',
    `a ${way} names whose bars the series has if they are not the anchor’s, and without one costs nothing more`,
    async () => {
      const { gtin, asin, retailers } = contract.world;
      const { bars } = await seriesOf(gtin);
      const days = bars.map(({ date }) => date);
      for (const [id, anchor, source] of [
        [gtin, 'retailer_w', undefined],
        [asin, 'retailer_a', 'retailer_w'],
        [retailers.retailer_b.url, 'retailer_b', 'retailer_w'],
        [retailers.retailer_l.url, 'retailer_l', 'retailer_w'],
      ] as const) {
        const answered = await answer(id);
        assert.equal(at(answered, '_meta.price_source'), anchor);
        assert.equal(at(answered, '_meta.series_source'), source, id);
        assert.deepEqual(
          barsIn(answered).map(({ date }) => date),
          days,
          id,
        );
        assert.equal(answered['tokens_consumed'], tokens + 10, id);
      }
      const never = contract.world.retailers.retailer_w.trouble.sold_out?.id ?? '';
      const listing = contract.sandbox
        .market()
        .listings('retailer_b')
        .find(
          ({ product: { trouble } }) =>
            trouble?.slug === 'retailer_w' && trouble.kind === 'sold_out',
        );
      assert.ok(listing !== undefined);
      const own = addressOf(contract, listing);
      const currency = '&currency=EUR';
      const named = '&retailer=retailer_b';
      for (const [id, query, anchor] of [
        [never, '', 'retailer_w'],
        [own, '', 'retailer_b'],
        [gtin, currency, 'retailer_w'],
        [retailers.retailer_b.url, currency, 'retailer_b'],
        [retailers.retailer_b.url, '&include_history=false', 'retailer_b'],
        ...(way === 'forced lookup' ? [] : [[gtin, named, 'retailer_b'] as const]),
      ] as const) {
        const answered = await answer(id, query);
        assert.equal(at(answered, '_meta.price_source'), anchor);
        assert.equal(at(answered, '_meta.series_source'), undefined, `${id}${query}`);
        assert.equal(answered['tokens_consumed'], tokens, `${id}${query}`);
      }
    },
  );
}

proves(
  'PA-12 D18d D29f',
  'a forced fetch of one retailer has no bars of another, for its own price',
  async () => {
    const { gtin, retailers } = contract.world;
    for (const slug of ['retailer_b', 'retailer_a'] as const) {
      const query = `?include_price_series=true&retailer=${slug}&force_refresh=true`;
      const record = await contract.record(gtin, query);
      assert.deepEqual(barsIn(record), [], slug);
      assert.equal(at(record, '_meta.series_source'), undefined);
      assert.equal(record['tokens_consumed'], 1);
    }
    const own = await contract.record(
      retailers.retailer_w.url,
      '?include_price_series=true&retailer=retailer_w&force_refresh=true',
    );
    assert.ok(barsIn(own).length > 0);
    assert.equal(own['tokens_consumed'], 11);
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
