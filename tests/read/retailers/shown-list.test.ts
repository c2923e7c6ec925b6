// Pages of several goods: a list whose tags or data are those of one of its tiles, and a product above a list of others.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { textOf } from '../page-data/shown-page.ts';
import { html, ld, metas, pageOf } from './page-fixtures.ts';

type Shown = {
  readonly url?: string;
  readonly head?: string;
  readonly lang?: string;
  readonly title?: string;
};

/** The price of the page's product, "no price", or the verdict on a page without a product. */
function readOf(body: string, { url = 'trays', head = '', lang = 'en-US', title }: Shown = {}) {
  const heading = title ?? /<h1[^>]*>([^<]*)/.exec(body)?.[1] ?? '';
  const page = html(head, body, `${heading} | Oakware`).replace('lang="en"', `lang="${lang}"`);
  const made = pageOf(page, { url: `https://shop.example/${url}` });
  const verdict = readGenericPage(made, new UnknownWords());
  return verdict.kind === 'read' ? (textOf(verdict.value.price) ?? 'no price') : verdict.kind;
}

const BUY = '<button>Add to cart</button>';
const PROSE = `<p>${'Turned from one piece of wood. '.repeat(30)}</p>`;
type Good = readonly [name: string, price: string];
const GOODS: readonly Good[] = [
  ['Round Oak Tray', '49.00'],
  ['Birch Bowl', '29.00'],
  ['Ash Spoon', '12.00'],
];
const addressOf = (name: string): string => `/p/${name.toLowerCase().replaceAll(' ', '-')}`;

/** What a tile looks like in several shop systems. */
const TILES: Readonly<Record<string, (good: Good) => string>> = {
  'items with a button': ([name, price]) =>
    `<li class="product"><a href="${addressOf(name)}"><img src="a.jpg"><h3>${name}</h3></a><span class="price">$${price}</span>${BUY}</li>`,
  'cells with the price in parts': ([name, price]) =>
    `<article><h2><a href="${addressOf(name)}">${name}</a></h2><b>$${price}</b></article>`,
  'boxes with a badge': ([name, price]) =>
    `<div class="col"><i>New</i><a href="${addressOf(name)}">${name}</a><div class="price-box"><span data-price-amount="${price}">$${price}</span></div></div>`,
  microdata: ([name, price]) =>
    `<div itemscope itemtype="https://schema.org/Product"><a href="${addressOf(name)}"><b itemprop="name">${name}</b></a><p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="priceCurrency" content="USD"><b itemprop="price" content="${price}">$${price}</b></p></div>`,
};
const gridOf = (tile: (good: Good) => string): string => `<div>${GOODS.map(tile).join('')}</div>`;
const GRIDS = Object.entries(TILES).map(([name, tile]) => [name, gridOf(tile)] as const);

const tagged = (title: string, price?: string): string =>
  metas({
    'og:type': 'product',
    'og:title': title,
    'og:image': '/a.jpg',
    ...(price === undefined
      ? {}
      : { 'product:price:amount': price, 'product:price:currency': 'USD' }),
  });
const product = (name: string, price: string, more: object = {}): object => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name,
  offers: { '@type': 'Offer', price, priceCurrency: 'USD' },
  ...more,
});
const listed = (...items: readonly object[]): string =>
  ld({
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: items.map((item, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item,
    })),
  });

describe('a list is no product, though its tags or data are those of a tile', () => {
  for (const [name, grid] of GRIDS) {
    test(name, () => {
      const page = `<h1>Trays</h1>${PROSE}${grid}`;
      const heads = {
        'type and price': tagged('Trays', '49.00'),
        'title, type and price': tagged('Round Oak Tray', '49.00'),
        'a price': metas({
          'og:title': 'Trays',
          'og:price:amount': '12.00',
          'og:price:currency': 'USD',
        }),
        'the type': tagged('Trays'),
        'type, price and the data of the tile':
          tagged('Trays', '49.00') + ld(product('Round Oak Tray', '49.00')),
        'the type and the data of the tile':
          tagged('Trays') + ld(product('Round Oak Tray', '49.00')),
        'the data of the tile with its address':
          tagged('Trays') +
          ld(product('Round Oak Tray', '49.00', { url: addressOf('Round Oak Tray') })),
        'a list of one': tagged('Trays', '49.00') + listed(product('Round Oak Tray', '49.00')),
        'its own name with the lowest price': ld(product('Trays', '12.00')),
        'its own name from the lowest price on': ld({
          ...product('Trays', ''),
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: '12.00',
            priceCurrency: 'USD',
            offerCount: 3,
          },
        }),
      };
      for (const [why, head] of Object.entries(heads))
        assert.equal(readOf(page, { head }), 'not_a_product', why);
    });
  }

  const pages: readonly (readonly [string, string, string])[] = [
    ['brands/oakware', '<h1>Oakware</h1>', 'en-US'],
    ['search?q=tray', '<h1>Results for "tray"</h1>', 'en-US'],
    ['kategorie/tabletts', '<h1>Tabletts</h1><p>3 Produkte</p>', 'de-DE'],
    ['plateaux', '<h1>Plateaux</h1><p>3 produits</p>', 'fr-FR'],
    ['dienbladen', '<h1>Dienbladen</h1><p>3 producten</p>', 'nl-NL'],
  ];
  for (const [url, top, lang] of pages) {
    test(`${url} in ${lang}`, () => {
      const head = tagged('Trays', '49.00');
      for (const [name, grid] of GRIDS)
        assert.equal(readOf(`${top}${grid}`, { url, lang, head }), 'not_a_product', name);
    });
  }

  test('one tile makes a list where the address or the data says so', () => {
    const [tile = ''] = GOODS.map((good) => TILES['items with a button']?.(good) ?? '');
    const page = `<h1>Trays</h1><ul>${tile}</ul>`;
    const head = tagged('Trays', '49.00');
    assert.equal(readOf(page, { head, url: 'category/trays' }), 'not_a_product');
    assert.equal(
      readOf(page, { head: head + listed(product('Round Oak Tray', '49.00')) }),
      'not_a_product',
    );
  });
});

describe('a product above a list of others is read as that product', () => {
  const url = 'p/oak-tray';
  const own = `<p class="price">$35.00</p>${BUY}`;
  const others = GOODS.map(([name, price]) => product(name, price, { url: addressOf(name) }));
  const heads: Readonly<Record<string, string>> = {
    'nothing stated': '',
    'a list of the others': listed(...others),
    'a list of one other': listed(...others.slice(0, 1)),
    'the data of the others': others.map((one) => ld(one)).join(''),
    'the data of the others without their addresses': GOODS.map(([name, price]) =>
      ld(product(name, price)),
    ).join(''),
    'a list of the others, and tags': listed(...others) + tagged('Oak Tray', '35.00'),
    'a list of the others, and tags without a price': listed(...others) + tagged('Oak Tray'),
    'its own data after that of the others':
      listed(...others) + others.map((one) => ld(one)).join('') + ld(product('Oak Tray', '35.00')),
  };
  for (const [name, grid] of GRIDS) {
    test(name, () => {
      for (const heading of ['Related products', 'Customers also bought', 'From the workshop']) {
        const page = `<h1>Oak Tray</h1>${own}${PROSE}<h2>${heading}</h2>${grid}`;
        for (const [why, head] of Object.entries(heads))
          assert.equal(readOf(page, { url, head }), '35.00 USD', `${heading}: ${why}`);
      }
    });
  }

  test('also where a script adds its own price, which one of them has too', () => {
    const others = gridOf(TILES['items with a button'] ?? (() => ''));
    const page = `<h1>Oak Tray</h1>${PROSE}<h2>You may also like</h2>${others}`;
    assert.equal(readOf(page, { url, head: tagged('Oak Tray', '49.00') }), '49.00 USD');
    assert.equal(readOf(page, { url, head: ld(product('Oak Tray', '12.00')) }), '12.00 USD');
    const range = {
      '@type': 'AggregateOffer',
      lowPrice: '12.00',
      highPrice: '49.00',
      priceCurrency: 'USD',
    };
    const head = ld(product('Oak Tray', '', { offers: range }));
    assert.equal(readOf(page, { url, head }), '12.00 USD');
    const inNamed = page
      .replace('<div>', '<div class="cross-sells">')
      .replace('You may also like', 'More');
    assert.equal(readOf(inNamed, { url, head: tagged('Oak Tray', '49.00') }), '49.00 USD');
  });

  test('but the first of the goods in the list is not above the others', () => {
    const [first = ''] = GOODS.map(
      ([name, price]) => `<div><h3>${name}</h3><p>$${price}</p>${BUY}</div>`,
    );
    const rest = gridOf(TILES['cells with the price in parts'] ?? (() => ''));
    const head = listed(...others);
    assert.equal(readOf(`<h1>Trays</h1>${first}${rest}`, { head }), 'not_a_product');
    const path = { url: 'category/trays', head };
    assert.equal(readOf(`<h1>Trays</h1>${own}${rest}`, path), 'not_a_product');
  });
});
