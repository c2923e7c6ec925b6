// Child processes of the benchmarks: the program as a person starts it, the bare server, the load. Every process started
// here is stopped here.

import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { BareAnswer } from './bare-server.ts';
import type { DurableStart } from './durable-server.ts';
import type { LoadJob, LoadResult } from './load.ts';
import type { Sample } from './measurement.ts';
import { openServiceLog } from './service-log.ts';

export const LAUNCHER = fileURLToPath(new URL('../../bin/openshelf.js', import.meta.url));

/** As the command of the package starts Node (bin/openshelf). */
const NODE_OPTIONS = ['--max-semi-space-size=16'];
const PROBE = new URL('./cpu-probe.js', import.meta.url).href;
const DEADLINE_MS = 60_000;

/** Returns the environment without settings of the person who runs the benchmark: they must not affect the measurement. */
export function cleanEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  // No load balancer has to be told that a measured service stops.
  return { PATH, HOME, SystemRoot, OPENSHELF_DRAIN_DELAY_MS: '0', ...more };
}

type CommandLimits = {
  readonly env?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
};

/** Runs a command of the program; returns the first line of its stdout, parsed as JSON. */
export async function runCommand(
  args: readonly string[],
  { env = {}, deadlineMs = DEADLINE_MS }: CommandLimits = {},
): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(process.execPath, [LAUNCHER, ...args], {
    env: cleanEnv(env),
    timeout: deadlineMs,
  });
  return JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, unknown>;
}

async function message<T>(child: ChildProcess, what: string): Promise<T> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const ended = new AbortController();
  const stop = () => ended.abort();
  child.once('exit', stop);
  try {
    const [value] = (await once(child, 'message', {
      signal: AbortSignal.any([signal, ended.signal]),
    })) as [T];
    return value;
  } catch (error) {
    throw new Error(`${what} did not answer`, { cause: error });
  } finally {
    child.off('exit', stop);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

export type MeasuredServer = AsyncDisposable & {
  readonly url: string;
  /** CPU time of all threads since the start, and of all workers. */
  cpuUs(): Promise<number>;
  /** Of each worker process that shares its port; empty: it runs without workers. */
  workersCpuUs(): Promise<readonly number[]>;
};

type Cpu = { readonly cpuUs: number; readonly workers: readonly number[] };

function measuredServer(child: ChildProcess, url: string): MeasuredServer {
  const ask = async (): Promise<Cpu> => {
    child.send('cpu');
    return await message<Cpu>(child, 'the probe');
  };
  return {
    url,
    cpuUs: async () => {
      const { cpuUs, workers } = await ask();
      return workers.reduce((sum, each) => sum + each, cpuUs);
    },
    workersCpuUs: async () => (await ask()).workers,
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  };
}

type ServiceStart = {
  /** Null: `env` names a database. */
  readonly dataDir: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Where a CPU profile of each thread is written on exit; null: none. */
  readonly profileDir: string | null;
  /** Processes that share the port; absent: one. */
  readonly workers?: number;
};

/** Starts `serve --json` on a free port, with the probe. */
export async function startService(start: ServiceStart): Promise<MeasuredServer> {
  const { dataDir, env, profileDir, workers } = start;
  const profiling = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const place = dataDir === null ? [] : ['--data', dataDir];
  const shared = workers === undefined ? [] : ['--workers', `${workers}`];
  const log = openServiceLog();
  const child = fork(LAUNCHER, ['serve', '--json', '--port', '0', ...place, ...shared], {
    execArgv: [...NODE_OPTIONS, '--import', PROBE, ...profiling],
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', log.fd, 'ipc'],
  });
  // A service that exits by itself explains why.
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) process.stderr.write(log.last());
    log[Symbol.dispose]();
  });
  const { url, detail } = JSON.parse(await firstLine(child)) as { url?: string; detail?: string };
  if (url === undefined)
    throw new Error(`the service did not start: ${detail ?? 'no reason given'}`);
  return measuredServer(child, url);
}

/** Returns the first line of a child's stdout; rejects if the child exits first. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('a child without stdout');
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', { signal })) as [
    string,
  ];
  return line;
}

/** Starts the bare server, which loads the same probe. */
export async function startBareServer(answer: BareAnswer): Promise<MeasuredServer> {
  const child = fork(new URL('./bare-server.ts', import.meta.url), {
    env: cleanEnv(),
  });
  child.send(answer);
  const { url } = await message<{ url: string }>(child, 'the bare server');
  return measuredServer(child, url);
}

/** Starts the durable bare server; its rows go to a database at `path`. */
export async function startDurableServer(
  answer: BareAnswer,
  path: string,
): Promise<MeasuredServer> {
  const child = fork(new URL('./durable-server.ts', import.meta.url), { env: cleanEnv() });
  child.send({ ...answer, path } satisfies DurableStart);
  const { url } = await message<{ url: string }>(child, 'the durable server');
  return measuredServer(child, url);
}

export type Load = AsyncDisposable & { run(job: LoadJob): Promise<LoadResult> };

/** Starts the process that sends the requests. */
export function startLoad(): Load {
  const child = fork(new URL('./load.ts', import.meta.url), { env: cleanEnv() });
  return {
    async run(job) {
      child.send(job);
      return await message<LoadResult>(child, 'the load');
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGKILL'),
  };
}

/**
 * Runs one round of load on a server; returns time and CPU per request. Throws unless every answer has the job's status.
 */
export async function loadRound(
  load: Load,
  server: MeasuredServer,
  job: Omit<LoadJob, 'port'>,
): Promise<Sample & { readonly answers: number }> {
  const cpuFrom = await server.cpuUs();
  const result = await load.run({ ...job, port: Number(new URL(server.url).port) });
  const cpuUs = (await server.cpuUs()) - cpuFrom;
  if (result.failures > 0 || result.answers === 0) {
    throw new Error(`${result.failures} requests failed; the first: ${result.firstFailure}`);
  }
  const { answers, ms } = result;
  return { answers, usPerCall: (ms * 1e3) / answers, cpuUsPerCall: cpuUs / answers };
}
