// retailer_e: damaged answers give a verdict, and a hostile page costs time in proportion to its size.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { searchUrl } from '../../../../src/read/retailers/retailer-e/address-book.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { testDamage } from '../damage.ts';
import { answerOf, pageOf } from '../page-fixtures.ts';
import * as e from './fixtures.ts';

const ANSWERS: readonly (readonly [string, string, string])[] = [
  ['product', e.itemBody({ script: e.MSKU, data: e.data(e.IN_STOCK) }), e.URL_OF_ITEM],
  ['product', e.oldBody(), e.URL_OF_ITEM],
  ['offers', e.itemBody(), e.URL_OF_ITEM],
  ['search', e.searchBody([e.oldCard(), e.newCard()]), searchUrl('x')],
  ['api:browse_item', JSON.stringify(e.item()), e.URL_OF_ITEM],
  ['api:browse_offers', JSON.stringify({ items: [e.item()] }), e.URL_OF_ITEM],
  [
    'api:browse_search',
    JSON.stringify({ total: 2, itemSummaries: [e.item(), e.item()] }),
    e.URL_OF_ITEM,
  ],
];

testDamage(
  'retailer_e',
  ANSWERS.map(([name, text, url]) => [name, answerOf(name, text, url)]),
);

test('a hostile page costs time in proportion to its size', () => {
  const hostile = [
    '<li class="s-card"><a class="s-card__link">'.repeat(60_000),
    '<div class="x-price-primary">'.repeat(100_000),
    '<div class="x-bid-price"><div class="x-price-primary"><i class="clipped">'.repeat(40_000),
    `<h1 class="x-item-title__mainTitle">x</h1>${'<td class="itemAttr"><td class="attrLabels">'.repeat(60_000)}`,
    `<script>${'"variationsMap":{'.repeat(150_000)}</script>`,
  ];
  for (const body of hostile) {
    for (const reader of ['product', 'offers', 'search']) {
      const startedMs = cpuMs();
      readAnswer(pageOf(body, { url: e.URL_OF_ITEM }), reader, 'retailer_e');
      const ms = cpuMs() - startedMs;
      assert.ok(ms < 5000, `${reader} took ${ms} ms on ${body.slice(0, 40)}`);
    }
    readAnswer(pageOf(body, { url: searchUrl('x') }), 'search', 'retailer_e');
  }
});
