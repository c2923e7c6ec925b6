// The console explains a code as the terminal does, and a field or failure in plain words.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { knowShops, underHosts } from '../../console/format.js';
import { sentencesOf, stepsToFind } from '../../console/problem-box.js';
import {
  conditionWords,
  differenceWords,
  identityOf,
  stateOf,
  warningWords,
} from '../../console/words.js';
import { WARNINGS, WARNING_WORDS } from '../../src/rules/product/warnings.ts';
import type { ProductRecord } from '../../src/answer/wire/record/product-record.ts';

type Cell = NonNullable<ProductRecord['cross_retailer']>[string];

const GTIN = '00614141000005';

function cellWith(identity: Partial<NonNullable<Cell['identity']>>): Cell {
  const whole = { state: 'unconfirmed', method: null, page_barcode: null, disputed: null };
  const freshness = { refreshed_at: '2026-11-26T10:00:00Z' };
  return {
    retailer: 'retailer_a',
    status: 'ok',
    in_stock: true,
    identity: { ...whole, note: 'What the service notes.', ...identity },
    _freshness: freshness,
  } as Cell;
}

test('the terminal and the console have the same words for a warning', () => {
  for (const each of WARNINGS) assert.equal(warningWords(each), WARNING_WORDS[each]);
});

for (const [detail, words] of [
  ['pack_count none stated vs 3', 'Pack count: this shop states 3, the other shops state none.'],
  ['colour red vs none stated', 'Colour: this shop states none, the other shops state red.'],
  ['model QX700 vs QX750', 'Model: this shop states QX750, the other shops state QX700.'],
  ['"ear pads" is made for "qx700"', '"ear pads" is made for "qx700".'],
  ['', 'The other shops describe another product.'],
] as const) {
  test(`what a listing is contradicted in is said with who says it: “${detail}”`, () => {
    assert.equal(differenceWords(detail), words);
  });
}

test('a shop whose page prints the barcode is likely; one with the code of a case of it is not', () => {
  const own = cellWith({ page_barcode: GTIN });
  const ofCase = cellWith({ page_barcode: '10614141000002' });
  assert.equal(identityOf(own, GTIN), 'Likely: its page prints the barcode');
  assert.equal(identityOf(ofCase, GTIN), 'Perhaps, not proven');
  assert.deepEqual(
    [own, ofCase].map((cell) => stateOf(cell, false, GTIN).help),
    ['', 'What the service notes.'],
  );
});

test('another product’s barcode stands as its package has it, once', () => {
  for (const [code, printed] of [
    ['00012345500213', '012345500213'],
    ['04006381333931', '4006381333931'],
    ['10614141000002', '10614141000002'],
  ] as const) {
    const { help } = stateOf(cellWith({ state: 'mismatch', page_barcode: code }));
    assert.equal(help, `Its page states the barcode ${printed}, so its price does not count.`);
  }
});

test('a failure is shown with a line for each of its sentences, with the shops’ names', () => {
  knowShops({ retailer_w: 'w.example', retailer_a: 'a.example' });
  const detail = 'Nobody has it. Nothing found: retailer_w, retailer_a. Not queried: retailer_t.';
  assert.deepEqual(sentencesOf(underHosts(detail)), [
    'Nobody has it.',
    'Nothing found: w.example, a.example.',
    'Not queried: retailer_t.',
  ]);
});

test('the page says what to try for digits that were not found; an address has no digits to compare', () => {
  for (const digits of ['4006381333931', '4 006381 333931', '978-3-16-148410-0']) {
    assert.equal(
      stepsToFind('not_found', digits)[0],
      'Compare the digits with those on the package.',
      digits,
    );
  }
  for (const other of ['https://shop.example/p/4006381333931', 'B010000001', '']) {
    assert.deepEqual(stepsToFind('not_found', other), [], other);
  }
});

test('for a product’s name the page asks for its number or address; a mistyped code has its own words', () => {
  for (const name of ['coffee maker', 'iPhone 15 Pro Max', 'žehlička']) {
    assert.equal(
      stepsToFind('invalid_identifier', name)[0],
      'Type the number below the bars on the package: names are not searched.',
      name,
    );
  }
  for (const code of ['61414100000A', 'osk_12345678']) {
    assert.deepEqual(stepsToFind('invalid_identifier', code), [], code);
  }
});

test('who mistyped the last digit is offered the barcode that the others make', () => {
  for (const code of ['not_found', 'invalid_identifier'])
    assert.deepEqual(stepsToFind(code, '9506000134359')[1], {
      code: '9506000134352',
      when: 'if only the last digit is wrong',
    });
});

test('the condition of used goods is read without the marks of a code', () => {
  assert.deepEqual(['used_very_good', 'new', null].map(conditionWords), [
    'used very good',
    'new',
    '',
  ]);
});
