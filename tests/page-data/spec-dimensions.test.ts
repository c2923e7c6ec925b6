import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dimensionsInSpecs } from '../../src/page-data/spec-dimensions.ts';
import type { SpecDimensions } from '../../src/page-data/spec-dimensions.ts';

const NONE = { dimensions: null, dimensionsAssembled: null, dimensionsPackage: null };
const sides = (lengthIn: number, widthIn: number, heightIn: number) => ({
  heightIn,
  widthIn,
  lengthIn,
});

const CASES: readonly (readonly [string, string, Partial<SpecDimensions>])[] = [
  [
    'Assembled Product Dimensions (L x W x H)',
    '10.00 x 5.00 x 3.00 Inches',
    { dimensionsAssembled: sides(10, 5, 3) },
  ],
  ['Product Dimensions (H x W x D)', '10 x 5 x 3 in', { dimensions: sides(3, 5, 10) }],
  ['Package Dimensions', '10 x 5 x 3 inches', { dimensionsPackage: sides(10, 5, 3) }],
  [
    'Dimensions (Overall)',
    '5 Inches (H) x 4 Inches (W) x 3 Inches (D)',
    { dimensions: sides(3, 4, 5) },
  ],
  ['Seat Dimensions', '10 x 5 x 3 in', {}],
  ['Screen Size', '55 in', {}],
  ['Size', '12 in', {}],
  ['Dimensions', 'varies', {}],
];

for (const [name, value, expected] of CASES) {
  test(`"${name}: ${value}" gives ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(dimensionsInSpecs([{ name, value }]), { ...NONE, ...expected });
  });
}

test('of two specifications of one kind the first that can be read counts', () => {
  const specs = ['unknown', '10 x 5 x 3 in', '1 x 1 x 1 in'].map((value) => ({
    name: 'Dimensions',
    value,
  }));
  assert.deepEqual(dimensionsInSpecs(specs).dimensions, sides(10, 5, 3));
});
