// Contradicting prices are resolved by what confirms them, and an amount in another currency confirms none.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decimalText } from '../../../src/base/listing/money/minor-units.ts';
import { NO_FACTS, type StatedPrice } from '../../../src/read/page-data/facts.ts';
import type { OpenGraph } from '../../../src/read/page-data/open-graph.ts';
import { settledPrices } from '../../../src/read/page-data/price-conflicts.ts';

const NO_TAGS: OpenGraph = {
  types: [],
  siteName: null,
  url: null,
  facts: NO_FACTS,
  regular: null,
  otherSale: null,
  sale: null,
  plain: null,
  card: null,
  currency: null,
  named: null,
};

/** `12.50 EUR`, `1250` for a whole number without currency, `1.29 EUR or 1290` where three digits may be thousands. */
function price(text: string): StatedPrice {
  const [, amount = '', currency = null, other] =
    /^([\d.]+)(?: ([A-Z]{3}))?(?: or (\d+))?$/.exec(text) ?? [];
  const money = { cents: Math.round(Number(amount) * 100), currency };
  const stated = { money, isWhole: !amount.includes('.') };
  return other === undefined ? stated : { ...stated, otherCents: Number(other) * 100 };
}

type Tags = Partial<Record<'regular' | 'sale' | 'plain', string>>;

/** What the data states, and next to it another source and tags; the price, and the former one. */
const TABLE: readonly (readonly [string, string, string | null, Tags, string, string | null])[] = [
  [
    'a whole number is in hundredths of one with decimals',
    '12999 EUR',
    '129.99 EUR',
    {},
    '129.99 EUR',
    null,
  ],
  ['of one without a currency, too', '12999 EUR', '129.99', {}, '129.99 EUR', null],
  ['of none in another currency', '12999 EUR', '129.99 USD', {}, '12999.00 EUR', null],
  [
    'three digits are thousands where another source says so',
    '1.29 EUR or 1290',
    '1290.00 EUR',
    {},
    '1290.00 EUR',
    null,
  ],
  [
    'and not by what is in another currency',
    '1.29 EUR or 1290',
    '1290.00 USD',
    {},
    '1.29 EUR',
    null,
  ],
  ['a currency is that of the same amount', '12.50', '12.50 EUR', {}, '12.50 EUR', null],
  ['and not of another amount', '12.50', '13.50 EUR', {}, '12.50 -', null],
  [
    'tags have a sale price for the regular one',
    '20.00 EUR',
    null,
    { regular: '20.00 EUR', sale: '12.50 EUR' },
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'or a plain one',
    '20.00 EUR',
    null,
    { regular: '20.00 EUR', plain: '12.50 EUR' },
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'or a sale price for the plain one',
    '20.00 EUR',
    null,
    { plain: '20.00 EUR', sale: '12.50 EUR' },
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'and none in another currency',
    '20.00 EUR',
    null,
    { regular: '20.00 EUR', sale: '12.50 USD' },
    '20.00 EUR',
    null,
  ],
  [
    'nor for a regular price in another one',
    '20.00 EUR',
    null,
    { regular: '20.00 USD', sale: '12.50 EUR' },
    '20.00 EUR',
    null,
  ],
  [
    'a former price is the higher one',
    '12.50 EUR',
    null,
    { regular: '20.00 EUR' },
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'and not one in another currency',
    '12.50 EUR',
    null,
    { regular: '20.00 USD' },
    '12.50 EUR',
    null,
  ],
];

describe('prices that contradict each other', () => {
  for (const [name, stated, other, tagged, expected, former] of TABLE) {
    test(name, () => {
      const { regular = null, sale = null, plain = null } = tagged;
      const of = (text: string | null) => (text === null ? null : price(text));
      const settled = settledPrices({
        sources: [
          { name: 'JSON-LD', price: price(stated), isPriceZero: false },
          { name: 'store script', price: of(other), isPriceZero: false },
        ],
        listPrices: [],
        tags: { ...NO_TAGS, regular: of(regular), sale: of(sale), plain: of(plain) },
      });
      const text = (money: StatedPrice['money'] | null): string | null =>
        money === null ? null : `${decimalText(money)} ${money.currency ?? '-'}`;
      assert.deepEqual(
        [text(settled.price?.money ?? null), text(settled.listPrice)],
        [expected, former],
      );
    });
  }
});
