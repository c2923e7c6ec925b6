// Pages of any shop that state other amounts than the price, in each way in which pages state facts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { amountOf } from '../../../src/base/listing/money/minor-units.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { html, ld, metas, mug, offer, pageOf } from './page-fixtures.ts';
import { vectorRows } from '../../support/vectors.ts';

const TYPE = 'https://schema.org/';

function priceOf(text: string): string | null {
  const verdict = readProductPage(pageOf(text));
  const price = verdict.kind === 'read' ? verdict.value.price : null;
  return price === null ? null : `${amountOf(price)} ${price.currency}`;
}

const inLd = (offers: unknown) => html(ld(mug({ offers })));

const inMicrodata = (price: string) =>
  html(`<div itemscope itemtype="${TYPE}Product"><h2 itemprop="name">Blue Mug</h2>
    <meta itemprop="sku" content="BM-1">
    <div itemprop="offers" itemscope itemtype="${TYPE}Offer"><meta itemprop="priceCurrency" content="USD">
    ${price}</div></div>`);

const inTags = (text: string) =>
  html(
    '',
    metas({
      'og:type': 'product',
      'og:title': 'Blue Mug',
      'product:price:amount': text,
      'product:price:currency': 'USD',
    }),
  );

test('texts where the price stands: JSON-LD, microdata and tags take the price and nothing else', () => {
  for (const [text = '', price = ''] of vectorRows('other_charges.tsv', 2)) {
    const wanted = price === '-' ? null : `${Number(price)} USD`;
    assert.equal(priceOf(inLd(offer({ price: text }))), wanted, `JSON-LD: ${text}`);
    const escaped = text.replaceAll('&', '&amp;');
    assert.equal(
      priceOf(inMicrodata(`<span itemprop="price">${escaped}</span>`)),
      wanted,
      `microdata: ${text}`,
    );
    assert.equal(priceOf(inTags(escaped)), wanted, `tags: ${text}`);
  }
});

const unit = (more: object) => ({
  '@type': 'UnitPriceSpecification',
  priceCurrency: 'USD',
  ...more,
});
const BARE = { price: undefined };

const OFFERS: readonly (readonly [name: string, offers: unknown, price: string | null])[] = [
  ['zero', offer({ price: 0 }), null],
  ['less than nothing', offer({ price: -5 }), null],
  ['a range from zero', { '@type': 'AggregateOffer', lowPrice: 0, highPrice: 20 }, null],
  ['another currency in the text', offer({ price: 'from EUR 9' }), '9 EUR'],
  ['what it was only', offer({ price: 'Was $120.00' }), null],
  [
    'by the month',
    offer({ ...BARE, priceSpecification: unit({ price: 8, unitCode: 'MON' }) }),
    null,
  ],
  [
    'by the ounce',
    offer({ ...BARE, priceSpecification: unit({ price: 1, unitCode: 'ONZ' }) }),
    null,
  ],
  [
    'for members only',
    offer({
      ...BARE,
      priceSpecification: unit({ price: 79, validForMemberTier: { name: 'Plus' } }),
    }),
    null,
  ],
  [
    'an offer for members beside the one for all',
    [offer({ price: 79, validForMemberTier: { name: 'Plus' } }), offer({ price: 100 })],
    '100 USD',
  ],
  [
    'a subscription whose own price its specification bills by the month',
    [
      offer({ price: 85, priceSpecification: unit({ price: 85, billingDuration: 'P1M' }) }),
      offer({ price: 100 }),
    ],
    '100 USD',
  ],
  [
    'what the shop itself pays',
    offer({
      ...BARE,
      priceSpecification: [
        unit({ price: 60, priceType: `${TYPE}InvoicePrice` }),
        unit({ price: 100 }),
      ],
    }),
    '100 USD',
  ],
  ['a payment', [offer({ name: 'Monthly payment', price: 8 }), offer({ price: 100 })], '100 USD'],
  ['financing', [offer({ name: 'Monthly financing', price: 8 }), offer({ price: 100 })], '100 USD'],
  ['a trade-in', [offer({ name: 'Trade-in value', price: 40 }), offer({ price: 100 })], '100 USD'],
  [
    'a plan that is a service',
    [
      offer({ price: 15, itemOffered: { '@type': 'Service', name: 'Care' } }),
      offer({ price: 100 }),
    ],
    '100 USD',
  ],
  [
    'a core charge among the specifications',
    offer({
      ...BARE,
      priceSpecification: [unit({ name: 'Core charge', price: 18 }), unit({ price: 100 })],
    }),
    '100 USD',
  ],
  [
    'an instalment among the specifications',
    offer({
      ...BARE,
      priceSpecification: [
        unit({ price: 25, priceComponentType: `${TYPE}Installment` }),
        unit({ price: 100 }),
      ],
    }),
    '100 USD',
  ],
  [
    'shipping only',
    offer({ ...BARE, shippingDetails: { shippingRate: { value: 5.99, currency: 'USD' } } }),
    null,
  ],
  [
    'what it was, as a specification only',
    offer({
      ...BARE,
      priceSpecification: unit({ price: 120, priceType: `${TYPE}StrikethroughPrice` }),
    }),
    null,
  ],
];

for (const [name, offers, price] of OFFERS) {
  test(`offers: ${name}`, () => assert.equal(priceOf(inLd(offers)), price));
}

const MARKUP: readonly (readonly [name: string, inner: string, price: string | null])[] = [
  ['a rate in the next element', '<b itemprop="price">$8.33</b><small>/mo</small>', null],
  ['each in the next element', '<b itemprop="price">$8.33</b><small>/each</small>', '8.33 USD'],
  ['struck through within', '<b itemprop="price"><del>$120.00</del> $100.00</b>', '100 USD'],
  [
    'instalments in a scope of their own, first',
    `<div itemprop="priceSpecification" itemscope itemtype="${TYPE}PaymentChargeSpecification">
     <meta itemprop="price" content="8.33"></div><meta itemprop="price" content="100.00">`,
    '100 USD',
  ],
];

for (const [name, inner, price] of MARKUP) {
  test(`microdata: ${name}`, () => assert.equal(priceOf(inMicrodata(inner)), price));
}
