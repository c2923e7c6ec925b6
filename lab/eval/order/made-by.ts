// A store that another checkout has begun: its own program answers part of the lookups on the data folder or database, and
// exits before the current code continues.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { quietQueue } from '../quiet-queue.ts';
import type { OrderLookup } from './lookups.ts';

type MadeBy = {
  /** The checkout, with its packages installed. */
  readonly checkout: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The start of its clock, so that its stored data is of the same day. */
  readonly startMs: number;
  readonly lookups: readonly OrderLookup[];
  /** Whether it drains its queue before it exits. */
  readonly isDrained: boolean;
};

/** Returns the option that sets the clock of the program and of its threads. */
function shifted(startMs: number): string {
  const code = `const real = Date.now.bind(Date), by = ${startMs} - real(); Date.now = () => real() + by;`;
  return `--import data:text/javascript,${encodeURIComponent(code)}`;
}

export async function fillWith(madeBy: MadeBy): Promise<void> {
  const { startMs, lookups } = madeBy;
  const env = {
    ...madeBy.env,
    PATH: process.env['PATH'] ?? '',
    NODE_OPTIONS: shifted(startMs),
  };
  const program = join(madeBy.checkout, 'bin/openshelf.js');
  const limits = ['--throttle', '60000000', '--quota', '1000000000'];
  const start = (args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  await lineOf(start(['orgs', 'create', 'before', ...limits, '--json']));
  const { key } = await lineOf(start(['keys', 'create', '--org', 'before', '--json']));
  const service = start(['serve', '--port', '0', '--json']);
  try {
    const { url } = await lineOf(service);
    for (const { path } of lookups) {
      const headers = { authorization: `Bearer ${String(key)}` };
      await (await fetch(`${String(url)}${path}`, { headers })).text();
    }
    if (madeBy.isDrained) await quietQueue(String(url));
  } finally {
    const ended = once(service, 'close');
    // Not SIGTERM: nobody has to be told that it stops.
    service.kill('SIGINT');
    await ended;
  }
}

async function lineOf(child: ChildProcess): Promise<Readonly<Record<string, unknown>>> {
  if (child.stdout === null) throw new Error('the program has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return JSON.parse(line) as Readonly<Record<string, unknown>>;
}
