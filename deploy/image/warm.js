// Runs once while the image is built: starts the service with simulated shops and makes the first calls that a new container
// gets, so that the image contains the compiled code.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const DATA = '/tmp/warm';
const COMMAND = '/usr/bin/openshelf';
const WARM = '/app/compile-cache';
const options = { env: { ...process.env, NODE_COMPILE_CACHE: WARM } };
const here = ['--data', DATA, '--json'];
const run = (...args) => spawnSync(COMMAND, [...args, ...here], options).stdout.toString();

const { key } = JSON.parse(run('keys', 'create', '--org', 'warm'));
const service = spawn(COMMAND, ['serve', '--sandbox', '--port', '0', ...here], {
  ...options,
  stdio: ['ignore', 'pipe', 'inherit'],
});
// A service that lived on after a failure would keep the build waiting.
process.once('exit', () => service.kill('SIGKILL'));
const [line] = await once(service.stdout, 'data');
const { url } = JSON.parse(line.toString());
const headers = { authorization: `Bearer ${key}` };
const page = 'https://www.lanternworks.example/p/stoneware-kettle-1-5-l-1000';
for (const path of ['/readyz', `/v1/products/${encodeURIComponent(page)}`, '/console']) {
  const answer = await fetch(`${url}${path}`, { headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}`);
}
service.kill('SIGINT');
const [code] = await once(service, 'exit');
if (code !== 0) throw new Error(`the service ended with ${code}`);
// It may find that no shop can be reached; its code is compiled all the same.
run('doctor');
rmSync(DATA, { recursive: true });
// Node creates them readable by their owner only.
for (const name of globSync('*/*', { cwd: WARM })) chmodSync(join(WARM, name), 0o644);
