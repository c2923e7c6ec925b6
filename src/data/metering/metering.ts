// Every call with a known key passes here. It is throttled, its tokens are debited or reserved, and it is written to the
// ledger, in one transaction that is durable before the answer. This file knows no route and no product.

import { nextMonthStartMs } from '../../base/clock.ts';
import type { Scope } from '../../base/scopes.ts';
import { sweepReservations } from '../accounts/balances.ts';
import { sweepIdempotencyRecords } from '../accounts/idempotency.ts';
import { findSpentByKey, findUsageSums, type UsageSums } from '../accounts/usage.ts';
import { createBatchedCharges, isBatched } from './batched-charges.ts';
import { createAuthentication, requireScope, type Caller } from './authentication.ts';
import { charge, reserve } from './charging.ts';
import { findReplay, type CallAnswer, type Replay } from './idempotency.ts';
import {
  accountOf,
  orUnavailable,
  readBalance,
  readRateLimit,
  type CallToCharge,
  type Charged,
  type EventLoop,
  type IdempotentRequest,
  type Meter,
  type MeteringParts,
} from './meter.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Reservation } from './reservation.ts';

export {
  IDEMPOTENCY_KEY,
  IdempotencyKeyTaken,
  fingerprintOf,
  stillRunning,
} from './idempotency.ts';
export { AnswerChanged, orUnavailable } from './meter.ts';
export type { Revision } from '../answers/revisions.ts';
export type {
  CallAnswer,
  CallToCharge,
  Caller,
  Charged,
  EventLoop,
  IdempotentRequest,
  RateLimit,
  Replay,
  Reservation,
};

export type Metering = {
  /** Finds the caller. FaultError missing_api_key, invalid_api_key. */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** The caller at once, if the key was read in the last half second. Null otherwise: `authenticate` then says why. */
  knownCaller(authorization: string | undefined): Caller | null;
  /** Throws FaultError insufficient_scope. */
  requireScope(caller: Caller, scope: Scope): void;
  /**
   * The answer stored for an Idempotency-Key; null when the key is free (D21). FaultError idempotency_conflict: another request
   * has the key, or its first call is still running.
   */
  findReplay(caller: Caller, request: IdempotentRequest): Promise<Replay | null>;
  /**
   * Spends tokens at once; with 0 tokens only the throttle counts. FaultError as `reserve`. The answer of a call with an
   * Idempotency-Key is kept in the same transaction. IdempotencyKeyTaken when another call was first. AnswerChanged when one of
   * the call's revisions has changed.
   */
  charge(
    caller: Caller,
    call: CallToCharge & { readonly tokens: number; readonly answer?: CallAnswer },
  ): Promise<Charged>;
  /**
   * Sets the most that a call can cost aside. With 0 tokens it takes only throttle and key, before the call does its work.
   * FaultError throttled, force_refresh_limit, quota_exceeded, each with its own Retry-After; then no limit was consumed.
   * IdempotencyKeyTaken as `charge`.
   */
  reserve(
    caller: Caller,
    call: CallToCharge & { readonly maxTokens: number },
  ): Promise<Reservation>;
  /** Tokens that may still be spent this month. */
  remaining(caller: Caller): Promise<number>;
  /** What the organization spent in the running month, and what it may spend. */
  usage(caller: Caller): Promise<Spending>;
  /** Tokens that the caller's key was charged in the running month. */
  spentByKey(caller: Caller): Promise<number>;
  /** The standing of all limits, without consuming. */
  rateLimit(caller: Caller): Promise<RateLimit>;
  /** Writes the days on which keys were used in this process. To be called every 10 seconds and at the end. */
  noteUses(): Promise<void>;
  /**
   * Cleans up the store, outside every call, by one process at a time. It frees reservations of processes that died, forgets
   * answers that were stored 24 hours ago, and writes the days of use too. To be called at the start and every 10 seconds.
   * Returns how many reservations it freed.
   */
  sweep(): Promise<number>;
};

const IDLE_LOOP: EventLoop = {
  isBusy: () => false,
  hasProcessor: () => true,
  endOfTurn: () => Promise.resolve(),
  pause: () => Promise.resolve(),
  nowMs: () => 0,
};

export function createMetering(parts: MeteringParts): Metering {
  const { loop = IDLE_LOOP } = parts;
  const meter: Meter = { ...parts, loop, usedKeys: new Map() };
  const chargeWithOthers = createBatchedCharges(meter);
  const { authenticate, knownCaller } = createAuthentication(parts.accounts, parts.clock);
  return {
    authenticate: (authorization) => orUnavailable(authenticate(authorization)),
    knownCaller,
    requireScope,
    findReplay: (caller, request) => findReplay(meter, caller, request),
    charge: (caller, call) =>
      isBatched(call) ? chargeWithOthers(caller, call) : charge(meter, caller, call),
    reserve: (caller, call) => reserve(meter, caller, call),
    remaining: async (caller) => (await readBalance(meter, caller)).remaining,
    usage: (caller) => readSpending(meter, caller),
    spentByKey: (caller) =>
      orUnavailable(findSpentByKey(meter.sql, accountOf(caller, meter.clock.now()), caller.keyId)),
    rateLimit: (caller) => readRateLimit(meter, caller),
    noteUses: () => noteUses(meter),
    sweep: () => sweep(meter),
  };
}

/** The month (UTC) of one organization. `allowance` is its quota and what was granted. */
type Spending = UsageSums & {
  readonly month: string;
  readonly allowance: number;
  /** When the next month begins, with a new balance. */
  readonly endsAtMs: number;
};

async function readSpending(meter: Meter, caller: Caller): Promise<Spending> {
  const nowMs = meter.clock.now();
  const account = accountOf(caller, nowMs);
  const sums = await orUnavailable(findUsageSums(meter.sql, account));
  const { allowance } = await readBalance(meter, caller);
  return { ...sums, month: account.month, allowance, endsAtMs: nextMonthStartMs(nowMs) };
}

async function noteUses(meter: Meter): Promise<void> {
  const used = [...meter.usedKeys];
  meter.usedKeys.clear();
  await Promise.all(used.map(([id, day]) => meter.accounts.noteKeyUsed(id, day)));
}

async function sweep(meter: Meter): Promise<number> {
  await noteUses(meter);
  // Reservations come first, because callers wait for their tokens.
  const freed = await sweepReservations(meter.sql, meter.clock.now());
  await sweepIdempotencyRecords(meter.sql, meter.clock.now());
  return freed;
}
