// How fast an organization may call: GCRA in whole microseconds (D20). The same arithmetic stands here
// twice, as one SQL statement that checks and consumes, and as pure functions that say when to come back;
// tests hold them together.

import type { Statement } from '../store/sql.ts';

export type ThrottlePolicy = {
  readonly name: 'throttle' | 'force-refresh';
  readonly perMinute: number;
  /** Requests that may come at once after a quiet time. */
  readonly burst: number;
};

/** Specification, limits: forced refreshes of every form, 100 a minute per organization. */
export const FORCE_REFRESH_POLICY: ThrottlePolicy = {
  name: 'force-refresh',
  perMinute: 100,
  burst: 100,
};

const MINUTE_US = 60_000_000;

/**
 * A stored time further ahead than the policy allows, by more than this, means that the clock was set
 * back: the call is admitted and the budget set to "just used up", instead of refusing until the clock
 * has caught up. Clocks of machines that share a database differ by less.
 */
const CLOCK_SLACK_US = 60_000_000;

/** Microseconds one request takes from the budget; rounded up, so that rounding never admits more. */
export function intervalUs(policy: ThrottlePolicy): number {
  return Math.ceil(MINUTE_US / policy.perMinute);
}

/** The whole budget in microseconds. */
export function budgetUs(policy: ThrottlePolicy): number {
  return intervalUs(policy) * policy.burst;
}

/**
 * Takes so many requests from the budget, at most its burst, or rolls the transaction back; named as its policy.
 * `tat_us` is the theoretical arrival time: when the budget would be whole again.
 */
export function consume(
  organizationId: string,
  policy: ThrottlePolicy,
  nowUs: number,
  requests = 1,
): Statement {
  const taken = intervalUs(policy) * requests;
  const budget = budgetUs(policy);
  return {
    text: `insert into throttles (organization_id, policy, tat_us) values ($1, $2, $3)
      on conflict (organization_id, policy) do update set tat_us = case
        when throttles.tat_us > $4 then $5
        when throttles.tat_us > $6 then throttles.tat_us + $7
        else excluded.tat_us end
      where throttles.tat_us <= $8 or throttles.tat_us > $4
      returning tat_us`,
    params: [
      organizationId,
      policy.name,
      nowUs + taken,
      nowUs + budget + CLOCK_SLACK_US,
      nowUs + budget,
      nowUs,
      taken,
      nowUs + budget - taken,
    ],
    name: policy.name,
    mustReturn: true,
  };
}

export type Admission =
  | { readonly admitted: true; readonly tatUs: number }
  | { readonly admitted: false; readonly retryAfterUs: number };

/** What `consume` does with a stored time (null: none), and how long to wait when it refuses. */
export function admissionOf(
  policy: ThrottlePolicy,
  tatUs: number | null,
  nowUs: number,
): Admission {
  const interval = intervalUs(policy);
  const budget = budgetUs(policy);
  if (tatUs === null) return { admitted: true, tatUs: nowUs + interval };
  if (tatUs > nowUs + budget + CLOCK_SLACK_US) return { admitted: true, tatUs: nowUs + budget };
  const waitUs = tatUs + interval - nowUs - budget;
  if (waitUs > 0) return { admitted: false, retryAfterUs: waitUs };
  return { admitted: true, tatUs: Math.max(tatUs, nowUs) + interval };
}

export type Standing = {
  /** Requests that would be admitted now. */
  readonly remaining: number;
  /** Seconds, rounded up, until one more would be; 0 when the budget is whole. */
  readonly resetSeconds: number;
};

/** Where a policy stands, without consuming: the `r` and `t` of the RateLimit field. */
export function standingOf(policy: ThrottlePolicy, tatUs: number | null, nowUs: number): Standing {
  const interval = intervalUs(policy);
  const budget = budgetUs(policy);
  const owedUs = Math.max(0, (tatUs ?? nowUs) - nowUs);
  if (owedUs > budget + CLOCK_SLACK_US) return { remaining: 1, resetSeconds: 1 };
  const remaining = Math.max(0, Math.floor((budget - owedUs) / interval));
  if (remaining >= policy.burst) return { remaining: policy.burst, resetSeconds: 0 };
  const nextUs = owedUs - (budget - (remaining + 1) * interval);
  return { remaining, resetSeconds: Math.ceil(nextUs / 1_000_000) };
}
