import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { lastJson, runProgram, serveProgram } from '../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

let sandbox: Sandbox;
let folder: TemporaryFolder;
let env: Record<string, string>;

before(async () => {
  sandbox = await startSandbox({ seed: 5, now: () => Date.now() });
  folder = temporaryFolder();
  const pairs = Object.entries(sandbox.origins).map(([from, to]) => `${from}=${to}`);
  env = { OPENSHELF_ORIGINS: pairs.join(','), OPENSHELF_DATA: join(folder.path, 'data') };
});

after(async () => {
  await sandbox.close();
  folder[Symbol.dispose]();
});

const PAGE = `<!doctype html><title>Lamp</title><script type="application/ld+json">
{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","gtin13":"4006381333931",
"offers":{"@type":"Offer","price":"19.90","priceCurrency":"USD","availability":"InStock"}}</script>`;

test('identify prints the ordered candidates as one JSON line', async () => {
  const done = await runProgram(['identify', '036000291452', '--json']);
  assert.equal(done.code, 0);
  assert.deepEqual(lastJson(done), [
    { kind: 'upc12', value: '036000291452', gtin14: '00036000291452' },
    { kind: 'item_id', value: '036000291452', retailer: 'retailer_w' },
  ]);
});

test('identify refuses with the problem as JSON and exit code 1', async () => {
  const done = await runProgram(['identify', '4006381333932', '--json']);
  assert.equal(done.code, 1);
  assert.equal((lastJson(done) as { code: string }).code, 'invalid_identifier');
});

test('parse reads a saved page as the service would and names what was missing', async () => {
  const file = join(folder.path, 'page.html');
  writeFileSync(file, PAGE);
  const done = await runProgram([
    'parse',
    file,
    '--url',
    'https://shop.example.com/lamp',
    '--json',
  ]);
  assert.equal(done.code, 0, done.stderr);
  const reading = lastJson(done) as Record<string, unknown>;
  assert.equal(reading['verdict'], 'product');
  assert.match(JSON.stringify(reading), /"gtin":"04006381333931"/);
  assert.match(JSON.stringify(reading), /"price":19\.9/);
  assert.match(JSON.stringify(reading), /"missing":\[/);
});

test('parse tells what a title states of packs and quantities', async () => {
  const file = join(folder.path, 'juice.html');
  writeFileSync(file, PAGE.replaceAll('Lamp', 'Apple Juice 12 fl oz (Pack of 6)'));
  const url = 'https://shop.example.com/juice';
  const done = await runProgram(['parse', file, '--url', url, '--json']);
  assert.equal(done.code, 0, done.stderr);
  const reading = lastJson(done) as Record<string, unknown>;
  assert.equal(reading['pack_count'], 6);
  assert.deepEqual(reading['title_quantities'], [{ kind: 'volume', value: 354.8824, unit: 'ml' }]);
});

test('parse of a page that is no product page exits 1 with its verdict', async () => {
  const file = join(folder.path, 'article.html');
  writeFileSync(file, '<title>News</title><p>Nothing for sale.</p>');
  const done = await runProgram(['parse', file, '--url', 'https://shop.example.com/a', '--json']);
  assert.equal(done.code, 1);
  assert.equal((lastJson(done) as Record<string, unknown>)['verdict'], 'not_product');
});

test('a key is made, listed without its secret, and revoked', async () => {
  const made = await runProgram(['keys', 'create', '--org', 'acme', '--quota', '5', '--json'], env);
  assert.equal(made.code, 0, made.stderr);
  const { key, id } = lastJson(made) as { key: string; id: string };
  assert.match(key, /^osk_/);
  const listed = await runProgram(['keys', 'list', '--org', 'acme', '--json'], env);
  assert.ok(listed.stdout.includes(id));
  assert.ok(!listed.stdout.includes(key));
  assert.equal((await runProgram(['keys', 'revoke', id, '--json'], env)).code, 0);
  const again = await runProgram(['keys', 'revoke', id, '--json'], env);
  assert.equal(again.code, 1);
});

test('lookup prints the record without token fields, and a card without --json', async () => {
  const url = sandbox.describe().url.json_ld;
  const done = await runProgram(['lookup', url, '--json'], env);
  assert.equal(done.code, 0, done.stderr);
  const record = lastJson(done) as Record<string, unknown>;
  assert.equal(typeof record['title'], 'string');
  assert.ok(!('tokens_consumed' in record));
  const card = await runProgram(['lookup', url], env);
  assert.ok(card.stdout.includes(String(record['brand'])));
});

test('usage counts a billed call of a running service; check is clean while it runs', async () => {
  const made = await runProgram(['keys', 'create', '--org', 'busy', '--json'], env);
  const { key } = lastJson(made) as { key: string };
  const service = await serveProgram(['--port', '0'], env);
  const address = encodeURIComponent(sandbox.describe().url.hosted);
  const response = await fetch(`${service.url}/v1/products/${address}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(response.status, 200);
  const usage = await runProgram(['usage', '--org', 'busy', '--json'], env);
  assert.deepEqual(lastJson(usage), {
    org: 'busy',
    tokens_used: 1,
    tokens_remaining: 999_999,
    calls: 1,
  });
  const check = await runProgram(['check', '--json'], env);
  assert.deepEqual(lastJson(check), { clean: true, problems: [] });
  assert.equal(await service.stop('SIGTERM'), 0);
});

test('a key made while the service runs is accepted, a revoked one refused within a second', async () => {
  const service = await serveProgram(['--port', '0'], env);
  const made = await runProgram(['keys', 'create', '--org', 'late', '--json'], env);
  const { key, id } = lastJson(made) as { key: string; id: string };
  const ask = async () => {
    const address = encodeURIComponent(sandbox.describe().url.hosted);
    const response = await fetch(`${service.url}/v1/products/${address}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    return response.status;
  };
  assert.equal(await ask(), 200);
  await runProgram(['keys', 'revoke', id, '--json'], env);
  const until = Date.now() + 1_100;
  let status = await ask();
  while (status !== 401 && Date.now() < until) status = await ask();
  assert.equal(status, 401);
  assert.equal(await service.stop('SIGTERM'), 0);
});

const BAD_USAGE: readonly (readonly string[])[] = [
  [],
  ['no-such-command'],
  ['lookup'],
  ['lookup', 'a', 'b'],
  ['lookup', 'x', '--no-such-flag'],
  ['identify'],
  ['parse', 'x.html'],
  ['parse', 'x.html', '--url', 'not an address'],
  ['keys'],
  ['keys', 'create'],
  ['keys', 'create', '--org', 'x', '--quota', 'many'],
  ['keys', 'create', '--org', 'x', '--scopes', 'products:write'],
  ['keys', 'create', '--org', 'x', '--expires', '2026-02-30'],
  ['keys', 'create', '--org', 'x', '--expires', '2020-01-01'],
  ['keys', 'create', '--org', 'x', '--expires', 'soon'],
  ['keys', 'rotate'],
  ['orgs'],
  ['orgs', 'create'],
  ['orgs', 'set', 'x'],
  ['orgs', 'set', 'x', '--throttle', '0'],
  ['orgs', 'grant', 'x'],
  ['orgs', 'grant', 'x', '0'],
  ['orgs', 'grant', 'x', '-5'],
  ['orgs', 'list', 'x'],
  ['serve', '--port', '70000'],
  ['usage'],
  ['usage', '--org', 'x', 'extra'],
  ['check', 'extra'],
  ['demo', 'extra'],
  ['serve', 'extra'],
  ['sandbox', 'extra'],
  ['export', 'extra'],
  ['import', 'x.csv', 'extra'],
  ['history', 'a', 'b'],
  ['identify', 'a', 'b'],
  ['parse', 'x.html', 'extra', '--url', 'https://shop.example.com/'],
  ['keys', 'list', '--org', 'x', 'extra'],
  ['keys', 'create', '--org', 'x', 'extra'],
  ['keys', 'revoke', 'aaaaaaaa', 'extra'],
  ['orgs', 'create', 'x', 'extra'],
  ['orgs', 'grant', 'x', '5', 'extra'],
];

for (const args of BAD_USAGE) {
  test(`bad usage exits 2 and says how: openshelf ${args.join(' ')}`, async () => {
    const done = await runProgram(args, env);
    assert.equal(done.code, 2, done.stderr);
    assert.match(done.stderr, /Usage/);
    assert.equal(done.stdout, '');
  });
}

test('every command has --help', async () => {
  const names = [
    'serve',
    'lookup',
    'parse',
    'identify',
    'keys',
    'orgs',
    'usage',
    'check',
    'demo',
    'history',
    'import',
    'export',
  ];
  for (const name of names) {
    const done = await runProgram([name, '--help']);
    assert.equal(done.code, 0, name);
    assert.match(done.stdout, /Usage: openshelf/, name);
  }
});

test('a file that is not there, an unknown organization and an unknown setting exit 1', async () => {
  const cases = [
    [['parse', '/no/such/file', '--url', 'https://shop.example.com/', '--json'], {}],
    [['usage', '--org', 'nobody', '--json'], {}],
    [['orgs', 'set', 'nobody', '--quota', '1', '--json'], {}],
    [['orgs', 'grant', 'nobody', '1', '--json'], {}],
    [['keys', 'rotate', 'aaaaaaaa', '--json'], {}],
    [['check', '--json'], { OPENSHELF_TYPO: '1' }],
    [['check', '--json'], { DATABASE_URL: 'postgres://localhost/x' }],
  ] as const;
  for (const [args, more] of cases) {
    const done = await runProgram(args, { ...env, ...more });
    assert.equal(done.code, 1, args.join(' '));
    assert.equal(typeof (lastJson(done) as { detail: unknown }).detail, 'string');
  }
});
