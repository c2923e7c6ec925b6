import assert from 'node:assert/strict';

import { HOUR_MS } from '../../../../src/base/clock.ts';
import { EMPTY_OFFER } from '../../../../src/base/listing/offer.ts';
import { presentOffersHistory } from '../../../../src/answer/wire/record/offers-history.ts';
import { contractService, refused } from '../../support/contract-service.ts';
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

/** Items with several sellers that no test has requested. */
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
    const ofArchive = [
      'observed_at',
      'offers_complete',
      'was_price',
      'seller_rating',
      'seller_review_count',
    ];
    assert.ok(rows.every((row) => row['offers_complete'] === true));
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
  'the archive is retailer_w’s: none besides another retailer=, and the free history is another thing',
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
      const seen = { observedAtMs: contract.clock.now(), isPartial: false };
      const archived = { ...seen, offer: { ...offer, inStock } };
      const { offers_history: rows } = presentOffersHistory({ total: 1, offers: [archived] });
      const row = rows?.[0];
      assert.deepEqual([row?.price, row?.was_price], shown, String(inStock));
    }
  },
);

proves(
  'D31f PR-47 CO-05',
  'a live call is not its own past; what a refresh fetched is archived like that of any call',
  async () => {
    const [, , , item, other] = items();
    assert.ok(item !== undefined && other !== undefined);
    const both = await contract.record(item.id, '?include_offers=true&include_offers_history=true');
    assert.deepEqual([both['offers_history'], both['offers_history_count']], [[], 0]);
    const { rows } = await archiveOf(item.id);
    assert.equal(rows.length, (both['offers'] as readonly Row[]).length);
    const { body } = await contract.refresh(other.id);
    const { count } = await archiveOf(other.id);
    assert.equal(count, (body['offers'] as readonly Row[]).length);
  },
);

proves('D31f', 'a list that cannot be fetched leaves the archive as it was', async () => {
  const [, , , item] = items();
  assert.ok(item !== undefined);
  await contract.record(item.id, '?include_offers=true');
  const { rows, count } = await archiveOf(item.id);
  contract.clock.advance(2 * HOUR_MS);
  contract.sandbox.disturb('retailer_w', 'down');
  try {
    const answer = await contract.lookup(item.id, '?include_offers=true');
    refused(answer, 503, 'offers_unavailable');
    const after = await archiveOf(item.id);
    assert.deepEqual([after.rows, after.count], [rows, count]);
  } finally {
    contract.sandbox.disturb('retailer_w', null);
  }
});

proves(
  'D31f PA-10',
  'the archive belongs to the product: by barcode and by the address of another shop too',
  async () => {
    const { gtin, item_id: itemId, retailers, url } = contract.world;
    await contract.record(itemId, '?include_offers=true');
    const { count } = await archiveOf(itemId);
    assert.ok(Number(count) > 0);
    for (const id of [gtin, retailers.retailer_b.url]) {
      assert.equal((await archiveOf(id)).count, count, id);
    }
    const elsewhere = await archiveOf(url.json_ld);
    assert.deepEqual([elsewhere.rows, elsewhere.count], [[], 0], 'retailer_w does not list it');
  },
);

proves(
  'PR-14 D31f',
  'a call without live offers states how many the newest list had, until it is a day old',
  async () => {
    const [, , , , , item] = items();
    assert.ok(item !== undefined);
    const countOf = async (id: string, query = '') =>
      (await contract.record(id, query))['offers_count'];
    assert.equal(await countOf(item.id), null);
    const live = await contract.record(item.id, '?include_offers=true');
    assert.equal(await countOf(item.id), (live['offers'] as readonly Row[]).length);
    contract.clock.advance(25 * HOUR_MS);
    assert.equal(await countOf(item.id), null);
    const { asin } = contract.world;
    const ofA = '&retailer=retailer_a';
    const offers = await countOf(asin, `?include_offers=true${ofA}`);
    const { record, rows } = await archiveOf(asin, ofA);
    assert.deepEqual([rows, record['offers_count']], [[], offers], 'only counted, not archived');
  },
);
