// A table reads the same from each format, with readers that are not the writers; text of hostile shops stays text.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { readSheet } from 'read-excel-file/node';

import { tableFormatOf } from '../../../src/edge/sheets/table-format.ts';
import type { TableCell } from '../../../src/edge/sheets/table-cell.ts';
import { writeTable } from '../../../src/edge/sheets/write-table.ts';
import { unpacked, zipEntries } from '../../../src/edge/sheets/zip-directory.ts';
import { tabsOf } from '../../support/workbook-parts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FORMULA = '=HYPERLINK("https://evil.example","win")';
const ROWS: readonly (readonly TableCell[])[] = [
  ['0614141000036', FORMULA, 1.5, true],
  ['-5', 'a "quote", a\nbreak and a bell\u0007', -2, null],
  ['+1 555', '@SUM(A1)', null, false],
];

function table(rows: Iterable<readonly TableCell[]> = ROWS): Parameters<typeof writeTable>[2] {
  return {
    columns: [
      { name: 'code', kind: 'text' },
      { name: 'title', kind: 'text' },
      { name: 'price', kind: 'number' },
      { name: 'in_stock', kind: 'boolean' },
    ],
    rows: (async function* () {
      yield* rows;
    })(),
  };
}

test('an ending says the format, and no other ending does', () => {
  const formats = ['a.csv', 'a.XLSX', 'a.ndjson', 'a.jsonl', 'a.parquet', 'a.xls', 'a'].map(
    tableFormatOf,
  );
  assert.deepEqual(formats, ['csv', 'xlsx', 'jsonl', 'jsonl', 'parquet', null, null]);
});

test('CSV has numbers as numbers and formulas as text, in headings too', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  const { columns, rows } = table();
  const heading = { name: '=A1;-1 +A2', kind: 'text' } as const;
  await writeTable(path, 'csv', { columns: [heading, ...columns.slice(1)], rows });
  assert.equal(
    readFileSync(path, 'utf8'),
    "'=A1;'-1 +A2,title,price,in_stock\n" +
      `0614141000036,"'${FORMULA.replaceAll('"', '""')}",1.5,true\n` +
      '-5,"a ""quote"", a\nbreak and a bell\u0007",-2,\n' +
      "'+1 555,'@SUM(A1),,false\n",
  );
});

test('a workbook has texts as texts, leading zeros and formulas included', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xlsx');
  await writeTable(path, 'xlsx', table());
  const [head, ...rows] = await readSheet(path);
  assert.deepEqual(head, ['code', 'title', 'price', 'in_stock']);
  assert.deepEqual(rows, [
    ['0614141000036', FORMULA, 1.5, true],
    ['-5', 'a "quote", a\nbreak and a bell', -2, null],
    ['+1 555', '@SUM(A1)', null, false],
  ]);
});

test('a workbook marks the rows in which a column is filled, and stays a table without rows', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xlsx');
  const columns = [
    { name: 'code', kind: 'own' },
    { name: 'changed', kind: 'text', marksRows: true },
  ] as const;
  const write = async (rows: readonly (readonly TableCell[])[]) => {
    await writeTable(path, 'xlsx', { ...table(rows), columns });
    const [tab] = await tabsOf(readFileSync(path));
    return tab;
  };
  const two = await write([
    ['2026-05-04', 'price 1 → 2'],
    ['00012', null],
  ]);
  assert.deepEqual([two?.marked, two?.filter], ['A2:B3 $B2<>""', 'A1:B3']);
  assert.deepEqual(
    two?.rows.slice(1).map(([cell]) => [cell?.type, cell?.format]),
    [
      ['number', 'yyyy-mm-dd'],
      ['text', 'General'],
    ],
  );
  const none = await write([]);
  assert.deepEqual([none?.rows.length, none?.marked, none?.frozen], [1, null, 'A2']);
});

test('a text that looks like an escape of a workbook is read from it as it was', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xlsx');
  const texts = ['SW_x0041_CPU', '_x005F_x0041_', '_x000D_', 'a_x38_b'];
  await writeTable(path, 'xlsx', table(texts.map((text) => [text, null, null, null])));
  const [, ...rows] = await readSheet(path);
  assert.deepEqual(
    rows.map(([text]) => text),
    texts,
  );
});

test('what a damaged workbook states about a number, and an address that grows, leave a workbook that opens', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xlsx');
  const long = `https://shop.example/${'\u00e4'.repeat(400)}`;
  const own = (format: number | string) => ({ text: '1', value: 1, format });
  const rows = [
    ...['0\u0001"x"', '0'.repeat(256), '\ud800', Number.NaN, -1, 1.5, 164].map(own),
    long,
  ].map((cell) => [cell]);
  await writeTable(path, 'xlsx', {
    columns: [{ name: 'own', kind: 'link' }],
    rows: (async function* () {
      yield* rows;
    })(),
  });
  const bytes = readFileSync(path);
  let all = '';
  for (const entry of zipEntries(bytes) ?? []) {
    for await (const piece of unpacked(bytes, entry)) all += Buffer.from(piece).toString();
  }
  assert.doesNotMatch(all, /[\u0000-\u0008]|NaN|-1"|numFmtId="1\.5"/);
  assert.deepEqual(
    [...all.matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code),
    ['0&quot;x&quot;', '\ufffd'],
  );
  assert.doesNotMatch(all, /TargetMode="External"/, 'Excel refuses links of more than 2,079');
  assert.equal((await readSheet(path)).length, rows.length + 1);
});

test('JSON lines have every field of every row', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.jsonl');
  await writeTable(path, 'jsonl', table());
  const [first] = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.deepEqual(JSON.parse(first ?? ''), {
    code: '0614141000036',
    title: FORMULA,
    price: 1.5,
    in_stock: true,
  });
});

test('Parquet has the columns with their types, also over several groups of rows and of none', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.parquet');
  const many = Array.from({ length: 11_000 }, (_, at) => [String(at), null, at / 2, at % 2 === 0]);
  await writeTable(path, 'parquet', table(many));
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  assert.equal(rows.length, 11_000);
  assert.deepEqual(rows[10_999], { code: '10999', title: null, price: 5_499.5, in_stock: false });
  await writeTable(path, 'parquet', table([]));
  assert.deepEqual(await parquetReadObjects({ file: await asyncBufferFromFile(path) }), []);
});

test('a table that cannot be finished leaves no file', async () => {
  using folder = temporaryFolder();
  const broken = function* () {
    yield ROWS[0] ?? [];
    throw new Error('no more rows');
  };
  for (const format of ['csv', 'xlsx', 'jsonl', 'parquet'] as const) {
    const path = join(folder.path, `a.${format}`);
    await assert.rejects(writeTable(path, format, table(broken())), /no more rows/);
    assert.ok(!existsSync(path));
  }
  assert.deepEqual(readdirSync(folder.path), []);
});

for (const format of ['csv', 'xlsx', 'jsonl', 'parquet'] as const) {
  test(`a table in ${format} is readable by its owner only, also over what a kill has left`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, `a.${format}`);
    writeFileSync(`${path}.part`, 'left', { mode: 0o600 });
    await writeTable(path, format, table());
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });
}
