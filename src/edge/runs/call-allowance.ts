// How many calls a key may make, as stated in each of the service's answers (RateLimit fields). A long run takes at least as
// long as its calls take to be admitted.

import { SECOND_MS } from '../../base/clock.ts';

export type CallAllowance = {
  /** Calls that would be admitted now. */
  readonly now: number;
  readonly perSecond: number;
};

/** Stores the most recently received allowance. */
export type AllowanceBook = {
  readonly hear: (headers: Pick<Headers, 'get'>) => void;
  readonly last: () => CallAllowance | null;
};

export function createAllowanceBook(): AllowanceBook {
  let last: CallAllowance | null = null;
  return {
    hear: (headers) => {
      last = allowanceIn(headers.get('ratelimit-policy'), headers.get('ratelimit')) ?? last;
    },
    last: () => last,
  };
}

/** Returns the milliseconds until this many calls are admitted; 0 if nothing is known. */
export function msForCalls(calls: number, allowance: CallAllowance | null): number {
  if (allowance === null) return 0;
  return (Math.max(0, calls - allowance.now) / allowance.perSecond) * SECOND_MS;
}

/** The first policy limits calls; others limit tokens or forced refreshes. */
function allowanceIn(policy: string | null, state: string | null): CallAllowance | null {
  const [, name, calls, seconds] = /^"([^"]+)";q=(\d+);w=(\d+)(?:,|$)/.exec(policy ?? '') ?? [];
  const [, of, now] = /^"([^"]+)";r=(\d+);/.exec(state ?? '') ?? [];
  if (name === undefined || name !== of || Number(calls) === 0 || Number(seconds) === 0)
    return null;
  return { now: Number(now), perSecond: Number(calls) / Number(seconds) };
}
