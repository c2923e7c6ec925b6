// The simulated official APIs of the marketplaces: they check what real ones check.

import assert from 'node:assert/strict';
import { createSign } from 'node:crypto';
import { after, before, test } from 'node:test';
import { SANDBOX_ACCESS } from '../../sandbox/tokens.ts';
import { openApis } from './api-caller.ts';
import type { ApiCaller, Reply } from './api-caller.ts';

const { clientId, clientSecret, consumerId, keyVersion } = SANDBOX_ACCESS;
const BASIC = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
let apis: ApiCaller;

before(async () => {
  apis = await openApis();
});
after(() => apis[Symbol.asyncDispose]());

function signed(path: string, change: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const timestamp = change['timestamp'] ?? String(apis.now());
  const text = `${consumerId}\n${timestamp}\n${keyVersion}\n`;
  const headers = {
    'WM_CONSUMER.ID': consumerId,
    'WM_CONSUMER.INTIMESTAMP': timestamp,
    'WM_SEC.KEY_VERSION': keyVersion,
    'WM_SEC.AUTH_SIGNATURE': createSign('RSA-SHA256').update(text).sign(apis.privateKey, 'base64'),
    ...change,
  };
  const base = '/api-proxy/service/affil/product/v2/';
  return apis.ask('https://affiliate.retailer-w.example', `${base}${path}`, { headers });
}

test('retailer_w affiliate: a signed question is answered, by number and by barcode', async () => {
  const one = await signed(`items/${apis.described.item_id}`);
  assert.equal(one.status, 200);
  assert.equal(String(one.json['itemId']), apis.described.item_id);
  const listed = await signed(`items?upc=${apis.described.upc}`);
  assert.equal(String(listed.json['items']?.[0]?.['upc']), apis.described.upc);
  assert.equal((await signed('items/999999999')).status, 404);
});

test('retailer_w affiliate: each fault of a signature is refused', async () => {
  const path = `items/${apis.described.item_id}`;
  const faults: readonly (readonly [Readonly<Record<string, string>>, number])[] = [
    [{ 'WM_SEC.AUTH_SIGNATURE': '' }, 401],
    [{ 'WM_SEC.AUTH_SIGNATURE': btoa('nonsense') }, 401],
    [{ 'WM_SEC.KEY_VERSION': '9' }, 401],
    [{ 'WM_CONSUMER.ID': 'somebody-else' }, 403],
    [{ 'WM_CONSUMER.INTIMESTAMP': String(apis.now() + 1) }, 401],
    [{ timestamp: String(apis.now() - 600_000) }, 401],
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
    apis.ask(MARKETPLACE, '/v3/token', {
      headers: { ...SERVICE, ...FORM, authorization: BASIC },
      body: 'grant_type=client_credentials',
    });
  const minted = await mint();
  assert.equal(String(minted.json['expires_in']), '900');
  const search = (token: string, query: string): Promise<Reply> =>
    apis.ask(MARKETPLACE, `/v3/items/any/search?${query}`, {
      headers: { ...SERVICE, 'WM_SEC.ACCESS_TOKEN': token },
    });
  const token = String(minted.json['access_token']);
  const found = await search(token, `upc=${apis.described.upc}`);
  assert.equal(String(found.json['items']?.[0]?.['itemId']), apis.described.item_id);
  assert.deepEqual((await search(token, 'upc=012345999997')).json, {});
  assert.equal((await search('made-up', `upc=${apis.described.upc}`)).status, 401);
  apis.wait(901_000);
  assert.equal((await search(token, `upc=${apis.described.upc}`)).status, 401);
  const renewed = String((await mint()).json['access_token']);
  assert.equal((await search(renewed, `upc=${apis.described.upc}`)).status, 200);
  assert.equal((await apis.ask(MARKETPLACE, '/v3/token', { headers: FORM, body: '' })).status, 400);
});

test('retailer_w offers: the headers of its own site are asked for', async () => {
  const variables = encodeURIComponent(JSON.stringify({ itemId: apis.described.item_id }));
  const path = `/orchestra/home/graphql/GetAllSellerOffers/abc?variables=${variables}`;
  const page = 'https://www.retailer-w.example';
  assert.equal((await apis.ask(page, path)).status, 400);
  const headers = {
    'x-apollo-operation-name': 'GetAllSellerOffers',
    'x-o-platform': 'rweb',
    'x-o-bu': 'US',
    'x-o-mart': 'B2C',
    'x-o-segment': 'oaoh',
  };
  const reply = await apis.ask(page, path, { headers });
  assert.ok([...(reply.json['data']?.['product']?.['allOffers'] ?? [])].length > 0);
  const trouble = apis.described.retailers.retailer_w.trouble.offers_unavailable?.id ?? '';
  const refused = await apis.ask(page, path.replace(apis.described.item_id, trouble), { headers });
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('retry-after'), '30');
});

test('retailer_a creators: credentials, marketplace and partner tag are asked for', async () => {
  const minted = await apis.ask('https://login.retailer-a.example', '/auth/o2/token', {
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
    apis.ask('https://creators.retailer-a.example', '/catalog/v1/getItems', {
      headers: {
        authorization: `Bearer ${bearer}, Version 2.1`,
        'x-marketplace': 'www.retailer-a.example',
      },
      body: JSON.stringify({
        itemIds: [apis.described.asin, 'B0NOTHERE0'],
        partnerTag: 'x-20',
        ...change,
      }),
    });
  const reply = await get(token);
  assert.equal(String(reply.json['itemsResult']?.['items']?.[0]?.['asin']), apis.described.asin);
  assert.equal(String(reply.json['errors']?.[0]?.['code']), 'ItemNotAccessible');
  assert.equal(String((await get(token, { partnerTag: '' })).json['reason']), 'InvalidPartnerTag');
  assert.equal(String((await get('made-up')).json['reason']), 'InvalidToken');
  apis.sandbox.expireTokens();
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
  const minted = await apis.ask(login, '/auth/o2/token', { headers: FORM, body: body.toString() });
  body.set('refresh_token', 'stolen');
  const refused = await apis.ask(login, '/auth/o2/token', { headers: FORM, body: body.toString() });
  assert.equal(String(refused.json['error']), 'invalid_grant');
  const headers = { 'x-amz-access-token': String(minted.json['access_token']) };
  const origin = 'https://selling-partner.retailer-a.example';
  const search = `/catalog/2022-04-01/items?identifiers=${apis.described.upc}&identifiersType=UPC&marketplaceIds=ATVPDKIKX0DER`;
  const found = await apis.ask(origin, search, { headers });
  assert.equal(String(found.json['items']?.[0]?.['asin']), apis.described.asin);
  assert.equal((await apis.ask(origin, search)).status, 403);
  const offers = await apis.ask(
    origin,
    `/products/pricing/v0/items/${apis.described.asin}/offers?ItemCondition=New`,
    { headers },
  );
  assert.ok(Number(offers.json['payload']?.['Summary']?.['TotalOfferCount']) > 0);
  const restrictions = (asin: string, rest = '&sellerId=A1&marketplaceIds=ATVPDKIKX0DER') =>
    apis.ask(origin, `/listings/2021-08-01/restrictions?asin=${asin}${rest}`, { headers });
  assert.ok(Array.isArray((await restrictions(apis.described.asin)).json['restrictions']));
  const unknown = await restrictions('B0NOTHERE0');
  assert.match(JSON.stringify(unknown.json), /ASIN_NOT_FOUND/);
  assert.equal(
    (await restrictions(apis.described.asin, '')).status,
    400,
    'whose right, and where?',
  );
  const none = await apis.ask(origin, '/catalog/2022-04-01/items/B0NOTHERE0', { headers });
  assert.equal(String(none.json['errors']?.[0]?.['code']), 'NOT_FOUND');
});

test('retailer_e browse: scope, marketplace and limits are checked, errors carry their numbers', async () => {
  const origin = 'https://browse.retailer-e.example';
  const mint = (scope: string): Promise<Reply> =>
    apis.ask(origin, '/identity/v1/oauth2/token', {
      headers: { ...FORM, authorization: BASIC },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString(),
    });
  assert.equal(String((await mint('wrong')).json['error']), 'invalid_scope');
  const token = String((await mint('https://any.example/oauth/api_scope')).json['access_token']);
  const browse = (path: string, marketplace = 'EBAY_US', bearer = token): Promise<Reply> =>
    apis.ask(origin, `/buy/browse/v1/${path}`, {
      headers: { authorization: `Bearer ${bearer}`, 'X-EBAY-C-MARKETPLACE-ID': marketplace },
    });
  const found = await browse(`item_summary/search?gtin=${apis.described.upc}`);
  const [hit] = [...(found.json['itemSummaries'] ?? [])];
  assert.ok(hit);
  const item = await browse(`item/${encodeURIComponent(String(hit['itemId']))}`);
  assert.equal(String(item.json['gtin']), apis.described.upc);
  const faults: readonly (readonly [string, string, number])[] = [
    ['item_summary/search', 'EBAY_US', 12_001],
    [`item_summary/search?gtin=${apis.described.upc}&limit=999`, 'EBAY_US', 12_006],
    [`item_summary/search?gtin=${apis.described.upc}`, 'EBAY_XX', 11_011],
    ['item/nonsense', 'EBAY_US', 11_012],
    ['item/get_item_by_legacy_id?legacy_item_id=100000000000', 'EBAY_US', 11_001],
  ];
  for (const [path, marketplace, errorId] of faults) {
    const { json } = await browse(path, marketplace);
    assert.equal(Number(json['errors']?.[0]?.['errorId']), errorId, path);
  }
  apis.wait(7_201_000);
  assert.equal((await browse(`item_summary/search?gtin=${apis.described.upc}`)).status, 401);
});
