// Weighing data against what its page shows: the price that counts, the former one, and what is sold out.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Listing } from '../../../src/base/listing/listing.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { html, ld, metas, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, shown, textOf } from './shown-page.ts';

const RANGE = {
  '@type': 'AggregateOffer',
  lowPrice: 10,
  highPrice: 20,
  priceCurrency: 'USD',
  availability: 'InStock',
};

const SCOPE = (inner: string): string =>
  `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Blue Mug</h1>${inner}</div>`;

const DATA: readonly (readonly [string, string, Partial<Record<keyof Listing, unknown>>])[] = [
  [
    'the stated price is shown struck through beside a lower one',
    html(
      '',
      SCOPE(
        '<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="20.00"><meta itemprop="priceCurrency" content="EUR"></div><s>20,00 €</s> <b class="price">12,50 €</b>',
      ),
    ),
    { price: '12.50 EUR', listPrice: '20.00 EUR', priceReadFrom: 'visible' },
  ],
  [
    'the stated price is shown beside a former one',
    html(
      ld(mug({ offers: offer({ price: '12.50' }) })),
      '<h1>Blue Mug</h1><s>$20.00</s> <b class="price">$12.50</b>',
    ),
    { price: '12.50 USD', listPrice: '20.00 USD', priceReadFrom: 'json_ld' },
  ],
  [
    'the stated price is shown, and struck through beside the one of those who subscribe',
    html(
      ld(mug({ offers: offer({ price: '30.00' }) })),
      `<h1>Blue Mug</h1><p class="price">$30.00</p><p>Every month, 15% less</p><p><s>$30.00</s> <b>$25.50</b></p>${BUY}`,
    ),
    { price: '30.00 USD', listPrice: null, priceReadFrom: 'json_ld' },
  ],
  [
    'the former price of other goods stands below the stated price',
    html(
      ld(mug({ offers: offer({ price: '30.00' }) })),
      '<h1>Blue Mug</h1><p class="price">$30.00</p><h2>Set of three</h2><p><s>$90.00</s> <b>$75.00</b></p>',
    ),
    { price: '30.00 USD', listPrice: null },
  ],
  [
    'a theme has the price twice, first in the place of the regular one',
    html(
      ld(mug({ offers: offer({ price: '12.50' }) })),
      `<h1>Blue Mug</h1><div class="price"><div class="price__regular"><i>Regular price</i><b class="sale">$12.50 USD</b></div>
      <div class="price__sale"><i>Regular price</i><s>$20.00 USD</s><i>Sale price</i><i>$12.50 USD</i></div></div>${BUY}`,
    ),
    { price: '12.50 USD', listPrice: '20.00 USD' },
  ],
  [
    'microdata says in stock, the page that it is sold out, and there is no button',
    html(
      '',
      SCOPE(
        '<b>OUT OF STOCK</b><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="12.50"><link itemprop="availability" href="http://schema.org/InStock"></div>',
      ),
    ),
    { inStock: false, priceReadFrom: 'microdata' },
  ],
  [
    'an offer scope without itemprop, and a brand in the content of a scope',
    html(
      '',
      SCOPE(
        '<meta itemprop="brand" itemscope itemtype="http://schema.org/Brand" content="Acme"><div itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="12.50"><meta itemprop="priceCurrency" content="RUR"></div>',
      ),
    ),
    { price: '12.50 RUB', brand: 'Acme' },
  ],
  [
    'two amounts in one value: the second was the price',
    html(
      '',
      SCOPE(
        '<div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price" content=" 10,75 € 11,95 € "></span><meta itemprop="priceCurrency" content="EUR"></div>',
      ),
    ),
    { price: '10.75 EUR', listPrice: '11.95 EUR' },
  ],
  [
    'two offers that differ in nothing but the amount',
    html(ld(mug({ offers: [offer({ price: 20 }), offer({ price: 15 })] }))),
    { price: '15.00 USD', listPrice: '20.00 USD' },
  ],
  [
    'two offers of two sellers',
    html(
      ld(
        mug({
          offers: [
            offer({ price: 20, seller: { name: 'A' } }),
            offer({ price: 15, seller: { name: 'B' } }),
          ],
        }),
      ),
    ),
    { price: '15.00 USD', listPrice: null },
  ],
  [
    'an auction begins at an amount that is not a price, and stands at another',
    html(
      ld(
        mug({
          offers: offer({
            price: 90,
            availabilityEnds: '2026-12-12',
            name: 'For auction: Blue Mug',
          }),
        }),
      ) + metas({ 'product:price:amount': '400', 'product:price:currency': 'USD' }),
    ),
    { price: '400.00 USD', priceReadFrom: 'open_graph' },
  ],
  [
    'the product that the offer of the page’s main part offers',
    html(
      ld({
        '@type': 'WebPage',
        mainEntity: {
          '@type': 'WebPageElement',
          offers: {
            '@type': 'Offer',
            itemOffered: [mug({ offers: [null, offer({ price: 29.99 })] })],
          },
        },
      }),
    ),
    { title: 'Blue Mug', price: '29.99 USD' },
  ],
  [
    'the product that the page lets its visitor buy',
    html(ld({ '@type': 'BuyAction', object: mug({ brand: 'Acme' }) })),
    { title: 'Blue Mug', brand: 'Acme', priceReadFrom: 'json_ld' },
  ],
  [
    'the name of a variable is not a brand',
    html(ld(mug({ brand: '$metabrand' }))),
    { brand: null },
  ],
  ...['No Brand', 'Generic', 'Sin marca', 'Markasız', 'Нет бренда', 'https://acme.example/'].map(
    (brand): (typeof DATA)[number] => [
      `the shop knows no maker, or only its address: ${brand}`,
      html(ld(mug({ brand: { '@type': 'Brand', name: brand } }))),
      { brand: null },
    ],
  ),
  ...['4711', 'all', 'No Name', 'Diverse'].map((brand): (typeof DATA)[number] => [
    `a maker by a word that says something else, too: ${brand}`,
    html(ld(mug({ brand: { '@type': 'Brand', name: brand } }))),
    { brand },
  ]),
  [
    'tags name the maker that the data has none of',
    html(metas({ 'product:brand': 'Acme' }) + ld(mug({ brand: 'unbranded' }))),
    { brand: 'Acme' },
  ],
  [
    'a heading that begins with the words of a link',
    html(
      metas({ 'og:title': '$60 · Blue Mug of 1970', 'og:type': 'product' }),
      '<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name"><a href="/in">Log in needed</a> $60 · Blue Mug of 1970</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="$60"></div></div>',
      'Blue Mug of 1970',
    ),
    { title: '$60 · Blue Mug of 1970' },
  ],
  [
    'the data knows the lowest and the highest of several prices, and the page shows one between them',
    html(
      ld(mug({ offers: RANGE })),
      `<h1>Blue Mug</h1><p class="price">$15.00</p><b>Large</b>${BUY}`,
    ),
    { price: '15.00 USD', priceReadFrom: 'visible' },
  ],
  [
    'it shows the lowest, too',
    html(
      ld(mug({ offers: RANGE })),
      `<h1>Blue Mug</h1><p class="price">$15.00</p><b>Small $10.00</b>${BUY}`,
    ),
    { price: '10.00 USD', priceReadFrom: 'json_ld' },
  ],
  [
    'it shows one that is not between them',
    html(ld(mug({ offers: RANGE })), `<h1>Blue Mug</h1><p class="price">$25.00</p>${BUY}`),
    { price: '10.00 USD', priceReadFrom: 'json_ld' },
  ],
  [
    'the page calls the stated price without tax, beside the one with it',
    html(
      ld(mug({ brand: undefined, offers: offer({ price: '100.00', priceCurrency: 'EUR' }) })),
      `<h1>Blue Mug</h1><p>119,00 € inkl. MwSt.</p><p>100,00 € zzgl. MwSt.</p>${BUY}`,
    ),
    { price: '119.00 EUR', priceReadFrom: 'visible' },
  ],
  [
    'it shows the one without tax first, as shops for businesses do',
    html(
      ld(mug({ brand: undefined, offers: offer({ price: '100.00', priceCurrency: 'EUR' }) })),
      `<h1>Blue Mug</h1><p>100,00 € zzgl. MwSt.</p><p>119,00 € inkl. MwSt.</p>${BUY}`,
    ),
    { price: '100.00 EUR', priceReadFrom: 'json_ld' },
  ],
  [
    'RDFa',
    html(
      '',
      '<div vocab="http://schema.org/" typeof="Product"><h1 property="name">Blue Mug</h1><div property="offers" typeof="Offer"><span property="price" content="12.50"></span><span property="priceCurrency" content="EUR"></span></div></div>',
    ),
    { price: '12.50 EUR', priceReadFrom: 'rdfa' },
  ],
];

/**
 * Offers of one product that differ in price and in the fields of `second`, and a page that shows the price of the second.
 */
const SEVERAL: readonly (readonly [
  string,
  object,
  string,
  Partial<Record<keyof Listing, unknown>>,
])[] = [
  ['of another seller', { seller: 'Bolt' }, '$9.00', { price: '9.00 USD', sellerName: 'Bolt' }],
  ['new, behind a used one', { itemCondition: 'NewCondition' }, '$9.00', { condition: 'new' }],
  ['of another variant', { sku: 'M-2' }, '$9.00', { price: '9.00 USD', sku: 'M-2' }],
  ['that is shown beside the first', {}, '$9.00</p><p>$12.50', { price: '9.00 USD' }],
  ['that cannot be bought', { availability: 'OutOfStock' }, '$9.00', { price: '12.50 USD' }],
  ['and neither is shown', {}, '$10.00', { price: '9.00 USD' }],
];

describe('of several offers that could be bought, the one counts whose price the page shows', () => {
  for (const [name, second, text, expected] of SEVERAL) {
    test(name, () => {
      const first = offer({ price: 12.5, seller: 'Acme', itemCondition: 'UsedCondition' });
      const offers = [first, offer({ price: 9, ...second })];
      const page = html(
        ld(mug({ sku: undefined, offers })),
        `<h1>Blue Mug</h1><p>${text}</p>${BUY}`,
      );
      const verdict = readProductPage(pageOf(page));
      assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
      if (verdict.kind !== 'read') return;
      const facts: Record<string, unknown> = {
        ...verdict.value,
        price: textOf(verdict.value.price),
      };
      for (const [field, value] of Object.entries(expected))
        assert.equal(facts[field], value, field);
    });
  }
});

describe('data is weighed with what the page shows', () => {
  for (const [name, page, expected] of DATA) {
    test(name, () => {
      const verdict = readProductPage(pageOf(page));
      assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
      if (verdict.kind !== 'read') return;
      const { price, listPrice } = verdict.value;
      const facts: Record<string, unknown> = {
        ...verdict.value,
        price: textOf(price),
        listPrice: textOf(listPrice),
      };
      for (const [field, value] of Object.entries(expected))
        assert.equal(facts[field], value, field);
    });
  }
});

test('a product whose data calls it sold out and states no price has none, whatever stands next to it', () => {
  const data = ld({
    '@type': 'Product',
    name: 'Blue Mug',
    offers: { '@type': 'Offer', availability: 'https://schema.org/SoldOut' },
  });
  const verdict = shown('<p>Green Mug</p><p class="price">$12.50</p>', { head: data, button: '' });
  assert.equal(verdict.kind, 'read');
  assert.equal(verdict.kind === 'read' ? verdict.value.price : undefined, null);
  assert.equal(verdict.kind === 'read' ? verdict.value.inStock : undefined, false);
});
