// Weights, lengths and sizes: vectors shared with other languages, then properties.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
  readDimensions,
  readLengthIn,
  readWeightLbs,
} from '../../../src/base/listing/measures/measure.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const vectors = readFileSync(new URL('../../vectors/measures.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'));

function ofKind(kind: string): readonly (readonly string[])[] {
  const rows = vectors.filter(([first]) => first === kind);
  assert.ok(rows.length > 20, `vectors of ${kind} are there`);
  return rows;
}

test('a weight text gives pounds, a bare number those of its unit, a volume nothing', () => {
  for (const [, text = '', hint = '', value = ''] of ofKind('weight')) {
    const got = readWeightLbs(text, hint === '' ? null : hint);
    assert.equal(got, value === '' ? null : Number(value), `${text} (${hint})`);
  }
});

test('a length text gives inches', () => {
  for (const [, text = '', hint = '', value = ''] of ofKind('length')) {
    const got = readLengthIn(text, hint === '' ? null : hint);
    assert.equal(got, value === '' ? null : Number(value), `${text} (${hint})`);
  }
});

test('a size gives its sides by letter, by word, by heading, else length x width x height', () => {
  for (const [, text = '', hint = '', value = ''] of ofKind('size')) {
    const [heightIn = null, widthIn = null, lengthIn = null] = value
      .split(' ')
      .map((side) => (side === '-' ? null : Number(side)));
    const expected = value === '' ? null : { heightIn, widthIn, lengthIn };
    assert.deepEqual(
      readDimensions(text, hint === '' ? null : hint),
      expected,
      `${text} (${hint})`,
    );
  }
});

test('a number of a field is read in the unit of its field', () => {
  assert.equal(readWeightLbs(2.5, 'KGM'), 5.511557);
  assert.equal(readWeightLbs(16, 'oz'), 1);
  assert.equal(readLengthIn(2.54, 'cm'), 1);
  assert.equal(readWeightLbs(2.5), null, 'a number without a unit is not a weight');
  assert.equal(readWeightLbs(Number.NaN, 'lb'), null);
  assert.equal(readWeightLbs(Number.POSITIVE_INFINITY, 'lb'), null);
  assert.equal(readLengthIn(-3, 'in'), null);
});

test('a weight written in any unit and language comes back within one part in a thousand', () => {
  const seed = seedOf(31);
  const random = randomFrom(seed);
  const units: readonly [string, number][] = [
    ['lb', 1],
    ['pounds', 1],
    ['oz', 1 / 16],
    ['kg', 1 / 0.45359237],
    ['Kilogramm', 1 / 0.45359237],
    ['g', 1 / 453.59237],
    ['gramos', 1 / 453.59237],
    ['г', 1 / 453.59237],
  ];
  for (let round = 0; round < 5_000; round += 1) {
    const [unit, pounds] = pick(random, units);
    const tenths = 10 + integerBelow(random, 9_000);
    const comma = random() < 0.5;
    const text = `${Math.floor(tenths / 10)}${comma ? ',' : '.'}${tenths % 10} ${unit}`;
    const got = readWeightLbs(text) ?? 0;
    const expected = (tenths / 10) * pounds;
    assert.ok(Math.abs(got - expected) <= expected / 1000, `${text}: ${got}, seed ${seed}`);
  }
});

test('any text at all is read without throwing, and sides are positive', () => {
  const seed = seedOf(77);
  const random = randomFrom(seed);
  const pieces = [
    ...'0 1 2 3 4 5 6 7 8 9 . , " × - ( ) / L W H D x'.split(' '),
    ' ',
    'in',
    'cm',
    'lb',
    'oz',
    ' by ',
    '½',
    '1/2',
    'Height',
    'š',
    '\ud800',
    '\0',
    'kg',
    'Ø',
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: integerBelow(random, 20) }, () => pick(random, pieces)).join(
      '',
    );
    const size = readDimensions(text, pick(random, ['in', null]));
    const sides = size === null ? [] : [size.heightIn, size.widthIn, size.lengthIn];
    for (const value of [...sides, readWeightLbs(text), readLengthIn(text)]) {
      assert.ok(value === null || value > 0, `${JSON.stringify(text)}, seed ${seed}`);
    }
    assert.ok(size === null || sides.some((side) => side !== null));
  }
});

test('a text of any length ends in an answer', () => {
  for (const text of [
    '1 x '.repeat(50_000),
    '1,'.repeat(50_000),
    '5" '.repeat(50_000),
    'H'.repeat(1e6),
  ]) {
    readDimensions(text);
    readWeightLbs(text);
    readLengthIn(text);
  }
});
