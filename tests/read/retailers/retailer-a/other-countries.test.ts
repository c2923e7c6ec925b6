// Product pages of retailer_a on the hosts of other countries: their own lines about stock, counts and charges.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Listing } from '../../../../src/base/listing/listing.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { pageOf } from '../page-fixtures.ts';
import * as a from './fixtures.ts';

type Parts = Parameters<typeof a.productHtml>[0];

function listingOf(ending: string, parts: Parts): Listing {
  const host = a.HOST.replace(/\.com$/, `.${ending}`);
  const page = pageOf(a.productHtml(parts), { url: `https://${host}/dp/${a.ASIN}` });
  const verdict = readAnswer(page, 'product', 'shopabroad');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product', JSON.stringify(verdict));
  return verdict.value.listing;
}

const NO_BUTTON = `<input type="hidden" id="ASIN" name="ASIN" value="${a.ASIN}">`;

const STOCK = [
  ['de', 'Gewöhnlich versandfertig in 4 bis 5 Tagen.', true],
  ['fr', 'Habituellement expédié sous 4 à 5 jours.', true],
  ['it', 'Generalmente spedito entro 4-5 giorni.', true],
  ['it', 'Disponibilità: solo 2', true],
  ['it', 'Solo 1 rimanente.', true],
  ['es', 'Normalmente se envía en el plazo de 4 a 5 días.', true],
  ['de', 'Erhältlich bei diesen Anbietern.', true],
  ['co.uk', 'Usually dispatched within 2 to 3 days.', true],
  ['fr', "Cet article n'est pas disponible", false],
  ['se', 'För närvarande inte tillgänglig.', false],
  ['com.tr', 'Şu anda mevcut değil.', false],
  ['co.jp', '現在お取り扱いできません。', false],
  ['co.jp', 'この商品の再入荷予定は立っておりません。', false],
  ['co.jp', '残り3点 ご注文はお早めに', true],
  ['co.jp', '通常2～3日以内に発送します。', true],
  ['co.jp', '残り0点', false],
  ['com.br', 'Não disponível.', false],
] as const;

for (const [ending, line, inStock] of STOCK) {
  test(`the stock of a page abroad is what its line says: ${line}`, () => {
    const parts = { buyBox: `<div id="availability"><span>${line}</span></div>`, cart: NO_BUTTON };
    assert.equal(listingOf(ending, parts).inStock, inStock);
  });
}

test('a count of reviews may run into the word after it', () => {
  const reviews =
    `<div id="averageCustomerReviews" data-asin="${a.ASIN}"><span id="acrPopover" title="5つ星のうち4.2"></span>` +
    '<span id="acrCustomerReviewText">1,234個の評価</span></div>';
  assert.equal(listingOf('co.jp', { reviews }).reviewCount, 1234);
});

const promise = (price: string) =>
  `<div id="mir-layout-DELIVERY_BLOCK-slot-PRIMARY_DELIVERY_MESSAGE_LARGE"><span data-csa-c-delivery-price="${price}" ` +
  'data-csa-c-delivery-time="Monday, 30 November">delivery</span></div>';

test('a delivery charge in another currency is not shown as dollars; free is free everywhere', () => {
  const cost = (price: string) =>
    listingOf('co.uk', { buyBox: `<div id="availability">In stock</div>${promise(price)}` })
      .fulfillment?.shipping?.costCents;
  assert.equal(cost('£4.49'), null);
  assert.equal(cost('FREE'), 0);
});

test('a button that is switched off sells nothing', () => {
  const cart = (more: string) =>
    `${NO_BUTTON}<input id="add-to-cart-button" type="submit" value="Add to Cart"${more}>`;
  const stock = (more: string) =>
    listingOf('co.uk', {
      buyBox: '<div id="availability">Select a size to see availability</div>',
      cart: cart(more),
    }).inStock;
  assert.equal(stock(''), true);
  assert.equal(stock(' disabled'), null);
});

const RENEWED = [
  'Kühler 240 (Generalüberholt)',
  'Refroidisseur 240 (Reconditionné)',
  'Raffreddatore 240 (Ricondizionato)',
  'Refrigerador 240 (Reacondicionado)',
  'クーラー 240 (整備済み品)',
  'Soğutucu 240 (Yenilenmiş)',
];

for (const heading of RENEWED) {
  test(`a listing of renewed goods abroad costs what its renewed offer costs: ${heading}`, () => {
    const listing = listingOf('de', {
      title: `<span id="productTitle">${heading}</span>`,
      buyBox: '',
      price: `<div id="renewedTier1AccordionRow"><div id="corePrice_feature_div">${a.amount('50,51 €')}</div></div>`,
    });
    assert.deepEqual(listing.price, { cents: 5051, currency: 'EUR' });
    assert.equal(listing.condition, 'refurbished');
  });
}

const FROM = [
  ['de', 'ab 3,99 €'],
  ['de', 'ab EUR 3,99'],
  ['fr', 'à partir de 3,99 €'],
  ['it', 'da 3,99 €'],
  ['es', 'desde 3,99 €'],
  ['com.br', 'a partir de R$ 3,99'],
  ['co.jp', '￥399 より'],
] as const;

const swatch = (text: string) =>
  `<ul><li id="tmm-grid-swatch-PAPERBACK" class="swatchElement selected"><span>Taschenbuch</span> <span>${text}</span></li></ul>`;

for (const [ending, text] of FROM) {
  test(`what other sellers ask from is not a price of a book abroad: ${text}`, () => {
    assert.equal(listingOf(ending, { price: swatch(text), buyBox: '' }).price, null);
  });
}

test('the chosen format of a book abroad has its own price', () => {
  const { price } = listingOf('de', { price: swatch('13,99 €'), buyBox: '' });
  assert.deepEqual(price, { cents: 1399, currency: 'EUR' });
});

test('a page abroad may name its product in the canonical link alone', () => {
  const parts = { price: `<div id="corePrice_feature_div">${a.amount('AED 79.00')}</div>` };
  const alone = { ...parts, cart: '', reviews: '', buyBox: '' };
  const host = a.HOST.replace(/\.com$/, '.ae');
  const listing = (canonical: string) =>
    listingOf('ae', { ...alone, canonical: `<link rel="canonical" href="https://${canonical}">` });
  assert.deepEqual(listing(`${host}/Acme-Anvil/dp/${a.ASIN}/`).price, {
    cents: 7900,
    currency: 'AED',
  });
  assert.throws(() => listing(`${host}/gp/help`));
});
