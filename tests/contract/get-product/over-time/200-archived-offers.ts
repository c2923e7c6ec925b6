import assert from 'node:assert/strict';

import { HOUR_MS } from '../../../../src/core/clock.ts';
import { EMPTY_OFFER } from '../../../../src/listing/offer.ts';
import { presentOffersHistory } from '../../../../src/wire/offers-history.ts';
import { contractService } from '../../support/contract-service.ts';
import { ordinary } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

type Row = Readonly<Record<string, unknown>>;

const archiveOf = async (id: string, query = '') => {
  const record = await contract.record(id, `?include_offers_history=true${query}`);
  return {
    record,
    rows: record['offers_history'] as readonly Row[],
    count: record['offers_history_count'],
  };
};

/** Items with sellers of their own, that no test has asked for. */
const items = () => ordinary(contract, 'retailer_w', ({ offers }) => offers.length > 2).slice(4);

proves(
  'PA-10 CO-05 PR-46 PR-48 OV-03',
  'nothing archived is an empty list and 0, for five tokens',
  async () => {
    const [item] = items();
    assert.ok(item !== undefined);
    const { record, rows, count } = await archiveOf(item.id);
    assert.deepEqual([rows, count], [[], 0]);
    assert.equal(record['tokens_consumed'], 6);
    const plain = await contract.record(item.id);
    assert.ok(!('offers_history' in plain) && !('offers_history_count' in plain));
    assert.equal(plain['tokens_consumed'], 1);
  },
);

proves(
  'PA-10 PR-47 OF-05 D31f D28d',
  'each live call is archived as it was answered, newest first, with its time and what stood before',
  async () => {
    const [, item] = items();
    assert.ok(item !== undefined);
    const first = await contract.record(item.id, '?include_offers=true');
    contract.clock.advance(30 * HOUR_MS);
    const second = await contract.record(item.id, '?include_offers=true');
    const lists = [first, second].map((record) => record['offers'] as readonly Row[]);
    const { rows, count } = await archiveOf(item.id);
    assert.equal(count, lists.flat().length);
    assert.equal(rows.length, count);
    const times = rows.map((row) => String(row['observed_at']));
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.equal(new Set(times).size, 2);
    const ofArchive = ['observed_at', 'was_price', 'seller_rating', 'seller_review_count'];
    const shown = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !ofArchive.includes(name))),
    );
    assert.deepEqual(shown, [...(lists[1] ?? []), ...(lists[0] ?? [])], 'as it was answered');
    const cheaperBefore = rows.filter((row) => row['was_price'] !== null);
    assert.ok(cheaperBefore.length > 0, 'a former price');
    for (const row of rows) {
      if (row['in_stock'] === false)
        assert.deepEqual([row['price'], row['was_price']], [null, null]);
      assert.equal(row['seller_rating'] === null, row['seller_review_count'] === null);
    }
  },
);

proves('D31f PR-47', 'at most 500 rows, the count is of all', async () => {
  const [, , item] = items();
  assert.ok(item !== undefined);
  let calls = 0;
  for (let total = 0; total <= 500; calls += 1) {
    const record = await contract.record(item.id, '?include_offers=true');
    total += (record['offers'] as readonly Row[]).length;
    contract.clock.advance(2 * HOUR_MS);
    assert.ok(calls < 400);
  }
  const { rows, count } = await archiveOf(item.id);
  assert.equal(rows.length, 500);
  assert.ok(Number(count) > 500);
});

proves(
  'PA-10 PA-11 D18a',
  'the archive is retailer_w’s: none beside another retailer=, and the free history is another thing',
  async () => {
    const { gtin } = contract.world;
    await contract.record(gtin, '?include_offers=true');
    const own = await archiveOf(gtin);
    assert.ok(own.rows.length > 0);
    const other = await archiveOf(gtin, '&retailer=retailer_b');
    assert.deepEqual([other.rows, other.count, other.record['tokens_consumed']], [[], 0, 6]);
    const free = await contract.record(gtin, '?include_history=true');
    assert.equal(free['tokens_consumed'], 1);
    assert.ok('price_history' in free && !('offers_history' in free));
  },
);

proves(
  'D28d PR-47',
  'an archived offer that was sold out shows neither its price nor its former one',
  () => {
    const usd = (cents: number) => ({ cents, currency: 'USD' as const });
    const offer = { ...EMPTY_OFFER, price: usd(1_000), wasPrice: usd(1_500) };
    for (const [inStock, shown] of [
      [true, [10, 15]],
      [null, [10, 15]],
      [false, [null, null]],
    ] as const) {
      const archived = { observedAtMs: contract.clock.now(), offer: { ...offer, inStock } };
      const { offers_history: rows } = presentOffersHistory({ total: 1, offers: [archived] });
      const row = rows?.[0];
      assert.deepEqual([row?.price, row?.was_price], shown, String(inStock));
    }
  },
);
