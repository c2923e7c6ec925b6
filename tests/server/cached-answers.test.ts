// A cached answer is the same as a computed one: in bytes, headers, charge and errors; and is never served when anything in it
// has changed.

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../src/base/clock.ts';
import type { Env } from '../../src/edge/settings/read-settings.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';
import { storeAt } from '../support/stores.ts';
import {
  ask,
  cachedCount,
  COMPUTED,
  READ_BY_NODE,
  targetsOf,
  withoutBalance,
  type Headers,
  type WholeAnswer,
} from '../support/whole-answers.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

/** Returns whether a cached answer was served. */
async function isCached(service: Service, work: () => Promise<unknown>): Promise<boolean> {
  const before = await cachedCount(service);
  await work();
  return (await cachedCount(service)) > before;
}

/** Asks until a cached answer is served. */
async function cache(service: Service, path: string): Promise<void> {
  const before = await cachedCount(service);
  for (let round = 0; round < 16; round += 1) {
    const answered = await ask(service, path);
    assert.equal(answered.status, 200, answered.body);
    await service.untilQueueIdle();
    if ((await cachedCount(service)) > before) return;
  }
  assert.fail(`${path} is never cached`);
}

const idOf = ({ headers }: WholeAnswer): string | undefined => headers['x-request-id'];

test('a cached answer has the bytes and the headers of one that is computed', async () => {
  await compareCached({});
});

test('so it has where pages of another origin may read answers', async () => {
  await compareCached({ OPENSHELF_CORS_ORIGINS: 'https://pages.example' });
});

async function compareCached(env: Env): Promise<void> {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true, env });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const target of targetsOf(service)) {
    await cache(service, target);
    const variants: readonly Headers[] = [
      {},
      { 'accept-encoding': 'gzip, deflate, br' },
      { 'accept-encoding': 'identity' },
      { 'accept-encoding': 'gzip;q=0.5' },
      { 'accept-encoding': 'gzip;q=0.1, deflate' },
      { 'accept-encoding': 'gzip;q=0, br' },
      { 'x-request-id': 'my-own.1' },
      { 'user-agent': 'x', accept: '*/*', 'cache-control': 'max-age=0', 'sec-fetch-mode': 'cors' },
      { 'x-amzn-trace-id': 'Root=1', 'cf-ray': '8f-FRA', baggage: 'a=b', 'x-b3-traceid': '1' },
      { 'content-type': 'application/json', referer: 'https://a.example/', 'save-data': 'on' },
      { origin: 'https://console.example', 'if-none-match': '*', range: 'bytes=0-1' },
      { origin: 'https://pages.example', prefer: 'return=minimal', cookie: 'a=b' },
      { connection: 'close' },
    ];
    let before = await cachedCount(service);
    for (const headers of variants) {
      const keeping = headers['connection'] === undefined ? agent : false;
      const cached = await ask(service, target, headers, keeping);
      const count = await cachedCount(service);
      assert.equal(count, before + 1, `${target} ${JSON.stringify(headers)}`);
      const computed = await ask(service, target, { ...headers, ...COMPUTED }, keeping);
      assert.equal(await cachedCount(service), count, 'it was asked for again');
      const read = await ask(service, target, { ...headers, ...READ_BY_NODE }, keeping);
      before = await cachedCount(service);
      assert.equal(before, count + 1);
      assert.deepEqual(withoutBalance(cached), withoutBalance(computed), target);
      assert.deepEqual(withoutBalance(cached), withoutBalance(read), target);
      const { origin, 'x-request-id': named } = headers;
      const allowed = env['OPENSHELF_CORS_ORIGINS'] === origin ? origin : undefined;
      assert.equal(cached.headers['access-control-allow-origin'], allowed);
      if (named !== undefined) assert.equal(idOf(cached), named, 'the id that the caller gave');
      const left = (answered: WholeAnswer) =>
        Number(/"tokens_remaining":(\d+)/.exec(answered.body)?.[1]);
      const cost = Number(/"tokens_consumed":(\d+)/.exec(computed.body)?.[1]);
      assert.equal(left(computed), left(cached) - cost);
      assert.equal(left(read), left(computed) - cost);
    }
  }
  agent.destroy();
}

/** Returns the route's path, as metrics and log name it. */
function patternOf(target: string): string {
  const [, suffix = ''] = /^\/v1\/products\/[^/?]+([^?]*)/.exec(target) ?? [];
  return target.startsWith('/v1/products?') ? '/v1/products' : `/v1/products/{id}${suffix}`;
}

test('a cached answer is counted and logged under the pattern of its path, as one that is computed', async () => {
  let lines = '';
  const logTo = (text: string) => void (lines += `${text}\n`);
  await using service = await startService({
    clock: stillClock(NOON),
    withRetailers: true,
    logTo,
  });
  for (const target of targetsOf(service)) {
    await cache(service, target);
    const pattern = patternOf(target);
    const requests = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      const start = `openshelf_http_requests_total{route="${pattern}",method="GET",status="200"} `;
      return Number(text.split(start)[1]?.split('\n')[0] ?? 0);
    };
    const before = await requests();
    const id = `named.${before}`;
    assert.ok(await isCached(service, () => ask(service, target, { 'x-request-id': id })), target);
    assert.equal(await requests(), before + 1, target);
  }
  const targets = targetsOf(service);
  await service.app.stop(0);
  const named = lines.split('\n').filter((line) => line.includes('"request_id":"named.'));
  const routes = named.map((line) => (JSON.parse(line) as { route: string }).route);
  assert.deepEqual(routes, targets.map(patternOf));
});

test('no cached answer is given to a call that asks for more than its bytes, or may not have them', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const [target = ''] = targetsOf(service);
  await cache(service, target);
  const others: readonly (readonly [Headers, number])[] = [
    [{ 'idempotency-key': 'k1' }, 200],
    [{ 'cache-control': 'max-age=0, No-Cache' }, 200],
    [{ host: '1.2.3.999' }, 400],
    [{ host: 'a b' }, 400],
    [{ authorization: '' }, 401],
    [{ authorization: `Bearer ${service.key.slice(0, -1)}` }, 401],
  ];
  for (const [headers, status] of others) {
    const asked = async () => assert.equal((await ask(service, target, headers)).status, status);
    assert.equal(await isCached(service, asked), false, JSON.stringify(headers));
  }
  const sent = { headers: { authorization: `Bearer ${service.key}` }, method: 'POST', body: '{}' };
  const posted = async () =>
    assert.equal((await fetch(`${service.url}${target}`, sent)).status, 405);
  assert.equal(await isCached(service, posted), false);
  const other = await service.newKey({ organization: 'other', note: null });
  const answered = await ask(service, target, { authorization: `Bearer ${other}` });
  assert.equal(answered.status, 200);
  assert.match(answered.body, /"tokens_consumed":1,/);
});

test('limits refuse a cached answer as they refuse one that is computed', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const [target = ''] = targetsOf(service);
  await cache(service, target);
  const refusals: readonly { readonly limits: object; readonly status: number }[] = [
    { limits: { monthlyQuota: 2 }, status: 429 },
    { limits: { throttlePerMinute: 1, throttleBurst: 2 }, status: 429 },
  ];
  for (const [at, { limits, status }] of refusals.entries()) {
    const key = await service.newKey({ organization: `limited-${at}`, note: null, ...limits });
    const headers = { authorization: `Bearer ${key}` };
    const served = [await ask(service, target, headers), await ask(service, target, headers)];
    assert.deepEqual(
      served.map((each) => each.status),
      [200, 200],
    );
    const cached = await ask(service, target, headers);
    const computed = await ask(service, target, { ...headers, ...COMPUTED });
    const read = await ask(service, target, { ...headers, ...READ_BY_NODE });
    assert.equal(cached.status, status);
    const same = (answered: WholeAnswer) => ({
      ...answered,
      headers: { ...answered.headers, 'x-request-id': '' },
      body: answered.body.replace(/"request_id":"[^"]*"/, ''),
    });
    assert.deepEqual(same(cached), same(computed));
    assert.deepEqual(same(cached), same(read));
  }
  const scoped = await service.newKey({ organization: 'scoped', note: null, scopes: ['admin'] });
  const answered = await ask(service, target, { authorization: `Bearer ${scoped}` });
  assert.equal(answered.status, 403);
});

test('what another process writes ends a cached answer at once', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const { upc, item_id: item } = service.sandbox.describe();
  const [target, history] = [`/v1/products/${upc}`, `/v1/products/${item}/history`];
  await cache(service, target);
  await cache(service, history);
  const { DATABASE_URL: address } = service.dataEnv;
  await using other = await storeAt(address ?? join(service.dataDir, 'openshelf.db'));
  const stored = (await other.listings.findListing('retailer_w', item)) ?? assert.fail('not held');
  for (let round = 1; round <= 5; round += 1) {
    const price = { cents: 100_000 + round, currency: 'USD' };
    const fetchedAtMs = NOON + round;
    const listing = {
      ...stored,
      fetchedAtMs,
      listing: { ...stored.listing, price, inStock: true },
    };
    const observation = { listingId: stored.id, observedAtMs: fetchedAtMs, price, inStock: true };
    await writeChanges(other.sql, [
      { kind: 'listing', listing },
      { kind: 'observation', observation },
    ]);
    const shown = `1000.0${round}`;
    assert.match((await ask(service, target)).body, new RegExp(`"current_price":${shown}\\b`));
    assert.match((await ask(service, history)).body, new RegExp(`${shown}\\b`));
    await service.untilQueueIdle();
    await cache(service, target);
    await cache(service, history);
  }
  const { store } = service.app;
  assert.deepEqual(await checkStore(store.sql), [], 'and every call was charged once');
});

test('a cached answer ends with the day, and with the age of what it shows', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const [target = ''] = targetsOf(service);
  await cache(service, target);
  // If a retailer could not be queried yet, it is computed again after a minute.
  clock.advance(MINUTE_MS / 2);
  assert.equal(await isCached(service, () => ask(service, target)), true);
  clock.set(Date.UTC(2026, 10, 21));
  assert.equal(await isCached(service, () => ask(service, target)), false, 'another day');
  await cache(service, target);
  clock.set(NOON + DAY_MS + 4 * MINUTE_MS);
  assert.equal(await isCached(service, () => ask(service, target)), false, 'a price grew stale');
  clock.set(NOON);
  assert.equal(await isCached(service, () => ask(service, target)), false, 'set back');
});

for (const [names, env] of Object.entries({
  'its setting': { OPENSHELF_CACHE_MB: '0' },
  'the settings of before': { OPENSHELF_PREPARED_MB: '0', OPENSHELF_REMEMBERED_MB: '0' },
} satisfies Readonly<Record<string, Env>>)) {
  test(`no answer is cached where ${names} say so, and one line names a setting of before`, async () => {
    let lines = '';
    const logTo = (text: string) => void (lines += `${text}\n`);
    await using service = await startService({ withRetailers: true, env, logTo });
    const [target = ''] = targetsOf(service);
    for (let round = 0; round < 6; round += 1) {
      assert.equal((await ask(service, target)).status, 200);
      await service.untilQueueIdle();
    }
    assert.equal(await cachedCount(service), 0);
    const named = lines.split('\n').filter((line) => line.includes('Set OPENSHELF_CACHE_MB=0'));
    assert.equal(named.length, 'OPENSHELF_PREPARED_MB' in env ? 1 : 0, lines);
  });
}
