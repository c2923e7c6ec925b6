// The pages state exactly what the world contains, in each publishing shape. Pages are read here with a few expressions
// used only in this test.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/base/clock.ts';
import type { SimulatedAnswer } from '../../sandbox/answer.ts';
import { shopAnswer } from '../../sandbox/shops/shop-answer.ts';
import { truthOf } from '../../sandbox/shops/truth.ts';
import { addressOf, createWorld } from '../../sandbox/world.ts';
import type { Product, ShopKind } from '../../sandbox/world.ts';

type Json = { readonly [name: string]: Json } & readonly Json[];
type Facts = Readonly<Record<string, unknown>>;

const WORLD = createWorld(21, 120);
const DAYS = [0, 3, 40].map((day) => Date.UTC(2026, 3, 1, 9) + day * DAY_MS);
const POUND = 453.59237;

function bodyAt(product: Product, suffix: string, atMs: number): string {
  const path = new URL(addressOf(product) + suffix).pathname;
  const answer: SimulatedAnswer = shopAnswer(WORLD, product.shop, path + queryOf(suffix), atMs);
  assert.ok(answer.kind === 'page' && answer.status === 200, path);
  return answer.body;
}

function queryOf(suffix: string): string {
  return suffix.startsWith('?') ? suffix : '';
}

function productsOf(kind: ShopKind): readonly Product[] {
  return WORLD.products.filter((product) => product.shop.kind === kind);
}

function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function metaOf(html: string): Record<string, string> {
  const found = html.matchAll(/<meta property="([^"]+)" content="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decode(value)]));
}

function jsonLdOf(html: string): Json {
  const block = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null';
  return JSON.parse(block) as Json;
}

function samePart(read: Facts, truth: Facts): void {
  for (const [name, value] of Object.entries(read)) {
    if (typeof value === 'number' && typeof truth[name] === 'number') {
      assert.ok(Math.abs(value - truth[name]) < 0.001, `${name}: ${value}, not ${truth[name]}`);
    } else {
      assert.deepEqual(value, truth[name], name);
    }
  }
}

const optional = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : Number(text);
const isInStock = (address: unknown): boolean => String(address).endsWith('InStock');

test('the JSON-LD shop states the truth', () => {
  for (const product of productsOf('json_ld')) {
    for (const atMs of DAYS) {
      const node = [...(jsonLdOf(bodyAt(product, '', atMs))['@graph'] ?? [])].find(
        (one) => String(one['@type']) === 'Product',
      );
      assert.ok(node);
      const offer = node['offers'];
      const rating = node['aggregateRating'];
      samePart(
        {
          title: node['name'],
          brand: node['brand']?.['name'],
          description: node['description'],
          sku: node['sku'],
          mpn: node['mpn'],
          gtin: String(node['gtin12'] ?? node['gtin13']).padStart(14, '0'),
          image: node['image']?.[0],
          categories: [node['category']],
          price: Number(offer?.['price']),
          list_price: optional(offer?.['priceSpecification']?.['price'] as string | undefined),
          currency: offer?.['priceCurrency'],
          in_stock: isInStock(offer?.['availability']),
          condition: String(offer?.['itemCondition']).endsWith('/NewCondition')
            ? 'new'
            : 'refurbished',
          rating: rating?.['ratingValue'] ?? null,
          review_count: rating?.['reviewCount'] ?? null,
          weight_lbs: Number(node['weight']?.['value']),
          height_in: node['height']?.['value'] ?? null,
          width_in: node['width']?.['value'] ?? null,
          length_in: node['depth']?.['value'] ?? null,
        },
        truthOf(WORLD, product, null, atMs).facts,
      );
    }
  }
});

test('the OpenGraph shop states the truth', () => {
  for (const product of productsOf('open_graph')) {
    for (const atMs of DAYS) {
      const meta = metaOf(bodyAt(product, '', atMs));
      samePart(
        {
          title: meta['og:title'],
          brand: meta['product:brand'],
          description: meta['og:description'],
          image: meta['og:image'],
          price: Number(meta['product:price:amount']),
          list_price: optional(meta['product:original_price:amount']),
          currency: meta['product:price:currency'],
          in_stock: meta['product:availability'] === 'in stock',
          condition: meta['product:condition'],
          sku: meta['product:retailer_item_id'],
          gtin: (meta['product:upc'] ?? meta['product:ean'] ?? '').padStart(14, '0'),
        },
        truthOf(WORLD, product, null, atMs).facts,
      );
    }
  }
});

test('the hosted store states the truth of every variant in its page and in both JSON answers', () => {
  for (const product of productsOf('hosted')) {
    for (const atMs of DAYS) {
      const json = (JSON.parse(bodyAt(product, '.json', atMs)) as Json)['product'];
      const js = JSON.parse(bodyAt(product, '.js', atMs)) as Json;
      assert.ok(json);
      for (const [at, variant] of product.variants.entries()) {
        const { facts } = truthOf(WORLD, product, String(variant.id), atMs);
        const fromJson = json['variants']?.[at];
        const fromJs = js['variants']?.[at];
        samePart(
          {
            title: json['title'],
            brand: json['vendor'],
            item_id: String(json['id']),
            variant_id: String(fromJson?.['id']),
            price: Number(fromJson?.['price']),
            list_price: optional(fromJson?.['compare_at_price'] as string | undefined),
            sku: fromJson?.['sku'],
            gtin: String(fromJson?.['barcode']).padStart(14, '0'),
            weight_lbs: Number(fromJson?.['grams']) / POUND,
            image: json['image']?.['src'],
          },
          facts,
        );
        const was = fromJs?.['compare_at_price'] as unknown as number | null;
        samePart(
          {
            title: js['title'],
            variant_id: String(fromJs?.['id']),
            price: Number(fromJs?.['price']) / 100,
            list_price: was === null ? null : was / 100,
            in_stock: fromJs?.['available'],
            weight_lbs: Number(fromJs?.['weight']) / POUND,
            image: `https:${String(js['featured_image'])}`,
          },
          facts,
        );
        const html = bodyAt(product, `?variant=${variant.id}`, atMs);
        const meta = metaOf(html);
        const data = jsonLdOf(html);
        const node = product.variants.length === 1 ? data : data['hasVariant']?.[at];
        samePart(
          {
            title: meta['og:title'],
            price: Number(meta['og:price:amount']),
            currency: meta['og:price:currency'],
            sku: node?.['sku'],
            in_stock: isInStock(node?.['offers']?.['availability']),
          },
          facts,
        );
        assert.equal(Number(node?.['offers']?.['price']), facts['price']);
      }
    }
  }
});

test('every fact that a shape is said to expose is among the facts', () => {
  for (const product of WORLD.products) {
    const truth = truthOf(WORLD, product, null, DAYS[0] ?? 0);
    for (const name of truth.exposes) assert.ok(name in truth.facts, name);
  }
});
