// Whatever an answer of retailer_w holds, each reader gives a verdict, in time that grows with its length.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { PageVerdict } from '../../../src/listing/page.ts';
import type { RetailerAnswer } from '../../../src/listing/retailer-answer.ts';
import { UnknownWords } from '../../../src/listing/unknown-words.ts';
import { retailerWAdapter } from '../../../src/retailers/retailer-w/adapter.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { pageOf } from '../page-fixtures.ts';
import { mutatedPage } from '../spoilt-answers.ts';
import type { Dress } from '../spoilt-answers.ts';
import * as given from './fixtures.ts';

const SEED = seedOf(20_261_120);
const ROUNDS = 2000;
const asJson: Dress = (json) => json;
const JSON_HEADERS = { 'content-type': 'application/json' };

const OLDER = {
  item: { product: { buyBox: { products: [{ productName: 'x', priceMap: { price: 5 } }] } } },
};
const olderBody: Dress = (json) =>
  `<title>x</title><script id="item" type="application/json">${json}</script>`;

const CASES: readonly (readonly [string, string, unknown, Dress])[] = [
  ['product pages', 'product', given.INITIAL, given.stateBody],
  ['older product pages', 'product', OLDER, olderBody],
  ['search pages', 'search', given.SEARCH, given.stateBody],
  ['offer replies', 'offers', given.OFFERS, asJson],
  ['reviews pages', 'reviews', given.INITIAL, given.stateBody],
  ['seller pages', 'seller', given.SELLER, given.stateBody],
  ['affiliate items', 'api:affiliate_item', { items: [given.AFFILIATE_ITEM] }, asJson],
  ['affiliate searches', 'api:affiliate_search', { items: [given.AFFILIATE_ITEM] }, asJson],
  ['marketplace searches', 'api:marketplace_search', given.MARKETPLACE_FOUND, asJson],
];

function assertSound(verdict: PageVerdict<RetailerAnswer>): void {
  if (verdict.kind !== 'read') return;
  const text = JSON.stringify(verdict.value);
  assert.ok(text.length < 3_000_000, 'an answer within bounds');
  if (verdict.value.kind !== 'product') return;
  const { listing } = verdict.value;
  assert.ok(listing.title !== null && listing.title !== '');
  for (const money of [listing.price, listing.listPrice, listing.secondaryOfferPrice]) {
    assert.ok(money === null || (Number.isSafeInteger(money.cents) && money.cents > 0));
  }
  assert.ok(listing.gtin === null || /^\d{14}$/.test(listing.gtin));
  assert.ok(listing.rating === null || (listing.rating > 0 && listing.rating <= 5));
}

for (const [what, reader, value, dress] of CASES) {
  test(`${ROUNDS} spoilt ${what} give a verdict each (seed ${SEED})`, () => {
    const random = randomFrom(SEED);
    const read = retailerWAdapter.readers[reader];
    assert.ok(read !== undefined);
    const headers = dress === asJson ? { headers: JSON_HEADERS } : {};
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = mutatedPage(random, value, { dress, url: given.ITEM_URL, ...headers });
      assertSound(read(page, new UnknownWords()));
    }
  });
}

test('ten times as much of a page takes no more than forty times as long', () => {
  const read = retailerWAdapter.readers['search'];
  assert.ok(read !== undefined);
  const [stack] = given.SEARCH.searchResult.itemStacks;
  const pageWith = (times: number) => {
    const items = Array.from({ length: times }, () => stack?.items ?? []).flat();
    const body = given.stateBody(JSON.stringify({ searchResult: { itemStacks: [{ items }] } }));
    return pageOf(body, { url: given.ITEM_URL });
  };
  const [small, large] = [pageWith(150), pageWith(1500)].map((page) => {
    read(page, new UnknownWords());
    const startedMs = cpuMs();
    for (let round = 0; round < 3; round += 1) read(page, new UnknownWords());
    return cpuMs() - startedMs;
  });
  assert.ok((large ?? 0) < (small ?? 0) * 40, `${small} ms, then ${large} ms of processor time`);
});
