// openshelf import --barcodes: a dump of Open Food Facts answers in place of the databases (D86).

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { startFakeDatabases } from '../../support/fake-databases.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const fakes = await startFakeDatabases();
after(async () => {
  await fakes.close();
  folder[Symbol.dispose]();
});

const CODE = '7610000000011';
const SOAP = '7610000000028';
const JSON_LINES = [
  {
    code: CODE,
    product_name: 'Oat drink',
    brands: 'Cobbleton',
    quantity: '6 x 1 l',
    product_type: 'food',
  },
  { code: '7610000000035', product_name: '' },
  { code: 'abc', product_name: 'No barcode' },
  { code: SOAP, product_name_fr: 'Savon', product_type: 'beauty' },
].map((row) => JSON.stringify(row));
const CSV = [
  ['code', 'url', 'product_name', 'brands', 'quantity', 'categories_tags', 'image_url'],
  [
    CODE,
    `http://world-en.openfoodfacts.org/product/${CODE}`,
    'Oat "drink"',
    '',
    '',
    'en:drinks',
    '',
  ],
  [SOAP, `http://world-en.openbeautyfacts.org/product/${SOAP}`, 'Soap', 'Cobbleton', '', '', ''],
].map((cells) => cells.join('\t'));

const PAGES_OFF = Object.fromEntries(
  ['W', 'A', 'E', 'B', 'H', 'L', 'T'].map((letter) => [
    `OPENSHELF_RETAILER_${letter}_PAGES`,
    'off',
  ]),
);

let places = 0;
/** Imports the file and returns a lookup of a code in the same data. */
async function imported(name: string, bytes: string | Uint8Array) {
  places += 1;
  const file = join(folder.path, `${places}-${name}`);
  writeFileSync(file, bytes);
  const env = {
    ...PAGES_OFF,
    OPENSHELF_DATA: join(folder.path, `data-${places}`),
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    OPENSHELF_CONTACT: 'me@shelf.example',
    OPENSHELF_ORIGINS: fakes.origins,
    OPENSHELF_BARCODE_DATABASES: file,
  };
  const done = await runCommand(['import', '--barcodes', '--json'], { env });
  const look = (code: string, ...more: string[]) => runCommand(['lookup', code, ...more], { env });
  return { done, look, env, file };
}

const titleOf = async (ran: ReturnType<typeof runCommand>) => (await ran).json['title'];

test('a dump in each of its formats names products, and no database is asked', async () => {
  for (const [name, bytes, titles, rows] of [
    ['products.jsonl', `${JSON_LINES.join('\n')}\n`, ['Oat drink', 'Savon'], 4],
    ['marked.jsonl', `\ufeff${JSON_LINES.join('\n')}\n`, ['Oat drink', 'Savon'], 4],
    ['marked.csv', `\ufeff${CSV.join('\n')}\n`, ['Oat "drink"', 'Soap'], 2],
    ['products.jsonl.gz', gzipSync(JSON_LINES.join('\n')), ['Oat drink', 'Savon'], 4],
    ['products.csv', `${CSV.join('\n')}\n`, ['Oat "drink"', 'Soap'], 2],
    ['products.csv.gz', gzipSync(CSV.join('\n')), ['Oat "drink"', 'Soap'], 2],
  ] as const) {
    const { done, look } = await imported(name, bytes);
    assert.equal(done.code, 0, done.err.join('\n'));
    assert.deepEqual([done.json['rows'], done.json['stored']], [rows, 2], name);
    assert.deepEqual(
      [await titleOf(look(CODE, '--json')), await titleOf(look(SOAP, '--json'))],
      titles,
    );
    const none = await look('7610000000042');
    assert.match(none.err.join('\n'), /imported barcode database does not have it/);
  }
  assert.deepEqual(fakes.asked, []);
});

test('a second import replaces what the first one said; a broken one keeps what was stored', async () => {
  const { look, env, file } = await imported('products.jsonl', JSON_LINES.join('\n'));
  const again = (bytes: string | Uint8Array, name = file) => {
    writeFileSync(name, bytes);
    return runCommand(['import', '--barcodes', name], { env });
  };
  assert.equal((await again(JSON.stringify({ code: CODE, product_name: 'Oat milk' }))).code, 0);
  assert.equal(await titleOf(look(CODE, '--json')), 'Oat milk');
  const cut = gzipSync(JSON_LINES.join('\n')).subarray(0, 60);
  assert.equal((await again(cut, `${file}.gz`)).code, 1);
  assert.equal(await titleOf(look(SOAP, '--json')), 'Savon');
  const missing = await runCommand(['import', '--barcodes', join(folder.path, 'none')], { env });
  assert.equal(missing.code, 1);
  const { code } = await runCommand(['import', '--barcodes', '--currency', 'USD'], { env });
  assert.equal(code, 2);
});

test('a dump does not bring back the database that was taken down', async () => {
  const { look, env, file } = await imported('products.jsonl', JSON_LINES.join('\n'));
  assert.equal((await runCommand(['takedown', 'openfoodfacts.org'], { env })).code, 0);
  const again = await runCommand(['import', '--barcodes', file, '--json'], { env });
  assert.equal(again.json['stored'], 1);
  assert.notEqual((await look(CODE, '--json')).code, 0);
  assert.equal(await titleOf(look(SOAP, '--json')), 'Savon');
});

test('the card of a product that no retailer has names the database and its licence', async () => {
  const { look } = await imported('products.jsonl', JSON_LINES.join('\n'));
  const card = (await look(CODE)).out.join('\n');
  assert.match(card, /Known only to a barcode database/);
  assert.match(card, /© Open Food Facts contributors, Open Database License \(ODbL\)/);
  assert.match(card, /https:\/\/world\.openfoodfacts\.org\/product\/7610000000011/);
});
