// Item pages of retailer_w on the hosts of other countries, which have their state and little else.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Listing } from '../../../../src/base/listing/listing.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { html, ld, mug, pageOf } from '../page-fixtures.ts';
import * as w from './fixtures.ts';

const CANADA = `https://www.${w.HOST.split('.')[1]}.ca/en/ip/Blue-Mug/6000204673258`;
const MEXICO = `https://www.${w.HOST.split('.')[1]}.com.mx/ip/tazas/taza-azul/00750100000001`;

const PRODUCT = {
  ...w.PRODUCT,
  usItemId: '6000204673258',
  canonicalUrl: '/en/ip/Blue-Mug/6000204673258',
  priceInfo: {
    currentPrice: { price: 24.5, priceString: '$24.50' },
    wasPrice: { price: 29.99, priceString: '$29.99' },
  },
  shippingOption: { availabilityStatus: 'AVAILABLE', shipPrice: { price: 6.99 } },
};

function readAt(url: string, product: object = PRODUCT): Listing {
  const page = w.statePage({ data: { product, idml: { specifications: w.SPECS } } }, { url });
  const verdict = readAnswer(page, 'product', 'shopabroad');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  return verdict.value.listing;
}

test('an item page abroad with nothing but its state is read, with prices in the money of the country', () => {
  const canada = readAt(CANADA);
  assert.equal(canada.title, 'Blue Mug & Saucer');
  assert.deepEqual(canada.price, { cents: 2450, currency: 'CAD' });
  assert.deepEqual(canada.listPrice, { cents: 2999, currency: 'CAD' });
  assert.equal(canada.inStock, true);
  assert.equal(canada.url, CANADA);
  assert.deepEqual(readAt(MEXICO).price, { cents: 2450, currency: 'MXN' });
});

test('the currency that a page abroad states counts', () => {
  const priceInfo = { currentPrice: { price: 24.5, currencyUnit: 'USD' } };
  assert.deepEqual(readAt(MEXICO, { ...PRODUCT, priceInfo }).price, {
    cents: 2450,
    currency: 'USD',
  });
});

test('no item id, no seller of the US shop and no charge in dollars comes from a page abroad', () => {
  const { itemId, sku, sellerId, catalogSellerId, offers, fulfillment } = readAt(CANADA);
  assert.deepEqual(
    { itemId, sku, sellerId, catalogSellerId, offers },
    { itemId: null, sku: '6000204673258', sellerId: null, catalogSellerId: null, offers: [] },
  );
  assert.equal(fulfillment?.shipping?.available, true);
  assert.equal(fulfillment.shipping.costCents, null);
});

test('a page abroad without a state is read like that of any shop', () => {
  const page = pageOf(html(ld(mug({}))), { url: CANADA });
  const verdict = readAnswer(page, 'product', 'shopabroad');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  assert.equal(verdict.value.listing.title, 'Blue Mug');
  assert.equal(verdict.value.listing.sku, 'BM-1');
});
