// Contexts for fetches, created at the start of a call or a job, with the deadline as a signal and as a number.

import type { FetchContext, Priority } from '../base/fetch-context.ts';

type Deadline = {
  /** The time of the clock used for pacing, which is never set. */
  readonly nowMs: number;
  /** The time limit for the work, in milliseconds. */
  readonly ms: number;
  /** Ends the work earlier. */
  readonly stop?: AbortSignal | undefined;
};

/** The context of one piece of work. Timers run on the machine's own clock. */
export function fetchContext({ nowMs, ms, stop }: Deadline, priority: Priority): FetchContext {
  const own = AbortSignal.timeout(ms);
  return {
    signal: stop === undefined ? own : AbortSignal.any([own, stop]),
    deadlineMs: nowMs + ms,
    turns: () => [priority],
  };
}
