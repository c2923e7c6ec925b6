import assert from 'node:assert/strict';

import { DAY_MS, dayOf } from '../../../src/base/clock.ts';
import type { MarketListing } from '../../../sandbox/market/market.ts';
import { reviewsAt, totalsOf, type MarketReview } from '../../../sandbox/market/reviews.ts';
import { contractService, productPath } from '../support/contract-service.ts';
import { ordinary } from '../support/market.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

type Json = Readonly<Record<string, unknown>>;

function truthOf({ product }: MarketListing): readonly MarketReview[] {
  return reviewsAt(contract.sandbox.market().seed, 'retailer_w', product, contract.clock.now());
}

/** Returns an ordinary item with this many reviews. */
function itemWith(fits: (reviews: readonly MarketReview[]) => boolean): MarketListing {
  const found = ordinary(contract, 'retailer_w').find((each) => fits(truthOf(each)));
  return found ?? assert.fail('the market has such an item');
}

async function reviewsOf(id: string, query = '') {
  const body = await contract.ok(productPath(id, `/reviews${query}`));
  assert.equal(body['tokens_consumed'], 3);
  return body as Json & {
    readonly summary: Json;
    readonly monthly_breakdown: readonly Json[];
    readonly top_reviews: readonly Json[];
  };
}

const sentimentOf = (reviews: readonly MarketReview[]) => ({
  positive: reviews.filter(({ stars }) => stars >= 4).length,
  neutral: reviews.filter(({ stars }) => stars === 3).length,
  negative: reviews.filter(({ stars }) => stars <= 2).length,
});

const meanOf = (reviews: readonly MarketReview[]) =>
  reviews.reduce((sum, { stars }) => sum + stars, 0) / reviews.length;

const near = (one: unknown, other: number) => Math.abs(Number(one) - other) < 0.006;

function agrees(
  { summary, monthly_breakdown: months }: Awaited<ReturnType<typeof reviewsOf>>,
  expected: readonly MarketReview[],
): void {
  assert.equal(summary['total_reviews'], expected.length);
  assert.ok(near(summary['average_rating'], meanOf(expected)));
  assert.deepEqual(summary['sentiment'], sentimentOf(expected));
  const verified = expected.filter(({ isVerified }) => isVerified).length;
  assert.equal(summary['verified_purchases'], verified);
  assert.equal(summary['non_verified_purchases'], expected.length - verified);
  const names = [...new Set(expected.map(({ day }) => day.slice(0, 7)))];
  assert.deepEqual(
    months.map((each) => each['month']),
    names.toSorted().toReversed(),
  );
  for (const month of months) {
    const own = expected.filter(({ day }) => day.startsWith(String(month['month'])));
    assert.equal(month['total_reviews'], own.length);
    assert.ok(near(month['average_rating'], meanOf(own)));
    assert.deepEqual(month['sentiment'], sentimentOf(own));
  }
}

proves(
  'ER-03 ER-04 RV-01 RV-02 RV-03 RV-04 RV-05 RV-06 RV-07 D42a D42b D42c OV-04 PA-03',
  'every review stands once in its month, and the summary is the sum of the months',
  async () => {
    const item = itemWith((reviews) => reviews.length > 20 && reviews.length <= 55);
    const truth = truthOf(item);
    const answer = await reviewsOf(item.id);
    assert.equal(answer['identifier'], item.id);
    agrees(answer, truth);
    assert.deepEqual(answer.summary['rating_distribution'], totalsOf(truth).distribution);
    assert.deepEqual(
      answer.top_reviews.map(({ date }) => date),
      truth.slice(0, 10).map(({ day }) => day),
    );
    assert.ok(!JSON.stringify(answer).includes(truth[0]?.author ?? '?'), 'authors are not kept');
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    agrees(await reviewsOf(item.id), truth);
    assert.equal(contract.sandbox.requestCount(), asked, 'held for a day');
  },
);

proves(
  'ER-01 ER-02 D42g D42f',
  'dates are UTC days, both included; a month that they cut counts its days in range',
  async () => {
    const item = itemWith((reviews) => reviews.length > 12 && reviews.length <= 50);
    const truth = truthOf(item);
    const days = truth.map(({ day }) => day).toSorted();
    const [from = '', to = ''] = [days[3], days.at(-4)];
    const cases: readonly (readonly [string, (day: string) => boolean])[] = [
      [`?start_date=${from}&end_date=${to}`, (day) => day >= from && day <= to],
      [`?start_date=${from}`, (day) => day >= from],
      [`?end_date=${to}`, (day) => day <= to],
      [`?start_date=${from}&end_date=${from}`, (day) => day === from],
    ];
    for (const [query, fits] of cases) {
      const answer = await reviewsOf(item.id, query);
      agrees(
        answer,
        truth.filter(({ day }) => fits(day)),
      );
      assert.equal(answer.summary['rating_distribution'], null);
      assert.ok(answer.top_reviews.every(({ date }) => fits(String(date))));
    }
    const today = dayOf(contract.clock.now());
    assert.ok((await reviewsOf(item.id, `?start_date=${today}&end_date=${today}`)).summary);
  },
);

proves('D42e RV-08', 'dates without a review: zero, and null for the averages', async () => {
  const item = itemWith((reviews) => reviews.length > 0);
  const answer = await reviewsOf(item.id, '?start_date=2001-01-01&end_date=2001-01-31');
  const { summary } = answer;
  assert.deepEqual([summary['total_reviews'], summary['average_rating']], [0, null]);
  assert.deepEqual([answer.monthly_breakdown, answer.top_reviews], [[], []]);
});

proves('D42d', 'without a month and without dates it is what the retailer publishes', async () => {
  const item = itemWith((reviews) => reviews.length === 0);
  const { summary, monthly_breakdown: months } = await reviewsOf(item.id);
  assert.deepEqual(months, []);
  assert.deepEqual([summary['total_reviews'], summary['average_rating']], [0, null]);
});

proves('D42b', 'reviews that came later join those that are stored', async () => {
  const item = itemWith(
    (reviews) =>
      reviews.length > 3 &&
      reviews.length < 40 &&
      reviews.some(({ day }) => day > dayOf(contract.clock.now() - 60 * DAY_MS)),
  );
  const first = await reviewsOf(item.id);
  contract.clock.advance(100 * DAY_MS);
  const later = await reviewsOf(item.id);
  assert.ok(Number(later.summary['total_reviews']) >= Number(first.summary['total_reviews']));
  agrees(later, truthOf(item));
});

proves(
  'ER-05 GP-01',
  'every form of identifier leads to the reviews of the item at retailer_w',
  async () => {
    const { upc, gtin, asin, item_id: itemId, retailers } = contract.world;
    const own = await reviewsOf(itemId);
    for (const id of [upc, gtin, asin, retailers.retailer_w.url, retailers.retailer_b.url]) {
      assert.deepEqual((await reviewsOf(id)).summary, own.summary, id);
    }
    assert.equal((await reviewsOf(upc))['identifier'], gtin, 'a barcode in its normal form');
  },
);

proves('D42b', 'more reviews than one call reads are collected a few pages at a time', async () => {
  const item = itemWith((reviews) => reviews.length > 25 && reviews.length <= 50);
  await reviewsOf(item.id);
  // As if only the newest page had been read so far.
  const newest = truthOf(item)
    .slice(0, 10)
    .map(({ id }) => id);
  const names = newest.map((_, number) => `$${number + 2}`).join(', ');
  await contract.app.store.sql.write([
    {
      text: `delete from reviews where item_id = $1 and review_id not in (${names})`,
      params: [item.id, ...newest],
    },
  ]);
  contract.clock.advance(15 * DAY_MS);
  agrees(await reviewsOf(item.id), truthOf(item));
});

proves('D66b', 'a SKU of retailer_b has the reviews of its product at retailer_w', async () => {
  const { retailer_b_sku: sku } = contract.world;
  const record = await contract.record(sku);
  assert.equal((record['_meta'] as Json)['source'], 'retailer_b');
  const [ofSku, ofCode] = [await reviewsOf(sku), await reviewsOf(String(record['gtin']))];
  assert.deepEqual(ofSku.summary, ofCode.summary);
  assert.equal(ofSku['identifier'], sku);
});
