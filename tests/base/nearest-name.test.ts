// The nearest name is found, and the search costs no more for a longer name or for more names than are near.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nearestName } from '../../src/base/nearest-name.ts';

const KNOWN = ['include_stats', 'include_history', 'retailer', '/v1/usage', '/v1/watches'];

for (const [name, near] of [
  ['inclde_stats', 'include_stats'],
  ['INCLUDE_HISTRY', 'include_history'],
  ['retialer', 'retailer'],
  ['/v1/usages', '/v1/usage'],
  ['usage', '/v1/usage'],
  ['stats', 'include_stats'],
  ['', null],
  ['us', null],
  ['nothing of the kind', null],
  ['q'.repeat(8_000), null],
] as const) {
  test(`${name.slice(0, 20) || 'no name'} is near to ${near ?? 'none'}`, () => {
    assert.equal(nearestName(name, KNOWN), near);
  });
}

test('of names that are equally near it is the first', () => {
  assert.equal(nearestName('cat', ['bat', 'hat', 'cart']), 'bat');
  assert.equal(nearestName('cat', ['carts', 'hat', 'bat']), 'hat');
});
