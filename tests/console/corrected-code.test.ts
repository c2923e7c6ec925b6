// What a person who mistyped a barcode is offered: a valid code, or nothing if it is valid already.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { correctedCodes } from '../../console/corrected-code.js';
import { hasGs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';

const codesOf = (asked: string) => correctedCodes(asked).map(({ code }) => code);

test('digits whose last one does not fit are offered with the one that does', () => {
  assert.deepEqual(codesOf('614141000006'), ['614141000005']);
  assert.deepEqual(codesOf('6 14141 00000-6'), ['614141000005']);
  assert.deepEqual(codesOf('9506000134359'), ['9506000134352']);
});

test('eleven digits are offered with the zero that was lost, where that makes them a barcode', () => {
  assert.deepEqual(codesOf('36000291452'), ['036000291452']);
  assert.deepEqual(codesOf('36000291453'), []);
});

test('a barcode, and digits of another length, are offered nothing', () => {
  for (const asked of ['614141000005', '9506000134352', '12345678', '1234567890', '01234567890128'])
    assert.deepEqual(codesOf(asked), [], asked);
});

test('what is offered is a barcode for the service too', () => {
  for (let at = 0; at < 200; at += 1) {
    const digits = String(100_000_000_000 + at * 7_919_317);
    for (const code of codesOf(digits)) assert.ok(hasGs1CheckDigit(code), `${digits}: ${code}`);
  }
});
