// The price in the state of a page's scripts, when the page states it nowhere else.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, metas, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, shown, textOf } from './shown-page.ts';

/** Returns the price, and where it was read, of a page that its tags call a product, with these scripts. */
function priceWith(scripts: string): readonly (string | null)[] {
  const tags = metas({ 'og:type': 'product', 'og:title': 'Blue Mug', 'og:image': '/a.jpg' });
  const page = pageOf(html(tags + scripts, '<h1>Blue Mug</h1>'));
  const verdict = readGenericPage(page, new UnknownWords());
  return verdict.kind === 'read' ? [textOf(verdict.value.price), verdict.value.priceReadFrom] : [];
}

const json = (state: unknown): string =>
  `<script type="application/json">${JSON.stringify(state)}</script>`;
const mug = (fields: Readonly<Record<string, unknown>>): unknown => ({
  name: 'Blue Mug',
  ...fields,
});

/** What a framework's state contains about the mug, and the price; null: it cannot be determined. */
const STATES: readonly (readonly [string, string, string | null])[] = [
  ['a text', json(mug({ price: '12.50', currency: 'EUR' })), '12.50 EUR'],
  [
    'a script known by its id',
    json(mug({ price: 12.5 })).replace('type="application/json"', 'id="__NEXT_DATA__"'),
    '12.50 -',
  ],
  ['an object', json(mug({ price: { value: 12.5, currency: 'EUR' } })), '12.50 EUR'],
  [
    'an object in an object',
    json(mug({ prices: { sale: { amount: '12.50', currencyCode: 'EUR' } } })),
    '12.50 EUR',
  ],
  ['a list of one', json(mug({ prices: [{ value: '12.50' }], currency: 'EUR' })), '12.50 EUR'],
  [
    'the currency of all goods',
    json({ currency: 'EUR', items: [mug({ price: 12.5 })] }),
    '12.50 EUR',
  ],
  [
    'what is paid beside what is written beside it',
    json(mug({ price: 20.5, special_price: 12.5 })),
    '12.50 -',
  ],
  [
    'the same in two scripts',
    json(mug({ price: 12.5 })) + json(mug({ price: 12.5, currency: 'EUR' })),
    '12.50 EUR',
  ],
  ['two prices', json(mug({ price: 12.5 })) + json(mug({ price: 13.5 })), null],
  ['two prices in a list', json(mug({ prices: [{ value: 12.5 }, { value: 13.5 }] })), null],
  ['a number that may be in hundredths', json(mug({ price: 1250, currency: 'EUR' })), null],
  ['other goods', json({ name: 'Red Mug', price: 12.5 }), null],
];

describe('the state of a framework gives the price of what is called like the page', () => {
  for (const [name, scripts, price] of STATES) {
    test(name, () => {
      assert.deepEqual(priceWith(scripts), [price, price === null ? null : 'state']);
    });
  }
});

test('the state of scripts gives the price of the product that has the page’s name, and only of that', () => {
  const layer = (name: string, price: string): string =>
    `<script>window.dataLayer = window.dataLayer || []; dataLayer.push({"ecommerce":{"currencyCode":"EUR","detail":{"products":[{"name":"${name}","price":"${price}","brand":"Acme"}]}}});</script>`;
  assert.deepEqual(priceWith(layer('Blue Mug', '12.50')), ['12.50 EUR', 'state']);
  const taxed = layer('Blue Mug', '10.50').replace('"brand"', '"priceGross":"12.50","brand"');
  assert.deepEqual(priceWith(taxed), ['12.50 EUR', 'state'], 'with tax beside without');
  assert.deepEqual(priceWith(layer('Red Mug', '12.50')), [null, null]);
  assert.deepEqual(priceWith(layer('Blue Mug', '12.50') + layer('Blue Mug', '14.00')), [
    null,
    null,
  ]);
});

/** What scripts send to advertisers, and the price. */
const TOLD: readonly (readonly [string, string | null])[] = [
  [`gtag('event','view_item',{currency:'EUR',items:[{item_name:'Blue Mug',price:12.5}]})`, '12.50'],
  [
    `gtag("event", "view_item", {"currency":"EUR","items":[{"name":"Blue Mug","price":"12"}]})`,
    '12.00',
  ],
  [`fbq('track','ViewContent',{content_name:'Blue Mug',value:12.5,currency:'EUR'})`, '12.50'],
  [
    `fbq('trackSingle','1','ViewContent',{content_name:'Blue Mug',value:'12.50',currency:'EUR'})`,
    '12.50',
  ],
  [`fbq('track','ViewContent',{content_name:'Red Mug',value:12.5,currency:'EUR'})`, null],
  // An event sent by way of a variable or a list.
  [
    `const seen = {event: 'view_item', ecommerce: {currency:'EUR',items:[{item_name:'Blue Mug',price:12.5}]}}; queue.push(seen)`,
    '12.50',
  ],
  [
    `([{"page":"1"},{"event":"view_item","item_name":"Blue Mug","price":12.5,"currency":"EUR"}]).forEach((data) => layer2.push(data))`,
    '12.50',
  ],
  [
    `const seen = {event: 'view_item', page_name: '44471', item_name: 'Blue Mug', price: 12.5, currency: 'EUR'}`,
    '12.50',
  ],
  [`const seen = {event: 'view_item_list', items:[{item_name:'Blue Mug',price:12.5}]}`, null],
  [
    `const seen = {name: 'view_item', items:[{item_name:'Blue Mug',price:12.5,currency:'EUR'}]}`,
    '12.50',
  ],
  [`fbq('track','AddToCart',{content_name:'Blue Mug',value:12.5,currency:'EUR'})`, null],
  [
    `gtag('event','view_item_list',{items:[{item_name:'Blue Mug',price:12.5}],currency:'EUR'})`,
    null,
  ],
  [
    `dataLayer=[{currency:'EUR',name:'Blue Mug',price:14.5}];fbq('track','ViewContent',{content_name:'Blue Mug',value:12.5})`,
    '14.50',
  ],
];

describe('data that a page sends to advertisers about the product of its name counts as state if there is no other', () => {
  for (const [script, price] of TOLD) {
    test(script, () => {
      const expected = price === null ? [null, null] : [`${price} EUR`, 'state'];
      assert.deepEqual(priceWith(`<script>${script}</script>`), expected);
    });
  }
});

test('a page that shows no price before its script runs is a product page by its button and the state of that name', () => {
  const state = (name: string): string =>
    `<script>dataLayer=[{"ecommerce":{"currency":"CZK","items":[{"item_name":"${name}","price":499}]}}]</script>`;
  const verdict = shown('', { head: state('Blue Mug') });
  assert.equal(verdict.kind === 'read' ? textOf(verdict.value.price) : verdict.kind, '499.00 CZK');
  assert.notEqual(shown('', { head: state('Green Mug') }).kind, 'read');
  assert.notEqual(shown('', { head: state('Blue Mug'), button: '' }).kind, 'read');
});

test('the state of scripts names the currency of the price that a page shows without one', () => {
  const read = (value: string, price = '$12.50'): string | null => {
    const state = `{"product":{"name":"Blue Mug","price":{"currencyIso":"AUD","value":${value}}}}`;
    const page = html(
      `<script id="state" type="application/json">${state}</script>`,
      `<h1>Blue Mug</h1><p class="price">${price}</p>${BUY}`,
    );
    const verdict = readGenericPage(pageOf(page), new UnknownWords());
    return verdict.kind === 'read' ? textOf(verdict.value.price) : verdict.kind;
  };
  assert.equal(read('12.5'), '12.50 AUD');
  assert.equal(read('1250'), '12.50 AUD');
  assert.equal(read('14'), '12.50 -', 'another amount');
  assert.equal(read('12.5', 'C$12.50'), '12.50 CAD', 'a sign that is no other’s');
});

test('of several displayed prices, the state of a framework decides which counts, in units or hundredths', () => {
  const both = '<p class="price">$12.50</p><p class="price">$14.00</p>';
  const priceBy = (price?: number): string | null => {
    const verdict = shown(both, { head: price === undefined ? '' : json(mug({ price })) });
    return verdict.kind === 'read' ? textOf(verdict.value.price) : null;
  };
  assert.equal(priceBy(), null);
  assert.equal(priceBy(1250), '12.50 USD');
  assert.equal(priceBy(14), '14.00 USD');
  assert.equal(priceBy(1300), null);
});
