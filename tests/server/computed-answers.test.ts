// A call with nothing to validate is computed like one read with its schemas: the same bytes, headers, charges and faults.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { checkStore } from '../../src/data/maintenance/check.ts';
import { startService } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';
import {
  ask,
  cachedCount,
  COMPUTED,
  targetsOf,
  withoutBalance,
  type Headers,
  type WholeAnswer,
} from '../support/whole-answers.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const NOTHING_CACHED = { OPENSHELF_CACHE_MB: '0' };

const GZIP = { 'accept-encoding': 'gzip' };

/** Makes a header that a route's schemas read, with a different key each time. */
function createReadWithSchemas(): () => Headers {
  let count = 0;
  return () => ({ 'idempotency-key': `k${(count += 1)}` });
}

test('a computed answer has the bytes and the headers of one that is read with schemas, from its first fetch on', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env: NOTHING_CACHED });
  const readWithSchemas = createReadWithSchemas();
  for (const target of targetsOf(service)) {
    const first = await ask(service, target);
    assert.equal(first.status, 200, first.body);
    await service.untilQueueIdle();
    const variants: readonly Headers[] = [
      {},
      GZIP,
      { 'accept-encoding': 'deflate' },
      { 'accept-encoding': 'br' },
      { 'x-request-id': 'my-own.1', 'x-amzn-trace-id': 'Root=1', via: '1.1 proxy' },
      { 'x-request-id': 'not one' },
      { connection: 'close' },
    ];
    for (const headers of variants) {
      const computed = await ask(service, target, headers);
      const read = await ask(service, target, { ...headers, ...readWithSchemas() });
      assert.deepEqual(withoutBalance(computed), withoutBalance(read), target);
      const accepted = headers['accept-encoding'];
      assert.equal(computed.headers['content-encoding'], accepted === 'br' ? undefined : accepted);
      const given = headers['x-request-id'];
      if (given === 'my-own.1') assert.equal(computed.headers['x-request-id'], given);
      else assert.notEqual(computed.headers['x-request-id'], given);
    }
  }
  assert.deepEqual(await checkStore(service.app.store.sql), [], 'and every call was charged once');
});

/** Returns the response to a refused call, without what identifies the call. */
const sameFault = ({ status, headers, body }: WholeAnswer) => ({
  status,
  headers: { ...headers, 'x-request-id': '', ratelimit: '' },
  body: body.replace(/"request_id":"[^"]*"/, ''),
});

test('a faulty call gets the same words whether it is read with schemas or not, and whether its answer is cached or not', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const { upc, url } = service.sandbox.describe();
  const readWithSchemas = createReadWithSchemas();
  const [known = ''] = targetsOf(service);
  for (let asked = 0; asked < 6; asked += 1) {
    await ask(service, known);
    await service.untilQueueIdle();
  }
  assert.ok((await cachedCount(service)) > 0);
  const targets = [
    '/v1/products/12345',
    '/v1/products/%ff1',
    '/v1/products/%zz1',
    '/v1/products/..%2f1',
    '/v1/products/%2e%2e',
    '/v1/products/0%00',
    `/v1/products/${upc}?include_offer=true`,
    `/v1/products/${upc}?include_stats=perhaps`,
    `/v1/products/${upc}?include_stats=true&include_stats=true`,
    `/v1/products/${upc}?force_refresh=true`,
    `/v1/products/${upc}?retailer=${encodeURIComponent('no such')}`,
    `/v1/products/${upc}?__proto__=1`,
    `/v1/products/${upc}/history?timeframe=1x`,
    `/v1/products/${upc}/history?cursor=none`,
    `/v1/products/${upc}/compare?cost=cheap`,
    `/v1/products/${upc}/nothing`,
    '/v1/products/4006381333931/history',
    '/v1/products/4006381333931/compare',
    '/v1/products/4006381333931',
    '/v1/products',
    '/v1/products?url=',
    '/v1/products?url=http%3A%2F%2F127.0.0.1%2F',
    `/v1/products/${encodeURIComponent('http://169.254.169.254/latest/')}`,
    `/v1/products/${encodeURIComponent(`${url.json_ld}/none`)}`,
    `/v1/products/1${'0'.repeat(9_000)}`,
    '/v1/products/batch1',
  ];
  for (const target of targets) {
    // The first one may query retailers, and says so.
    await ask(service, target);
    await service.untilQueueIdle();
    const computed = await ask(service, target);
    const read = await ask(service, target, readWithSchemas());
    assert.notEqual(computed.status, 200, target);
    assert.deepEqual(sameFault(computed), sameFault(read), target);
  }
  const key = async (limits: object) =>
    `Bearer ${await service.newKey({ organization: `with-${JSON.stringify(limits)}`, note: null, ...limits })}`;
  const refused: readonly (readonly [string, string, number])[] = [
    ['no key', '', 401],
    ['a key that is none', 'Bearer osk_none', 401],
    ['another scheme', 'Basic eDp5', 401],
    ['another scope', await key({ scopes: ['admin'] }), 403],
    ['no tokens', await key({ monthlyQuota: 0 }), 429],
  ];
  for (const [what, authorization, status] of refused) {
    const cached = await ask(service, known, { authorization });
    const computed = await ask(service, known, { authorization, ...COMPUTED });
    const read = await ask(service, known, { authorization, ...readWithSchemas() });
    assert.equal(cached.status, status, what);
    assert.deepEqual(sameFault(cached), sameFault(computed), what);
    assert.deepEqual(sameFault(cached), sameFault(read), what);
  }
  assert.deepEqual(await checkStore(service.app.store.sql), [], 'and nothing was charged for it');
});

test('an Idempotency-Key is obeyed, and no other header changes a computed answer', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env: NOTHING_CACHED });
  const [target = ''] = targetsOf(service);
  await ask(service, target);
  await service.untilQueueIdle();
  const plain = withoutBalance(await ask(service, target, GZIP));
  const others: readonly Headers[] = [
    { 'x-any-note': '1' },
    { 'any-note': '1' },
    { origin: 'https://console.example' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-1' },
    { prefer: 'return=minimal' },
    { 'idempotency-key': 'k1' },
  ];
  for (const headers of others) {
    const reported = await ask(service, target, { ...GZIP, ...headers });
    assert.deepEqual(withoutBalance(reported), plain, JSON.stringify(headers));
  }
  const { headers, body } = await ask(service, target, { 'idempotency-key': 'k1' });
  assert.equal(headers['idempotency-replayed'], 'true');
  assert.equal(body.replace(/"tokens_remaining":\d+/, ''), plain.body);
  assert.deepEqual(await checkStore(service.app.store.sql), [], 'and the replay was free');
});

test('a call that fails is logged with all of its time, and with one id', async (t) => {
  const clock = stillClock(NOON);
  // A shop that takes nine seconds to say that it has no such page.
  const shop = createServer(({ url }, response) => {
    if (url !== '/robots.txt') clock.advance(9_000);
    response.writeHead(404).end();
  });
  t.after(() => {
    shop.close();
    shop.closeAllConnections();
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  const { port } = shop.address() as AddressInfo;
  const env = { OPENSHELF_ORIGINS: `https://www.slowshop.example=http://127.0.0.1:${port}` };
  let lines = '';
  {
    await using service = await startService({
      clock,
      env,
      logTo: (text) => (lines += `${text}\n`),
    });
    for (const [page, headers] of [
      ['lamp', {}],
      ['desk', { 'idempotency-key': 'k1' }],
    ] as const) {
      const address = encodeURIComponent(`https://www.slowshop.example/${page}`);
      const reported = await ask(service, `/v1/products?url=${address}`, headers);
      assert.equal(reported.status, 404, reported.body);
    }
  }
  const answered = lines.split('\n').filter((line) => line.includes('"answered"'));
  assert.equal(answered.length, 2);
  for (const line of answered) {
    const { ms, request_id: id, call_id: callId = id } = JSON.parse(line) as Line;
    assert.ok(ms >= 9_000, line);
    assert.equal(callId, id);
  }
});

type Line = { readonly ms: number; readonly request_id: string; readonly call_id?: string };

test('each computed answer is counted, logged and in the ledger once, under its route', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env: NOTHING_CACHED });
  const targets = targetsOf(service);
  const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
  for (const target of targets) await ask(service, target);
  await service.untilQueueIdle();
  const countOf = (text: string, route: string): number => {
    const line = text
      .split('\n')
      .find(
        (each) =>
          each.startsWith('openshelf_http_requests_total{') &&
          each.includes(`route="${route}"`) &&
          each.includes('status="200"'),
      );
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const text = await metrics();
  const of = (pattern: RegExp) => targets.filter((each) => pattern.test(each)).length;
  assert.equal(countOf(text, '/v1/products'), of(/^\/v1\/products\?/));
  assert.equal(countOf(text, '/v1/products/{id}'), of(/^\/v1\/products\/[^/?]+(?:\?|$)/));
  assert.equal(countOf(text, '/v1/products/{id}/history'), of(/\/history(?:\?|$)/));
  assert.equal(countOf(text, '/v1/products/{id}/compare'), of(/\/compare(?:\?|$)/));
  const rows = await service.app.store.sql.all('select count(*) as calls from ledger');
  assert.equal(Number(rows[0]?.['calls']), targets.length);
});
