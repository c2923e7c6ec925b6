// Several processes on one port: workers that take connections themselves, and a parent that only keeps them going.
// A worker that ends is started again, later each time it ends young.

import cluster, { type Worker } from 'node:cluster';

import type { Clock } from '../core/clock.ts';

/** What a worker tells its parent once it answers. */
export type Listening = { readonly url: string; readonly metricsUrl: string | null };

export type WorkersOptions = {
  readonly count: number;
  /** Arguments of the program in every worker. */
  readonly args: readonly string[];
  /** The environment of worker `number`, from 1. */
  readonly envOf: (number: number) => Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  /** How long workers may take to end after a stop. */
  readonly drainMs: number;
  /** Told once, when all of them answer. */
  readonly started: (first: Listening) => void;
  /** What an operator should know. */
  readonly say: (line: string) => void;
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A worker that lived this long did not end because it cannot start. */
const GROWN_UP_MS = 10_000;

/** Whether this process was started by `runWorkers`. */
export function isWorker(): boolean {
  return cluster.isWorker;
}

/** Runs workers until told to stop and all have ended. Rejects when one of them cannot start at all. */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { count, stop, clock, drainMs } = options;
  // Not round robin: a connection that the parent hands to a worker which is killed before it answers "taken" is
  // nobody's, and its caller waits for ever. One that a worker took itself is reset with it.
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
    const [told] = (await Promise.race([started, stopped.then(() => [])])) ?? [];
    if (told !== undefined) options.started(told);
    const kept = first.map((one, index) =>
      keep(options, running, { number: index + 1, one, stop: stopping.signal }),
    );
    await stopped;
    stopping.abort();
    await drained(running, kept, { clock, drainMs });
  } finally {
    stopping.abort();
    for (const worker of running) worker.process.kill('SIGKILL');
  }
}

type Begun = {
  readonly worker: Worker;
  readonly listening: Promise<Listening>;
  readonly ended: Promise<string>;
  readonly startedMs: number;
};

function begin({ envOf, clock }: WorkersOptions, running: Set<Worker>, number: number): Begun {
  const worker = cluster.fork(envOf(number));
  running.add(worker);
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      running.delete(worker);
      resolve(signal ?? `exit code ${String(code)}`);
    });
  });
  const told = new Promise<Listening>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isListening(message)) resolve(message);
    });
  });
  const listening = Promise.race([
    told,
    ended.then((how) => {
      throw new Error(
        `worker ${number} ended (${how}) before it answered; its reason stands above`,
      );
    }),
  ]);
  // Whoever waits for it is told; nobody has to.
  listening.catch(() => undefined);
  return { worker, listening, ended, startedMs: clock.now() };
}

function isListening(message: unknown): message is Listening {
  return typeof message === 'object' && message !== null && 'url' in message;
}

/** Starts a worker again whenever it ends, until the signal says that ending is right. */
async function keep(
  options: WorkersOptions,
  running: Set<Worker>,
  { number, one, stop }: { readonly number: number; readonly one: Begun; stop: AbortSignal },
): Promise<void> {
  const { clock, say } = options;
  let current = one;
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const how = await current.ended;
    if (stop.aborted) return;
    const livedMs = clock.now() - current.startedMs;
    pauseMs = livedMs >= GROWN_UP_MS ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    say(`worker ${number} ended (${how}); it is started again in ${pauseMs} ms`);
    try {
      await clock.sleep(pauseMs, stop);
    } catch {
      return;
    }
    current = begin(options, running, number);
  }
}

/** By message and not by signal: a terminal's Ctrl-C has reached the workers already, and a second one means now. */
async function drained(
  running: ReadonlySet<Worker>,
  kept: readonly Promise<void>[],
  { clock, drainMs }: { readonly clock: Clock; readonly drainMs: number },
): Promise<void> {
  for (const worker of running) {
    tell(worker);
    // One that was only starting may not have heard it: told again when it answers.
    worker.on('message', () => tell(worker));
  }
  const done = new AbortController();
  const late = clock.sleep(drainMs, done.signal).catch(() => undefined);
  await Promise.race([Promise.all(kept), late]);
  done.abort();
}

const STOP = 'stop';

function tell(worker: Worker): void {
  if (worker.isConnected()) worker.send(STOP, () => undefined);
}

/** In a worker: tells the parent that it answers. */
export function tellParent(listening: Listening): void {
  process.send?.(listening);
}

/** In a worker: aborts when the parent, or whoever aborts `stop`, wants it to end. */
export function toldToStop(stop: AbortSignal): AbortSignal {
  const told = new AbortController();
  process.on('message', (message: unknown) => {
    if (message === STOP) told.abort();
  });
  return AbortSignal.any([stop, told.signal]);
}

/** In a worker: lets go of the parent, so that the process can end. */
export function leaveParent(): void {
  cluster.worker?.disconnect();
}
