// Which column has the cost of one, and what is said about the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chooseColumns } from '../../../src/edge/sheets/identifier-column.ts';
import { costIn } from '../../../src/edge/sheets/cost-column.ts';
import { readRow } from '../../../src/edge/sheets/sheet-row.ts';

const [PEN, LAMP] = ['4006381333931', '5012345678900'];
const [PEN_BOX, LAMP_BOX] = ['14006381333938', '15012345678907'];

/** Reads a sheet whose first two columns are EAN and whose other columns are given, with two rows. */
function read(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { currency = 'USD', codes = 'EAN' } = {},
) {
  const sheet = [[codes, ...headings], ...rows].map((cells, at) => readRow(at + 1, cells));
  const columns = chooseColumns(sheet, { identifier: null, cost: null }, currency);
  const { cost, names, costRemarks } = columns;
  return {
    column: cost === null ? null : (names[cost.at] ?? ''),
    costs: rows.map((cells) => (cost === null ? null : (costIn(cells, cost)?.cents ?? null))),
    problems: rows.map((cells) => (cost === null ? null : (costIn(cells, cost)?.problem ?? null))),
    said: costRemarks.join(' '),
  };
}

for (const heading of [
  'Freight Cost',
  'Cost Center',
  'Cost Code',
  'Costing Method',
  'Cost Effective Date',
  'Cost %',
  'Old Cost',
  'Total Cost',
  'Retail Price',
  'Frachtkosten',
  'Kostenstelle',
  'EK alt',
  'Coût de transport',
  'Centro de coste',
  'Custo anterior',
  'Costo spedizione',
  'Inköpsdatum',
  'Koszt dostawy',
  'Стоимость доставки',
  '旧原価',
  '成本中心',
]) {
  test(`"${heading}" is not what one costs`, () => {
    const rows = [
      [PEN, '9.00', '4.10'],
      [LAMP, '9.50', '5'],
    ];
    assert.equal(read([heading, 'Cost'], rows).column, 'Cost');
    const alone = rows.map(([code = '', cost = '']) => [code, cost]);
    assert.equal(read([heading], alone).column, null);
  });
}

for (const [what, headings, cells, currency] of [
  ['cents', ['Case Cost', 'Cost'], ['49.20', '4.10'], 'USD'],
  ['the cost of each', ['Cost Per Case', 'Cost Per Each'], ['49.20', '4.10'], 'USD'],
  ['a net price of one', ['Preis netto/Karton', 'Preis netto/Stück'], ['49,20', '4,10'], 'EUR'],
  ['camel case', ['caseCost', 'unitCost'], ['49.20', '4.10'], 'USD'],
  ['the own currency', ['Cost EUR', 'Cost USD'], ['3.80', '4.10'], 'USD'],
  ['its name', ['Cost (Euro)', 'Cost (US Dollar)'], ['3.80', '4.10'], 'USD'],
  ['the latest year', ['Cost 2025', 'Cost 2026'], ['3.80', '4.10'], 'USD'],
  ['amounts', ['Cost', 'Wholesale'], ['FIFO', '4.10'], 'USD'],
  ['a supplier price', ['Listino', 'Prezzo di acquisto'], ['9,00', '4,10'], 'EUR'],
] as const) {
  test(`of two columns the one with ${what} is taken`, () => {
    const found = read(
      headings,
      [
        [PEN, ...cells],
        [LAMP, ...cells],
      ],
      { currency },
    );
    assert.deepEqual([found.column, found.costs], [headings[1], [410, 410]]);
  });
}

for (const [cost, pack, cells, said] of [
  [
    'Case Cost',
    'Case Pack',
    ['49.20', '12'],
    /"Case Cost" are per package; they are divided by "Case Pack"/,
  ],
  ['EK/VE', 'VE', ['24,60', '6'], /divided by "VE"/],
  ['Costo ct', 'Pz/Ct', ['49,20', '12'], /divided by "Pz\/Ct"/],
  ['ケース原価', '入数', ['49.20', '12'], /divided by "入数"/],
  ['Cost per dozen', 'Note', ['49.20', 'x'], /divided by 12/],
  ['Preis netto pro 100 Stück', 'Note', ['410,00', 'x'], /divided by 100/],
  ['Carton price', 'Pack', ['49.20', '12/500ml'], /divided by "Pack"/],
] as const) {
  test(`the cost in "${cost}" is divided by what "${pack}" or the heading says, and that is said`, () => {
    const found = read(
      [cost, pack],
      [
        [PEN, ...cells],
        [LAMP, ...cells],
      ],
    );
    assert.deepEqual(found.costs, [410, 410]);
    assert.match(found.said, said);
  });
}

test('of several contents the one of the same package divides', () => {
  const headings = ['Inner Qty', 'Case Qty', 'Cases/Pallet', 'Min. order (inners)', 'Inner Cost'];
  const rows = [
    [PEN, '6', '12', '50', '5', '24.60'],
    [LAMP, '6', '12', '50', '5', '30'],
  ];
  assert.deepEqual(read(headings, rows).costs, [410, 500]);
});

test('the cost of a package without its contents is not the cost of one, and that is said', () => {
  const found = read(
    ['Case Cost'],
    [
      [PEN, '49.20'],
      [LAMP, '60'],
    ],
  );
  assert.equal(found.column, null);
  assert.match(found.said, /no column states how many pieces .* not used/);
  const gap = read(
    ['Case Cost', 'Pack'],
    [
      [PEN, '49.20', '12'],
      [LAMP, '60', '12'],
      [PEN, '60', ''],
    ],
  );
  assert.deepEqual(gap.costs, [410, 500, null]);
  assert.match(gap.problems[2] ?? '', /does not state its contents/);
});

test('codes of cases cost what a case costs', () => {
  const rows = [
    [PEN_BOX, '49.20', '4.10', '12'],
    [LAMP_BOX, '60', '5', '12'],
  ];
  const both = read(['Case Cost', 'Unit Cost', 'Case Pack'], rows, { codes: 'Case GTIN' });
  assert.deepEqual([both.column, both.costs], ['Case Cost', [4_920, 6_000]]);
  const alone = read(
    ['Unit Cost', 'Case Pack'],
    rows.map(([code = '', , ...rest]) => [code, ...rest]),
    { codes: 'Case GTIN' },
  );
  assert.deepEqual(alone.costs, [4_920, 6_000]);
  assert.match(alone.said, /multiplied by "Case Pack"/);
});

test('a cost in another currency is never one in the currency of the run, whatever says so', () => {
  for (const [headings, cells] of [
    [['Cost (EUR)'], ['4.10']],
    [['Cost €'], ['4.10']],
    [['Cost'], ['€4.10']],
    [['EK in CHF'], ['4.10']],
  ] as const) {
    const found = read(headings, [
      [PEN, ...cells],
      [LAMP, ...cells],
    ]);
    assert.equal(found.column, null);
    assert.match(found.said, /is not in USD, so its costs are not used/);
  }
  const column = read(
    ['Cost', 'Currency'],
    [
      [PEN, '4.10', 'EUR'],
      [LAMP, '5', 'USD'],
    ],
  );
  assert.deepEqual(column.costs, [null, 500]);
  assert.match(column.problems[0] ?? '', /is in EUR, not USD/);
});

test('other columns that could have the costs are named', () => {
  const { column, said } = read(
    ['Cost 1-11', 'Cost 12+'],
    [
      [PEN, '4.10', '3.90'],
      [LAMP, '5', '4'],
    ],
  );
  assert.equal(column, 'Cost 1-11');
  assert.match(said, /"Cost 12\+" could too/);
});

test('a cell that is not an amount is named with what is wrong', () => {
  const { costs, problems } = read(
    ['Cost'],
    [
      [PEN, '4.10'],
      [LAMP, '5.00-'],
      [PEN, '(5.00)'],
      [LAMP, 'tbd'],
      [PEN, '£5'],
    ],
  );
  assert.deepEqual(costs, [410, null, null, null, null]);
  assert.deepEqual(problems, [
    null,
    'is negative',
    'is negative',
    'is not an amount',
    'is in GBP, not USD',
  ]);
});

test('next to codes of pieces and of packages, a cost that says neither is used with a remark', () => {
  const found = read(
    ['EAN Karton', 'Einkaufspreis'],
    [
      [PEN, PEN_BOX, '4.10'],
      [LAMP, LAMP_BOX, '5'],
    ],
  );
  assert.deepEqual(found.costs, [410, 500]);
  assert.match(
    found.said,
    /"Einkaufspreis" does not say whether it is the cost of a piece or a package/,
  );
});

test('the number of packages in another one is not that of pieces', () => {
  const found = read(
    ['Case Cost', 'Cases/Pallet'],
    [
      [PEN, '49.20', '50'],
      [LAMP, '60', '50'],
    ],
  );
  assert.equal(found.column, null);
});
