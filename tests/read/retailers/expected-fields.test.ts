import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { EMPTY_OFFER } from '../../../src/base/listing/offer.ts';
import type { RetailerAnswer } from '../../../src/base/listing/retailer-answer.ts';
import { EMPTY_SELLER } from '../../../src/base/listing/seller.ts';
import { savedPage } from '../../../src/edge/cli/products/saved-page.ts';
import { ADAPTERS } from '../../../src/read/retailers/adapters.ts';
import {
  fieldStates,
  missedFields,
  OWN_LAYOUT,
} from '../../../src/read/retailers/expected-fields.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';

const price = { cents: 1_999, currency: 'USD' };

function search(...hits: readonly Partial<Listing>[]): RetailerAnswer {
  return {
    kind: 'search',
    hits: hits.map((hit) => ({ ...EMPTY_LISTING, ...hit })),
    total: hits.length,
  };
}

const NOTHING: readonly (readonly [RetailerAnswer, readonly string[]])[] = [
  [{ kind: 'product', listing: EMPTY_LISTING }, ['title', 'price', 'availability', 'gtin']],
  [search(), ['hits']],
  [search({}), ['id', 'title', 'price', 'image']],
  [{ kind: 'offers', offers: { offers: [], totalOffers: null } }, ['offers', 'total_offers']],
  [
    { kind: 'offers', offers: { offers: [EMPTY_OFFER], totalOffers: 1 } },
    ['price', 'condition', 'seller_name', 'seller_id'],
  ],
  [
    {
      kind: 'reviews',
      reviews: { averageRating: null, totalReviews: null, ratingDistribution: null, reviews: [] },
    },
    ['total_reviews', 'average_rating', 'rating_distribution', 'reviews'],
  ],
  [
    { kind: 'seller', seller: EMPTY_SELLER },
    ['seller_name', 'seller_id', 'rating', 'rating_count'],
  ],
];

for (const [reading, expected] of NOTHING) {
  test(`a ${reading.kind} that says nothing misses ${expected.join(', ')}`, () => {
    const missed = missedFields(reading, null, reading.kind);
    for (const field of expected) assert.ok(missed.includes(field), `${field}: ${missed.join()}`);
  });
}

test('what belongs to a sale is not expected of something out of stock', () => {
  const gone: RetailerAnswer = { kind: 'product', listing: { ...EMPTY_LISTING, inStock: false } };
  const fields = fieldStates(gone, 'retailer_w', 'product').map(({ field }) => field);
  for (const field of ['price', 'currency', 'seller_name', 'fulfillment']) {
    assert.ok(!fields.includes(field), field);
  }
  assert.ok(fields.includes('title'));
});

test('a product without reviews need not show any, nor what they average', () => {
  const reviews = { averageRating: null, totalReviews: 0, ratingDistribution: null, reviews: [] };
  assert.deepEqual(missedFields({ kind: 'reviews', reviews }, 'retailer_w', 'reviews'), []);
});

test('a field of a list is missing when most of its entries lack it', () => {
  const hit = { title: 'Lamp', itemId: '1', imageUrl: 'https://shop.example/1.jpg', price };
  const bare = { ...hit, price: null };
  assert.deepEqual(missedFields(search(hit, bare), 'retailer_w', 'search'), []);
  assert.deepEqual(missedFields(search(hit, bare, bare), 'retailer_w', 'search'), ['price']);
});

test('a retailer that states more or less than others is held to that', () => {
  const listing: RetailerAnswer = { kind: 'product', listing: EMPTY_LISTING };
  assert.ok(missedFields(listing, 'retailer_w', 'product').includes('seller_name'));
  assert.ok(!missedFields(listing, 'retailer_e', 'product').includes('gtin'));
});

const PAGE = `<!doctype html><title>Lamp</title><script type="application/ld+json">
{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","gtin13":"4006381333931",
"offers":{"@type":"Offer","price":"19.90","priceCurrency":"USD","availability":"InStock"}}</script>`;

test('a page that only the reader of any shop understands has lost the layout of its retailer', () => {
  const { book } = ADAPTERS.retailer_w;
  const url = book.productUrl({ kind: 'item_id', value: '123456789', retailer: 'retailer_w' });
  const page = savedPage(new TextEncoder().encode(PAGE), {
    url: url ?? '',
    contentType: 'text/html',
  });
  const own = readAnswer(page, 'product', 'retailer_w');
  assert.ok(own?.kind === 'read' && own.notes.missing.includes(OWN_LAYOUT), JSON.stringify(own));
  const other = readAnswer(page, 'product');
  assert.ok(other?.kind === 'read' && !other.notes.missing.includes(OWN_LAYOUT));
});
