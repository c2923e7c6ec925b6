// Several processes on one port: workers that accept connections themselves, and a parent that only keeps them running. A
// worker that exits is restarted, after a pause that grows each time it exits soon after its start.

import cluster, { type Worker } from 'node:cluster';

import type { Clock } from '../../../base/clock.ts';
import type { Listening, StopMessage } from './worker.ts';

type WorkersOptions = {
  readonly count: number;
  /** The program's arguments in every worker. */
  readonly args: readonly string[];
  /** Returns the environment of worker `number`, from 1. */
  readonly envOf: (number: number) => Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** How long workers may take to exit after a stop. */
  readonly drainMs: number;
  /** Called once, when all workers answer. */
  readonly started: (first: Listening) => void;
  /** Receives a sentence for the operator. */
  readonly say: (line: string) => void;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that ran this long can start: the pauses are reset to the shortest. */
const STEADY_AFTER_MS = 10_000;

/** Runs workers until stopped and all have exited. Rejects if one of them cannot start at all. */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { count, stop, clock, drainMs } = options;
  // Not round robin. If the parent passes a connection to a worker that is killed before it acknowledges, no process owns
  // the connection, and its caller waits forever. A connection that a worker accepted itself is reset with the worker.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ args: [...options.args] });
  const running = new Set<Worker>();
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const first = numbers.map((number) => begin(options, running, number));
  const started = Promise.all(first.map(({ listening }) => listening));
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    const [opened] = (await Promise.race([started, stopped.then(() => [])])) ?? [];
    if (opened !== undefined) options.started(opened);
    const kept = first.map((one, index) =>
      keep(options, running, { number: index + 1, one, stop: stopping.signal }),
    );
    await stopped;
    stopping.abort();
    await drainWorkers(running, kept, { clock, drainMs, reason: String(stop.reason) });
  } finally {
    stopping.abort();
    for (const worker of running) worker.process.kill('SIGKILL');
  }
}

type StartedWorker = {
  readonly listening: Promise<Listening>;
  readonly ended: Promise<string>;
  readonly startedMs: number;
};

function begin(
  { envOf, clock }: WorkersOptions,
  running: Set<Worker>,
  number: number,
): StartedWorker {
  const { opened, ended } = forked(envOf(number), running);
  const listening = Promise.race([
    opened,
    ended.then((how) => {
      throw new Error(
        `Worker ${number} exited (${how}) before it answered. Its own message is above.`,
      );
    }),
  ]);
  // An unawaited rejection must not end the process.
  listening.catch(() => undefined);
  return { listening, ended, startedMs: clock.now() };
}

type Forked = { readonly opened: Promise<Listening>; readonly ended: Promise<string> };

/** Starts a worker. One that cannot be started, for lack of a descriptor or memory, has ended with the reason. */
function forked(env: Readonly<Record<string, string | undefined>>, running: Set<Worker>): Forked {
  const opened = Promise.withResolvers<Listening>();
  const ended = Promise.withResolvers<string>();
  try {
    const worker = cluster.fork(env);
    running.add(worker);
    const end = (how: string): void => {
      running.delete(worker);
      ended.resolve(how);
    };
    worker.once('exit', (code: number | null, signal: string | null) =>
      end(signal ?? `exit code ${String(code)}`),
    );
    // A message that could not be sent, because the worker has just been killed, is reflected in the worker's exit. Without a
    // listener the error would end this process.
    worker.on('error', (error: Error) => {
      if (worker.process.pid === undefined) end(error.message);
    });
    worker.on('message', (message: unknown) => {
      if (isListening(message)) opened.resolve(message);
    });
  } catch (error) {
    ended.resolve(String(error));
  }
  return { opened: opened.promise, ended: ended.promise };
}

function isListening(message: unknown): message is Listening {
  return typeof message === 'object' && message !== null && 'url' in message;
}

/** Restarts a worker whenever it exits, until `stop` is aborted. */
async function keep(
  options: WorkersOptions,
  running: Set<Worker>,
  {
    number,
    one,
    stop,
  }: { readonly number: number; readonly one: StartedWorker; stop: AbortSignal },
): Promise<void> {
  const { clock, say } = options;
  let current = one;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const how = await current.ended;
    if (stop.aborted) return;
    const ranMs = clock.now() - current.startedMs;
    pauseMs = ranMs >= STEADY_AFTER_MS ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    say(`Worker ${number} exited (${how}). It restarts in ${pauseMs} ms.`);
    try {
      await clock.sleep(pauseMs, stop);
    } catch {
      return;
    }
    current = begin(options, running, number);
  }
}

/**
 * Asks the workers to exit, by message and not by signal: Ctrl-C in a terminal has already reached them, and a second
 * signal would end them at once.
 */
async function drainWorkers(
  running: ReadonlySet<Worker>,
  kept: readonly Promise<void>[],
  {
    clock,
    drainMs,
    reason,
  }: { readonly clock: Clock; readonly drainMs: number; readonly reason: string },
): Promise<void> {
  for (const worker of running) {
    tell(worker, reason);
    // A worker that was still starting may have missed the message, and is notified again when it answers.
    worker.on('message', () => tell(worker, reason));
  }
  const done = new AbortController();
  const late = clock.sleep(drainMs, done.signal).catch(() => undefined);
  await Promise.race([Promise.all(kept), late]);
  done.abort();
}

function tell(worker: Worker, reason: string): void {
  const message: StopMessage = { stop: reason };
  if (worker.isConnected()) worker.send(message, () => undefined);
}
