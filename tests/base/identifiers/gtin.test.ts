// One normal form of every barcode, GS1 prefixes, wire forms and barcode texts of pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  productCode,
  readGtin,
  readGtinWithLostZero,
  sameBaseUnit,
  toGtin14,
  wireForms,
  type BarcodeField,
  type Gtin14,
} from '../../../src/base/identifiers/gtin.ts';
import { gs1CheckDigit } from '../../../src/base/identifiers/check-digit.ts';
import { vectorRows, vectorRowsWithSpaces } from '../../support/vectors.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function gtin(text: string): Gtin14 {
  return toGtin14(text) ?? assert.fail(`${text} is no GTIN`);
}

test('codes of every length have one normal form, and name a product', () => {
  for (const [code = '', gtin14] of vectorRows('gtin_valid.tsv', 2)) {
    assert.equal(toGtin14(code), gtin14, code);
    assert.deepEqual(productCode(gtin(code)), { usable: true }, code);
    assert.equal(readGtin(code), gtin14, code);
  }
});

test('other lengths, other characters and wrong check digits have no normal form', () => {
  for (const [code = '', why] of vectorRows('gtin_invalid.tsv', 2)) {
    assert.equal(toGtin14(code), null, `${code}: ${why}`);
    assert.equal(readGtin(code), null, `${code}: ${why}`);
  }
});

test('restricted, coupon and filler codes are not product codes, and no page confirms them', () => {
  for (const [code = '', why] of vectorRows('gtin_restricted.tsv', 2)) {
    assert.deepEqual(productCode(gtin(code)), { usable: false, why }, code);
    assert.equal(readGtin(code), null, code);
  }
});

test('a UPC-E has the normal form of its UPC-A, only where it is asked for', () => {
  for (const [upcE = '', upcA = ''] of vectorRows('upce.tsv', 2)) {
    const expected = upcA === '-' ? null : toGtin14(upcA);
    if (upcE.length === 8) assert.equal(toGtin14(upcE, { upcE: true }), expected, upcE);
  }
  assert.equal(toGtin14('01234514'), null);
  assert.equal(toGtin14('045496590161', { upcE: true }), '00045496590161');
});

test('the forms of the record follow from the code alone', () => {
  const table: readonly [string, string | null, string | null, string | null][] = [
    ['045496590161', '045496590161', '0045496590161', null],
    ['00045496590161', '045496590161', '0045496590161', null],
    ['73513537', '000073513537', '0000073513537', null],
    ['7501031311309', null, '7501031311309', null],
    ['9780471117094', null, '9780471117094', '9780471117094'],
    ['9791843123391', null, '9791843123391', '9791843123391'],
    ['9790035236338', null, '9790035236338', null],
    ['9770024931000', null, '9770024931000', null],
    ['10614141000033', null, null, null],
    ['19780471117091', null, null, null],
  ];
  for (const [code, upc, ean, isbn] of table) {
    assert.deepEqual(wireForms(gtin(code)), { upc, ean, isbn, gtin: gtin(code) }, code);
  }
});

test('packaging levels share the base unit, whose check digit differs', () => {
  const unit = gtin('0614141000036');
  for (const code of ['10614141000033', '20614141000030', '80614141000032', '90614141000039']) {
    assert.ok(sameBaseUnit(unit, gtin(code)), code);
    assert.notEqual(unit, gtin(code));
  }
  assert.ok(sameBaseUnit(unit, unit));
  assert.ok(sameBaseUnit(gtin('045496590161'), gtin('10045496590168')));
  assert.ok(!sameBaseUnit(unit, gtin('10045496590168')));
});

test('a barcode is read out of the text of a page, and nothing is made of other texts', () => {
  for (const row of vectorRowsWithSpaces('barcode_texts.tsv', 4)) {
    const [text = '', field = '', plain, withZero] = row;
    assert.equal(readGtin(text, field as BarcodeField) ?? '-', plain, JSON.stringify(row));
    const padded = readGtinWithLostZero(text, field as BarcodeField);
    assert.equal(padded ?? '-', withZero, JSON.stringify(row));
  }
});

test('every code is read after every label, whatever digits it begins with', () => {
  for (const label of ['UPC: ', 'upc:', 'Barcode ', 'GTIN ', 'EAN: ', 'UPC-12: ', 'GTIN-12 ', '']) {
    for (let prefix = 10; prefix < 20; prefix += 1) {
      const digits = `${prefix}598535220`;
      const code = `${digits}${gs1CheckDigit(digits)}`;
      assert.equal(readGtin(`${label}${code}`, 'gtin'), `00${code}`, `${label}${code}`);
    }
  }
});

test('long texts are refused in time that does not grow with a power of their length', () => {
  const started = cpuMs();
  for (const unit of ['gtin', 'no ', '-', '(', '1', 'upc-', ' ', 'number id ']) {
    const text = unit.repeat(200_000 / unit.length);
    assert.equal(readGtin(text), null);
    assert.equal(readGtinWithLostZero(text.slice(0, 100)), null);
    assert.equal(toGtin14(text), null);
  }
  assert.ok(cpuMs() - started < 1000);
});
