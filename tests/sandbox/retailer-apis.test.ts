// The simulated official APIs over HTTP: they check what real ones check. Requests are made here by hand, with
// none of the project's own clients.

import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startSandbox } from '../../src/sandbox/server.ts';
import type { Sandbox, SandboxDescription } from '../../src/sandbox/server.ts';
import { SANDBOX_ACCESS } from '../../src/sandbox/tokens.ts';

type Json = { readonly [name: string]: Json } & readonly Json[];
type Reply = { readonly status: number; readonly json: Json; readonly headers: Headers };
type Ask = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly method?: string;
};

const START = Date.UTC(2026, 8, 9, 12);
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const { clientId, clientSecret, apiKey, webKey, consumerId, keyVersion } = SANDBOX_ACCESS;
const BASIC = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
let now = START;
let sandbox: Sandbox;
let told: SandboxDescription;

before(async () => {
  sandbox = await startSandbox({
    seed: 1,
    now: () => now,
    products: 300,
    signedCaller: {
      consumerId,
      keyVersion,
      publicKey: KEYS.publicKey.export({ type: 'spki', format: 'pem' }),
    },
  });
  told = sandbox.describe();
});
after(() => sandbox.close());

async function ask(
  origin: string,
  path: string,
  { headers, body, method }: Ask = {},
): Promise<Reply> {
  const response = await fetch(`${sandbox.origins[origin]}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const json = (isJson ? JSON.parse(text) : { text }) as Json;
  return { status: response.status, json, headers: response.headers };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function signed(path: string, change: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const timestamp = change['timestamp'] ?? String(now);
  const text = `${consumerId}\n${timestamp}\n${keyVersion}\n`;
  const headers = {
    'WM_CONSUMER.ID': consumerId,
    'WM_CONSUMER.INTIMESTAMP': timestamp,
    'WM_SEC.KEY_VERSION': keyVersion,
    'WM_SEC.AUTH_SIGNATURE': createSign('RSA-SHA256').update(text).sign(KEYS.privateKey, 'base64'),
    ...change,
  };
  const base = '/api-proxy/service/affil/product/v2/';
  return ask('https://affiliate.retailer-w.example', `${base}${path}`, { headers });
}

test('retailer_w affiliate: a signed question is answered, by number and by barcode', async () => {
  const one = await signed(`items/${told.item_id}`);
  assert.equal(one.status, 200);
  assert.equal(String(one.json['itemId']), told.item_id);
  const listed = await signed(`items?upc=${told.upc}`);
  assert.equal(String(listed.json['items']?.[0]?.['upc']), told.upc);
  assert.equal((await signed('items/999999999')).status, 404);
});

test('retailer_w affiliate: each fault of a signature is refused', async () => {
  const path = `items/${told.item_id}`;
  const faults: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{ 'WM_SEC.AUTH_SIGNATURE': '' }, 401],
    [{ 'WM_SEC.AUTH_SIGNATURE': btoa('nonsense') }, 401],
    [{ 'WM_SEC.KEY_VERSION': '9' }, 401],
    [{ 'WM_CONSUMER.ID': 'somebody-else' }, 403],
    [{ 'WM_CONSUMER.INTIMESTAMP': String(now + 1) }, 401],
    [{ timestamp: String(now - 600_000) }, 401],
  ];
  for (const [change, status] of faults) {
    const reply = await signed(path, change);
    assert.equal(reply.status, status, JSON.stringify(change));
    assert.ok(String(reply.json['errors']?.[0]?.['message']).length > 10);
  }
});

const SERVICE = { 'WM_SVC.NAME': 'Marketplace', 'WM_QOS.CORRELATION_ID': 'a-1' };
const MARKETPLACE = 'https://marketplace.retailer-w.example';

test('retailer_w marketplace: the token is good for fifteen minutes, the search finds by barcode', async () => {
  const mint = (): Promise<Reply> =>
    ask(MARKETPLACE, '/v3/token', {
      headers: { ...SERVICE, ...FORM, authorization: BASIC },
      body: 'grant_type=client_credentials',
    });
  const minted = await mint();
  assert.equal(String(minted.json['expires_in']), '900');
  const search = (token: string, query: string): Promise<Reply> =>
    ask(MARKETPLACE, `/v3/items/any/search?${query}`, {
      headers: { ...SERVICE, 'WM_SEC.ACCESS_TOKEN': token },
    });
  const token = String(minted.json['access_token']);
  const found = await search(token, `upc=${told.upc}`);
  assert.equal(String(found.json['items']?.[0]?.['itemId']), told.item_id);
  assert.deepEqual((await search(token, 'upc=012345999997')).json, {});
  assert.equal((await search('made-up', `upc=${told.upc}`)).status, 401);
  now += 901_000;
  assert.equal((await search(token, `upc=${told.upc}`)).status, 401);
  const renewed = String((await mint()).json['access_token']);
  assert.equal((await search(renewed, `upc=${told.upc}`)).status, 200);
  assert.equal((await ask(MARKETPLACE, '/v3/token', { headers: FORM, body: '' })).status, 400);
});

test('retailer_w offers: the headers of its own site are asked for', async () => {
  const variables = encodeURIComponent(JSON.stringify({ itemId: told.item_id }));
  const path = `/orchestra/home/graphql/GetAllSellerOffers/abc?variables=${variables}`;
  const page = 'https://www.retailer-w.example';
  assert.equal((await ask(page, path)).status, 400);
  const headers = {
    'x-apollo-operation-name': 'GetAllSellerOffers',
    'x-o-platform': 'rweb',
    'x-o-bu': 'US',
    'x-o-mart': 'B2C',
    'x-o-segment': 'oaoh',
  };
  const reply = await ask(page, path, { headers });
  assert.ok([...(reply.json['data']?.['product']?.['allOffers'] ?? [])].length > 0);
  const trouble = told.retailers.retailer_w.trouble.offers_unavailable?.id ?? '';
  const refused = await ask(page, path.replace(told.item_id, trouble), { headers });
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '30');
});

test('retailer_a creators: credentials, marketplace and partner tag are asked for', async () => {
  const minted = await ask('https://login.retailer-a.example', '/auth/o2/token', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'creatorsapi::default',
    }),
  });
  const token = String(minted.json['access_token']);
  const get = (bearer: string, change: Readonly<Record<string, unknown>> = {}): Promise<Reply> =>
    ask('https://creators.retailer-a.example', '/catalog/v1/getItems', {
      headers: {
        authorization: `Bearer ${bearer}, Version 2.1`,
        'x-marketplace': 'www.retailer-a.example',
      },
      body: JSON.stringify({ itemIds: [told.asin, 'B0NOTHERE0'], partnerTag: 'x-20', ...change }),
    });
  const reply = await get(token);
  assert.equal(String(reply.json['itemsResult']?.['items']?.[0]?.['asin']), told.asin);
  assert.equal(String(reply.json['errors']?.[0]?.['code']), 'ItemNotAccessible');
  assert.equal(String((await get(token, { partnerTag: '' })).json['reason']), 'InvalidPartnerTag');
  assert.equal(String((await get('made-up')).json['reason']), 'InvalidToken');
  sandbox.expireTokens();
  const late = await get(token);
  assert.equal(late.status, 401);
  assert.equal(String(late.json['reason']), 'TokenExpired');
});

test('retailer_a selling partner: catalog by barcode, offers, restrictions', async () => {
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: SANDBOX_ACCESS.refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  });
  const login = 'https://login.retailer-a.example';
  const minted = await ask(login, '/auth/o2/token', { headers: FORM, body: body.toString() });
  body.set('refresh_token', 'stolen');
  const refused = await ask(login, '/auth/o2/token', { headers: FORM, body: body.toString() });
  assert.equal(String(refused.json['error']), 'invalid_grant');
  const headers = { 'x-amz-access-token': String(minted.json['access_token']) };
  const origin = 'https://selling-partner.retailer-a.example';
  const search = `/catalog/2022-04-01/items?identifiers=${told.upc}&identifiersType=UPC&marketplaceIds=ATVPDKIKX0DER`;
  const found = await ask(origin, search, { headers });
  assert.equal(String(found.json['items']?.[0]?.['asin']), told.asin);
  assert.equal((await ask(origin, search)).status, 403);
  const offers = await ask(
    origin,
    `/products/pricing/v0/items/${told.asin}/offers?ItemCondition=New`,
    { headers },
  );
  assert.ok(Number(offers.json['payload']?.['Summary']?.['TotalOfferCount']) > 0);
  const restrictions = await ask(origin, `/listings/2021-08-01/restrictions?asin=${told.asin}`, {
    headers,
  });
  assert.ok(Array.isArray(restrictions.json['restrictions']));
  const none = await ask(origin, '/catalog/2022-04-01/items/B0NOTHERE0', { headers });
  assert.equal(String(none.json['errors']?.[0]?.['code']), 'NOT_FOUND');
});

test('retailer_e browse: scope, marketplace and limits are checked, errors carry their numbers', async () => {
  const origin = 'https://browse.retailer-e.example';
  const mint = (scope: string): Promise<Reply> =>
    ask(origin, '/identity/v1/oauth2/token', {
      headers: { ...FORM, authorization: BASIC },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
    });
  assert.equal(String((await mint('wrong')).json['error']), 'invalid_scope');
  const token = String((await mint('https://any.example/oauth/api_scope')).json['access_token']);
  const browse = (path: string, marketplace = 'EBAY_US', bearer = token): Promise<Reply> =>
    ask(origin, `/buy/browse/v1/${path}`, {
      headers: { authorization: `Bearer ${bearer}`, 'X-EBAY-C-MARKETPLACE-ID': marketplace },
    });
  const found = await browse(`item_summary/search?gtin=${told.upc}`);
  const [hit] = [...(found.json['itemSummaries'] ?? [])];
  assert.ok(hit);
  const item = await browse(`item/${encodeURIComponent(String(hit['itemId']))}`);
  assert.equal(String(item.json['gtin']), told.upc);
  const faults: readonly (readonly [string, string, number])[] = [
    ['item_summary/search', 'EBAY_US', 12_001],
    [`item_summary/search?gtin=${told.upc}&limit=999`, 'EBAY_US', 12_006],
    [`item_summary/search?gtin=${told.upc}`, 'EBAY_XX', 11_011],
    ['item/nonsense', 'EBAY_US', 11_012],
    ['item/get_item_by_legacy_id?legacy_item_id=100000000000', 'EBAY_US', 11_001],
  ];
  for (const [path, marketplace, errorId] of faults) {
    const { json } = await browse(path, marketplace);
    assert.equal(Number(json['errors']?.[0]?.['errorId']), errorId, path);
  }
  now += 7_201_000;
  assert.equal((await browse(`item_summary/search?gtin=${told.upc}`)).status, 401);
});

test('retailer_b products: key, queries and the shape of "none"', async () => {
  const origin = 'https://products.retailer-b.example';
  const get = (query: string, key: string = apiKey): Promise<Reply> =>
    ask(origin, `/v1/products${query}?apiKey=${key}&format=json`);
  const bySku = await get(`(sku=${told.retailer_b_sku})`);
  assert.equal(String(bySku.json['products']?.[0]?.['upc']), told.upc);
  assert.equal(Number((await get('(upc=012345999997)')).json['total']), 0);
  assert.equal((await get(`(sku=${told.retailer_b_sku})`, 'wrong')).status, 403);
  assert.equal((await get('(sku~1)')).status, 400);
  assert.equal((await get('/1.json')).status, 404);
  const shown = await ask(
    origin,
    `/v1/products(sku=${told.retailer_b_sku})?apiKey=${apiKey}&show=sku,name`,
  );
  assert.deepEqual(Object.keys(shown.json['products']?.[0] ?? {}), ['sku', 'name']);
});

test('retailer_t: the key is asked for, an unknown number is an error with its words', async () => {
  const get = (call: string): Promise<Reply> =>
    ask('https://redsky.retailer-t.example', `/redsky_aggregations/v1/web/${call}`);
  const { id } = told.retailers.retailer_t;
  const product = (await get(`pdp_client_v1?key=${webKey}&tcin=${id}`)).json['data']?.['product'];
  assert.equal(String(product?.['tcin']), id);
  assert.doesNotMatch(JSON.stringify(product), new RegExp(told.upc), 'no barcode');
  assert.equal((await get(`pdp_client_v1?tcin=${id}`)).status, 403);
  const none = await get(`pdp_client_v1?key=${webKey}&tcin=1`);
  assert.equal(none.status, 404);
  assert.match(String(none.json['errors']?.[0]?.['message']), /No product found/);
});

test('retailer_h: the gateway wants a POST with its headers, and answers errors inside 200', async () => {
  const post = (itemId: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
    ask('https://gateway.retailer-h.example', '/federation-gateway/graphql?opname=x', {
      headers,
      body: JSON.stringify({ operationName: 'productClientOnlyProduct', variables: { itemId } }),
    });
  const headers = {
    'content-type': 'application/json',
    'x-experience-name': 'general-merchandise',
  };
  const { id } = told.retailers.retailer_h;
  const found = await post(id, headers);
  assert.equal(String(found.json['data']?.['product']?.['identifiers']?.['upc']), told.upc);
  const none = await post('1', headers);
  assert.equal(none.status, 200);
  assert.ok(none.json['errors']);
  assert.equal((await post(id, { 'content-type': 'application/json' })).status, 403);
});

test('a throttled address answers 429 until its Retry-After is over', async () => {
  const { id } = told.retailers.retailer_b.trouble.throttled ?? { id: '' };
  const path = `/v1/products/${id}.json?apiKey=${apiKey}`;
  const origin = 'https://products.retailer-b.example';
  const first = await ask(origin, path);
  assert.equal(first.status, 429);
  assert.equal(first.headers.get('retry-after'), '2');
  now += 1_000;
  assert.equal((await ask(origin, path)).status, 429);
  now += 1_000;
  assert.equal((await ask(origin, path)).status, 200);
});

test('search engines find the pages of a site by barcode, in both of their forms', async () => {
  const site = 'retailer-t.example';
  const query = encodeURIComponent(`"${told.upc}" site:${site}`);
  const { json } = await ask('https://search.example', `/search?q=${query}&format=json`);
  const urls = [...(json['results'] ?? [])].map((result) => String(result['url']));
  assert.ok(urls.includes(told.retailers.retailer_t.url));
  for (const url of urls) assert.equal(new URL(url).hostname, `www.${site}`);
  assert.equal((await ask('https://search.example', `/search?q=${query}`)).status, 403);
  const brave = (token: string): Promise<Reply> =>
    ask('https://api.search.example', `/res/v1/web/search?q=${query}`, {
      headers: { 'X-Subscription-Token': token },
    });
  const found = [...((await brave(apiKey)).json['web']?.['results'] ?? [])];
  assert.deepEqual(
    found.map((result) => String(result['url'])),
    urls,
  );
  assert.equal((await brave('wrong')).status, 422);
});
