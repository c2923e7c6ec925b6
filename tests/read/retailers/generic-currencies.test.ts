// A product whose data has prices in several currencies gets the page's: as shown, as its tags, address or country say, else
// none. An amount never gets the code of another one; one without a code gets the only one that the page names.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { amountOf, type Money } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, mug, offer, pageOf } from './page-fixtures.ts';

type Shape = {
  readonly offers?: unknown;
  readonly product?: Readonly<Record<string, unknown>>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly lang?: string;
  readonly url?: string;
  readonly shown?: string;
  readonly head?: string;
};

const priced = (price: string, priceCurrency: string | undefined, more = {}) =>
  offer({ price, priceCurrency, ...more });
const THREE = [priced('99.00', 'EUR'), priced('109.00', 'USD'), priced('89.00', 'GBP')];
const POUNDS = { 'product:price:currency': 'GBP' };
const SPECIFIED = ['EUR 120 99', 'USD 129 109'].flatMap((line) => {
  const [priceCurrency, list, price] = line.split(' ');
  return [
    { priceCurrency, price: list, priceType: 'https://schema.org/ListPrice' },
    { priceCurrency, price },
  ];
});
const UNPRICED = { price: undefined, priceCurrency: undefined };

function read(shape: Shape) {
  const { offers = THREE, product = {}, tags = {}, lang = 'en', url, shown = '' } = shape;
  const head = (shape.head ?? '') + metas(tags) + ld(mug({ offers, ...product }));
  const body = `<h1>Blue Mug</h1>${shown}<button>Add to cart</button>`;
  const page = pageOf(
    html(head, body).replace('lang="en"', `lang="${lang}"`),
    url === undefined ? {} : { url },
  );
  const verdict = readGenericPage(page, new UnknownWords());
  assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
  return verdict.kind === 'read' ? verdict.value : null;
}

const text = (money: Money | null | undefined): string | null =>
  money === null || money === undefined ? null : `${amountOf(money)} ${money.currency ?? '-'}`;

const TABLE: readonly (readonly [string, Shape, string | null])[] = [
  ['nothing says which', {}, null],
  ['the tags state a currency', { tags: POUNDS }, '89 GBP'],
  ['the tags state a price', { tags: { ...POUNDS, 'product:price:amount': '89.00' } }, '89 GBP'],
  ['the tags state another currency', { tags: { 'og:price:currency': 'SEK' } }, null],
  ['the region of the language', { lang: 'en-GB' }, '89 GBP'],
  ['the country of the host', { url: 'https://shop.co.uk/p/blue-mug' }, '89 GBP'],
  [
    'a country of the euro',
    { offers: THREE.toReversed(), url: 'https://shop.de/p/blue-mug', lang: 'de' },
    '99 EUR',
  ],
  ['the address asks for one', { url: 'https://shop.example/p/blue-mug?currency=USD' }, '109 USD'],
  ['the page shows one', { shown: '<p class="price">£89.00</p>' }, '89 GBP'],
  [
    'the page shows another than its tags state',
    { tags: { 'product:price:currency': 'USD' }, shown: '<p class="price">£89.00</p>' },
    '89 GBP',
  ],
  [
    'the page shows another than its language says',
    { lang: 'en-US', shown: '<p class="price">£89.00</p>' },
    '89 GBP',
  ],
  ['the page shows an amount of none', { shown: '<p class="price">£12.00</p>' }, '89 GBP'],
  [
    'the offers are listed in an AggregateOffer',
    { offers: { '@type': 'AggregateOffer', offers: THREE }, tags: POUNDS },
    '89 GBP',
  ],
  [
    'each currency has a range',
    {
      offers: [
        { '@type': 'AggregateOffer', lowPrice: 99, highPrice: 120, priceCurrency: 'EUR' },
        { '@type': 'AggregateOffer', lowPrice: 89, highPrice: 110, priceCurrency: 'GBP' },
      ],
      tags: POUNDS,
    },
    '89 GBP',
  ],
  [
    'one offer states none',
    { offers: [priced('99.00', undefined), ...THREE.slice(1)], tags: POUNDS },
    '89 GBP',
  ],
  [
    'each variant has all of them',
    {
      product: {
        '@type': 'ProductGroup',
        offers: undefined,
        hasVariant: ['red', 'blue'].map((sku) => mug({ sku, offers: THREE })),
      },
      tags: POUNDS,
    },
    '89 GBP',
  ],
  [
    'all are in one currency, which is not that of the tags',
    { offers: [priced('99.00', 'EUR'), priced('95.00', 'EUR', { sku: 'B' })], tags: POUNDS },
    '95 EUR',
  ],
];

const shop = (path: string): string => `https://shop.example${path}`;
const LISTED = priced('31.40', undefined, {
  price: ['31.40', '359.00'],
  priceCurrency: ['EUR', 'SEK'],
});
const SPECIFIED_EACH = {
  ...priced('', undefined, { price: undefined, priceCurrency: ['EUR', 'SEK'] }),
  priceSpecification: [
    { price: '359.00', priceCurrency: 'SEK' },
    { price: '31.40', priceCurrency: 'EUR' },
  ],
};
const KRONOR = '<p class="price">359 kr</p>';
const RANGES = { lowPrice: ['31.40', '359'], highPrice: ['40.00', '459'] };

const ONE_OFFER: readonly (readonly [string, Shape, string | null])[] = [
  ['lists in one order', { offers: LISTED, lang: 'sv-SE' }, '359 SEK'],
  ['lists in one order, and the page shows one', { offers: LISTED, shown: KRONOR }, '359 SEK'],
  [
    'lists of different lengths',
    { offers: { ...LISTED, price: '31.40' }, lang: 'sv-SE' },
    '31.4 -',
  ],
  [
    'lists of different lengths, and the page shows the amount',
    { offers: { ...LISTED, price: '31.40' }, shown: '<p class="price">€31.40</p>' },
    '31.4 EUR',
  ],
  ['nothing says which', { offers: LISTED }, null],
  ['a specification for each', { offers: SPECIFIED_EACH, lang: 'sv-SE' }, '359 SEK'],
  [
    'a specification for each, and the page shows one',
    { offers: SPECIFIED_EACH, lang: 'sv-SE', shown: '<p class="price">31,40 €</p>' },
    '31.4 EUR',
  ],
  [
    'codes in one text',
    { offers: { ...LISTED, priceCurrency: 'EUR, SEK' }, lang: 'sv' },
    '359 SEK',
  ],
  ['signs', { offers: { ...LISTED, priceCurrency: ['€', 'SEK'] }, lang: 'de-DE' }, '31.4 EUR'],
  [
    'a range for each',
    {
      offers: { '@type': 'AggregateOffer', ...RANGES, priceCurrency: ['EUR', 'SEK'] },
      lang: 'sv',
    },
    '359 SEK',
  ],
  [
    'the code of the offer counts, whatever the others are',
    { offers: priced('31.40', 'EUR', { priceSpecification: SPECIFIED_EACH.priceSpecification }) },
    '31.4 EUR',
  ],
  [
    'a sign shared by several currencies, with an amount of one',
    {
      offers: [priced('30.00', 'GBP'), priced('39.50', 'CAD')],
      shown: '<p class="price">$39.50</p>',
    },
    '39.5 CAD',
  ],
];

describe('an offer in several currencies', () => {
  for (const [name, shape, expected] of ONE_OFFER) {
    test(name, () => assert.equal(text(read(shape)?.price), expected));
  }
});

const EUROS_OR_POUNDS = [priced('36.00', 'GBP'), priced('41.50', 'EUR')];
const ADDRESSES: readonly (readonly [string, string | null])[] = [
  ['/p/mug?currency=eur', '41.5 EUR'],
  ['/p/mug?wmc-currency=GBP', '36 GBP'],
  ['/p/mug?cur=EUR', '41.5 EUR'],
  ['/eur/mug', '41.5 EUR'],
  ['/en/eur/mug', '41.5 EUR'],
  ['/en-gb/mug', '36 GBP'],
  ['/en_GB/mug', '36 GBP'],
  ['/gb/mug', '36 GBP'],
  ['/at-de/mug', '41.5 EUR'],
  // A language is spoken in several countries; "all" is a word more often than the lek.
  ['/de/mug', null],
  ['/all/mug', null],
  ['/eur/mug?currency=GBP', null],
];

test('an address names the currency or the country of its prices', () => {
  for (const [path, expected] of ADDRESSES) {
    assert.equal(text(read({ offers: EUROS_OR_POUNDS, url: shop(path) })?.price), expected, path);
  }
});

test('an address that asks for a currency gets the price shown in it, never another amount', () => {
  const asked = { offers: priced('100.00', 'USD'), url: shop('/p/mug?currency=EUR') };
  const shown = '<p class="price">92,00 €</p>';
  assert.equal(text(read({ ...asked, shown })?.price), '92 EUR');
  assert.equal(text(read(asked)?.price), '100 USD');
});

const BARE = priced('64.00', undefined);
const named = (name: string, code: string): string => `<meta name="${name}" content="${code}">`;
const ELSEWHERE: readonly (readonly [string, Shape, string | null])[] = [
  ['a price tag', { tags: { 'product:price:currency': 'NOK' } }, '64 NOK'],
  ['another price tag', { tags: { 'og:price:currency': 'PLN' } }, '64 PLN'],
  ['a sign in a tag', { tags: { 'og:price:currency': '€' } }, '64 EUR'],
  ['a meta tag', { head: named('currency', 'CHF') }, '64 CHF'],
  [
    'a property outside an item',
    { shown: '<meta itemprop="priceCurrency" content="CHF">' },
    '64 CHF',
  ],
  ['the product', { product: { priceCurrency: 'CHF' } }, '64 CHF'],
  [
    'a specification',
    { offers: { ...BARE, priceSpecification: { priceCurrency: 'CHF' } } },
    '64 CHF',
  ],
  ['another offer', { offers: [BARE, priced('66.00', 'CHF')] }, '64 CHF'],
  ['the address', { url: shop('/p/mug?currency=EUR') }, '64 EUR'],
  ['a country alone', { url: shop('/en-gb/mug') }, '64 -'],
  [
    'a tag with another amount',
    { tags: { 'og:price:currency': 'NOK', 'og:price:amount': '70' } },
    '64 -',
  ],
  ['two tags', { tags: { 'og:price:currency': 'EUR', 'product:price:currency': 'USD' } }, '64 -'],
  ['a tag and the address', { tags: POUNDS, url: shop('/p/mug?currency=EUR') }, '64 -'],
  ['a tag against the page', { tags: POUNDS, shown: '<p class="price">€64.00</p>' }, '64 EUR'],
  ['a tag against another amount', { tags: POUNDS, shown: '<p class="price">€59.00</p>' }, '64 -'],
  [
    'a tag that says what three digits are',
    { offers: priced('54.990', undefined), tags: { 'og:price:currency': 'CLP' } },
    '54990 CLP',
  ],
  [
    'a tag of a currency with three decimals',
    { offers: priced('4.567', undefined), tags: { 'og:price:currency': 'KWD' } },
    '4.567 KWD',
  ],
];

test('an amount without a currency gets the only one that the page names and does not deny', () => {
  for (const [name, shape, expected] of ELSEWHERE) {
    assert.equal(text(read({ offers: BARE, ...shape })?.price), expected, name);
  }
});

test('tags give each amount the currency of its own name or place', () => {
  const none = { offers: null, product: { sku: 'A' } };
  const own = { 'og:price:amount': '92', 'og:price:currency': 'EUR', ...POUNDS };
  assert.equal(text(read({ ...none, tags: own })?.price), '92 EUR');
  const twice = ['31.40 EUR', '359 SEK'].map((pair) => {
    const [amount = '', currency = ''] = pair.split(' ');
    return metas({ 'product:price:amount': amount, 'product:price:currency': currency });
  });
  assert.equal(text(read({ ...none, head: twice.join(''), lang: 'sv-SE' })?.price), '359 SEK');
  assert.equal(text(read({ ...none, head: twice.join('') })?.price), null);
});

describe('offers in several currencies', () => {
  for (const [name, shape, expected] of TABLE) {
    test(name, () => assert.equal(text(read(shape)?.price), expected));
  }

  test('a former price is in the currency of the price', () => {
    const specified = read({
      offers: offer({ ...UNPRICED, priceSpecification: SPECIFIED }),
      lang: 'en-US',
    });
    assert.equal(text(specified?.price), '109 USD');
    assert.equal(text(specified?.listPrice), '129 USD');
    const paired = read({ offers: [...THREE, priced('69.00', 'GBP')], tags: POUNDS });
    assert.equal(text(paired?.price), '69 GBP');
    assert.equal(text(paired?.listPrice), '89 GBP');
  });

  test('the stock is that of the offers in the currency of the page', () => {
    const soldOut = priced('89.00', 'GBP', { availability: 'OutOfStock' });
    assert.equal(read({ offers: [THREE[0], soldOut], tags: POUNDS })?.inStock, false);
    assert.equal(read({ offers: [THREE[0], soldOut] })?.inStock, true);
  });
});

test('tomans are read in rials, ten of which are one, wherever a page states them', () => {
  const tags = { 'product:price:amount': '1250000', 'product:price:currency': 'IRT' };
  const shown = '<p class="price">۱٬۲۵۰٬۰۰۰ تومان</p>';
  const none = { offers: null };
  assert.equal(text(read({ offers: priced('1250000', 'IRT') })?.price), '12500000 IRR');
  assert.equal(text(read({ offers: priced('1.250.000', 'تومان') })?.price), '12500000 IRR');
  assert.equal(text(read({ ...none, tags })?.price), '12500000 IRR');
  assert.equal(text(read({ ...none, product: { sku: 'A' }, shown })?.price), '12500000 IRR');
  assert.equal(text(read({ offers: priced('12500000', 'IRR') })?.price), '12500000 IRR');
  const was = `<p><del>1,500,000 تومان</del> <ins>1,250,000 تومان</ins></p>`;
  assert.equal(text(read({ ...none, shown: was })?.listPrice), '15000000 IRR');
});
