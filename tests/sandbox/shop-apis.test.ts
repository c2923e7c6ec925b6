// The simulated APIs of the first-party retailers, which wait on request, and the search engines.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SANDBOX_ACCESS } from '../../sandbox/tokens.ts';
import { openApis } from './api-caller.ts';
import type { ApiCaller, Reply } from './api-caller.ts';

const { apiKey } = SANDBOX_ACCESS;
let apis: ApiCaller;

before(async () => {
  apis = await openApis();
});
after(() => apis[Symbol.asyncDispose]());

test('retailer_b products: key, queries and the shape of "none"', async () => {
  const origin = 'https://products.retailer-b.example';
  const get = (query: string, key: string = apiKey): Promise<Reply> =>
    apis.ask(origin, `/v1/products${query}?apiKey=${key}&format=json`);
  const bySku = await get(`(sku=${apis.described.retailer_b_sku})`);
  assert.equal(String(bySku.json['products']?.[0]?.['upc']), apis.described.upc);
  assert.equal(Number((await get('(upc=012345999997)')).json['total']), 0);
  assert.equal((await get(`(sku=${apis.described.retailer_b_sku})`, 'wrong')).status, 403);
  assert.equal((await get('(sku~1)')).status, 400);
  assert.equal((await get('/1.json')).status, 404);
  const shown = await apis.ask(
    origin,
    `/v1/products(sku=${apis.described.retailer_b_sku})?apiKey=${apiKey}&format=json&show=sku,name`,
  );
  assert.deepEqual(Object.keys(shown.json['products']?.[0] ?? {}), ['sku', 'name']);
});

test('retailer_h: the gateway wants a POST with its headers, and answers errors inside 200', async () => {
  const post = (itemId: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
    apis.ask('https://gateway.retailer-h.example', '/federation-gateway/graphql?opname=x', {
      headers,
      body: JSON.stringify({ operationName: 'productClientOnlyProduct', variables: { itemId } }),
    });
  const headers = {
    'content-type': 'application/json',
    'x-experience-name': 'general-merchandise',
  };
  const { id } = apis.described.retailers.retailer_h;
  const found = await post(id, headers);
  assert.equal(
    String(found.json['data']?.['product']?.['identifiers']?.['upc']),
    apis.described.upc,
  );
  const none = await post('1', headers);
  assert.equal(none.status, 200);
  assert.ok(none.json['errors']);
  assert.equal((await post(id, { 'content-type': 'application/json' })).status, 403);
});

test('a throttled address answers 429 until its Retry-After is over', async () => {
  const { id } = apis.described.retailers.retailer_b.trouble.throttled ?? { id: '' };
  const path = `/v1/products/${id}.json?apiKey=${apiKey}`;
  const origin = 'https://products.retailer-b.example';
  const first = await apis.ask(origin, path);
  assert.equal(first.status, 429);
  assert.equal(first.headers.get('retry-after'), '2');
  apis.wait(1_000);
  assert.equal((await apis.ask(origin, path)).status, 429);
  apis.wait(1_000);
  assert.equal((await apis.ask(origin, path)).status, 200);
});

test('search engines find the pages of a site by barcode, in both of their forms', async () => {
  const site = 'retailer-t.example';
  const query = encodeURIComponent(`"${apis.described.upc}" site:${site}`);
  const { json } = await apis.ask('https://search.example', `/search?q=${query}&format=json`);
  const urls = [...(json['results'] ?? [])].map((result) => String(result['url']));
  assert.ok(urls.includes(apis.described.retailers.retailer_t.url));
  for (const url of urls) assert.equal(new URL(url).hostname, `www.${site}`);
  assert.equal((await apis.ask('https://search.example', `/search?q=${query}`)).status, 403);
  const brave = (token: string): Promise<Reply> =>
    apis.ask('https://api.search.example', `/res/v1/web/search?q=${query}`, {
      headers: { 'X-Subscription-Token': token },
    });
  const found = [...((await brave(apiKey)).json['web']?.['results'] ?? [])];
  assert.deepEqual(
    found.map((result) => String(result['url'])),
    urls,
  );
  assert.equal((await brave('wrong')).status, 422);
});
