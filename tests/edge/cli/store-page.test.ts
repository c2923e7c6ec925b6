// openshelf parse --store: a saved page is handed in to the data here.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { runCommand } from '../../support/command.ts';
import { newDatabase, isOnPostgres } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const URL = 'https://www.lamps.example/lamp';
const PAGE =
  '<!doctype html><title>Desk lamp</title><script type="application/ld+json">' +
  '{"@context":"https://schema.org","@type":"Product","name":"Desk lamp",' +
  '"offers":{"@type":"Offer","price":"24.00","priceCurrency":"USD"}}</script>';

test('a saved page is stored for the only organization, or for the one that is named', async () => {
  using folder = temporaryFolder();
  const database = isOnPostgres() ? await newDatabase('migrated') : null;
  await using _closed = database ?? { [Symbol.asyncDispose]: async () => undefined };
  const env = {
    OPENSHELF_DATA: folder.path,
    ...(database === null ? {} : { DATABASE_URL: database.url }),
  };
  const file = join(folder.path, 'lamp.html');
  writeFileSync(file, PAGE);
  const cart = ['parse', file, '--url', 'https://www.lamps.example/cart', '--store', '--json'];
  const args = ['parse', file, '--url', URL, '--store', '--json'];
  assert.notEqual((await runCommand(args, { env })).code, 0, 'there is no organization');
  await runCommand(['orgs', 'create', 'one'], { env });
  const stored = await runCommand(args, { env });
  assert.equal(stored.code, 0, stored.err.join('\n'));
  assert.equal(stored.json['current_price'], 24);
  assert.partialDeepStrictEqual(stored.json, { page: { url: URL }, _meta: { via: 'handed_in' } });
  await runCommand(['orgs', 'create', 'two'], { env });
  assert.match(JSON.stringify((await runCommand(args, { env })).json), /--org/);
  const named = await runCommand([...args, '--org', 'two'], { env });
  assert.equal(named.json['current_price'], 24, named.err.join('\n'));
  const refused = await runCommand([...cart, '--org', 'two'], { env });
  assert.notEqual(refused.code, 0);
  assert.match(JSON.stringify(refused.json), /Carts, checkouts/);
});
