// Where the tests write.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { memoryFolder } from '../memory-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a folder with room, in which programs may be started, is taken, and one that is too small or not there is not', () => {
  using folder = temporaryFolder();
  const { bavail, bsize } = statfsSync(folder.path);
  assert.equal(memoryFolder(folder.path, 1), folder.path);
  assert.equal(memoryFolder(folder.path, 2 * bavail * bsize), null);
  assert.equal(memoryFolder(join(folder.path, 'none'), 1), null);
});

test('the room counts that is left of what this process may use of the memory', () => {
  using folder = temporaryFolder();
  assert.equal(memoryFolder(folder.path, process.availableMemory() * 2), null);
});

test('what is looked for leaves nothing behind where it was looked for', () => {
  using folder = temporaryFolder();
  const inside = join(folder.path, 'inside');
  mkdirSync(inside);
  memoryFolder(inside, 1);
  assert.deepEqual(readdirSync(inside), []);
});
