// Repeated requests for cached answers on one connection with the same fields are answered without node:http, and make no
// difference: bytes, headers, charges and refusals are those of an answer to a request that node:http reads, and of a computed
// one.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
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

/** One connection that counts the requests of a target where node:http reads them. */
type Client = Disposable & {
  readonly ask: (service: Service, target: string, headers?: Headers) => Promise<WholeAnswer>;
  readonly readOf: (target: string) => number;
};

function openClient(): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read: string[] = [];
  const note = (message: unknown) => {
    const { request } = message as { readonly request: IncomingMessage };
    read.push(request.url ?? '');
  };
  subscribe('http.server.request.start', note);
  return {
    ask: (service, target, headers) => ask(service, target, headers, agent),
    readOf: (target) => read.filter((url) => url === target).length,
    [Symbol.dispose]: () => {
      unsubscribe('http.server.request.start', note);
      agent.destroy();
    },
  };
}

/** Asks until the answer is sent without node:http. */
async function repeatIt(
  client: Client,
  service: Service,
  target: string,
  headers: Headers = {},
): Promise<WholeAnswer> {
  for (let round = 0; round < 16; round += 1) {
    const before = client.readOf(target);
    const answered = await client.ask(service, target, headers);
    assert.equal(answered.status, 200, answered.body);
    if (client.readOf(target) === before) return answered;
    await service.untilQueueIdle();
  }
  return assert.fail(`${target} is always read`);
}

const left = ({ body }: WholeAnswer) => Number(/"tokens_remaining":(\d+)/.exec(body)?.[1]);
const cost = ({ body }: WholeAnswer) => Number(/"tokens_consumed":(\d+)/.exec(body)?.[1]);

async function compareRepeated(env: Env, fields: Headers): Promise<void> {
  await using service = await startService({
    clock: stillClock(NOON),
    withRetailers: true,
    env,
  });
  for (const target of targetsOf(service)) {
    for (const more of [
      {},
      { 'accept-encoding': 'gzip, deflate, br' },
      { 'x-request-id': 'my.1' },
    ]) {
      using client = openClient();
      using other = openClient();
      const headers = { ...fields, ...more };
      const repeated = await repeatIt(client, service, target, headers);
      const read = await other.ask(service, target, { ...headers, ...READ_BY_NODE });
      const computed = await other.ask(service, target, { ...headers, ...COMPUTED });
      assert.deepEqual(withoutBalance(repeated), withoutBalance(read), target);
      assert.deepEqual(withoutBalance(repeated), withoutBalance(computed), target);
      assert.equal(left(read), left(repeated) - cost(read));
      assert.equal(left(computed), left(read) - cost(computed));
    }
  }
  const { store } = service.app;
  assert.deepEqual(await checkStore(store.sql), [], 'and every call was charged once');
}

test('a repeated request has the bytes and the headers of one that node:http reads, and of one whose answer is computed', async () => {
  await compareRepeated({}, {});
});

test('so it has where pages of another origin may read answers, and where connections stay open for longer', async () => {
  const env = {
    OPENSHELF_CORS_ORIGINS: 'https://pages.example',
    OPENSHELF_KEEP_ALIVE_MS: '77000',
    OPENSHELF_MAX_REQUESTS_PER_CONNECTION: '500',
  };
  await compareRepeated(env, {});
});

test('behind a proxy as well, where one address may have one request in progress', async () => {
  const env = { OPENSHELF_TRUST_PROXY: 'true', OPENSHELF_MAX_PER_ADDRESS: '1' };
  await compareRepeated(env, { 'x-forwarded-for': '192.0.2.7' });
});

test('limits refuse a repeated request in the same words as any other', async () => {
  await using service = await startService({ clock: stillClock(NOON), withRetailers: true });
  const [target = ''] = targetsOf(service);
  using warm = openClient();
  await repeatIt(warm, service, target);
  const limits = [{ monthlyQuota: 3 }, { throttlePerMinute: 1, throttleBurst: 3 }];
  for (const [at, each] of limits.entries()) {
    const key = await service.newKey({ organization: `limited-${at}`, note: null, ...each });
    const headers = { authorization: `Bearer ${key}` };
    using client = openClient();
    const statuses: number[] = [];
    for (let call = 0; call < 3; call += 1) {
      statuses.push((await client.ask(service, target, headers)).status);
    }
    const before = client.readOf(target);
    const refused = await client.ask(service, target, headers);
    assert.equal(client.readOf(target), before, 'it was repeated');
    using other = openClient();
    const read = await other.ask(service, target, { ...headers, ...READ_BY_NODE });
    assert.deepEqual([...statuses, refused.status], [200, 200, 200, 429]);
    const same = ({ headers: answered, body }: WholeAnswer) => ({
      headers: { ...answered, 'x-request-id': '' },
      body: body.replace(/"request_id":"[^"]*"/, ''),
    });
    assert.deepEqual(same(refused), same(read));
  }
});

test('a repeated request whose cached answer is out of date has a computed one, on the same connection and without node:http', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock, withRetailers: true });
  const { upc, item_id: item } = service.sandbox.describe();
  const target = `/v1/products/${upc}`;
  using client = openClient();
  const { body } = await repeatIt(client, service, target);
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
    await writeChanges(other.sql, [{ kind: 'listing', listing }]);
    const shown = new RegExp(`"current_price":1000\\.0${round}\\b`);
    const before = { read: client.readOf(target), cached: await cachedCount(service) };
    const answered = await client.ask(service, target);
    assert.match(answered.body, shown);
    assert.equal(cost(answered), cost({ ...answered, body }));
    const after = { read: client.readOf(target), cached: await cachedCount(service) };
    assert.deepEqual(after, before);
    await service.untilQueueIdle();
    assert.match((await repeatIt(client, service, target)).body, shown);
  }
  clock.advance(DAY_MS);
  const before = await cachedCount(service);
  assert.equal((await client.ask(service, target)).status, 200);
  assert.equal(await cachedCount(service), before, 'an answer of yesterday is none');
  await service.untilQueueIdle();
  assert.deepEqual(await checkStore(service.app.store.sql), [], 'and every call was charged once');
});

test('a repeated request is counted and logged like any other, under the id of its answer', async () => {
  let lines = '';
  await using service = await startService({
    clock: stillClock(NOON),
    withRetailers: true,
    logTo: (text) => void (lines += `${text}\n`),
  });
  const [target = ''] = targetsOf(service);
  using client = openClient();
  const answered = await repeatIt(client, service, target);
  const before = await cachedCount(service);
  await client.ask(service, target);
  assert.equal(await cachedCount(service), before + 1);
  await service.app.stop(0);
  const id = answered.headers['x-request-id'] ?? assert.fail('no id');
  const own = lines.split('\n').filter((line) => line.includes(id));
  assert.equal(own.length, 1);
  assert.match(own[0] ?? '', /"route":"\/v1\/products\/\{id\}","status":200/);
});
