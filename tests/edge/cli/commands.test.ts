// The commands that read, look up and query, and the program as a process: its exit codes, streams and signals.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { aliasOf } from '../../../src/read/retailers/addresses/aliases.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { runCommand } from '../../support/command.ts';
import { lastJson, runProgram, serveProgram } from '../../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

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

test('identify prints the ordered identifiers as one JSON line', async () => {
  const done = await runCommand(['identify', '036000291452', '--json']);
  assert.equal(done.code, 0);
  assert.deepEqual(lastJson(done), [
    { kind: 'upc12', value: '036000291452', gtin14: '00036000291452' },
    { kind: 'item_id', value: '036000291452', retailer: 'retailer_w' },
  ]);
});

test('the program ends with the exit code of its command, and keeps answers and errors apart', async () => {
  const [done, refused, wrong] = await Promise.all([
    runProgram(['identify', '036000291452', '--json']),
    runProgram(['identify', '4006381333932', '--json']),
    runProgram(['identify', '--jsno']),
  ]);
  assert.deepEqual([done.code, done.stderr], [0, '']);
  assert.equal((lastJson(done) as readonly unknown[]).length, 2);
  assert.equal(refused.code, 1);
  assert.equal((lastJson(refused) as { code: string }).code, 'invalid_identifier');
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /Did you mean "--json"\?[^]*Usage: \S+bin\/openshelf identify/);
});

test('parse reads a saved page as the service would and names what was missing', async () => {
  const file = join(folder.path, 'page.html');
  writeFileSync(file, PAGE);
  const url = 'https://shop.example.com/lamp';
  const done = await runCommand(['parse', file, '--url', url, '--json']);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.json['verdict'], 'product');
  assert.match(done.stdout, /"gtin":"04006381333931"/);
  assert.match(done.stdout, /"price":19\.9/);
  assert.match(done.stdout, /"missing":\[/);
});

test('parse takes the name that people know a retailer by', async () => {
  const file = join(folder.path, 'search.html');
  writeFileSync(file, '<p>nothing</p>');
  const url = 'https://shop.example.com/search';
  const args = ['--url', url, '--reader', 'reviews', '--json'];
  const done = await runCommand(['parse', file, '--retailer', aliasOf('retailer_w'), ...args]);
  assert.equal(done.code, 1, done.stderr);
  assert.equal(done.json['verdict'], 'unreadable');
});

test('parse takes the retailer from the address, as a lookup does', async () => {
  const file = join(folder.path, 'reviews.html');
  writeFileSync(file, '<p>nothing</p>');
  const read = (url: string) =>
    runCommand(['parse', file, '--url', url, '--reader', 'reviews', '--json']);
  const [own, other] = [publicOrigins().retailer_w.page, 'https://shop.example.com'];
  assert.equal((await read(`${own}/reviews/product/1`)).json['verdict'], 'unreadable');
  assert.match((await read(`${other}/reviews/product/1`)).stderr, /requires --retailer/);
});

test('parse reads standard input to its end', async () => {
  const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
  const url = 'https://shop.example.com/lamp';
  const args = [launcher, 'parse', '/dev/stdin', '--url', url, '--json'];
  const child = spawn(process.execPath, args, {
    cwd: folder.path,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(PAGE);
  assert.match(await text(child.stdout), /"verdict":"product"/);
});

test('parse prints the packs and quantities that a title states', async () => {
  const file = join(folder.path, 'juice.html');
  writeFileSync(file, PAGE.replaceAll('Lamp', 'Apple Juice 12 fl oz (Pack of 6)'));
  const url = 'https://shop.example.com/juice';
  const done = await runCommand(['parse', file, '--url', url, '--json']);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.json['pack_count'], 6);
  assert.deepEqual(done.json['title_quantities'], [
    { kind: 'volume', value: 354.8824, unit: 'ml' },
  ]);
});

test('parse of a page that is not a product page exits 1 with its verdict', async () => {
  const file = join(folder.path, 'article.html');
  writeFileSync(file, '<title>News</title><p>Nothing for sale.</p>');
  const done = await runCommand(['parse', file, '--url', 'https://shop.example.com/a', '--json']);
  assert.equal(done.code, 1);
  assert.equal(done.json['verdict'], 'not_product');
});

test('a key is made, listed without its secret, and revoked', async () => {
  const create = ['keys', 'create', '--org', 'acme', '--quota', '5', '--json'];
  const made = await runCommand(create, { env });
  assert.equal(made.code, 0, made.stderr);
  const { key, id } = made.json as { key: string; id: string };
  assert.match(key, /^osk_/);
  const listed = await runCommand(['keys', 'list', '--org', 'acme', '--json'], { env });
  assert.ok(listed.stdout.includes(id));
  assert.ok(!listed.stdout.includes(key));
  assert.equal((await runCommand(['keys', 'revoke', id, '--json'], { env })).code, 0);
  assert.equal((await runCommand(['keys', 'revoke', id, '--json'], { env })).code, 1);
});

test('lookup prints the record without token fields, and a card without --json', async () => {
  const url = sandbox.describe().url.json_ld;
  const done = await runCommand(['lookup', url, '--json'], { env });
  assert.equal(done.code, 0, done.stderr);
  assert.equal(typeof done.json['title'], 'string');
  assert.ok(!('tokens_consumed' in done.json));
  const card = await runCommand(['lookup', url], { env });
  assert.ok(card.stdout.includes(String(done.json['brand'])));
});

test('next to a running service, usage counts its calls, check is clean, and keys begin and end', async () => {
  await using service = await serveProgram(['--port', '0'], env);
  const ask = async (key: string): Promise<number> => {
    const address = encodeURIComponent(sandbox.describe().url.hosted);
    const response = await fetch(`${service.url}/v1/products/${address}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    // On a busy machine a page may arrive too late to be read within the time of a call, which is then free.
    return response.status === 503 ? await ask(key) : response.status;
  };
  const made = await runCommand(['keys', 'create', '--org', 'busy', '--json'], { env });
  const { key, id } = made.json as { key: string; id: string };
  assert.equal(await ask(key), 200, 'a key made while the service runs is accepted');
  const usage = await runCommand(['usage', '--org', 'busy', '--json'], { env });
  assert.deepEqual(usage.json, {
    org: 'busy',
    tokens_used: 1,
    tokens_remaining: 999_999,
    calls: 1,
  });
  const check = await runCommand(['check', '--json'], { env });
  assert.deepEqual(check.json, { clean: true, problems: [] });
  await runCommand(['keys', 'revoke', id, '--json'], { env });
  // "Within a second" is proved with a simulated clock.
  const until = Date.now() + 30_000;
  let status = await ask(key);
  while (status !== 401 && Date.now() < until) status = await ask(key);
  assert.equal(status, 401, 'a revoked key is refused');
  assert.equal(await service.stop('SIGTERM'), 0);
});

test('a file that is not there, an unknown organization and an unknown setting exit 1', async () => {
  const cases = [
    [['parse', '/no/such/file', '--url', 'https://shop.example.com/'], {}],
    [['usage', '--org', 'nobody'], {}],
    [['keys', 'list', '--org', 'nobody'], {}],
    [['orgs', 'set', 'nobody', '--quota', '1'], {}],
    [['orgs', 'grant', 'nobody', '1'], {}],
    [['keys', 'rotate', 'aaaaaaaa'], {}],
    [['check'], { OPENSHELF_TYPO: '1' }],
    [['check'], { DATABASE_URL: 'postgres://localhost/x' }],
  ] as const;
  for (const [args, more] of cases) {
    const done = await runCommand([...args, '--json'], { env: { ...env, ...more } });
    assert.equal(done.code, 1, args.join(' '));
    assert.equal(typeof done.json['detail'], 'string');
    assert.doesNotMatch(String(done.json['detail']), /ENOENT/);
  }
});
