// What the readers read from the simulated shops equals the truth of the world, fact by fact. The two share no code, so
// agreement means something.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/base/clock.ts';
import type { Listing } from '../../src/base/listing/listing.ts';
import type { Page } from '../../src/base/listing/page.ts';
import { mergeHostedStore, readShopFacts } from '../../src/read/retailers/hosted-store.ts';
import { readProductPage } from '../../src/read/retailers/registry.ts';
import { shopAnswer } from '../../sandbox/shops/shop-answer.ts';
import { TROUBLES, troubleAddress } from '../../sandbox/trouble.ts';
import type { TroubleKind } from '../../sandbox/trouble.ts';
import { truthOf } from '../../sandbox/shops/truth.ts';
import { createWorld } from '../../sandbox/world.ts';
import type { Product, Shop, ShopKind } from '../../sandbox/world.ts';

const WORLD = createWorld(31, 150);
const DAYS = [0, 5, 90].map((day) => Date.UTC(2026, 1, 3, 17) + day * DAY_MS);

function pageAt(shop: Shop, address: string, atMs: number): Page {
  const url = new URL(address);
  const answer = shopAnswer(WORLD, shop, url.pathname + url.search, atMs);
  assert.equal(answer.kind, 'page');
  if (answer.kind !== 'page') throw new Error('no page');
  return {
    requestedUrl: address,
    url: address,
    status: answer.status,
    headers: { 'content-type': answer.type, ...answer.headers },
    body: Buffer.from(answer.body),
    fetchedAtMs: atMs,
  };
}

function read(page: Page): Listing {
  const verdict = readProductPage(page);
  assert.equal(verdict.kind, 'read', page.url);
  if (verdict.kind !== 'read') throw new Error('not read');
  return verdict.value;
}

/** The three answers of a hosted store, combined as in a lookup. */
function readHosted(shop: Shop, address: string, atMs: number): Listing | null {
  const [path = '', query] = address.split('?');
  const suffix = query === undefined ? '' : `?${query}`;
  const html = pageAt(shop, address, atMs);
  return mergeHostedStore({
    json: read(pageAt(shop, `${path}.json${suffix}`, atMs)),
    js: read(pageAt(shop, `${path}.js${suffix}`, atMs)),
    html: read(html),
    currency: readShopFacts(html).currency,
  });
}

/** Returns the facts of a listing under the names that the truth uses. */
function factsOf(listing: Listing): Record<string, unknown> {
  const dollars = (money: Listing['price']): number | null =>
    money === null ? null : money.cents / 100;
  return {
    title: listing.title,
    brand: listing.brand,
    description: listing.description,
    price: dollars(listing.price),
    list_price: dollars(listing.listPrice),
    currency: listing.price?.currency ?? null,
    in_stock: listing.inStock,
    condition: listing.condition,
    gtin: listing.gtin,
    sku: listing.sku,
    mpn: listing.mpn,
    item_id: listing.itemId,
    variant_id: listing.variantId,
    image: listing.imageUrl,
    weight_lbs: listing.weightLbs,
    height_in: listing.dimensions?.heightIn ?? null,
    width_in: listing.dimensions?.widthIn ?? null,
    length_in: listing.dimensions?.lengthIn ?? null,
    rating: listing.rating,
    review_count: listing.reviewCount,
    categories: listing.categories,
  };
}

function differences(product: Product, asked: string | null, atMs: number): readonly string[] {
  const truth = truthOf(WORLD, product, asked, atMs);
  const listing =
    product.shop.kind === 'hosted'
      ? readHosted(product.shop, truth.url, atMs)
      : read(pageAt(product.shop, truth.url, atMs));
  assert.ok(listing);
  const facts = factsOf(listing);
  return truth.exposes
    .filter((name) => !isSame(facts[name], truth.facts[name]))
    .map(
      (name) =>
        `${truth.url} ${name}: ${JSON.stringify(facts[name])}, true is ${JSON.stringify(truth.facts[name])}`,
    );
}

function isSame(found: unknown, wanted: unknown): boolean {
  if (typeof found === 'number' && typeof wanted === 'number') {
    return Math.abs(found - wanted) < 0.001;
  }
  if (Array.isArray(found) && Array.isArray(wanted)) {
    return wanted.every((one) => found.includes(one));
  }
  return found === wanted;
}

for (const kind of ['hosted', 'json_ld', 'open_graph'] as const satisfies readonly ShopKind[]) {
  test(`every fact that a ${kind} shop exposes is read as it is`, () => {
    const wrong: string[] = [];
    for (const product of WORLD.products) {
      if (product.shop.kind !== kind) continue;
      for (const atMs of DAYS) {
        wrong.push(...differences(product, null, atMs));
        if (product.variants.length < 2) continue;
        for (const { id } of product.variants) {
          wrong.push(...differences(product, String(id), atMs));
        }
      }
    }
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} facts differ`);
  });
}

test('home, category, article and search pages of every shop are not product pages', () => {
  for (const shop of WORLD.shops) {
    const paths = [
      '/',
      `${shop.categoryPath}desk`,
      `${shop.articlePath}how-to-season-a-skillet`,
      `${shop.searchPath}?q=lamp`,
    ];
    for (const path of paths) {
      const verdict = readProductPage(pageAt(shop, shop.origin + path, DAYS[0] ?? 0));
      assert.equal(verdict.kind, 'not_a_product', shop.origin + path);
    }
  }
});

const VERDICTS: Partial<Record<TroubleKind, readonly string[]>> = {
  blocked: ['blocked'],
  throttled: ['blocked', 'retry'],
  broken: ['retry'],
  missing: ['not_found'],
  gone: ['not_found'],
  redesigned: ['unreadable', 'not_a_product', 'retry'],
};

for (const [kind, verdicts] of Object.entries(VERDICTS)) {
  test(`a page that ${TROUBLES[kind as TroubleKind]} is ${verdicts.join(' or ')}`, () => {
    for (const shop of WORLD.shops) {
      const address = troubleAddress(shop, kind as TroubleKind);
      const verdict = readProductPage(pageAt(shop, address, DAYS[0] ?? 0));
      assert.ok(verdicts.includes(verdict.kind), `${address}: ${verdict.kind}`);
    }
  });
}

test('a price in another currency keeps its currency, and an ended listing is unavailable', () => {
  for (const shop of WORLD.shops) {
    const foreign = read(pageAt(shop, troubleAddress(shop, 'foreign_currency'), DAYS[0] ?? 0));
    assert.equal(foreign.price?.currency, 'EUR', shop.name);
    const ended = read(pageAt(shop, troubleAddress(shop, 'ended'), DAYS[0] ?? 0));
    assert.equal(ended.unavailable, true, shop.name);
    assert.equal(ended.inStock, false, shop.name);
  }
});
