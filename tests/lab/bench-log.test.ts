// What a person running a benchmark sees of the measured service's output: nothing, unless it ends by itself.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { openServiceLog } from '../../lab/bench/service-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CHILDREN = new URL('../../lab/bench/children.ts', import.meta.url).href;

/** Runs a measuring program: it starts the service, sends one request, and ends it. Returns its output and its stderr. */
async function measured(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  using folder = temporaryFolder();
  const start = { dataDir: folder.path, env, profileDir: null };
  const program = `
    const { startService } = await import(${JSON.stringify(CHILDREN)});
    try {
      await using service = await startService(${JSON.stringify(start)});
      console.log((await fetch(service.url + '/v1')).status);
    } catch (error) {
      console.log(error.message);
    }`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  return [stdout.trim(), stderr];
}

test('the log of a service that is measured does not stand among the figures', async () => {
  assert.deepEqual(await measured({}), ['401', '']);
});

test('a service that cannot start says why to who wants to measure it', async () => {
  const [said = ''] = await measured({ OPENSHELF_WORKRES: '2' });
  assert.match(said, /did not start: .*Did you mean OPENSHELF_WORKERS/);
});

test('the last output of a service that ended by itself is reported', () => {
  using log = openServiceLog();
  const program =
    'console.error("x".repeat(5_000)); console.error("out of memory"); process.exit(3)';
  const { status } = spawnSync(process.execPath, ['--eval', program], {
    stdio: ['ignore', 'ignore', log.fd],
  });
  assert.equal(status, 3);
  assert.match(log.last(), /^x{1900,}\nout of memory\n$/);
});
