// What the console says of a code, it says as the terminal does.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { warningWords } from '../../src/console/words.js';
import { WARNINGS, WARNING_WORDS } from '../../src/product/warnings.ts';

test('the terminal and the console have the same words for a warning', () => {
  for (const each of WARNINGS) assert.equal(warningWords(each), WARNING_WORDS[each]);
});
