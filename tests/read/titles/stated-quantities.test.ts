// Quantities in titles and lines: the table shared with other languages, units compared with each other, properties.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { statedQuantities } from '../../../src/read/titles/stated-quantities.ts';
import type { StatedQuantity } from '../../../src/read/titles/stated-quantities.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const vectors = readFileSync(new URL('../../vectors/quantities.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split('\t'));

const UNITS = { weight: 'lb', volume: 'ml', length: 'in', dimensions: 'in', capacity: 'GB' };

type Wanted = { readonly kind: string; readonly values: readonly number[] };

function wantedOf(text: string): readonly Wanted[] {
  return text
    .split(';')
    .filter((part) => part !== '')
    .map((part) => {
      const [kind = '', ...values] = part.split(' ');
      return { kind, values: values.map(Number) };
    });
}

function isNear(wanted: readonly number[], got: readonly number[]): boolean {
  return (
    wanted.length === got.length &&
    wanted.every((value, index) => Math.abs(value - (got[index] ?? 0)) <= value * 1e-5)
  );
}

test('a title or line gives its quantities in one unit each, a decoy nothing', () => {
  assert.ok(vectors.length > 85, 'the vector file is there');
  for (const [text = '', expected = ''] of vectors) {
    const wanted = wantedOf(expected);
    const got = statedQuantities(text);
    const shown = `${text}: ${JSON.stringify(got)}`;
    assert.equal(got.length, wanted.length, shown);
    for (const [index, { kind, values }] of wanted.entries()) {
      const each: StatedQuantity | undefined = got[index];
      assert.equal(each?.kind, kind, shown);
      assert.ok(isNear(values, [each?.value ?? []].flat()), shown);
    }
  }
});

test('every kind of quantity has its one unit', () => {
  for (const [text = ''] of vectors) {
    for (const { kind, unit } of statedQuantities(text)) assert.equal(unit, UNITS[kind], text);
  }
});

test('the same quantity in another unit is the same quantity, and said twice it is one', (t) => {
  const seed = seedOf(43);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pairs: readonly (readonly [string, (value: number) => string, number])[] = [
    ['lb', (value) => `${value} kg`, 0.45359237],
    ['oz', (value) => `${value} g`, 28.349523125],
    ['gal', (value) => `${value} L`, 3.785411784],
    ['fl oz', (value) => `${value} ml`, 29.5735295625],
    ['in', (value) => `${value} cm`, 2.54],
    ['ft', (value) => `${value} mm`, 304.8],
    ['TB', (value) => `${value} GB`, 1000],
  ];
  for (let round = 0; round < 3_000; round += 1) {
    const value = (11 + integerBelow(random, 900)) / 10;
    const [unit, other, factor] = pick(random, pairs);
    const left = `Thing ${value} ${unit}`;
    const right = `Thing ${other(Number((value * factor).toFixed(4)))}`;
    const [a, b] = [statedQuantities(left), statedQuantities(right)];
    const shown = `${left} / ${right}, seed ${seed}`;
    assert.equal(a.length, 1, shown);
    assert.equal(a[0]?.kind, b[0]?.kind, shown);
    assert.ok(Math.abs(Number(a[0]?.value) / Number(b[0]?.value) - 1) < 0.002, shown);
    const both = statedQuantities(
      `Thing ${value} ${unit} (${other(Number((value * factor).toFixed(4)))})`,
    );
    assert.equal(both.length, 1, shown);
  }
});

test('any text at all is read without throwing, and every value is above zero', (t) => {
  const seed = seedOf(44);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pieces = [
    ...'0 1 2 3 9 10 1,000 6.0 x X / - ( ) . , " \' × ½ 1/2'.split(' '),
    ...'in cm mm m ft lb lbs oz fl g kg ml l gal gb mb paper juice lens label by L W H'.split(' '),
    ' ',
    '\ud800',
    '\0',
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const length = integerBelow(random, 16);
    const text = Array.from({ length }, () => pick(random, pieces)).join(pick(random, ['', ' ']));
    for (const { value } of statedQuantities(text)) {
      const isRight = [value].flat().every((each) => each > 0 && Number.isFinite(each));
      assert.ok(isRight, `${JSON.stringify(text)}, seed ${seed}`);
    }
  }
});

test('a text of any length ends in an answer', () => {
  for (const piece of ['1 x ', '5" ', "5 ' ", '1-1 2 ', '12 oz ', '9', 'x 1 ', '1 1 2 x ', '" ']) {
    statedQuantities(piece.repeat(100_000));
  }
});

test('a row of dashes after a weight is read as fast as words are', () => {
  const since = cpuMs();
  statedQuantities(`1 oz${'-'.repeat(46)} `.repeat(50));
  assert.ok(cpuMs() - since < 1_000, `${cpuMs() - since} ms of processor time`);
});
