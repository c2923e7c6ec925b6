// Check digits, ISBN conversions and UPC-E against published rows (tests/vectors).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gs1CheckDigit,
  hasGs1CheckDigit,
  isbn10FromSbn,
  isbn13FromIsbn10,
  isIsbn10,
  isIsbn13,
  upcAFromUpcE,
} from '../../../src/base/identifiers/check-digit.ts';
import { vectorRows } from '../../support/vectors.ts';

test('published codes have the GS1 check digit, and no other last digit has', () => {
  for (const [code = '', gtin14 = ''] of vectorRows('gtin_valid.tsv', 2)) {
    assert.ok(hasGs1CheckDigit(gtin14), code);
    for (let digit = 0; digit < 10; digit += 1) {
      const changed = gtin14.slice(0, -1) + String(digit);
      assert.equal(hasGs1CheckDigit(changed), changed === gtin14, changed);
    }
  }
});

test('zeros in front never change a GS1 check digit', () => {
  assert.equal(gs1CheckDigit('4549659016'), '1');
  assert.equal(gs1CheckDigit('0000004549659016'), '1');
});

test('a check digit is computed over digits only, and a lone digit has none', () => {
  for (const body of ['', '12a', '１２３', '-1', '1'.repeat(65)]) {
    assert.throws(() => gs1CheckDigit(body), RangeError, body);
    assert.equal(hasGs1CheckDigit(body), false);
  }
  assert.equal(hasGs1CheckDigit('0'), false);
});

test('an ISBN-10 turns into its ISBN-13', () => {
  for (const [isbn10 = '', isbn13 = ''] of vectorRows('isbn_valid.tsv', 2)) {
    assert.ok(isIsbn13(isbn13), isbn13);
    if (isbn10 === '-') continue;
    assert.ok(isIsbn10(isbn10), isbn10);
    assert.equal(isbn13FromIsbn10(isbn10), isbn13);
  }
});

test('what is no ISBN has no conversion', () => {
  for (const [code = '', why] of vectorRows('isbn_invalid.tsv', 2)) {
    assert.equal(isIsbn10(code), false, `${code}: ${why}`);
    assert.equal(isIsbn13(code), false, `${code}: ${why}`);
    assert.equal(isbn13FromIsbn10(code), null, code);
  }
});

test('a nine-digit SBN is an ISBN-10 with a zero in front', () => {
  assert.equal(isbn10FromSbn('123456789'), '0123456789');
  assert.equal(isbn10FromSbn('851526291'), null);
  assert.equal(isbn10FromSbn('12345678'), null);
});

test('a UPC-E expands by its last digit but one, and carries the check digit of the UPC-A', () => {
  for (const [upcE = '', upcA = ''] of vectorRows('upce.tsv', 2)) {
    assert.equal(upcAFromUpcE(upcE), upcA === '-' ? null : upcA, upcE);
  }
});
