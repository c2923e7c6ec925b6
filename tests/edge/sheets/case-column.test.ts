// Case codes identify what shops buy, not what they list: a column of them is skipped if another has the codes of the items in
// the cases, however damaged these are.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readWholeSheet } from '../../../src/edge/runs/read-whole-sheet.ts';
import { headingUnit } from '../../../src/edge/sheets/heading-words.ts';
import { chooseColumns } from '../../../src/edge/sheets/identifier-column.ts';
import { readRow } from '../../../src/edge/sheets/sheet-row.ts';

const NONE = { identifier: null, cost: null };

/** A UPC and the code of a case of twelve, which also differ in the check digit. */
const PAIRS: readonly (readonly [upc: string, box: string])[] = [
  ['614141000036', '10614141000033'],
  ['614141000005', '10614141000002'],
  ['614141000760', '10614141000767'],
  ['036000291452', '10036000291459'],
  ['614141000043', '10614141000040'],
];

const CLEAN = (upc: string) => upc;
/** Each code is damaged in another way; one is missing. */
const MESSY = (upc: string, at: number) =>
  [upc.replace(/(.)(.{5})(.{5})(.)/, '$1 $2 $3 $4'), '6.14E+11', `${upc}.0`, upc.slice(1), ''][
    at
  ] ?? upc;
const DASHED = (upc: string) => upc.replace(/(.)(.{5})(.{5})(.)/, '$1-$2-$3-$4');
const MOSTLY_EMPTY = (upc: string, at: number) => (at === 0 ? upc : at === 1 ? 'n/a' : '');
const LOST = (upc: string, at: number) => (at < 2 ? '6.14E+11' : at === 2 ? 'tbd' : upc);

for (const [what, damage] of Object.entries({ CLEAN, MESSY, DASHED, MOSTLY_EMPTY, LOST })) {
  for (const [piece, box] of [
    ['UPC', 'Case GTIN'],
    ['UPC', 'GTIN'],
    ['Each UPC', 'Case UPC'],
    ['EAN', 'Umkarton-EAN'],
    ['EAN Stück', 'EAN VPE'],
    ['Code-barres unité', 'Code-barres carton'],
    ['EAN unidad', 'Código DUN14'],
    ['JAN', 'ITFコード'],
    ['UPC', ''],
    [null, null],
  ] as const) {
    for (const isFirst of [true, false]) {
      const where = isFirst ? 'before' : 'behind';
      test(`${what} codes of pieces under ${piece} win ${where} those of cases under ${box}`, () => {
        const headings = piece === null ? [] : [['Title', piece, box]];
        const body = PAIRS.map(([upc, code], at) => [`Lamp ${at}`, damage(upc, at), code]);
        const sheet = [...headings, ...body].map(([title = '', one = '', other = ''], at) =>
          readRow(at + 1, isFirst ? [title, one, other] : [title, other, one]),
        );
        const { identifier, names, passedOver } = chooseColumns(sheet, NONE);
        const [wanted, passed] = isFirst ? [1, 2] : [2, 1];
        assert.equal(identifier, wanted);
        assert.deepEqual(passedOver.cases, [names[passed]]);
      });
    }
  }
}

const rows = (...cells: readonly (readonly string[])[]) =>
  cells.map((each, at) => readRow(at + 1, each));

test('cases whose codes are UPCs too are recognized by their heading, and all columns of packages are named', () => {
  const { identifier, passedOver } = chooseColumns(
    rows(
      ['Master carton', 'Inner pack UPC', 'UPC'],
      ['5000112637922', '614141000005', '614141000036'],
      ['5000112637922', '614141000760', '614141000043'],
    ),
    NONE,
  );
  assert.deepEqual([identifier, passedOver.cases], [2, ['Master carton', 'Inner pack UPC']]);
});

test('a column of case codes alone names the products, next to numbers of any other kind too', () => {
  const { identifier, passedOver } = chooseColumns(
    rows(
      ['Phone', 'Case GTIN', 'Units'],
      ...PAIRS.map(([, box], at) => [`555123456${at}`, box, '12']),
    ),
    NONE,
  );
  assert.deepEqual([identifier, passedOver.cases], [1, []]);
});

test('ASINs name the products next to codes of cases', () => {
  const { identifier, passedOver } = chooseColumns(
    rows(['Case GTIN', 'ASIN'], ...PAIRS.map(([, box], at) => [box, `B00ABCDEF${at}`])),
    NONE,
  );
  assert.deepEqual([identifier, passedOver.cases], [1, ['Case GTIN']]);
});

test('GTIN-14s of single pieces are not codes of cases, and a column that is wanted is never passed over', () => {
  const padded = PAIRS.map(([upc, box]) => [`00${upc}`, box]);
  assert.equal(chooseColumns(rows(...padded), NONE).identifier, 0);
  const wanted = chooseColumns(rows(['UPC', 'Case GTIN'], ...PAIRS), {
    identifier: 'case gtin',
    cost: null,
  });
  assert.deepEqual([wanted.identifier, wanted.passedOver.cases], [1, []]);
});

for (const [heading, isCase] of [
  ['Case UPC', true],
  ['MASTER CARTON GTIN', true],
  ['ctn_barcode', true],
  ['Inner EAN', true],
  ['EAN Karton', true],
  ['Code DUN-14', true],
  ['箱码', true],
  ['UPC', false],
  ['Each UPC (case of 12)', false],
  ['Phone case', true],
  ['Showcase', false],
  ['Unit GTIN', false],
] as const) {
  test(`the heading ${heading} ${isCase ? 'names' : 'does not name'} cases`, () => {
    assert.equal(headingUnit(heading) === 'package', isCase);
  });
}

test('the column that is passed over is named to whoever looks at the sheet', async () => {
  const lines = ['UPC,Case GTIN', ...PAIRS.map(([upc, box]) => `${DASHED(upc)},${box}`)];
  const bytes = Buffer.from(lines.join('\n'));
  const { identifier_column, remarks, products } = await readWholeSheet({ name: 'a.csv', bytes });
  assert.equal(identifier_column, 'UPC');
  assert.match(remarks.join(' '), /"Case GTIN" has case codes and is skipped in favour of "UPC"/);
  assert.equal(products[0]?.id, '614141000036');
});
