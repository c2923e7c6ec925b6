// retailer_t: parents without a price of their own, pages without a state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, ld, pageOf } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as t from './fixtures.ts';

const { read, listingOf } = readersOf('retailer_t');

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
  const { price, listPrice, gtin } = listingOf(t.pageWith(product));
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

/** A page of 2026: data modules, of which the shop fills in the product's. */
function modulePage(product: unknown, url = t.PAGE_URL) {
  const modules = [
    { module_type: 'Offers', module_data: null },
    { module_type: 'Personal', module_data: { data: { product: { tcin: '90000001' } } } },
    { module_type: 'Core', module_data: { data: { product } } },
  ];
  const queries = [
    { state: { data: { visitor: 'x' } } },
    { state: { data: { data: { data_source_modules: modules } } } },
  ];
  const next = JSON.stringify({ props: { dehydratedState: { queries } } });
  const script = `<script id="__NEXT_DATA__" type="application/json">${next}</script>`;
  return pageOf(html('', `<h1>Power Bank</h1><button disabled>Add to cart</button>${script}`), {
    url,
  });
}

test('a page whose price a browser loads later has what its module of the product states, and no price', () => {
  const { price: _, ...product } = t.PRODUCT;
  const listing = listingOf(modulePage(product));
  assert.deepEqual(
    [listing.itemId, listing.title, listing.brand, listing.gtin, listing.rating],
    ['90000001', 'Power Bank & Cable', 'Acme', '00036000291452', 4.72],
  );
  assert.deepEqual([listing.price, listing.inStock], [null, null]);
});

test('a module of another product is not the answer to the number that was asked for', () => {
  const page = modulePage(t.PRODUCT, t.PAGE_URL.replace('90000001', '90000009'));
  assert.notEqual(read(page).kind, 'read');
});

test('an image that is only named is in the folder that stands next to it', () => {
  const image = (base_url: string) => {
    const image_info = { base_url, primary_image: { url: 'GUEST_bank' } };
    const item = { ...t.ITEM, enrichment: { image_info } };
    return listingOf(modulePage({ ...t.PRODUCT, item })).imageUrl;
  };
  assert.equal(image('//images.example/is/'), 'https://images.example/is/GUEST_bank');
  assert.equal(image(''), null);
});
