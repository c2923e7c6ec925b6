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

describe('a list is not a product, though its tags or data are those of a tile', () => {
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

describe('a page of a list that goes on is not a product, however few tiles it has', () => {
  const euros = (price: string): string => `${price.replace('.', ',')} €`;
  const next = (address: string): string => `<link rel="next" href="${address}">`;
  const links: readonly ((good: Good) => string)[] = [
    ([name, price]) =>
      `<li class="product"><a href="${addressOf(name)}"><img src="a.jpg"><h2>${name}</h2><span class="price">$${price}</span></a><a href="?add-to-cart=1" class="button">Add to cart</a></li>`,
    ([name, price]) =>
      `<article class="product-miniature"><a href="${addressOf(name)}"><img src="a.jpg"></a><h3><a href="${addressOf(name)}">${name}</a></h3><span class="price">${euros(price)}</span></article>`,
    ([name, price]) =>
      `<div class="product-box"><a href="${addressOf(name)}"><img src="a.jpg"></a><a href="${addressOf(name)}">${name}</a><p>${euros(price)}*</p><button>In den Warenkorb</button></div>`,
    ([name, price]) =>
      `<li class="product-item"><strong><a href="${addressOf(name)}">${name}</a></strong><span data-price-amount="${price}">${price} zł</span><form><button class="tocart">Do koszyka</button></form></li>`,
    ([name, price]) =>
      `<div class="product-thumb"><h4><a href="${addressOf(name)}">${name}</a></h4><p class="price">${price} руб.</p><button onclick="cart.add(4)">В корзину</button></div>`,
    ([name, price]) =>
      `<tr><td><a href="${addressOf(name)}">${name}</a></td><td>${euros(price)}</td></tr>`,
    ([name, price]) =>
      `<li><a href="${addressOf(name)}"><img src="a.jpg"><b>${name}</b></a><p>ab ${euros(price)}</p></li>`,
  ];
  const rows: readonly (readonly [url: string, lang: string, to: string])[] = [
    ['trays', 'en-US', next('/trays?page=2')],
    ['plateaux?p=2', 'fr-FR', '<link href="/plateaux" rel="prev">'],
    ['tabletts/', 'de-DE', next('/tabletts/?seite=2')],
    ['tace.html', 'pl-PL', next('https://shop.example/tace.html?p=2')],
    ['podnosy', 'ru-RU', next('/podnosy?PAGEN_1=2')],
    ['trays/page/3/', 'en-GB', next('/trays/page/4/')],
    ['vassoi', 'it-IT', '<nav><a class="next" rel="next" href="?pagina=2">Avanti</a></nav>'],
    ['bandejas', 'es-ES', '<ul class="pagination"><li><a href="/bandejas?page=2">2</a></li></ul>'],
    ['trays?sort=price', 'en-US', next('/trays?sort=price&amp;start=24')],
    ['brickor', 'sv-SE', next('/brickor/sida-2')],
  ];
  for (const [url, lang, to] of rows) {
    test(`${url} in ${lang}`, () => {
      for (const tile of links) {
        for (const count of tile(['A', '1.00']).startsWith('<li') ? [1, 2, 3] : [2, 3]) {
          const grid = `<div class="list">${GOODS.slice(0, count).map(tile).join('')}</div>`;
          const body = `<h1>Trays</h1>${PROSE}${grid}`;
          const brand = metas({ 'product:brand': 'Oakware', 'product:availability': 'in stock' });
          for (const head of [tagged('Trays'), tagged('Trays', '49.00'), tagged('Trays') + brand])
            assert.equal(
              readOf(body + to, { url, lang, head }),
              'not_a_product',
              tile(['A', '1.00']),
            );
        }
      }
    });
  }

  test('a product page that has neighbours, pages of reviews or other goods stays one', () => {
    const url = 'p/elm-board';
    const top = '<h1>Elm Board</h1>';
    const others = `<ul>${GOODS.map((good) => links[0]?.(good) ?? '').join('')}</ul>`;
    const reviews = '<h2>Reviews</h2><p>Good.</p><nav><a rel="next" href="?page=2">2</a></nav>';
    const related = `<h2>Related products</h2>${others}`;
    const head = tagged('Elm Board');
    const price = '<p class="price">$35.00</p>';
    const sizes =
      '<ul><li><a href="/p/elm-board?size=s">Small $35.00</a></li><li><a href="/p/elm-board?size=l">Large $45.00</a></li></ul>';
    const rows: readonly (readonly [body: string, head: string])[] = [
      [`${price}${BUY}${PROSE}${related}`, `${head}<link rel="next" href="/p/birch-bowl">`],
      [`${price}${PROSE}${related}${reviews}`, head],
      [`${BUY}${PROSE}${others}${reviews}`, head],
      [`${sizes}${BUY}${PROSE}${reviews}`, head],
      [`<a href="#buy">$35.00</a>${BUY}${PROSE}${reviews}`, head],
      [
        `<p>Sold out</p>${PROSE}${related}`,
        `${head}<meta property="product:availability" content="out of stock"><link rel="next" href="/p/ash-spoon">`,
      ],
      [`${price}${BUY}${PROSE}`, head + next('/p/elm-board?review_page=2')],
    ];
    for (const [body, tags] of rows)
      assert.notEqual(readOf(top + body, { url, head: tags }), 'not_a_product', body);
  });
});
