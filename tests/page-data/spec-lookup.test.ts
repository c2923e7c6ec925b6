import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specNamed } from '../../src/page-data/spec-lookup.ts';

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
