// Labels of buy buttons, in the languages of shops.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isBuyLabel } from '../../../src/read/page-data/visible/lines/visible-buttons.ts';

test('a button buys when its label says nothing else', () => {
  for (const label of [
    'Add to cart',
    'In den Warenkorb',
    'Kupi',
    'Do košíka',
    'Ielikt grozā',
    'Buy now $12.50',
    'カートに入れる',
    'Toevoegen aan winkelwagen',
    'Lägg till i varukorgen',
    'Legg til i handlekurv',
    'Føj til kurv',
    'Setja í körfu',
    'Mettre au panier',
    'Beli Langsung',
    '+ Masukkan Keranjang',
    'かごに追加',
    '바로 구매하기',
    'إضافة إلى السلة',
    'اطلب الآن',
    'Купить в 1 клик',
    'Sofort-Kaufen',
    'ショッピングカートに入れる',
    '카트에 담기',
    '加到購物車',
    'Şimdi al',
    "J'achète",
    'اضافة للسلة',
  ]) {
    assert.equal(isBuyLabel(label), true, label);
  }
  for (const label of [
    'Add to wishlist',
    'Buying guide',
    'View cart',
    'Pre-order',
    '',
    'Cart (2)',
    'Keranjang',
    'Winkelwagen',
  ]) {
    assert.equal(isBuyLabel(label), false, label);
  }
});
