import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAwayName, isNotFoundName, isWallName } from '../../../src/read/retailers/error-names.ts';

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
    '很抱歉，您查看的商品找不到了',
    '존재하지 않는 상품입니다',
    'ไม่พบสินค้าที่คุณต้องการ',
    'الصفحة غير موجودة',
    'הדף לא נמצא',
    'Produk tidak ditemukan',
    'Η σελίδα δεν βρέθηκε',
    'Dieses Produkt gibt es leider nicht mehr',
  ];
  for (const name of names) test(name, () => assert.ok(isNotFoundName(name)));
});

describe('what is not there for now, or not for this visitor, is not gone', () => {
  const names = [
    'This page is temporarily unavailable',
    'The page you requested is currently unavailable. Please try again later | Example Shop',
    'Page unavailable due to maintenance',
    'This product is unavailable in your country',
    'This page can’t be found right now',
    'Producto no disponible temporalmente',
    'Dieses Produkt ist derzeit nicht mehr lieferbar',
    'Товар временно не найден',
    'We’ll be back soon',
    'Site under maintenance | Example Shop',
    'Wartungsarbeiten',
    'Sito in manutenzione',
    'Технические работы',
    'ただいまメンテナンス中です',
  ];
  for (const name of names)
    test(name, () => assert.ok(isAwayName(name) && !isNotFoundName(name) && !isWallName(name)));
});

describe('other names are not an error', () => {
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
    'Diese Seite gibt es auch auf Englisch',
    'Produk terbaru',
    '상품 상세 페이지',
  ];
  for (const name of names) test(name, () => assert.ok(!isNotFoundName(name) && !isWallName(name)));
});

describe('what is about keeping things in order, or comes back, is there', () => {
  for (const name of [
    'Bike Maintenance Kit',
    'Wartung von Heizungen',
    'Back in stock',
    'Full Back Brace',
  ])
    test(name, () => assert.ok(!isAwayName(name)));
});

describe('walls are known by what they call themselves', () => {
  const names = ['Just a moment...', 'Vercel Security Checkpoint', 'Вы не робот?', 'Access Denied'];
  for (const name of names) test(name, () => assert.ok(isWallName(name)));
});
