// retailer_h: bundles, weights that are load capacities, and a displayed price next to the one in the data.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Listing } from '../../../../src/base/listing/listing.ts';
import { RETAILER_H_ORIGIN } from '../../../../src/read/retailers/retailer-h/address-book.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as h from './fixtures.ts';

const BUNDLE_URL = `${RETAILER_H_ORIGIN.href}p/sets/Acme-Drill-and-Battery/${h.ITEM}`;
const NAME = 'Acme Drill and Battery';

function listingOf(body: string, url: string, data: object = {}): Listing {
  const product = { '@type': 'Product', name: NAME, productID: h.ITEM, ...data };
  const page = pageOf(html(ld(product), `<h1>${NAME}</h1>${body}`, NAME), { url });
  return readersOf('retailer_h').listingOf(page);
}

const price = (text: string): string => `<div data-component="price:Price:v6">${text}</div>`;
const item = (text: string): string =>
  `<ul><li data-testid="product-list-item">${price(text)}</li></ul>`;
const usd = (cents: number) => ({ cents, currency: 'USD' });

test('a bundle costs what its own block says', () => {
  const block = `<div data-testid="bundle-price">${price('Limit 3 per order $298.00 /bundle')}</div>`;
  const listing = listingOf(block + item('$119.00') + item('$179.00'), BUNDLE_URL);
  assert.deepEqual(
    [listing.itemId, listing.price, listing.priceReadFrom, listing.listPrice],
    [h.ITEM, usd(29_800), 'visible', null],
  );
});

test('a bundle without a price of its own costs what its things cost together, and says when it is gone', () => {
  const gone = '<div data-testid="bundle-track-oos">Items in This Bundle are Out of Stock</div>';
  const listing = listingOf(gone + item('$49.97 Was $59.97') + item('$20.00'), BUNDLE_URL);
  assert.deepEqual(
    [listing.price, listing.listPrice, listing.inStock],
    [usd(6997), usd(7997), false],
  );
});

const OFFERS = { offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'USD' } };

test('the displayed price counts, and the one in the data is noted', () => {
  const other = listingOf(price('$11.00'), h.PRODUCT_URL, OFFERS);
  assert.deepEqual(
    [other.price, other.otherPrice, other.priceReadFrom],
    [usd(1100), usd(1250), 'visible'],
  );
  const same = listingOf(price('$12.50 Was $15.00'), h.PRODUCT_URL, OFFERS);
  assert.deepEqual(
    [same.price, same.otherPrice, same.listPrice, same.priceReadFrom],
    [usd(1250), null, usd(1500), 'json_ld'],
  );
  const perCase = listingOf(price('$99.00 /case'), h.PRODUCT_URL, OFFERS);
  assert.deepEqual([perCase.price, perCase.otherPrice], [usd(1250), null]);
});

test('what a chair holds is not what it weighs', () => {
  const points = '<div data-testid="SalientPoints"><p>Can hold up to 350 lbs. of weight</p></div>';
  const data = { ...OFFERS, weight: '440 lb' };
  assert.equal(listingOf(price('$12.50') + points, h.PRODUCT_URL, data).weightLbs, null);
  assert.equal(listingOf(price('$12.50'), h.PRODUCT_URL, data).weightLbs, 440);
});
