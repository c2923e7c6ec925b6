import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { EMPTY_LISTING } from '../../src/listing/listing.ts';
import { KNOWN_SLUGS } from '../../src/core/retailer.ts';
import { generateKey } from '../../src/metering/api-key.ts';
import { upsertListing } from '../../src/store/listings.ts';
import { RetailerList, RouteList, UsageReport } from '../../src/wire/installation.ts';
import { Problem } from '../../src/wire/problem.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const FREE = ['/v1', '/v1/usage', '/v1/retailers', '/v1/rate-cards'];

async function ledgerRows(): Promise<number> {
  const [row] = await service.app.store.sql.all('select count(*) as n from ledger');
  return Number(row?.['n']);
}

test('the free routes cost nothing, write no ledger row, and say where the tokens stand', async () => {
  const before = await ledgerRows();
  for (const path of FREE) {
    const { status, body, headers } = await service.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body['tokens_consumed'], 0);
    assert.equal(typeof body['tokens_remaining'], 'number');
    assert.match(headers.get('ratelimit') ?? '', /r=\d+/);
    assert.equal(headers.get('cache-control'), 'private, no-store');
  }
  assert.equal(await ledgerRows(), before);
});

test('they need a key, any key, and take no parameter', async () => {
  const { store } = service.app;
  const organization = await store.accounts.upsertOrganization({ name: 'watchers' }, Date.now());
  const { id, text, secretSha256 } = generateKey();
  const key = { id, organizationId: organization.id, secretSha256, scopes: ['admin'], note: null };
  await store.accounts.insertKey({ ...key, createdAtMs: Date.now(), expiresAtMs: null });
  for (const path of FREE) {
    const missing = await fetch(`${service.url}${path}`);
    assert.equal(missing.status, 401);
    assert.equal(Problem.parse(await missing.json()).code, 'missing_api_key');
    assert.equal((await service.get(path, { authorization: `Bearer ${text}` })).status, 200, path);
    const asked = await service.get(`${path}?month=2026-01`);
    assert.equal(asked.status, 400);
    assert.equal(asked.body['code'], 'unknown_parameter');
  }
});

test('they count against the throttle like any other call', async () => {
  const limits = { throttlePerMinute: 1, throttleBurst: FREE.length };
  const key = await service.newKey({ organization: 'eager', note: null, ...limits });
  const headers = { authorization: `Bearer ${key}` };
  for (const path of FREE) assert.equal((await service.get(path, headers)).status, 200);
  const refused = await service.get('/v1', headers);
  assert.equal(refused.status, 429);
  assert.equal(refused.body['code'], 'throttled');
});

test('GET /v1 lists the routes of the document', async () => {
  const { body } = await service.get('/v1');
  const { routes, documentation } = RouteList.parse(body);
  const document = (await service.get(documentation)).body;
  const documented = Object.keys(document['paths'] as Record<string, unknown>);
  assert.deepEqual([...new Set(routes.map((route) => route.path))].sort(), documented.sort());
  const product = routes.find((route) => route.path === '/v1/products/{id}');
  assert.equal(product?.method, 'GET');
  assert.equal(product.needs_key, true);
  assert.equal(routes.find((route) => route.path === '/livez')?.needs_key, false);
});

test('GET /v1/usage adds up by day, endpoint and key, and equals the ledger', async () => {
  const url = service.sandbox.describe().url.json_ld;
  const request = { organization: 'buyers', monthlyQuota: 100 };
  const first = await service.newKey({ ...request, note: 'shop' });
  const second = await service.newKey({ ...request, note: null });
  const ask = (key: string, id: string) =>
    service.get(`/v1/products/${encodeURIComponent(id)}`, { authorization: `Bearer ${key}` });
  for (const key of [first, first, second]) assert.equal((await ask(key, url)).status, 200);
  assert.equal((await ask(second, 'hello!')).status, 400);
  const { body } = await service.get('/v1/usage', { authorization: `Bearer ${first}` });
  const usage = UsageReport.parse(body);
  assert.equal(usage.organization, 'buyers');
  assert.deepEqual(
    [usage.tokens_allowance, usage.tokens_used, usage.calls, usage.tokens_remaining],
    [100, 3, 3, 97],
  );
  assert.deepEqual(usage.endpoints, [{ endpoint: 'GET /v1/products/{id}', tokens: 3, calls: 3 }]);
  assert.deepEqual(
    usage.keys.map(({ note, tokens, calls }) => [note, tokens, calls]),
    [
      ['shop', 2, 2],
      [null, 1, 1],
    ],
  );
  const days = usage.days.reduce((sum, day) => sum + day.tokens, 0);
  assert.equal(days, 3);
  assert.match(usage.month_ends_at, /^\d{4}-\d{2}-01T00:00:00.000Z$/);
});

test('GET /v1/retailers says what has credentials, and when each was last read', async () => {
  const before = RetailerList.parse((await service.get('/v1/retailers')).body);
  assert.deepEqual(
    before.retailers.map((each) => each.retailer),
    [...KNOWN_SLUGS],
  );
  const page = before.retailers.flatMap((each) =>
    each.sources.filter((source) => source.name === 'page'),
  );
  assert.ok(page.length > 0 && page.every((source) => source.configured));
  const apis = before.retailers.flatMap((each) =>
    each.sources.filter((source) => source.official_api),
  );
  assert.ok(apis.length > 0);
  for (const api of apis) {
    assert.equal(api.configured, false);
    assert.ok(api.missing_settings.every((name) => /^OPENSHELF_RETAILER_\w_/.test(name)));
  }
  assert.equal(before.search_provider, null);
  const retailer = before.retailers.find((each) => each.retailer === 'retailer_w');
  assert.equal(retailer?.last_success_at, null);
});

test('the newest record is the last success of its retailer', async () => {
  const atMs = Date.parse('2026-03-14T12:00:00Z');
  const place = { retailer: 'retailer_t', key: '12345678', foundVia: 'native_catalog' } as const;
  const url = 'https://shop.example.com/12345678';
  const read = (fetchedAtMs: number, key: string) =>
    upsertListing({
      ...place,
      key,
      url,
      fetchedAtMs,
      listing: EMPTY_LISTING,
      notes: { missing: [], remarks: [] },
    });
  await service.app.store.sql.write([read(atMs - 1_000, '1'), read(atMs, '12345678')]);
  const { retailers } = RetailerList.parse((await service.get('/v1/retailers')).body);
  const found = retailers.find((each) => each.retailer === 'retailer_t');
  assert.equal(found?.last_success_at, '2026-03-14T12:00:00.000Z');
});

test('with credentials the official API stands as configured, and no value is shown', async () => {
  const secret = 'not-to-be-seen';
  const env = { OPENSHELF_RETAILER_B_API_KEY: secret };
  await using configured = await startService({ env });
  const answer = await configured.get('/v1/retailers');
  const { retailers } = RetailerList.parse(answer.body);
  const source = retailers
    .find((each) => each.retailer === 'retailer_b')
    ?.sources.find((each) => each.official_api);
  assert.deepEqual([source?.configured, source?.missing_settings], [true, []]);
  assert.ok(!JSON.stringify(answer.body).includes(secret));
});
