// A page is read, and the process continues, however few descriptors are left.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const TIME_LIMIT = new URL('../../../src/read/threads/time-limit.ts', import.meta.url).href;

/** Uses up all descriptors except this many, and reads. */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { runWithin } from '${TIME_LIMIT}';
  const taken = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {}
  for (let left = 0; left <= 12; left += 1) {
    if (runWithin(1000, () => 'read') !== 'read') throw new Error('not read');
    closeSync(taken.pop());
  }
  for (const each of taken) closeSync(each);
  let late = null;
  try {
    runWithin(20, () => { for (;;); });
  } catch (error) { late = error.name; }
  console.log(late);
`;

test('a process without descriptors reads its pages, and with them again ends a page that takes too long', () => {
  const command = 'ulimit -n 100 && exec "$0" --input-type=module --eval "$1"';
  const { status, signal, stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', command, process.execPath, PROGRAM],
    { encoding: 'utf8' },
  );
  assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
  assert.equal(stdout, 'OutOfTime\n');
});
