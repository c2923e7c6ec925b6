// A sheet of products becomes a sheet of answers: every row is accounted for, in order, and no product is queried or charged
// twice, whatever interrupts the run.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { readSheet } from 'read-excel-file/node';

import type { Sandbox } from '../../../sandbox/server.ts';
import type { ComparisonBody } from '../../../src/answer/wire/compare.ts';
import { runCommand } from '../../support/command.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { sheetsParts, zipArchive } from '../../support/zip-archive.ts';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (path: string): readonly Row[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** Barcodes of products without trouble, as a shop prints them. */
function codesOf(sandbox: Sandbox, count: number): readonly string[] {
  const { catalog } = sandbox.market();
  return catalog
    .filter(({ trouble }) => trouble === null)
    .slice(0, count)
    .map(({ gtin14 }) => gtin14.replace(/^00/, ''));
}

test('every row has its answer next to its own cells: found, repeated, repaired, invalid and unread', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const described = await runCommand(['sandbox', '--describe', '--json', '--products', '40']);
  const { upc, asin, item_id: item } = described.json as Record<string, string>;
  const input = join(folder.path, 'in.csv');
  const out = join(folder.path, 'out.jsonl');
  const lines = [
    `${upc},9.50`,
    `="${upc}",1`,
    `${asin},`,
    `${item},x`,
    '614141000037,2',
    '6.1E+11,',
    'lamp,',
  ];
  writeFileSync(input, `Code,Unit cost\n${lines.join('\n')}\n`);
  const args = [
    'lookup',
    '--file',
    input,
    '--out',
    out,
    '--sandbox',
    '--products',
    '40',
    '--data',
    data,
  ];
  const { code, err, json } = await runCommand([...args, '--roi', '30', '--json']);
  assert.equal(code, 0, err.join('\n'));
  const { complete, rows: count, found, invalid, repeated, tokens } = json;
  assert.deepEqual(
    { complete, count, found, invalid, repeated, tokens },
    {
      complete: true,
      count: 7,
      found: 4,
      invalid: 2,
      repeated: 1,
      tokens: 0,
    },
  );
  const rows = rowsOf(out);
  assert.deepEqual(
    rows.map(({ line, status }) => [line, status]),
    [
      [2, 'found'],
      [3, 'found'],
      [4, 'found'],
      [5, 'found'],
      [6, 'not_found'],
      [7, 'invalid'],
      [8, 'invalid'],
    ],
  );
  const [first, second] = rows;
  assert.equal(first?.['Code'], upc);
  assert.equal(second?.['title'], first?.['title']);
  assert.match(String(second?.['note']), /^read from =/);
  for (const slug of ['w', 'a', 'e', 'l', 't', 'b', 'h']) {
    assert.equal(typeof first?.[`retailer_${slug}_price`], 'number', slug);
  }
  const {
    sell_price: price,
    fees,
    sell_pack: pack,
    unit_cost: cost,
    profit,
  } = first as Record<string, number>;
  assert.equal(cost, 9.5);
  assert.equal(profit, Math.round((Number(price) - Number(fees) - 9.5 * Number(pack)) * 100) / 100);
  assert.ok(Number(first?.['highest_cost']) > 0);
  assert.match(String(rows[3]?.['note']), /the cost "x" is not an amount/);
  assert.match(String(rows[5]?.['note']), /last digits are lost/);
  assert.match(err.join('\n'), /column "Code" has the products, "Unit cost" the costs/);
  assert.match(err.join('\n'), /nothing is charged/);
  assert.ok(!existsSync(`${out}.progress`));
});

test('a run at a service that is stopped twice gives the same table, and each product is charged once', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const codes = codesOf(service.sandbox, 40);
  const input = join(folder.path, 'in.txt');
  writeFileSync(input, codes.join('\n'));
  const env = { OPENSHELF_API_KEY: service.key };
  const usage = async () => Number((await service.get('/v1/usage')).body['tokens_used']);
  const stopped = join(folder.path, 'stopped.jsonl');
  const args = (out: string) => ['lookup', '--file', input, '--out', out, '--url', service.url];
  for (const stopAt of [/ 10 of 40 products/, / 25 of 40 products/]) {
    const { code, stderr } = await runCommand(args(stopped), { env, stopAt });
    assert.equal(code, 1);
    assert.match(stderr, /same command continues/);
    assert.ok(existsSync(`${stopped}.progress`));
    assert.ok(!existsSync(stopped));
  }
  const last = await runCommand(args(stopped), { env });
  assert.equal(last.code, 0, last.stderr);
  assert.match(last.stderr, /Continues an earlier run: \d+ products are answered/);
  const charged = await usage();
  const rows = rowsOf(stopped);
  const tokens = rows.reduce((sum, row) => sum + Number(row['tokens']), 0);
  assert.equal(charged, tokens);
  const found = rows.filter(({ status }) => status === 'found');
  assert.ok(found.length > 35 && found.every((row) => Number(row['tokens']) % 3 === 1));
  await service.untilQueueIdle();
  const whole = join(folder.path, 'whole.jsonl');
  assert.equal((await runCommand(args(whole), { env })).code, 0);
  // Which source reports a product missing depends on what was queried before.
  const bare = ({ note: _note, tokens: _tokens, ...row }: Row) => row;
  assert.deepEqual(rows.map(bare), rowsOf(whole).map(bare));
  // Stored by now: no call is too early, and the price is the announced one.
  assert.equal((await usage()) - charged, 4 * found.length);
});

test('the sheet and the comparison name the same best marketplace, also where it has no fulfilment programme', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const codes = codesOf(service.sandbox, 25);
  const [input, out] = [join(folder.path, 'in.txt'), join(folder.path, 'out.jsonl')];
  writeFileSync(input, codes.join('\n'));
  const { code, stderr } = await runCommand(
    ['lookup', '--file', input, '--out', out, '--url', service.url],
    { env: { OPENSHELF_API_KEY: service.key } },
  );
  assert.equal(code, 0, stderr);
  const sheet = new Map(rowsOf(out).map((row) => [row['identifier'], row]));
  const named = new Set<unknown>();
  for (const id of codes) {
    const { body } = await service.get(`/v1/products/${id}/compare`);
    const rows = (body as ComparisonBody).rows.filter(({ fees }) => (fees?.total ?? null) !== null);
    const left = ({ price, fees, pack_count: pack }: (typeof rows)[number]) =>
      ((price ?? 0) - (fees?.total ?? 0)) / (pack ?? 1);
    const [best] = rows.toSorted((a, b) => left(b) - left(a));
    // The sheet never sells at a listing that only resembles the product.
    if (best?.identity !== 'confirmed' || best.warnings.includes('disputed')) continue;
    const row = sheet.get(id);
    assert.deepEqual(
      [row?.['sell_at'], row?.['sell_price'], row?.['fees']],
      [best.retailer, best.price, best.fees?.total],
      id,
    );
    named.add(best.retailer);
  }
  assert.ok(named.has('retailer_e'), [...named].join(' '));
});

test('an estimate says what a run costs and takes, and asks nobody', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const input = join(folder.path, 'in.csv');
  writeFileSync(input, `${codesOf(service.sandbox, 5).join('\n')}\n`);
  const out = join(folder.path, 'out.csv');
  const { code, json, stderr } = await runCommand(
    ['lookup', '--file', input, '--out', out, '--url', service.url, '--estimate', '--json'],
    { env: { OPENSHELF_API_KEY: service.key } },
  );
  assert.equal(code, 0);
  assert.deepEqual([json['wanted'], json['tokens'], json['seconds']], [5, 20, 10]);
  assert.match(stderr, /5 rows; column 1 has the products/);
  assert.match(stderr, /Cost: 20 tokens, 4 for each product/);
  assert.equal((await service.get('/v1/usage')).body['tokens_used'], 0);
  assert.ok(!existsSync(`${out}.progress`));
  const book = join(folder.path, 'in.xlsx');
  const cell = `<row r="1"><c r="A1" t="inlineStr"><is><t>614141000005</t></is></c></row>`;
  const sheets = [
    { name: 'Mugs', rows: cell },
    { name: 'Older', rows: cell },
  ];
  writeFileSync(book, zipArchive(sheetsParts(sheets)));
  const ofBook = await runCommand(
    ['lookup', '--file', book, '--out', out, '--url', service.url, '--estimate'],
    { env: { OPENSHELF_API_KEY: service.key } },
  );
  assert.match(
    ofBook.stderr,
    /2 sheets, "Mugs", "Older"; "Mugs" is read\. Choose another with --sheet\./,
  );
});

test('products of a sheet are watched, once each', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const input = join(folder.path, 'in.txt');
  writeFileSync(input, `${codesOf(service.sandbox, 3).join('\n')}\n`);
  const out = join(folder.path, 'out.xlsx');
  for (let round = 0; round < 2; round += 1) {
    const {
      code,
      out: said,
      stderr,
    } = await runCommand(
      ['lookup', '--file', input, '--out', out, '--url', service.url, '--watch'],
      { env: { OPENSHELF_API_KEY: service.key } },
    );
    assert.equal(code, 0, stderr);
    assert.match(said.join('\n'), /3 products are watched/);
  }
  const { watches } = (await service.get('/v1/watches')).body as { watches: readonly unknown[] };
  assert.equal(watches.length, 3);
  const [head, ...rows] = await readSheet(out);
  assert.equal(head?.[0], 'column 1');
  assert.equal(rows.length, 3);
});

test('a key that is refused ends the run with the words of the service', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  const input = join(folder.path, 'in.txt');
  writeFileSync(input, '614141000036\n');
  const { code, stderr } = await runCommand(
    ['lookup', '--file', input, '--out', join(folder.path, 'a.csv'), '--url', service.url],
    { env: { OPENSHELF_API_KEY: 'osk_live_wrong' } },
  );
  assert.equal(code, 1);
  assert.match(stderr, /answered 401|refuses/);
});

for (const [args, said] of [
  [['--file', 'a.csv'], /--out is missing/],
  [
    ['--file', 'a.csv', '--out', 'a.ods'],
    /Use a file name that ends in \.csv, \.xlsx, \.jsonl, \.parquet/,
  ],
  [['--out', 'a.csv', '614141000036'], /--out requires --file/],
  [['--file', 'a.csv', '--out', 'b.csv', '614141000036'], /Unexpected argument/],
  [['--file', 'a.csv', '--out', 'b.csv', '--url', 'shelf'], /--url takes the address/],
  [['--file', 'a.csv', '--out', 'b.csv', '--url', 'http://127.0.0.1:9'], /OPENSHELF_API_KEY/],
  [['--file', 'a.csv', '--out', 'b.csv', '--watch'], /--watch needs --org/],
  [['--file', 'a.csv', '--out', 'b.csv', '--sandbox', '--url', 'http://a'], /Use only one of them/],
  [['--file', 'a.csv', '--out', 'b.csv', '--wait', 'long'], /--wait takes a time/],
  [['--file', 'a.csv', '--out', 'b.csv', '--seed', '1'], /Add --sandbox/],
] as const) {
  test(`lookup ${args.join(' ')} is bad usage, and says what would do`, async () => {
    const { code, stderr } = await runCommand(['lookup', ...args]);
    assert.equal(code, 2);
    assert.match(stderr, said);
  });
}

test('an output that cannot be written is said before anybody is asked', async () => {
  using folder = temporaryFolder();
  const input = join(folder.path, 'in.txt');
  writeFileSync(input, '4006381333931\n');
  const [taken, pipe] = [join(folder.path, 'd.csv'), join(folder.path, 'p.csv')];
  mkdirSync(taken);
  execFileSync('mkfifo', [pipe]);
  for (const [out, said] of [
    [taken, /d\.csv is a folder\. Specify a file in it\./],
    [pipe, /p\.csv is a pipe or a device\. Specify a file/],
  ] as const) {
    const { code, stderr } = await runCommand(['lookup', '--file', input, '--out', out]);
    assert.equal(code, 1);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /has the products/);
  }
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['d.csv', 'in.txt', 'p.csv']);
});

test('an output that is the input, also by a link, is refused and the input stays', async () => {
  using folder = temporaryFolder();
  const [input, link] = [join(folder.path, 'in.csv'), join(folder.path, 'link.csv')];
  writeFileSync(input, 'upc,cost\n4006381333931,2\n');
  symlinkSync(input, link);
  for (const [file, out] of [
    [input, input],
    [input, link],
    [link, input],
    [link, link],
    [input, join(folder.path, '.', 'x', '..', 'in.csv')],
  ] as const) {
    const { code, stderr } = await runCommand(['lookup', '--file', file, '--out', out]);
    assert.equal(code, 2, `${file} ${out}`);
    assert.match(stderr, /--out is the sheet that is read\. Choose another file: the sheet would/);
  }
  assert.equal(readFileSync(input, 'utf8'), 'upc,cost\n4006381333931,2\n');
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['in.csv', 'link.csv']);
});

test('an address that a shop forbids, or whose page cannot be read, has no answer: it names a product all the same', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  const { trouble } = service.sandbox.describe();
  const [input, out] = [join(folder.path, 'in.txt'), join(folder.path, 'out.jsonl')];
  const lines = [trouble.disallowed, trouble.redesigned, trouble.too_large, 'https://10.0.0.1/p'];
  writeFileSync(input, lines.join('\n'));
  const { code, stderr } = await runCommand(
    ['lookup', '--file', input, '--out', out, '--url', service.url],
    { env: { OPENSHELF_API_KEY: service.key } },
  );
  assert.equal(code, 0, stderr);
  const rows = rowsOf(out);
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['error', 'error', 'error', 'invalid'],
  );
  assert.match(String(rows[0]?.['note']), /robots\.txt forbids/);
});

test('the same run twice at once is refused, and the first one is left alone', async () => {
  using folder = temporaryFolder();
  const [input, out] = [join(folder.path, 'in.txt'), join(folder.path, 'out.csv')];
  writeFileSync(input, '4006381333931\n');
  writeFileSync(`${out}.progress.lock`, `${process.ppid}\n`);
  const { code, stderr } = await runCommand(['lookup', '--file', input, '--out', out]);
  assert.equal(code, 1);
  assert.match(stderr, /Another openshelf is using .*out\.csv\.progress\./);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ['in.txt', 'out.csv.progress.lock']);
});

test('addresses that no header can hold are watched like others', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const [input, out] = [join(folder.path, 'in.txt'), join(folder.path, 'out.csv')];
  const { hosted } = service.sandbox.describe().url;
  const addresses = [`${hosted}?long=${'x'.repeat(300)}`, `${hosted}?größe=1`];
  writeFileSync(input, `${addresses.join('\n')}\n`);
  const args = ['lookup', '--file', input, '--out', out, '--url', service.url, '--watch', '--json'];
  const env = { OPENSHELF_API_KEY: service.key };
  for (let round = 0; round < 2; round += 1) {
    const { code, json, stderr } = await runCommand(args, { env });
    assert.equal(code, 0, stderr);
    assert.deepEqual([json['found'], json['watches']], [2, 2], stderr);
  }
  const { watches } = (await service.get('/v1/watches')).body as { watches: readonly unknown[] };
  assert.equal(watches.length, 2);
});

test('products that cannot be watched are counted, and the first says why', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const { json: described } = await runCommand(['sandbox', '--describe', '--json']);
  const { upc, asin, item_id: item } = described as Record<string, string>;
  const [input, out] = [join(folder.path, 'in.txt'), join(folder.path, 'out.csv')];
  writeFileSync(input, `${upc}\n${asin}\n${item}\n`);
  await runCommand(['keys', 'create', '--org', 'acme', '--data', data]);
  const args = ['lookup', '--file', input, '--out', out, '--sandbox', '--data', data];
  const { code, json, stderr } = await runCommand(
    [...args, '--watch', '--org', 'acme', '--wait', '0s', '--json'],
    { env: { OPENSHELF_MAX_WATCHES: '1' } },
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual([json['found'], json['watches']], [3, 1]);
  assert.match(stderr, /2 products cannot be watched\. The first: \w+: .*OPENSHELF_MAX_WATCHES/);
});

test('a run says what it does not use: costs that are none, other columns of codes, and the next one if nothing is found', async () => {
  using folder = temporaryFolder();
  const input = join(folder.path, 'in.csv');
  writeFileSync(
    input,
    'UPC,Vendor EAN,Case Cost,Case Pack\n7350053850019,4006381333931,49.20,12\n8808993650040,5012345678900,tbd,12\n',
  );
  const files = ['--file', input, '--out', join(folder.path, 'out.jsonl')];
  const market = ['--sandbox', '--products', '20', '--data', join(folder.path, 'data')];
  const { err, code } = await runCommand(['lookup', ...files, ...market]);
  assert.equal(code, 0, err.join('\n'));
  const said = err.join('\n');
  assert.match(said, /Column "Vendor EAN" has codes too; "UPC" is used\. Choose another/);
  assert.match(said, /Costs in "Case Cost" are per package; they are divided by "Case Pack"\./);
  assert.match(said, /1 row without a cost: line 3: the cost "tbd" is not an amount\./);
  assert.match(said, /No product was found by "UPC"\. Try --column "Vendor EAN"\./);
  const [, second] = rowsOf(join(folder.path, 'out.jsonl'));
  assert.match(String(second?.['note']), /the cost "tbd" is not an amount/);
});
