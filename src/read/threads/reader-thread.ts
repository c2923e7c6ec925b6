// Entry point of the thread that reads pages: one job in, one result out. It only runs the pure readers, has no environment
// variables, and reads no files or sockets but its own number.

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

import { readHandedIn } from '../handed-in/read-handed-in.ts';
import { readByRules, readCandidates } from '../candidates/candidates.ts';
import { readShopFacts } from '../retailers/hosted-store.ts';
import { readAnswer } from '../retailers/registry.ts';
import { readSearch } from '../retailers/search/search-answers.ts';
import { messageOf } from '../../base/fault.ts';
import type { JobMessage, ReadingJob, ThreadMessage } from './reading-job.ts';
import { OutOfTime, runWithin } from './time-limit.ts';

function read(job: ReadingJob): unknown {
  switch (job.reader) {
    case 'answer':
      return readAnswer(job.page, job.name, job.slug);
    case 'web_search':
      return readSearch(job.page);
    case 'shop':
      return readShopFacts(job.page);
    case 'handed_in':
      return readHandedIn(job.page, job.slug);
    case 'candidates':
      return readCandidates(job.page, job.slug);
    case 'rules':
      return readByRules(job.page, job.rules);
  }
}

function send(message: ThreadMessage): void {
  const cpuMs = cpuMsSoFar();
  parentPort?.postMessage(cpuMs === undefined ? message : { ...message, cpuMs });
}

/** Returns the processor time so far. Available since Node 23.9. */
function cpuMsSoFar(): number | undefined {
  const used = process.threadCpuUsage?.();
  return used === undefined ? undefined : (used.user + used.system) / 1_000;
}

parentPort?.on('message', ({ id, job, limitMs }: JobMessage) => {
  try {
    const value = runWithin(limitMs, () => read(job));
    send({ kind: 'result', id, value });
  } catch (error) {
    // The reader ran out of time, or it threw, which is a bug. Only its own page is affected.
    const isLate = error instanceof OutOfTime && error.isLate;
    send({ kind: 'failed', id, why: messageOf(error), isLate });
  }
});

/**
 * Answers have priority over pages: if both need the same processor, this thread gets a third as much time as the main
 * thread.
 */
const NICE = 5;

/** Only Linux has priorities per thread, addressed by the thread's number in /proc. */
function giveWay(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), NICE);
  } catch {
    // On other systems all threads have the same priority.
  }
}

giveWay();
send({ kind: 'ready' });
