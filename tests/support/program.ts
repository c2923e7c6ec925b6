// The program itself, as a person starts it: a child process of the launcher, with its output.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../bin/openshelf.js', import.meta.url));

export type Finished = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = tmpdir(),
  within: readonly string[] = [],
): ChildProcess {
  const { PATH, HOME } = process.env;
  const [command = '', ...others] = [...within, process.execPath, LAUNCHER, ...args];
  return spawn(command, others, {
    // Not the checkout, which has a developer's .env.
    cwd,
    // No load balancer needs to be informed of the stop.
    env: { PATH, HOME, OPENSHELF_DRAIN_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const piece of stream ?? []) text += String(piece);
  return text;
}

/** Runs one command to completion; `cwd` is its working folder. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<Finished> {
  const child = start(args, env, cwd);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr };
}

/** Returns the last line of stdout as JSON. */
export function lastJson(finished: Finished): unknown {
  const line = finished.stdout.trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(line) as unknown;
}

/** Killed at the end of its scope if it still runs: a service that outlives a failed test would keep the test run alive. */
export type Running = AsyncDisposable & {
  readonly url: string;
  /** Set if metrics have a separate address. */
  readonly metricsUrl: string | null;
  readonly pid: number;
  /** What it has logged so far. */
  readonly stderr: () => string;
  /** Sends the signal and waits for the end; returns the exit code, or null after a kill. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};

/** Starts `serve --json` with these flags, run by the command `within` if given; resolves when it answers. */
export async function serveProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  within: readonly string[] = [],
): Promise<Running> {
  const child = start(['serve', '--json', ...args], env, undefined, within);
  const ended = once(child, 'close');
  let stderr = '';
  child.stderr?.on('data', (piece) => (stderr += String(piece)));
  if (child.stdout === null) throw new Error('a child without stdout');
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    ended.then(([code]) => {
      throw new Error(`serve ended with ${String(code)}: ${stderr}`);
    }),
  ]);
  const {
    url,
    pid,
    metrics_url: metricsUrl = null,
  } = JSON.parse(first) as {
    url: string;
    pid: number;
    metrics_url?: string;
  };
  return {
    url,
    metricsUrl,
    pid,
    stderr: () => stderr,
    async stop(signal) {
      // The launcher may have started another Node: the pid it printed is the service.
      process.kill(pid, signal);
      const [code] = (await ended) as [number | null];
      return code;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      for (const each of [pid, child.pid ?? pid]) if (isAlive(each)) process.kill(each, 'SIGKILL');
      await ended;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

type RunningSandbox = Running & { readonly data: string; readonly key: string };

/** Runs `serve --sandbox` over new data in the folder, with a key for it; killed at the end if still running. */
export async function serveSandbox(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  within: readonly string[] = [],
): Promise<RunningSandbox> {
  const data = join(folder, 'data');
  const made = await runProgram(['keys', 'create', '--org', 'o', '--data', data, '--json']);
  const { key } = lastJson(made) as { readonly key: string };
  const args = ['--port', '0', '--sandbox', '--seed', '7', '--data', data];
  const running = await serveProgram(args, env, within);
  return { ...running, data, key };
}
