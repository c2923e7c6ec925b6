// The pages of the simulated retailers state what the market contains. They are read here with JSON.parse and a few
// expressions used only in this test, none of the project's readers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/base/clock.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { SIMULATED_RETAILERS, retailerAnswer } from '../../sandbox/simulated-retailers.ts';
import type { RetailerState } from '../../sandbox/simulated-retailer.ts';
import { troubleAt } from '../../sandbox/simulated-retailer.ts';
import type { ListingTruth } from '../../sandbox/market/listing-truth.ts';
import { createMarket } from '../../sandbox/market/market.ts';
import { listingViewAt } from '../../sandbox/market/listing-view.ts';
import { retailerOrigins } from '../../sandbox/origins.ts';
import { createTokens } from '../../sandbox/tokens.ts';
import { createWorld, interleaved } from '../../sandbox/world.ts';

type Json = { readonly [name: string]: Json } & readonly Json[];
type Read = Readonly<Record<string, unknown>>;

const MARKET = createMarket({
  seed: 12,
  products: 400,
  shopProducts: interleaved(createWorld(12)),
  origins: retailerOrigins(),
});
const STATE: RetailerState = {
  market: MARKET,
  tokens: createTokens(),
  signedCaller: null,
  throttledSince: new Map(),
  failing: new Map(),
  isApisOnly: false,
  disturbed: new Map(),
};
const TIMES = [0, 4, 45].map((day) => Date.UTC(2026, 2, 1, 9) + day * DAY_MS);

function bodyAt(slug: KnownSlug, address: string, atMs: number): string {
  const url = new URL(address);
  const answer = retailerAnswer(slug, STATE, { method: 'GET', url, headers: {}, body: '', atMs });
  assert.ok(answer.kind === 'page' && answer.status === 200, address);
  return answer.body;
}

function first(pattern: RegExp, text: string): string | null {
  return pattern.exec(text)?.[1] ?? null;
}

function decode(text: string | null): string | null {
  if (text === null) return null;
  return text
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

const money = (text: string | null): number | null =>
  text === null ? null : Number(text.replaceAll(/[^0-9.]/g, ''));
const padded = (code: unknown): string | null =>
  typeof code === 'string' ? code.padStart(14, '0') : null;
const jsonLd = (html: string): Json =>
  JSON.parse(
    first(/<script[^>]*type="application\/ld\+json"[^>]*>(.*?)<\/script>/s, html) ?? '{}',
  ) as Json;
const orNull = (value: unknown): unknown => value ?? null;

/** Reads the facts of a page, by retailer; names as in the truth. */
const READ: Readonly<Record<KnownSlug, (html: string) => Read>> = {
  retailer_w: (html) => {
    const text = first(/<script id="__NEXT_DATA__"[^>]*>(.*?)<\/script>/s, html) ?? '{}';
    const data = (JSON.parse(text) as Json)['props']?.['pageProps']?.['initialData']?.['data'];
    const product = data?.['product'];
    const spec = (name: string): string | null =>
      ([...(data?.['idml']?.['specifications'] ?? [])].find(
        (one) => String(one['name']) === name,
      )?.['value'] as unknown as string | undefined) ?? null;
    return {
      item_id: product?.['usItemId'],
      gtin: padded(product?.['upc']),
      title: product?.['name'],
      brand: product?.['brand'],
      model: product?.['model'],
      price: orNull(product?.['priceInfo']?.['currentPrice']?.['price']),
      list_price: orNull(product?.['priceInfo']?.['wasPrice']?.['price']),
      in_stock: String(product?.['availabilityStatus']) === 'IN_STOCK',
      rating: orNull(product?.['averageRating']),
      review_count: product?.['numberOfReviews'],
      seller_name: orNull(product?.['sellerName']),
      seller_id: orNull(product?.['sellerId']),
      offers_count: product?.['transactableOfferCount'],
      weight_assembled_lbs: Number(spec('Assembled Product Weight')?.replace(' lb', '')),
    };
  },
  retailer_a: (html) => ({
    asin:
      first(/<input type="hidden" id="ASIN" name="ASIN" value="(\w+)">/, html) ??
      first(/ASIN <\/th><td[^>]*> \u200e(\w+) /, html),
    title: decode(first(/<span id="productTitle"[^>]*> (.*?) <\/span>/, html)),
    brand: decode(first(/po-break-word">(.*?)<\/span>/, html)),
    model: first(/Item model number <\/th><td[^>]*> \u200e(\w+) /, html),
    gtin: padded(
      first(/(?:UPC|EAN|ISBN-13) <\/th><td[^>]*> \u200e([\d-]+) /, html)?.replaceAll('-', ''),
    ),
    price: money(first(/priceToPay"><span class="a-offscreen">(.*?)<\/span>/, html)),
    list_price: money(first(/basisPrice">List Price: .*?a-offscreen">(.*?)<\/span>/, html)),
    in_stock: !html.includes('Currently unavailable'),
    rating: money(first(/id="acrPopover"[^>]*title="([\d.]+) out of 5/, html)),
    weight_assembled_lbs: money(first(/Item Weight <\/th><td[^>]*> \u200e([\d.]+) pounds/, html)),
    weight_package_lbs: money(
      first(/Package Dimensions <\/th><td[^>]*> \u200e.*?; ([\d.]+) Pounds/, html),
    ),
  }),
  retailer_e: (html) => {
    const node = jsonLd(html);
    const label =
      /<span class="ux-textspans">(?:UPC|EAN|ISBN)<\/span>.*?<span class="ux-textspans">(\d+)<\/span>/s;
    return {
      title: node['name'],
      brand: node['brand']?.['name'],
      mpn: node['mpn'],
      gtin: padded(first(label, html)),
      price: money((node['offers']?.['price'] as unknown as string | undefined) ?? null),
      list_price: money(first(/STRIKETHROUGH">US (.*?)<\/span>/, html)),
      currency: node['offers']?.['priceCurrency'],
      in_stock: String(node['offers']?.['availability']).endsWith('/InStock'),
      seller_name: first(/<a href="\/usr\/([^"]+)">/, html),
      sold_tag: first(/BOLD">([\d,]+ sold)</, html),
    };
  },
  retailer_l: (html) => {
    const text = first(/__PRELOADED_STATE__(?:'\])? = (.*?)<\/script>/s, html) ?? '{}';
    const state = JSON.parse(text) as Json;
    const detail = state['productDetails']?.[String(state['productId'])];
    const product = detail?.['product'];
    const fees = detail?.['mfePrice']?.['price']?.['additionalData'];
    const list = detail?.['location']?.['price']?.['pricingDataList']?.[0];
    return {
      item_id: product?.['omniItemId'],
      title: product?.['title'],
      brand: product?.['brand'],
      model: product?.['modelId'],
      gtin: padded(product?.['barcode']),
      price: fees?.['sellingPrice'] ?? list?.['finalPrice'] ?? detail?.['price']?.['itemPrice'],
      hazmat: String(product?.['hazmatCode']) !== 'N',
      in_stock: detail?.['itemInventory']?.['analyticsData']?.['parcel']?.['isAvlSts'],
      weight_lbs: Number(product?.['weight']),
      rating: product?.['rating'] === undefined ? null : Number(product['rating']),
    };
  },
  retailer_t: (html) => {
    const text = first(/deepFreeze\(JSON\.parse\((".*?")\)\)/s, html) ?? '"{}"';
    const data = JSON.parse(JSON.parse(text) as string) as Json;
    const queries = [...(data['__PRELOADED_QUERIES__']?.['queries'] ?? [])];
    const product = queries.at(-1)?.[1]?.['data']?.['product'];
    const item = product?.['item'];
    const isSale = String(product?.['price']?.['formatted_current_price_type']) === 'sale';
    return {
      item_id: product?.['tcin'],
      title: decode(String(item?.['product_description']?.['title'])),
      brand: item?.['primary_brand']?.['name'],
      price: product?.['price']?.['current_retail'],
      list_price: isSale ? product?.['price']?.['reg_retail'] : null,
      rating: product?.['ratings_and_reviews']?.['statistics']?.['rating']?.['average'] || null,
      weight_package_lbs: item?.['package_dimensions']?.['weight'],
      in_stock:
        String(product?.['fulfillment']?.['shipping_options']?.['availability_status']) ===
        'IN_STOCK',
    };
  },
  retailer_b: (html) => {
    const node = jsonLd(html);
    const stream = [...html.matchAll(/\.push\((\{"events".*?\})\)<\/script>/gs)]
      .map(([, text = '{}']) => JSON.parse(text.replaceAll(':undefined', ':null')) as Json)
      .map((pushed) => pushed['events']?.[0]?.['value']?.['data']?.['productBySkuId'])
      .filter((product) => product !== undefined);
    const price = stream.find((product) => product['price'] !== undefined)?.['price'];
    const regular = Number(price?.['regularPrice']);
    return {
      item_id: node['sku'],
      product_id: stream[0]?.['bsin'],
      title: node['name'],
      brand: node['brand']?.['name'],
      model: node['model'],
      gtin: padded(node['gtin13']),
      price: Number(node['offers']?.['price']),
      list_price: regular === Number(price?.['customerPrice']) ? null : regular,
      currency: node['offers']?.['priceCurrency'],
      in_stock: String(node['offers']?.['availability']).endsWith('/InStock'),
      rating: orNull(node['aggregateRating']?.['ratingValue']),
    };
  },
  retailer_h: (html) => {
    const node = jsonLd(html);
    const cache = JSON.parse(first(/__APOLLO_STATE__ = (.*?);<\/script>/s, html) ?? '{}') as Json;
    const product = cache[`base-catalog-${String(node['productID'])}`];
    const pricing = product?.['pricing({"storeId":"121"})'];
    return {
      item_id: product?.['itemId'],
      title: product?.['identifiers']?.['productLabel'],
      brand: node['brand']?.['name'],
      model: node['model'],
      gtin: padded(node['gtin13']),
      price: pricing?.['value'],
      list_price: orNull(pricing?.['original']),
      currency: node['offers']?.['priceCurrency'],
      in_stock: String(node['offers']?.['availability']).endsWith('/InStock'),
      weight_lbs: Number(String(node['weight']).replace(' lb', '')),
    };
  },
};

function isSame(found: unknown, wanted: unknown): boolean {
  const bothNumbers = typeof found === 'number' && typeof wanted === 'number';
  return bothNumbers ? Math.abs(found - wanted) < 0.001 : found === wanted;
}

function wrongFacts(read: Read, facts: ListingTruth['facts']): readonly string[] {
  return Object.entries(read)
    .filter(([name, value]) => !isSame(value, facts[name]))
    .map(
      ([name, value]) =>
        `${name}: ${JSON.stringify(value)}, true is ${JSON.stringify(facts[name])}`,
    );
}

for (const slug of Object.keys(READ) as KnownSlug[]) {
  test(`the pages of ${slug} state the truth`, () => {
    const retailer = SIMULATED_RETAILERS[slug];
    let pages = 0;
    for (const listing of MARKET.listings(slug)) {
      const kind = troubleAt(listing);
      if (kind !== null && !['sold_out', 'wrong_barcode', 'no_barcode'].includes(kind)) continue;
      for (const atMs of TIMES) {
        // An ended listing shows no price; the readers' test covers what it still states.
        if (listingViewAt(MARKET, listing, atMs).isEnded) continue;
        const html = bodyAt(slug, retailer.address(MARKET, listing), atMs);
        const { facts, url } = retailer.truth(listingViewAt(MARKET, listing, atMs));
        assert.deepEqual(wrongFacts(READ[slug](html), facts), [], url);
        pages += 1;
      }
    }
    assert.ok(pages > 400, `${pages} pages`);
  });
}

test('what an answer is said to state is among the facts', () => {
  for (const slug of Object.keys(READ) as KnownSlug[]) {
    for (const listing of MARKET.listings(slug)) {
      const { facts, exposes } = SIMULATED_RETAILERS[slug].truth(
        listingViewAt(MARKET, listing, TIMES[0] ?? 0),
      );
      for (const name of Object.values(exposes).flat()) assert.ok(name in facts, `${slug} ${name}`);
    }
  }
});

test('every link of a page that names a retailer stays at that retailer', () => {
  for (const slug of Object.keys(READ) as KnownSlug[]) {
    const [listing] = MARKET.listings(slug);
    assert.ok(listing);
    const html = bodyAt(slug, SIMULATED_RETAILERS[slug].address(MARKET, listing), TIMES[0] ?? 0);
    const origins = new Set([...html.matchAll(/https:\/\/[a-z0-9.-]+/g)].map(([origin]) => origin));
    origins.delete('https://schema.org');
    assert.deepEqual([...origins], [MARKET.origins[slug].page], slug);
  }
});
