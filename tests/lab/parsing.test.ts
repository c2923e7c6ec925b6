// The program itself: exit codes, the machine-readable line, and that no error stays hidden.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';

const scratch = temporaryFolder();
const folder = scratch.path;
after(() => scratch[Symbol.dispose]());

const PROGRAM = new URL('../../lab/eval/parsing.ts', import.meta.url).pathname;

const PAGE = `<!doctype html><html><head><title>Blue Cup</title>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
"name":"Blue Cup","sku":"CUP-1","offers":{"@type":"Offer","price":"12.50","priceCurrency":"USD",
"availability":"https://schema.org/InStock"}}</script></head><body><h1>Blue Cup</h1></body></html>`;

function run(rows: readonly object[] | string, ...options: string[]) {
  const manifest = join(folder, 'manifest.jsonl');
  const text = typeof rows === 'string' ? rows : rows.map((row) => JSON.stringify(row)).join('\n');
  writeFileSync(manifest, text);
  writeFileSync(join(folder, 'cup.html'), PAGE);
  return spawnSync(process.execPath, [PROGRAM, '--manifest', manifest, ...options], {
    encoding: 'utf8',
  });
}

const CUP = {
  file: 'cup.html',
  slug: 'generic',
  reader: 'product',
  scored: true,
  url: 'https://shop.example/cup',
};
const TRUTH = {
  verdict: 'product',
  title: 'Blue Cup',
  price: 12.5,
  currency: 'USD',
  in_stock: true,
};

test('a manifest is measured with the service’s own reader and ends in one line of sums', () => {
  const wrong = { ...CUP, slug: 'shopify', expect: { price: 11, gtin: null, brand: 'Acme' } };
  const other = { ...CUP, reader: 'offers', expect: { verdict: 'offers', result_count: 2 } };
  const { status, stdout, stderr } = run([{ ...CUP, expect: TRUTH }, wrong, other], '--json');
  assert.equal(status, 0, stderr);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, 1, 'everything for people goes to stderr');
  const zeros = { wrong_barcodes: 0 };
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    fields: 11,
    right: 6,
    wrong: 2,
    missing: 3,
    wrong_prices: 1,
    false_products: 1,
    ...zeros,
    by_slug: {
      generic: {
        fields: 8,
        right: 5,
        wrong: 1,
        missing: 2,
        wrong_prices: 0,
        false_products: 1,
        ...zeros,
      },
      shopify: {
        fields: 3,
        right: 1,
        wrong: 1,
        missing: 1,
        wrong_prices: 1,
        false_products: 0,
        ...zeros,
      },
    },
  });
  assert.match(stderr, /price: expected 11, got 12\.5/);
  assert.match(stderr, /no reader for offers yet/);
});

test('--slug measures the rows of some slugs only', () => {
  const rows = [
    { ...CUP, expect: TRUTH },
    { ...CUP, slug: 'shopify', expect: { price: 11 } },
  ];
  const { stdout } = run(rows, '--json', '--slug', 'generic');
  assert.equal(JSON.parse(stdout).fields, 5);
  assert.equal(run(rows, '--slug', 'nobody').status, 1);
});

test('a manifest that cannot be measured whole is not measured, and every reason is given', () => {
  const missing = run(
    [
      { ...CUP, expect: TRUTH },
      { ...CUP, file: 'gone.html', expect: {} },
    ],
    '--json',
  );
  assert.equal(missing.status, 1);
  assert.equal(missing.stdout, '');
  assert.match(missing.stderr, /row 2 gone\.html/);
  const broken = run('{"file":\n{"slug":1}\n');
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /row 1: [^]*row 2: /);
  const notJson = run([{ ...CUP, feed: { into: 'json' }, expect: {} }]);
  assert.equal(notJson.status, 1);
  assert.match(notJson.stderr, /row 1 cup\.html/);
});

test('bad usage is exit code 2', () => {
  for (const args of [[], ['--manifest'], ['--manifest', 'x', '--colour']]) {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, /usage:/);
  }
});
