// openshelf import and export: nothing lost, nothing duplicated, and an exported file can be imported again.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { barText } from '../../../src/edge/cli/progress-bar.ts';
import { gs1CheckDigit } from '../../../src/base/identifiers/check-digit.ts';
import { bookOf } from '../../../src/read/retailers/addresses/address-books.ts';
import { aliasOf } from '../../../src/read/retailers/addresses/aliases.ts';
import { runCommand } from '../../support/command.ts';
import { runProgram, lastJson } from '../../support/program.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;

before(() => {
  folder = temporaryFolder();
});

after(() => {
  folder[Symbol.dispose]();
});

let files = 0;
function fileOf(lines: readonly string[], name = 'csv'): string {
  files += 1;
  const path = join(folder.path, `${files}.${name}`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function rawFile(latin1: string): string {
  files += 1;
  const path = join(folder.path, `${files}.csv`);
  writeFileSync(path, latin1, 'latin1');
  return path;
}

function newData(): string {
  files += 1;
  return join(folder.path, `data-${files}`);
}

/** Returns rows sorted by their text: they are exported in the order of ids, which is meaningless to a reader. */
async function exported(data: string, format = 'csv'): Promise<readonly string[]> {
  const done = await runCommand(['export', '--data', data, '--format', format]);
  assert.equal(done.code, 0, done.err.join('\n'));
  const again = await runCommand(['export', '--data', data, '--format', format]);
  assert.deepEqual(again.out, done.out);
  const header = done.out.slice(0, format === 'csv' ? 1 : 0);
  return [...header, ...done.out.slice(header.length).toSorted()];
}

const HEADER = 'retailer,retailer_id,url,gtin,observed_at,price,currency,in_stock';

test('every way to say whose price it is leads to its listing; money keeps its currency', async () => {
  const data = newData();
  const asin = { kind: 'asin', value: 'B0ABCDEFGH', retailer: 'retailer_a' } as const;
  const file = fileOf([
    HEADER,
    'retailer_w,123456,,036000291452,2026-01-01,10.00,USD,true',
    `,,${bookOf('retailer_a').productUrl(asin)}?tag=x,,2026-01-02,11.00,EUR,`,
    'retailer_t,,,4006381333931,2026-01-03,12.00,,true',
    ',,https://www.shop.example.com/p/1?utm_source=mail#top,,2026-01-04,13.00,JPY,true',
    'cornershop,,,4006381333931,2026-01-05T10:00:00+01:00,14.00,USD,false',
    'retailer_e,epid:77,,,2026-01-06,,,',
  ]);
  const done = await runCommand(['import', file, '--data', data, '--json']);
  assert.equal(done.code, 0, done.err.join('\n'));
  assert.deepEqual(done.json, {
    complete: true,
    rows: 6,
    added: 6,
    unchanged: 0,
    bad: 0,
    bad_lines: [],
    ignored_columns: [],
    resumed_after_line: null,
  });
  assert.deepEqual(await exported(data), [
    HEADER,
    // Out of stock means no price (D28).
    'cornershop,,,04006381333931,2026-01-05T09:00:00.000Z,,,false',
    'example,,https://www.shop.example.com/p/1,,2026-01-04T00:00:00.000Z,13,JPY,true',
    'retailer_a,B0ABCDEFGH,,,2026-01-02T00:00:00.000Z,11.00,EUR,',
    'retailer_e,epid:77,,,2026-01-06T00:00:00.000Z,,,',
    'retailer_t,,,04006381333931,2026-01-03T00:00:00.000Z,12.00,,true',
    'retailer_w,123456,,00036000291452,2026-01-01T00:00:00.000Z,10.00,USD,true',
  ]);
  const history = await runCommand([
    'history',
    '036000291452',
    '--timeframe',
    'all',
    '--data',
    data,
    '--json',
  ]);
  assert.equal(history.json['identifier'], '00036000291452');
  assert.deepEqual(history.json['observations'], [
    { observed_at: '2026-01-01T00:00:00.000Z', price: 10, in_stock: true },
  ]);
  assert.ok(!('tokens_consumed' in history.json));
  const words = await runCommand(['history', '036000291452', '--timeframe', 'all', '--data', data]);
  assert.deepEqual(words.out.slice(0, 2), [
    '00036000291452, retailer_w, all: 1 observation',
    'newest $10.00; no price in the last 30 days',
  ]);
  const check = await runCommand(['check', '--data', data, '--json']);
  assert.deepEqual(check.json, { clean: true, problems: [] });
});

test('a bad line is named with its number, its neighbours go in, and the exit code says so', async () => {
  const data = newData();
  const file = fileOf([
    HEADER,
    'retailer_w,123456,,,2026-01-01,10.00,USD,true',
    'retailer_w,123456,,,2026-01-02,ten,USD,true',
    '',
    'retailer_w,12,,,2026-01-03,10.00,USD,true',
    'retailer_w,123456,,,2026-01-01,10.01,USD,true',
    'retailer_w,,,4006381333932,2026-01-01,10.00,USD,true',
    ',123456,,,2026-01-01,10.00,USD,true',
    ',,,4006381333931,2026-01-01,10.00,USD,true',
    'all,,,4006381333931,2026-01-01,10.00,USD,true',
    'cornershop,77,,,2026-01-01,10.00,USD,true',
    'other,,https://www.shop.example.com/p/1,,2026-01-01,10.00,USD,true',
    ',,javascript:alert(1),,2026-01-01,10.00,USD,true',
    `retailer_w,${'9'.repeat(70_000)},,,2026-01-01,10.00,USD,true`,
    'retailer_w,123456,,,2026-01-04,12.00,USD,"true',
    'retailer_w,123456,,,2026-01-05,12.00,USD,true',
  ]);
  writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from([0xff, 0xfe, 10])]));
  const done = await runCommand(['import', file, '--data', data, '--json']);
  assert.equal(done.code, 1);
  const bad = done.json['bad_lines'] as readonly { line: number; reason: string }[];
  assert.deepEqual(
    bad.map((each) => each.line),
    [3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17],
  );
  assert.match(bad[2]?.reason ?? '', /another price/);
  const { rows, added, unchanged, bad: count } = done.json;
  assert.deepEqual(
    { rows, added, unchanged, count },
    { rows: 15, added: 2, unchanged: 0, count: 13 },
  );
  assert.deepEqual(
    done.err.map((line) => Number(/^line (\d+): ./.exec(line)?.[1])),
    bad.map((each) => each.line),
  );
  assert.equal((await exported(data)).length, 3);
});

test('the name that people know a retailer by means it in a file too, and no shop is called so', async () => {
  const data = newData();
  const name = aliasOf('retailer_w');
  const rows = [
    `${name},,,036000291452,2026-01-01,1.00,USD,true`,
    `${name},123456,,,2026-01-02,2.00,USD,true`,
    `${name},,${bookOf('retailer_w').productUrl(ITEM)},,2026-01-03,3.00,USD,true`,
  ];
  const done = await runCommand(['import', fileOf([HEADER, ...rows]), '--data', data, '--json']);
  assert.deepEqual(done.json['bad_lines'], []);
  const [, ...out] = await exported(data);
  assert.deepEqual(
    out.map((row) => row.split(',')[0]),
    ['retailer_w', 'retailer_w', 'retailer_w'],
  );
  const asked = ['history', '036000291452', '--timeframe', 'all', '--data', data, '--json'];
  const history = await runCommand(asked);
  assert.equal((history.json['observations'] as readonly unknown[]).length, 1);
});

test('a barcode in exponent form is read if it has all its digits, and otherwise said to have lost them', async () => {
  const data = newData();
  const row = (gtin: string) => `cornershop,,,${gtin},2026-01-05,14.00,USD,true`;
  const file = fileOf([
    HEADER,
    row('4.006381333931E+12'),
    row('4.00638E+12'),
    row('3.6000291452E10'),
  ]);
  const done = await runCommand(['import', file, '--data', data, '--json']);
  const [lost] = done.json['bad_lines'] as readonly {
    readonly line: number;
    readonly reason: string;
  }[];
  assert.deepEqual([done.json['added'], lost?.line], [2, 3]);
  assert.match(
    lost?.reason ?? '',
    /^gtin "4.00638E\+12" is how .* last digits are lost\..* again$/,
  );
  const codes = (await exported(data)).slice(1).map((each) => each.split(',')[3]);
  assert.deepEqual(codes, ['00036000291452', '04006381333931']);
});

const ITEM = { kind: 'item_id', value: '123456', retailer: 'retailer_w' } as const;

test('a shop keeps the name that the file gives it where that is free, and a refused row claims none', async () => {
  const rows = [
    ',,https://acorn.com/a,,2026-01-01,1.00,USD,true',
    ',,https://acorn.org/a,,2026-01-01,2.00,USD,true',
  ];
  const first = newData();
  await runCommand(['import', fileOf([HEADER, ...rows]), '--data', first]);
  const slugs = async (data: string) =>
    (await exported(data)).slice(1).map((row) => row.split(',', 3));
  const named = [
    ['acorn', '', 'https://acorn.com/a'],
    ['acornorg', '', 'https://acorn.org/a'],
  ];
  assert.deepEqual(await slugs(first), named);
  const [header = '', one = '', other = ''] = await exported(first);
  const turned = newData();
  const refused = one.replace('acorn', 'oak');
  const moved = fileOf([header, refused, other, one]);
  const done = await runCommand(['import', moved, '--data', turned, '--json']);
  assert.deepEqual(done.json['bad_lines'], [{ line: 2, reason: 'the url belongs to acorn' }]);
  assert.deepEqual(await slugs(turned), named);
  const taken = newData();
  await runCommand(['import', fileOf([HEADER, rows[1] ?? '']), '--data', taken]);
  assert.equal((await runCommand(['import', fileOf([header, one]), '--data', taken])).code, 0);
  assert.deepEqual(await slugs(taken), [
    ['acorn', '', 'https://acorn.org/a'],
    ['acorncom', '', 'https://acorn.com/a'],
  ]);
});

test('a file that cannot be understood as a whole is refused and changes nothing', async () => {
  const data = newData();
  const cases: readonly (readonly [file: string, why: RegExp])[] = [
    [fileOf(['a,b', '1,2']), /none of the columns/],
    [fileOf(['gtin,retailer,observed_at,price', '4006381333931,acorn,2026-01-01,1']), /--currency/],
    [rawFile('PK\x03\x04\xff\xfe'), /is a workbook .* Save the sheet as \.csv/],
    [rawFile('\xff\xfeg\0t\0i\0n\0\n\0'), /is UTF-16 .* in UTF-8/],
    [rawFile('\x1f\x8b\x08'), /compressed \(gzip\)/],
    [rawFile('<table><tr><td>1'), /is a web page/],
    [join(folder.path, 'missing.csv'), /missing\.csv does not exist/],
    [folder.path, /is a folder\. Specify a file in it/],
    ['/dev/null', /is not a regular file/],
  ];
  for (const [file, why] of cases) {
    const done = await runCommand(['import', file, '--data', data, '--json']);
    assert.equal(done.code, 1, file);
    assert.match(String(done.json['detail']), why);
  }
  assert.deepEqual(await exported(data), [HEADER]);
  const empty = await runCommand(['import', fileOf([HEADER]), '--data', data, '--json']);
  assert.equal(empty.code, 0);
  assert.equal(empty.json['rows'], 0);
});

/** Returns a 13-digit product code of the 40x range. */
function codeFrom(random: () => number): string {
  const body = `40${String(integerBelow(random, 10 ** 9)).padStart(10, '3')}`;
  return `${body}${gs1CheckDigit(body)}`;
}

/** Rows of all kinds, many of the same listings, some twice. */
function randomRows(random: () => number): readonly string[] {
  const codes = Array.from({ length: 6 }, () => codeFrom(random));
  const row = (): string => {
    const at = new Date(Date.UTC(2025, 0, 1) + integerBelow(random, 3 * 10 ** 10)).toISOString();
    const price = pick(random, ['', '', `${integerBelow(random, 900)}.5`, '19.99', '7']);
    const money = `${price === '0.5' ? '1' : price},${pick(random, ['USD', 'USD', 'EUR', 'KWD', 'JPY', ''])}`;
    const stock = pick(random, ['true', 'false', '', 'TRUE', '0']);
    const code = pick(random, [...codes, '', '']);
    const n = integerBelow(random, 5);
    const what = pick(random, [
      `retailer_w,${700_000 + n},,${code}`,
      `retailer_a,b0000000a${n},,`,
      `retailer_b,${6_500_000 + n},,${code}`,
      `retailer_b,J3ZYG2573${n},,`,
      `retailer_e,12345678${n}?var=7,,`,
      `retailer_t,,,${pick(random, codes)}`,
      `corner${n},,,${pick(random, codes)}`,
      `,,https://shop.example${n}.com/a?variant=${n}&utm_source=x,${code}`,
      `,,"https://acorn.com/p,${n}",`,
      `,,https://acorn.org/p/${n},`,
    ]);
    return `${what},${at},${money},${stock}`;
  };
  const rows = Array.from({ length: 120 + integerBelow(random, 200) }, row);
  return [...rows, ...rows.slice(0, 10)];
}

test('export, import and export again give the same bytes, in both formats', async () => {
  const seed = seedOf(43);
  const random = randomFrom(seed);
  for (let round = 0; round < 6; round += 1) {
    const label = `seed ${seed}, round ${round}`;
    const first = newData();
    const file = fileOf([HEADER, ...randomRows(random)]);
    const done = await runCommand(['import', file, '--data', first, '--json']);
    assert.equal(done.code, 0, `${label}: ${done.err.join('\n')}`);
    const before = await exported(first);
    assert.equal(before.length - 1, done.json['added'], label);
    for (const format of ['csv', 'jsonl'] as const) {
      const written = fileOf(await exported(first, format), format);
      const second = newData();
      // A file from elsewhere can be imported where the shop's names are free, and where they are taken already.
      const arrived = await runCommand(['import', written, '--data', second, '--json']);
      assert.equal(arrived.code, 0, `${label}: ${arrived.err.join('\n')}`);
      assert.deepEqual(await exported(second), before, label);
      const again = await runCommand(['import', written, '--data', first, '--json']);
      assert.equal(again.code, 0, label);
      assert.equal(again.json['added'], 0, label);
      assert.equal(again.json['unchanged'], before.length - 1, label);
    }
    const same = await runCommand(['import', file, '--data', first, '--json']);
    assert.equal(same.json['added'], 0, label);
    assert.deepEqual(await exported(first), before, label);
  }
});

function manyRows(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => {
    const when = new Date(Date.UTC(2024, 0, 1) + at * 20_000).toISOString();
    return `retailer_w,${100_000 + (at % 7)},,,${when},${1 + (at % 90)}.50,USD,true`;
  });
}

test('a stopped import goes on where it ended, and then the file is whole', async () => {
  const data = newData();
  const file = fileOf([HEADER, ...manyRows(3_500), 'nonsense']);
  const first = await runCommand(['import', file, '--data', data, '--json'], { stopped: true });
  assert.equal(first.code, 1);
  assert.equal(first.json['complete'], false);
  assert.equal(first.json['added'], 1_000);
  assert.match(
    first.err.join('\n'),
    /^Stopped\. The same command continues where this one stopped\.$/,
  );
  const second = await runCommand(['import', file, '--data', data, '--json'], { stopped: true });
  assert.equal(second.json['resumed_after_line'], 1_001);
  assert.equal(second.json['added'], 2_000);
  const last = await runCommand(['import', file, '--data', data, '--json']);
  assert.equal(last.code, 1);
  const { complete, rows, added, unchanged, bad } = last.json;
  assert.deepEqual(
    { complete, rows, added, unchanged, bad },
    { complete: true, rows: 3_501, added: 3_500, unchanged: 0, bad: 1 },
  );
  assert.deepEqual(last.json['bad_lines'], [
    { line: 3_502, reason: 'has no retailer_id, url or gtin' },
  ]);
  assert.equal((await exported(data)).length, 3_501);
  assert.deepEqual(readdirSync(join(data, 'imports')), []);
});

test('lines may end as on an old Mac, also after a stop; a return inside a line of another file ends none', async () => {
  const rows = manyRows(2_500);
  const data = newData();
  const file = join(folder.path, 'old-mac.csv');
  writeFileSync(file, [HEADER, ...rows, 'nonsense'].join('\r'));
  const first = await runCommand(['import', file, '--data', data, '--json'], { stopped: true });
  assert.equal(first.json['added'], 1_000, first.err.join('\n'));
  const second = await runCommand(['import', file, '--data', data, '--json']);
  assert.equal(second.json['resumed_after_line'], 1_001);
  assert.equal(second.json['added'], 2_500);
  assert.deepEqual(second.json['bad_lines'], [
    { line: 2_502, reason: 'has no retailer_id, url or gtin' },
  ]);
  const noted = fileOf([`${HEADER},note`, ...rows.slice(0, 20).map((row) => `${row},one\rtwo`)]);
  const done = await runCommand(['import', noted, '--data', data, '--json']);
  assert.deepEqual([done.code, done.json['unchanged']], [0, 20], done.err.join('\n'));
});

test('after a stop, rows that a restored backup does not have are imported again', async () => {
  const data = newData();
  const file = fileOf([HEADER, ...manyRows(2_500)]);
  const args = ['import', file, '--data', data, '--json'];
  const before = fileOf([HEADER, 'retailer_t,,,4006381333931,2026-01-03,12.00,USD,true']);
  await runCommand(['import', before, '--data', data]);
  const backup = join(folder.path, 'before-import.db');
  assert.equal((await runCommand(['backup', backup, '--data', data])).code, 0);
  await runCommand(args, { stopped: true });
  assert.equal((await runCommand(args, { stopped: true })).json['resumed_after_line'], 1_001);
  assert.equal((await runCommand(['restore', backup, '--replace', '--data', data])).code, 0);
  const done = await runCommand(args);
  assert.deepEqual([done.json['resumed_after_line'], done.json['added']], [null, 2_500]);
  assert.equal((await exported(data)).length, 1 + 2_501);
});

test('a file that was changed after the stop is read from its start', async () => {
  const data = newData();
  const file = fileOf([HEADER, ...manyRows(2_500)]);
  await runCommand(['import', file, '--data', data, '--json'], { stopped: true });
  const changed = readFileSync(file, 'utf8').replace('retailer_w,100000', 'retailer_w,999999');
  writeFileSync(file, changed);
  const done = await runCommand(['import', file, '--data', data, '--json']);
  assert.equal(done.json['resumed_after_line'], null);
  assert.equal(done.json['rows'], 2_500);
  assert.equal(done.json['unchanged'], 999);
  assert.equal(done.json['added'], 1_501);
});

test('an import that is killed loses nothing: the same call ends with every row held once', async () => {
  const data = newData();
  const file = fileOf([HEADER, ...manyRows(20_000)]);
  const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
  const child = spawn(process.execPath, [launcher, 'import', file, '--data', data], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const isBegun = () =>
    existsSync(join(data, 'imports')) &&
    readdirSync(join(data, 'imports')).some((name) => name.endsWith('.json'));
  while (!isBegun() && child.exitCode === null) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
  const done = await runCommand(['import', file, '--data', data, '--json']);
  assert.equal(done.code, 0, done.err.join('\n'));
  assert.equal(done.json['rows'], 20_000);
  assert.ok(Number(done.json['resumed_after_line']) >= 1_001);
  assert.equal((await exported(data)).length, 20_001);
  assert.deepEqual((await runCommand(['check', '--data', data, '--json'])).json['clean'], true);
});

test('a person sees a bar while it runs, nobody else does', async () => {
  const file = fileOf([HEADER, ...manyRows(2_500), 'nonsense']);
  const watched = await runCommand(['import', file, '--data', newData()], { watched: true });
  assert.ok(watched.status.some((line) => line?.includes('2000 rows') === true));
  assert.equal(watched.status.at(-1), null);
  assert.deepEqual(watched.out, ['2501 rows: 2500 added, 0 stored before, 1 bad']);
  const piped = await runProgram(['import', file, '--data', newData(), '--json']);
  assert.equal(piped.code, 1);
  assert.equal((lastJson(piped) as { added: number }).added, 2_500);
  assert.equal(piped.stderr, 'line 2502: has no retailer_id, url or gtin\n');
  assert.equal(barText(1, 4, 'x'), `[${'#'.repeat(7)}${'-'.repeat(23)}]  25%  x`);
  assert.equal(barText(0, 0, 'x'), `[${'#'.repeat(30)}] 100%  x`);
});

test('export writes a whole file or none, in the format that its name states', async () => {
  const data = newData();
  await runCommand(['import', fileOf([HEADER, ...manyRows(5)]), '--data', data]);
  const output = join(folder.path, 'out.jsonl');
  const stopped = await runCommand(['export', '--data', data, '--output', output], {
    stopped: true,
  });
  assert.equal(stopped.code, 1);
  assert.ok(!existsSync(output) && !existsSync(`${output}.part`));
  const done = await runCommand(['export', '--data', data, '--output', output, '--json']);
  assert.deepEqual(done.json, { rows: 5, format: 'jsonl', file: output });
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  assert.equal(lines.length, 5);
  assert.deepEqual(JSON.parse(lines.find((line) => line.includes('"100000"')) ?? ''), {
    retailer: 'retailer_w',
    retailer_id: '100000',
    url: null,
    gtin: null,
    observed_at: '2024-01-01T00:00:00.000Z',
    price: 1.5,
    currency: 'USD',
    in_stock: true,
  });
});

test('history of something unknown exits 1 with the problem; known, it prints rows a person can read', async () => {
  const data = newData();
  const file = fileOf([HEADER, 'retailer_w,123456,,,2026-01-01,10.00,USD,true']);
  await runCommand(['import', file, '--data', data]);
  const unknown = await runCommand(['history', '4006381333931', '--data', data, '--json']);
  assert.equal(unknown.code, 1);
  assert.equal(unknown.json['code'], 'not_found');
  const shown = await runCommand(['history', '123456', '--timeframe', 'all', '--data', data]);
  assert.equal(shown.code, 0);
  assert.match(shown.out.join('\n'), /2026-01-01T00:00:00\.000Z +\$10\.00 {2}in stock/);
  const none = await runCommand(['history', '123456', '--retailer', 'retailer_t', '--data', data]);
  assert.match(none.out.join('\n'), /no prices are stored/);
});
