import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_OFFER, type Offer } from '../../../src/base/listing/offer.ts';
import { withBuyBox } from '../../../src/rules/product/product.ts';

const HEX = 'A'.repeat(32);
const PAGE = { sellerId: HEX, currency: 'USD', currentPriceCents: 1_999, nativePrice: null };
const usd = (cents: number) => ({ cents, currency: 'USD' });
const stored: Offer = { ...EMPTY_OFFER, sellerIdHex: HEX, price: usd(1_999), inStock: true };
const other: Offer = { ...stored, sellerIdHex: 'B'.repeat(32) };

const flags = (offers: readonly Offer[], page: Parameters<typeof withBuyBox>[1] = PAGE) =>
  withBuyBox(offers, page).map(({ isBuyBox }) => isBuyBox);

test('the offer of the seller and price behind the buy button is marked, the others are not it', () => {
  assert.deepEqual(flags([other, stored]), [false, true]);
});

test('no offer is marked when nothing proves it', () => {
  const cases: readonly (readonly Offer[])[] = [
    [other],
    [{ ...stored, price: usd(2_000) }, other],
    [{ ...stored, price: { cents: 1_999, currency: null } }],
    [{ ...stored, inStock: false }],
    [stored, stored],
    [],
  ];
  for (const offers of cases) {
    assert.deepEqual(
      flags(offers),
      offers.map(() => null),
    );
  }
  assert.deepEqual(flags([stored], { ...PAGE, sellerId: null }), [null]);
  assert.deepEqual(flags([stored], { ...PAGE, currentPriceCents: null }), [null]);
});

test('what the list itself states is kept', () => {
  assert.deepEqual(flags([{ ...other, isBuyBox: true }, stored]), [true, null]);
});
