// Sizes with two and three sides in titles, and when two of them belong to two products.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatSizeOf, flatSizes } from '../../../src/rules/matching/traits/flat-sizes.ts';
import { plainText } from '../../../src/rules/matching/words/words.ts';

const sizeOf = (title: string) => flatSizeOf(plainText(title));

test('the sides of a size are read in millimetres, longest first, however it is spaced', () => {
  for (const title of [
    'Sheet 140x200 cm',
    'Sheet 140 x 200 cm, white',
    'Sheet 200 cm x 140 cm',
    'Sheet 1400 × 2000 mm',
  ]) {
    assert.deepEqual([sizeOf(title)?.sides, sizeOf(title)?.unit], [[2000, 1400], 'mm'], title);
  }
  assert.deepEqual(sizeOf('Easel 27 x 34 white')?.sides, [34, 27]);
  assert.deepEqual(sizeOf('Case 37x10.5x3.75 black')?.sides, [37, 10.5, 3.75]);
});

test('packs, factors, tyres and model numbers are not a size, nor is one of two sizes', () => {
  for (const title of [
    'Cola 24 x 330ml',
    'Beer 24 x 12 oz',
    'Batteries 10 x 20 count',
    'Memory 16GB (2x8GB)',
    'Tyre 225/45 R17',
    'Screw M10x40',
    'Board QX-20x40',
    'Frame 60x40 with mat 50x30',
    'Drive with 4x speed',
  ]) {
    assert.equal(sizeOf(title), null, title);
  }
});

test('two sizes contradict each other beyond what shops round, in one unit or both without', () => {
  const areDistinguished = (one: string, two: string): boolean =>
    flatSizes({ flatSize: sizeOf(one) }, { flatSize: sizeOf(two) }) !== null;
  assert.ok(areDistinguished('Sheet 140x200 cm', 'Sheet 160 x 200 cm'));
  assert.ok(areDistinguished('Easel 27 x 34', 'Easel 26 x 34'));
  assert.ok(!areDistinguished('Sheet 140x200 cm', 'Sheet 200 x 140 cm'));
  assert.ok(!areDistinguished('Sheet 140x200 cm', 'Sheet 55.1 x 78.7 inch'));
  assert.ok(!areDistinguished('Case 60x40 cm', 'Case 60 x 40 x 20 cm'));
  assert.ok(!areDistinguished('Case 59.7 x 40 cm', 'Case 60 x 40 cm'));
  assert.ok(!areDistinguished('Sheet 140x200 cm', 'Sheet 55 x 79'));
});
