// Specifications state values by name, weights and sizes; those of a part, a limit or a trade name do not count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  specNamed,
  measuresIn,
  dimensionsInSpecs,
} from '../../../src/read/page-data/specifications.ts';

const SPECS = [
  { name: 'Model', value: 'M-1' },
  { name: 'UPC', value: 'first' },
  { name: 'upc', value: 'second' },
];

test('earlier names win, then earlier specifications, in any letter case', () => {
  assert.equal(specNamed(SPECS, ['MPN', 'model']), 'M-1');
  assert.equal(specNamed(SPECS, ['upc', 'Model']), 'first');
  assert.equal(specNamed(SPECS, ['Colour']), null);
  assert.equal(specNamed([], ['UPC']), null);
});

const specs = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).map(([name, value]) => ({ name, value }));

test('measures take the unit that their name states', () => {
  const read = measuresIn(
    specs({
      'Product Weight (lb.)': '4.5',
      'Product Height (in.)': '9 in',
      'Product Width (in.)': '3.25',
      'Product Depth (in.)': '12.',
    }),
  );
  assert.equal(read.weightLbs, 4.5);
  assert.deepEqual(read.dimensions, { heightIn: 9, widthIn: 3.25, lengthIn: 12 });
  assert.equal(measuresIn(specs({ 'Weight (lbs.)': '8.53' })).weightLbs, 8.53);
  assert.equal(measuresIn(specs({ 'Weight (ounces)': '8' })).weightLbs, 0.5);
  assert.equal(measuresIn(specs({ Weight: '2 lb 8 oz' })).weightLbs, 2.5);
  const feet = measuresIn(specs({ 'Actual Product Length (ft.)': '.5' }));
  assert.equal(feet.dimensions?.lengthIn, 6);
});

test('the thing, the thing put together and its box are distinguished', () => {
  const read = measuresIn(
    specs({
      'Assembled Weight (lb.)': '40',
      'Shipping Weight (lb.)': '46',
      'Assembled Height (in.)': '30',
      'Packaged Width (in.)': '20',
    }),
  );
  assert.equal(read.weightLbs, null);
  assert.equal(read.weightAssembledLbs, 40);
  assert.equal(read.weightPackageLbs, 46);
  assert.deepEqual(read.dimensionsAssembled, { heightIn: 30, widthIn: null, lengthIn: null });
  assert.deepEqual(read.dimensionsPackage, { heightIn: null, widthIn: 20, lengthIn: null });
  assert.equal(read.dimensions, null);
});

test('measures of a part, a limit or a trade name are none', () => {
  const others = {
    'Weight Capacity (lb.)': '250',
    'Nominal Product Width (ft.)': '4',
    'Cord Length (ft.)': '6',
    'Maximum Height (in.)': '40',
    'Product Weight (lb.) ': 'See store',
    'Product Weight': '4',
    'Coverage Width (in.)': '3',
    'Weight Class': '2 lb',
  };
  const read = measuresIn(specs(others));
  assert.ok(
    Object.values(read).every((value) => value === null),
    JSON.stringify(read),
  );
});

const NONE = { dimensions: null, dimensionsAssembled: null, dimensionsPackage: null };
const sides = (lengthIn: number, widthIn: number, heightIn: number) => ({
  heightIn,
  widthIn,
  lengthIn,
});

const CASES: readonly (readonly [string, string, Partial<ReturnType<typeof dimensionsInSpecs>>])[] =
  [
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
