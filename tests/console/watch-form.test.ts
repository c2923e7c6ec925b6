// The wording of the watch form, shared with the watch's card.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { intervalWords } from '../../console/watch-form.js';

test('how often a watch looks is said on its card as the form offers it, and any other time as the service has it', () => {
  assert.equal(intervalWords('1h'), 'every hour');
  assert.equal(intervalWords('6h'), 'every 6 hours');
  assert.equal(intervalWords('1d'), 'once a day');
  assert.equal(intervalWords('3d'), 'every 3d');
});
