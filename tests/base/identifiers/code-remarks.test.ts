import assert from 'node:assert/strict';
import { test } from 'node:test';

import { barcodeRemark, spreadsheetRemark } from '../../../src/base/identifiers/code-remarks.ts';
import { parseIdentifier } from '../../../src/base/identifiers/parse-identifier.ts';

test('what a spreadsheet did to a code is named, with what to send', () => {
  for (const [text, said] of [
    ['6.14141E+11', /last digits are lost/],
    ['6,14141e11', /last digits are lost/],
    ['="614141000005"', /send 614141000005/],
    ["'614141000005", /send 614141000005/],
    ['614141000005.0', /send 614141000005/],
  ] as const) {
    assert.match(spreadsheetRemark(text), said, text);
    const parsed = parseIdentifier(text);
    assert.ok(!parsed.ok && said.test(parsed.fault.detail), text);
    assert.doesNotMatch(parsed.fault.detail, /Accepted are/, 'the cause is not hidden by a list');
  }
  for (const text of [
    '',
    'lamp',
    '614141000005',
    '1e',
    `"${'1'.repeat(60)}"`,
    '3.5',
    'B010000001',
  ]) {
    assert.equal(spreadsheetRemark(text), '', text);
  }
});

test('the 404 of unknown digits says which barcode they could be', () => {
  assert.match(barcodeRemark('614141000006'), /check digit would be 5/);
  assert.equal(barcodeRemark('614141000005'), '');
  assert.match(barcodeRemark('61414100000'), /the check digit is missing \(614141000005\)/);
  assert.match(barcodeRemark('12345678905'), /its leading zero may be lost \(012345678905\)/);
  for (const text of ['1234567', '1234567890', 'B010000001', ''])
    assert.equal(barcodeRemark(text), '');
});

test('a code with a right check digit that belongs to no product says of which range it is', () => {
  for (const [digits, said] of [
    ['212345678909', /restricted-circulation number/],
    ['512345678900', /coupon code/],
    ['012345678905', /placeholder/],
    ['000000000000', /placeholder/],
    ['21234569', /restricted-circulation number/],
  ] as const) {
    assert.match(barcodeRemark(digits), said, digits);
  }
  // A UPC-E, although the same digits also form an EAN-8.
  assert.equal(barcodeRemark('02123455'), '');
});
