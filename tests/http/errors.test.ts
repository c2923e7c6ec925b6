import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Problem } from '../../src/wire/problem.ts';
import { startService, type Answer, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** Everything that a call could change, except the throttle's count. */
async function stored(): Promise<string> {
  const tables = ['listings', 'observations', 'ledger', 'reservations', 'shops', 'shop_facts'];
  const parts = tables.map(async (table) => {
    const rows = await service.app.store.sql.all(`select count(*) as n from ${table}`);
    return `${table} ${Number(rows[0]?.['n'])}`;
  });
  const balances = await service.app.store.sql.all('select used, reserved, calls from balances');
  return `${(await Promise.all(parts)).join(', ')} ${JSON.stringify(balances)}`;
}

async function refused(answer: Answer, status: number, code: string): Promise<void> {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  const problem = Problem.parse(answer.body);
  assert.equal(problem.code, code);
  assert.equal(problem.status, status);
  assert.equal(problem.error, problem.detail);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
}

type Case = readonly [what: string, path: string, status: number, code: string];

const at = (address: string) => `/v1/products/${encodeURIComponent(address)}`;

const REFUSALS: readonly Case[] = [
  ['text of no form', '/v1/products/hello%20world!', 400, 'invalid_identifier'],
  ['a wrong check digit', '/v1/products/4006381333932', 400, 'invalid_identifier'],
  ['broken percent-encoding', '/v1/products/%FF', 400, 'invalid_identifier'],
  ['a NUL', '/v1/products/0123%00456', 400, 'invalid_identifier'],
  ['an unknown format', '/v1/products/012345678905?format=EAM', 400, 'invalid_parameter'],
  [
    'an unknown parameter',
    '/v1/products/4006381333931?include_ofers=true',
    400,
    'unknown_parameter',
  ],
  [
    'a parameter given twice',
    '/v1/products/4006381333931?format=EAN&format=UPC',
    400,
    'invalid_parameter',
  ],
  ['a strange boolean', '/v1/products/4006381333931?include_stats=maybe', 400, 'invalid_parameter'],
  ['a strange slug', '/v1/products/4006381333931?retailer=Big-Shop', 400, 'invalid_parameter'],
  [
    'force_refresh alone',
    '/v1/products/4006381333931?force_refresh=true',
    400,
    'force_refresh_requires_retailer',
  ],
  [
    'a product id with retailer=',
    '/v1/products/J7XSRH4KQS?retailer=retailer_b',
    400,
    'bare_identifier_required',
  ],
  ['a coupon', '/v1/products/9901234567899', 404, 'not_found'],
  ['a private address', at('http://127.0.0.1/p'), 400, 'url_not_allowed'],
  ['a metadata service', at('http://169.254.169.254/latest'), 400, 'url_not_allowed'],
  ['a strange port', at('https://shop.example.com:22/p'), 400, 'url_not_allowed'],
  ['a single label', at('http://intranet/p'), 400, 'url_not_allowed'],
  ['credentials', at('https://u:p@shop.example.com/'), 400, 'url_not_allowed'],
  ['an unknown route', '/v1/lookup?upc=012345678905', 404, 'unknown_route'],
  ['the address not encoded', '/v1/products/https://shop.example.com/p', 404, 'unknown_route'],
  ['a missing url', '/v1/products', 400, 'invalid_parameter'],
];

for (const [what, path, status, code] of REFUSALS) {
  test(`${what} is ${status} ${code}, is not billed and changes nothing`, async () => {
    const before = await stored();
    await service.worked();
    const asked = service.sandbox.requestCount();
    await refused(await service.get(path), status, code);
    assert.equal(await stored(), before);
    assert.equal(service.sandbox.requestCount(), asked);
  });
}

test('every refused address gets the very same body, whatever the reason', async () => {
  const bodies = await Promise.all(
    ['http://127.0.0.1/', 'https://no-such-host.invalid/', 'https://shop.example.com:8080/'].map(
      async (address) => {
        const { body } = await service.lookup(address);
        return JSON.stringify({ ...body, request_id: '' });
      },
    ),
  );
  assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
});

test('trouble at the shop has its own code, is not billed and changes nothing', async () => {
  const { trouble, other_pages: others } = service.sandbox.describe();
  const cases: readonly (readonly [string, string, number, string, string | undefined])[] = [
    ['a wall', trouble.blocked, 503, 'upstream_unavailable', 'upstream_blocked'],
    ['a gone page', trouble.gone, 404, 'not_found', undefined],
    ['a missing page', trouble.missing, 404, 'not_found', undefined],
    ['a page without data', trouble.redesigned, 404, 'not_found', 'not_a_product'],
    ['a page closed to robots', trouble.disallowed, 422, 'source_unusable', 'robots_disallowed'],
    ['an error of the shop', trouble.broken, 503, 'upstream_unavailable', 'upstream_error'],
    ['a page of 20 MB', trouble.too_large, 422, 'source_unusable', 'upstream_too_large'],
    ['a home page', others['home'] ?? '', 404, 'not_found', 'not_a_product'],
    ['a category', others['category'] ?? '', 404, 'not_found', 'not_a_product'],
    ['an article', others['article'] ?? '', 404, 'not_found', 'not_a_product'],
    ['search results', others['search'] ?? '', 404, 'not_found', 'not_a_product'],
    ['a broken connection', trouble.down, 503, 'upstream_unavailable', 'upstream_reset'],
  ];
  for (const [what, url, status, code, upstream] of cases) {
    const before = await stored();
    const answer = await service.lookup(url);
    await refused(answer, status, code);
    assert.equal(answer.body['upstream'], upstream, what);
    assert.equal(answer.body['tokens_remaining'], 1_000_000, what);
    if (status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/, what);
    assert.equal(await stored(), before, what);
  }
});

test('a missing key, a wrong one and a wrong scheme are 401 with WWW-Authenticate', async () => {
  const path = at(service.sandbox.describe().url.json_ld);
  const missing = await fetch(`${service.url}${path}`);
  assert.equal(missing.status, 401);
  assert.equal(missing.headers.get('www-authenticate'), 'Bearer realm="openshelf"');
  assert.equal(Problem.parse(await missing.json()).code, 'missing_api_key');
  for (const wrong of [
    'Bearer osk_live_nothing',
    `Bearer ${service.key.slice(0, -1)}${service.key.endsWith('x') ? 'y' : 'x'}`,
  ]) {
    const answer = await service.get(path, { authorization: wrong });
    await refused(answer, 401, 'invalid_api_key');
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    assert.ok(!('tokens_remaining' in answer.body));
  }
});

test('a method that a route does not take is 405 with Allow', async () => {
  const response = await fetch(`${service.url}/v1/products/012345678905`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${service.key}` },
  });
  assert.equal(response.status, 405);
  assert.match(response.headers.get('allow') ?? '', /GET/);
  assert.equal(Problem.parse(await response.json()).code, 'method_not_allowed');
});

test('a body is 413, and an address of 9,000 characters 414', async () => {
  const response = await fetch(`${service.url}/v1/products/012345678905`, {
    method: 'POST',
    body: 'x',
    headers: { authorization: `Bearer ${service.key}` },
  });
  assert.equal(response.status, 413);
  await refused(await service.get(`/v1/products/${'a'.repeat(9_000)}`), 414, 'uri_too_long');
});

test('a call that the quota does not cover is 429 and starts no fetch', async () => {
  const key = await service.newKey({ organization: 'poor', note: null, monthlyQuota: 1 });
  const headers = { authorization: `Bearer ${key}` };
  const { url, out_of_stock_url: other } = service.sandbox.describe();
  assert.equal((await service.get(at(url.hosted), headers)).status, 200);
  await service.worked();
  const asked = service.sandbox.requestCount();
  const answer = await service.get(at(other), headers);
  await refused(answer, 429, 'quota_exceeded');
  assert.equal(answer.body['tokens_remaining'], 0);
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(service.sandbox.requestCount(), asked);
});

test('a caller faster than its throttle is 429 with the time to wait', async () => {
  const key = await service.newKey({
    organization: 'hasty',
    note: null,
    throttlePerMinute: 1,
    throttleBurst: 2,
  });
  const headers = { authorization: `Bearer ${key}` };
  const path = at(service.sandbox.describe().url.hosted);
  assert.equal((await service.get(path, headers)).status, 200);
  assert.equal((await service.get(path, headers)).status, 200);
  const answer = await service.get(path, headers);
  await refused(answer, 429, 'throttled');
  const wait = Number(answer.headers.get('retry-after'));
  assert.ok(wait > 0 && wait <= 60, `waits ${wait} s`);
});

test('unknown names are answered with the nearest right one', async () => {
  const parameter = await service.get('/v1/products/4006381333931?include_stat=1');
  assert.match(String(parameter.body['detail']), /include_stats/);
  const route = await service.get('/v1/product/4006381333931');
  assert.match(String(route.body['detail']), /\/v1\/products/);
});

test('a value that is not accepted names what is; a parameter given twice is told so', async () => {
  const url = encodeURIComponent(service.sandbox.describe().url.hosted);
  for (const [query, allowed] of [
    ['include_stats=maybe', ['true', 'false', '1', '0']],
    ['include_stats=', ['true', 'false', '1', '0']],
    ['identifier_match=all', ['any', 'confirmed']],
    ['format=zip', ['UPC', 'EAN', 'ISBN', 'GTIN', 'ASIN', 'item_id']],
  ] as const) {
    const { status, body } = await service.get(`/v1/products/${url}?${query}`);
    assert.deepEqual([status, body['code']], [400, 'invalid_parameter'], query);
    assert.deepEqual(body['allowed'], allowed, query);
    assert.match(String(body['detail']), /invalid/, query);
  }
  const twice = await service.get(`/v1/products/${url}?include_stats=true&include_stats=true`);
  assert.deepEqual([twice.status, twice.body['code']], [400, 'invalid_parameter']);
  assert.match(String(twice.body['detail']), /more than once/);
});

test('every answer to a known key says where it stands with its limits, refusals too', async () => {
  const key = await service.newKey({ organization: 'narrow', note: null, scopes: ['admin'] });
  const authorization = `Bearer ${key}`;
  const answers = [
    await service.get('/v1/products/4006381333931', { authorization }),
    await service.get('/v1/products/hello', {}),
    await service.get('/v1/products/4006381333931?format=EAM', {}),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 400, 400],
  );
  for (const { headers } of answers) {
    assert.match(headers.get('ratelimit') ?? '', /^"throttle";r=\d+/);
    assert.match(headers.get('ratelimit-policy') ?? '', /^"throttle";q=\d+/);
    assert.equal(headers.get('cache-control'), 'private, no-store');
  }
  const unknown = await service.get('/v1/usage', { authorization: 'Bearer none' });
  assert.equal(unknown.headers.get('ratelimit'), null);
});
