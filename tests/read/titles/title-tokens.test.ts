import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tokensOf } from '../../../src/read/titles/title-tokens.ts';
import { pick, randomFrom, seedOf } from '../../support/random.ts';

test('a title of ASCII is taken apart as one with other letters after it', (context) => {
  const seed = seedOf(4713);
  context.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pieces = ['1', '20', '.', ',', ' ', '\t', '-', '(', ')', 'x', 'Pack', 'OF', '/', '\u001c'];
  for (let round = 0; round < 5000; round += 1) {
    const title = Array.from({ length: 12 }, () => pick(random, pieces)).join('');
    const other = tokensOf(`${title} \u00e9`);
    assert.deepEqual(tokensOf(title), other.slice(0, -1), JSON.stringify(title));
  }
});
