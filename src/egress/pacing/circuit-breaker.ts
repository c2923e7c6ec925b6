// The circuit breaker of one host. After five failures or refusals in a row the host gets no request for a minute, then twice
// as long after each further failure, at most 15 minutes. A pause may rest on the failures of one organization only. It then
// applies to background work and, a quarter longer, to that organization; the next request of any other one is a probe. Pure
// state; time and chance are passed in.

import {
  ownLeft,
  SEVERAL,
  withFailureFor,
  type AskedPause,
  type ConcludedPause,
  type FailedFor,
} from '../../base/failed-for.ts';

const FAILURES_TO_OPEN = 5;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 15 * 60_000;

/**
 * The result of a request for pacing. `neutral` reveals nothing about the host, or nothing yet: only a reader can determine
 * whether a page is an answer or a wall.
 */
export type RequestReport = {
  readonly result: 'answered' | 'failed' | 'neutral';
  /** The pause requested by a 429 or 503. */
  readonly asked?: AskedPause;
  /** False if the turn ended before anything was sent: the pause between requests then does not apply. */
  readonly isSent?: boolean;
};

export type Circuit = {
  pauseLeft(nowMs: number): ConcludedPause;
  /** Number of failures and refusals in a row. */
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
    // After a pause for everyone it takes two organizations again: one that keeps failing would otherwise keep the circuit
    // open.
    const isBehind = concludedUntilMs > 0 && concludedUntilMs <= nowMs;
    failedFor = withFailureFor(isBehind && failedFor === SEVERAL ? null : failedFor, asker);
    // After the first pause, the next request is a probe: if it fails, the next pause begins at once.
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
