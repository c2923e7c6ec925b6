// Idempotency keys beyond what tests/contract/errors/409.ts proves: who owns them, what ends them, and their space.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { createMetering } from '../../src/data/metering/metering.ts';
import { MAX_STORED_BYTES } from '../../src/data/accounts/idempotency.ts';
import { Problem } from '../../src/answer/wire/problem.ts';
import { startService, type Answer, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const clock = shiftedClock();
let service: Service;

before(async () => {
  service = await startService({ clock });
});

after(async () => {
  assert.deepEqual(await checkStore(service.app.store.sql), []);
  await service[Symbol.asyncDispose]();
});

type Org = { readonly name: string; readonly headers: Record<string, string> };

let organizations = 0;

/** Makes a separate organization, so that its balance shows the cost of one test. */
async function newOrg(settings: Parameters<Service['newKey']>[0] | object = {}): Promise<Org> {
  organizations += 1;
  const name = `org ${organizations}`;
  const key = await service.newKey({ note: null, ...settings, organization: name });
  return { name, headers: { authorization: `Bearer ${key}` } };
}

const at = (address: string, query = '') => `/v1/products/${encodeURIComponent(address)}${query}`;

const ask = (org: Org, key: string, path: string): Promise<Answer> =>
  service.get(path, { ...org.headers, 'idempotency-key': key });

async function spent(org: Org): Promise<{ used: number; reserved: number; calls: number }> {
  const [row] = await service.app.store.sql.all(
    `select used, reserved, calls from balances join organizations on id = organization_id
     where name = $1`,
    [org.name],
  );
  return {
    used: Number(row?.['used'] ?? 0),
    reserved: Number(row?.['reserved'] ?? 0),
    calls: Number(row?.['calls'] ?? 0),
  };
}

function refused(answer: Answer, status: number, code: string): Problem {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  const problem = Problem.parse(answer.body);
  assert.equal(problem.code, code);
  return problem;
}

test('keys belong to the organization: another has its own, a second API key the same', async () => {
  const [org, other] = [await newOrg(), await newOrg()];
  const url = service.sandbox.describe().url.json_ld;
  assert.equal((await ask(org, 'shared', at(url))).status, 200);
  const foreign = await ask(other, 'shared', at(url));
  assert.equal(foreign.status, 200);
  assert.equal(foreign.headers.get('idempotency-replayed'), null);
  const second = await service.newKey({ organization: org.name, note: null });
  const headers = { authorization: `Bearer ${second}` };
  const same = await ask({ name: org.name, headers }, 'shared', at(url));
  assert.equal(same.headers.get('idempotency-replayed'), 'true');
});

test('a replay needs no tokens, but counts against the throttle', async () => {
  const limits = { monthlyQuota: 1, throttlePerMinute: 1, throttleBurst: 3 };
  const org = await newOrg(limits);
  const url = service.sandbox.describe().url.json_ld;
  assert.equal((await ask(org, 'last', at(url))).body['tokens_remaining'], 0);
  assert.equal((await ask(org, 'last', at(url))).status, 200);
  refused(await ask(org, 'other', at(url)), 429, 'quota_exceeded');
  assert.equal((await ask(org, 'last', at(url))).status, 200);
  refused(await ask(org, 'last', at(url)), 429, 'throttled');
});

test('an idempotency record whose process died ends by itself; until then the call is 409', async () => {
  const org = await newOrg();
  const { sql } = service.app.store;
  const url = service.sandbox.describe().url.json_ld;
  assert.equal((await ask(org, 'busy', at(url))).status, 200);
  // As another process's call leaves it between its idempotency record and its answer.
  await sql.write([
    {
      text: `update idempotency_space set bytes = bytes - (select bytes from idempotency_keys
        where idempotency_key = 'busy') where organization_id = (select organization_id
        from idempotency_keys where idempotency_key = 'busy')`,
    },
    {
      text: `update idempotency_keys set body = null, status = null, tokens_consumed = null,
        tokens_remaining = null, bytes = 0, expires_at_ms = $1 where idempotency_key = 'busy'`,
      params: [clock.now() + 20_000],
    },
  ]);
  const answer = await ask(org, 'busy', at(url));
  refused(answer, 409, 'idempotency_conflict');
  assert.equal(answer.headers.get('retry-after'), '1');
  clock.advance(20_001);
  assert.equal(
    (await ask(org, 'busy', at(url))).status,
    200,
    'after 20 s another call may use the key',
  );
  assert.deepEqual(await spent(org), { used: 2, reserved: 0, calls: 2 });
});

test('what has expired is swept, with its space', async () => {
  const org = await newOrg();
  const { sql, accounts } = service.app.store;
  const url = service.sandbox.describe().url.json_ld;
  assert.equal((await ask(org, 'day', at(url))).status, 200);
  clock.advance(DAY_MS + 1_000);
  const anew = await ask(org, 'day', at(url, '?include_stats=0'));
  assert.equal(anew.status, 200, 'for another request too');
  assert.equal(anew.headers.get('idempotency-replayed'), null);
  assert.deepEqual(await checkStore(sql), []);
  clock.advance(DAY_MS + 1);
  await createMetering({ accounts, sql, clock }).sweep();
  const [left] = await sql.all(
    `select (select count(*) from idempotency_keys) as keys,
       (select sum(bytes) from idempotency_space) as bytes`,
  );
  assert.deepEqual({ ...left }, { keys: 0, bytes: 0 });
});

test('an answer for which an organization has no space left is refused and not billed', async () => {
  const org = await newOrg();
  const { sql } = service.app.store;
  const { url, out_of_stock_url: fresh } = service.sandbox.describe();
  await service.lookup(url.json_ld);
  const fill = (bytes: number) =>
    sql.write([
      {
        text: `insert into idempotency_space (organization_id, bytes)
          select id, $2 from organizations where name = $1
          on conflict (organization_id) do update set bytes = excluded.bytes`,
        params: [org.name, bytes],
      },
    ]);
  await fill(MAX_STORED_BYTES - 600);
  for (const address of [url.json_ld, fresh]) {
    const answer = await ask(org, 'full', at(address));
    refused(answer, 429, 'throttled');
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(
      (await service.get(at(address), org.headers)).status,
      200,
      'without a key it goes',
    );
  }
  assert.deepEqual(await spent(org), { used: 2, reserved: 0, calls: 2 });
  await fill(0);
});
