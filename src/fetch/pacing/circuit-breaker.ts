// The breaker of one host: after five failures or refusals in a row nothing is asked for a while, twice
// as long each time (security 6, upstream row). Pure state; time and chance are handed in.

const FAILURES_TO_OPEN = 5;
const FIRST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 15 * 60_000;

/** How a request ended, as far as politeness cares. `neutral` says nothing about the host. */
export type Report = {
  readonly result: 'answered' | 'failed' | 'neutral';
  /** From a 429 or 503. */
  readonly retryAfterSeconds?: number;
};

export type Circuit = {
  /** When the host may be asked again; 0 when now. */
  closedUntilMs(): number;
  note(report: Report, nowMs: number): void;
  /** True when there is nothing to remember. */
  isFresh(nowMs: number): boolean;
};

/** `random` in [0, 1) spreads the end of a pause by up to a quarter, so that hosts are not met at once. */
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
    closedUntilMs: () => untilMs,
    note(report, nowMs) {
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
    isFresh: (nowMs) => failures === 0 && untilMs <= nowMs,
  };
}
