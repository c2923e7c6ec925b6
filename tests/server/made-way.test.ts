// A plain call is answered without the framework as the framework answers it: the same bytes, headers, charges and faults.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { checkStore } from '../../src/data/maintenance/check.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';
import {
  ask,
  BY_FRAMEWORK,
  targetsOf,
  withoutBalance,
  type Headers,
  type Told,
} from '../support/whole-answers.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const NOTHING_KEPT = { OPENSHELF_CACHE_MB: '0' };

/** Compressed answers of the framework are streams, whose length nobody knows before. */
const GZIP = { 'accept-encoding': 'gzip' };

async function isMadeShortly(service: Service, target: string, more: Headers = {}) {
  const { headers } = await ask(service, target, { ...GZIP, ...more });
  assert.equal(headers['content-encoding'], 'gzip', target);
  return headers['content-length'] !== undefined;
}

test('a made answer has the bytes and the headers of the framework, from its first fetch on', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env: NOTHING_KEPT });
  for (const target of targetsOf(service)) {
    const first = await ask(service, target);
    assert.equal(first.status, 200, first.body);
    await service.untilQueueIdle();
    const variants: readonly Headers[] = [
      {},
      GZIP,
      { 'x-request-id': 'my-own.1', 'x-amzn-trace-id': 'Root=1', via: '1.1 proxy' },
      { 'x-request-id': 'not one' },
      { connection: 'close' },
    ];
    for (const headers of variants) {
      const made = await ask(service, target, headers);
      const ordinary = await ask(service, target, { ...headers, ...BY_FRAMEWORK });
      assert.deepEqual(withoutBalance(made), withoutBalance(ordinary), target);
      const given = headers['x-request-id'];
      if (given === 'my-own.1') assert.equal(made.headers['x-request-id'], given);
      else assert.notEqual(made.headers['x-request-id'], given);
    }
    assert.ok(await isMadeShortly(service, target), target);
    assert.equal(await isMadeShortly(service, target, BY_FRAMEWORK), false, target);
  }
  assert.deepEqual(await checkStore(service.app.store.sql), [], 'and every call was charged once');
});

/** What is told of a call that was refused, without what names it. */
const sameFault = ({ status, headers, body }: Told) => ({
  status,
  headers: { ...headers, 'x-request-id': '', ratelimit: '' },
  body: body.replace(/"request_id":"[^"]*"/, ''),
});

test('whatever is wrong with a call is told in the words of the framework', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const { upc, url } = service.sandbox.describe();
  const [known = ''] = targetsOf(service);
  await ask(service, known);
  await service.untilQueueIdle();
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
    // The first one may ask retailers, and tells of it.
    await ask(service, target);
    await service.untilQueueIdle();
    const made = await ask(service, target);
    const ordinary = await ask(service, target, BY_FRAMEWORK);
    assert.notEqual(made.status, 200, target);
    assert.deepEqual(sameFault(made), sameFault(ordinary), target);
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
    const made = await ask(service, known, { authorization });
    const ordinary = await ask(service, known, { authorization, ...BY_FRAMEWORK });
    assert.equal(made.status, status, what);
    assert.deepEqual(sameFault(made), sameFault(ordinary), what);
  }
  assert.deepEqual(await checkStore(service.app.store.sql), [], 'and nothing was charged for it');
});

test('what is not on the list of headers, or is sent twice, is for the framework', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env: NOTHING_KEPT });
  const [target = ''] = targetsOf(service);
  await ask(service, target);
  await service.untilQueueIdle();
  assert.ok(await isMadeShortly(service, target, { 'x-any-note': '1' }));
  const others: readonly Headers[] = [
    { 'idempotency-key': 'k1' },
    { origin: 'https://console.example' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-1' },
    { prefer: 'return=minimal' },
  ];
  for (const headers of others)
    assert.equal(await isMadeShortly(service, target, headers), false, JSON.stringify(headers));
  const again = { 'idempotency-key': 'k1' };
  assert.equal((await ask(service, target, again)).headers['idempotency-replayed'], 'true');
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
      ['desk', BY_FRAMEWORK],
    ] as const) {
      const address = encodeURIComponent(`https://www.slowshop.example/${page}`);
      const told = await ask(service, `/v1/products?url=${address}`, headers);
      assert.equal(told.status, 404, told.body);
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

test('each made answer is counted, logged and in the ledger once, under its route', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env: NOTHING_KEPT });
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
