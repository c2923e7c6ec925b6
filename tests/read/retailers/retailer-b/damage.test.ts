// retailer_b: damaged answers give a verdict, and a hostile page costs time in proportion to its size.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { searchUrl } from '../../../../src/read/retailers/retailer-b/address-book.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { testDamage } from '../damage.ts';
import { answerOf, html, pageOf } from '../page-fixtures.ts';
import * as b from './fixtures.ts';

const ANSWERS: readonly (readonly [string, string, string])[] = [
  [
    'product',
    b.seenBody({ head: b.data(b.OPENED), more: b.stream([{ b: b.streamed() }]) }),
    b.NEW_URL,
  ],
  ['product', html('', b.stream([{ b: b.streamed() }, { a: b.OTHER }]), 'Acme'), b.NEW_URL],
  ['search', b.searchBody([b.ADVERTISEMENT, b.entry(), b.oldEntry()]), searchUrl('x')],
  ['api:products', JSON.stringify(b.product()), b.NEW_URL],
  ['api:products', JSON.stringify({ total: 2, products: [b.product(), b.product()] }), b.NEW_URL],
  ['api:open_box', JSON.stringify(b.openBox()), b.NEW_URL],
];

testDamage(
  'retailer_b',
  ANSWERS.map(([name, text, url]) => [name, answerOf(name, text, url)]),
);

test('a hostile page costs time in proportion to its size', () => {
  const push = '(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push({';
  const hostile = [
    '<li class="product-list-item"><a href="/x"><h3 class="product-title">'.repeat(40_000),
    '<div data-component-name="LargePrice"><div data-testid="price-block-customer-price">'.repeat(
      40_000,
    ),
    '<button class="add-to-cart-button" data-sku-id="1">'.repeat(60_000),
    `<ul id="key-specs-list">${'<div>'.repeat(200_000)}`,
    `<script>${push.repeat(50_000)}</script>`,
    `<script>${push}"a":[${'{"skuId":"7000001"},'.repeat(100_000)}0]})</script>`,
  ];
  for (const body of hostile) {
    for (const [reader, url] of [
      ['product', b.NEW_URL],
      ['search', searchUrl('x')],
    ] as const) {
      const startedMs = cpuMs();
      readAnswer(pageOf(body, { url }), reader, 'retailer_b');
      const ms = cpuMs() - startedMs;
      assert.ok(ms < 5000, `${reader} took ${ms} ms on ${body.slice(0, 40)}`);
    }
  }
});
