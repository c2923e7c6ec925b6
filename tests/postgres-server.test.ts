import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const SERVERS = new URL('./support/postgres-server.ts', import.meta.url).href;

/** Prints whether the server found its port taken, and exits when nothing keeps it alive. */
const ON_A_TAKEN_PORT = `
  import { once } from 'node:events';
  import { createServer } from 'node:net';
  import { join } from 'node:path';
  import { initialize, launch, newHome } from ${JSON.stringify(SERVERS)};
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const at = newHome();
  const data = join(at.home, 'data');
  await initialize(at, data);
  const { port } = taken.address();
  const said = await launch(at, { data, port, settings: [], removed: at.home });
  console.log(/in use/.test(said));
  taken.close();
`;

// A whole test run once failed to exit, minutes after its last line.
test('a server of the tests that finds its port taken keeps nobody alive', async () => {
  const run = promisify(execFile);
  const args = ['--input-type=module', '--eval', ON_A_TAKEN_PORT];
  const { stdout } = await run(process.execPath, args, { timeout: 60_000 });
  assert.equal(stdout, 'true\n');
});
