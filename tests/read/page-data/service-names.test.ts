// Headings of service pages: items a visitor has saved, viewed or searched for are not products.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isServiceName } from '../../../src/read/page-data/service-names.ts';

test('the heading of a cart, of a list of wishes, of a comparison or of what was found says so', () => {
  for (const heading of [
    'Your cart',
    'Warenkorb (2)',
    'Geteilter Warenkorb',
    'Panier partagé',
    'Mi lista de deseos',
    'Mine favoritter',
    'Избранное',
    'お気に入り一覧',
    'Laatst bekeken',
    'Porównanie produktów',
    'Search results for "ronda"',
    '1 Treffer für „ronda“',
    'Resultados de búsqueda: ronda',
    'Результаты поиска',
  ]) {
    assert.equal(isServiceName(heading), true, heading);
  }
});

test('a product that has such a word in its name is not one', () => {
  for (const heading of [
    'Wishlist Journal',
    'Cart Bag Organizer',
    'Favourites Mug',
    'Search Light 300',
    'Warenkorb aus Weide',
    'Treffer',
    'Compare',
    'Results',
    'Mi Band 9',
  ]) {
    assert.equal(isServiceName(heading), false, heading);
  }
});
