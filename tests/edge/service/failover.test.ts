// The service while its primary is killed and the standby promoted: answers are correct with a read replica, refused while
// no server accepts writes, and each call that is resent with its key is charged once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { command } from '../../support/databases.ts';
import { startPostgresPair, type PostgresPair } from '../../support/postgres-pair.ts';
import { startService, type Answer, type Service } from '../../support/service.ts';
import { startWatchService } from '../../support/watch-service.ts';

let pair: PostgresPair;

before(async () => {
  pair = await startPostgresPair();
});
after(() => pair[Symbol.asyncDispose]());

const onStandby = (text: string) => command(pair.standby.url('postgres'), text);

/** Starts a service with its own database. */
async function startOver(database: string): Promise<Service> {
  const { primary, standby } = pair;
  await command(primary.url('postgres'), `create database ${database}`);
  await pair.caughtUp();
  return await startService({
    env: {
      DATABASE_URL: `postgres://openshelf@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${database}`,
      OPENSHELF_READ_URL: standby.url(database),
    },
  });
}

/** Returns the body without what differs from call to call. */
function lasting({ body }: Answer): unknown {
  const { tokens_remaining: _, ...rest } = body;
  return rest;
}

async function until(answer: () => Promise<Answer>, status: number): Promise<Answer> {
  for (;;) {
    const given = await answer();
    if (given.status === status) return given;
    assert.equal(given.status, 503);
    assert.ok(Number(given.headers.get('retry-after')) > 0);
  }
}

const refreshedAt = ({ body }: Answer): unknown => body['_freshness'];

test('a service whose replica is not there starts all the same, and says so', async () => {
  const { primary } = pair;
  const database = 'alone';
  await command(primary.url('postgres'), `create database ${database}`);
  const lines: string[] = [];
  const env = {
    DATABASE_URL: primary.url(database),
    OPENSHELF_READ_URL: `postgres://openshelf@127.0.0.1:1/${database}`,
  };
  const config = readConfig(env, { port: 0 });
  await using app = await openApp(config, { logTo: (line) => void lines.push(line) });
  assert.equal(await app.store.sql.probe(), true);
  assert.equal(lines.filter((line) => line.includes('OPENSHELF_READ_URL')).length, 1);
});

test('a caller reads what was just fetched for him, however far the replica is behind', async () => {
  await using service = await startOver('own');
  const [page = ''] = Object.values(service.sandbox.describe().url);
  const path = `/v1/products/${encodeURIComponent(page)}`;
  await service.lookup(page);
  const { replica } = service.app.store;
  assert.ok(replica !== null);
  while (replica.answered().replica === 0) await service.lookup(page);
  // From here on the replica receives nothing new, and is still used for a moment.
  await onStandby('select pg_wal_replay_pause()');
  for (let round = 1; round <= 5; round += 1) {
    const refreshed = await service.post(`${path}/refresh`);
    assert.equal(refreshed.status, 200);
    assert.deepEqual(refreshedAt(await service.lookup(page)), refreshedAt(refreshed));
  }
  await onStandby('select pg_wal_replay_resume()');
});

test('another caller never gets "not found" for what was just fetched', async () => {
  await using service = await startOver('others');
  const [page = '', other = ''] = Object.values(service.sandbox.describe().url);
  await service.lookup(page);
  const { replica } = service.app.store;
  assert.ok(replica !== null);
  const key = await service.newKey({ organization: 'another', note: null });
  const authorization = { authorization: `Bearer ${key}` };
  while (replica.answered().replica === 0) await service.lookup(page);
  await onStandby('select pg_wal_replay_pause()');
  assert.equal((await service.lookup(other)).status, 200);
  const path = `/v1/products/${encodeURIComponent(other)}`;
  const history = await service.get(`${path}/history?retailer=all`, authorization);
  assert.equal(history.status, 200);
  assert.equal((await service.get(path, authorization)).status, 200);
  await onStandby('select pg_wal_replay_resume()');
});

test('calls are refused while no server takes writes, and answered once each after the promotion', async () => {
  await using service = await startOver('outage');
  const [page = ''] = Object.values(service.sandbox.describe().url);
  const first = await service.lookup(page);
  assert.equal(first.status, 200);
  // The first answer came from the shop; all later ones come from the store, once the other retailers were asked.
  await service.untilQueueIdle();
  const record = lasting(await service.lookup(page));
  let charged = 2;
  const { replica } = service.app.store;
  assert.ok(replica !== null);
  const reads = replica.answered;
  while (reads().replica === 0) {
    assert.deepEqual(lasting(await service.lookup(page)), record);
    charged += 1;
  }
  await pair.caughtUp();

  await pair.primary.kill();
  const once = { 'idempotency-key': 'during the outage' };
  const path = `/v1/products/${encodeURIComponent(page)}`;
  const refused = await service.get(path, once);
  assert.equal(refused.status, 503);
  assert.equal(refused.body['code'], 'overloaded');
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal((await service.get('/livez')).status, 200);
  assert.equal((await service.get('/readyz')).status, 503);
  const before = reads().replica;
  const stored = await replica.store.listings.findSample('', 10);
  assert.ok(stored.length > 0);
  assert.ok(reads().replica > before);

  await pair.promote();
  const answered = await until(() => service.get(path, once), 200);
  assert.deepEqual(lasting(answered), record);
  const repeated = await service.get(path, once);
  assert.equal(repeated.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(repeated.body, answered.body);
  const { sql } = service.app.store;
  const [row] = await sql.all("select count(*) as calls from ledger where kind = 'charge'");
  assert.equal(row?.['calls'], charged + 1);
  assert.equal((await service.get('/readyz')).status, 200);
});

test('a feed whose last changes a promotion has lost gives all that come after it', async () => {
  await using lagging = await startPostgresPair();
  const { primary, standby } = lagging;
  await command(primary.url('postgres'), 'create database feed');
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  await using running = await startWatchService({
    DATABASE_URL: `postgres://openshelf@${hosts}/feed`,
  });
  const id = await running.watch({
    identifier: running.prices('/lamp', '20.00'),
    any_change: true,
  });
  await running.check(id);
  let cursor = String((await running.call('GET', '/v1/changes')).body['next']);
  const seen = async (price: string) => {
    running.prices('/lamp', price);
    for (;;) {
      // A check that had already started may have been waited for: it saw the previous price.
      await running.checkNext(id);
      const { body } = await running.call('GET', `/v1/changes?cursor=${cursor}`);
      cursor = String(body['next']);
      const changes = body['changes'] as readonly { readonly after: unknown }[];
      if (changes.length > 0) return changes.map(({ after }) => after);
    }
  };
  assert.deepEqual(await seen('19.00'), [19]);
  await lagging.caughtUp();
  await standby.stop();
  for (const price of ['18.00', '17.00', '16.00']) {
    assert.deepEqual(await seen(price), [Number(price)]);
  }
  await primary.kill();
  // The price the standby knows: what is due there is checked when it is promoted, and finds nothing new.
  running.prices('/lamp', '19.00');
  await standby.start();
  await lagging.promote();
  for (let isBack = false; !isBack;) isBack = await running.service.app.store.sql.probe();
  const { status, body } = await running.call('GET', `/v1/changes?cursor=${cursor}`);
  assert.deepEqual([status, body['changes']], [200, []]);
  for (const price of ['15.00', '14.00', '13.00', '12.00']) {
    assert.deepEqual(await seen(price), [Number(price)]);
  }
});
