// openshelf console: an address that signs in once, with exactly the requested scopes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { runCommand } from '../../support/command.ts';
import { lastJson, serveProgram, type Running } from '../../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

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

/** Signs in at the address, as its page does; returns the session's headers. */
async function signedIn(address: string): Promise<Record<string, string> | null> {
  const code = /#code=([\w-]+)$/.exec(address)?.[1] ?? assert.fail(address);
  const page = { origin: service.url, 'content-type': 'application/json' };
  const sent = { method: 'POST', headers: page, body: JSON.stringify({ code }) };
  const got = await fetch(`${service.url}/console/session`, sent);
  const { token } = (await got.json()) as { token?: string };
  const [cookie = ''] = (got.headers.get('set-cookie') ?? '').split(';');
  return got.ok ? { cookie, authorization: `Session ${token}`, origin: service.url } : null;
}

const statusOf = async (headers: Record<string, string> | null, path: string) =>
  (await fetch(`${service.url}${path}`, { headers: headers ?? {} })).status;

test('the address opens the console of this service and signs in once, within an hour', async () => {
  const asked = Date.now();
  const made = await runCommand(['console', '--url', `${service.url}/`, '--json'], { env });
  assert.equal(made.code, 0, made.stderr);
  const { address = '', org, expires_at: ends } = lastJson(made) as Record<string, string>;
  assert.ok(address.startsWith(`${service.url}/console#code=`), address);
  assert.equal(org, 'console');
  const hours = (Date.parse(ends ?? '') - asked) / HOUR_MS;
  assert.ok(hours >= 1 && hours < 1.1, `${hours}`);
  const session = await signedIn(address);
  assert.equal(await statusOf(session, '/v1/usage'), 200);
  assert.equal(await statusOf(session, '/v1/admin/usage'), 403);
  assert.equal(await signedIn(address), null);
});

test('all who sign in this way do so with one key, which has no text, and revoking it signs them out', async () => {
  const ask = async () =>
    lastJson(await runCommand(['console', '--url', service.url, '--json'], { env })) as Record<
      string,
      string
    >;
  const [one, other] = [await ask(), await ask()];
  assert.equal(one['key_id'], other['key_id']);
  const session = await signedIn(one['address'] ?? '');
  assert.equal(await statusOf(session, '/v1/usage'), 200);
  assert.equal((await runCommand(['keys', 'revoke', one['key_id'] ?? ''], { env })).code, 0);
  while ((await statusOf(session, '/v1/usage')) !== 401);
  assert.equal(await signedIn(other['address'] ?? ''), null);
  assert.notEqual((await ask())['key_id'], one['key_id']);
});

test('--admin alone opens the page of the operator; --org says whose tokens are spent', async () => {
  assert.equal((await runCommand(['orgs', 'create', 'acme'], { env })).code, 0);
  const made = await runCommand(['console', '--org', 'acme', '--admin', '--url', service.url], {
    env,
  });
  assert.equal(made.code, 0, made.stderr);
  assert.equal(await statusOf(await signedIn(made.stdout.trim()), '/v1/admin/usage'), 200);
  assert.match(
    made.stderr,
    /signs in once, as acme; openshelf keys revoke \w{8} signs out all browsers/,
  );
});

test('an organization that is not there is refused and not made, but in data that has none at all', async () => {
  const ask = (data: string, url: string) =>
    runCommand(['console', '--org', 'acmee', '--data', data, '--url', url]);
  const refused = await ask(folder.path, service.url);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(
    refused.stderr,
    /There is no organization "acmee"\. openshelf orgs list shows all\./,
  );
  assert.doesNotMatch((await runCommand(['orgs', 'list'], { env })).stdout, /acmee/);
  using empty = temporaryFolder();
  await runCommand(['serve', '--port', '0', '--data', empty.path], { stopped: true });
  assert.equal((await ask(empty.path, 'http://127.0.0.1:1')).code, 0);
});

test('the command that it names ends the key, in the data folder that it was given', async () => {
  const { path } = folder;
  const made = await runCommand(['console', '--url', service.url, '--data', path]);
  assert.equal(made.code, 0, made.stderr);
  const [, words = ''] = /openshelf (keys revoke .*) signs out all/.exec(made.stderr) ?? [];
  const ended = await runCommand(words.replaceAll("'", '').split(' '));
  assert.equal(ended.code, 0, ended.stderr);
});

test('no address is printed that would not sign in: what answers there has other data', async () => {
  using other = temporaryFolder();
  assert.equal((await runCommand(['keys', 'create', '--org', 'me', '--data', other.path])).code, 0);
  const refused = await runCommand(['console', '--url', service.url, '--data', other.path]);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /has other data than .*Specify that service's data with --data/);
});

test('an address at which nothing answers yet is printed, and that is said', async () => {
  const early = await runCommand(['console', '--url', 'http://127.0.0.1:1'], { env });
  assert.match(early.stdout, /^http:\/\/127\.0\.0\.1:1\/console#code=/);
  assert.match(early.stderr, /Nothing answers at .* yet\. Start the service with openshelf serve/);
});

test('serve prints the address on a terminal, and never elsewhere or with --json', async () => {
  for (const [watched, args, prints] of [
    [true, [], true],
    [false, [], false],
    [true, ['--json'], false],
  ] as const) {
    const own = temporaryFolder();
    const served = await runCommand(['serve', '--port', '0', ...args], {
      env: { OPENSHELF_DATA: own.path, OPENSHELF_DRAIN_DELAY_MS: '0' },
      watched,
      stopped: true,
    });
    assert.equal(served.code, 0, served.stderr);
    assert.equal(/\/console#code=[\w-]+/.test(served.stdout), prints, served.stdout);
    assert.doesNotMatch(served.stderr, /#code=/);
    own[Symbol.dispose]();
  }
});

test('the address of a service that listens everywhere is that of this machine; a wrong one is refused', async () => {
  const everywhere = await runCommand(['console'], {
    env: { ...env, HOST: '0.0.0.0', PORT: '8123' },
  });
  assert.match(everywhere.stdout, /^http:\/\/localhost:8123\/console#code=/);
  for (const [args, more, says] of [
    [['--url', 'ftp://x'], {}, /takes an http or https address/],
    [[], { PORT: '0' }, /Specify its address with --url/],
    [['extra'], {}, /Unexpected argument/],
  ] as const) {
    const wrong = await runCommand(['console', ...args], { env: { ...env, ...more } });
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.match(wrong.stderr, says);
  }
});
