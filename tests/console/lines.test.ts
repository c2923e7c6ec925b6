// What the console makes of a pasted line: an identifier and a cost.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isSheet, readLines, watchLines } from '../../console/amounts.js';

const LAMP = 'https://shop.example.com/p/lamp';

for (const [line, id, cost] of [
  ['614141000005,6', '614141000005', 6],
  ['614141000005\t$7.50', '614141000005', 7.5],
  ['614141000005; 7,50', '614141000005', 7.5],
  ['614141000005\t.75', '614141000005', 0.75],
  ['614141000005; ,5', '614141000005', 0.5],
  [`${LAMP},123`, `${LAMP},123`, null],
  [`${LAMP},1,23`, `${LAMP},1,23`, null],
  [`${LAMP},123, 5`, `${LAMP},123`, 5],
  [`${LAMP},123\t5`, `${LAMP},123`, 5],
  [`${LAMP},5.50`, LAMP, 5.5],
  [`${LAMP},$5`, LAMP, 5],
  [`${LAMP};5`, LAMP, 5],
  [`"${LAMP},123"`, `${LAMP},123`, null],
  [`"${LAMP},123",5`, `${LAMP},123`, 5],
] as const) {
  test(`“${line}” is ${id}${cost === null ? '' : `, and costs ${cost}`}`, () => {
    assert.deepEqual(readLines(line), [{ id, cost }]);
  });
}

for (const [typed, id] of [
  ['shop.example.com/p/lamp', LAMP],
  ['WWW.shop.example', 'https://WWW.shop.example'],
  ['лавка.example/товар/1', 'https://лавка.example/товар/1'],
  ['id.gs1.org/01/09506000134352', 'https://id.gs1.org/01/09506000134352'],
  // None of these is an address without its scheme.
  ['shop.example', 'shop.example'],
  ['12.50/kg', '12.50/kg'],
  ['AB-12/XY.net', 'AB-12/XY.net'],
  ['coffee maker v2.de/luxe', 'coffee maker v2.de/luxe'],
  ['(01)09506000134352(10)A.BC/D', '(01)09506000134352(10)A.BC/D'],
  ['ftp://shop.example/p', 'ftp://shop.example/p'],
] as const) {
  test(`an address without its beginning is one, and nothing else becomes one: “${typed}”`, () => {
    assert.deepEqual(readLines(typed), [{ id, cost: null }]);
  });
}

test('a typed address keeps its own comma and digits, and what it costs', () => {
  assert.deepEqual(readLines('shop.example.com/p/lamp,123, 5'), [{ id: `${LAMP},123`, cost: 5 }]);
});

test('an amount with points between thousands and a decimal comma is what one costs', () => {
  assert.deepEqual(readLines('614141000036;1.234,50'), [{ id: '614141000036', cost: 1234.5 }]);
});

for (const [text, isOne] of [
  ['UPC\tCost\n614141000005\t4.10', true],
  ['Case UPC\tUPC\tCost\n10614141000002\t614141000005\t4.10', true],
  ['Tray\t614141000005\t4.10\nJars\t614141000760\t5', true],
  ['EAN;EK netto\n4006381333931;4,10', true],
  ['Barcode\n614141000005', true],
  ['Штрихкод\tЦена\n4006381333931\t4,10', true],
  ['614141000005\t4.10\n614141000760\t5', false],
  ['614141000005, 4.10\n614141000760, 5', false],
  ['614141000005', false],
  ['https://shop.example/lamp\n614141000005', false],
  ['B0ABCDEF01\n614141000005', false],
] as const) {
  test(`a pasted text is ${isOne ? 'a sheet, whose columns the service chooses' : 'a list'}: ${JSON.stringify(text)}`, () => {
    assert.equal(isSheet(text), isOne);
  });
}

for (const [line, pages, below] of [
  [`${LAMP}, 70`, [LAMP], 70],
  [`${LAMP} https://other.example/2; 12,50`, [LAMP, 'https://other.example/2'], 12.5],
  [`${LAMP}, https://other.example/2, 70`, [LAMP, 'https://other.example/2'], 70],
  ['614141000005, 70', ['614141000005'], 70],
  [`${LAMP},70`, [`${LAMP},70`], null],
  ['no address at all', ['no address at all'], null],
] as const) {
  test(`“${line}” watches ${pages.length} and ${below === null ? 'has no target' : `below ${below}`}`, () => {
    assert.deepEqual(watchLines(line), [{ pages, below }]);
  });
}
