// Limits how fast an organization may call: the generic cell rate algorithm (GCRA) in whole microseconds (D20). An
// organization's `tat_us`, the theoretical arrival time, is when its budget would be full again; each request moves it one
// interval ahead. `boundsOf` defines the rule. The admitting statement compares the stored time with its numbers; the waiting
// time, and the fields that show a caller its standing, follow from the same numbers.

import { DAY_MS, MINUTE_MS, type Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import { rowAfter } from '../chained.ts';
import type { Sql, Statement } from '../sql.ts';

export type ThrottlePolicy = {
  readonly name: 'throttle' | 'asked-notices';
  readonly perMinute: number;
  /** Requests that may come at once after a quiet time. */
  readonly burst: number;
  /**
   * Requests of the burst that are left to others that share the budget: fewer than all. A smaller burst would not work: a
   * budget used up by the others would then look like one stored before the clock was set back.
   */
  readonly spared: number;
};

const MINUTE_US = 60_000_000;

/**
 * A stored time that is further ahead than the policy allows, by more than this, means that the clock was set back. The call is
 * then admitted and the budget set to "just used up", instead of refusing until the clock has caught up. Clocks of machines
 * that share a database differ by less.
 */
export const CLOCK_SLACK_US = MINUTE_US;

/** Microseconds that one request takes from the budget. Rounded up, so that rounding never admits more. */
export function intervalUs(policy: ThrottlePolicy): number {
  return Math.ceil(MINUTE_US / policy.perMinute);
}

/** The whole budget in microseconds. */
export function budgetUs(policy: ThrottlePolicy): number {
  return intervalUs(policy) * policy.burst;
}

/** The times to compare a stored time with when this many requests arrive at `nowUs`; microseconds since 1970. */
type ThrottleBounds = {
  /** A stored time up to here is in the past: the budget is full. */
  readonly nowUs: number;
  /** The time that the requests add to the stored time, or to now when that is past. */
  readonly takenUs: number;
  /** A stored time up to here leaves enough of the budget for the requests. */
  readonly admitUntilUs: number;
  /** The stored time of a budget that is just used up. */
  readonly usedUpUs: number;
  /** A stored time beyond this was written before the clock was set back. */
  readonly setBackUs: number;
};

function boundsOf(policy: ThrottlePolicy, nowUs: number, requests: number): ThrottleBounds {
  const takenUs = intervalUs(policy) * requests;
  const usedUpUs = nowUs + budgetUs(policy);
  return {
    nowUs,
    takenUs,
    admitUntilUs: usedUpUs - takenUs - intervalUs(policy) * policy.spared,
    usedUpUs,
    setBackUs: usedUpUs + CLOCK_SLACK_US,
  };
}

/**
 * Takes `requests` requests from the budget, at most its burst minus the spared requests, or rolls the transaction back. It is
 * one conditional statement, so that concurrent processes admit exactly as many as one process would. It is named after its
 * policy and returns the new `tat_us`. `after` names the part of a chain that it follows.
 */
export function consume(
  organizationId: string,
  policy: ThrottlePolicy,
  nowUs: number,
  {
    requests = 1,
    after = null,
  }: { readonly requests?: number; readonly after?: string | null } = {},
): Statement {
  const bounds = boundsOf(policy, nowUs, requests);
  return {
    text: `insert into throttles (organization_id, policy, tat_us) ${rowAfter(after, '$1, $2, $3')}
      on conflict (organization_id, policy) do update set tat_us = case
        when throttles.tat_us > $4 then $5
        when throttles.tat_us > $6 then throttles.tat_us + $7
        else excluded.tat_us end
      where throttles.tat_us <= $8 or throttles.tat_us > $4
      returning tat_us`,
    params: [
      organizationId,
      policy.name,
      bounds.nowUs + bounds.takenUs,
      bounds.setBackUs,
      bounds.usedUpUs,
      bounds.nowUs,
      bounds.takenUs,
      bounds.admitUntilUs,
    ],
    name: policy.name,
    mustReturn: true,
  };
}

/**
 * Returns the microseconds until this many requests would be admitted; 0 if they would be now. `tatUs` is the stored time; null
 * before the first request.
 */
export function waitUs(
  policy: ThrottlePolicy,
  tatUs: number | null,
  nowUs: number,
  requests = 1,
): number {
  const { admitUntilUs, setBackUs } = boundsOf(policy, nowUs, requests);
  if (tatUs === null || tatUs > setBackUs) return 0;
  return Math.max(0, tatUs - admitUntilUs);
}

export type ThrottleStanding = {
  /** Requests that would be admitted now. */
  readonly remaining: number;
  /** Seconds, rounded up, until one more would be admitted; 0 when the budget is whole. */
  readonly resetSeconds: number;
};

/** Returns a policy's standing, without consuming: the `r` and `t` of the RateLimit field. */
export function standingOf(
  policy: ThrottlePolicy,
  tatUs: number | null,
  nowUs: number,
): ThrottleStanding {
  const most = policy.burst - policy.spared;
  const whole = { remaining: most, resetSeconds: 0 };
  if (tatUs === null || tatUs <= nowUs) return whole;
  const { usedUpUs, setBackUs } = boundsOf(policy, nowUs, 0);
  if (tatUs > setBackUs) return { remaining: 1, resetSeconds: 1 };
  const left = Math.floor((usedUpUs - tatUs) / intervalUs(policy)) - policy.spared;
  const remaining = Math.max(0, left);
  const nextUs = waitUs(policy, tatUs, nowUs, remaining + 1);
  return { remaining, resetSeconds: Math.ceil(nextUs / 1_000_000) };
}

/**
 * Maximum tests and replays of notices per day. They are free, but each is a row stored for months and a message to a
 * channel's receiver.
 */
const ASKED_NOTICES_A_DAY = 100;

/** All of a day's may be sent at once. */
const ASKED_NOTICES: ThrottlePolicy = {
  name: 'asked-notices',
  perMinute: ASKED_NOTICES_A_DAY / (DAY_MS / MINUTE_MS),
  burst: ASKED_NOTICES_A_DAY,
  spared: 0,
};

/** Makes the function that takes `count` of them, one for each channel, or throws `throttled`. */
export function createAskedNotices(sql: Sql, clock: Pick<Clock, 'now'>) {
  return async (organizationId: string, count: number): Promise<void> => {
    const nowUs = clock.now() * 1_000;
    const taken = await sql.write([
      consume(organizationId, ASKED_NOTICES, nowUs, { requests: count }),
    ]);
    if (taken.done) return;
    const [row] = await sql.all(
      'select tat_us from throttles where organization_id = $1 and policy = $2',
      [organizationId, ASKED_NOTICES.name],
    );
    const tatUs = row === undefined ? null : Number(row['tat_us']);
    const seconds = Math.ceil(waitUs(ASKED_NOTICES, tatUs, nowUs, count) / 1_000_000);
    throw new FaultError({
      code: 'throttled',
      retryAfterSeconds: Math.max(1, seconds),
      detail:
        `The organization can send at most ${ASKED_NOTICES_A_DAY} tests and replays of notifications per ` +
        'day, counting each channel. Notifications of watches are not counted.',
    });
  };
}
