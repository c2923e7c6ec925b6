// Other goods on a product's page, in sections that nothing calls "related": they are recognized by their structure.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, pageOf } from './page-fixtures.ts';

const URL = 'https://shop.example/acme-lumo-300';

function readOf(body: string, head = ''): string {
  const page = html(head, `<h1>Acme Lumo 300</h1>${body}`, 'Acme Lumo 300 | Shop');
  const verdict = readGenericPage(pageOf(page, { url: URL }), new UnknownWords());
  if (verdict.kind !== 'read') return verdict.kind;
  const { price, listPrice } = verdict.value;
  const cents = [price, listPrice].filter((money) => money !== null).map((money) => money.cents);
  return cents.length === 0 ? 'no price' : cents.join(' was ');
}

const BUY = '<button>Add to cart</button>';
const OWN = `<div><span>€49.00</span></div>${BUY}`;

type Good = readonly [name: string, price: string];
const GOODS: readonly Good[] = [
  ['Acme Solo', '€39.00'],
  ['Acme Duo', '€59.00'],
];
const link = (name: string, inside = name): string =>
  `<a href="/${name.toLowerCase().replace(' ', '-')}">${inside}</a>`;
const priced = (price: string): string => `<span class="price">${price}</span>`;

const FORMS: readonly (readonly [string, string, (good: Good) => string, string])[] = [
  ['items', '<ul>', ([name, price]) => `<li>${link(name)}${priced(price)}</li>`, '</ul>'],
  ['items never closed', '<ul>', ([name, price]) => `<li>${link(name)} ${priced(price)}`, '</ul>'],
  [
    'pictures that are links, with badges above',
    '<ul>',
    ([name, price]) =>
      `<li><i>-20%</i>${link(name, '<img src="a.jpg">')}<b>${name}</b>${priced(price)}</li>`,
    '</ul>',
  ],
  [
    'boxes of one name',
    '<div>',
    ([name, price]) => `<div class="x1">${link(name)}<div>${priced(price)}</div></div>`,
    '</div>',
  ],
  ['articles', '', ([name, price]) => `<article>${link(name)}${priced(price)}</article>`, ''],
  [
    'cells',
    '<table><tr>',
    ([name, price]) => `<td>${link(name)}<br>${priced(price)}</td>`,
    '</tr></table>',
  ],
];

describe('tiles of other goods', () => {
  for (const [name, open, tile, close] of FORMS) {
    const tiles = `<h2>Podobne</h2>${open}${GOODS.map(tile).join('')}${close}`;
    test(`${name} say nothing of what the product costs`, () => {
      assert.equal(readOf(`${OWN}${tiles}`), '4900');
      assert.equal(readOf(`${tiles}${OWN}`), '4900', 'above it');
      assert.equal(readOf(`${BUY}${tiles}`), 'unreadable', 'and make no price where there is none');
    });
  }

  test('one that is marked up as a product does not hide the product of the page', () => {
    const tile =
      '<div itemscope itemtype="https://schema.org/Product"><a href="/acme-solo"><b itemprop="name">Acme Solo</b></a>' +
      '<p itemprop="offers" itemscope><b itemprop="price" content="39.00">€39.00</b></p></div>';
    assert.equal(readOf(`${OWN}${tile}`), '4900');
    assert.notEqual(readOf(`<p>1 item</p>${tile}${BUY}`), '3900');
    assert.notEqual(readOf(`${tile}${BUY}`), '3900');
  });

  test('the product of the page is not one, though it begins with a link to its picture or its maker', () => {
    for (const first of ['/big.jpg?v=2', '/brands/acme/']) {
      const own = `<a href="${first}"><img src="s.jpg"></a><p class="price">€49.00</p>${BUY}`;
      assert.equal(
        readOf(`<div itemscope itemtype="https://schema.org/Product">${own}</div>`),
        '4900',
        first,
      );
    }
  });

  test('a single item of a list is one, too', () => {
    const item = `<ul><li>${link('Acme Solo')}${priced('€39.00')}</li></ul>`;
    assert.equal(readOf(`${OWN}<h2>Podobne</h2>${item}`), '4900');
  });
});

describe('a single tile of other goods, in no list and beside no second one', () => {
  const TILES = [
    `<div><h3>${link('Acme Solo')}</h3><p>$23.00</p></div>`,
    `<div><a href="/acme-solo"><h3>Acme Solo</h3></a><p>$23.00</p>${BUY}</div>`,
    `<div>${link('Acme Solo', '<img src="a.jpg" alt="">')}<p>${link('Acme Solo')}</p><p>$23.00</p></div>`,
  ];
  const stated = (offer: object): string =>
    ld({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Acme Lumo 300',
      offers: { '@type': 'Offer', priceCurrency: 'USD', ...offer },
    });
  const regular = '<p class="price price--regular">$38.00</p>';

  test('does not correct the price that the data states', () => {
    for (const tile of TILES) {
      const soldOut = stated({ price: 38, availability: 'OutOfStock' });
      assert.equal(readOf(`${regular}<p>Sold out</p>${tile}`, soldOut), '3800', tile);
      assert.equal(readOf(`${regular}${BUY}${tile}`, stated({ price: 38 })), '3800', tile);
    }
  });

  test('is not a price of a product whose data states none', () => {
    const tags = metas({ 'og:type': 'product', 'og:title': 'Acme Lumo 300', 'og:image': '/a.jpg' });
    for (const tile of TILES) {
      const body = `<p>Price on request</p>${tile}`;
      assert.equal(readOf(body, stated({ availability: 'InStock' })), 'no price', tile);
      assert.equal(readOf(`${BUY}${body}`, tags), 'no price', tile);
    }
  });
});

describe('what is built otherwise is of the product', () => {
  const CASES: readonly (readonly [string, string])[] = [
    [
      'an item with the price before its link',
      `<ul><li>€49.00 ${link('2 Offers')}</li></ul>${BUY}`,
    ],
    ['a box with a link to the maker', `<div>${link('Acme')}<div>€49.00</div></div>${BUY}`],
    [
      'boxes side by side, one of them of pictures',
      `<div class="col">${link('Big', '<img src="a.jpg">')}</div><div class="col">${link('Acme')}<p>€49.00</p>${BUY}</div>`,
    ],
    ['an item with words before its link', `<ul><li>Our price today only: €49.00</li></ul>${BUY}`],
    [
      'items that open a list of facts',
      `<ul><li>${link('Acme')}<li>Price: €49.00<li>${link('Help')}</ul>${BUY}`,
    ],
  ];
  for (const [name, body] of CASES) {
    test(name, () => assert.equal(readOf(body), '4900'));
  }

  test('the list that the page itself is in', () => {
    const page = `<ul><li><a href="/"><img src="logo.svg"></a><h1>Acme Lumo 300</h1>${OWN}</li></ul>`;
    const whole = html('', page, 'Acme Lumo 300 | Shop');
    const verdict = readGenericPage(pageOf(whole, { url: URL }), new UnknownWords());
    assert.equal(verdict.kind === 'read' ? verdict.value.price?.cents : verdict.kind, 4900);
  });
});

test('a page whose buttons to buy are all of tiles is a list, also with two of them, and one next to the heading is its own', () => {
  for (const [name, open, tile, close] of FORMS) {
    const tiles = GOODS.map(([good, price]) => tile([good, `${price}${BUY}`])).join('');
    const list = html('', `<h1>Lamps</h1>${open}${tiles}${close}`, 'Lamps | Shop');
    const page = pageOf(list, { url: 'https://shop.example/lamps' });
    assert.equal(readGenericPage(page, new UnknownWords()).kind, 'not_a_product', name);
    assert.notEqual(readOf(`${BUY}${open}${tiles}${close}`), 'not_a_product', name);
  }
});

test('a single one in the place of the price, in one line with it or next to its picture, is other goods', () => {
  const at = (path: string, body: string): string => {
    const page = html('', `<h1>Acme Lumo 300</h1>${body}`, 'Acme Lumo 300 | Shop');
    const url = `https://shop.example${path}`;
    const verdict = readGenericPage(pageOf(page, { url }), new UnknownWords());
    return verdict.kind;
  };
  const inLine = (href: string, name: string): string =>
    `<div><a href="${href}">${name}</a> <span class="price">€59.00</span> <a class="button" href="/cart/add/4">Add to cart</a></div>`;
  assert.equal(at('/p/al300', inLine('/p/bd400', 'Brill Duo')), 'not_a_product', 'its successor');
  assert.equal(at('/p/al300', inLine('/brands/brill', 'Brill Duo')), 'read', 'its maker');
  assert.equal(at('/p/al300', inLine('/p/al300/parts', 'Brill Duo')), 'read', 'below its own page');
  assert.equal(at('/al300', inLine('/bd400', 'Brill Duo')), 'read', 'a shop without folders');
  const pictured = `<a href="/x/brill"><img alt=""></a><p><a href="/x/brill">Brill Duo</a></p><p class="price">€59.00</p>${BUY}`;
  assert.equal(at('/p/al300', pictured), 'not_a_product', 'half of its name in its address');
});
