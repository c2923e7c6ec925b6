import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readCsvLine, writeCsvLine } from '../../../src/answer/wire/history/csv-line.ts';
import {
  entryLine,
  headerLine,
  readEntry,
  readFields,
  readHeader,
  type Layout,
} from '../../../src/answer/wire/history/history-file.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import type { GivenEntry } from '../../../src/rules/history/given-entry.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

test('cells that are written are read back, whatever they hold but line ends', () => {
  const seed = seedOf(41);
  const random = randomFrom(seed);
  const letters = ['a', ',', '"', ' ', ';', 'é', '\t', '1'];
  for (let round = 0; round < 2_000; round += 1) {
    const cells = Array.from({ length: 1 + integerBelow(random, 5) }, () =>
      Array.from({ length: integerBelow(random, 6) }, () => pick(random, letters)).join(''),
    );
    const line = writeCsvLine(cells);
    // One empty cell and an empty line are the same text.
    assert.deepEqual(readCsvLine(line, ','), cells.length === 0 ? [''] : cells, `seed ${seed}`);
  }
});

const LINES: readonly (readonly [line: string, cells: readonly string[] | null])[] = [
  ['a,b', ['a', 'b']],
  ['a,', ['a', '']],
  [',', ['', '']],
  ['"a,b",c', ['a,b', 'c']],
  ['"say ""hi""",x', ['say "hi"', 'x']],
  ['"",""', ['', '']],
  ['"a', null],
  ['"a"b,c', null],
  ['a"b,c', ['a"b', 'c']],
];

for (const [line, cells] of LINES) {
  test(`the line ${line} is ${cells === null ? 'refused' : `${cells.length} cells`}`, () => {
    assert.deepEqual(readCsvLine(line, ','), cells);
  });
}

const HEADERS: readonly (readonly [line: string, outcome: RegExp | string])[] = [
  ['gtin,retailer,observed_at,in_stock', ','],
  ['GTIN; Retailer ;Observed_At;price;currency', ';'],
  ['url\tobserved_at', '\t'],
  ['gtin,price,currency', /observed_at/],
  ['observed_at,price,currency', /retailer_id, url, gtin/],
  ['gtin,observed_at,gtin', /twice/],
  ['gtin,observed_at,price', /currency/],
  ['a,b,c', /none of the columns/],
  ['', /none of the columns/],
];

for (const [line, outcome] of HEADERS) {
  test(`the first line ${JSON.stringify(line)} gives ${String(outcome)}`, () => {
    const header = readHeader(line, true);
    if (typeof outcome === 'string') {
      assert.ok(header.ok && header.value.layout.format === 'csv');
      assert.equal(header.value.layout.separator, outcome);
    } else {
      assert.ok(!header.ok);
      assert.match(header.why, outcome);
    }
  });
}

test('columns that are not ours are named', () => {
  const header = readHeader('gtin,colour,observed_at,Notes', true);
  assert.ok(header.ok);
  assert.deepEqual(header.value.ignored, ['colour', 'Notes']);
});

const CSV: Layout = {
  format: 'csv',
  separator: ',',
  columns: ['gtin', 'observed_at', 'price', 'currency', 'in_stock'],
};

function read(line: string, layout: Layout = CSV, currency: string | null = null) {
  const fields = readFields(line, layout);
  return fields.ok ? readEntry(fields.value, { currency, nowMs: NOW }) : fields;
}

const GOOD: readonly (readonly [line: string, part: Partial<GivenEntry>])[] = [
  ['1,2026-05-04,19.9,USD,true', { price: { cents: 1_990, currency: 'USD' }, inStock: true }],
  ['1,2026-05-04,19,usd,0', { price: { cents: 1_900, currency: 'USD' }, inStock: false }],
  ['1,2026-05-04,0.01,EUR,', { price: { cents: 1, currency: 'EUR' }, inStock: null }],
  ['1,2026-05-04,5,,NO', { price: { cents: 500, currency: null }, inStock: false }],
  ['1,2026-05-04,,,', { price: null, inStock: null, observedAtMs: Date.UTC(2026, 4, 4) }],
  ['1,2026-05-04T10:00Z,,,', { observedAtMs: Date.UTC(2026, 4, 4, 10) }],
  ['1,2026-05-04 10:00:30+02:00,,,', { observedAtMs: Date.UTC(2026, 4, 4, 8, 0, 30) }],
  ['1,2026-05-04T10:00:30.25-0530,,,', { observedAtMs: Date.UTC(2026, 4, 4, 15, 30, 30, 250) }],
  ['1,2024-02-29,,,', { observedAtMs: Date.UTC(2024, 1, 29) }],
  ['1,1970-01-01,,,', { observedAtMs: 0 }],
  ['1,2026-11-21T11:59Z,,,', {}],
  ['1,2026-05-04,1980,JPY,', { price: { cents: 1_980, currency: 'JPY' } }],
  ['1,2026-05-04,1980.00,JPY,', { price: { cents: 1_980, currency: 'JPY' } }],
  ['1,2026-05-04,4.567,KWD,', { price: { cents: 4_567, currency: 'KWD' } }],
  ['1,2026-05-04,4.5,KWD,', { price: { cents: 4_500, currency: 'KWD' } }],
  ['1,2026-05-04,12.3456,CLF,', { price: { cents: 123_456, currency: 'CLF' } }],
  [
    '1,2026-05-04,9999999999999.99,JPY,1',
    { price: { cents: 10_000_000_000_000, currency: 'JPY' } },
  ],
];

for (const [line, part] of GOOD) {
  test(`the line ${line} is an entry`, () => {
    const entry = read(line);
    assert.ok(entry.ok, entry.ok ? '' : entry.why);
    assert.deepEqual({ ...entry.value, ...part }, entry.value);
  });
}

const BAD: readonly (readonly [line: string, why: RegExp])[] = [
  [',2026-05-04,1,USD,', /no retailer_id, url or gtin/],
  ['1,,1,USD,', /no observed_at/],
  ['1,yesterday,1,USD,', /observed_at "yesterday"/],
  ['1,2026-02-30,1,USD,', /observed_at/],
  ['1,2026-13-01,1,USD,', /observed_at/],
  ['1,2026-05-04T25:00Z,1,USD,', /observed_at/],
  ['1,2026-05-04T10:00,1,USD,', /time zone/],
  ['1,1969-12-31,1,USD,', /before 1970/],
  ['1,2026-11-22,1,USD,', /future/],
  ['1,2026-05-04,"1,99",USD,', /price/],
  ['1,2026-05-04,$1.99,USD,', /price/],
  ['1,2026-05-04,-1,USD,', /price/],
  ['1,2026-05-04,1.999,USD,', /price/],
  ['1,2026-05-04,0.00,USD,', /price 0/],
  ['1,2026-05-04,0.4,JPY,', /price 0/],
  ['1,2026-05-04,4.5671,KWD,', /price/],
  ['1,2026-05-04,1.999,,', /price/],
  ['1,2026-05-04,9999999999999.999,KWD,', /too large/],
  ['1,2026-05-04,12345678901234,USD,', /price/],
  ['1,2026-05-04,1,DOLLAR,', /currency/],
  ['1,2026-05-04,1,USD,maybe', /in_stock/],
  ['1,2026-05-04,1,USD,true,more', /6 cells/],
];

for (const [line, why] of BAD) {
  test(`the line ${line} is refused with its reason`, () => {
    const entry = read(line);
    assert.ok(!entry.ok);
    assert.match(entry.why, why);
  });
}

test('a currency that is given for the file fills in where a row has none', () => {
  const entry = read('1,2026-05-04,5,,', CSV, 'GBP');
  assert.ok(entry.ok);
  assert.deepEqual(entry.value.price, { cents: 500, currency: 'GBP' });
});

const JSON_LINES: readonly (readonly [line: string, outcome: RegExp | Partial<GivenEntry>])[] = [
  [
    '{"gtin":"1","observed_at":"2026-05-04","price":19.99,"currency":"USD","in_stock":false}',
    { price: { cents: 1_999, currency: 'USD' }, inStock: false },
  ],
  ['{"url":"x","observed_at":"2026-05-04","price":5,"currency":null,"more":{}}', {}],
  ['{"gtin":4006381333931,"observed_at":"2026-05-04"}', { gtin: '4006381333931' }],
  ['{"gtin":"1","observed_at":"2026-05-04","price":5}', /without a currency/],
  ['{"gtin":["1"],"observed_at":"2026-05-04"}', /gtin must be a string/],
  ['[1]', /not a JSON object/],
  ['null', /not a JSON object/],
  ['{"gtin":', /not valid JSON/],
];

for (const [line, outcome] of JSON_LINES) {
  test(`the JSON line ${line} is ${outcome instanceof RegExp ? 'refused' : 'an entry'}`, () => {
    const entry = read(line, { format: 'jsonl', needsCurrency: true });
    if (outcome instanceof RegExp) {
      assert.ok(!entry.ok);
      assert.match(entry.why, outcome);
    } else {
      assert.ok(entry.ok, entry.ok ? '' : entry.why);
      assert.deepEqual({ ...entry.value, ...outcome }, entry.value);
    }
  });
}

test('an entry that is written is read back the same in both formats, and no line breaks the reader', () => {
  const seed = seedOf(42);
  const random = randomFrom(seed);
  const header = readHeader(headerLine('csv') ?? '', true);
  assert.ok(header.ok);
  for (let round = 0; round < 3_000; round += 1) {
    const entry: GivenEntry = {
      retailer: pick(random, ['retailer_w', 'acorn', null]),
      retailerId: pick(random, ['123456', 'epid:7', null]),
      url: pick(random, ['https://shop.example.com/a?b="c,d"&e', null]),
      gtin: '04006381333931',
      observedAtMs: integerBelow(random, NOW),
      price: pick(random, [
        null,
        { cents: 1 + integerBelow(random, 10 ** 15), currency: pick(random, ['USD', 'KWD', null]) },
      ]),
      inStock: pick(random, [true, false, null]),
    };
    for (const [format, layout] of [
      ['csv', header.value.layout],
      ['jsonl', { format: 'jsonl', needsCurrency: true }],
    ] as const) {
      const line = entryLine(entry, format);
      const again = read(line, layout);
      assert.ok(again.ok, `seed ${seed}: ${line}`);
      assert.deepEqual(again.value, entry, `seed ${seed}: ${line}`);
      const at = integerBelow(random, line.length);
      const spoilt =
        line.slice(0, at) + pick(random, ['"', ',', '\0', '{', '']) + line.slice(at + 1);
      assert.equal(typeof read(spoilt, layout).ok, 'boolean');
    }
  }
});
