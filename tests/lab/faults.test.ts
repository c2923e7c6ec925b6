import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { FAULTS, rottenFaults } from '../contract/faults.ts';

test('every fault that the contract suite must notice can still be brought about', () => {
  const src = join(import.meta.dirname, '..', '..', 'src');
  assert.deepEqual(rottenFaults(src), []);
  assert.ok(FAULTS.length >= 60);
});
