// openshelf identity: the key that signs requests to shops, from its creation to the request and the published files.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';

import { runCommand, serveCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DIRECTORY = '/.well-known/http-message-signatures-directory';
const ORIGIN = 'https://shelf.example';
const SHOP = 'https://www.signedlamps.example';

/** A shop that keeps the headers of each request. */
async function openShop() {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { asked, close, origins: `${SHOP}=http://127.0.0.1:${port}` };
}

test('a key that was created signs the requests of the service, and is published by it and as files', async () => {
  using folder = temporaryFolder();
  const shop = await openShop();
  const data = join(folder.path, 'data');
  const env = {
    OPENSHELF_DATA: data,
    OPENSHELF_ORIGINS: shop.origins,
    OPENSHELF_IDENTITY_URL: ORIGIN,
    OPENSHELF_CONTACT: 'mailto:operator@shelf.example',
    PORT: '0',
  };
  const identity = (...args: readonly string[]) =>
    runCommand(['identity', ...args, '--json'], { env });
  const before = await identity('show');
  assert.equal(before.code, 1);
  assert.match(before.stdout, /identity create/);
  assert.equal((await identity('files', join(folder.path, 'site'))).code, 1);

  const key = await runCommand(['keys', 'create', '--org', 'a', '--json'], { env });
  const authorization = `Bearer ${String(key.json['key'])}`;
  const ask = async (url: string, path: string) => {
    await fetch(`${url}/v1/products/${encodeURIComponent(`${SHOP}${path}`)}`, {
      headers: { authorization },
    });
    return shop.asked.splice(0);
  };
  const unsigned = await serveCommand([], env);
  for (const headers of await ask(unsigned.url, '/p/1'))
    assert.equal(headers['signature'], undefined);
  assert.equal((await fetch(`${unsigned.url}${DIRECTORY}`)).status, 404);
  await unsigned.stop();

  assert.equal((await identity('create')).code, 0);
  const file = join(data, 'identity.key');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const seed = readFileSync(file, 'utf8');
  const again = await identity('create');
  assert.equal(again.code, 1, 'a key is never replaced');
  assert.equal(readFileSync(file, 'utf8'), seed);

  const shown = await identity('show');
  const keyId = String(shown.json['key_id']);
  assert.equal(shown.stdout.includes(seed.trim()), false);
  const service = await serveCommand([], env);
  const signed = await ask(service.url, '/p/2');
  assert.ok(signed.length >= 2, 'robots.txt and the page');
  for (const headers of signed) {
    assert.equal(headers['signature-agent'], `"${ORIGIN}"`);
    assert.match(
      String(headers['signature-input']),
      new RegExp(`keyid="${keyId}";tag="web-bot-auth"$`),
    );
  }
  const site = join(folder.path, 'site');
  assert.equal((await identity('files', site)).code, 0);
  const rules = readFileSync(join(site, '_headers'), 'utf8');
  for (const [path, type] of [
    [DIRECTORY, 'application/http-message-signatures-directory+json'],
    ['/bot', 'application/json'],
  ] as const) {
    const answer = await fetch(`${service.url}${path}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), type);
    assert.equal(readFileSync(join(site, path), 'utf8'), await answer.text());
    assert.match(
      rules,
      new RegExp(
        `^${path.replaceAll('.', '\\.')}\n  content-type: ${type.replace('+', '\\+')}$`,
        'm',
      ),
    );
  }
  const directory = await fetch(`${service.url}${DIRECTORY}`);
  assert.match(
    String(directory.headers.get('signature-input')),
    /^binding=\("@authority";req "content-digest"\)/,
  );
  const { keys } = (await directory.json()) as { keys: readonly { kid: string; d?: string }[] };
  assert.deepEqual(
    keys.map(({ kid, d }) => [kid, d]),
    [[keyId, undefined]],
  );
  const card = (await (await fetch(`${service.url}/bot`)).json()) as {
    contacts: readonly string[];
  };
  assert.deepEqual(card.contacts, [env.OPENSHELF_CONTACT]);
  await service.stop();
  await shop.close();
});

test('on PostgreSQL the key is printed as a setting, and signs as one', async () => {
  const database = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const made = await runCommand(['identity', 'create', '--json'], { env: database });
  assert.equal(made.json['setting'], 'OPENSHELF_IDENTITY_KEY');
  const env = { ...database, OPENSHELF_IDENTITY_KEY: String(made.json['value']) };
  const alone = await runCommand(['identity', 'show'], { env });
  assert.match(alone.stdout, /Nothing is signed until OPENSHELF_IDENTITY_URL is set/);
  const shown = await runCommand(['identity', 'show', '--json'], {
    env: { ...env, OPENSHELF_IDENTITY_URL: ORIGIN },
  });
  assert.deepEqual(Object.keys(shown.json['files'] as object), [DIRECTORY, '/bot']);
  for (const url of [
    'http://shelf.example',
    'https://shelf.example/a',
    'shelf.example',
    'https://a".example',
  ]) {
    const refused = await runCommand(['identity', 'show'], {
      env: { ...env, OPENSHELF_IDENTITY_URL: url },
    });
    assert.match(refused.stderr, /OPENSHELF_IDENTITY_URL must be an origin/);
  }
});
