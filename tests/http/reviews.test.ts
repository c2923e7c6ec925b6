import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS, dayOf } from '../../src/core/clock.ts';
import type { MarketListing } from '../../src/sandbox/market/market.ts';
import { reviewsAt, totalsOf, type MarketReview } from '../../src/sandbox/market/reviews.ts';
import { ReviewsRecord } from '../../src/wire/reviews.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const clock = shiftedClock();
let service: Service;

before(async () => {
  service = await startService({ clock, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const ask = (id: string, query = '') =>
  service.get(`/v1/products/${encodeURIComponent(id)}/reviews${query}`);

function truthOf({ product }: MarketListing): readonly MarketReview[] {
  return reviewsAt(service.sandbox.market().seed, 'retailer_w', product, clock.now());
}

/** An ordinary item whose reviews are as the test needs them. */
function itemWith(
  fits: (reviews: readonly MarketReview[], listing: MarketListing) => boolean,
): MarketListing {
  const found = service.sandbox
    .market()
    .listings('retailer_w')
    .find(
      (each) => each.product.trouble === null && !each.hasWrongBarcode && fits(truthOf(each), each),
    );
  if (found === undefined) assert.fail('the market has such an item');
  return found;
}

async function record(id: string, query = ''): Promise<ReviewsRecord> {
  const { status, body } = await ask(id, query);
  assert.equal(status, 200, JSON.stringify(body));
  return ReviewsRecord.parse(body);
}

const sentimentOf = (reviews: readonly MarketReview[]) => ({
  positive: reviews.filter(({ stars }) => stars >= 4).length,
  neutral: reviews.filter(({ stars }) => stars === 3).length,
  negative: reviews.filter(({ stars }) => stars <= 2).length,
});

const meanOf = (reviews: readonly MarketReview[]) =>
  reviews.reduce((sum, { stars }) => sum + stars, 0) / reviews.length;

function agrees(answer: ReviewsRecord, expected: readonly MarketReview[]): void {
  const { summary, monthly_breakdown: months } = answer;
  assert.equal(summary.total_reviews, expected.length);
  assert.ok(Math.abs((summary.average_rating ?? 0) - meanOf(expected)) < 0.001);
  assert.deepEqual(summary.sentiment, sentimentOf(expected));
  assert.equal(summary.verified_purchases, expected.filter(({ isVerified }) => isVerified).length);
  assert.equal(
    summary.non_verified_purchases,
    expected.filter(({ isVerified }) => !isVerified).length,
  );
  const names = [...new Set(expected.map(({ day }) => day.slice(0, 7)))];
  assert.deepEqual(
    months.map(({ month }) => month),
    names.toSorted().toReversed(),
  );
  for (const month of months) {
    const own = expected.filter(({ day }) => day.startsWith(month.month));
    assert.equal(month.total_reviews, own.length);
    assert.ok(Math.abs(month.average_rating - meanOf(own)) < 0.001);
    assert.deepEqual(month.sentiment, sentimentOf(own));
  }
}

test('all reviews of an item stand in their months, the summary is their sum', async () => {
  const item = itemWith((reviews) => reviews.length > 20 && reviews.length <= 55);
  const truth = truthOf(item);
  const answer = await record(item.id);
  agrees(answer, truth);
  assert.equal(answer.identifier, item.id);
  assert.equal(answer.tokens_consumed, 3);
  assert.deepEqual(answer.summary.rating_distribution, totalsOf(truth).distribution);
  assert.deepEqual(
    answer.top_reviews.map(({ date }) => date),
    truth.slice(0, 10).map(({ day }) => day),
  );
  assert.ok(!JSON.stringify(answer).includes(truth[0]?.author ?? '?'), 'authors are not kept');
  await service.worked();
  const asked = service.sandbox.requestCount();
  const again = await record(item.id);
  assert.equal(service.sandbox.requestCount(), asked, 'held for a day');
  assert.equal(again.tokens_consumed, 3);
  assert.deepEqual(again.summary, answer.summary);
});

test('dates are UTC days, both included; a month that they cut counts its days in range', async () => {
  const item = itemWith((reviews) => reviews.length > 12 && reviews.length <= 50);
  const truth = truthOf(item);
  const days = truth.map(({ day }) => day).toSorted();
  const [from, to] = [days[3], days.at(-4)];
  if (from === undefined || to === undefined) assert.fail('enough days');
  const cases: readonly (readonly [string, (day: string) => boolean])[] = [
    [`?start_date=${from}&end_date=${to}`, (day) => day >= from && day <= to],
    [`?start_date=${from}`, (day) => day >= from],
    [`?end_date=${to}`, (day) => day <= to],
    [`?start_date=${from}&end_date=${from}`, (day) => day === from],
  ];
  for (const [query, fits] of cases) {
    const answer = await record(item.id, query);
    agrees(
      answer,
      truth.filter(({ day }) => fits(day)),
    );
    assert.equal(answer.summary.rating_distribution, null, 'no histogram with dates');
    assert.ok(answer.top_reviews.every(({ date }) => fits(date)));
  }
});

test('dates without a review: nothing, said with zero and null', async () => {
  const item = itemWith((reviews) => reviews.length > 0);
  const { summary, monthly_breakdown, top_reviews } = await record(
    item.id,
    '?start_date=2001-01-01&end_date=2001-01-31',
  );
  assert.deepEqual([summary.total_reviews, summary.average_rating], [0, null]);
  assert.deepEqual([monthly_breakdown, top_reviews], [[], []]);
});

test('an item without reviews has what the retailer publishes: none', async () => {
  const item = itemWith((reviews) => reviews.length === 0);
  const { summary, monthly_breakdown } = await record(item.id);
  assert.deepEqual([summary.total_reviews, summary.average_rating], [0, null]);
  assert.deepEqual(monthly_breakdown, []);
});

test('days that are none, and a start after the end, are 400 before anybody is asked', async () => {
  await service.worked();
  const asked = service.sandbox.requestCount();
  const today = dayOf(clock.now());
  const tomorrow = dayOf(clock.now() + DAY_MS);
  const { item_id: id } = service.sandbox.describe();
  const cases: readonly (readonly [string, string])[] = [
    ['start_date=2026-02-30', 'start_date'],
    ['start_date=2026-2-3', 'start_date'],
    ['end_date=yesterday', 'end_date'],
    ['end_date=', 'end_date'],
    [`start_date=${today}&end_date=2026-01-01`, 'start_date'],
    [`start_date=${tomorrow}`, 'start_date'],
    ['start_date=2026-01-01&start_date=2026-01-02', 'start_date'],
  ];
  for (const [query, parameter] of cases) {
    const { status, body } = await ask(id, `?${query}`);
    assert.equal(status, 400, query);
    assert.equal(body['code'], 'invalid_parameter', query);
    assert.equal(body['parameter'], parameter, query);
  }
  assert.equal((await ask(id, '?since=2026-01-01')).body['code'], 'unknown_parameter');
  assert.equal((await ask('nothing!')).body['code'], 'invalid_identifier');
  assert.equal(service.sandbox.requestCount(), asked);
});

test('every form of identifier leads to the reviews of the item at retailer_w', async () => {
  const { item_id, upc, gtin, asin, retailers } = service.sandbox.describe();
  const { summary } = await record(item_id);
  const forms = [upc, gtin, asin, retailers.retailer_w.url, retailers.retailer_b.url];
  for (const form of forms) {
    const answer = await record(form);
    assert.deepEqual(answer.summary, summary, form);
  }
  assert.equal((await record(upc)).identifier, gtin, 'a barcode is echoed in its normal form');
});

test('a product without a listing at retailer_w is 404, unbilled', async () => {
  const market = service.sandbox.market();
  const elsewhere = market.catalog.find(
    (product) =>
      product.trouble === null &&
      market.listingsOf('retailer_w', product).length === 0 &&
      market.listingsOf('retailer_l', product).some((each) => !each.hasWrongBarcode),
  );
  if (elsewhere === undefined) assert.fail('some product is not sold at retailer_w');
  const [listing] = market.listingsOf('retailer_l', elsewhere);
  if (listing === undefined) assert.fail('it is sold at retailer_l');
  const url = `${market.origins.retailer_l.page}/pd/Some-Thing/${listing.id}`;
  assert.equal((await service.lookup(url)).status, 200);
  for (const id of [url, elsewhere.gtin14, '99999999999']) {
    const { status, body } = await ask(id);
    assert.equal(status, 404, JSON.stringify(body));
    assert.equal(body['code'], 'not_found');
    assert.equal(body['tokens_consumed'], 0);
  }
});

test('each review is counted once, and new ones join those that are held', async () => {
  const { seed } = service.sandbox.market();
  const later = clock.now() + 900 * DAY_MS;
  const item = itemWith(
    ({ length }, { product }) =>
      length > 5 && reviewsAt(seed, 'retailer_w', product, later).length > length,
  );
  await record(item.id);
  const before = truthOf(item).length;
  for (let days = 0; truthOf(item).length === before && days < 1_000; days += 10) {
    clock.advance(10 * DAY_MS);
  }
  // Older than 14 days: fetched before the answer.
  clock.advance(15 * DAY_MS);
  const grown = truthOf(item);
  assert.ok(grown.length > before, 'the market has a new review');
  agrees(await record(item.id), grown);
});

test('nobody answers: what is held is served, else 503 and unbilled', async () => {
  const held = itemWith((reviews) => reviews.length > 3 && reviews.length < 20);
  const fresh = itemWith((reviews) => reviews.length === 2);
  const before = await record(held.id);
  await service.lookup(fresh.id);
  clock.advance(15 * DAY_MS);
  service.sandbox.disturb('retailer_w', 'down');
  try {
    const same = await record(held.id);
    assert.deepEqual(same.summary, before.summary);
    const { status, body, headers } = await ask(fresh.id);
    assert.equal(status, 503, JSON.stringify(body));
    assert.equal(body['code'], 'upstream_unavailable');
    assert.ok(Number(headers.get('retry-after')) >= 1);
    assert.equal(body['tokens_consumed'], 0);
  } finally {
    service.sandbox.disturb('retailer_w', null);
  }
});

test('more reviews than one call reads are read a few pages at a time until all are held', async () => {
  const item = itemWith((reviews) => reviews.length > 25 && reviews.length <= 50);
  const sql = service.app.store.sql;
  await record(item.id);
  // As if the newest page alone had been read so far.
  const newest = truthOf(item)
    .slice(0, 10)
    .map(({ id }) => id);
  await sql.write([
    {
      text: `delete from reviews where item_id = $1 and review_id not in
        (${newest.map((_, at) => `$${at + 2}`).join(', ')})`,
      params: [item.id, ...newest],
    },
  ]);
  clock.advance(15 * DAY_MS);
  agrees(await record(item.id), truthOf(item));
});
