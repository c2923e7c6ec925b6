import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../src/core/clock.ts';
import type { MarketListing } from '../../src/sandbox/market/market.ts';
import { offersAt, type MarketOffer } from '../../src/sandbox/market/offers.ts';
import { checkStore } from '../../src/store/maintenance/check.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const clock = shiftedClock();
let service: Service;
/** Items of retailer_w that a test has had, and the one that is described for all. */
const taken = new Set<string>();

before(async () => {
  service = await startService({ clock, withRetailers: true });
  taken.add(service.sandbox.describe().item_id);
});

after(async () => {
  assert.deepEqual(await checkStore(service.app.store.sql), []);
  await service[Symbol.asyncDispose]();
});

async function record(id: string, query: string): Promise<ProductRecord> {
  const { status, body } = await service.lookup(id, query);
  assert.equal(status, 200, JSON.stringify(body));
  return ProductRecord.parse(body);
}

const live = (id: string) => record(id, '?include_offers=true');
const archived = (id: string, query = '') => record(id, `?include_offers_history=true${query}`);

/** The new offers of the market, as the list of retailer_w shows them. */
function truthOf(listing: MarketListing, atMs = clock.now()): readonly MarketOffer[] {
  const all = offersAt(service.sandbox.market(), listing, atMs);
  return all.filter(({ condition }) => condition === 'new');
}

/** The next listing of retailer_w, each given out once: the retailer itself is among its sellers on every day. */
function takeListing(fits: (listing: MarketListing) => boolean = () => true): MarketListing {
  const found = service.sandbox
    .market()
    .listings('retailer_w')
    .filter((each) => each.product.trouble === null && !each.hasWrongBarcode)
    .filter((each) => !taken.has(each.id) && truthOf(each).length > 2)
    .find((each) => truthOf(each).some(({ isFirstParty }) => isFirstParty) && fits(each));
  if (found === undefined) assert.fail('such a listing exists');
  taken.add(found.id);
  return found;
}

/** To the first minute of the next hour: what follows within a test stays in one hour. */
function startHour(): void {
  clock.advance(HOUR_MS - (clock.now() % HOUR_MS));
}

test('nothing is archived until somebody asked for live offers: an empty list and 0, for 5 tokens', async () => {
  const { id } = takeListing();
  const first = await archived(id);
  assert.deepEqual([first.offers_history, first.offers_history_count], [[], 0]);
  assert.equal(first.tokens_consumed, 6);
  const plain = await service.lookup(id);
  assert.ok(!('offers_history' in plain.body) && !('offers_history_count' in plain.body));
});

test('each live call is archived as it was answered, newest first, with the seller of the moment', async () => {
  const { id } = takeListing();
  startHour();
  const calls = [await live(id)];
  const moments = [clock.now()];
  for (const wait of [20 * HOUR_MS, 3 * DAY_MS]) {
    clock.advance(wait);
    calls.push(await live(id));
    moments.push(clock.now());
  }
  const { offers_history: history = [], offers_history_count: total } = await archived(id);
  const lists = calls.map(({ offers = [] }) => offers);
  assert.equal(total, lists.flat().length);
  assert.equal(history.length, total);
  const times = history.map((row) => row.observed_at);
  assert.deepEqual(times, times.toSorted().toReversed());
  const seen = [...new Set(times)];
  assert.equal(seen.length, 3);
  for (const [at, time] of seen.toReversed().entries()) {
    const rows = history.filter((row) => row.observed_at === time);
    assert.ok(Math.abs(Date.parse(time) - (moments[at] ?? 0)) < HOUR_MS);
    const offers = rows.map((row) => {
      const { observed_at, was_price, seller_rating, seller_review_count, ...offer } = row;
      assert.ok(observed_at !== undefined && was_price !== undefined);
      assert.equal(seller_rating === null, seller_review_count === null);
      return offer;
    });
    assert.deepEqual(offers, lists[at], 'the very offers, in the order of the list');
  }
});

const ROUNDS = [0, 1, 2, 3, 4, 5];
const ROUND_MS = 31 * HOUR_MS;

test('the was price is the one that the list states, else what the same offer cost before', async () => {
  startHour();
  // The market moves with the calendar: an item is taken that has a sale and a plain change of price ahead.
  const item = takeListing((listing) => {
    const ahead = ROUNDS.map((round) => truthOf(listing, clock.now() + round * ROUND_MS));
    const moves = ahead.slice(1).flatMap((offers, at) =>
      offers.filter((one) => {
        const before = ahead[at]?.find(({ offerId }) => offerId === one.offerId);
        return one.wasCents === null && before?.inStock === true && before.cents !== one.cents;
      }),
    );
    return moves.length > 0 && ahead.flat().some(({ wasCents }) => wasCents !== null);
  });
  const rounds: { at: number; truth: readonly MarketOffer[] }[] = [];
  for (const round of ROUNDS) {
    if (round > 0) clock.advance(ROUND_MS);
    await live(item.id);
    rounds.push({ at: clock.now(), truth: truthOf(item) });
  }
  const { offers_history: history = [] } = await archived(item.id);
  const last = new Map<string, number | null>();
  const sources = { stated: 0, before: 0, moved: 0 };
  for (const { at, truth } of rounds) {
    const rows = history.filter((row) => Math.abs(Date.parse(row.observed_at) - at) < HOUR_MS);
    assert.equal(rows.length, truth.length);
    for (const offer of truth) {
      const row = rows.find(({ offer_id }) => offer_id === offer.offerId);
      const before = last.get(offer.offerId) ?? null;
      const wanted = offer.wasCents ?? before;
      assert.equal(row?.was_price, offer.inStock && wanted !== null ? wanted / 100 : null);
      assert.equal(row.price, offer.inStock ? offer.cents / 100 : null);
      last.set(offer.offerId, offer.inStock ? offer.cents : null);
      if (offer.wasCents !== null) sources.stated += 1;
      else if (before !== null) sources.before += 1;
      if (offer.wasCents === null && before !== null && before !== offer.cents) sources.moved += 1;
    }
  }
  assert.ok(
    Object.values(sources).every((count) => count > 0),
    JSON.stringify(sources),
  );
});

test('an offer that says the same within an hour is kept once, and again in the next hour', async () => {
  const { id } = takeListing();
  startHour();
  const { offers = [] } = await live(id);
  await live(id);
  assert.equal((await archived(id)).offers_history_count, offers.length);
  startHour();
  const later = await live(id);
  const { offers_history_count: total } = await archived(id);
  assert.equal(total, offers.length + (later.offers ?? []).length);
});

test('a call that asks for live and archived offers pays for both, and is not its own past', async () => {
  const { id } = takeListing();
  const both = await record(id, '?include_offers=true&include_offers_history=true');
  assert.equal(both.tokens_consumed, 11);
  assert.deepEqual([both.offers_history, both.offers_history_count], [[], 0]);
  const { offers_history: history = [] } = await archived(id);
  assert.equal(history.length, both.offers?.length);
});

test('offers that a refresh fetched are archived like those of any call', async () => {
  const { id } = takeListing();
  const { status, body } = await service.post(`/v1/products/${id}/refresh`);
  assert.equal(status, 200, JSON.stringify(body));
  const { offers_history_count: total } = await archived(id);
  assert.ok(Array.isArray(body['offers']) && total === body['offers'].length);
});

test('the archive belongs to the product: by barcode and by the address of another shop too', async () => {
  const { gtin, item_id: itemId, retailers } = service.sandbox.describe();
  const { offers = [] } = await live(itemId);
  assert.ok(offers.length > 0);
  for (const id of [gtin, retailers.retailer_b.url]) {
    const { offers_history: history = [], gtin: code } = await archived(id);
    assert.equal(code, gtin);
    assert.equal(history.length, offers.length, id);
  }
});

test('with retailer= another one, and for a product that retailer_w does not list, it is empty', async () => {
  const { gtin, url } = service.sandbox.describe();
  await live(gtin);
  const filled = await archived(gtin, '&retailer=retailer_w');
  assert.ok((filled.offers_history ?? []).length > 0);
  for (const [id, query] of [
    [gtin, '&retailer=retailer_a'],
    [gtin, '&retailer=retailer_b'],
    [url.json_ld, ''],
  ] as const) {
    const { offers_history, offers_history_count, tokens_consumed } = await archived(id, query);
    assert.deepEqual([offers_history, offers_history_count, tokens_consumed], [[], 0, 6], id);
  }
});

test('offers of other marketplaces are not archived, but their number is told for a day', async () => {
  const { asin } = service.sandbox.describe();
  const { offers = [] } = await record(asin, '?retailer=retailer_a&include_offers=true');
  assert.ok(offers.length > 0);
  const after = await archived(asin, '&retailer=retailer_a');
  assert.deepEqual([after.offers_history, after.offers_count], [[], offers.length]);
});

test('a call that did not ask says how many offers the newest list had, until it is a day old', async () => {
  const { id } = takeListing();
  assert.equal((await record(id, '')).offers_count, null);
  const { offers = [], total_offers: total } = await live(id);
  assert.equal((await record(id, '')).offers_count, offers.length);
  assert.ok(total !== null);
  clock.advance(DAY_MS + HOUR_MS);
  assert.equal((await record(id, '')).offers_count, null);
});

test('a list that cannot be fetched leaves the archive as it was', async () => {
  const { id } = takeListing();
  await live(id);
  const before = await archived(id);
  clock.advance(2 * HOUR_MS);
  service.sandbox.disturb('retailer_w', 'down');
  try {
    const refused = await service.lookup(id, '?include_offers=true');
    assert.equal(refused.status, 503);
    const { offers_history, offers_history_count } = await archived(id);
    assert.deepEqual(offers_history, before.offers_history);
    assert.equal(offers_history_count, before.offers_history_count);
  } finally {
    service.sandbox.disturb('retailer_w', null);
  }
});
