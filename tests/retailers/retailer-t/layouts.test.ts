// retailer_t: parents without a price of their own, pages without a state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, ld, pageOf } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as t from './fixtures.ts';

const { listingOf } = readersOf('retailer_t');

test('a parent without a price costs what its cheapest variant does, and takes no barcode from it', () => {
  const child = (tcin: string, current: number, regular: number) => ({
    tcin,
    item: { primary_barcode: '099900000012' },
    price: { current_retail: current, reg_retail: regular },
  });
  const { primary_barcode: _, ...item } = t.ITEM as Record<string, unknown>;
  const product = {
    ...t.PRODUCT,
    item,
    price: undefined,
    children: [child('90000011', 19, 19), child('90000012', 9, 12)],
  };
  const page = t.answerOf({ data: { product } }, { url: t.PAGE_URL });
  const { price, listPrice, gtin } = listingOf(page, 'api:redsky_pdp');
  assert.deepEqual([price?.cents, listPrice?.cents, gtin], [900, 1200, null]);
});

test('a page of structured data only is the product of its address', () => {
  const node = {
    '@type': 'Product',
    name: 'Acme Lamp',
    offers: { '@type': 'Offer', price: '5.99', priceCurrency: 'USD' },
  };
  const page = (sku?: string) =>
    pageOf(html(ld({ ...node, sku }), '<h1>Acme Lamp</h1>', 'Acme Lamp'), { url: t.PAGE_URL });
  assert.equal(listingOf(page('90000001')).itemId, '90000001');
  assert.equal(listingOf(page()).itemId, '90000001');
  assert.equal(listingOf(page('90000002')).itemId, '90000002');
  assert.equal(listingOf(page()).sku, null);
  const url = `${t.PAGE_URL}?preselect=90000012`;
  const chosen = { ...page(), requestedUrl: t.PAGE_URL, url };
  assert.equal(listingOf(chosen).itemId, '90000001');
});
