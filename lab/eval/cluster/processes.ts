// Processes of the service over one database, each of them killed and restarted while calls continue.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

import type { Env } from '../../../src/edge/settings/read-settings.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', '..', 'bin', 'openshelf.js');

export type ServiceProcess = {
  readonly url: string;
  /** Whether it is known to answer. */
  readonly isUp: () => boolean;
  /** Resolves when it answers. Rejects if it exits first, unless it was killed. */
  readonly start: () => Promise<void>;
  /** SIGKILL: nothing is finished or released. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP for this long, as when a machine is migrated: it then continues with all work and leases it had. */
  readonly halt: (ms: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function serviceProcess(
  role: 'api' | 'indexer' | 'api,indexer',
  env: Env,
): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let isUp = false;
  // An aborted run leaves no service behind.
  process.once('exit', () => child?.kill('SIGKILL'));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = null;
    isUp = false;
    if (ending === null || ending.exitCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  };
  return {
    url,
    isUp: () => isUp,
    async start() {
      const { PATH, HOME } = process.env;
      const args = [LAUNCHER, 'serve', '--json', '--port', `${port}`, '--role', role];
      const started = spawn(process.execPath, args, {
        env: { PATH, HOME, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      let said = '';
      started.stderr.on('data', (piece) => (said = `${said}${String(piece)}`.slice(-4_000)));
      const answers = once(createInterface({ input: started.stdout }), 'line');
      await Promise.race([answers, once(started, 'exit')]);
      if (started.exitCode !== null) {
        throw new Error(`serve --role ${role} ended with ${started.exitCode}: ${said}`);
      }
      isUp = (await becomesReady(url)) && child === started;
    },
    kill: () => end('SIGKILL'),
    async halt(ms) {
      const halted = child;
      isUp = false;
      halted?.kill('SIGSTOP');
      await wait(ms);
      halted?.kill('SIGCONT');
      isUp = halted !== null && child === halted;
    },
    stop: () => end('SIGINT'),
  };
}

/**
 * On a busy machine the database sends its time late: the service is then not ready yet, and becomes ready a moment later.
 */
const READY_WITHIN_MS = 120_000;

/**
 * A service reports where it listens before it is loaded, and a readiness request waits for that. False if it is killed first.
 * Rejects if it is loaded and does not become ready.
 */
async function becomesReady(url: string): Promise<boolean> {
  const fromMs = performance.now();
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response === null) return false;
    const said = await response.text().catch(() => '');
    if (response.ok) return true;
    if (response.status !== 503 || performance.now() - fromMs > READY_WITHIN_MS)
      throw new Error(`${url}/readyz answers ${response.status}: ${said}`);
    await wait(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Killing = {
  readonly kills: () => number;
  /** Stops the killing. */
  readonly stop: () => void;
  /** Resolves when every process runs again. */
  readonly end: () => Promise<void>;
};

/**
 * Kills one process of each kind at regular intervals, in turn, and restarts it immediately. The last of a kind is spared
 * until another one answers: a machine that is too busy to start them would be left with none. `haltMs`: they are suspended
 * for this long instead, and resumed.
 */
export function beginKilling(
  kinds: readonly (readonly ServiceProcess[])[],
  everyMs: number,
  haltMs: number | null = null,
): Killing {
  let kills = 0;
  const turns = kinds.map((kind) => [...kind]);
  const starting = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const killOne = (one: ServiceProcess): void => {
    kills += 1;
    const isOver = haltMs === null ? one.kill().then(() => one.start()) : one.halt(haltMs);
    const again = isOver
      .catch((error: unknown) => void failures.push(error))
      .finally(() => starting.delete(again));
    starting.add(again);
  };
  const timer = setInterval(() => {
    for (const kind of turns) {
      if (kind.filter((each) => each.isUp()).length < Math.min(2, kind.length)) continue;
      const at = kind.findIndex((each) => each.isUp());
      const one = kind[at];
      if (one === undefined) continue;
      kind.push(...kind.splice(at, 1));
      killOne(one);
    }
  }, everyMs);
  return {
    kills: () => kills,
    stop: () => clearInterval(timer),
    async end() {
      clearInterval(timer);
      await Promise.all(starting);
      if (failures.length > 0) throw failures[0];
    },
  };
}
