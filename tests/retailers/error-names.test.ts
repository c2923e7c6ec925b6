import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNotFoundName, isWallName } from '../../src/retailers/error-names.ts';

describe('error pages are known by what they call themselves', () => {
  const names = [
    'Example Shop | Page Not Found',
    'Example Shop - 404',
    '404 Not Found – Example Shop',
    "We're sorry, the page you requested cannot be found.",
    "Sorry, we couldn't find that page",
    'This product is no longer available',
    'Dieser Artikel ist leider nicht mehr verfügbar',
    'Produkt nicht gefunden',
    "Ce produit n'est plus disponible",
    'Page introuvable',
    'Este producto ya no está disponible',
    'Prodotto non trovato',
    'Produto não encontrado',
    'Dit product is niet meer beschikbaar',
    'Nie znaleziono strony',
    'Stránka nenalezena',
    'Sidan kunde inte hittas',
    'Sayfa bulunamadı',
    'Товар не найден',
    'お探しのページは見つかりませんでした',
    '页面不存在',
  ];
  for (const name of names) test(name, () => assert.ok(isNotFoundName(name)));
});

describe('other names are no error', () => {
  const names = [
    '404 Mug',
    'Route 404 Boots',
    'Lost & Found Page Holder',
    'Articles of clothing',
    'Not your usual product page: a guide',
    'Produkte',
    'Seite 2 von 10',
    'Stores',
    'Missing Pieces Puzzle',
  ];
  for (const name of names) test(name, () => assert.ok(!isNotFoundName(name) && !isWallName(name)));
});

describe('walls are known by what they call themselves', () => {
  const names = ['Just a moment...', 'Vercel Security Checkpoint', 'Вы не робот?', 'Access Denied'];
  for (const name of names) test(name, () => assert.ok(isWallName(name)));
});
