// A file uploaded to the console: its content and its problems are reported; the service is not harmed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { FaultError } from '../../src/base/fault.ts';
import { checkDigit } from '../../sandbox/market/codes.ts';
import { workbookBytes } from '../../src/edge/sheets/write-workbook.ts';
import { createSheetReader } from '../../src/edge/wiring/sheet-reader.ts';
import { startService, type Service } from '../support/service.ts';
import { tabsOf } from '../support/workbook-parts.ts';
import { sheetsParts, withRelated, workbookParts, zipArchive } from '../support/zip-archive.ts';

const ROW = '<row r="1"><c r="A1" t="inlineStr"><is><t>614141000005</t></is></c></row>';
/**
 * It declares an unpacked size of a few bytes, and unpacks to 500 MB. Made before any client connects: it takes seconds, in
 * which a service in this process closes idle connections, and its client in this process does not notice before the next
 * request.
 */
const LIE = zipArchive(
  workbookParts(`${ROW}${' '.repeat(500_000_000)}`).map((part) => ({ ...part, declared: 500 })),
);

const HEADED =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>UPC</t></is></c></row>' + ROW.replaceAll('1"', '2"');

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

type Body = Record<string, unknown>;
type Answer = { readonly status: number; readonly headers: Headers; readonly body: Body };

async function send(
  file: string | Uint8Array,
  name: string,
  key = service.key,
  more = '',
): Promise<Answer> {
  const path = `/console/sheet?name=${encodeURIComponent(name)}${more}`;
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    body: typeof file === 'string' ? file : new Blob([Uint8Array.from(file)]),
  });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Body };
}

/** A spreadsheet dropped its leading zero. */
const MENDED = `01414160000${checkDigit('01414160000')}`;

const TABLE = [
  ['Item', 'UPC', 'My cost'],
  ['Mug', '614141000005', '6.00'],
  ['Lamp', MENDED.slice(1), '$7.50'],
  ['Again', '0614141000005', '9'],
  ['Wrong', '12', '2'],
  ['Lost', '6.14142E+11', '1'],
  ['Nothing', '', '1'],
];

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

test('a sheet is returned as its products with their costs, and repairs and omissions are listed by line', async () => {
  const asCsv = TABLE.map((row) => row.join(';')).join('\r\n');
  const asWorkbook = await joined(
    workbookBytes({
      columns: (TABLE[0] ?? []).map((name) => ({ name, kind: 'text' })),
      rows: each(TABLE.slice(1)),
    }),
  );
  for (const [file, name] of [
    [asCsv, 'stock.csv'],
    [`\ufeff${asCsv}`, 'stock.txt'],
    [Buffer.from(asCsv, 'utf16le'), 'stock.csv'],
    [asWorkbook, 'stock.xlsx'],
    // The file type is determined by its bytes.
    [asWorkbook, 'stock.csv'],
  ] as const) {
    const { status, body } = await send(file, name);
    assert.equal(status, 200, JSON.stringify(body));
    const { products, tokens_consumed: consumed, mended_lines, left_out_lines } = body;
    assert.equal(consumed, 0);
    assert.deepEqual(products, [
      { id: '614141000005', cost: 6, cells: TABLE[1] },
      { id: MENDED, cost: 7.5, cells: TABLE[2] },
    ]);
    assert.deepEqual(body['columns'], TABLE[0]);
    assert.deepEqual(
      (body['preview'] as { line: number; id: string | null; cost: number | null }[]).map(
        ({ line, id, cost }) => [line, id, cost],
      ),
      [
        [2, '614141000005', 6],
        [3, MENDED, 7.5],
        [4, '614141000005', 9],
        [5, null, 2],
        [6, null, 1],
        [7, null, 1],
      ],
    );
    assert.equal(body['identifier_column'], 'UPC');
    assert.equal(body['cost_column'], 'My cost');
    assert.deepEqual([body['rows'], body['repeated'], body['left_out']], [6, 1, 3]);
    const lineOf = ({ line }: { readonly line: number }) => line;
    assert.ok((mended_lines as { line: number }[]).map(lineOf).includes(3));
    assert.deepEqual((left_out_lines as { line: number }[]).map(lineOf), [5, 6, 7]);
    for (const { what } of left_out_lines as { what: string }[]) assert.match(what, /\w+ \w+/);
  }
});

test('a table of the console becomes a workbook with the types of its cells, and nothing else does', async () => {
  const price = { text: '7.08', value: 7.08, format: '"$"#,##0.00' };
  const table = {
    columns: [
      { name: 'SKU', kind: 'own' },
      { name: 'Cost', kind: 'own' },
      { name: 'ROI', kind: 'percent' },
      { name: 'Where', kind: 'link' },
    ],
    rows: [
      ['007', price, 12.5, 'https://shop.example/p'],
      ['=1+1', { text: 'x', value: 'x', format: -1 }, null, 'javascript:alert(1)'],
    ],
    notes: ['everywhere'],
  };
  const post = (body: string) =>
    fetch(`${service.url}/console/sheet?write=xlsx`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body,
    });
  const answer = await post(JSON.stringify(table));
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /spreadsheetml/);
  const [tab, notes] = await tabsOf(new Uint8Array(await answer.arrayBuffer()));
  const [first, second] = tab?.rows.slice(1) ?? [];
  assert.deepEqual(
    first?.map((cell) => [cell?.value, cell?.format, cell?.link]),
    [
      ['007', 'General', null],
      [7.08, '"$"#,##0.00', null],
      [0.125, '0.00%', null],
      ['https://shop.example/p', 'General', 'https://shop.example/p'],
    ],
  );
  assert.deepEqual(
    second?.map((cell) => cell && [cell.type, cell.value, cell.link]),
    [['text', '=1+1', null], null, null, ['text', 'javascript:alert(1)', null]],
  );
  assert.equal(notes?.rows[0]?.[0]?.value, 'everywhere');
  for (const body of ['', '[]x', '{"columns":[{"name":1,"kind":"own"}]}', '{"rows":[1]}']) {
    const { status } = await post(body);
    assert.equal(status, 400, body);
  }
});

test('a title above the headings costs no column, and is reported', async () => {
  const table = [['Price list 2026'], ...TABLE].map((row) => row.join(',')).join('\n');
  const { status, body } = await send(table, 'stock.csv');
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body['identifier_column'], body['cost_column']], ['UPC', 'My cost']);
  assert.deepEqual(body['remarks'], ['The row above the headings in line 2 is skipped.']);
  assert.deepEqual([body['rows'], body['repeated'], body['left_out']], [6, 1, 3]);
});

const COVER = '<row r="1"><c r="A1" t="inlineStr"><is><t>Welcome</t></is></c></row>';

test('behind a cover the only sheet with products is read, and the answer says so', async () => {
  for (const cover of [COVER, '']) {
    const sheets = [
      { name: 'Cover', rows: cover },
      { name: 'Prices', rows: ROW },
      { name: 'Old', rows: ROW, state: 'hidden' },
    ];
    const { status, body } = await send(zipArchive(sheetsParts(sheets)), 'stock.xlsx');
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body['sheet'], body['sheets']], ['Prices', ['Cover', 'Prices']]);
    assert.deepEqual(body['remarks'], [
      'The workbook has 3 sheets, "Cover", "Prices", "Old" (hidden); "Prices" is read, the only one with products.',
    ]);
  }
});

test('a workbook whose first sheet has no products, but several or no others have, is refused with what can be chosen', async () => {
  const names = ['Cover', 'Mugs', 'Lamps'];
  for (const [rows, words] of [
    [
      ROW,
      /3 sheets, "Cover", "Mugs", "Lamps"; "Cover" is read\. "Mugs", "Lamps" have products\. Choose/,
    ],
    [COVER, /"Cover" is read\. Put the one with the products/],
  ] as const) {
    const sheets = names.map((name) => ({ name, rows: name === 'Cover' ? COVER : rows }));
    const file = zipArchive(sheetsParts(sheets));
    const { status, body } = await send(file, 'stock.xlsx');
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(String(body['detail']), words);
    assert.doesNotMatch(String(body['detail']), /--/);
    assert.deepEqual([body['parameter'], body['allowed']], ['sheet', names]);
    const chosen = await send(file, 'stock.xlsx', service.key, '&sheet=lamps');
    assert.equal(chosen.status, rows === ROW ? 200 : 400);
    if (rows === ROW)
      assert.deepEqual([chosen.body['sheet'], chosen.body['remarks']], ['Lamps', []]);
  }
  const { body } = await send('a,b\nnothing,here\n', 'stock.csv');
  assert.match(String(body['detail']), /No column contains barcodes.*pages\.$/);
});

test('the other columns of codes are named, and one that is asked for is read instead', async () => {
  const sheet = ['Case GTIN,UPC,EAN,Cost', `10614141000002,614141000005,0${MENDED},4`].join('\n');
  const { body } = await send(sheet, 'stock.csv');
  assert.deepEqual(
    [body['identifier_column'], body['other_columns']],
    ['UPC', ['EAN', 'Case GTIN']],
  );
  for (const [name, id, others] of [
    ['Case GTIN', '10614141000002', ['UPC', 'EAN']],
    ['ean', MENDED, ['UPC', 'Case GTIN']],
    ['2', '614141000005', ['EAN', 'Case GTIN']],
  ] as const) {
    const column = `&column=${encodeURIComponent(name)}`;
    const chosen = await send(sheet, 'stock.csv', service.key, column);
    const [first] = chosen.body['products'] as readonly { readonly id: string }[];
    assert.equal(first?.id, id, JSON.stringify(chosen.body));
    assert.deepEqual(chosen.body['other_columns'], others);
    assert.doesNotMatch(JSON.stringify(chosen.body['remarks']), /codes too|skipped/);
  }
  const none = await send(sheet, 'stock.csv', service.key, '&column=SKU');
  assert.deepEqual([none.status, none.body['code']], [400, 'invalid_parameter']);
  assert.match(String(none.body['detail']), /no column "SKU".*Case GTIN, UPC, EAN, Cost/);
  const alone = await send('UPC\n614141000005', 'stock.csv');
  assert.deepEqual(alone.body['other_columns'], []);
});

test('what is not a sheet is refused in words that say what to do', async () => {
  const digits = Array.from({ length: 10_001 }, (_, n) => String(20_000_000_000 + n));
  const cases: readonly (readonly [string | Uint8Array, number, RegExp])[] = [
    ['', 400, /empty/],
    ['%PDF-1.7', 400, /PDF\. Export the table/],
    ['a,b\nnothing,here\n', 400, /No column contains barcodes/],
    ['PK\x03\x04 and no more', 400, /damaged or cut off/],
    [Buffer.from([0, 1, 2, 0, 0, 9]), 400, /not text/],
    [digits.map((each) => `${each}${checkDigit(each)}`).join('\n'), 400, /more than 10,000 rows/],
    ['1'.repeat(4 * 1_048_576 + 1), 413, /larger than 4 MiB/],
    [LIE, 400, /cannot be read|more time or memory/],
  ];
  for (const [file, status, words] of cases) {
    const answer = await send(file, 'stock.csv');
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(String(answer.body['detail']), words);
  }
  const alive = await fetch(`${service.url}/livez`);
  assert.equal(alive.status, 200);
});

test('a workbook of 1 MB that unpacks to 500 MB is refused, and the process grows by less than 100 MB', async () => {
  const reader = createSheetReader('USD');
  const withSpaces = (name: string, declared?: number) =>
    zipArchive(
      withRelated(workbookParts(ROW), {
        sharedStrings: { name: 'xl/sharedStrings.xml', text: '<sst/>' },
      }).map((part) =>
        part.name === name
          ? { ...part, spacesMib: 500, ...(declared === undefined ? {} : { declared }) }
          : part,
      ),
    );
  for (const [archive, words] of [
    [withSpaces('[Content_Types].xml'), /would unpack to 501 MiB/],
    [withSpaces('xl/worksheets/sheet1.xml'), /would unpack to 501 MiB/],
    [withSpaces('xl/sharedStrings.xml'), /would unpack to 501 MiB/],
    [withSpaces('[Content_Types].xml', 0), /damaged/],
    [withSpaces('xl/workbook.xml', 1_000), /larger than declared/],
    [withSpaces('xl/workbook.xml', 63 * 1_048_576), /damaged/],
    [withSpaces('xl/sharedStrings.xml', 17 * 1_048_576), /its texts to 17 MiB/],
    [withSpaces('xl/sharedStrings.xml', 15 * 1_048_576), /damaged/],
  ] as const) {
    assert.ok(archive.length < 1_048_576);
    const before = process.memoryUsage.rss();
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    const refused = (error: unknown) =>
      error instanceof FaultError && words.test(error.fault.detail);
    await assert.rejects(reader.read('stock.xlsx', archive), refused);
    clearInterval(timer);
    assert.ok(most - before < 100_000_000, `${words}: ${(most - before) / 1e6} MB`);
  }
});

test('a sheet with a picture of 3 MiB is read', async () => {
  const picture = { name: 'xl/media/image1.png', text: new Uint8Array(3 * 1_048_576) };
  const answer = await send(zipArchive([...workbookParts(HEADED), picture]), 'stock.xlsx');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});

test('it needs a key that may read products, and a method that sends', async () => {
  const sheet = TABLE.map((row) => row.join(',')).join('\n');
  assert.equal((await send(sheet, 'stock.csv', 'osk_wrong')).status, 401);
  const key = await service.newKey({ organization: 'test', note: null, scopes: ['admin'] });
  assert.equal((await send(sheet, 'stock.csv', key)).status, 403);
  assert.equal((await service.get('/console/sheet')).status, 405);
});

test('while one sheet is read, another is refused with Retry-After, and all are read in the end', async () => {
  const sheet = Array.from({ length: 5_000 }, (_, n) => {
    const digits = String(20_000_000_000 + n);
    return `${digits}${checkDigit(digits)},${'x'.repeat(400)}`;
  }).join('\n');
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(sheet, 'stock.csv')));
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(200), statuses.join(' '));
  for (const { status, headers, body } of answers) {
    if (status === 200) assert.equal((body['products'] as unknown[]).length, 5_000);
    else assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  }
  assert.equal((await send(sheet, 'stock.csv')).status, 200);
});

test('an organization that sends sheet after sheet keeps out no other one', async () => {
  const another = await service.newKey({ organization: 'another', note: null });
  const sheet = `${MENDED}\n${'x'.repeat(99)}\n`.repeat(9_000);
  const over = new AbortController();
  const sending = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) await send(sheet, 'stock.csv');
  });
  // From now on one of their files is being read.
  await send(sheet, 'stock.csv');
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await send('614141000005', 'stock.csv', another)).status, 200);
  }
  over.abort();
  await Promise.all(sending);
});

test('a thread that has no time left ends, and says what else can be done; the next sheet is read', async () => {
  using reader = createSheetReader('USD', 1);
  const bytes = Buffer.from('614141000005');
  await assert.rejects(reader.read('stock.csv', bytes), (error) => {
    assert.ok(error instanceof FaultError);
    assert.match(error.fault.detail, /more time or memory .*openshelf lookup --file/);
    return true;
  });
  using patient = createSheetReader('USD');
  assert.equal((await patient.read('stock.csv', bytes)).products.length, 1);
});

test('a thread that the machine gives no time is waited for, and after a while its sheet may be sent again', async () => {
  const entry = new URL('../support/waiting-sheet-thread.ts', import.meta.url);
  using reader = createSheetReader('USD', 500, entry);
  const read = (waitsMs: number) => reader.read('stock.csv', Buffer.from(String(waitsMs)));
  assert.equal((await read(800)).products.length, 0);
  await assert.rejects(
    read(600_000),
    (error) => error instanceof FaultError && error.fault.code === 'overloaded',
  );
});
