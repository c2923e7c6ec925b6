import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS } from '../../src/core/clock.ts';
import { sellerTruth } from '../../src/sandbox/market/market-truth.ts';
import { offersAt } from '../../src/sandbox/market/offers.ts';
import type { Seller } from '../../src/sandbox/market/sellers.ts';
import { SellerRecord } from '../../src/wire/seller.ts';
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

const ask = (id: string) => service.get(`/v1/sellers/${id}`);

/** Sellers that hold the buy box of an ordinary item now: its product page names them. */
function* boxHolders(): Generator<{ readonly seller: Seller; readonly itemId: string }> {
  const market = service.sandbox.market();
  const seen = new Set<string>();
  for (const listing of market.listings('retailer_w')) {
    if (listing.product.trouble !== null) continue;
    const box = offersAt(market, listing, clock.now()).find((offer) => offer.isBuyBox);
    if (box === undefined || box.isFirstParty || seen.has(box.seller.id)) continue;
    seen.add(box.seller.id);
    yield { seller: box.seller, itemId: listing.id };
  }
}

const holders = boxHolders();

/** A seller that no test has met yet. */
function another(): { readonly seller: Seller; readonly itemId: string } {
  const { value } = holders.next();
  if (value === undefined) assert.fail('the market has another seller');
  return value;
}

async function met(): Promise<Seller> {
  const { seller, itemId } = another();
  const { status, body } = await service.lookup(itemId);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['seller_id'], seller.id);
  await service.worked();
  return seller;
}

test('a seller that a product page named is profiled under both its ids, in any case, as it is', async () => {
  const seller = await met();
  const first = await ask(seller.id);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const record = SellerRecord.parse(first.body);
  const truth = sellerTruth(seller);
  for (const name of ['seller_id', 'seller_name', 'rating', 'rating_count', 'pro_seller']) {
    assert.deepEqual(first.body[name], truth[name], name);
  }
  assert.equal(record.active_listings, truth['active_listings']);
  assert.deepEqual(record.location, truth['location']);
  assert.equal(record.seller_type, 'EXTERNAL');
  assert.ok(record.profile_url?.endsWith(`/seller/${seller.catalogId}`));
  // No source states these (D32).
  assert.deepEqual([record.status, record.account_age_days, record.categories], [null, null, null]);
  await service.worked();
  const asked = service.sandbox.requestCount();
  for (const id of [seller.id.toLowerCase(), seller.catalogId]) {
    const again = await ask(id);
    const { tokens_remaining: left, ...rest } = again.body;
    const { tokens_remaining: had, ...same } = first.body;
    assert.deepEqual(rest, same);
    assert.ok(Number(left) < Number(had));
  }
  assert.equal(service.sandbox.requestCount(), asked, 'one fetch answers both forms');
});

test('a profile costs two tokens, fetched or held', async () => {
  const seller = await met();
  const first = await ask(seller.id);
  const second = await ask(seller.id);
  assert.deepEqual([first.body['tokens_consumed'], second.body['tokens_consumed']], [2, 2]);
  assert.equal(Number(first.body['tokens_remaining']) - Number(second.body['tokens_remaining']), 2);
});

test('callers that ask for one seller at the same time share one fetch', async () => {
  const seller = await met();
  await service.worked();
  const asked = service.sandbox.requestCount();
  const ids = [seller.id, seller.catalogId, seller.id, seller.catalogId];
  const answers = await Promise.all(ids.map(ask));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(service.sandbox.requestCount(), asked + 1);
});

test('a seller that was never met is 404 and told how to be met; nobody is asked, nothing billed', async () => {
  const { seller } = another();
  await service.worked();
  const asked = service.sandbox.requestCount();
  for (const id of [seller.id, seller.catalogId, 'Z'.repeat(32)]) {
    const { status, body } = await ask(id);
    assert.equal(status, 404);
    assert.equal(body['code'], 'not_found');
    assert.match(String(body['detail']), /include_offers=true/);
    assert.equal(body['tokens_consumed'], 0);
  }
  assert.equal(service.sandbox.requestCount(), asked);
});

test('the retailer itself has no profile: a typed 404, met or not, under each of its names', async () => {
  const { first_party_seller_id: id, item_id } = service.sandbox.describe();
  const check = async () => {
    for (const each of [id, id.toLowerCase(), '0']) {
      const { status, body } = await ask(each);
      assert.equal(status, 404);
      assert.equal(body['code'], 'first_party_seller');
      assert.equal(body['tokens_consumed'], 0);
    }
  };
  await check();
  await service.lookup(item_id);
  await check();
});

test('other lengths and signs are no seller id', async () => {
  const { seller } = another();
  for (const id of [
    seller.id.slice(1),
    `${seller.id}0`,
    'A1B2C3D4E5F6G7',
    '1'.repeat(16),
    '-1',
    '%20',
  ]) {
    const { status, body } = await ask(id);
    assert.equal(status, 400, id);
    assert.equal(body['code'], 'invalid_identifier');
    assert.equal(body['parameter'], 'seller_id');
  }
  assert.equal((await ask(`${seller.id}?include=all`)).body['code'], 'unknown_parameter');
});

test('a source that cannot be asked is 503 and unbilled while nothing is held', async () => {
  const seller = await met();
  const before = (await ask('0')).body['tokens_remaining'];
  service.sandbox.disturb('retailer_w', 'blocked');
  try {
    const { status, body, headers } = await ask(seller.id);
    assert.equal(status, 503, JSON.stringify(body));
    assert.equal(body['code'], 'upstream_unavailable');
    assert.ok(Number(headers.get('retry-after')) >= 1);
    assert.equal(body['tokens_remaining'], before);
  } finally {
    service.sandbox.disturb('retailer_w', null);
  }
});

test('fresh for seven days, then served while it is fetched behind; kept when nobody answers', async () => {
  const seller = await met();
  const stamp = (body: Record<string, unknown>) =>
    (body['_freshness'] as { refreshed_at: string }).refreshed_at;
  const first = stamp((await ask(seller.id)).body);
  clock.advance(6 * DAY_MS);
  await service.worked();
  const asked = service.sandbox.requestCount();
  assert.equal(stamp((await ask(seller.id)).body), first);
  assert.equal(service.sandbox.requestCount(), asked);
  clock.advance(2 * DAY_MS);
  assert.equal(stamp((await ask(seller.id)).body), first, 'a stamp is renewed by a fetch only');
  let renewed = first;
  for (let round = 0; round < 500 && renewed === first; round += 1) {
    renewed = stamp((await ask(seller.id)).body);
  }
  assert.ok(renewed > first);
  clock.advance(15 * DAY_MS);
  service.sandbox.disturb('retailer_w', 'broken');
  try {
    const old = await ask(seller.id);
    assert.equal(old.status, 200);
    assert.equal(stamp(old.body), renewed);
  } finally {
    service.sandbox.disturb('retailer_w', null);
  }
  assert.ok(stamp((await ask(seller.id)).body) > renewed);
});
