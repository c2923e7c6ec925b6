// Products that can only be ordered or looked at, and pages that contradict the stock in their data.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, PROSE } from './shown-page.ts';

const TOP = '<h1>Blue Mug</h1><p class="price">$12.50</p>';
const IN_STOCK = ld(mug({ offers: offer({}) }));
const TWO = ld(mug({ offers: [offer({ sku: 'S' }), offer({ sku: 'L' })] }));

/** Returns the stock of a page that shows this below the price, as its data says unless told otherwise. */
function stock(below: string, { head = IN_STOCK, lang = 'en', url = '' } = {}): boolean | null {
  const body = html(head, TOP + below + PROSE).replace('lang="en"', `lang="${lang}"`);
  const verdict = readGenericPage(pageOf(body, url === '' ? {} : { url }), new UnknownWords());
  assert.equal(verdict.kind, 'read', below);
  return verdict.kind === 'read' ? verdict.value.inStock : null;
}

test('words for a back order, a pre-order or a display piece win over the button and over one offer', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['en', '<p class="stock">On backorder</p>'],
    ['en', '<p>Availability: Special order</p>'],
    ['en', '<div>Pre-order. Ships in March.</div>'],
    ['en', '<p class="inventory"><b>Warehouse:</b> <i>Backordered</i></p>'],
    ['en', '<p class="availability">Showroom only</p>'],
    ['de', '<p class="stock">Auf Bestellung, 2 Wochen</p>'],
    ['nl', '<p class="stock">Nu voorbestellen</p>'],
    ['fr', '<p class="stock">Sur commande</p>'],
    ['it', '<p class="stock">In preordine</p>'],
    ['es', '<p>Disponibilidad: bajo pedido</p>'],
    ['pt', '<p class="stock">Pré-venda</p>'],
    ['pl', '<p>Dostępność: na zamówienie</p>'],
    ['cs', '<p class="stock">Na objednávku</p>'],
    ['ru', '<p>Наличие: под заказ</p>'],
    ['sv', '<p class="stock">Beställningsvara</p>'],
    ['hu', '<p class="stock">Előrendelhető</p>'],
    ['tr', '<p class="stock">Ön sipariş</p>'],
    ['el', '<p class="stock">Κατόπιν παραγγελίας</p>'],
    ['ja', '<p>予約受付中</p>'],
    ['ko', '<p class="stock">예약 판매</p>'],
  ];
  for (const [lang, said] of rows) {
    assert.equal(stock(said + BUY, { lang }), false, said);
    assert.equal(stock(said + BUY, { lang, head: '' }), false, said);
  }
  assert.equal(stock('<button>Pre-order now</button>'), false);
});

test('such words say nothing in terms, far away, on other goods, where hidden, or as one of several choices', () => {
  const related =
    '<aside class="related"><h3>You may also like</h3><div class="tile"><a href="/p/2">Pot</a>' +
    '<span class="price">$9.00</span><span>Pre-order</span></div></aside>';
  for (const said of [
    '<p>Free returns, except special order items</p>',
    `${PROSE}<p>Pre-order</p>`,
    '<span class="badge" hidden>Pre-order</span>',
    '<select><option>Red</option><option>Blue, pre-order</option></select>',
    '<ul><li class="stock">Red: in stock</li><li class="stock">Blue: pre-order</li></ul>',
  ]) {
    assert.equal(stock(said + BUY), true, said);
  }
  assert.equal(stock(BUY + related), true);
  assert.equal(stock(`<p>Livraison gratuite sur commande</p>${BUY}`, { lang: 'fr' }), true);
});

test('a page that shows its only offer as sold out is believed, whatever its data says for ever', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['en', '<p class="stock">Sold out</p>'],
    ['en', '<button disabled>Out of stock</button>'],
    ['en', '<p class="availability">Out of stock</p><button>Notify me</button>'],
    ['de', '<p>Ausverkauft</p>'],
    ['fr', '<p class="stock">Épuisé</p><button disabled>Ajouter au panier</button>'],
    ['pl', '<p>Dostępność: niedostępny</p>'],
  ];
  for (const [lang, said] of rows) {
    assert.equal(stock(said, { lang }), false, said);
    assert.equal(stock(said, { lang, head: TWO }), true, said);
  }
  const range = {
    '@type': 'AggregateOffer',
    lowPrice: '12.50',
    priceCurrency: 'USD',
    offerCount: 4,
  };
  const head = ld(mug({ offers: { ...range, availability: 'InStock' } }));
  assert.equal(stock('<p class="stock">Sold out</p>', { head }), true);
});

test('its words do not count next to a button that can be pressed, far away, hidden, or on other goods', () => {
  for (const said of [
    `<p>Sold out</p>${BUY}`,
    `${'<p>A mug for tea.</p>'.repeat(30)}<p>Leeds shop: out of stock</p>`,
    '<span class="badge sold-out" style="display:none">Sold out</span>',
    '<aside class="related"><h3>You may also like</h3><div class="tile"><a href="/p/2">Pot</a>' +
      '<span class="price">$9.00</span><span class="stock">Sold out</span></div></aside>',
  ]) {
    assert.equal(stock(said), true, said);
  }
});

test('of several variants the words count for the one that the address names, and not in a row for another', () => {
  const url = 'https://shop.example/p/blue-mug?size=1';
  const other = 'https://shop.example/p/blue-mug?size=2';
  const head = ld(mug({ offers: [offer({ url }), offer({ url: other })] }));
  assert.equal(stock('<p class="stock">Sold out</p>', { head, url }), false);
  const rows =
    '<table><tr><td>Small</td><td class="stock">In stock</td></tr>' +
    '<tr><td>Large</td><td class="stock">Sold out</td></tr></table>';
  assert.equal(stock(rows, { head, url }), true);
});
