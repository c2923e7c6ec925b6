import assert from 'node:assert/strict';

import { HOUR_MS } from '../../../../src/base/clock.ts';
import { offerTruth } from '../../../../sandbox/market/market-truth.ts';
import { contractService, productPath, refused } from '../../support/contract-service.ts';
import { one, offersOf } from '../../support/market.ts';
import { STATED_IN_RECORD } from '../../../support/stated-offer-facts.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

type Offer = Record<string, unknown>;

const offersIn = (record: Record<string, unknown>) => record['offers'] as readonly Offer[];

proves(
  'PA-05 OF-01 OF-03 OF-04 D32a D28d PR-14 PR-43 D17b',
  'retailer_w: every new offer as it is, counted, a price only for what is there',
  async () => {
    const item = one(contract, 'retailer_w', ({ offers }) => offers.some((each) => !each.inStock));
    const record = await contract.record(item.id, '?include_offers=true');
    const truth = offersOf(contract, item, contract.clock.now()).filter(
      ({ condition }) => condition === 'new',
    );
    const offers = offersIn(record);
    assert.equal(offers.length, truth.length);
    assert.equal(record['offers_count'], offers.length);
    assert.equal(record['tokens_consumed'], 6);
    for (const [number, offer] of offers.entries()) {
      const wanted = truth[number];
      assert.ok(wanted !== undefined);
      const answered = offerTruth('retailer_w', wanted);
      for (const name of STATED_IN_RECORD.retailer_w) {
        assert.deepEqual(offer[name], answered[name], name);
      }
      assert.equal(offer['price'], wanted.inStock ? answered['price'] : null);
      assert.equal(offer['seller_type'], wanted.isFirstParty ? '1p' : '3p');
      assert.equal(offer['is_buy_box'], wanted.isBuyBox);
      for (const name of ['fulfilled_w', 'fulfillment_type', 'quantity_available']) {
        assert.ok(name in offer, name);
      }
    }
    assert.ok(!('reviews' in record), 'no reviews block');
    assert.ok('review_summary' in record);
  },
);

proves(
  'PA-04 OF-02 D31a PR-15',
  'retailer_a: the list of all sellers in its own shape, for an ASIN and with retailer=',
  async () => {
    const item = one(
      contract,
      'retailer_a',
      ({ offers }) => offers.filter(({ inStock }) => inStock).length > 2,
    );
    const truth = offersOf(contract, item, contract.clock.now()).filter(({ inStock }) => inStock);
    for (const [id, query] of [
      [item.id, ''],
      [contract.world.gtin, '&retailer=retailer_a'],
    ] as const) {
      const offers = offersIn(await contract.record(id, `?include_offers_reviews=true${query}`));
      assert.ok(offers.length > 0);
      for (const offer of offers) {
        assert.deepEqual([offer['seller_id_hex'], offer['fulfilled_w']], [null, null]);
        assert.equal(typeof offer['fulfilled_a'], 'boolean');
        assert.ok(!('offer_id' in offer));
      }
    }
    const record = await contract.record(item.id, '?include_offers=1');
    assert.deepEqual(
      offersIn(record)
        .map(({ price, seller_name: name }) => `${String(price)} ${String(name)}`)
        .toSorted(),
      truth.map(({ cents, seller }) => `${cents / 100} ${seller.name}`).toSorted(),
    );
    assert.equal(record['total_offers'], truth.length);
  },
);

proves(
  'D31e D31d',
  'retailer_e has one offer, in the shape of retailer_w; a shop without a marketplace has none',
  async () => {
    const { retailers, url } = contract.world;
    const own = await contract.record(retailers.retailer_e.url, '?include_offers=true');
    const [offer, ...more] = offersIn(own);
    assert.deepEqual(more, []);
    assert.equal(offer?.['price'], own['current_price']);
    assert.ok(offer !== undefined && 'offer_id' in offer && !('fulfilled_a' in offer));
    for (const [page, query] of [
      [retailers.retailer_b.url, '&retailer=retailer_b'],
      [retailers.retailer_l.url, '&retailer=retailer_l'],
      [url.json_ld, ''],
    ] as const) {
      await contract.record(page);
      await contract.untilQueueIdle();
      const asked = contract.sandbox.requestCount();
      const record = await contract.record(page, `?include_offers=true${query}`);
      assert.deepEqual([record['offers'], record['offers_count']], [[], 0]);
      assert.deepEqual([record['offers_retailer'], record['offers_complete']], [null, true]);
      assert.equal(record['tokens_consumed'], 6);
      assert.equal(contract.sandbox.requestCount(), asked, 'and is asked for none');
    }
  },
);

proves(
  'PA-02 PR-44 PR-45 CO-04 D30a D17b',
  'with reviews: the summary, the months, and five tokens once for both flags',
  async () => {
    const item = one(
      contract,
      'retailer_w',
      ({ totals }) => totals.count > 10 && totals.count < 50,
    );
    const record = await contract.record(item.id, '?include_offers_reviews=true');
    assert.equal(record['tokens_consumed'], 6);
    const both = await contract.record(item.id, '?include_offers_reviews=true&include_offers=true');
    assert.equal(both['tokens_consumed'], 6);
    const summary = record['review_summary'] as Record<string, unknown>;
    assert.equal(summary['average_rating'], record['average_rating']);
    assert.equal(summary['total_reviews'], record['review_count']);
    assert.deepEqual(Object.keys(summary['rating_distribution'] as object).toSorted(), [
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    const own = await contract.ok(productPath(item.id, '/reviews'));
    const block = record['reviews'] as Record<string, unknown>;
    for (const name of ['summary', 'monthly_breakdown', 'top_reviews']) {
      assert.deepEqual(block[name], own[name], name);
    }
    const alone = await contract.record(item.id, '?include_offers=true');
    assert.ok('review_summary' in alone && !('reviews' in alone));
  },
);

proves('PA-03', 'elsewhere the reviews are what the page publishes, without months', async () => {
  const record = await contract.record(
    contract.world.retailers.retailer_b.url,
    '?include_offers_reviews=true',
  );
  const reviews = record['reviews'] as Record<string, Record<string, unknown>>;
  assert.equal(reviews['summary']?.['average_rating'], record['average_rating']);
  assert.equal(reviews['summary']?.['total_reviews'], record['review_count']);
  assert.deepEqual(reviews['monthly_breakdown'], []);
});

proves('D31a EE-09', 'offers are of the moment, whatever is stored', async () => {
  const item = one(contract, 'retailer_w', ({ offers }) => offers.length > 2);
  await contract.record(item.id, '?include_offers=true');
  contract.clock.advance(20 * HOUR_MS);
  const record = await contract.record(item.id, '?include_offers=true');
  const truth = offersOf(contract, item, contract.clock.now()).filter(
    ({ condition }) => condition === 'new',
  );
  assert.deepEqual(
    offersIn(record).map(({ price }) => price),
    truth.map(({ cents, inStock }) => (inStock ? cents / 100 : null)),
  );
});

proves('D31b', 'calls that wait together share one fetch', async () => {
  const item = one(contract, 'retailer_w', ({ offers }) => offers.length > 3);
  await contract.record(item.id);
  await contract.untilQueueIdle();
  const from = contract.sandbox.requests().length;
  const records = await Promise.all(
    Array.from({ length: 6 }, () => contract.record(item.id, '?include_offers=1')),
  );
  const lists = contract.sandbox
    .requests()
    .slice(from)
    .filter(({ path }) => path.includes('GetAllSellerOffers')).length;
  assert.ok(lists >= 1 && lists < 6, `${lists} fetches for six callers`);
  assert.ok(records.every((record) => record['tokens_consumed'] === 6));
});

proves(
  'EE-09 D31c D16a',
  'offers that cannot be fetched are 503 with Retry-After and no bill, for each kind of identifier',
  async () => {
    const { item_id: itemId, upc, asin, retailers } = contract.world;
    for (const id of [itemId, upc, asin]) await contract.record(id, '?include_offers=true');
    const left = await contract.left();
    const pointers = [
      retailers.retailer_w.trouble.offers_unavailable?.url ?? '',
      retailers.retailer_a.trouble.offers_unavailable?.url ?? '',
    ];
    const check = async (id: string, flag: string) => {
      const answer = await contract.lookup(id, `?${flag}=true`);
      refused(answer, 503, 'offers_unavailable');
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      assert.ok(!('offers' in answer.body));
    };
    for (const id of pointers) await check(id, 'include_offers_reviews');
    for (const slug of ['retailer_w', 'retailer_a'] as const)
      contract.sandbox.disturb(slug, 'down');
    try {
      for (const id of [itemId, upc, asin]) {
        await check(id, 'include_offers');
        await check(id, 'include_offers_reviews');
      }
    } finally {
      for (const slug of ['retailer_w', 'retailer_a'] as const)
        contract.sandbox.disturb(slug, null);
    }
    assert.equal(await contract.left(), left);
  },
);

proves(
  'OF-02',
  'the number of pieces that a seller has left is stated where the list states it',
  async () => {
    const item = one(contract, 'retailer_a', ({ offers }) =>
      offers.some(({ quantityLeft, inStock }) => quantityLeft !== null && inStock),
    );
    const truth = offersOf(contract, item, contract.clock.now()).filter(({ inStock }) => inStock);
    const record = await contract.record(item.id, '?include_offers=true');
    const shown = offersIn(record).map((offer) => Number(offer['quantity_available'] ?? 0));
    assert.deepEqual(
      shown.toSorted((a, b) => a - b),
      truth.map(({ quantityLeft }) => quantityLeft ?? 0).toSorted((a, b) => a - b),
    );
  },
);
