// The circuit breaker of one host: after five failures or refusals in a row the host gets no request for a minute,
// then twice as long after each further failure, at most 15 minutes. Pure state; time and chance are handed in.

const FAILURES_TO_OPEN = 5;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 15 * 60_000;

/**
 * How a request ended, as far as pacing is concerned. `neutral` says nothing about the host, or nothing yet: whether a page
 * is an answer or a wall is known when it has been read.
 */
export type RequestReport = {
  readonly result: 'answered' | 'failed' | 'neutral';
  /** Of a 429 or 503. */
  readonly retryAfterSeconds?: number;
};

export type Circuit = {
  /** Until when the host gets no request, by the clock of `nowMs`; 0 or in the past: it may have one now. */
  blockedUntilMs(): number;
  /** Failures and refusals in a row. */
  failures(): number;
  record(report: RequestReport, nowMs: number): void;
};

/** `random` in [0, 1) lengthens a pause by up to a quarter, so that pauses of many hosts do not end together. */
export function createCircuit(random: () => number): Circuit {
  let failures = 0;
  let openings = 0;
  let untilMs = 0;
  const open = (nowMs: number) => {
    const base = Math.min(FIRST_OPEN_MS * 2 ** openings, LONGEST_OPEN_MS);
    openings += 1;
    untilMs = Math.max(untilMs, nowMs + Math.round(base * (1 + random() / 4)));
  };
  return {
    blockedUntilMs: () => untilMs,
    failures: () => failures,
    record(report, nowMs) {
      if (report.retryAfterSeconds !== undefined) {
        untilMs = Math.max(untilMs, nowMs + report.retryAfterSeconds * 1_000);
      }
      if (report.result === 'answered') {
        failures = 0;
        openings = 0;
      } else if (report.result === 'failed') {
        failures += 1;
        // Once opened, the next request is a probe: its failure opens again at once.
        if (failures >= FAILURES_TO_OPEN) open(nowMs);
      }
    },
  };
}
