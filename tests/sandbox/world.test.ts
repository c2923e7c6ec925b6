// The world is a function of its seed and the instant: nothing else changes it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../src/base/clock.ts';
import { quoteAt } from '../../sandbox/shops/quote.ts';
import { addressOf, createWorld } from '../../sandbox/world.ts';

const AT = Date.UTC(2026, 5, 15, 10, 20);

test('the same seed makes the same world, another seed another one', () => {
  assert.deepEqual(createWorld(7).products, createWorld(7).products);
  assert.notDeepEqual(createWorld(7).products, createWorld(8).products);
});

test('a larger world begins with the products of the smaller one', () => {
  const small = createWorld(3, 10);
  const large = createWorld(3, 200);
  for (const product of small.products) {
    assert.deepEqual(large.find(product.shop, product.handle), product);
  }
});

test('every barcode is right, belongs to one variant and has a prefix that is free for all uses', () => {
  const world = createWorld(1, 2_000);
  const codes = world.products.flatMap(({ variants }) => variants.map(({ gtin14 }) => gtin14));
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) {
    assert.match(code, /^(?:00614141|04012345)\d{6}$/);
    const sum = code
      .split('')
      .reduce((total, digit, at) => total + Number(digit) * (at % 2 ? 1 : 3), 0);
    assert.equal(sum % 10, 0, code);
  }
});

test('addresses, product numbers and variant numbers are unique', () => {
  const { products } = createWorld(2, 2_000);
  const variants = products.flatMap((product) => product.variants);
  assert.equal(new Set(products.map((product) => addressOf(product))).size, products.length);
  assert.equal(new Set(products.map(({ id }) => id)).size, products.length);
  assert.equal(new Set(variants.map(({ id }) => id)).size, variants.length);
});

test('a price stays put within its hour and moves over days', () => {
  const world = createWorld(5);
  for (const product of world.products) {
    const [variant] = product.variants;
    const hour = Math.floor(AT / HOUR_MS) * HOUR_MS;
    const quote = quoteAt(world, product, variant, hour);
    assert.deepEqual(quoteAt(world, product, variant, hour + HOUR_MS - 1), quote);
    const month = Array.from(
      { length: 60 },
      (_, day) => quoteAt(world, product, variant, AT + day * DAY_MS).priceCents,
    );
    assert.ok(new Set(month).size >= 4, `${product.title}: ${new Set(month).size} prices`);
  }
});

test('some prices move from hour to hour', () => {
  const world = createWorld(5);
  const moving = world.products.filter((product) => {
    const prices = Array.from(
      { length: 24 },
      (_, hour) => quoteAt(world, product, product.variants[0], AT + hour * HOUR_MS).priceCents,
    );
    return new Set(prices).size > 3;
  });
  assert.ok(moving.length > world.products.length / 5, `${moving.length} of them`);
});

test('a sale price is below the regular price, and every price is above zero', () => {
  const world = createWorld(9);
  let sales = 0;
  for (const product of world.products) {
    for (const variant of product.variants) {
      for (let day = 0; day < 20; day += 1) {
        const quote = quoteAt(world, product, variant, AT + day * DAY_MS);
        assert.ok(Number.isSafeInteger(quote.priceCents) && quote.priceCents >= 99);
        if (quote.listPriceCents === null) continue;
        sales += 1;
        assert.ok(quote.listPriceCents > quote.priceCents);
      }
    }
  }
  assert.ok(sales > 0);
});

test('each shop has products that are always in stock and one that never is', () => {
  const world = createWorld(11);
  for (const shop of world.shops) {
    const own = world.products.filter((product) => product.shop === shop);
    assert.equal(own.filter(({ stock }) => stock === 'always').length, 3);
    assert.equal(own.filter(({ stock }) => stock === 'never').length, 1);
  }
  for (const product of world.products) {
    for (let day = 0; day < 200; day += 1) {
      const { inStock } = quoteAt(world, product, product.variants[0], AT + day * DAY_MS);
      if (product.stock !== 'varies') assert.equal(inStock, product.stock === 'always');
    }
  }
});
