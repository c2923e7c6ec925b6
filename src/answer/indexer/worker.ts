// The background worker: leases jobs and performs them, several at a time, until it is stopped. A heartbeat renews each
// lease. If a job's lease is lost, the job is abandoned, because another worker has it. No job failure ends the loop.

import type { FetchContext } from '../../base/fetch-context.ts';
import type { Clock } from '../../base/clock.ts';
import { createInProgress, type InProgress, type Piece } from '../../base/in-progress.ts';
import type { Collect } from '../collect/collect.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Database } from '../../data/sql.ts';
import { HEARTBEAT_MS, type Job, type Jobs } from '../../data/turns/jobs.ts';
import { backoffMs, perform, type Ending } from './perform.ts';
import { untilDue } from '../../data/until-due.ts';

export type WorkerParts = {
  readonly sql: Pick<Database, 'changes'>;
  readonly jobs: Jobs;
  readonly collect: Collect;
  readonly clock: Clock;
  /** A number in [0, 1), which spreads the times at which jobs are retried. */
  readonly random: () => number;
  /** Creates fencing tokens: unguessable and unique. */
  readonly newId: () => string;
  /** Creates the context of a job's fetches, with its deadline and its priority; it ends with the given signal. */
  readonly contextFor: (stop: AbortSignal) => FetchContext;
  /** Notifies watches waiting for a job of its outcome: the listing, or why nothing was read. */
  readonly notifyWatches: (job: Job, came: StoredListing | string) => Promise<void>;
  /** Called when the outcome of such a job is recorded: a check of a watch may be over. */
  readonly endChecks: (job: Job) => Promise<void>;
  /** Called once for each of the service's own errors. */
  readonly onError: (what: string, error: unknown) => void;
  /** Maximum jobs performed at the same time. */
  readonly concurrency: number;
};

export type Worker = {
  /** Starts the worker; a second call changes nothing. */
  start(): void;
  /** Checks for a job now, because one may have been added. */
  wake(): void;
  /** Returns running jobs to the queue without counting the attempt. Resolves when none is running any more. */
  stop(): Promise<void>;
};

/** How often the worker checks for jobs of which it is not notified: other processes add some too. */
const POLL_MS = 1_000;
/** The pause after a failure of the store itself. */
const PAUSE_MS = 5_000;

export function createWorker(parts: WorkerParts): Worker {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const alarm = createAlarm(stopping.signal);
  const pieces = createInProgress(parts.concurrency, () => alarm.ring());
  let loop: Promise<void> | null = null;
  return {
    start() {
      if (!stopping.signal.aborted) loop ??= work(parts, { stopping, running, pieces, alarm });
    },
    wake: () => alarm.ring(),
    async stop() {
      stopping.abort();
      alarm.ring();
      await loop;
      await Promise.all(running);
    },
  };
}

type WorkerRun = {
  readonly stopping: AbortController;
  readonly running: Set<Promise<void>>;
  readonly pieces: InProgress;
  readonly alarm: Alarm;
};

async function work(
  parts: WorkerParts,
  { stopping, running, pieces, alarm }: WorkerRun,
): Promise<void> {
  while (!stopping.signal.aborted) {
    let waitMs = POLL_MS;
    try {
      const jobs = await nextJobs(parts, pieces.room());
      for (const job of jobs) {
        const piece = pieces.begin();
        const done = keep(parts, job, { stop: stopping.signal, piece }).finally(() => {
          running.delete(done);
          piece.end();
        });
        running.add(done);
      }
      if (jobs.length > 0) continue;
    } catch (error) {
      waitMs = PAUSE_MS;
      parts.onError('could not lease a job', error);
    }
    const findNext = () => (pieces.room() > 0 ? parts.jobs.findNextDue() : Promise.resolve(null));
    await alarm.wait((rung) => untilDue(parts, { everyMs: waitMs, findNext }, rung));
  }
}

/**
 * Returns the next jobs, leased in one commit. It reads before it writes, so that an idle queue costs only reads. Rejects only
 * if none was leased.
 */
async function nextJobs(
  { jobs, clock, newId }: WorkerParts,
  room: number,
): Promise<readonly Job[]> {
  if (room === 0 || !(await jobs.isDue(clock.now()))) return [];
  const leases = Array.from({ length: room }, () => jobs.lease(newId(), clock.now()));
  const ended = await Promise.allSettled(leases);
  const leased = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (leased.length === 0) await leases[0];
  return leased.filter((job) => job !== null);
}

/** Performs a job under its lease and records the outcome. Never rejects. */
async function keep(
  parts: WorkerParts,
  job: Job,
  { stop, piece }: { readonly stop: AbortSignal; readonly piece: Piece },
): Promise<void> {
  const lost = new AbortController();
  const done = new AbortController();
  const beating = heartbeat(parts, job, { lost, done: done.signal });
  const { onGathering } = piece;
  const context = { ...parts.contextFor(AbortSignal.any([stop, lost.signal])), onGathering };
  let ending: Ending;
  try {
    ending = await perform(parts.collect, job, parts.clock.now(), context);
  } catch (error) {
    parts.onError(`job ${job.id} failed`, error);
    const reason = error instanceof Error ? error.message.slice(0, 300) : String(error);
    ending = { kind: 'failed', reason, waitMs: backoffMs(job.attempts) };
  }
  done.abort();
  await beating;
  const isCutOff = stop.aborted && ending.kind !== 'done';
  try {
    const came = (ending.kind === 'done' ? ending.stored : undefined) ?? ending.reason;
    if (!isCutOff && came !== undefined && job.isCharged) await parts.notifyWatches(job, came);
    const cutOff: Ending = { kind: 'postponed', reason: 'the service stopped', waitMs: 0 };
    const settled = settle(parts, job, isCutOff ? cutOff : ending);
    // The next job is leased in the commit that ends this one.
    piece.end();
    await settled;
    if (!isCutOff && job.isCharged) await parts.endChecks(job);
  } catch (error) {
    // The lease expires, and the job is then leased again.
    parts.onError(`could not record the outcome of job ${job.id}`, error);
  }
}

async function heartbeat(
  { jobs, clock, onError }: WorkerParts,
  job: Job,
  { lost, done }: { readonly lost: AbortController; readonly done: AbortSignal },
): Promise<void> {
  while (!done.aborted) {
    try {
      await clock.sleep(HEARTBEAT_MS, done);
    } catch {
      return;
    }
    try {
      if (!(await jobs.extend(job, clock.now()))) lost.abort();
    } catch (error) {
      onError(`could not extend the lease of job ${job.id}`, error);
    }
    if (lost.signal.aborted) return;
  }
}

/** Records the job's outcome. Changes nothing if the lease was lost. */
async function settle({ jobs, clock, random }: WorkerParts, job: Job, ending: Ending) {
  const nowMs = clock.now();
  switch (ending.kind) {
    case 'done':
      await jobs.complete(job);
      return;
    case 'hopeless':
      await jobs.park(job, ending.reason, nowMs);
      return;
    case 'postponed':
    case 'failed': {
      // Retried up to a quarter later, so that jobs that failed together are not retried together.
      const runAtMs = nowMs + Math.round(ending.waitMs * (1 + random() / 4));
      const deferral = { reason: ending.reason, runAtMs };
      if (ending.kind === 'postponed') await jobs.postpone(job, deferral);
      else await jobs.fail(job, deferral, nowMs);
    }
  }
}

type Alarm = {
  /**
   * Waits for `ring`, at most as long as `sleep` does. Returns at once if it was called since the last wait, or if the worker
   * was stopped.
   */
  wait(sleep: (rung: AbortSignal) => Promise<void>): Promise<void>;
  ring(): void;
};

function createAlarm(stop: AbortSignal): Alarm {
  let hasRung = false;
  let sleeper = new AbortController();
  return {
    async wait(sleep) {
      if (!hasRung && !stop.aborted) {
        sleeper = new AbortController();
        // `ring` aborts the sleep.
        await sleep(sleeper.signal).catch(() => undefined);
      }
      hasRung = false;
    },
    ring() {
      hasRung = true;
      sleeper.abort();
    },
  };
}
