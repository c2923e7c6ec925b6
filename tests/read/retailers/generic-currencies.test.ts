// A product whose data has offers in several currencies gets the page's price: as shown, as its tags, address or country say,
// otherwise the first. Amount and currency always come from one offer.

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

function read({ offers = THREE, product = {}, tags = {}, lang = 'en', url, shown = '' }: Shape) {
  const head = metas(tags) + ld(mug({ offers, ...product }));
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

const TABLE: readonly (readonly [string, Shape, string])[] = [
  ['nothing says which', {}, '99 EUR'],
  ['the tags state a currency', { tags: POUNDS }, '89 GBP'],
  ['the tags state a price', { tags: { ...POUNDS, 'product:price:amount': '89.00' } }, '89 GBP'],
  ['the tags state another currency', { tags: { 'og:price:currency': 'SEK' } }, '99 EUR'],
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
  ['the page shows what nobody offers', { shown: '<p class="price">£12.00</p>' }, '99 EUR'],
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
