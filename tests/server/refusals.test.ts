// A call that is refused or fails writes nothing to the store. The codes themselves are proved in tests/contract.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Problem } from '../../src/answer/wire/problem.ts';
import { ask } from '../support/whole-answers.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const at = (address: string) => `/v1/products/${encodeURIComponent(address)}`;

/** Returns everything that a call could change, except the throttle's count. */
async function stored(): Promise<string> {
  const tables = ['listings', 'observations', 'ledger', 'reservations', 'shops', 'shop_facts'];
  const parts = tables.map(async (table) => {
    const rows = await service.app.store.sql.all(`select count(*) as n from ${table}`);
    return `${table} ${Number(rows[0]?.['n'])}`;
  });
  const balances = await service.app.store.sql.all('select used, reserved, calls from balances');
  return `${(await Promise.all(parts)).join(', ')} ${JSON.stringify(balances)}`;
}

async function writesNothing(path: string, status: number, code: string): Promise<void> {
  const before = await stored();
  const answer = await service.get(path);
  assert.equal(answer.status, status, `${path} ${JSON.stringify(answer.body)}`);
  assert.equal(Problem.parse(answer.body).code, code, path);
  assert.equal(await stored(), before, path);
}

const REFUSALS: readonly (readonly [path: string, status: number, code: string])[] = [
  ['/v1/products/hello%20world!', 400, 'invalid_identifier'],
  ['/v1/products/%FF', 400, 'invalid_identifier'],
  ['/v1/products/%ff/history', 400, 'invalid_identifier'],
  ['/v1/products/0123%00456', 400, 'invalid_identifier'],
  ['/v1/products/4006381333931?include_ofers=true', 400, 'unknown_parameter'],
  ['/v1/products/4006381333931?format=EAN&format=UPC', 400, 'invalid_parameter'],
  ['/v1/products/4006381333931?force_refresh=true', 400, 'force_refresh_requires_retailer'],
  ['/v1/products', 400, 'invalid_parameter'],
  [at('http://169.254.169.254/latest'), 400, 'url_not_allowed'],
  [at('http://intranet/p'), 400, 'url_not_allowed'],
  [at('https://u:p@shop.example.com/'), 400, 'url_not_allowed'],
  ['/v1/products/9901234567899', 404, 'not_found'],
  ['/v1/products/9901234567899/history', 404, 'not_found'],
  ['/v1/lookup?upc=012345678905', 404, 'unknown_route'],
];

test('a refused call writes nothing and asks no shop', async () => {
  await service.untilQueueIdle();
  const requests = service.sandbox.requestCount();
  for (const [path, status, code] of REFUSALS) await writesNothing(path, status, code);
  assert.equal(service.sandbox.requestCount(), requests);
});

test('a call whose shop fails writes nothing', async () => {
  const { trouble, other_pages: others } = service.sandbox.describe();
  for (const [url, status, code] of [
    [trouble.blocked, 503, 'upstream_unavailable'],
    [trouble.broken, 503, 'upstream_unavailable'],
    [trouble.down, 503, 'upstream_unavailable'],
    [trouble.gone, 404, 'not_found'],
    [trouble.redesigned, 422, 'source_unusable'],
    [others['category'] ?? '', 404, 'not_found'],
    [trouble.disallowed, 422, 'source_unusable'],
    [trouble.too_large, 422, 'source_unusable'],
  ] as const) {
    await writesNothing(at(url), status, code);
  }
});

test('a parameter that is given twice is named, and no answer to a known key is cached', async () => {
  const { body, headers } = await service.get(
    '/v1/products/4006381333931?include_stats=1&include_stats=1',
  );
  assert.equal(body['parameter'], 'include_stats');
  assert.match(String(body['detail']), /more than once/);
  assert.equal(headers.get('cache-control'), 'private, no-store');
});

test('a Host that makes no address is the caller’s fault, not ours', async () => {
  for (const host of ['1.2.3.4.5', '1.2.3.256', 'a.1', 'a.0x1']) {
    const { status, body } = await ask(service, '/v1/products/614141000005', { host });
    assert.equal(status, 400, host);
    assert.equal(Problem.parse(JSON.parse(body)).code, 'invalid_parameter', host);
  }
});
