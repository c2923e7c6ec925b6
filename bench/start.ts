// How long a person waits: process start to the first answer of the service, against a Node that does
// nothing. The data folder and the compile cache exist, as at every start but the first.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cleanEnv, firstLine, LAUNCHER } from './children.ts';
import { figureOf, type Figure, type Pair, type Sample } from './measurement.ts';

async function statusOf(url: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent: false }, resolve).once('error', reject);
  const response = (await promise).resume();
  return response.statusCode;
}

/** CPU time of a child cannot be asked without loading something into it. */
function sample(fromMs: number): Sample {
  return { usPerCall: (performance.now() - fromMs) * 1e3, cpuUsPerCall: null };
}

async function startService(dataDir: string): Promise<Sample> {
  const from = performance.now();
  const args = [LAUNCHER, 'serve', '--json', '--port', '0', '--data', dataDir];
  const child = spawn(process.execPath, args, {
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  const { url, pid } = JSON.parse(await firstLine(child)) as { url: string; pid: number };
  const status = await statusOf(`${url}/livez`);
  const taken = sample(from);
  process.kill(pid, 'SIGTERM');
  await closed;
  if (status !== 200) throw new Error(`/livez answers ${status}`);
  return taken;
}

async function startNothing(): Promise<Sample> {
  const from = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { env: cleanEnv(), stdio: 'ignore' });
  await once(child, 'exit');
  return sample(from);
}

/** One start of each as warm-up, then `pairs` of them. */
export async function benchStart({
  pairs,
}: {
  readonly pairs: number;
}): Promise<readonly Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openshelf-bench-'));
  try {
    await startService(dataDir);
    await startNothing();
    const found: Pair[] = [];
    for (let index = 0; index < pairs; index += 1) {
      found.push({ measured: await startService(dataDir), baseline: await startNothing() });
    }
    const text = {
      name: 'start',
      measured: 'starting `serve` until /livez answers',
      baseline: '`node -e 0`',
      goal: { is: 'at most', value: 6, stretch: 4 },
      ratioOf: 'time',
    } as const;
    return [figureOf(text, found)];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
