// The identifier column is found by its content; what a spreadsheet did to a code is undone if all digits are still there, and
// reported if digits are lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { amountCents, decimalMarkOf } from '../../../src/edge/sheets/amount-cell.ts';
import { chooseColumns } from '../../../src/edge/sheets/identifier-column.ts';
import { repairCode } from '../../../src/edge/sheets/repair-code.ts';
import { readRow } from '../../../src/edge/sheets/sheet-row.ts';

const NONE = { identifier: null, cost: null };
const rows = (...cells: readonly (readonly string[])[]) =>
  cells.map((each, at) => readRow(at + 1, each));

test('the barcodes are found among prices, quantities, telephone numbers and titles', () => {
  const { identifier, cost, headingLine, names, isBarcodes } = chooseColumns(
    rows(
      ['Item', 'Qty', 'Phone', 'Number', 'Unit cost'],
      ['Lamp 12 pack', '12', '5551234567', '614141000036', '3.50'],
      ['Desk', '1', '5559876543', '5000112637922', '4'],
    ),
    NONE,
  );
  assert.deepEqual([names[identifier], cost?.at, headingLine, isBarcodes], ['Number', 4, 1, true]);
});

test('a list without headings loses no row', () => {
  const { identifier, headingLine } = chooseColumns(rows(['614141000036'], ['x']), NONE);
  assert.deepEqual([identifier, headingLine], [0, null]);
});

test('addresses, ASINs and item ids are identifiers too', () => {
  for (const code of ['https://shop.example.com/lamp', 'B00ABCDEFG', '10450114']) {
    assert.equal(chooseColumns(rows(['a', 'b'], ['x', code]), NONE).identifier, 1);
  }
});

test('a column is taken by its heading or its number where somebody says so', () => {
  const sheet = rows(['EAN', 'Mine'], ['614141000036', '5000112637922']);
  const chosen = (identifier: string) =>
    chooseColumns(sheet, { identifier, cost: null }).identifier;
  assert.deepEqual([chosen('mine'), chosen('1')], [1, 0]);
  assert.throws(
    () => chosen('UPC'),
    /no column "UPC" for the identifier\. The sheet has: EAN, Mine/,
  );
});

for (const [what, sheet, wanted] of [
  [
    'that looks like a code',
    [
      ['B00ABCDEFG', 'Note'],
      ['614141000036', 'x'],
    ],
    'b00abcdefg',
  ],
  [
    'beside one that looks like a code',
    [
      ['B00ABCDEFG', 'Note'],
      ['x', 'my-lamp'],
    ],
    'Note',
  ],
  [
    'above what is not a code',
    [
      ['Name', 'Note'],
      ['lamp', 'x'],
    ],
    'Name',
  ],
] as const) {
  test(`a heading ${what} is one where somebody names it`, () => {
    const { identifier, headingLine, names } = chooseColumns(rows(...sheet), {
      identifier: wanted,
      cost: null,
    });
    assert.equal(headingLine, 1);
    assert.equal(names[identifier]?.toLowerCase(), wanted.toLowerCase());
  });
}

test('a number that is wanted is that of a column, whatever stands in the first row', () => {
  const sheet = rows(['2', '614141000036'], ['5', '5000112637922']);
  const { identifier, headingLine } = chooseColumns(sheet, { identifier: '2', cost: '1' });
  assert.deepEqual([identifier, headingLine], [1, null]);
});

test('a sheet without identifiers is refused with what to do', () => {
  assert.throws(() => chooseColumns(rows(['a', 'b'], ['x', 'y']), NONE), /--column/);
  assert.throws(() => chooseColumns([], NONE), /empty/);
});

const TITLED = [
  ['Price list: UPC and cost, 2026-11-01'],
  ['Valid until December', '', ''],
  ['UPC', 'Title', 'Unit cost'],
  ['', 'Link cable', '2.00'],
  ['614141000036', 'Lamp', '3.50'],
  ['5000112637922', 'Desk', '4'],
];

test('headings below a title name the columns, and the title is counted', () => {
  const found = chooseColumns(rows(...TITLED), NONE);
  assert.deepEqual(
    [found.names[found.identifier], found.cost?.at, found.headingLine, found.rowsAbove],
    ['UPC', 2, 3, 2],
  );
  const wanted = chooseColumns(rows(...TITLED), { identifier: 'upc', cost: 'title' });
  assert.deepEqual([wanted.cost?.at, wanted.headingLine, wanted.rowsAbove], [1, 3, 2]);
});

for (const [what, sheet] of [
  [
    'a row whose code is broken',
    [
      ['UPC', 'Title'],
      ['n/a', 'Link cable', '2.00'],
      ['614141000036', 'x'],
    ],
  ],
  [
    'a row without a code',
    [
      ['UPC', 'Title'],
      ['', 'Cost calculator'],
      ['614141000036', 'x'],
    ],
  ],
] as const) {
  test(`${what} below the headings is not a heading`, () => {
    const { headingLine, rowsAbove } = chooseColumns(rows(...sheet), NONE);
    assert.deepEqual([headingLine, rowsAbove], [1, 0]);
  });
}

test('headings that are alike stay apart', () => {
  const { names } = chooseColumns(rows(['a', 'A', ''], ['614141000036', '', '']), NONE);
  assert.deepEqual(names, ['a', 'A (2)', 'column 3']);
});

for (const [damaged, whole] of [
  ['="0614141000036"', '0614141000036'],
  ["'614141000036", '614141000036'],
  ['614141000036.0', '614141000036'],
  ['614,141,000,036', '614141000036'],
  ['6.14141000036E+11', '614141000036'],
  ['6.14141000036E+011', '614141000036'],
  ['6.14141000036E 011', '614141000036'],
  // A program left out the final zero.
  ['6.1414100076E11', '614141000760'],
  ['36000291452', '036000291452'],
  ['\u00a0614141000036\u200b', '614141000036'],
] as const) {
  test(`${JSON.stringify(damaged)} is the code that it was`, () => {
    assert.equal(repairCode(damaged, true).text, whole);
  });
}

test('digits that a spreadsheet has cut off are named, never guessed', () => {
  for (const text of [
    '6.14141E+11',
    '6,14E+11',
    '6.1414100076E+11',
    '6.14141E11',
    '61414100003600000',
  ]) {
    const { isLost, note } = repairCode(text, true);
    assert.ok(isLost);
    assert.match(note ?? '', /lost/);
  }
});

test('eight digits alone make no column of barcodes, because they are item ids as well', () => {
  const isBarcodes = (...codes: readonly string[]) =>
    chooseColumns(rows(...codes.map((code) => [code])), NONE).isBarcodes;
  assert.equal(isBarcodes('96385074'), false);
  assert.equal(isBarcodes('EAN', '96385074'), true);
  assert.equal(isBarcodes('96385074', '614141000036'), true);
});

test('zeros are put in front only in a column of barcodes, and only where the check digit then holds', () => {
  assert.equal(repairCode('36000291452', false).text, '36000291452');
  assert.equal(repairCode('36000291453', true).text, '36000291453');
});

test('an amount is read as people write it', () => {
  const read = ['$1,234.50', '12,50', '3', 'US$ 4.999', '-1', 'free', '2000000'].map((cell) =>
    amountCents(cell),
  );
  assert.deepEqual(read, [123_450, 1_250, 300, 500, null, null, null]);
});

test('points and apostrophes between thousands, and a currency in front, are read as they are meant', () => {
  const read = ['1.234,50', '12.345.678,9', "1'234.50", 'USD 12,50', '0,125', '1,234,50', '1.23.4'];
  assert.deepEqual(
    read.map((cell) => amountCents(cell)),
    [123_450, null, 123_450, 1_250, 13, null, null],
  );
});

test('in a sheet of another currency its sign and code may stand at an amount, and dollars are none', () => {
  const cells = ['€ 1.234,50', '12,50 EUR', 'eur 3', '7', '$5', '5 USD', '£5'];
  assert.deepEqual(
    cells.map((cell) => amountCents(cell, null, 'EUR')),
    [123_450, 1_250, 300, 700, null, null, null],
  );
});

for (const [how, currency, cells] of [
  [
    'cents without a zero',
    'USD',
    [
      ['.99', 99],
      ['$ .95', 95],
      [',5', 50],
      ['.75 ea', 75],
    ],
  ],
  [
    'a dash for the cents',
    'EUR',
    [
      ['12,-', 1_200],
      ['12.\u2013', 1_200],
      ['1.299,-', 129_900],
      ['12,\u2014 €', 1_200],
    ],
  ],
  [
    'a colon in crowns',
    'SEK',
    [
      ['5:-', 500],
      ['16:50', 1_650],
      ['24:50 kr', 2_450],
      ['45,00 kr/st', 4_500],
    ],
  ],
  [
    'words for one piece, a tax or the currency',
    'EUR',
    [
      ['EUR 12.50 / Stk', 1_250],
      ['12,50 € pro Stück', 1_250],
      ['12,50 EUR netto', 1_250],
      ['12,50 € zzgl. MwSt.', 1_250],
      ['12,50 € HT', 1_250],
      ['12.50 each', 1_250],
    ],
  ],
  [
    'the groups of India',
    'INR',
    [
      ['1,23,456.78', 12_345_678],
      ['₹1,23,456', 12_345_600],
      ['Rs.99', 9_900],
      ['₹ 1,500/-', 150_000],
    ],
  ],
  [
    'apostrophes',
    'CHF',
    [
      ["1'234.50", 123_450],
      ['1\u2019299.-', 129_900],
      ['CHF 12.-', 1_200],
    ],
  ],
  [
    'an exponent',
    'USD',
    [
      ['1.25E+02', 12_500],
      ['1,25E+02', 12_500],
      ['4.1E+00', 410],
      ['1.25E+002', 12_500],
    ],
  ],
  [
    'blanks and marks that cannot be seen',
    'USD',
    [
      ['1\u00a0234,50', 123_450],
      ['1\u202f234.50', 123_450],
      ['\u200e12.50', 1_250],
      ['\uff11\uff12.50', 1_250],
    ],
  ],
] as const) {
  test(`an amount with ${how} is read`, () => {
    for (const [cell, cents] of cells) assert.equal(amountCents(cell, null, currency), cents, cell);
  });
}

const NO_AMOUNTS = `4.10- | (5.00) | \u22125.00 | $-5.00 | 5.00 CR | -.50 | tbd | 12 kg | 12% | 5-6 | 2 for 5 | 12/24 | 2024-05-01 | ca. 5 |
  from 5 | 1,234,50 | 12.50 per dozen | 12,50/100 | 10.50 / kg | €5 | 5 EUR | C$ 5 | kr 5 | Rs. 5 |`;

test('four decimals after a comma are decimals, and make the comma the mark of their column', () => {
  assert.equal(amountCents('4,1000'), 410);
  assert.equal(decimalMarkOf(['4,1000', '1.500']), ',');
});

test('what is not one amount of what one costs is none', () => {
  for (const cell of NO_AMOUNTS.split('|')) assert.equal(amountCents(cell.trim()), null, cell);
});

test('half a cent is rounded up, whatever a binary fraction makes of it', () => {
  assert.deepEqual(
    ['1.005', '12.505', '8.5749'].map((cell) => amountCents(cell)),
    [101, 1_251, 857],
  );
});

test('in a column with decimal commas a point stands between thousands, and where both are used each cell is read by itself', () => {
  const costs = (...cells: readonly string[]) => {
    const mark = decimalMarkOf(cells);
    return cells.map((cell) => amountCents(cell, mark));
  };
  assert.deepEqual(costs('12,50', '1.500', '12,505'), [1_250, 150_000, 1_251]);
  assert.deepEqual(costs('12.50', '1.500', '12,505'), [1_250, 150, 1_250_500]);
  assert.deepEqual(costs('12.50', '3,20', '1.500'), [1_250, 320, 150]);
  assert.deepEqual(costs('free', '1.500'), [null, 150]);
});

test('a column named like a code outweighs the cleaner cells of another, which is named', () => {
  for (const heading of [
    'EAN',
    'GTIN-13',
    'Barcode',
    'UPC Code',
    'Strichcode',
    '条码',
    'Kod kreskowy',
  ]) {
    const sheet = rows(
      [heading, 'Ref'],
      ['n/a', '4006381333931'],
      ['tbd', '5012345678900'],
      ['7501031311309', '5012345678900'],
    );
    const { identifier, passedOver } = chooseColumns(sheet, NONE);
    assert.deepEqual([identifier, passedOver.others], [0, ['Ref']], heading);
  }
});

test('a former code and that of a parent give way to the code itself', () => {
  for (const other of ['Old UPC', 'EAN alt', 'Ancien EAN', 'Parent ASIN', '旧JAN']) {
    const [one, two] =
      other === 'Parent ASIN' ? ['B0ABCDEF01', 'B0ABCDEF02'] : ['4006381333931', '5012345678900'];
    const sheet = rows(
      [other, 'Main EAN'],
      [one, '7501031311309'],
      [two, ' 614141000005'],
      [two, 'n/a'],
    );
    assert.equal(chooseColumns(sheet, NONE).identifier, 1, other);
  }
});

test('a heading above several columns says what is below it', () => {
  const { identifier, cost, names } = chooseColumns(
    rows(
      ['Item', 'Codes', '', 'Cost', ''],
      ['', 'Case UPC', 'Unit UPC', 'Case', 'Unit'],
      ['Tray', '10614141000002', '614141000005', '49.20', '4.10'],
    ),
    NONE,
  );
  assert.deepEqual([names[identifier], cost?.at], ['Unit UPC Codes', 4]);
});

test('a unit above several columns is that of the codes and costs below it', () => {
  const { identifier, cost, passedOver } = chooseColumns(
    rows(
      ['', 'Case', '', 'Each', ''],
      ['Item', 'Barcode', 'Price', 'Barcode', 'Price'],
      ['Tray', '10614141000002', '49.20', '614141000005', '4.10'],
      ['Jars', '10614141000767', '60', '614141000760', '5'],
    ),
    NONE,
  );
  assert.deepEqual([identifier, cost?.at, passedOver.cases], [3, 4, ['Barcode Case']]);
});

test('an amount in any currency stands below the headings', () => {
  const { headingLine } = chooseColumns(
    rows(
      ['Barcode', 'Kostprijs omdoos', 'Verkoopprijs'],
      ['n/a', '£ 439,92 per stuk', '£ 9,00 per stuk'],
      ['614141000005', '£ 610,00 per stuk', '£ 9,50 per stuk'],
    ),
    NONE,
  );
  assert.equal(headingLine, 1);
});
