// An item's load capacity is not its weight.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isLoadCapacity } from '../../../src/base/listing/measures/load-capacity.ts';

test('a load that the page names is not a weight', () => {
  assert.equal(isLoadCapacity(440, ['Can hold up to 350 lbs. of weight']), true);
  assert.equal(isLoadCapacity(300, ['Load capacity: 300 lb']), true);
  assert.equal(isLoadCapacity(28, ['Weight capacity: 300 lb.']), false);
  assert.equal(isLoadCapacity(40, ['Weighs 40 lb.']), false);
  assert.equal(isLoadCapacity(150, ['supports 136 kg']), true);
});
