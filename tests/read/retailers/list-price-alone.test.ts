// A list price without a price next to it, as when the price is shown only in the cart.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { CREATORS_API } from '../../../src/read/retailers/retailer-a/address-book.ts';
import { filledGaps } from '../../../src/read/retailers/generic/filled-gaps.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';
import { answerOf, pageOf } from './page-fixtures.ts';
import * as a from './retailer-a/fixtures.ts';
import * as t from './retailer-t/fixtures.ts';
import * as w from './retailer-w/fixtures.ts';

const LIST = { price: 39.99, currencyUnit: 'USD' };

function listingIn(verdict: ReturnType<typeof readAnswer>, title: string): Listing {
  assert.ok(verdict?.kind === 'read', JSON.stringify(verdict));
  const { value } = verdict;
  const all =
    value.kind === 'search' ? value.hits : value.kind === 'product' ? [value.listing] : [];
  const found = all.find((listing) => listing.title?.startsWith(title));
  assert.ok(found !== undefined, JSON.stringify(value));
  return found;
}

const creatorsItem = {
  ...a.CREATORS_ITEM,
  offersV2: {
    listings: [
      {
        isBuyBoxWinner: true,
        price: { savingBasis: { money: { amount: 39.99, currency: 'USD' } } },
      },
    ],
  },
};
const struck = `<div data-cy="price-recipe">${a.amount('$39.99', 'a-text-price', 'data-a-strike="true"')}</div>`;

const ALONE: readonly (readonly [string, string, () => ReturnType<typeof readAnswer>])[] = [
  [
    'the state of a page of retailer_w',
    'Blue Mug',
    () =>
      readAnswer(
        w.statePage(
          { data: { product: { ...w.PRODUCT, priceInfo: { listPrice: LIST } } } },
          { url: w.ITEM_URL },
        ),
        'product',
        'retailer_w',
      ),
  ],
  [
    'a search of retailer_w',
    'Anvil',
    () =>
      readAnswer(
        w.statePage(
          {
            searchResult: {
              itemStacks: [
                {
                  items: [
                    { usItemId: '100200300', name: 'Anvil', priceInfo: { wasPrice: '$39.99' } },
                  ],
                },
              ],
            },
          },
          { url: `${w.HOST}/search?q=anvil` },
        ),
        'search',
        'retailer_w',
      ),
  ],
  [
    'a page of retailer_t',
    'Power',
    () => {
      const price = { reg_retail: 39.99, formatted_current_price: 'See low price in cart' };
      return readAnswer(t.pageWith({ ...t.PRODUCT, price }), 'product', 'retailer_t');
    },
  ],
  [
    'a search of retailer_a',
    'Acme Anvil',
    () =>
      readAnswer(
        pageOf(`<div class="s-main-slot">${a.card(a.ASIN, 'Acme Anvil', struck)}</div>`),
        'search',
        'retailer_a',
      ),
  ],
  [
    'the API of retailer_a for partners',
    'Acme',
    () =>
      readAnswer(
        answerOf(
          'api:creators_items',
          JSON.stringify({ itemsResult: { items: [creatorsItem] } }),
          `${CREATORS_API.origin}/catalog/v1/getItems`,
        ),
        'api:creators_items',
        'retailer_a',
      ),
  ],
];

for (const [name, title, read] of ALONE) {
  test(`a list price that is stated without a price is known: ${name}`, () => {
    const { price, listPrice } = listingIn(read(), title);
    assert.deepEqual(
      { price, listPrice },
      { price: null, listPrice: { cents: 3999, currency: 'USD' } },
    );
  });
}

test('a price that another answer fills in ends a list price that is not above it', () => {
  const usd = (cents: number) => ({ cents, currency: 'USD' });
  const listed = { ...EMPTY_LISTING, listPrice: usd(3999) };
  const listPriceBeside = (cents: number) =>
    filledGaps(listed, { ...EMPTY_LISTING, price: usd(cents) }).listPrice;
  assert.deepEqual(listPriceBeside(2999), usd(3999));
  assert.equal(listPriceBeside(4999), null);
});
