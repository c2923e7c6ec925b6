import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS } from '../../src/domain/clock.ts';
import { checkStore } from '../../src/store/check.ts';
import { createMetering } from '../../src/metering/metering.ts';
import { MAX_KEPT_BYTES } from '../../src/store/idempotency.ts';
import { Problem } from '../../src/wire/problem.ts';
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

/** An organization of its own, so that its balance tells what one test cost. */
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

test('the same key with the same request answers the same again, free, and says so', async () => {
  const org = await newOrg();
  const { json_ld: url, open_graph: other } = service.sandbox.describe().url;
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

const BAD_KEYS = ['', 'a'.repeat(256), 'tab\there', 'caf\u00e9'];

test('a key is 1 to 255 printable ASCII characters', async () => {
  const org = await newOrg();
  const url = service.sandbox.describe().url.json_ld;
  for (const key of BAD_KEYS) {
    const problem = refused(await ask(org, key, at(url)), 400, 'invalid_parameter');
    assert.equal(problem.parameter, 'Idempotency-Key', JSON.stringify(key));
    assert.deepEqual(problem.allowed, ['1 to 255 printable ASCII characters']);
  }
  for (const key of ['a', 'a'.repeat(255), `! "#$%&'()*+,-./:;<=>?@[]^_{|}~`]) {
    assert.equal((await ask(org, key, at(url))).status, 200, key);
  }
});
