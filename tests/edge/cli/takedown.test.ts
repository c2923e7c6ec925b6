// openshelf takedown: nothing of a shop is left, it is never requested again, and a restore does not bring it back.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { bookOf } from '../../../src/read/retailers/addresses/address-books.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { upsertTakedown } from '../../../src/data/takedowns.ts';
import { wantedOf } from '../../../src/answer/wire/watches/watches.ts';
import { runCommand } from '../../support/command.ts';
import { contentOf } from '../../support/filled-store.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { isOnPostgres } from '../../support/databases.ts';

const hostOf = (url: string) => new URL(url).hostname;
const MAIN_HOST = hostOf(publicOrigins().retailer_w.page).replace(/^www\./, '');

test('a shop is deleted while the service runs, refused by it within a second, and asked again after --undo', async () => {
  await using service = await startService();
  const { json_ld: url, open_graph: other } = service.sandbox.describe().url;
  const env = service.dataEnv;
  assert.equal((await service.lookup(url)).status, 200);
  assert.equal((await service.lookup(other)).status, 200);
  const keyed = { 'idempotency-key': 'shows-the-shop' };
  assert.equal((await service.get(`/v1/products/${encodeURIComponent(url)}`, keyed)).status, 200);
  const host = hostOf(url);
  assert.notEqual(host, hostOf(other));

  const dry = await runCommand(['takedown', host, '--dry-run', '--json'], { env });
  assert.equal(dry.code, 0, dry.stderr);
  const counted = dry.json['removed'] as Record<string, number>;
  assert.equal(counted['listings'], 1);
  assert.equal(counted['observations'], 1);
  assert.equal(counted['kept_answers'], 1);
  assert.equal((await service.lookup(url)).status, 200, 'a dry run deletes nothing');

  const done = await runCommand(['takedown', host, '--json'], { env });
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual(
    { ...(done.json['removed'] as Record<string, number>), misses: 0 },
    { ...counted, misses: 0 },
  );
  const refused = await service.lookup(url);
  assert.equal(refused.status, 400);
  assert.equal(refused.body['code'], 'url_not_allowed');
  const { body } = await service.get(`/v1/products/${encodeURIComponent(url)}/candidates`);
  assert.equal(body['code'], 'url_not_allowed', 'its page is not shown either');
  assert.equal((await service.lookup(other)).status, 200, 'other shops stay');
  const rows = JSON.stringify(await contentOf(service.app.store.sql));
  assert.equal(rows.split(host).length - 1, 1, 'the host is named in the list alone');

  const listed = await runCommand(['takedown', '--list', '--json'], { env });
  const [entry] = JSON.parse(listed.stdout) as readonly Record<string, unknown>[];
  assert.equal(entry?.['host'], host);
  assert.equal(entry?.['undone_at'], null);
  const file = join(service.dataDir, 'takedowns.json');
  assert.equal(statSync(file).mode & 0o077, 0);
  assert.match(readFileSync(file, 'utf8'), new RegExp(`"${host}"`));

  assert.equal((await runCommand(['takedown', '--undo', host], { env })).code, 0);
  const undoneAt = performance.now();
  while ((await service.lookup(url)).status !== 200) {
    assert.ok(performance.now() - undoneAt < 5_000, 'asked again');
  }
});

test('notices about the shop are deleted, and not sent any more', async () => {
  const nobody = '127.0.0.1:9';
  await using service = await startService({
    env: {
      OPENSHELF_NOTIFY_ALLOW: nobody,
      OPENSHELF_SECRETS_KEY: Buffer.alloc(32, 3).toString('base64'),
    },
  });
  const { app, dataEnv: env } = service;
  const { json_ld: url } = service.sandbox.describe().url;
  const organization = await app.store.accounts.findOrganization('test');
  const [key] = await app.store.accounts.listKeys(organization?.id ?? '');
  const owner = { organizationId: organization?.id ?? '', keyId: key?.id ?? '' };
  const fields = { url: `http://${nobody}/` };
  const wanted = { kind: 'webhook', name: 'away', fields } as const;
  const { channel } = await (
    await app.watching()
  ).manageChannels.add(owner.organizationId, wanted, null);
  const sent = { identifier: url, below: 100_000, channels: [channel.id] };
  const body = wantedOf(sent, app.usualCurrency);
  await (await app.watching()).manageWatches.add(owner, body, null);
  await app.checkWatches();
  await service.untilQueueIdle();
  const { sql } = app.store;
  const rows = async (table: string) => (await sql.all(`select * from ${table}`)).length;
  assert.deepEqual([await rows('notices'), await rows('deliveries')], [1, 1]);
  assert.equal((await runCommand(['takedown', hostOf(url), '--json'], { env })).code, 0);
  for (const table of ['notices', 'deliveries', 'changes', 'watched_listings']) {
    assert.equal(await rows(table), 0, table);
  }
  assert.equal(await rows('channels'), 1);
});

test('a host stands for those below it, and for no other that ends alike', async () => {
  await using service = await startService();
  const { json_ld: url } = service.sandbox.describe().url;
  const env = service.dataEnv;
  const { sql } = service.app.store;
  assert.equal((await service.lookup(url)).status, 200);
  const [row] = await sql.all('select * from listings');
  assert.ok(row !== undefined);
  const insert = (id: string, address: string) => ({
    text: `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms)
      values ($1, $2, $3, $3, 'submitted_url', 'imported', 0)`,
    params: [id, `slug${id}`, address],
  });
  await sql.write([
    insert('1', 'https://acorn.example/a'),
    insert('2', 'https://www.acorn.example/a'),
    insert('3', 'https://de.shop.acorn.example/a?b=c'),
    insert('4', 'https://notacorn.example/a'),
    insert('5', 'https://acorn.example.com/a'),
    insert('6', 'https://other.example/https://acorn.example/a'),
    insert('7', 'https://acornxexample/a'),
  ]);
  const done = await runCommand(['takedown', 'ACORN.example.', '--json'], { env });
  assert.equal(done.code, 0, done.stderr);
  const left = await sql.all('select id from listings where length(id) = 1 order by id');
  assert.deepEqual(
    left.map(({ id }) => id),
    ['4', '5', '6', '7'],
  );
});

test('one of the seven retailers needs a word more, and is then no source of any lookup', async () => {
  await using service = await startService({ withRetailers: true });
  const { upc } = service.sandbox.describe();
  const env = service.dataEnv;
  const found = await service.lookup(upc);
  assert.equal(found.status, 200, JSON.stringify(found.body));
  await service.untilQueueIdle();
  const asked = await runCommand(['takedown', MAIN_HOST, '--json'], { env });
  assert.equal(asked.code, 2);
  assert.match(String(asked.json['detail']), /retailer_w.*--retailer/s);
  const done = await runCommand(['takedown', MAIN_HOST, '--retailer', '--json'], { env });
  assert.equal(done.code, 0, done.stderr);
  const { sql } = service.app.store;
  for (const table of ['listings', 'cells', 'jobs', 'reading_counts']) {
    const rows = await sql.all(`select 1 as x from ${table} where retailer = 'retailer_w'`);
    assert.deepEqual(rows, [], table);
  }
  for (const table of ['sellers', 'reviews', 'archived_offers']) {
    assert.deepEqual(await sql.all(`select 1 as x from ${table}`), [], table);
  }
  const check = await runCommand(['check', '--json'], { env });
  assert.deepEqual(check.json, { clean: true, problems: [] });
  const again = await service.lookup(upc);
  assert.ok([200, 404].includes(again.status), JSON.stringify(again.body));
  assert.equal((await service.lookup(service.sandbox.describe().item_id)).status, 503);
  await service.untilQueueIdle();
  const rows = await sql.all("select 1 as x from listings where retailer = 'retailer_w'");
  assert.deepEqual(rows, []);
});

test('a page that was in progress when its host was taken down is not kept', async () => {
  await using service = await startService();
  const { json_ld: url } = service.sandbox.describe().url;
  const host = hostOf(url);
  // The takedown is written while the lookups run: whichever is first, nothing is left.
  const lookups = Promise.all(Array.from({ length: 10 }, () => service.lookup(url)));
  const done = await runCommand(['takedown', host, '--json'], { env: service.dataEnv });
  assert.equal(done.code, 0, done.stderr);
  await lookups;
  assert.equal((await service.lookup(url)).status, 400);
  const rows = await service.app.store.sql.all('select url from listings');
  assert.deepEqual(rows, []);
});

test('an import brings nothing of the host back: its rows are bad lines, the others go in', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  const { dataEnv: env, app } = service;
  const file = join(folder.path, 'history.csv');
  const { productUrl } = bookOf('retailer_b');
  const sku = { kind: 'retailer_b_sku', value: '1234567', retailer: 'retailer_b' } as const;
  const lines = [
    'retailer,retailer_id,url,gtin,observed_at,price,currency',
    'gone,,https://www.gone.example/lamp,4006381333931,2026-01-01,10.00,USD',
    ',,https://gone.example/chair,,2026-01-01,10.00,USD',
    'retailer_b,1234567,,,2026-01-01,10.00,USD',
    `,,${productUrl(sku)},,2026-01-01,10.00,USD`,
    'retailer_b,,,4006381333931,2026-01-01,10.00,USD',
    ',,https://www.stays.example/lamp,4006381333931,2026-01-01,10.00,USD',
  ];
  writeFileSync(file, lines.join('\n'));
  const taken = [['gone.example'], [hostOf(publicOrigins().retailer_b.page), '--retailer']];
  for (const host of taken) {
    assert.equal((await runCommand(['takedown', ...host, '--json'], { env })).code, 0);
  }
  const { json } = await runCommand(['import', file, '--json'], { env });
  assert.deepEqual([json['added'], json['bad']], [1, 5], JSON.stringify(json));
  assert.match(JSON.stringify(json['bad_lines']), /www\.gone\.example was taken down/);
  const stored = JSON.stringify(await contentOf(app.store.sql));
  assert.doesNotMatch(stored, /gone\.example\/|1234567/);
  assert.match(stored, /stays\.example/);
});

test('what is not a host of one shop is refused with a sentence', async () => {
  for (const text of [
    'com',
    'co.uk',
    'https://a.example/',
    'a.example:80',
    'a b',
    'user@a.example',
    'localhost',
  ]) {
    const { code, json } = await runCommand(['takedown', text, '--json']);
    assert.equal(code, 2, text);
    assert.match(String(json['detail']), /is not a host|is not one shop/, text);
  }
  assert.equal((await runCommand(['takedown'])).code, 2);
});

test(
  'an older database of the same folder is purged again when the service starts',
  { skip: isOnPostgres() },
  async () => {
    let url = '';
    let folder = '';
    {
      await using service = await startService();
      url = service.sandbox.describe().url.json_ld;
      folder = service.dataDir;
      assert.equal((await service.lookup(url)).status, 200);
      const done = await runCommand(['takedown', hostOf(url)], { env: service.dataEnv });
      assert.equal(done.code, 0, done.stderr);
      // As after a restore by hand: the table knows nothing, and the shop is there again.
      const { sql } = service.app.store;
      await sql.write([{ text: 'delete from takedowns' }]);
      await sql.write([
        {
          text: `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms)
          values ('x', 'some', $1, $1, 'submitted_url', 'imported', 0)`,
          params: [url],
        },
      ]);
      await service.app.stop(100);
      await service.app[Symbol.asyncDispose]();
      assert.ok(existsSync(join(folder, 'takedowns.json')));
      await using again = await startService({ env: { OPENSHELF_DATA: folder, DATABASE_URL: '' } });
      assert.deepEqual(await again.app.store.sql.all('select id from listings'), []);
      assert.equal((await again.lookup(url)).status, 400);
    }
  },
);

test(
  'a takedown that broke off is brought to its end by the next start of the service',
  { skip: isOnPostgres() },
  async () => {
    await using service = await startService();
    const { json_ld: url } = service.sandbox.describe().url;
    const { app, dataDir: folder, dataEnv: env } = service;
    const { sql } = app.store;
    assert.equal((await service.lookup(url)).status, 200);
    // As when a kill or a full disk interrupts it: the host is refused, but its data is still there.
    await sql.write([upsertTakedown({ host: hostOf(url), takenDownAtMs: 1, undoneAtMs: null })]);
    assert.equal((await sql.all('select id from listings')).length, 1);
    assert.match(
      (await runCommand(['check'], { env })).stdout,
      /taken down and 1 of its listings are stored/,
    );
    await app.stop(100);
    await app[Symbol.asyncDispose]();
    await using again = await startService({ env: { OPENSHELF_DATA: folder } });
    assert.deepEqual(await again.app.store.sql.all('select id from listings'), []);
    assert.equal((await runCommand(['check'], { env })).code, 0);
    assert.equal((await again.lookup(url)).status, 400);
  },
);
