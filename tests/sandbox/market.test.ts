// The invented market is a function of its seed and the instant, and keeps the promises that tests rely on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { isbn10Of, MOST_PRODUCTS, productIdOf } from '../../sandbox/market/codes.ts';
import { createMarket } from '../../sandbox/market/market.ts';
import type { Market } from '../../sandbox/market/market.ts';
import { offersAt } from '../../sandbox/market/offers.ts';
import { reviewsAt, totalsOf } from '../../sandbox/market/reviews.ts';
import { TROUBLES_OF } from '../../sandbox/market/trouble-kinds.ts';
import { listingViewAt } from '../../sandbox/market/listing-view.ts';
import { retailerOrigins } from '../../sandbox/origins.ts';
import { createWorld, interleaved } from '../../sandbox/world.ts';

const AT = Date.UTC(2026, 5, 15, 10, 20);

function marketOf(seed: number, products: number): Market {
  return createMarket({
    seed,
    products,
    shopProducts: interleaved(createWorld(seed)),
    origins: retailerOrigins(),
  });
}

const MARKET = marketOf(4, 2_000);

test('the same seed makes the same market, another seed another one', () => {
  assert.deepEqual(marketOf(7, 200).catalog, marketOf(7, 200).catalog);
  assert.notDeepEqual(marketOf(7, 200).catalog, marketOf(8, 200).catalog);
  for (const slug of KNOWN_SLUGS) {
    assert.deepEqual(marketOf(7, 200).listings(slug), marketOf(7, 200).listings(slug));
  }
});

test('a larger market lists the products of a smaller one under the same numbers', () => {
  // Beyond three times the shops' products only the end of the catalog changes.
  const [small, large] = [marketOf(3, 600), marketOf(3, 900)];
  for (const [at, product] of small.catalog.slice(0, 600).entries()) {
    assert.deepEqual(large.catalog[at], product);
  }
});

test('every barcode and every number is one product’s, and every check digit holds', () => {
  const codes = MARKET.catalog.map(({ gtin14 }) => gtin14);
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) {
    const digits = code.split('').map(Number);
    const sum = digits.reduce((total, digit, at) => total + digit * (at % 2 ? 1 : 3), 0);
    assert.equal(sum % 10, 0, code);
  }
  for (const slug of KNOWN_SLUGS) {
    const ids = MARKET.listings(slug).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, slug);
  }
});

test('numbers have the shapes of their retailers at both ends of the catalog', () => {
  const shapes = {
    retailer_w: /^\d{9}$/,
    retailer_a: /^(?:B0[0-9A-Z]{8}|\d{9}[0-9X])$/,
    retailer_e: /^\d{12}(?:\?var=\d{12})?$/,
    retailer_l: /^\d{10}$/,
    retailer_t: /^\d{8}$/,
    retailer_b: /^\d{7}$/,
    retailer_h: /^\d{9}$/,
  };
  for (const slug of KNOWN_SLUGS) {
    for (const { id } of MARKET.listings(slug)) assert.match(id, shapes[slug], slug);
  }
  for (const index of [0, 1, MOST_PRODUCTS, MOST_PRODUCTS + 100]) {
    assert.match(productIdOf(index), /^J[0-9A-Z]{9}$/);
  }
  // The textbook pair of ISBN-13 and ISBN-10.
  assert.equal(isbn10Of('09780306406157'), '0306406152');
});

test('every retailer lists hundreds of products, and each product is sold somewhere or nowhere by chance', () => {
  for (const slug of KNOWN_SLUGS) assert.ok(MARKET.listings(slug).length > 700, slug);
  const everywhere = MARKET.catalog.filter((product) => product.isReliable);
  assert.equal(everywhere.length, 6);
  for (const product of everywhere) {
    for (const slug of KNOWN_SLUGS) {
      const [listing] = MARKET.listingsOf(slug, product);
      assert.ok(listing, slug);
      assert.equal(listing.hasWrongBarcode, false);
      for (let day = 0; day < 60; day += 1) {
        assert.ok(listingViewAt(MARKET, listing, AT + day * DAY_MS).inStock, `${slug} day ${day}`);
      }
    }
  }
});

test('what the three shops sell is sold under the same barcode at the retailers', () => {
  const shared = MARKET.catalog.filter(({ atShop }) => atShop !== null);
  assert.equal(shared.length, 180);
  for (const { atShop, gtin14 } of shared) assert.equal(gtin14, atShop?.variants[0].gtin14);
});

test('prices stay within their hour and move over hours and days', () => {
  let moving = 0;
  for (const listing of MARKET.listings('retailer_h').slice(0, 200)) {
    const hour = Math.floor(AT / HOUR_MS) * HOUR_MS;
    const price = (atMs: number): number | null => listingViewAt(MARKET, listing, atMs).cents;
    assert.equal(price(hour), price(hour + HOUR_MS - 1));
    const day = Array.from({ length: 24 }, (_, at) => price(AT + at * HOUR_MS));
    if (new Set(day).size > 3) moving += 1;
    const months = Array.from({ length: 60 }, (_, at) => price(AT + at * DAY_MS));
    assert.ok(new Set(months).size >= 4);
  }
  assert.ok(moving > 40, `${moving} move by the hour`);
});

test('offers come and go by day, one of those in stock is the buy box, and it is the cheapest new one', () => {
  let changes = 0;
  for (const slug of ['retailer_w', 'retailer_a'] as const) {
    for (const listing of MARKET.listings(slug).slice(0, 150)) {
      const [today, later] = [AT, AT + 3 * DAY_MS].map((at) => offersAt(MARKET, listing, at));
      const names = (offers: typeof today): string => (offers ?? []).map((o) => o.offerId).join();
      if (names(today) !== names(later)) changes += 1;
      const boxes = (today ?? []).filter(({ isBuyBox }) => isBuyBox);
      const open = (today ?? []).filter((one) => one.inStock && one.condition === 'new');
      assert.equal(boxes.length, open.length > 0 ? 1 : 0);
      const total = (one: (typeof open)[number]): number => one.cents + one.shippingCents;
      const [box] = boxes;
      if (box !== undefined) assert.equal(total(box), Math.min(...open.map(total)));
      for (const offer of today ?? []) assert.ok(offer.cents >= 99);
    }
  }
  assert.ok(changes > 100, `${changes} lists changed`);
});

test('reviews are dated, grow with time and add up to the totals', () => {
  for (const { product } of MARKET.listings('retailer_w').slice(0, 150)) {
    const now = reviewsAt(MARKET.seed, 'retailer_w', product, AT);
    const later = reviewsAt(MARKET.seed, 'retailer_w', product, AT + 200 * DAY_MS);
    assert.deepEqual(later.slice(later.length - now.length), now);
    const { count, average, distribution } = totalsOf(now);
    assert.equal(count, now.length);
    assert.equal(
      Object.values(distribution).reduce((sum, stars) => sum + stars, 0),
      count,
    );
    const mean = now.reduce((sum, { stars }) => sum + stars, 0) / count;
    if (average !== null) assert.ok(Math.abs(average - mean) < 0.0501);
    for (const { day } of now) assert.ok(day >= product.firstDay && Date.parse(day) <= AT);
  }
});

test('a share of the listings publishes another product’s barcode, and a share publishes none', () => {
  for (const slug of KNOWN_SLUGS) {
    const all = MARKET.listings(slug);
    const wrong = all.filter(({ hasWrongBarcode }) => hasWrongBarcode);
    if (slug === 'retailer_t') assert.equal(wrong.length, 0);
    else assert.ok(wrong.length / all.length > 0.01 && wrong.length / all.length < 0.06, slug);
    for (const { product, publishedGtin, hasWrongBarcode } of all) {
      if (publishedGtin === null) continue;
      assert.equal(publishedGtin !== product.gtin14, hasWrongBarcode);
      assert.ok(MARKET.productOf(publishedGtin));
    }
  }
});

test('each retailer has one product for each of its kinds of trouble, sold at all the others without it', () => {
  for (const slug of KNOWN_SLUGS) {
    for (const kind of TROUBLES_OF[slug]) {
      const own = MARKET.listings(slug).filter(
        ({ product }) => product.trouble?.slug === slug && product.trouble.kind === kind,
      );
      assert.equal(own.length, 1, `${slug} ${kind}`);
      const product = own[0]?.product;
      assert.ok(product);
      for (const other of KNOWN_SLUGS) assert.ok(MARKET.listingsOf(other, product).length > 0);
    }
  }
});

test('colours of a family have barcodes and numbers of their own and share the rest', () => {
  const families = Map.groupBy(
    MARKET.catalog.filter(({ familySize }) => familySize > 1),
    ({ family }) => family,
  );
  assert.ok(families.size > 150);
  for (const members of families.values()) {
    assert.equal(new Set(members.map(({ colour }) => colour)).size, members.length);
    assert.equal(new Set(members.map(({ brand, name }) => `${brand} ${name}`)).size, 1);
  }
});
