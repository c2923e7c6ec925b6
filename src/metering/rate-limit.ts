// The RateLimit-Policy and RateLimit header fields (IETF httpapi draft, structured fields; D20). Pure.

import { DAY_MS, SECOND_MS, nextMonthStartMs, monthOf } from '../core/clock.ts';
import type { Balance } from '../store/balances.ts';
import { budgetUs, standingOf, type ThrottlePolicy } from './throttle.ts';

/** Values of the two header fields. */
export type RateLimit = {
  /** `RateLimit-Policy` */
  readonly policy: string;
  /** `RateLimit` */
  readonly state: string;
};

export type ThrottleState = { readonly policy: ThrottlePolicy; readonly tatUs: number | null };

/**
 * `q` and `w` of a throttle are its burst and the seconds in which that comes back; `r` what would be
 * admitted now, `t` seconds until one more would be, so that Retry-After is never earlier than `t`. The
 * quota's unit is tokens, its window the calendar month (UTC).
 */
export function rateLimitOf(
  throttles: readonly ThrottleState[],
  balance: Balance,
  nowMs: number,
): RateLimit {
  const policies = throttles.map(({ policy }) => {
    const windowSeconds = Math.ceil(budgetUs(policy) / 1_000_000);
    return `"${policy.name}";q=${policy.burst};w=${windowSeconds}`;
  });
  const limits = throttles.map(({ policy, tatUs }) => {
    const { remaining, resetSeconds } = standingOf(policy, tatUs, nowMs * 1_000);
    return `"${policy.name}";r=${remaining};t=${resetSeconds}`;
  });
  const quota = `"quota";q=${balance.allowance};w=${secondsOfMonth(nowMs)};qu="tokens"`;
  const left = `"quota";r=${balance.remaining};t=${secondsToNextMonth(nowMs)}`;
  return { policy: [...policies, quota].join(', '), state: [...limits, left].join(', ') };
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
