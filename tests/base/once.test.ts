// A part of the program that failed to load once is loaded on the next attempt.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { later } from '../../src/base/once.ts';

test('what could not be made fails for all who wait for it, and is made for whoever asks next', async () => {
  let tries = 0;
  const part = later(async () => {
    tries += 1;
    if (tries === 1) throw new Error('too many open files');
    return 'made';
  });
  const waiting = [part.load(), part.load()];
  const ended = await Promise.allSettled(waiting);
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(part.asked(), null);
  assert.equal(await part.load(), 'made');
  assert.equal(await part.load(), 'made');
  assert.equal(tries, 2);
});
