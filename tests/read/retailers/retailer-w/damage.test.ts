// retailer_w: answers with values of other types in familiar places give a verdict, in time proportional to their length.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../../src/base/listing/vocabularies/unknown-words.ts';
import { retailerWReaders } from '../../../../src/read/retailers/retailer-w/readers.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { pageOf } from '../page-fixtures.ts';
import { asJson, testSpoilt, type Dress } from '../spoilt-answers.ts';
import * as given from './fixtures.ts';

const OLDER = {
  item: { product: { buyBox: { products: [{ productName: 'x', priceMap: { price: 5 } }] } } },
};
const olderBody: Dress = (json) =>
  `<title>x</title><script id="item" type="application/json">${json}</script>`;

testSpoilt(
  'retailer_w',
  [
    ['product', given.INITIAL, given.stateBody],
    ['product', OLDER, olderBody],
    ['search', given.SEARCH, given.stateBody],
    ['offers', given.OFFERS, asJson],
    ['reviews', given.INITIAL, given.stateBody],
    ['seller', given.SELLER, given.stateBody],
    ['api:affiliate_item', { items: [given.AFFILIATE_ITEM] }, asJson],
    ['api:affiliate_search', { items: [given.AFFILIATE_ITEM] }, asJson],
    ['api:affiliate_reviews', given.AFFILIATE_REVIEWS, asJson],
    ['api:marketplace_search', given.MARKETPLACE_FOUND, asJson],
  ],
  () => given.ITEM_URL,
);

test('ten times as much of a page takes no more than forty times as long', () => {
  const read = retailerWReaders['search'];
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
