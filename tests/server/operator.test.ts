// The operator's routes: only with the scope admin, the same on both databases, and no secret in any of them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
  OperatorInstallation,
  OperatorKeys,
  OperatorQueue,
  OperatorUsage,
} from '../../src/answer/wire/installation/operation.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
let admin: { readonly authorization: string };

const VIEWS = {
  '/v1/admin/usage': OperatorUsage,
  '/v1/admin/queue': OperatorQueue,
  '/v1/admin/installation': OperatorInstallation,
  '/v1/admin/keys': OperatorKeys,
} as const;

before(async () => {
  service = await startService({ withRetailers: true });
  const key = await service.newKey({
    organization: 'operator',
    note: 'console',
    scopes: ['admin'],
  });
  admin = { authorization: `Bearer ${key}` };
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const idOf = (key: unknown) => String(key).slice(9, 17);

test('a key without the scope admin gets 403 at every route of the operator, and nothing happens', async () => {
  const { accounts } = service.app.store;
  const id = idOf(service.key);
  for (const path of Object.keys(VIEWS)) {
    const { status, body } = await service.get(path);
    assert.deepEqual([status, body['code']], [403, 'insufficient_scope'], path);
  }
  const changes = [`keys?organization=mine`, `keys/${id}/rotate`, `keys/${id}/revoke`];
  for (const path of changes) {
    const { status, body } = await service.post(`/v1/admin/${path}`);
    assert.deepEqual([status, body['code']], [403, 'insufficient_scope'], path);
  }
  assert.equal(await accounts.findOrganization('mine'), null);
  assert.equal((await service.get('/v1/usage')).status, 200);
});

test('each view has its shape, is free, and names no secret', async () => {
  const secrets = await service.app.store.sql.all('select secret_sha256 from api_keys');
  for (const [path, schema] of Object.entries(VIEWS)) {
    const { status, body } = await service.get(path, admin);
    assert.equal(status, 200, JSON.stringify(body));
    schema.parse(body);
    assert.equal(body['tokens_consumed'], 0);
    const text = JSON.stringify(body);
    assert.doesNotMatch(text, /osk_live_/);
    for (const row of secrets) assert.ok(!text.includes(String(row['secret_sha256'])), path);
    assert.equal((await service.get(`${path}?month=1`, admin)).body['code'], 'unknown_parameter');
  }
});

test('the usage of all organizations is the sum of what each of them sees', async () => {
  const { upc } = service.sandbox.describe();
  const other = {
    authorization: `Bearer ${await service.newKey({ organization: 'other', note: null })}`,
  };
  await service.lookup(upc);
  await service.get(`/v1/products/${upc}/history`, other);
  const { body } = await service.get('/v1/admin/usage', admin);
  const { days, endpoints, organizations } = OperatorUsage.parse(body);
  const own = await Promise.all([service.get('/v1/usage'), service.get('/v1/usage', other)]);
  const spent = own.map((each) => [each.body['organization'], each.body['tokens_used']]);
  for (const [name, tokens] of spent) {
    assert.equal(organizations.find(({ organization }) => organization === name)?.tokens, tokens);
  }
  const total = (rows: readonly { readonly tokens: number }[]) =>
    rows.reduce((all, { tokens }) => all + tokens, 0);
  assert.equal(total(days), total(organizations));
  assert.equal(total(endpoints), total(organizations));
  assert.ok(
    organizations.some(({ organization, tokens }) => organization === 'operator' && tokens === 0),
  );
});

test('a key that is made works with its scopes until its end, is listed, rotated and revoked', async () => {
  const made = await service.post(
    '/v1/admin/keys?organization=acme&note=repricing&scopes=products:read&expires_in_hours=2',
    admin,
  );
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const asKey = (key: unknown) => ({ authorization: `Bearer ${String(key)}` });
  const statusOf = async (key: unknown) => (await service.get('/v1/usage', asKey(key))).status;
  assert.equal(await statusOf(made.body['key']), 200);
  const { upc } = service.sandbox.describe();
  const forced = await service.get(
    `/v1/products/${upc}?include_force_refresh=true`,
    asKey(made.body['key']),
  );
  assert.equal(forced.body['code'], 'insufficient_scope');
  const hours = (Date.parse(String(made.body['expires_at'])) - Date.now()) / 3_600_000;
  assert.ok(hours > 1.9 && hours <= 2);

  const turned = await service.post(
    `/v1/admin/keys/${String(made.body['id'])}/rotate?old_valid_hours=0`,
    admin,
  );
  assert.equal(turned.status, 200, JSON.stringify(turned.body));
  assert.deepEqual(
    ['organization', 'note', 'scopes', 'replaces'].map((name) => turned.body[name]),
    ['acme', 'repricing', ['products:read'], made.body['id']],
  );
  assert.equal(await statusOf(made.body['key']), 401);
  assert.equal(await statusOf(turned.body['key']), 200);

  const revoke = () => service.post(`/v1/admin/keys/${String(turned.body['id'])}/revoke`, admin);
  assert.equal((await revoke()).status, 200);
  assert.equal(await statusOf(turned.body['key']), 401);
  const again = await revoke();
  assert.deepEqual([again.status, again.body['code']], [404, 'not_found']);
  const { keys } = OperatorKeys.parse((await service.get('/v1/admin/keys', admin)).body);
  const states = keys
    .filter(({ organization }) => organization === 'acme')
    .map(({ state }) => state);
  assert.deepEqual(states.toSorted(), ['expired', 'revoked']);
});

test('wrong parameters of a key are refused with what is accepted, and nothing is made', async () => {
  const wrong: readonly (readonly [query: string, parameter: string])[] = [
    ['', 'organization'],
    ['organization=%20x', 'organization'],
    [`organization=${'x'.repeat(101)}`, 'organization'],
    ['organization=x&scopes=everything', 'scopes'],
    ['organization=x&scopes=', 'scopes'],
    ['organization=x&expires_in_hours=0', 'expires_in_hours'],
    ['organization=x&expires_in_hours=1.5', 'expires_in_hours'],
    ['organization=x&note=%00', 'note'],
  ];
  for (const [query, parameter] of wrong) {
    const { status, body } = await service.post(`/v1/admin/keys?${query}`, admin);
    assert.deepEqual(
      [status, body['code'], body['parameter']],
      [400, 'invalid_parameter', parameter],
      query,
    );
  }
  assert.equal(await service.app.store.accounts.findOrganization('x'), null);
  const missing = await service.post('/v1/admin/keys/nobody00/rotate', admin);
  assert.equal(missing.body['code'], 'not_found');
});

test('what the installation lacks names the settings that change it, and no longer when they are made', async () => {
  const settingsOf = async (one: Service) => {
    const key = await one.newKey({ organization: 'operator', note: null, scopes: ['admin'] });
    const { body } = await one.get('/v1/admin/installation', { authorization: `Bearer ${key}` });
    return OperatorInstallation.parse(body).lacks.flatMap(({ settings }) => settings);
  };
  const lacking = await settingsOf(service);
  for (const name of ['OPENSHELF_CONTACT', 'OPENSHELF_SEARXNG_URL', 'OPENSHELF_METRICS']) {
    assert.ok(lacking.includes(name), name);
  }
  const env = {
    OPENSHELF_CONTACT: 'mailto:me@shop.example',
    OPENSHELF_SEARXNG_URL: 'http://127.0.0.1:9',
    OPENSHELF_PICTURES: 'false',
  };
  await using repaired = await startService({ env });
  const left = await settingsOf(repaired);
  assert.ok(!left.includes('OPENSHELF_CONTACT') && !left.includes('OPENSHELF_SEARXNG_URL'));
  assert.ok(left.includes('OPENSHELF_PICTURES'));
});

test('a retailer that refuses is shown with the number of its refusals, their reason and the pace', async () => {
  await using own = await startService({
    withRetailers: true,
    env: { OPENSHELF_HOST_INTERVAL_MS: '250' },
  });
  const key = await own.newKey({ organization: 'operator', note: null, scopes: ['admin'] });
  const asAdmin = { authorization: `Bearer ${key}` };
  const { upc } = own.sandbox.describe();
  own.sandbox.disturb('retailer_b', 'blocked');
  await own.lookup(upc, '?include_cross_retailer=true');
  await own.untilQueueIdle();
  const installation = OperatorInstallation.parse(
    (await own.get('/v1/admin/installation', asAdmin)).body,
  );
  assert.equal(installation.pace_seconds, 0.25);
  const reading = installation.readings.find(({ retailer }) => retailer === 'retailer_b');
  assert.ok(reading !== undefined && reading.blocked > 0, JSON.stringify(installation.readings));
  assert.equal(
    reading.answers,
    reading.read + reading.blocked + reading.unavailable + reading.unreadable,
  );
  const { jobs } = OperatorQueue.parse((await own.get('/v1/admin/queue', asAdmin)).body);
  assert.match(jobs.find(({ retailer }) => retailer === 'retailer_b')?.reason ?? '', /blocked/);
});
