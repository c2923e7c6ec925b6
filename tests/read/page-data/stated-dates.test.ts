// What a page dates to another time than that of its reading, 20 November 2026.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, textOf } from './shown-page.ts';

type Case = {
  readonly offers?: unknown;
  readonly tags?: Readonly<Record<string, string>>;
  readonly shows?: string;
  readonly url?: string;
};

/** Returns "15.00 USD, in stock" for a page with this data that shows this below its heading. */
function read({ offers, tags = {}, shows = '', url }: Case, isDated = true): string {
  const head = (offers === undefined ? '' : ld(mug({ offers }))) + metas(tags);
  const body = `<h1>Blue Mug</h1>${shows === '' ? '' : `<p class="price">${shows}</p>`}${BUY}`;
  const page = pageOf(html(head, body).replace('lang="en"', 'lang="en-US"'), url ? { url } : {});
  const verdict = readGenericPage(isDated ? page : { ...page, fetchedAtMs: 0 }, new UnknownWords());
  assert.equal(verdict.kind, 'read');
  if (verdict.kind !== 'read') return '';
  const { price, inStock } = verdict.value;
  return `${textOf(price)}, ${inStock === null ? 'unknown' : inStock ? 'in stock' : 'out of stock'}`;
}

const OLD = '15.00 USD, in stock';
const NOW = '20.00 USD, in stock';
/** An offer at 15 with these dates, and one at 20 without. */
const beside = (dates: Readonly<Record<string, unknown>>) => [
  offer({ price: '15', ...dates }),
  offer({ price: '20', seller: { '@type': 'Organization', name: 'Harbour Cups' } }),
];

test('an offer counts from its first to its last day, in every zone, next to one of now', () => {
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ priceValidUntil: '2026-11-01' }, NOW],
    [{ priceValidUntil: '2026-11-18' }, NOW],
    // It is still the nineteenth, or the twentieth, somewhere.
    [{ priceValidUntil: '2026-11-19' }, OLD],
    [{ priceValidUntil: '2026-11-20T00:00:00' }, OLD],
    [{ validThrough: '2026-11-18T23:59:59+01:00' }, NOW],
    [{ validThrough: '20261101T120000Z' }, NOW],
    [{ priceValidUntil: '1.11.2026' }, NOW],
    [{ priceValidUntil: { '@type': 'Date', '@value': '2026/11/01' } }, NOW],
    [{ validFrom: '2026-12-01' }, NOW],
    [{ availabilityStarts: '2026-12-01T08:00Z' }, NOW],
    [{ validFrom: '2026-11-01', validThrough: '2026-12-01' }, OLD],
    // No dates: words, days that are in no calendar, the first day of a program's calendar.
    [{ priceValidUntil: 'while stocks last' }, OLD],
    [{ priceValidUntil: '2026-06-31' }, OLD],
    [{ priceValidUntil: '0001-01-01T00:00:00' }, OLD],
    [{ priceValidUntil: '1970-01-01' }, OLD],
  ];
  for (const [dates, said] of rows) {
    assert.equal(read({ offers: beside(dates) }), said, JSON.stringify(dates));
    if (said === NOW) assert.equal(read({ offers: beside(dates).toReversed() }), NOW);
  }
});

test('on a saved page of unknown time no date says anything', () => {
  assert.equal(read({ offers: beside({ priceValidUntil: '2020-01-01' }) }, false), OLD);
});

test('the stock is that of the offers of now', () => {
  const out = offer({ price: '20', availability: 'https://schema.org/OutOfStock' });
  const offers = [offer({ price: '15', validThrough: '2026-10-01' }), out];
  assert.equal(read({ offers }), '20.00 USD, out of stock');
  const later = offer({ price: '20', availabilityStarts: '2027-02-01' });
  assert.equal(read({ offers: later, shows: '$20.00' }), '20.00 USD, out of stock');
});

test('the last day of the only offer is believed when something else states another price', () => {
  const offers = offer({ price: '15', priceValidUntil: '2026-11-01' });
  const plain = { 'product:price:currency': 'USD' };
  assert.equal(read({ offers }), OLD);
  assert.equal(read({ offers, shows: '$15.00' }), OLD);
  assert.equal(read({ offers, shows: '$20.00' }), NOW);
  assert.equal(read({ offers, shows: '$12.00' }), '12.00 USD, in stock');
  assert.equal(read({ offers, tags: { ...plain, 'product:price:amount': '20' } }), NOW);
  // Tags that repeat the amount do not confirm it.
  const tags = { ...plain, 'product:price:amount': '15' };
  assert.equal(read({ offers, tags, shows: '$20.00' }), NOW);
  assert.equal(read({ offers: beside({ priceValidUntil: '2026-11-01' }), shows: '$15.00' }), OLD);
});

test('the offer that the address names keeps its price, whatever the page shows of the others', () => {
  const url = 'https://shop.example/p/blue-mug?size=1';
  const offers = [
    offer({ price: '15', priceValidUntil: '2026-10-01', url }),
    offer({ price: '20', url: 'https://shop.example/p/blue-mug?size=2' }),
  ];
  assert.equal(read({ offers, url, shows: '$20.00' }), OLD);
});

test('after the last day of a sale the regular price is the price, unless the page still shows the sale', () => {
  const sale = (dates: Readonly<Record<string, string>>) => ({
    '@type': 'UnitPriceSpecification',
    price: '15',
    priceCurrency: 'USD',
    priceType: 'https://schema.org/SalePrice',
    ...dates,
  });
  const regular = { ...sale({}), price: '20', priceType: 'https://schema.org/ListPrice' };
  const ended = sale({ validThrough: '2026-11-01' });
  const specified = (priceSpecification: unknown, price?: string) =>
    offer({ price, priceSpecification });
  assert.equal(read({ offers: specified([ended, regular]) }), NOW);
  assert.equal(read({ offers: specified([regular, ended], '15') }), NOW);
  assert.equal(read({ offers: specified([sale({ validFrom: '2026-12-01' }), regular]) }), NOW);
  assert.equal(read({ offers: specified([sale({ validThrough: '2026-12-01' }), regular]) }), OLD);
  const all = [ended, { ...regular, validThrough: '2026-11-01' }];
  assert.equal(read({ offers: specified(all) }), OLD);
  assert.equal(read({ offers: specified([ended, regular]), shows: '$15.00' }), OLD);
});

test('a sale price in tags counts during its sale', () => {
  const tags = {
    'og:type': 'product',
    'product:price:amount': '20',
    'product:price:currency': 'USD',
    'product:sale_price:amount': '15',
    'product:sale_price:currency': 'USD',
  };
  const rows: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{}, OLD],
    [{ 'product:sale_price_dates:start': '2026-12-01' }, NOW],
    [{ 'product:sale_price_dates:end': '2026-11-10T00:00-08:00' }, NOW],
    [{ 'product:sale_price_dates:end': '2026-11-30' }, OLD],
    [{ 'product:sale_price_effective_date': '2026-11-01/2026-11-10' }, NOW],
    [{ 'product:price:amount': '', 'product:sale_price_dates:end': '2026-11-10' }, OLD],
    [
      {
        'product:price:amount': '15',
        'product:original_price:amount': '20',
        'product:sale_price_dates:end': '2026-11-10',
      },
      NOW,
    ],
  ];
  for (const [changes, said] of rows) {
    assert.equal(read({ tags: { ...tags, ...changes } }), said, JSON.stringify(changes));
  }
  const ended = { ...tags, 'product:sale_price_dates:end': '2026-11-10' };
  assert.equal(read({ offers: offer({ price: '15' }), tags: ended, shows: '$20.00' }), NOW);
});

test('of a sale and a regular offer the page that shows only the regular one has ended the sale', () => {
  const offers = [offer({ price: '15' }), offer({ price: '20' })];
  assert.equal(read({ offers, shows: '$20.00' }), NOW);
  assert.equal(read({ offers, shows: '<del>$20.00</del> $15.00' }), OLD);
  assert.equal(read({ offers }), OLD);
});
