// The RateLimit-Policy and RateLimit header fields (IETF httpapi draft, structured fields; D20). Pure.

import { DAY_MS, SECOND_MS, nextMonthStartMs, monthOf } from '../../base/clock.ts';
import type { Balance } from '../accounts/balances.ts';
import { FORCED_LIMIT, FORCED_POLICY, FORCED_WINDOW_SECONDS } from './forced-refreshes.ts';
import { budgetUs, standingOf, type ThrottlePolicy, type ThrottleStanding } from './throttle.ts';

/** Values of the two header fields. */
export type RateLimit = {
  /** `RateLimit-Policy` */
  readonly policy: string;
  /** `RateLimit` */
  readonly state: string;
};

/** The standing of the throttle, and of the forced refreshes if the call involves them. */
export type Standings = {
  readonly policy: ThrottlePolicy;
  readonly tatUs: number | null;
  /** The time of the throttle's clock. */
  readonly atUs: number;
  readonly forced?: ThrottleStanding | undefined;
};

/**
 * A throttle's `q` and `w` are its burst and the seconds to refill it. `r` is how many requests would be admitted now, `t` the
 * seconds until one more would be, so that Retry-After is never earlier than `t`. The quota's unit is tokens, its window the
 * calendar month (UTC).
 */
export function rateLimitOf(standings: Standings, balance: Balance, nowMs: number): RateLimit {
  return rateLimitsAt(nowMs)(standings, balance);
}

/** Makes the fields for several calls of one instant: they differ only in their standing. */
export function rateLimitsAt(nowMs: number): (standings: Standings, of: Balance) => RateLimit {
  const monthSeconds = secondsOfMonth(nowMs);
  const leftSeconds = secondsToNextMonth(nowMs);
  let known: { readonly of: ThrottlePolicy; readonly allowance: number; text: string } | null =
    null;

  function policyOf({ policy, forced }: Standings, { allowance }: Balance): string {
    if (known?.of === policy && known.allowance === allowance && forced === undefined) {
      return known.text;
    }
    const windowSeconds = Math.ceil(budgetUs(policy) / 1_000_000);
    const throttle = `"${policy.name}";q=${policy.burst};w=${windowSeconds}, `;
    const quota = `"quota";q=${allowance};w=${monthSeconds};qu="tokens"`;
    if (forced !== undefined) return `${throttle}${FORCED_FIELD}, ${quota}`;
    known = { of: policy, allowance, text: throttle + quota };
    return known.text;
  }

  return (standings, balance) => {
    const { policy, tatUs, atUs, forced } = standings;
    const throttle = fieldOf(policy.name, standingOf(policy, tatUs, atUs));
    const forcing = forced === undefined ? '' : `${fieldOf(FORCED_POLICY, forced)}, `;
    const quota = `"quota";r=${balance.remaining};t=${leftSeconds}`;
    return { policy: policyOf(standings, balance), state: `${throttle}, ${forcing}${quota}` };
  };
}

const FORCED_FIELD = `"${FORCED_POLICY}";q=${FORCED_LIMIT};w=${FORCED_WINDOW_SECONDS}`;

function fieldOf(name: string, { remaining, resetSeconds }: ThrottleStanding): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`;
}

/** Retry-After of an exhausted quota: seconds, rounded up, until the next month (UTC) begins. */
export function secondsToNextMonth(nowMs: number): number {
  return Math.ceil((nextMonthStartMs(nowMs) - nowMs) / SECOND_MS);
}

function secondsOfMonth(nowMs: number): number {
  const startMs = Date.parse(`${monthOf(nowMs)}-01T00:00:00Z`);
  const days = Math.round((nextMonthStartMs(nowMs) - startMs) / DAY_MS);
  return (days * DAY_MS) / SECOND_MS;
}
