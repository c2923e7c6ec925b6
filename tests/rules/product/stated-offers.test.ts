// What a product page states about its own offers, if its reader found no list of them (D64).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { EMPTY_OFFER } from '../../../src/base/listing/offer.ts';
import { statedOffers } from '../../../src/rules/product/stated-offers.ts';

const usd = (cents: number) => ({ cents, currency: 'USD' });
const HEX = '0123456789ABCDEF0123456789ABCDEF';

const stated = (facts: Partial<Listing>) => statedOffers({ ...EMPTY_LISTING, ...facts });

test('offers that the reader found stand as they are', () => {
  const offers = [{ ...EMPTY_OFFER, offerId: 'A1' }];
  assert.equal(stated({ offers, price: usd(500) }), offers);
});

test('else the buy button is an offer, and so is the lowest other price', () => {
  const [box, other, ...more] = stated({
    price: usd(500),
    listPrice: usd(700),
    secondaryOfferPrice: usd(450),
    inStock: true,
    sellerName: 'Some Shop',
    sellerId: HEX,
    catalogSellerId: '101',
    sellerType: '3p',
    condition: 'new',
    fulfillment: {
      shipping: { available: true, costCents: 0, date: null },
      delivery: null,
      pickup: null,
    },
  });
  assert.deepEqual(more, []);
  assert.deepEqual(
    [box?.price, box?.wasPrice, box?.shipping, box?.isBuyBox, box?.inStock, box?.condition],
    [usd(500), usd(700), usd(0), true, true, 'new'],
  );
  assert.deepEqual([box?.sellerId, box?.sellerIdHex, box?.sellerName], ['101', HEX, 'Some Shop']);
  assert.deepEqual(other, { ...EMPTY_OFFER, price: usd(450), isBuyBox: false });
});

test('an id of another form is the public one, and what is sold out holds no buy box', () => {
  const [box] = stated({ price: usd(500), sellerId: 'A1B2C3', inStock: false });
  assert.deepEqual([box?.sellerId, box?.sellerIdHex, box?.isBuyBox], ['A1B2C3', null, false]);
});

test('a page that states neither price nor seller states no offer', () => {
  assert.deepEqual(stated({ title: 'A thing', inStock: false }), []);
});
