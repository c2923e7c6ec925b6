// Codes in exponent form: one with all its digits is the code, and one that has lost digits is said to.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { gs1CheckDigit } from '../../../src/base/identifiers/check-digit.ts';
import { readGtin } from '../../../src/base/identifiers/gtin.ts';
import { exponentForm } from '../../../src/base/identifiers/exponent-form.ts';
import { parseIdentifier } from '../../../src/base/identifiers/parse-identifier.ts';
import { repairCode } from '../../../src/edge/sheets/repair-code.ts';
import { randomFrom, seedOf } from '../../support/random.ts';

const WHOLE = [
  ['6.14141000005E+11', '614141000005'],
  ['6,14141000005E+11', '614141000005'],
  ['6.14141000005e+11', '614141000005'],
  ['6.14141000005E11', '614141000005'],
  ['+6.14141000005E+11', '614141000005'],
  ['6.14141000005E+011', '614141000005'],
  ['6.14141000005E 11', '614141000005'],
  ['614.141000005E+9', '614141000005'],
  ['0.614141000005E+12', '614141000005'],
  ['614141000005E+0', '614141000005'],
  ['6.14141000005000E+11', '614141000005'],
  ['EAN: 4.006381333931E+12', '4006381333931'],
  ['9.780306406157E12', '9780306406157'],
  ['1.0614141000002E+13', '10614141000002'],
  ['9.6385074E7', '96385074'],
  // A program that writes the shortest text left out the final zeros.
  ['6.1414100076E11', '614141000760'],
] as const;

const LOST = [
  '6.14141E+11',
  '6,1414E+11',
  '6.1414E11',
  '614.14E+9',
  '6.1414100076E+11',
  '614141E+06',
  '6E+11',
  '1.23457E+17',
  '4.00638E+012',
  '4,00638E 12',
  '\uff16.\uff11\uff14\uff25\uff0b\uff11\uff11',
  'UPC 6.14E+11',
] as const;

const NEITHER = ['6.14141E+3', '3.06E-11', '1E3', '6.14E+99', '0E+11', '6.1.4E+11', '6141410E11'];

for (const [text, code] of WHOLE) {
  test(`${text} has all digits of ${code}, in a sheet and on a page too`, () => {
    assert.equal(readGtin(text), readGtin(code));
    const [written, plain] = [parseIdentifier(text), parseIdentifier(code)];
    assert.ok(written.ok && plain.ok, text);
    const gtinOf = ({ identifiers }: typeof plain) =>
      identifiers.find((each) => 'gtin14' in each)?.gtin14;
    assert.equal(gtinOf(written), gtinOf(plain));
    const { text: mended, isLost } = repairCode(text.replace('EAN: ', ''), true);
    assert.deepEqual([mended, isLost], [code, false]);
  });
}

for (const text of LOST) {
  test(`${text} is said to have lost digits, in a sheet too; on a page it is no barcode`, () => {
    assert.equal(readGtin(text), null);
    const parsed = parseIdentifier(text);
    assert.ok(!parsed.ok);
    assert.match(parsed.fault.detail, /last digits are lost\. Format the column as text/);
    const { note, isLost } = repairCode(text.replace('UPC ', ''), true);
    assert.ok(isLost);
    assert.match(note ?? '', /last digits are lost/);
  });
}

test('other numbers in exponent form have no lost digits, and a product id keeps its E', () => {
  for (const text of NEITHER) {
    const parsed = parseIdentifier(text);
    assert.doesNotMatch(parsed.ok ? '' : parsed.fault.detail, /lost/, text);
  }
});

test('the message about a mistyped code in exponent form states its check digit', () => {
  const parsed = parseIdentifier('4.006381333932E+12');
  assert.match(parsed.ok ? '' : parsed.fault.detail, /check digit of 4006381333932 is wrong/);
});

test('a lost zero in front is put back in a column of barcodes', () => {
  assert.equal(repairCode('3.6000291452E+10', true).text, '036000291452');
});

test('every code that JavaScript writes with all its decimals is read; with fewer, digits are lost', () => {
  const seed = seedOf(11);
  const random = randomFrom(seed);
  for (let round = 0; round < 500; round += 1) {
    const length = [12, 13, 14][round % 3] ?? 12;
    const body = String(Math.floor((0.1 + 0.9 * random()) * 10 ** (length - 1)));
    const code = body + gs1CheckDigit(body);
    for (let decimals = 0; decimals < 16; decimals += 1) {
      const found = exponentForm(Number(code).toExponential(decimals));
      const isWhole = decimals >= code.length - 1;
      assert.deepEqual(found, isWhole ? { kind: 'whole', code } : { kind: 'lost' }, `seed ${seed}`);
    }
  }
});
