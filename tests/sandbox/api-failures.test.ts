// The failures of the simulated official APIs: each is what the API documents, at the address that documents it, for as long
// as it is switched on.

import assert from 'node:assert/strict';
import { createSign } from 'node:crypto';
import { after, before, test } from 'node:test';

import { API_FAILURES } from '../../sandbox/api-errors.ts';
import type { ApiFailure, OfficialApi } from '../../sandbox/api-errors.ts';
import { failuresOf, OFFICIAL_APIS } from '../../sandbox/api-failures.ts';
import { SANDBOX_ACCESS } from '../../sandbox/tokens.ts';
import type { SourceFailureKind } from '../../src/base/source-state.ts';
import { apiFailure } from '../../src/read/retailers/api-failures.ts';
import { openApis } from './api-caller.ts';
import type { ApiCaller, Ask, Reply } from './api-caller.ts';

const { apiKey, clientId, clientSecret, consumerId, keyVersion, refreshToken } = SANDBOX_ACCESS;
const BASIC = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
const SERVICE = { 'WM_SVC.NAME': 'Marketplace', 'WM_QOS.CORRELATION_ID': 'a-1' };
const MARKETPLACE = 'https://marketplace.retailer-w.example';
const LOGIN = 'https://login.retailer-a.example';
const BROWSE = 'https://browse.retailer-e.example';
const PRODUCTS = 'https://products.retailer-b.example';
const SELLING_PARTNER = 'https://selling-partner.retailer-a.example';

let apis: ApiCaller;

before(async () => {
  apis = await openApis();
});
after(() => apis[Symbol.asyncDispose]());

function form(fields: Readonly<Record<string, string>>): Ask {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: BASIC };
  return { headers: { ...SERVICE, ...headers }, body: new URLSearchParams(fields).toString() };
}

const CLIENT = { client_id: clientId, client_secret: clientSecret };

/** How each API issues a token, and how it is asked for a barcode with one. */
const CALLS: Readonly<
  Record<
    OfficialApi,
    {
      readonly token?: () => Promise<Reply>;
      readonly ask: (token: string, code: string) => Promise<Reply>;
    }
  >
> = {
  affiliate: {
    ask: (_token, code) => {
      const at = String(apis.now());
      const signer = createSign('RSA-SHA256').update(`${consumerId}\n${at}\n${keyVersion}\n`);
      const headers = {
        'WM_CONSUMER.ID': consumerId,
        'WM_CONSUMER.INTIMESTAMP': at,
        'WM_SEC.KEY_VERSION': keyVersion,
        'WM_SEC.AUTH_SIGNATURE': signer.sign(apis.privateKey, 'base64'),
      };
      const path = `/api-proxy/service/affil/product/v2/items?upc=${code}`;
      return apis.ask('https://affiliate.retailer-w.example', path, { headers });
    },
  },
  marketplace: {
    token: () => apis.ask(MARKETPLACE, '/v3/token', form({ grant_type: 'client_credentials' })),
    ask: (token, code) =>
      apis.ask(MARKETPLACE, `/v3/items/any/search?upc=${code}`, {
        headers: { ...SERVICE, 'WM_SEC.ACCESS_TOKEN': token },
      }),
  },
  creators: {
    token: () =>
      apis.ask(
        LOGIN,
        '/auth/o2/token',
        form({ grant_type: 'client_credentials', scope: 'creatorsapi::default' }),
      ),
    ask: (token, code) =>
      apis.ask('https://creators.retailer-a.example', '/catalog/v1/searchItems', {
        headers: { authorization: `Bearer ${token}`, 'x-marketplace': 'www.retailer-a.example' },
        body: JSON.stringify({ keywords: code, partnerTag: 'x-20' }),
      }),
  },
  selling_partner: {
    token: () =>
      apis.ask(
        LOGIN,
        '/auth/o2/token',
        form({ ...CLIENT, grant_type: 'refresh_token', refresh_token: refreshToken }),
      ),
    ask: (token, code) =>
      apis.ask(
        SELLING_PARTNER,
        `/catalog/2022-04-01/items?identifiers=${code}&identifiersType=UPC&marketplaceIds=US`,
        { headers: { 'x-amz-access-token': token } },
      ),
  },
  browse: {
    token: () =>
      apis.ask(
        BROWSE,
        '/identity/v1/oauth2/token',
        form({ grant_type: 'client_credentials', scope: 'https://api.example/oauth/api_scope' }),
      ),
    ask: (token, code) =>
      apis.ask(BROWSE, `/buy/browse/v1/item_summary/search?gtin=${code}`, {
        headers: { authorization: `Bearer ${token}`, 'X-EBAY-C-MARKETPLACE-ID': 'EBAY_US' },
      }),
  },
  products: {
    ask: (_token, code) =>
      apis.ask(PRODUCTS, `/v1/products(upc=${code})?format=json&apiKey=${apiKey}`),
  },
};

async function tokenOf(api: OfficialApi): Promise<string> {
  const reply = await CALLS[api].token?.();
  return reply === undefined ? '' : String(reply.json['access_token']);
}

/** Status, what the body must contain, and whether Retry-After is stated; `token`: at the address that issues tokens. */
type Wanted = readonly [status: number, body: RegExp, more?: 'token' | 'later'];

/** From the providers' published error tables. */
const WANTED: Readonly<Record<OfficialApi, Partial<Record<ApiFailure, Wanted>>>> = {
  affiliate: {
    wrong_key: [403, /no Public Key for consumer Id/],
    expired_token: [401, /time stamp/],
    throttled: [429, /"errors"/, 'later'],
    throttled_silently: [429, /"errors"/],
    broken: [500, /"errors"/],
  },
  marketplace: {
    wrong_key: [401, /"UNAUTHORIZED\.GMP_GATEWAY_API"/, 'token'],
    expired_token: [401, /"UNAUTHORIZED\.GMP_GATEWAY_API"/],
    throttled: [429, /"REQUEST_THRESHOLD_VIOLATED/, 'later'],
    throttled_silently: [429, /"REQUEST_THRESHOLD_VIOLATED/],
    broken: [500, /"error":\[/],
  },
  creators: {
    wrong_key: [401, /"invalid_client"/, 'token'],
    expired_token: [401, /"reason":"TokenExpired"/],
    not_eligible: [403, /"reason":"AssociateNotEligible"/],
    throttled: [429, /"serviceCode".*"quotaCode"/, 'later'],
    throttled_silently: [429, /"serviceCode".*"quotaCode"/],
    quota_spent: [429, /"quotaCode":"RequestsPerDay"/],
    broken: [500, /"InternalServerException"/],
  },
  selling_partner: {
    wrong_key: [401, /"invalid_client"/, 'token'],
    expired_token: [403, /"Unauthorized".*has expired/],
    not_eligible: [403, /"Unauthorized".*"details":""/],
    throttled: [429, /"QuotaExceeded"/, 'later'],
    throttled_silently: [429, /"QuotaExceeded"/],
    broken: [500, /"InternalFailure"/],
    unavailable: [503, /"ServiceUnavailable"/],
  },
  browse: {
    wrong_key: [401, /"invalid_client"/, 'token'],
    expired_token: [401, /"errorId":1001/],
    not_eligible: [403, /"errorId":1100/],
    throttled: [429, /"errorId":2001/, 'later'],
    quota_spent: [429, /"errorId":2001/],
    broken: [500, /"errorId":12000/],
  },
  products: {
    wrong_key: [403, /API Key is invalid/],
    throttled: [429, /"errorMessage"/, 'later'],
    throttled_silently: [403, /per second limit/],
    quota_spent: [403, /daily limit/],
    broken: [500, /"errorMessage"/],
  },
};

for (const api of OFFICIAL_APIS) {
  test(`${api}: each failure has the documented status and body, and ends when it is switched off`, async () => {
    const { token, ask } = CALLS[api];
    const { upc } = apis.described;
    for (const [kind, [status, body, more]] of Object.entries(WANTED[api])) {
      apis.sandbox.fail(api, null);
      const before = await tokenOf(api);
      apis.sandbox.fail(api, kind as ApiFailure);
      const reply =
        more === 'token' && token !== undefined
          ? await token()
          : await ask(await tokenOf(api), upc);
      assert.equal(reply.status, status, kind);
      assert.match(JSON.stringify(reply.json), body, kind);
      assert.equal(reply.headers.get('retry-after'), more === 'later' ? '30' : null, kind);
      if (more === 'token') assert.ok([401, 403].includes((await ask(before, upc)).status), kind);
    }
    apis.sandbox.fail(api, null);
    assert.equal((await ask(await tokenOf(api), upc)).status, 200);
  });

  test(`${api}: gateways, an empty answer, two products by one barcode and redirects`, async () => {
    const { token, ask } = CALLS[api];
    const { upc } = apis.described;
    const found = async (kind: ApiFailure) => {
      apis.sandbox.fail(api, kind);
      return ask(await tokenOf(api), upc);
    };
    assert.equal((await found('unavailable')).status, 503);
    const html = await found('html');
    assert.equal(html.status, 200);
    assert.match(html.headers.get('content-type') ?? '', /^text\/html/);
    const { asin, item_id: itemId, retailers } = apis.described;
    const own = { retailer_b: retailers.retailer_b.id, retailer_e: retailers.retailer_e.id };
    const ids = [asin, itemId, own.retailer_b, own.retailer_e.split('?')[0] ?? ''];
    const says = (reply: Reply) => JSON.stringify(reply.json);
    const empty = says(await found('empty'));
    assert.ok(!ids.some((id) => empty.includes(id)), empty);
    const several = says(await found('several'));
    assert.ok(ids.some((id) => several.includes(id)));
    assert.ok((several.match(/"(?:asin|itemId|sku)":/g) ?? []).length >= 2, several);
    const away = await found('redirected');
    assert.equal(away.status, 302);
    const target = new URL(away.headers.get('location') ?? '');
    assert.equal(target.origin, 'https://www.birchandbolt.example');
    if (token !== undefined) {
      apis.sandbox.fail(api, 'token_redirected');
      assert.equal((await token()).status, 302);
    }
    apis.sandbox.fail(api, null);
  });
}

test('the table above has every documented failure of every API', () => {
  const ofAll = new Set(['unavailable', 'html', 'empty', 'several', 'redirected']);
  for (const api of OFFICIAL_APIS) {
    const tested = new Set([...Object.keys(WANTED[api]), ...ofAll, 'token_redirected']);
    const kinds = failuresOf(api).filter((kind) => !tested.has(kind));
    assert.deepEqual(kinds, [], api);
  }
});

const SOURCES: Readonly<Record<OfficialApi, string>> = {
  affiliate: 'retailer_w.affiliate',
  marketplace: 'retailer_w.marketplace',
  creators: 'retailer_a.creators',
  selling_partner: 'retailer_a.selling_partner',
  browse: 'retailer_e.browse',
  products: 'retailer_b.products',
};

const KINDS: Readonly<Partial<Record<ApiFailure, SourceFailureKind>>> = {
  wrong_key: 'credentials_refused',
  expired_token: 'credentials_refused',
  not_eligible: 'not_eligible',
  throttled: 'throttled',
  throttled_silently: 'throttled',
  quota_spent: 'quota_spent',
  broken: 'unreachable',
  unavailable: 'unreachable',
  html: 'unreadable',
  token_redirected: 'unreadable',
};

test('each failure is of the kind that its name says, for the program that queries the API', async () => {
  let checked = 0;
  for (const api of OFFICIAL_APIS) {
    const { token, ask } = CALLS[api];
    for (const kind of failuresOf(api)) {
      const wanted = KINDS[kind];
      if (wanted === undefined) continue;
      apis.sandbox.fail(api, null);
      const before = await tokenOf(api);
      apis.sandbox.fail(api, kind);
      const isOfTokens = kind === 'token_redirected' || WANTED[api][kind]?.[2] === 'token';
      const { status, headers, json } =
        isOfTokens && token !== undefined ? await token() : await ask(before, apis.described.upc);
      const isJson = headers.get('content-type')?.includes('json') === true;
      const body = Buffer.from(isJson ? JSON.stringify(json) : String(json['text']));
      const type = headers.get('content-type') ?? '';
      const page = { status, headers: { 'content-type': type }, body };
      const found = apiFailure(SOURCES[api], isOfTokens ? 'token' : 'api', page);
      // Browse says the same of all its limits, and documents that of a day.
      const isOneOfBrowse = api === 'browse' && kind === 'throttled';
      assert.equal(found?.kind, isOneOfBrowse ? 'quota_spent' : wanted, `${api} ${kind}`);
      checked += 1;
    }
    apis.sandbox.fail(api, null);
  }
  assert.ok(checked >= 40);
});

test('a person switches failures at any port, and sees which there are', async () => {
  const at = 'https://www.retailer-l.example';
  const one = await apis.ask(at, '/__failures/browse/quota_spent', { method: 'POST' });
  assert.equal(String(one.json['apis']?.['browse']?.['now']), 'quota_spent');
  const token = await tokenOf('browse');
  assert.equal((await CALLS.browse.ask(token, apis.described.upc)).status, 429);
  await apis.ask(at, '/__failures/browse/none', { method: 'POST' });
  assert.equal((await CALLS.browse.ask(token, apis.described.upc)).status, 200);
  const listed = await apis.ask(at, '/__failures');
  assert.deepEqual(Object.keys(listed.json['kinds'] ?? {}), Object.keys(API_FAILURES));
  for (const path of ['/__failures/browse/typo', '/__failures/typo/html', '/__failures']) {
    assert.equal((await apis.ask(at, path, { method: 'POST' })).status, 404, path);
  }
});

test('retailer_b answers XML unless JSON is requested', async () => {
  const path = `/v1/products(upc=${apis.described.upc})?apiKey=${apiKey}&show=sku,name`;
  const { status, headers, json } = await apis.ask(PRODUCTS, path);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^application\/xml/);
  assert.match(String(json['text']), /^<\?xml.*\n<products .*total="1".*<sku>\d+<\/sku>/);
});
