import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuresIn } from '../../src/page-data/spec-measures.ts';

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

test('the thing, the thing put together and its box are told apart', () => {
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
