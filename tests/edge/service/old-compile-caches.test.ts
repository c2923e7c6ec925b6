// What a start deletes of the compiled code of earlier versions and builds.

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { removeOldCompileCaches } from '../../../src/edge/cli/service/old-compile-caches.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2026, 11, 1);

/** The folders of three versions of Node; one was not used for a month. */
function cacheIn(
  folder: string,
  currentBytes = 1,
): { readonly all: string; readonly current: string } {
  const all = join(folder, 'openshelf', 'compile-cache');
  for (const [name, days] of [
    ['v26-now', 400],
    ['v26-other', 29],
    ['v24-old', 31],
  ] as const) {
    mkdirSync(join(all, name), { recursive: true });
    const file = join(all, name, 'entry');
    writeFileSync(file, 'x');
    if (name === 'v26-now') truncateSync(file, currentBytes);
    const at = new Date(NOW_MS - days * DAY_MS);
    utimesSync(join(all, name), at, at);
  }
  return { all, current: join(all, 'v26-now') };
}

test('the folder of a version that nobody used for a month goes, that of this one stays', async () => {
  using folder = temporaryFolder();
  const { all, current } = cacheIn(folder.path);
  await removeOldCompileCaches(current, NOW_MS);
  assert.deepEqual(readdirSync(all).toSorted(), ['v26-now', 'v26-other']);
});

test('the builds of one version together take at most 128 MiB', async () => {
  using folder = temporaryFolder();
  const { all, current } = cacheIn(folder.path, 128 * 1_048_576 + 1);
  await removeOldCompileCaches(current, NOW_MS);
  assert.deepEqual(readdirSync(all), ['v26-other']);
});

test('a folder that the user chose for all programs is left as it is', async () => {
  using folder = temporaryFolder();
  for (const name of ['mine', 'old'])
    mkdirSync(join(folder.path, 'node', name), { recursive: true });
  utimesSync(join(folder.path, 'node', 'old'), 0, 0);
  await removeOldCompileCaches(join(folder.path, 'node', 'mine'), NOW_MS);
  await removeOldCompileCaches(undefined, NOW_MS);
  assert.deepEqual(readdirSync(join(folder.path, 'node')).toSorted(), ['mine', 'old']);
});
