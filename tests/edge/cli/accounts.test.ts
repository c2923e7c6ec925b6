// Organizations and keys, changed by commands while a service in another process runs on the same data.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { runCommand } from '../../support/command.ts';
import { lastJson, serveProgram, type Running } from '../../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

type Json = Record<string, unknown>;

let folder: TemporaryFolder;
let env: Record<string, string>;
let service: Running;

before(async () => {
  folder = temporaryFolder();
  env = { OPENSHELF_DATA: folder.path };
  service = await serveProgram(['--port', '0'], env);
});

after(async () => {
  await service.stop('SIGTERM');
  folder[Symbol.dispose]();
});

/** Runs a command that must succeed; returns its JSON. */
async function done(...args: readonly string[]): Promise<Json> {
  const finished = await runCommand([...args, '--json'], { env });
  assert.equal(finished.code, 0, finished.stderr + finished.stdout);
  return lastJson(finished) as Json;
}

async function failed(...args: readonly string[]): Promise<Json> {
  const finished = await runCommand([...args, '--json'], { env });
  assert.equal(finished.code, 1, finished.stdout);
  return lastJson(finished) as Json;
}

async function usage(key: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${service.url}/v1/usage`, {
    headers: { authorization: `Bearer ${String(key)}` },
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** Asks until the answer matches. Every process learns of a change within a second, which a busy machine may delay. */
async function within(key: unknown, isSo: (answer: { status: number; body: Json }) => boolean) {
  const until = Date.now() + 30_000;
  let answer = await usage(key);
  while (!isSo(answer) && Date.now() < until) answer = await usage(key);
  assert.ok(isSo(answer), JSON.stringify(answer));
}

test('an organization is made once, listed, and changed while the server runs', async () => {
  const made = await done('orgs', 'create', 'north', '--quota', '10', '--throttle', '60');
  assert.deepEqual(
    [made['org'], made['monthly_quota'], made['throttle_per_minute'], made['throttle_burst']],
    ['north', 10, 60, 120],
  );
  assert.match(String((await failed('orgs', 'create', 'north'))['detail']), /already exists/);
  const { key } = await done('keys', 'create', '--org', 'north');
  assert.equal((await usage(key)).body['tokens_remaining'], 10);
  await done('orgs', 'set', 'north', '--quota', '25', '--burst', '500');
  assert.equal((await usage(key)).body['tokens_remaining'], 25);
  const listed = (await done('orgs', 'list')) as unknown as readonly Json[];
  const north = listed.find((each) => each['org'] === 'north');
  assert.deepEqual(
    [north?.['monthly_quota'], north?.['throttle_per_minute'], north?.['throttle_burst']],
    [25, 60, 500],
  );
});

test('a grant adds tokens to the running month, and the ledger has it', async () => {
  await done('orgs', 'create', 'south', '--quota', '5');
  const granted = await done('orgs', 'grant', 'south', '20');
  assert.deepEqual(granted, {
    org: 'south',
    granted: 20,
    month: new Date().toISOString().slice(0, 7),
    tokens_remaining: 25,
  });
  const { key } = await done('keys', 'create', '--org', 'south');
  const { body } = await usage(key);
  assert.deepEqual([body['tokens_allowance'], body['tokens_remaining']], [25, 25]);
  assert.deepEqual(await done('check'), { clean: true, problems: [] });
});

test('a key has the scopes it was given, and ends when it was said', async () => {
  const day = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
  const made = await done(
    'keys',
    'create',
    '--org',
    'east',
    '--scopes',
    'admin,products:read',
    '--expires',
    day,
  );
  assert.deepEqual(made['scopes'], ['products:read', 'admin']);
  assert.equal(made['expires_at'], `${day}T00:00:00.000Z`);
  const lookup = await fetch(
    `${service.url}/v1/products/4006381333931?retailer=retailer_w&force_refresh=true`,
    { headers: { authorization: `Bearer ${String(made['key'])}` } },
  );
  assert.equal(lookup.status, 403);
  assert.match(lookup.headers.get('www-authenticate') ?? '', /scope="products:refresh"/);
  const brief = await done('keys', 'create', '--org', 'east');
  const next = await done('keys', 'rotate', String(brief['id']), '--old-until', '0m');
  await within(brief['key'], ({ status }) => status === 401);
  assert.equal((await usage(brief['key'])).status, 401);
  const rows = (await done('keys', 'list', '--org', 'east')) as unknown as readonly Json[];
  assert.deepEqual(
    rows.map((row) => [row['id'], row['state']]),
    [
      [made['id'], 'active'],
      [brief['id'], 'expired'],
      [next['id'], 'active'],
    ],
  );
});

test('a rotated key works at once, the old one until its time, and then no more', async () => {
  const old = await done(
    'keys',
    'create',
    '--org',
    'west',
    '--scopes',
    'products:read',
    '--note',
    'shop',
  );
  const next = await done('keys', 'rotate', String(old['id']), '--old-until', '2h');
  assert.deepEqual(
    [next['org'], next['scopes'], next['expires_at']],
    ['west', ['products:read'], null],
  );
  const until = Date.parse(String((next['old'] as Json)['expires_at']));
  assert.ok(Math.abs(until - Date.now() - 2 * HOUR_MS) < 60_000);
  assert.equal((await usage(next['key'])).status, 200);
  assert.equal((await usage(old['key'])).status, 200);

  const last = await done('keys', 'rotate', String(next['key']), '--old-until', '0m');
  await within(next['key'], ({ status }) => status === 401);
  assert.equal((await usage(last['key'])).status, 200);
  assert.match(
    String((await failed('keys', 'rotate', String(next['id'])))['detail']),
    /no active key/,
  );

  const longer = await done('keys', 'rotate', String(old['id']), '--old-until', '30d');
  assert.equal(Date.parse(String((longer['old'] as Json)['expires_at'])), until, 'never later');
  const rows = (await done('keys', 'list', '--org', 'west')) as unknown as readonly Json[];
  assert.deepEqual(
    rows.map((row) => row['note']),
    ['shop', 'shop', 'shop', 'shop'],
  );
});

test('usage --details adds days, endpoints and keys', async () => {
  await done('orgs', 'create', 'quiet');
  const answered = await done('usage', '--org', 'quiet', '--details');
  assert.deepEqual(answered, {
    org: 'quiet',
    tokens_used: 0,
    tokens_remaining: 1_000_000,
    calls: 0,
    days: [],
    endpoints: [],
    keys: [],
  });
});
