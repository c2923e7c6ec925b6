// A workbook is read however its archive and its XML are written, as long as Excel opens it (ECMA-376, ISO 29500, and
// PKWARE's APPNOTE for the archive).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readWholeSheet } from '../../../src/edge/runs/read-whole-sheet.ts';
import { openSheet } from '../../../src/edge/sheets/sheet.ts';
import type { SheetRow } from '../../../src/edge/sheets/sheet-row.ts';
import {
  sheetsParts,
  withRelated,
  workbookParts,
  zipArchive,
  type ZipPart,
  type ZipSpelling,
} from '../../support/zip-archive.ts';

const CODE = '614141000036';
const ROWS =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>upc</t></is></c><c r="B1" t="inlineStr"><is><t>cost</t></is></c></row>' +
  `<row r="2"><c r="A2"><v>${CODE}</v></c><c r="B2"><v>1.5</v></c></row>`;
const TABLE = [
  ['upc', 'cost'],
  [CODE, '1.5'],
];

async function rowsIn(bytes: Uint8Array, name = 'a.xlsx') {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
  };
  const sheet = await openSheet({ name, bytes: pieces }, null);
  const rows: SheetRow[] = [];
  for await (const row of sheet.rows()) rows.push(row);
  return rows;
}

const cellsOf = async (bytes: Uint8Array, name?: string) =>
  (await rowsIn(bytes, name)).map(({ cells }) => cells);

/** The parts with another name each, as `rename` writes it. */
const renamed = (rename: (name: string) => string) =>
  workbookParts(ROWS).map((part) => ({ ...part, name: rename(part.name) }));
const rewritten = (rewrite: (text: string, name: string) => string | Uint8Array) =>
  workbookParts(ROWS).map((part) => ({ ...part, text: rewrite(String(part.text), part.name) }));

for (const [what, parts] of [
  ['backslashes in the names of its parts', renamed((name) => name.replaceAll('/', '\\'))],
  ['slashes before the names', renamed((name) => `/${name}`)],
  ['names in capitals', renamed((name) => name.toUpperCase())],
  ['names with dots', renamed((name) => `./${name}`)],
  [
    'relationships that begin at the root',
    rewritten((text) => text.replace('"worksheets/', '"/xl/worksheets/')),
  ],
  [
    'relationships that go up and down',
    rewritten((text) => text.replace('"worksheets/', '"../xl/./worksheets/')),
  ],
  [
    'relationships with backslashes and capitals',
    rewritten((text) => text.replace('"worksheets/sheet1', '"WorkSheets\\Sheet1')),
  ],
  [
    'relationships with escaped characters, in parts in odd places',
    workbookParts(ROWS).map((part) => ({
      name: part.name.replace('xl/worksheets/sheet1', 'xl/my tables/a b'),
      text: String(part.text).replace('worksheets/sheet1', 'my%20tables/a%20b'),
    })),
  ],
  [
    'relationships with ids of any kind',
    rewritten((text, name) =>
      name.endsWith('workbook.xml') || name.endsWith('workbook.xml.rels')
        ? text.replaceAll('rId1', 'X-7f')
        : text,
    ),
  ],
  [
    'a relationship to something outside before its own',
    rewritten((text) =>
      text.replace(
        '<Relationship ',
        '<Relationship Id="rId1" Type="x/worksheet" TargetMode="External" Target="https://a.example/"/><Relationship ',
      ),
    ),
  ],
  [
    'the strict namespace',
    rewritten((text) =>
      text
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/',
          'http://purl.oclc.org/ooxml/officeDocument/',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006/',
          'http://purl.oclc.org/ooxml/spreadsheetml/',
        ),
    ),
  ],
  [
    'a prefix before all names',
    rewritten((text, name) =>
      name.startsWith('xl/w')
        ? text.replaceAll(/(<\/?)(?=[a-z])/g, '$1x:').replace(' xmlns=', ' xmlns:x=')
        : text,
    ),
  ],
  ['XML in UTF-16', rewritten((text) => Buffer.from(`\ufeff${text}`, 'utf16le'))],
  [
    'XML in big-endian UTF-16',
    rewritten((text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()),
  ],
  ['XML in UTF-8 with a mark', rewritten((text) => `\ufeff${text}`)],
  [
    'comments, line breaks and single quotes in its XML',
    rewritten((text) =>
      text
        .replaceAll('"', "'")
        .replaceAll(/<(?=[cr])/g, '<!-- <row r="9"> -->\r\n<')
        .replaceAll(/ (r|t)=/g, '\n  $1 = '),
    ),
  ],
  ['cells and rows without places', rewritten((text) => text.replaceAll(/ r='?"?[A-Z]?\d"?/g, ''))],
  [
    'places in small letters',
    rewritten((text) => text.replaceAll(/ r="([AB])/g, (whole) => whole.toLowerCase())),
  ],
  ['texts as CDATA', rewritten((text) => text.replace('<t>upc</t>', '<t>u<![CDATA[pc]]></t>'))],
  ['numbers with exponents', rewritten((text) => text.replace(CODE, '6.14141000036E11'))],
] as const) {
  test(`a workbook with ${what} has its cells`, async () => {
    assert.deepEqual(await cellsOf(zipArchive(parts)), TABLE);
  });
}

for (const [what, spelling] of [
  ['stored parts', { isStored: true }],
  ['sizes after the parts', { isStreamed: true }],
  ['stored parts and sizes after them', { isStored: true, isStreamed: true }],
  ['sizes of ZIP64', { isLarge: true }],
  ['sizes of ZIP64 after the parts', { isLarge: true, isStreamed: true }],
  ['a comment', { comment: 'made by a program' }],
  ['a comment that looks like an end', { comment: `PK\x05\x06${'x'.repeat(40)}` }],
  ['the headers of an upload before it', { before: '--x\r\nContent-Type: a/b\r\n\r\n' }],
  ['bytes before it that it counts', { before: 'MZ self-extractor', countsBefore: true }],
  ['bytes before ZIP64', { before: '\r\n', isLarge: true }],
  ['the end of an upload behind it', { comment: '' }],
] satisfies readonly (readonly [string, ZipSpelling])[]) {
  test(`an archive with ${what} has its cells`, async () => {
    const archive = zipArchive(workbookParts(ROWS), spelling);
    const isUpload = what.endsWith('behind it');
    assert.deepEqual(
      await cellsOf(isUpload ? Buffer.concat([archive, Buffer.from('\r\n--x--\r\n')]) : archive),
      TABLE,
    );
  });
}

test('a text that begins with PK is not an archive', async () => {
  assert.deepEqual(await cellsOf(Buffer.from(`PK,upc\n1,${CODE}\n`), 'a.csv'), [
    ['PK', 'upc'],
    ['1', CODE],
  ]);
});

const XML = '<?xml version="1.0"?>';
const related = (kind: string, name: string, text: string) => ({
  [kind]: { name, text: XML + text } satisfies ZipPart,
});

test('texts are those of all runs, shared or in the cell, without the ones that show a pronunciation', async () => {
  const item =
    '<t xml:space="preserve"> tea</t>' +
    '<rPh sb="0" eb="1"><t>TEE</t></rPh><phoneticPr fontId="1"/>';
  const runs =
    '<r><t>gr</t></r><r><rPr><b/></rPr><t>een &amp; &#x62;lack_x0021_</t></r><rPh sb="0" eb="1"><t>G</t></rPh>';
  const texts = `<sst><si>${item}</si><si>${runs}</si><si/><si><t/></si></sst>`;
  const inline = (text: string) => `<c t="inlineStr"><is>${text}</is></c>`;
  const shared = (at: number) => `<c t="s"><v>${at}</v></c>`;
  const rows =
    `<row>${shared(0)}${shared(1)}${shared(2)}${shared(3)}${shared(0)}</row>` +
    `<row>${inline(item)}${inline(runs)}${inline('')}${inline('<t/>')}${inline('<t> tea</t>')}</row>`;
  const parts = withRelated(
    workbookParts(rows),
    related('sharedStrings', 'xl/other/Texts.xml', texts),
  );
  const row = [' tea', 'green & black!', '', '', ' tea'];
  assert.deepEqual(await cellsOf(zipArchive(parts)), [row, row]);
});

test('numbers are shown with the zeros before them, and dates as dates, where the cell style says so', async () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="000000000000"/>' +
    '<numFmt numFmtId="165" formatCode="[$-409]d\\-mmm\\-yy;@"/><numFmt numFmtId="166" formatCode="&quot;day&quot; 0.00 [Red]"/>' +
    '<numFmt numFmtId="167" formatCode="General"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    `<cellXfs>${[0, 164, 14, 165, 166, 167, 1].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;
  const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`;
  const values = [
    cell(0, '14141000043'),
    cell(1, '14141000043'),
    cell(2, '46356'),
    cell(3, '46356.5'),
    cell(2, CODE),
    cell(4, '5'),
    cell(5, '5'),
    cell(6, '1.10E2'),
    cell(99, '5'),
    '<c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>A1</f><v>a_x0041_</v></c><c t="d"><v>2026-11-30</v></c>',
  ];
  const parts = withRelated(
    workbookParts(`<row>${values.join('')}</row>`),
    related('styles', 'xl/styles.xml', styles),
  );
  assert.deepEqual(await cellsOf(zipArchive(parts)), [
    [
      '14141000043',
      '014141000043',
      '2026-11-30T00:00:00.000Z',
      '2026-11-30T12:00:00.000Z',
      CODE,
      '5',
      '5',
      '110',
      '5',
      'true',
      '#N/A',
      'aA',
      '2026-11-30',
    ],
  ]);
  const since1904 = parts.map((part) => ({
    ...part,
    text: String(part.text).replace('<sheets>', '<workbookPr date1904="true"/><sheets>'),
  }));
  assert.equal((await cellsOf(zipArchive(since1904)))[0]?.[2], '2030-12-01T00:00:00.000Z');
  // Their values and formats are there too; a date since 1904 has the number that it has since 1900.
  const typedOf = async (archive: Uint8Array) => (await rowsIn(archive))[0]?.typed ?? [];
  const typed = await typedOf(zipArchive(parts));
  assert.deepEqual(typed[1], {
    text: '014141000043',
    value: 14_141_000_043,
    format: '000000000000',
  });
  assert.deepEqual(typed[3]?.format, '[$-409]d\\-mmm\\-yy;@');
  assert.deepEqual([typed[9]?.value, typed[10], typed[11]], [true, undefined, undefined]);
  const later = await typedOf(zipArchive(since1904));
  assert.equal(Number(later[2]?.value) - Number(typed[2]?.value), 1_462);
});

test('charts, dialogs and macros are passed over, wherever their tabs are', async () => {
  const parts = sheetsParts([
    { name: 'Chart', rows: '' },
    { name: 'Prices', rows: ROWS },
  ]);
  for (const kind of ['chartsheet', 'dialogsheet', 'xlMacrosheet', 'xlIntlMacrosheet']) {
    const mixed = parts.map((part) => ({
      ...part,
      text: part.name.endsWith('workbook.xml.rels')
        ? String(part.text).replace('relationships/worksheet"', `relationships/${kind}"`)
        : part.text,
    }));
    const sheet = await readWholeSheet({ name: 'a.xlsx', bytes: zipArchive(mixed) });
    assert.deepEqual(
      [
        sheet.sheet,
        sheet.sheets,
        sheet.products.map(({ id, cost }) => ({ id, cost })),
        sheet.remarks,
      ],
      ['Prices', ['Prices'], [{ id: CODE, cost: 1.5 }], []],
    );
  }
});

test('a workbook that hides all its sheets, or has products on hidden ones only, is refused with their names', async () => {
  const hidden = { name: 'Old', rows: ROWS, state: 'veryHidden' };
  for (const [sheets, words] of [
    [[hidden], /All sheets of this workbook are hidden: "Old" \(hidden\)\. Show the one/],
    [[{ name: 'Cover', rows: '' }, hidden], /2 sheets, "Cover", "Old" \(hidden\); "Cover" is read/],
  ] as const) {
    const bytes = zipArchive(sheetsParts(sheets));
    await assert.rejects(readWholeSheet({ name: 'a.xlsx', bytes }), words);
    const named = await readWholeSheet({ name: 'a.xlsx', bytes, chosen: { tab: 'old' } });
    assert.deepEqual(named.remarks, ['The sheet "Old" is hidden in the workbook.']);
  }
});

for (const [what, parts, words] of [
  [
    'whose sheet is missing',
    workbookParts(ROWS).filter(({ name }) => !name.endsWith('sheet1.xml')),
    /a sheet that it lists is missing/,
  ],
  [
    'with a document type',
    rewritten((text) => text.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>')),
    /its XML is damaged/,
  ],
  [
    'whose sheet is cut off',
    rewritten((text) => text.replace(/<\/sheetData.*/, '<row')),
    /its XML is damaged/,
  ],
  [
    'in binary',
    workbookParts(ROWS).map((part) => ({
      name: part.name.replace('workbook.xml', 'workbook.bin'),
      text: String(part.text).replace('workbook.xml"', 'workbook.bin"'),
    })),
    /binary workbook \(\.xlsb\)/,
  ],
] as const) {
  test(`a workbook ${what} is refused with the reason`, async () => {
    await assert.rejects(cellsOf(zipArchive(parts)), words);
  });
}

test('a byte of a part that has changed is not taken for its content', async () => {
  const archive = zipArchive(workbookParts(ROWS), { isStored: true });
  archive[archive.indexOf(CODE)] = '7'.charCodeAt(0);
  await assert.rejects(cellsOf(archive), /sheet1\.xml is damaged/);
});

test('a number without end is text, and a name that no XML has stays as it is written', async () => {
  const odd =
    '<row r="3"><c r="A3"><v>1e999</v></c><c r="B3" t="inlineStr"><is><t>&constructor;</t></is></c></row>';
  const parts = workbookParts(ROWS + odd);
  const [, , row] = await rowsIn(zipArchive(parts));
  assert.deepEqual([row?.cells, row?.typed?.[0]], [['1e999', '&constructor;'], undefined]);
});
