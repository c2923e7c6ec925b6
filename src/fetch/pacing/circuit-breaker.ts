// The circuit breaker of one host: after five failures or refusals in a row the host gets no request for a minute,
// then twice as long after each further failure, at most 15 minutes. A pause that stands on the failures of one
// organization holds for background work and, a quarter longer, for that one; the next request of any other is a probe. Pure state; time
// and chance are handed in.

import {
  ownLeft,
  SEVERAL,
  withFailureFor,
  type AskedPause,
  type ConcludedPause,
  type FailedFor,
} from '../../core/failed-for.ts';

const FAILURES_TO_OPEN = 5;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 15 * 60_000;

/**
 * How a request ended, as far as pacing is concerned. `neutral` says nothing about the host, or nothing yet: whether a page
 * is an answer or a wall is known when it has been read.
 */
export type RequestReport = {
  readonly result: 'answered' | 'failed' | 'neutral';
  /** Of a 429 or 503 that says when to come back. */
  readonly asked?: AskedPause;
  /** False: the turn ended before anything was sent, so that nothing waits for the pause behind it. */
  readonly isSent?: boolean;
};

export type Circuit = {
  pauseLeft(nowMs: number): ConcludedPause;
  /** Failures and refusals in a row. */
  failures(): number;
  record(report: RequestReport, asker: FailedFor, nowMs: number): void;
};

/** `random` in [0, 1) lengthens a pause by up to a quarter, so that pauses of many hosts do not end together. */
export function createCircuit(random: () => number): Circuit {
  let failures = 0;
  let openings = 0;
  let failedFor: FailedFor = null;
  let concludedUntilMs = 0;
  let lengthMs = 0;
  const fail = (asker: FailedFor, nowMs: number) => {
    failures += 1;
    // Behind a pause for everyone it takes two again: one organization that goes on failing would keep the host closed.
    const isBehind = concludedUntilMs > 0 && concludedUntilMs <= nowMs;
    failedFor = withFailureFor(isBehind && failedFor === SEVERAL ? null : failedFor, asker);
    // Once opened, the next request is a probe: its failure opens again at once.
    if (failures < FAILURES_TO_OPEN) return;
    const base = Math.min(FIRST_OPEN_MS * 2 ** openings, LONGEST_OPEN_MS);
    openings += 1;
    const openMs = Math.round(base * (1 + random() / 4));
    if (nowMs + openMs <= concludedUntilMs) return;
    lengthMs = openMs;
    concludedUntilMs = nowMs + openMs;
  };
  return {
    pauseLeft: (nowMs) => ({
      concludedMs: Math.max(0, concludedUntilMs - nowMs),
      ownMs: ownLeft(lengthMs, nowMs - (concludedUntilMs - lengthMs)),
      failedFor,
    }),
    failures: () => failures,
    record(report, asker, nowMs) {
      if (report.result === 'failed') fail(asker, nowMs);
      if (report.result !== 'answered') return;
      failures = 0;
      openings = 0;
      failedFor = null;
      concludedUntilMs = 0;
      lengthMs = 0;
    },
  };
}
