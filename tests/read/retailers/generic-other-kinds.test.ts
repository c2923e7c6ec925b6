// Pages that have one product but are not a shop's product pages: reviews, and lists with a single product. Next to each,
// product pages that look similar.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, pageOf } from './page-fixtures.ts';

const SHOP = 'https://shop.example';

type Shape = {
  readonly title?: string;
  readonly h1?: string;
  readonly path?: string;
  readonly head?: string;
  readonly body?: string;
};

function kindOf({ title = 'Acme Lumo 300', h1 = title, path, head = '', body = '' }: Shape) {
  const url = `${SHOP}${path ?? '/p/acme-lumo-300'}`;
  const page = html(
    metas({ 'og:title': title }) + head,
    `<h1>${h1}</h1>${body}`,
    `${title} | Shop`,
  );
  return readGenericPage(pageOf(page, { url }), new UnknownWords()).kind;
}

const OFFER = { '@type': 'Offer', price: '49.00', priceCurrency: 'USD' };
const LAMP = { '@type': 'Product', name: 'Acme Lumo 300', brand: { name: 'Acme' } };
const RANGE = { '@type': 'AggregateOffer', lowPrice: 49, highPrice: 79, priceCurrency: 'USD' };
const REVIEW = {
  '@type': 'Review',
  author: { name: 'Jane Doe' },
  reviewRating: { ratingValue: 4 },
};
const ARTICLE = metas({ 'og:type': 'article' });
const BUY = '<div class="price">$49.00</div><button>Add to cart</button>';
const PROSE = `<p>${'We used the lamp for three weeks and liked how bright it is. '.repeat(12)}</p>`;

const TESTED = {
  title: 'Acme Lumo 300 review: bright, but it creaks',
  path: '/acme-lumo-300-review',
  body: PROSE,
};

const REVIEWS: readonly (readonly [string, Shape])[] = [
  [
    'a review beside its product',
    {
      head: ld([
        { ...REVIEW, itemReviewed: LAMP },
        { ...LAMP, offers: RANGE },
      ]),
    },
  ],
  [
    'a review that refers to its product',
    {
      head: ld({
        '@graph': [
          { ...REVIEW, itemReviewed: { '@id': '#p' } },
          { ...LAMP, '@id': '#p', offers: RANGE },
        ],
      }),
    },
  ],
  ['a product with the review in it', { head: ld({ ...LAMP, review: REVIEW, offers: RANGE }) }],
  ['called an article', { h1: 'Acme Lumo 300', head: ARTICLE + ld({ ...LAMP, offers: RANGE }) }],
  [
    'a product named after the review, called an article',
    { head: ARTICLE + ld({ ...LAMP, name: TESTED.title, review: REVIEW, offers: RANGE }) },
  ],
  [
    'called an article, with an offer that is nobody’s',
    { head: ARTICLE + ld({ ...LAMP, review: REVIEW, offers: OFFER }) },
  ],
  [
    'in German',
    {
      title: 'Acme Lumo 300 im Test',
      head: ld({ ...LAMP, review: REVIEW, offers: RANGE }),
    },
  ],
  [
    'with a link to buy',
    {
      head: ld({ ...REVIEW, itemReviewed: { ...LAMP, offers: RANGE } }),
      body: `${PROSE}<div class="price">$49.00</div><a href="https://pots.example/x">Buy now</a>`,
    },
  ],
];

const RATED = { ratingValue: 4, reviewCount: 12 };
const ADDRESSED = { ...RANGE, url: `${SHOP}/p/acme-lumo-300` };
const REVIEWED_PRODUCTS: readonly (readonly [string, Shape])[] = [
  ['reviews of customers', { head: ld({ ...LAMP, review: [REVIEW, REVIEW], offers: OFFER }) }],
  ['one review of a customer', { head: ld({ ...LAMP, review: REVIEW, offers: RANGE }) }],
  [
    'reviews in the title',
    {
      title: 'Acme Lumo 300 - Reviews & Prices',
      head: ld({ ...LAMP, review: REVIEW, offers: RANGE }),
    },
  ],
  [
    'a shop that calls all its pages articles',
    { head: ARTICLE + ld({ ...LAMP, sku: 'A', review: REVIEW, offers: RANGE }) },
  ],
  [
    'the same, with the address of the offers',
    { head: ARTICLE + ld({ ...LAMP, review: REVIEW, offers: ADDRESSED }) },
  ],
  [
    'the same, rated by many',
    { head: ARTICLE + ld({ ...LAMP, review: REVIEW, aggregateRating: RATED, offers: RANGE }) },
  ],
  [
    'reviews that refer to the product',
    {
      head: ld({
        '@graph': [
          { ...REVIEW, itemReviewed: { '@id': '#p' } },
          { ...LAMP, '@id': '#p', offers: OFFER },
        ],
      }),
    },
  ],
  [
    'a magazine that is called a review',
    {
      title: 'The Acme Review',
      path: '/p/the-acme-review',
      head: ld({ ...LAMP, name: 'The Acme Review', review: REVIEW, offers: RANGE }),
    },
  ],
];

describe('a page that writes about a product is not a product page', () => {
  for (const [name, shape] of REVIEWS) {
    test(name, () => assert.equal(kindOf({ ...TESTED, ...shape }), 'not_a_product'));
  }
  for (const [name, shape] of REVIEWED_PRODUCTS) {
    test(`a product page: ${name}`, () => assert.equal(kindOf({ body: BUY, ...shape }), 'read'));
  }
});

const LINK = '<a href="/p/acme-lumo-300">Acme Lumo 300</a>';
const TILE = `<div class="box"><a href="/p/acme-lumo-300"><img alt=""></a><h3>${LINK}</h3>${BUY}</div>`;
const NUMBERED = { ...LAMP, sku: 'AL300', offers: OFFER };
const HIT = { title: 'Search: Acme Lumo 300', path: '/search?q=acme+lumo+300', body: TILE };
const CATEGORY = { title: 'Desk lamps', path: '/desk-lamps', body: TILE };

const LISTS: readonly (readonly [string, Shape])[] = [
  ['a category', CATEGORY],
  ['a category that counts', { ...CATEGORY, body: `<p>1 product</p><h3>Acme Lumo 300</h3>${BUY}` }],
  [
    'a picture and a name that lead to one page',
    { ...CATEGORY, body: `<a href="/p/acme-lumo-300"><img alt=""></a><p>${LINK}</p>${BUY}` },
  ],
  [
    'a name beside the price',
    { ...CATEGORY, path: '/c/desk-lamps', body: `<p>${LINK} ${BUY}</p>` },
  ],
  ['a category with the data of its product', { ...CATEGORY, head: ld(NUMBERED) }],
  [
    'a product whose name has the words of the category',
    {
      ...CATEGORY,
      path: '/c/desk-lamps',
      head: ld({ ...NUMBERED, name: 'Acme Desk Lamps 300' }),
      body: TILE.replaceAll('Acme Lumo 300', 'Acme Desk Lamps 300'),
    },
  ],
  ['a brand', { ...CATEGORY, title: 'Acme', path: '/brands/acme' }],
  [
    'a brand with the data of its product',
    { title: 'Acme', path: '/acme', body: TILE, head: ld(NUMBERED) },
  ],
  ['a series', { title: 'Acme Lumo', path: '/c/acme-lumo', body: TILE, head: ld(NUMBERED) }],
  ['a search', { ...HIT, title: 'Search: lumo' }],
  ['a search for the very name', HIT],
  ['a search for the very name, with data', { ...HIT, head: ld(NUMBERED) }],
  ['a search on the front page', { ...CATEGORY, title: 'lumo', path: '/?s=lumo' }],
];

const PRODUCTS: readonly (readonly [string, Shape])[] = [
  ['its own name as a link', { body: `<h3>${LINK}</h3>${BUY}` }],
  ['its maker', { body: `<h2><a href="/brands/acme-home">Acme Home</a></h2>${BUY}` }],
  ['its writer', { body: `<h2><a href="/author/jane-doe">Jane Doe</a></h2>${BUY}` }],
  [
    'a folder that it stands in',
    { path: '/acme-home/lumo', body: `<h2><a href="/acme-home">Acme Home</a></h2>${BUY}` },
  ],
  ['its variants', { body: `<b><a href="/p/acme-lumo-300-navy-blue">Navy Blue</a></b>${BUY}` }],
  ['a newer one', { body: `<p>New: <a href="/p/acme-lumo-400">Acme Lumo 400</a></p>${BUY}` }],
  ['what fits it', { body: `<p><a href="/p/acme-bulb-9">Acme Bulb 9</a> fits</p>${BUY}` }],
  ['its category', { body: `<p><a href="/c/desk-lamps">Desk lamps</a></p>${BUY}` }],
  ['a guide', { body: `<p><a href="/pages/size-guide">Size guide</a></p>${BUY}` }],
  ['found by a search', { path: '/p/acme-lumo-300?q=lumo', body: BUY }],
  [
    'data under a longer name',
    { head: ld({ ...NUMBERED, name: 'Acme Lumo 300 Desk Lamp' }), body: BUY },
  ],
  [
    'data under a longer name, which leads to a variant',
    {
      head: ld({ ...NUMBERED, name: 'Acme Lumo 300 Red' }),
      body: `${BUY}<a href="/p/acme-lumo-300-red">Acme Lumo 300 Red</a>`,
    },
  ],
];

describe('a list with a single product is not a product page', () => {
  for (const [name, shape] of LISTS) {
    test(name, () => assert.equal(kindOf(shape), 'not_a_product'));
  }
  for (const [name, shape] of PRODUCTS) {
    test(`a product page that names ${name}`, () => assert.equal(kindOf(shape), 'read'));
  }
});

const BOUGHT = '<p class="price">$49.00</p><button>Buy now</button>';

const NO_GOODS: readonly (readonly [string, Shape])[] = [
  ['a cart in Polish', { title: 'Koszyk', path: '/koszyk', body: BUY }],
  ['a list of wishes in German', { title: 'Merkzettel', path: '/merkzettel', body: BUY }],
  ['what delivery costs', { title: 'Versandkosten', path: '/versand', body: BUY }],
  [
    'an article with one product in it',
    { title: 'How to brew', path: '/blog/how-to-brew', body: BUY },
  ],
  ['what people say of a product', { path: '/p/acme-lumo-300/reviews', body: BUY }],
  [
    'a service',
    {
      title: 'Phone repair',
      path: '/repair',
      head: ld({ '@type': 'Service', name: 'Phone repair', offers: OFFER }),
      body: BOUGHT,
    },
  ],
  ...['Event', 'TouristTrip', 'Course', 'HotelRoom', 'FinancialProduct', 'Flight'].map(
    (type): readonly [string, Shape] => [
      `a ${type} that is called a product, too`,
      {
        title: 'A night out',
        path: '/a-night-out',
        head: ld({ '@type': ['Product', type], name: 'A night out', offers: OFFER }),
        body: BOUGHT,
      },
    ],
  ),
];

const TAKING_PLACE: readonly string[] = [
  'Saturday 12 December 2026 · Doors 7pm',
  'Dec 12, 2026, 7:30 pm',
  'Fr, 4. Dezember 2026, 19:30 Uhr, Großes Haus',
  'Kurs am Samstag, 12.12.2026, 17:00 bis 21:00 Uhr',
  'Samedi 12 décembre 2026, 20h30',
  'Sábado 12 de diciembre, 21:00 h',
  '12 декабря 2026, 19:00',
];
const OF_GOODS: readonly string[] = [
  'Order within 3 hours: delivered Saturday 12 December by 7pm',
  'Sat, 12 Dec: delivery between 9 am and 1 pm',
  'Until Saturday 12 December, 7pm',
  'Bis Freitag, 4. Dezember 2026, 19:30 Uhr',
  'Fr, 4. Dezember: Lieferung ab 19:30 Uhr',
  'Preis vom 4. Dezember 2026, 19:30 Uhr',
  'Released 12 December 2026',
  'Sa, 28. November: Filiale ab 10:00 Uhr geöffnet',
  'Date: Sat, Nov 28 - 9 AM to 1 PM',
  'Unlocks Friday, March 12, 2027 at 12:00 AM',
  'May 5 in 1 Tool, 12h battery',
  'Sabato 12 dicembre: consegna entro le 12:30',
];

test('what takes place on a day at an hour is not a product, and what is delivered then is', () => {
  const kind = (line: string): string =>
    kindOf({ title: 'Lumo', path: '/lumo', body: `<p>${line}</p>${BOUGHT}` });
  for (const line of TAKING_PLACE) assert.equal(kind(line), 'not_a_product', line);
  for (const line of OF_GOODS) assert.equal(kind(line), 'read', line);
  const behind = `${BOUGHT}<p>Saturday 12 December 2026 · Doors 7pm</p>`;
  assert.equal(kindOf({ title: 'Lumo', path: '/lumo', body: behind }), 'read', 'behind the button');
});

test('the name of a domain is not a product', () => {
  const kind = (title: string, line: string): string =>
    kindOf({ title, path: '/brightpixel', body: `<p>${line}</p>${BOUGHT}` });
  assert.equal(kind('BrightPixel.com', 'This domain name is for sale'), 'not_a_product');
  assert.equal(kind('bücher.shop', 'Diese Domain steht zum Verkauf'), 'not_a_product');
  assert.equal(kind('Booking.com', 'A book of 320 pages'), 'read');
  assert.equal(kind('Public Domain Songs', 'A book about the public domain'), 'read');
});

test('money of the shop that a heading calls nothing else is not a product', () => {
  const kind = (title: string): string => kindOf({ title, path: '/lumo', body: BOUGHT });
  const money = ['Gift Card', 'Gutschein', 'Wertgutschein 50 €', 'Carte cadeau', 'Presentkort'];
  for (const title of [...money, 'Dárkový poukaz', 'ギフトカード', 'Tarjeta regalo']) {
    assert.equal(kind(title), 'not_a_product', title);
  }
  for (const title of ['Gift Card Holder', 'Gutscheinheft aus Leder', 'Carte cadeau à planter']) {
    assert.equal(kind(title), 'read', title);
  }
});

test('carts, texts about goods, services, events and trips are not product pages', () => {
  for (const [name, shape] of NO_GOODS) assert.notEqual(kindOf(shape), 'read', name);
  assert.equal(kindOf({ path: '/guides/acme-lumo-300', body: BUY }), 'read', 'a path of goods');
  const vehicle = ld({ '@type': ['Product', 'Vehicle'], name: 'Acme Lumo 300', offers: OFFER });
  assert.equal(
    kindOf({ head: vehicle, body: BOUGHT }),
    'read',
    'a vehicle that is called a product',
  );
});

const RANGED = { '@type': 'Product', name: 'Desk lamps', offers: { ...RANGE, offerCount: 3 } };
const THREE = ['49.00', '59.00', '79.00'];
const tiles = (prices: readonly string[], button = ''): string =>
  prices
    .map(
      (price, at) =>
        `<div class="x"><a href="/p/lamp-${at}"><img alt=""></a><a href="/p/lamp-${at}">Lamp ${at}</a><b>$${price}</b>${button}</div>`,
    )
    .join('');
const LAMPS = { title: 'Desk lamps', path: '/desk-lamps', head: ld(RANGED) };
const CART = '<button>Add to cart</button>';

test('a category that is marked as a product is recognized by its tiles: they have its lowest or highest price', () => {
  assert.equal(kindOf({ ...LAMPS, body: tiles(THREE) }), 'not_a_product');
  assert.equal(kindOf({ ...LAMPS, body: tiles(THREE, CART) }), 'not_a_product', 'with buttons');
  const tagged = metas({ 'og:type': 'product' });
  assert.equal(
    kindOf({ ...LAMPS, head: tagged + LAMPS.head, body: tiles(THREE) }),
    'not_a_product',
  );
  const maker = ld({ ...RANGED, brand: { name: 'Desk lamps' } });
  assert.equal(kindOf({ ...LAMPS, head: maker, body: tiles(THREE) }), 'not_a_product', 'its name');
});

test('a product with a range of prices next to such tiles stays one', () => {
  const read = (shape: Shape): string => kindOf({ ...LAMPS, ...shape });
  assert.equal(read({ body: `<p>from $49.00</p>${tiles(THREE)}` }), 'read', 'its own price');
  assert.equal(read({ body: `${CART}<h2>Similar</h2>${tiles(THREE)}` }), 'read', 'its own button');
  assert.equal(read({ body: tiles(['19.00', '59.00', '99.00']) }), 'read', 'other prices');
  assert.equal(read({ body: tiles(['49.00']) }), 'read', 'a single tile');
  assert.equal(
    read({ head: ld({ ...RANGED, sku: 'DL-1' }), body: tiles(THREE) }),
    'read',
    'number',
  );
  const made = ld({ ...RANGED, brand: { name: 'Acme' } });
  assert.equal(read({ head: made, body: tiles(THREE) }), 'read', 'its maker');
});

test('what is only paid by the month is a plan: no product page, and none that cannot be read', () => {
  const kind = (body: string): string =>
    kindOf({ title: 'Starter', path: '/plans/starter', body: `${body}<a href="/o">Order now</a>` });
  assert.equal(kind('<p>10 GB</p><p class="price">$3.59<span>/mo</span></p>'), 'not_a_product');
  assert.equal(kind('<p>20 GB</p><p>14,99 €</p><p>monatlich</p>'), 'not_a_product');
  assert.equal(kind('<p>$49</p><p>per month, billed annually</p>'), 'not_a_product');
  // A product whose price is filled in by a script, with an instalment next to it.
  assert.equal(kind('<p>or from $12.50/mo</p>'), 'unreadable');
  assert.equal(kind('<p>$29.00 upfront</p><p>$35.00/mo</p>'), 'unreadable');
});

test('a page whose every button to buy leads to another site for a commission only writes about the product', () => {
  const link = (href: string, rel: string): string => `<a href="${href}" rel="${rel}">Buy now</a>`;
  const kind = (button: string): string =>
    kindOf({ title: 'Lumo', path: '/lumo', body: `<p class="price">$49.00</p>${button}` });
  const away = link('https://pots.example/x', 'nofollow sponsored');
  assert.equal(kind(away), 'not_a_product');
  assert.equal(kind(away + away), 'not_a_product');
  assert.equal(kind(link('https://pay.example/x', 'noopener')), 'read', 'a way to pay');
  assert.equal(
    kind(link('https://pay.shop.example/cart?add=5', 'nofollow')),
    'read',
    'of the shop',
  );
  assert.equal(kind(link('/cart?add=5', 'nofollow')), 'read', 'its own cart');
  assert.equal(kind(`${CART}${away}`), 'read', 'beside a button of the shop');
});

test('what a ticket office sells is not a product', () => {
  const kind = (path: string): string => kindOf({ title: 'Day pass', path, body: BOUGHT });
  for (const path of ['/tickets/day-pass', '/en/entradas/general', '/bilety/dzienny']) {
    assert.equal(kind(path), 'not_a_product', path);
  }
  assert.equal(kind('/games/ticket-to-the-coast'), 'read');
  assert.equal(kind('/tickets'), 'read', 'a product of that name');
});

test('a table of goods, each with its price and its button, is not a product page that cannot be read', () => {
  const row = (name: string, price: string): string =>
    `<tr><td>${name}</td><td>${price}</td><td><input type="submit" value="Add to cart"></td></tr>`;
  const table = `<table>${row('Wet stone', '$24.50')}${row('Strop', '$31.00')}</table>`;
  assert.equal(kindOf({ title: 'Tools', path: '/tools', body: table }), 'not_a_product');
});
