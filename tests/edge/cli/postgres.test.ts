// The program with DATABASE_URL: every command that has to do with data, and several servers on one database.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore } from '../../../src/data/store.ts';
import { command, newDatabase, type TestDatabase } from '../../support/databases.ts';
import { runCommand } from '../../support/command.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { lastJson, serveProgram } from '../../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let sandbox: Sandbox;
let folder: TemporaryFolder;
let database: TestDatabase;
let env: Record<string, string>;

before(async () => {
  sandbox = await startSandbox({ seed: 5, now: () => Date.now() });
  folder = temporaryFolder();
  database = await newDatabase('empty');
  const pairs = Object.entries(sandbox.origins).map(([from, to]) => `${from}=${to}`);
  env = {
    OPENSHELF_ORIGINS: pairs.join(','),
    OPENSHELF_DATA: join(folder.path, 'data'),
    DATABASE_URL: database.url,
  };
});

after(async () => {
  await sandbox.close();
  folder[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

async function done(...args: readonly string[]): Promise<Record<string, unknown>> {
  const finished = await runCommand([...args, '--json'], { env });
  assert.equal(finished.code, 0, `${args.join(' ')}: ${finished.stderr}${finished.stdout}`);
  return lastJson(finished) as Record<string, unknown>;
}

test('with an address of PostgreSQL every command works on it, and no file of a database is made', async () => {
  const before = await runCommand(['check', '--json'], { env });
  assert.equal(before.code, 1);
  const { detail } = lastJson(before) as { detail: string };
  assert.match(
    detail,
    /^There is no data in 127\.0\.0\.1:\d+\/test_\w+, which DATABASE_URL names\.$/,
  );
  await done('orgs', 'create', 'acme', '--quota', '50');
  await done('orgs', 'set', 'acme', '--quota', '60');
  await done('orgs', 'grant', 'acme', '5');
  const { id } = await done('keys', 'create', '--org', 'acme');
  await done('keys', 'rotate', String(id));
  await done('keys', 'list', '--org', 'acme');
  const address = sandbox.describe().url.hosted;
  assert.equal(typeof (await done('lookup', address))['title'], 'string');
  assert.equal(
    ((await done('history', address, '--retailer', 'all'))['observations'] as []).length,
    1,
  );
  const file = join(folder.path, 'history.csv');
  const rows = ['gtin,retailer,observed_at,price,currency,in_stock'];
  for (let day = 1; day <= 9; day += 1) {
    rows.push(`4006381333931,retailer_b,2026-03-0${day}T00:00:00Z,1${day}.50,USD,true`);
  }
  writeFileSync(file, `${rows.join('\n')}\n`);
  assert.equal((await done('import', file))['added'], 9);
  assert.equal((await done('import', file))['unchanged'], 9);
  const exported = await runCommand(['export', '--format', 'csv'], { env });
  assert.equal(exported.code, 0, exported.stderr);
  assert.equal(exported.stdout.trimEnd().split('\n').length, 1 + 1 + 9);
  await done('quality');
  assert.deepEqual(await done('usage', '--org', 'acme'), {
    org: 'acme',
    tokens_used: 0,
    tokens_remaining: 65,
    calls: 0,
  });
  assert.deepEqual(await done('check'), { clean: true, problems: [] });
  const files = readdirSync(folder.path, { recursive: true }).map(String);
  assert.deepEqual(
    files.filter((name) => name.includes('.db')),
    [],
  );
  for (const name of files.filter((each) => each.endsWith('.json'))) {
    assert.ok(!readFileSync(join(folder.path, name), 'utf8').includes('postgres://'), name);
  }
});

test('several servers answer from one database: what one learns the other has, and no token is spent twice', async () => {
  const quota = 40;
  await done('orgs', 'create', 'shared', '--quota', String(quota));
  await using running = new AsyncDisposableStack();
  const servers = await Promise.all(
    Array.from({ length: 3 }, async () => running.use(await serveProgram(['--port', '0'], env))),
  );
  const { key } = (await done('keys', 'create', '--org', 'shared')) as { key: string };
  const address = encodeURIComponent(sandbox.describe().url.hosted);
  const ask = async (url: string) => {
    const response = await fetch(`${url}/v1/products/${address}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body };
  };
  const [first] = servers;
  assert.equal((await ask(first?.url ?? '')).status, 200);
  const answers = await Promise.all(
    servers.flatMap(({ url }) => Array.from({ length: 20 }, () => ask(url))),
  );
  const fine = answers.filter(({ status }) => status === 200);
  assert.equal(fine.length, quota - 1);
  const learnt = new Set(fine.map(({ body }) => JSON.stringify(body['_freshness'])));
  assert.equal(learnt.size, 1, 'all of them show what the first fetched');
  for (const { status, body } of answers.filter((each) => each.status !== 200)) {
    assert.deepEqual([status, body['code']], [429, 'quota_exceeded']);
  }
  for (const server of servers) assert.equal(await server.stop('SIGTERM'), 0);
  assert.equal((await done('usage', '--org', 'shared'))['tokens_used'], quota);
  await using store = await openStore({ kind: 'postgres', url: database.url });
  assert.deepEqual(await checkStore(store.sql), []);
});

test('an address of PostgreSQL that cannot be one is refused without being shown; so is a folder next to it', async () => {
  const secret = 'hunter2';
  const bad = [
    `mysql://me:${secret}@127.0.0.1/db`,
    `postgres://me:${secret}`,
    `postgres://me:12#${secret}@127.0.0.1/db`,
    `postgres://me:12/${secret}@127.0.0.1/db`,
    `postgres://me:${secret}%zz@127.0.0.1/db`,
    `postgres://me:${secret}@127.0.0.1:1/db`,
  ];
  for (const url of bad) {
    const refused = await runCommand(['serve', '--port', '0', '--json'], {
      env: { DATABASE_URL: url },
    });
    assert.equal(refused.code, 1, url);
    assert.ok(!`${refused.stdout}${refused.stderr}`.includes(secret), refused.stderr);
  }
  const both = await runCommand(['check', '--data', folder.path, '--json'], { env });
  assert.equal(both.code, 1);
  assert.match((lastJson(both) as { detail: string }).detail, /a data folder is specified too/);
});

test('a database that cannot be connected to is named with what can be done', async () => {
  const away = new URL(database.url);
  away.port = '1';
  const another = new URL(database.url);
  another.pathname = '/no_such_database';
  for (const [url, help] of [
    [away, /ECONNREFUSED .*\. Start its server, or correct the address in DATABASE_URL\./],
    [
      another,
      /no_such_database.*\. Create it with createdb, or correct its name in DATABASE_URL\./,
    ],
  ] as const) {
    const { code, stderr } = await runCommand(['orgs', 'list'], {
      env: { DATABASE_URL: url.href },
    });
    assert.equal(code, 1);
    assert.match(stderr, help);
  }
});

test('a database in which no tables can be made is named with what its owner can do', async () => {
  await using own = await newDatabase('empty');
  const name = new URL(own.url).pathname.slice(1);
  const stranger = new URL(own.url);
  stranger.username = `stranger_${name}`;
  stranger.password = 'a';
  const served = async (url: URL) => {
    const { code, stderr } = await runCommand(['orgs', 'create', 'me'], {
      env: { DATABASE_URL: url.href },
    });
    assert.equal(code, 1);
    return stderr;
  };
  // The default since PostgreSQL 15.
  await command(own.url, 'revoke create on schema public from public');
  await command(own.url, `create role ${stranger.username} login password 'a'`);
  assert.match(await served(stranger), /permission denied.* alter database NAME owner to USER\./);
  const made = new URL(own.url);
  await command(own.url, `alter role ${stranger.username} set search_path = ''`);
  assert.match(await served(stranger), /no schema .* existing schema in the search_path/);
  await command(own.url, 'create table listings (id integer)');
  assert.match(await served(made), /already exists\. .* Use an empty database in DATABASE_URL\./);
});

test('a user who may use the tables of another and make none reads, charges and answers with them', async () => {
  await using own = await newDatabase('migrated');
  const role = `guest_${new URL(own.url).pathname.slice(1)}`;
  const guest = new URL(own.url);
  guest.username = role;
  await command(own.url, 'revoke create on schema public from public');
  await command(own.url, `create role ${role} login`);
  const asGuest = (...args: readonly string[]) =>
    runCommand(args, { env: { ...env, DATABASE_URL: guest.href } });
  const without = await asGuest('orgs', 'create', 'me');
  assert.match(
    without.stderr,
    /permission denied for table .* grant select, insert, update, delete/,
  );
  await command(
    own.url,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  await command(own.url, `grant usage on all sequences in schema public to ${role}`);
  for (const args of [['orgs', 'create', 'me'], ['keys', 'create', '--org', 'me'], ['check']]) {
    const { code, stderr } = await asGuest(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  }
  await using server = await serveProgram(['--role', 'api', '--port', '0'], {
    ...env,
    DATABASE_URL: guest.href,
  });
  const key = (await asGuest('keys', 'create', '--org', 'me')).stdout.trim();
  const address = encodeURIComponent(sandbox.describe().url.hosted);
  const answer = await fetch(`${server.url}/v1/products/${address}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200, await answer.text());
  await server.stop('SIGINT');
  assert.equal((await asGuest('check')).code, 0);
});

test('tables of another installation in a later schema of the search_path are left alone', async () => {
  await using own = await newDatabase('migrated');
  await command(own.url, 'create schema second');
  const second = `${own.url}?options=-c%20search_path%3Dsecond,public`;
  const made = await runCommand(['orgs', 'create', 'me'], {
    env: { ...env, DATABASE_URL: second },
  });
  assert.equal(made.code, 0, made.stderr);
  const first = await runCommand(['orgs', 'list'], { env: { ...env, DATABASE_URL: own.url } });
  assert.doesNotMatch(first.stdout, /me:/);
});

test('a process whose database has fallen silent ends within its time, and says why', async () => {
  const url = new URL(database.url);
  await using proxy = await startCuttingProxy(Number(url.port));
  url.port = String(proxy.port);
  const drainMs = '500';
  const through = { ...env, DATABASE_URL: url.href, OPENSHELF_DRAIN_MS: drainMs };
  await using running = await serveProgram(['--port', '0'], through);
  assert.equal((await fetch(`${running.url}/readyz`)).status, 200);
  proxy.fallSilent();
  assert.equal(await running.stop('SIGTERM'), 0);
  assert.match(running.stderr(), /Not everything finished in time/);
});
