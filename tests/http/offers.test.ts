import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { HOUR_MS } from '../../src/core/clock.ts';
import type { KnownSlug } from '../../src/core/retailer.ts';
import { offerTruth } from '../../src/sandbox/market/market-truth.ts';
import type { MarketListing } from '../../src/sandbox/market/market.ts';
import { offersAt, type MarketOffer } from '../../src/sandbox/market/offers.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { STATED_IN_RECORD } from '../support/stated-offer-facts.ts';

const clock = shiftedClock();
let service: Service;

before(async () => {
  service = await startService({ clock, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

async function live(id: string, query = ''): Promise<ProductRecord> {
  const { status, body } = await service.lookup(id, `?include_offers=true${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return ProductRecord.parse(body);
}

function truthOf(listing: MarketListing): readonly MarketOffer[] {
  return offersAt(service.sandbox.market(), listing, clock.now());
}

/** Ordinary listings whose offers are as the test needs them. */
function listingsWith(
  slug: KnownSlug,
  fits: (offers: readonly MarketOffer[]) => boolean,
): readonly MarketListing[] {
  return service.sandbox
    .market()
    .listings(slug)
    .filter((each) => each.product.trouble === null && !each.hasWrongBarcode)
    .filter((each) => fits(truthOf(each)));
}

/** Requests for lists of offers since a moment. */
function listsAsked(from: number): number {
  const asked = service.sandbox.requests().slice(from);
  return asked.filter(({ path }) => /GetAllSellerOffers|aodAjax|offer-listing|aod/.test(path))
    .length;
}

const moment = () => service.sandbox.requests().length;

test('retailer_w: every new offer of the item as it is, counted, with the buy box marked', async () => {
  const items = listingsWith('retailer_w', (offers) => offers.length > 2).slice(0, 12);
  assert.ok(items.length === 12);
  for (const item of items) {
    const record = await live(item.id);
    const truth = truthOf(item).filter(({ condition }) => condition === 'new');
    const { offers = [] } = record;
    assert.equal(offers.length, truth.length);
    assert.equal(record.offers_count, offers.length);
    for (const [at, offer] of offers.entries()) {
      const wanted = truth[at];
      if (wanted === undefined) assert.fail('as many as there are');
      const told = offerTruth('retailer_w', wanted);
      const row: Readonly<Record<string, unknown>> = offer;
      for (const name of STATED_IN_RECORD.retailer_w) {
        assert.deepEqual(row[name], told[name], `${item.id} ${name}`);
      }
      assert.equal(offer.price, wanted.inStock ? told['price'] : null, 'no price out of stock');
    }
    const marked = offers.filter((offer) => offer.is_buy_box === true);
    const box = truth.find(({ isBuyBox }) => isBuyBox);
    assert.deepEqual(
      marked.map((offer) => offer.seller_id_hex),
      box === undefined ? [] : [box.seller.id],
    );
  }
});

test('live offers cost five tokens more, and come with the review summary of the page', async () => {
  const { item_id } = service.sandbox.describe();
  const record = await live(item_id);
  assert.equal(record.tokens_consumed, 6);
  const { average_rating: average, review_count: total } = record;
  assert.ok(total !== null);
  assert.deepEqual(
    [record.review_summary?.average_rating, record.review_summary?.total_reviews],
    [average, total],
  );
  const plain = await service.lookup(item_id);
  assert.equal(plain.body['tokens_consumed'], 1);
  assert.ok(!('offers' in plain.body) && !('review_summary' in plain.body));
  // D31: a call that did not ask still says how many there were, for a day.
  assert.equal(plain.body['offers_count'], record.offers?.length);
});

test('retailer_a: the list of all sellers in its own shape, for an ASIN and with retailer=', async () => {
  const [listing] = listingsWith(
    'retailer_a',
    (offers) => offers.filter(({ inStock }) => inStock).length > 2,
  );
  if (listing === undefined) assert.fail('such a listing exists');
  const record = await live(listing.id);
  const { offers = [] } = record;
  const truth = truthOf(listing).filter(({ inStock }) => inStock);
  assert.equal(offers.length, truth.length);
  assert.equal(record.total_offers, truth.length);
  for (const offer of offers) {
    assert.deepEqual([offer.seller_id_hex, offer.fulfilled_w], [null, null]);
    assert.ok('fulfilled_a' in offer && !('offer_id' in offer));
  }
  assert.deepEqual(
    offers.map(({ price, seller_name: name }) => `${price} ${name}`).toSorted(),
    truth.map(({ cents, seller }) => `${cents / 100} ${seller.name}`).toSorted(),
  );
  assert.equal(offers.filter((offer) => offer.is_buy_box === true).length, 1);
  const { gtin } = service.sandbox.describe();
  const anchored = await live(gtin, '&retailer=retailer_a');
  assert.equal(anchored._meta.price_source, 'retailer_a');
  assert.ok((anchored.offers ?? []).every((offer) => 'fulfilled_a' in offer));
});

test('retailer_e: the one offer of a listing, in the shape of retailer_w', async () => {
  const { url } = service.sandbox.describe().retailers.retailer_e;
  const { offers = [], current_price: price } = await live(url);
  assert.equal(offers.length, 1);
  assert.equal(offers[0]?.price, price);
  assert.ok(offers[0] !== undefined && 'offer_id' in offers[0]);
});

test('a shop or retailer without a marketplace answers no offers, and is asked for none', async () => {
  const { retailers, url } = service.sandbox.describe();
  for (const page of [retailers.retailer_b.url, retailers.retailer_h.url, url.json_ld]) {
    await service.lookup(page);
    await service.worked();
    const from = service.sandbox.requestCount();
    const record = await live(page);
    assert.deepEqual([record.offers, record.offers_count], [[], 0]);
    assert.equal(record.tokens_consumed, 6);
    assert.equal(service.sandbox.requestCount(), from);
  }
});

test('two calls one after the other ask twice; calls that wait together share one fetch', async () => {
  const [first, second] = listingsWith('retailer_w', (offers) => offers.length > 1);
  if (first === undefined || second === undefined) assert.fail('two such listings exist');
  await service.lookup(first.id);
  await service.lookup(second.id);
  let from = moment();
  await live(first.id);
  await live(first.id);
  assert.equal(listsAsked(from), 2);
  from = moment();
  const together = await Promise.all(Array.from({ length: 6 }, () => live(second.id)));
  assert.ok(listsAsked(from) < 6, `${listsAsked(from)} fetches for six callers`);
  assert.ok(together.every(({ tokens_consumed: tokens }) => tokens === 6));
});

test('prices are those of the moment, whatever is held', async () => {
  const [item] = listingsWith('retailer_w', (offers) => offers.length > 2);
  if (item === undefined) assert.fail('such a listing exists');
  await live(item.id);
  clock.advance(20 * HOUR_MS);
  const { offers = [] } = await live(item.id);
  const truth = truthOf(item).filter(({ condition }) => condition === 'new');
  assert.deepEqual(
    offers.map(({ price }) => price),
    truth.map(({ cents, inStock }) => (inStock ? cents / 100 : null)),
  );
});

test('offers that cannot be fetched are 503 offers_unavailable, unbilled, never the last ones', async () => {
  const { item_id, upc, asin, retailers } = service.sandbox.describe();
  const { offers_unavailable: w } = retailers.retailer_w.trouble;
  const { offers_unavailable: a } = retailers.retailer_a.trouble;
  const left = (await live(item_id)).tokens_remaining;
  const refused = async (id: string) => {
    const { status, body, headers } = await service.lookup(id, '?include_offers=1');
    assert.equal(status, 503, JSON.stringify(body));
    assert.equal(body['code'], 'offers_unavailable');
    assert.ok(Number(headers.get('retry-after')) >= 1);
    assert.equal(body['tokens_consumed'], 0);
  };
  for (const pointer of [w, a]) await refused(pointer?.url ?? '');
  await service.lookup(asin);
  for (const slug of ['retailer_w', 'retailer_a'] as const) service.sandbox.disturb(slug, 'down');
  try {
    for (const id of [item_id, upc, asin]) await refused(id);
  } finally {
    for (const slug of ['retailer_w', 'retailer_a'] as const) service.sandbox.disturb(slug, null);
  }
  // The plain lookup of the ASIN is the only call that was billed in between.
  assert.equal((await live(item_id)).tokens_remaining, left - 1 - 6);
});

test('where the list cannot be asked for with what the operator has set, offers are unavailable', async () => {
  await using bare = await startService({
    clock,
    withRetailers: true,
    env: { OPENSHELF_RETAILER_W_OFFERS_HASH: 'none' },
  });
  const { item_id } = bare.sandbox.describe();
  const { status, body } = await bare.lookup(item_id, '?include_offers=true');
  assert.deepEqual([status, body['code']], [503, 'offers_unavailable']);
});

test('an unknown product is not found, with offers as without', async () => {
  const { status, body } = await service.lookup('99999999999', '?include_offers=true');
  assert.deepEqual([status, body['code']], [404, 'not_found']);
});

test('sellers that an offer named can be asked for under both ids', async () => {
  const {
    seller_item_id: item,
    seller_id: id,
    catalog_seller_id: number,
  } = service.sandbox.describe();
  await live(item ?? '');
  for (const each of [id, number]) {
    const { status, body } = await service.get(`/v1/sellers/${each}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body['seller_id'], id);
  }
});

test('include_offers_reviews adds the block of the reviews route; both flags are paid once', async () => {
  const [item] = listingsWith('retailer_w', (offers) => offers.length > 1);
  if (item === undefined) assert.fail('such a listing exists');
  const both = await live(item.id, '&include_offers_reviews=true');
  assert.equal(both.tokens_consumed, 6);
  const own = await service.get(`/v1/products/${item.id}/reviews`);
  assert.equal(own.status, 200);
  for (const name of ['summary', 'monthly_breakdown', 'top_reviews'] as const) {
    assert.deepEqual(both.reviews?.[name], own.body[name], name);
  }
  const alone = await service.lookup(item.id, '?include_offers_reviews=true');
  assert.equal(alone.body['tokens_consumed'], 6);
  const { offers, reviews } = ProductRecord.parse(alone.body);
  assert.deepEqual(reviews, both.reviews);
  assert.equal(offers?.length, both.offers?.length);
  assert.equal((await live(item.id)).reviews, undefined, 'only when it was asked for');
});

test('reviews of another retailer are what its page publishes, without months', async () => {
  const { url } = service.sandbox.describe().retailers.retailer_b;
  const { status, body } = await service.lookup(url, '?include_offers_reviews=true');
  assert.equal(status, 200, JSON.stringify(body));
  const { reviews, average_rating: average, review_count: total } = ProductRecord.parse(body);
  assert.deepEqual(
    [reviews?.summary.average_rating, reviews?.summary.total_reviews],
    [average, total],
  );
  assert.deepEqual([reviews?.monthly_breakdown, reviews?.top_reviews], [[], []]);
});
