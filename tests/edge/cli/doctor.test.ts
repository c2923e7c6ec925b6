// doctor reports accurately what works here: network access that is open or blocked, data that exists or not, missing
// settings.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../../../sandbox/tokens.ts';
import { migrate, newestVersion, readMigrations } from '../../../src/data/migrate.ts';
import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import { addToTakedownFile, takedownFileIn } from '../../../src/data/maintenance/takedown-file.ts';
import type { Database } from '../../../src/data/sql.ts';
import { openSqlite } from '../../../src/data/sqlite/sqlite.ts';
import { readSchemaVersion, type StoreConfig } from '../../../src/data/store.ts';
import { newDatabase } from '../../support/databases.ts';
import { runCommand } from '../../support/command.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Finding = {
  readonly what: string;
  readonly state: string;
  readonly detail: string;
  readonly settings?: readonly string[];
};

const findingsOf = (json: Readonly<Record<string, unknown>>) =>
  json['findings'] as readonly Finding[];

/** Runs doctor where no other program of this machine has the service's port. */
const runDoctor = (env: Readonly<Record<string, string>>, ...options: readonly string[]) =>
  runCommand(['doctor', ...options], { env: { PORT: '0', ...env } });

test('an installation that works is sound, and every missing setting is named', async () => {
  await using service = await startService({ withRetailers: true });
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, OPENSHELF_ORIGINS: origins.join(',') };
  const { code, json } = await runDoctor(env, '--json');
  const findings = findingsOf(json);
  assert.equal(code, 0, JSON.stringify(findings));
  for (const what of ['Node', 'disk', 'store', 'internet', 'clock']) {
    assert.equal(findings.find((each) => each.what === what)?.state, 'ok', what);
  }
  const lacking = findings.filter(({ state }) => state === 'lacking');
  assert.ok(lacking.some(({ settings }) => settings?.includes('OPENSHELF_CONTACT') === true));
  assert.ok(lacking.some(({ settings }) => settings?.includes('OPENSHELF_SEARXNG_URL') === true));
  assert.equal(json['sound'], true);
});

test('each official API is said to work only as far as that is known, and a probe asks each once', async () => {
  const env = {
    OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey,
    OPENSHELF_RETAILER_E_CLIENT_ID: 'not-the-client',
    OPENSHELF_RETAILER_E_CLIENT_SECRET: 'not-the-secret',
  };
  await using service = await startService({ withRetailers: true, env });
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const place = { ...service.dataEnv, ...env, OPENSHELF_ORIGINS: origins.join(',') };
  const apis = async (...options: readonly string[]) => {
    const { code, json } = await runDoctor(place, '--json', ...options);
    const found = findingsOf(json).filter(({ what }) => what === 'official API');
    assert.ok(!/not-the-|sandbox-key/.test(JSON.stringify(found)));
    return { code, found };
  };
  const before = await apis();
  assert.deepEqual(
    before.found.map(({ state, detail }) => [state, /is not known whether it works/.test(detail)]),
    [
      ['lacking', true],
      ['lacking', true],
    ],
  );
  assert.equal(before.code, 0);
  const probed = await apis('--probe');
  assert.equal(probed.code, 1);
  const [ofE, ofB] = probed.found;
  assert.deepEqual([ofE?.state, ofB?.state], ['failed', 'ok']);
  assert.match(
    ofE?.detail ?? '',
    /retailer_e\.browse has refused the credentials.*OPENSHELF_RETAILER_E_CLIENT_ID/,
  );
  assert.match(ofB?.detail ?? '', /retailer_b\.products has just answered.*1 of 50000 requests/);
  const after = await apis();
  assert.deepEqual(
    after.found.map(({ state, detail }) => [state, /last (?:answer|failure) \d{4}-/i.test(detail)]),
    [
      ['failed', true],
      ['ok', true],
    ],
  );
});

const SELLER = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) =>
    name.startsWith('OPENSHELF_RETAILER_A_SP_'),
  ),
);

test('each retailer has one line: its official API, or what a private person, a seller and a company need', async () => {
  await using service = await startService({ withRetailers: true });
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, ...SELLER, OPENSHELF_ORIGINS: origins.join(',') };
  const { out, json } = await runDoctor(env);
  assert.deepEqual(json, {});
  for (const slug of KNOWN_SLUGS) {
    const lines = out.filter((line) => line.includes(slug) && !line.includes('internet'));
    const response = lines.filter((line) => !/ (?:terms|clock) /.test(line));
    assert.equal(response.length, 1, `${slug}: ${response.join('\n')}`);
    const [line = ''] = response;
    if (slug === 'retailer_a') assert.match(line, /official API +retailer_a\.selling_partner/);
    else if (['retailer_l', 'retailer_t', 'retailer_h'].includes(slug))
      assert.match(line, /^lacking .*no official API for anybody/);
    else assert.match(line, /^lacking .*Only its pages.*private person.*seller.*company/);
  }
});

test('a seller account next to pages of its retailer is warned of, with the clause, its date and the setting', async () => {
  const lines: string[] = [];
  await using service = await startService({
    env: SELLER,
    withRetailers: true,
    logTo: (text) => void lines.push(text),
  });
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const shops = { ...service.dataEnv, OPENSHELF_ORIGINS: origins.join(',') };
  const started = lines.filter((line) => line.includes('OPENSHELF_RETAILER_A_PAGES=off'));
  assert.equal(started.length, 1);
  const { message, level } = JSON.parse(started[0] ?? '') as Record<string, string>;
  assert.equal(level, 'warn');
  assert.match(message ?? '', /Acceptable Use Policy, as read on 2026-11-29.*public websites/);
  const ofTerms = async (env: Readonly<Record<string, string>>) => {
    const { json } = await runDoctor({ ...shops, ...env }, '--json');
    return findingsOf(json)
      .filter(({ what }) => what === 'terms')
      .map(({ detail }) => detail);
  };
  assert.deepEqual(await ofTerms(SELLER), [message]);
  assert.deepEqual(await ofTerms({ ...SELLER, OPENSHELF_RETAILER_A_PAGES: 'off' }), []);
  assert.deepEqual(await ofTerms({}), []);
});

test('a way out that is shut is a failure, with the settings that open it', async () => {
  await using service = await startService();
  const env = { ...service.dataEnv, OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };
  const { code, out } = await runDoctor(env);
  assert.equal(code, 1);
  const said = out.join('\n');
  assert.match(said, /FAILED {3}internet[^]*OPENSHELF_DNS_SERVERS/);
  assert.match(
    said,
    /could not be fetched: (?:the name servers do not answer|its name cannot be resolved here)/,
  );
  assert.match(said, /^ok {7}store +(?:SQLite|PostgreSQL) in .* answers\.$/m);
});

test('where there is no data none is made', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const { code, json } = await runDoctor({}, '--data', data, '--json');
  assert.equal(code, 0);
  const store = findingsOf(json).find(({ what }) => what === 'store');
  assert.deepEqual([store?.state, existsSync(data)], ['lacking', false]);
});

type Place = { readonly store: StoreConfig; readonly env: Readonly<Record<string, string>> };

/** Checks that data of another version of this program is left unchanged. */
async function leavesVersion(place: Place, sql: Database, said: RegExp): Promise<void> {
  const { code, json } = await runDoctor(place.env, '--json');
  const findings = findingsOf(json);
  assert.deepEqual(
    findings.map(({ what }) => what),
    ['Node', 'disk', 'store'],
  );
  assert.match(findings.at(-1)?.detail ?? '', said);
  assert.equal(code, findings.at(-1)?.state === 'failed' ? 1 : 0);
  await sql[Symbol.asyncDispose]();
}

const NEWEST = newestVersion();

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`data of another version of the program stays as it is (${dialect})`, async () => {
    using folder = temporaryFolder();
    await using database = dialect === 'sqlite' ? null : await newDatabase('empty');
    const path = join(folder.path, 'openshelf.db');
    const place: Place =
      database === null
        ? { store: { kind: 'sqlite', path }, env: { OPENSHELF_DATA: folder.path } }
        : {
            store: { kind: 'postgres', url: database.url },
            env: { OPENSHELF_DATA: folder.path, DATABASE_URL: database.url },
          };
    const open = () => (database === null ? openSqlite({ path }) : openPostgres(database));
    const old = await open();
    await migrate(old, readMigrations(dialect).slice(0, NEWEST - 1));
    const back = new RegExp(
      `^The data has schema version ${NEWEST - 1}, this program ${NEWEST}: back up the data, then start the service\\.$`,
    );
    await leavesVersion(place, old, back);
    assert.equal(await readSchemaVersion(place.store), NEWEST - 1);
    const newer = await open();
    const text = `insert into openshelf_migrations (version) values (${NEWEST + 1})`;
    await newer.write([{ text }]);
    await leavesVersion(place, newer, /use the newer program\.$/);
    assert.equal(await readSchemaVersion(place.store), NEWEST + 1);
  });
}

test('a PostgreSQL on another machine to which all goes as plain text is named, and one on this machine is not', async () => {
  await using database = await newDatabase('migrated');
  const { host } = new URL(database.url);
  const url = database.url.replace(host, `${host},db.shelf.example:5432`);
  const { json } = await runDoctor({ DATABASE_URL: url }, '--json');
  const response = findingsOf(json).filter(({ what }) => what === 'encryption');
  assert.deepEqual(
    response.map(({ state, detail, settings }) => [state, detail, settings]),
    [
      [
        'lacking',
        'The connection to PostgreSQL at db.shelf.example is not encrypted, so it can be read in transit.',
        ['DATABASE_URL'],
      ],
    ],
  );
});

test('a host that only the list in the data folder names is not taken down, and the list stays', async () => {
  await using service = await startService();
  await service.lookup(service.sandbox.describe().url.hosted);
  const host = new URL(service.sandbox.describe().url.hosted).hostname;
  const list = takedownFileIn(service.dataEnv['OPENSHELF_DATA'] ?? '');
  addToTakedownFile(list, [{ host, takenDownAtMs: 1_000, undoneAtMs: null }]);
  const held = readFileSync(list, 'utf8');
  await runDoctor(service.dataEnv);
  const { json } = await runCommand(['takedown', host, '--dry-run', '--json'], {
    env: service.dataEnv,
  });
  assert.equal((json['removed'] as Record<string, number>)['listings'], 1);
  assert.equal(readFileSync(list, 'utf8'), held);
  const { stdout } = await runCommand(['takedown', '--list'], { env: service.dataEnv });
  assert.equal(stdout, 'No host is taken down.\n');
});

test('channels whose secrets another key opens are a failure, on a copy of the data without its key as with a wrong one', async () => {
  const key = Buffer.alloc(32, 1).toString('base64');
  const other = Buffer.alloc(32, 2).toString('base64');
  await using service = await startService({ env: { OPENSHELF_SECRETS_KEY: key } });
  const made = await fetch(`${service.url}/v1/channels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'webhook', url: 'https://hooks.shop.example/one' }),
  });
  assert.equal(made.status, 200);
  const found = async (given: Readonly<Record<string, string>>) => {
    const { json } = await runDoctor({ ...service.dataEnv, ...given }, '--json');
    return findingsOf(json).find(({ what }) => what === 'channels');
  };
  assert.equal(await found({ OPENSHELF_SECRETS_KEY: key }), undefined);
  for (const given of [{}, { OPENSHELF_SECRETS_KEY: other }]) {
    const channels = await found(given);
    assert.equal(channels?.state, 'failed');
    assert.match(
      channels.detail,
      /^Nothing is sent through 1 of the channels: .*OPENSHELF_SECRETS_KEY/,
    );
  }
});
