// What the image does, done without Docker: packages into an empty folder, start, health, stop. Slow, and needs the npm
// registry.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const SCRIPT = join(import.meta.dirname, '..', '..', 'deploy', 'check.sh');

test('the steps of the image install, start, answer and stop', { timeout: 300_000 }, () => {
  const done = spawnSync('sh', [SCRIPT], { encoding: 'utf8' });
  assert.equal(done.status, 0, `${done.stdout}${done.stderr}`);
  assert.match(done.stdout, /installed, started, healthy, stopped/);
});
