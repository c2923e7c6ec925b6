// A file of identifiers is read whatever a spreadsheet program made of it: every line becomes a row, or is reported with its
// problem.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readWholeSheet } from '../../../src/edge/runs/read-whole-sheet.ts';
import { openSheet, type Sheet } from '../../../src/edge/sheets/sheet.ts';
import type { SheetRow } from '../../../src/edge/sheets/sheet-row.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { sheetsParts, withRelated, workbookParts, zipArchive } from '../../support/zip-archive.ts';

const CODE = '614141000036';
const MORE = '5000112637922';

/** In small pieces, so that no rule depends on where a piece ends. */
function open(name: string, bytes: Uint8Array | string, sheet: string | null = null) {
  const all = Buffer.from(bytes);
  const pieces = async function* () {
    for (let at = 0; at < all.length; at += 11) yield all.subarray(at, at + 11);
  };
  return openSheet({ name, bytes: pieces }, sheet);
}

async function rowsOf(sheet: Sheet): Promise<readonly SheetRow[]> {
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) rows.push(row);
  return rows;
}

async function cellsOf(name: string, bytes: Uint8Array | string) {
  return (await rowsOf(await open(name, bytes))).map(({ cells }) => cells);
}

const TABLE = [
  ['upc', 'cost'],
  [CODE, '1.50'],
  [MORE, '2'],
];
const text = (separator: string) => TABLE.map((row) => row.join(separator)).join('\n');

for (const [what, bytes] of [
  ['with commas', Buffer.from(text(','))],
  ['with semicolons', Buffer.from(text(';'))],
  ['with tabs', Buffer.from(text('\t'))],
  ['with bars', Buffer.from(text('|'))],
  ['with a line that names its separator', Buffer.from(`sep=;\r\n${text(';')}`)],
  ['with a byte order mark', Buffer.from(`\ufeff${text(',')}`)],
  ['in UTF-16 with a mark', Buffer.from(`\ufeff${text(',')}`, 'utf16le')],
  ['in UTF-16 without a mark', Buffer.from(text(','), 'utf16le')],
  ['in big-endian UTF-16', Buffer.from(`\ufeff${text(',')}`, 'utf16le').swap16()],
  ['with lines that end as on Windows', Buffer.from(text(',').replaceAll('\n', '\r\n'))],
  ['with lines that end as on an old Mac', Buffer.from(text(',').replaceAll('\n', '\r'))],
  [
    'with such lines and one that names its separator',
    Buffer.from(`sep=;\r${text(';').replaceAll('\n', '\r')}`),
  ],
] as const) {
  test(`a table ${what} has its rows`, async () => {
    assert.deepEqual(await cellsOf('a.csv', bytes), TABLE);
  });
}

test('a decimal comma does not separate cells where semicolons do', async () => {
  const cells = await cellsOf('a.csv', `upc;cost\n${CODE};1,50\n${MORE};2,75\n`);
  assert.deepEqual(cells.at(-1), [MORE, '2,75']);
});

const SHOP = 'https://shop.example/p';
for (const [what, lines, isList] of [
  ['commas in their paths', [`${SHOP}/lamp,red,12`, `${SHOP}/desk,oak,7`], true],
  ['one comma each', [`${SHOP}/12,3`, `${SHOP}/7,4`], true],
  ['semicolons', [`${SHOP};id=1`, `${SHOP};id=2`], true],
  ['bars, and a remark between them', [`${SHOP}?a=1|2`, '# more', `${SHOP}?a=3|4`], true],
  ['one line only', [`${SHOP}/lamp,red`], true],
  ['costs behind them', [`${SHOP}/1,9.50`, `${SHOP}/2,$12.00`], false],
  ['costs with decimal commas', [`${SHOP}/1;9,50`, `${SHOP}/2;12,00`], false],
  ['barcodes behind them', [`${SHOP}/1,${CODE}`, `${SHOP}/2,${MORE}`], false],
  ['other addresses behind them', [`${SHOP}/1,${SHOP}/2`, `${SHOP}/3,${SHOP}/4`], false],
  ['empty cells behind them', [`${SHOP}/1,,`, `${SHOP}/2,,`], false],
  ['a heading', ['url,name', `${SHOP}/1,lamp`, `${SHOP}/2,desk`], false],
  ['titles with blanks', [`${SHOP}/1,Red lamp`, `${SHOP}/2,Oak desk`], false],
] as const) {
  test(`addresses with ${what} are ${isList ? 'a list' : 'a table'}`, async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const last of ['', end]) {
        const sheet = await open('a.txt', lines.join(end) + last);
        assert.equal(sheet.kind, isList ? 'list' : 'csv');
      }
    }
  });
}

test('a quoted cell keeps its line breaks, and the rows after it their line numbers', async () => {
  const sheet = await open('a.csv', `upc,title\n${CODE},"two\nlines, one ""cell"""\n\n${MORE},x\n`);
  const rows = await rowsOf(sheet);
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, cells[1]]),
    [
      [1, 'title'],
      [2, 'two\nlines, one "cell"'],
      [5, 'x'],
    ],
  );
});

test('a quote that is never closed is named with the line it opens on', async () => {
  const sheet = await open('a.csv', `upc,title\n${CODE},fine\n${MORE},"open\n${CODE},x\n`);
  await assert.rejects(rowsOf(sheet), /line 3 opens a quote/);
});

test('a record of many megabytes ends the reading with its line, and none of it is kept', async () => {
  let sent = 0;
  const bytes = async function* () {
    yield Buffer.from(`upc,title\n${CODE},"`);
    // A gigabyte, if it were read to its end.
    for (; sent < 1_024; sent += 1) yield Buffer.alloc(1_048_576, 97);
  };
  const sheet = await openSheet({ name: 'a.csv', bytes }, null);
  sent = 0;
  await assert.rejects(rowsOf(sheet), /line 2 is longer than 1048576 characters/);
  assert.ok(sent < 16);
});

test('a line of a list that is a gigabyte is named, and those around it are read', async () => {
  const bytes = async function* () {
    yield Buffer.from(`${CODE}\n`);
    for (let piece = 0; piece < 1_024; piece += 1) yield Buffer.alloc(1_048_576, 97);
    yield Buffer.from(`\n${MORE}\n`);
  };
  const before = process.memoryUsage().rss;
  const rows = await rowsOf(await openSheet({ name: 'a.txt', bytes }, null));
  assert.deepEqual(
    rows.map(({ cells, problem }) => cells[0] ?? problem),
    [CODE, 'the line is longer than 1048576 characters', MORE],
  );
  assert.ok(process.memoryUsage().rss - before < 200_000_000);
});

test('what is not UTF-8 is read as windows-1252, and that is said', async () => {
  const sheet = await open('a.csv', Buffer.from(`name,upc\ncaf\xe9 \x80,${CODE}\n`, 'latin1'));
  assert.match(sheet.remarks.join(), /read as windows-1252/);
  assert.equal((await rowsOf(sheet))[1]?.cells[0], 'café €');
});

test('a plain list has a row a line; remarks and empty lines are none', async () => {
  const page = 'https://shop.example/lamp?a=1,2;3';
  const rows = await rowsOf(await open('a.txt', `# mine\n${CODE}\n\n${page}\n`));
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, cells]),
    [
      [2, [CODE]],
      [4, [page]],
    ],
  );
});

test('lines of a list and of JSON end as on Windows, on an old Mac or as everywhere else, also mixed', async () => {
  const json = [`{"upc":"${CODE}"}`, '', `{"upc":"${MORE}"}`, 'no'];
  for (const ends of [['\n'], ['\r\n'], ['\r'], ['\n', '\r', '\r\n']]) {
    const joined = (lines: readonly string[]) =>
      lines.map((line, at) => `${line}${ends[at % ends.length]}`).join('');
    const list = await rowsOf(await open('a.csv', joined(['upc', CODE, '', MORE])));
    assert.deepEqual(
      list.map(({ line, cells }) => [line, cells]),
      [
        [1, ['upc']],
        [2, [CODE]],
        [4, [MORE]],
      ],
    );
    const objects = await rowsOf(await open('a.jsonl', joined(json)));
    assert.deepEqual(
      objects.map(({ line, cells, problem }) => [line, problem ?? cells]),
      [
        [0, ['upc']],
        [1, [CODE]],
        [3, [MORE]],
        [4, 'the line is not valid JSON'],
      ],
    );
  }
});

test('a cost that is missing in one row leaves addresses with costs a table', async () => {
  for (const delimiter of [',', ';']) {
    const costs = ['9.99', '12.50', 'n/a', '3.20'];
    const lines = costs.map((cost, at) => `https://shop.example/${at}${delimiter}${cost}`);
    const rows = await rowsOf(await open('a.csv', `${lines.join('\n')}\n`));
    assert.deepEqual(
      rows.map(({ cells }) => cells[1]),
      costs,
    );
  }
});

test('JSON lines are rows of the fields of all; a line that is no JSON harms none of the others', async () => {
  const rows = await rowsOf(
    await open(
      'a.jsonl',
      `{"upc":"${CODE}","cost":2}\nnot json\n{"title":"x","upc":${MORE}}\n[1]\n`,
    ),
  );
  assert.deepEqual(
    rows.map(({ line, cells, problem }) => [line, problem ?? cells]),
    [
      [0, ['upc', 'cost', 'title']],
      [1, [CODE, '2', '']],
      [2, 'the line is not valid JSON'],
      [3, [MORE, '', 'x']],
      [4, 'the line is a JSON array; write one object per line'],
    ],
  );
});

test('a row with thousands of columns is named; narrower ones are read', async () => {
  const wide = Array.from({ length: 3_000 }, () => CODE).join(',');
  const rows = await rowsOf(await open('a.csv', `upc,cost\n${CODE},1\n${MORE},2\n${wide}\n`));
  assert.equal(rows.length, 4);
  assert.match(rows[3]?.problem ?? '', /3000 columns; at most 1000/);
});

const cell = (at: string, value: string) => `<c r="${at}"><v>${value}</v></c>`;
const written = (at: string, value: string) =>
  `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const ROWS =
  `<row r="1">${written('A1', 'upc')}${written('B1', 'cost')}</row>` +
  `<row r="3">${cell('A3', CODE)}${cell('B3', '1.5')}</row>` +
  `<row r="4">${written('A4', '007')}<c r="B4"><f>1+1</f><v>2</v></c></row>`;

test('a workbook has the numbers of its rows, texts as they stand and the results of formulas', async () => {
  const rows = await rowsOf(await open('a.xlsx', zipArchive(workbookParts(ROWS))));
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, cells]),
    [
      [1, ['upc', 'cost']],
      [3, [CODE, '1.5']],
      [4, ['007', '2']],
    ],
  );
});

test('a sheet that a workbook does not have is named, and one that it has is read', async () => {
  const workbook = zipArchive(workbookParts(ROWS));
  assert.equal((await rowsOf(await open('a.xlsx', workbook, 'S'))).length, 3);
  await assert.rejects(
    async () => rowsOf(await open('a.xlsx', workbook, 'nope')),
    /^SheetProblem: This workbook has no sheet "nope"\. It has "S"\.$/,
  );
});

test('of several sheets the first that is not hidden is read, and all are named', async () => {
  const sheets = [
    { name: 'Old', rows: ROWS.replaceAll(CODE, MORE), state: 'hidden' },
    { name: 'Mugs &amp; &quot;more&quot;', rows: ROWS },
    { name: 'Older', rows: '', state: 'veryHidden' },
  ];
  const sheet = await open('a.xlsx', zipArchive(sheetsParts(sheets)));
  assert.equal((await rowsOf(sheet))[1]?.cells[0], CODE);
  const which =
    'The workbook has 3 sheets, "Old" (hidden), "Mugs & "more"", "Older" (hidden); "Mugs & "more"" is read.';
  assert.equal(sheet.which, which);
  const hidden = await open('a.xlsx', zipArchive(sheetsParts(sheets)), 'Old');
  assert.equal((await rowsOf(hidden))[1]?.cells[0], MORE);
  assert.equal(hidden.which, null);
  assert.deepEqual(hidden.remarks, ['The sheet "Old" is hidden in the workbook.']);
  const bytes = zipArchive(sheetsParts(sheets));
  const onPage = await readWholeSheet({ name: 'a.xlsx', bytes });
  assert.deepEqual(onPage.remarks, [which], 'a page has no options');
});

test('a title that begins with an inch sign takes no other row with it; a cell of several lines stays one', async () => {
  const rows = [
    'upc,title,cost',
    '614141000036,"3 inch pan,1.50',
    '614141000043,plain,2.50',
    '614141000050,"4 inch pan,3.50',
    '614141000067,"two\nlines, ""so"" said",4.50',
    '614141000074,"""Best""\nof, all",5.50',
  ];
  for (const end of ['\n', '\r\n']) {
    const read = await rowsOf(await open('a.csv', rows.join(end)));
    assert.deepEqual(
      read.map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'upc', 'title', 'cost'],
        [2, '614141000036', '"3 inch pan', '1.50'],
        [3, '614141000043', 'plain', '2.50'],
        [4, '614141000050', '"4 inch pan', '3.50'],
        [5, '614141000067', 'two\nlines, "so" said', '4.50'],
        [7, '614141000074', '"Best"\nof, all', '5.50'],
      ],
    );
  }
});

test('a workbook is one whatever its file is called', async () => {
  assert.equal((await open('a.csv', zipArchive(workbookParts(ROWS)))).kind, 'xlsx');
});

test('a workbook that would unpack to more than fits is refused before it is unpacked', async () => {
  const parts = workbookParts(ROWS).map((part) =>
    part.name.endsWith('sheet1.xml') ? { ...part, declared: 1_400_000_000 } : part,
  );
  await assert.rejects(open('a.xlsx', zipArchive(parts)), /would unpack to 1336 MiB/);
  const texts = { name: 'xl/sharedStrings.xml', text: 'x', declared: 300_000_000 };
  const withTexts = withRelated(workbookParts(ROWS), { sharedStrings: texts });
  await assert.rejects(open('a.xlsx', zipArchive(withTexts)), /its texts to 287 MiB/);
});

test('a workbook that says less than it unpacks to is not unpacked further than it says', async () => {
  const bomb = `${ROWS}${' '.repeat(200_000_000)}`;
  const parts = workbookParts(bomb).map((part) =>
    part.name.endsWith('sheet1.xml') ? { ...part, declared: 10_000 } : part,
  );
  const archive = zipArchive(parts);
  const before = process.memoryUsage().rss;
  await assert.rejects(rowsOf(await open('a.xlsx', archive)), /cannot be read/);
  assert.ok(process.memoryUsage().rss - before < 100_000_000);
});

for (const [what, name, bytes, said] of [
  ['an empty file', 'a.csv', '', /a\.csv is empty/],
  [
    'a workbook that is cut off',
    'a.xlsx',
    zipArchive(workbookParts(ROWS)).subarray(0, 900),
    /cut off/,
  ],
  [
    'a zip archive of something else',
    'a.xlsx',
    zipArchive([{ name: 'a.txt', text: 'a' }]),
    /not an Excel workbook/,
  ],
  ['an old Excel file', 'a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Save it as \.xlsx/],
  ['a PDF', 'a.csv', '%PDF-1.7', /is a PDF/],
  [
    'a web page that is called a sheet',
    'a.xls',
    '\ufeff\n<html xmlns:x="urn:x"><table>',
    /web page/,
  ],
  ['a sheet in XML', 'a.xls', '<?xml version="1.0"?>\n<Workbook>', /save it as \.xlsx/],
  ['a compressed file', 'a.csv.gz', Buffer.from('1f8b0800', 'hex'), /Unpack it/],
  ['a Parquet file', 'a.parquet', 'PAR1', /Parquet/],
  [
    'bytes that are not text',
    'a.csv',
    Buffer.from('614141\0\0\0\x01\x02abcdefghij', 'latin1'),
    /zero bytes/,
  ],
  ['one JSON value', 'a.json', '[{"upc":"1"}]', /one object per line/],
] as const) {
  test(`${what} is refused with what to do`, async () => {
    await assert.rejects(open(name, bytes), said);
  });
}

/** Writes a cell as in RFC 4180. `isSure` quotes a cell even if unnecessary. */
function quoted(cell: string, isSure: boolean): string {
  return isSure || /[,;|\t"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const seed = seedOf(20_261_129);

test(`any table that is written as RFC 4180 says is read as it was (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const parts = [
    ', ',
    '; ',
    ' | ',
    '\t',
    '"',
    '""',
    '\n',
    '\r\n',
    'lamp',
    '4,10',
    '12',
    ' x',
    '"A", b\nc',
  ];
  const drawn = () => Array.from({ length: integerBelow(random, 7) }, () => pick(random, parts));
  for (let round = 0; round < 300; round += 1) {
    const delimiter = pick(random, [',', ';', '\t', '|']);
    const [end, isSure] = [pick(random, ['\n', '\r\n', '\r']), random() < 0.5];
    const [width, at] = [2 + integerBelow(random, 4), integerBelow(random, 2)];
    const rows = Array.from({ length: 2 + integerBelow(random, 9) }, () =>
      Array.from({ length: width }, (_, column) => (column === at ? CODE : `a${drawn().join('')}`)),
    );
    if (random() < 0.7) rows.unshift(rows[0]?.map((_, column) => `Heading ${column}`) ?? []);
    const lines = rows.map((row) => row.map((cell) => quoted(cell, isSure)).join(delimiter));
    const whole = `${random() < 0.3 ? '\ufeff' : ''}${lines.join(end)}${random() < 0.5 ? end : ''}`;
    assert.deepEqual(await cellsOf('a.csv', whole), rows, `seed ${seed}, round ${round}: ${whole}`);
  }
});

const SHADES = ['red; green', 'blue; grey', 'white; black'];

for (const [what, lines, cell] of [
  ['quoted cells with a semicolon each', SHADES.map((each) => `${CODE},"${each}",4.10`), SHADES],
  ['bare cells with a semicolon each', SHADES.map((each) => `${CODE},${each},4.10`), SHADES],
  [
    'quoted cells and more and more columns',
    SHADES.map((each, at) => `${CODE},"${each}"${',x'.repeat(at)}`),
    SHADES,
  ],
  [
    'a cell that is longer than what is looked at first',
    ['UPC,Title', `${CODE},"${'x; y\n'.repeat(20_000)}"`],
    ['Title', 'x; y\n'.repeat(20_000)],
  ],
] as const) {
  test(`${what} are read where commas separate them`, async () => {
    const rows = await cellsOf('a.csv', lines.join('\r\n'));
    assert.deepEqual(
      rows.map((cells) => cells[1]),
      cell,
    );
  });
}
