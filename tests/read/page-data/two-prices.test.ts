// Two prices of one offer that nothing in the data distinguishes: the one that the page shows counts, else none.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { ld, metas, mug, offer } from '../retailers/page-fixtures.ts';
import { shown, textOf } from './shown-page.ts';

function priceOf(offers: object, below: string, tags = ''): string | null {
  const verdict = shown(below, { head: ld(mug({ offers })) + tags });
  assert.equal(verdict.kind, 'read');
  return textOf(verdict.value.price);
}

const specified = (...prices: readonly object[]): object =>
  offer({
    price: undefined,
    priceSpecification: prices.map((price) => ({
      '@type': 'PriceSpecification',
      priceCurrency: 'USD',
      ...price,
    })),
  });
const line = (price: string): string => `<p class="price">${price}</p>`;

const DOUBTFUL: readonly (readonly [string, object])[] = [
  ['a list of prices', offer({ price: ['10.00', '12.00'] })],
  ['numbers', offer({ price: [10, 12] })],
  ['specifications', specified({ price: '10.00' }, { price: '12.00' })],
  [
    'specifications for one piece',
    specified({ price: 10, unitCode: 'C62' }, { price: 12, unitCode: 'C62' }),
  ],
  [
    'sale prices',
    specified({ price: 10, priceType: 'SalePrice' }, { price: 12, priceType: 'SalePrice' }),
  ],
];

describe('of two prices of one offer, the one that the page shows counts', () => {
  for (const [name, offers] of DOUBTFUL) {
    test(name, () => {
      assert.equal(priceOf(offers, line('$10.00')), '10.00 USD');
      assert.equal(priceOf(offers, line('$12.00')), '12.00 USD');
      assert.equal(priceOf(offers, line('Price on request')), null, 'nothing shown');
      assert.equal(priceOf(offers, line('$11.00')), null, 'another one shown');
      const tags = metas({ 'product:price:amount': '12.00', 'product:price:currency': 'USD' });
      assert.equal(priceOf(offers, '', tags), '12.00 USD', 'one tagged');
    });
  }

  const clear: readonly (readonly [string, object, string])[] = [
    ['the same twice', offer({ price: ['10.00', 10] }), '10.00 USD'],
    ['a list price', specified({ price: 10 }, { price: 12, priceType: 'ListPrice' }), '10.00 USD'],
    [
      'with and without tax',
      specified(
        { price: 10, valueAddedTaxIncluded: false },
        { price: 12, valueAddedTaxIncluded: true },
      ),
      '12.00 USD',
    ],
    [
      'from ten pieces',
      specified({ price: 12 }, { price: 10, eligibleQuantity: { minValue: 10 } }),
      '12.00 USD',
    ],
    [
      'members',
      specified({ price: 12 }, { price: 10, validForMemberTier: { name: 'Gold' } }),
      '12.00 USD',
    ],
    [
      'the offer’s own price next to both',
      { ...specified({ price: 10 }, { price: 12 }), price: '12.00' },
      '12.00 USD',
    ],
  ];
  for (const [name, offers, price] of clear) {
    test(`but what tells them apart counts without that: ${name}`, () => {
      assert.equal(priceOf(offers, ''), price);
    });
  }
});
