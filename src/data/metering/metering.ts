// Every call with a known key passes through here: it is throttled, its tokens are debited or reserved, and it is written
// to the ledger, in one transaction that is durable before the answer. This file is independent of routes and products.

import { nextMonthStartMs } from '../../base/clock.ts';
import type { Scope } from '../../base/scopes.ts';
import { RESERVED_MS, renewReservations, sweepReservations } from '../accounts/balances.ts';
import { sweepIdempotencyRecords } from '../accounts/idempotency.ts';
import { findSpentByKey, findUsageSums, type UsageSums } from '../accounts/usage.ts';
import { createBatchedCharges, isBatched } from './batched-charges.ts';
import { createAuthentication, requireScope, type Caller } from './authentication.ts';
import { charge, reserve } from './charging.ts';
import { takePageSlot } from './forced-refreshes.ts';
import { findReplay, type CallAnswer, type Replay } from './idempotency.ts';
import {
  accountOf,
  orUnavailable,
  readBalance,
  readRateLimit,
  throttleUs,
  type CallToCharge,
  type Charged,
  type EventLoop,
  type IdempotentRequest,
  type Meter,
  type MeteringParts,
} from './meter.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Reservation } from './reservation.ts';

export { IdempotencyKeyTaken, fingerprintOf, stillRunning } from './idempotency.ts';
export { AnswerChanged, orUnavailable } from './meter.ts';
export type { CallAnswer, Caller, Charged, EventLoop, IdempotentRequest, RateLimit, Reservation };

export type Metering = {
  /** Finds the caller. FaultError missing_api_key, invalid_api_key. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>;
  /** Throws FaultError insufficient_scope. */
  requireScope(caller: Caller, scope: Scope): void;
  /**
   * Returns the answer stored for an Idempotency-Key; null if the key is free (D21). FaultError idempotency_conflict: another
   * request has the key, or its first call is still running.
   */
  findReplay(caller: Caller, request: IdempotentRequest): Promise<Replay | null>;
  /**
   * Spends tokens at once; with 0 tokens only the throttle counts. FaultError as in `reserve`. The answer of a call with an
   * Idempotency-Key is stored in the same transaction. IdempotencyKeyTaken if another call was first. AnswerChanged if one of
   * the call's revisions has changed.
   */
  charge(
    caller: Caller,
    call: CallToCharge & { readonly tokens: number; readonly answer?: CallAnswer },
  ): Promise<Charged>;
  /**
   * Reserves the most that a call can cost. With 0 tokens it takes only throttle and key, before the call does its work.
   * FaultError throttled, force_refresh_limit, quota_exceeded, each with its own Retry-After; no limit is then consumed.
   * IdempotencyKeyTaken as in `charge`.
   */
  reserve(
    caller: Caller,
    call: CallToCharge & { readonly maxTokens: number },
  ): Promise<Reservation>;
  /** Counts a page that is handed in, before its body is read (D84). FaultError throttled. */
  takePage(caller: Caller): Promise<void>;
  /** Counts a read of a page's candidates (D93). FaultError throttled. */
  takeCandidates(caller: Caller): Promise<void>;
  /** Returns the tokens that may still be spent this month. */
  remaining(caller: Caller): Promise<number>;
  /** Returns what the organization has spent in the current month, and its allowance. */
  usage(caller: Caller): Promise<Spending>;
  /** Returns the tokens charged to the caller's key in the current month. */
  spentByKey(caller: Caller): Promise<number>;
  /** Returns the standing of all limits, without consuming. */
  rateLimit(caller: Caller): Promise<RateLimit>;
  /** Writes the days on which this process saw keys used. Call it every 10 seconds and at the end. */
  noteUses(): Promise<void>;
  /** Renews the reservations of this process. Call it every `RENEW_EVERY_MS`: without it they are freed after `RESERVED_MS`. */
  renewReservations(): Promise<void>;
  /** Frees the tokens that no process has renewed, and returns the number of reservations. Call it as often. */
  freeReservations(): Promise<number>;
  /** Whether tokens are reserved for a call of any process. */
  hasReservations(): Promise<boolean>;
  /**
   * Cleans up the store, outside of calls, in one process at a time. It frees reservations of processes that died, deletes
   * answers stored 24 hours ago, and also writes the days of use. Call it at startup and every 10 seconds. Returns the
   * number of reservations freed.
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
  const { loop = IDLE_LOOP, steady = parts.clock, leaseClock = parts.clock } = parts;
  const meter: Meter = {
    ...parts,
    loop,
    steady,
    leaseClock,
    usedKeys: new Map(),
    reserved: new Map(),
  };
  const chargeWithOthers = createBatchedCharges(meter);
  const { knownCaller, findCaller } = createAuthentication(parts.accounts, parts.clock);
  return {
    authenticate: (header) => knownCaller(header) ?? orUnavailable(findCaller(header)),
    requireScope,
    findReplay: (caller, request) => findReplay(meter, caller, request),
    charge: (caller, call) =>
      isBatched(call) ? chargeWithOthers(caller, call) : charge(meter, caller, call),
    reserve: (caller, call) => reserve(meter, caller, call),
    takePage: ({ organizationId }) =>
      orUnavailable(takePageSlot(meter.sql, 'pages', organizationId, throttleUs(meter))),
    takeCandidates: ({ organizationId }) =>
      orUnavailable(takePageSlot(meter.sql, 'candidates', organizationId, throttleUs(meter))),
    remaining: async (caller) => (await readBalance(meter, caller)).remaining,
    usage: (caller) => readSpending(meter, caller),
    spentByKey: (caller) =>
      orUnavailable(findSpentByKey(meter.sql, accountOf(caller, meter.clock.now()), caller.keyId)),
    rateLimit: (caller) => readRateLimit(meter, caller),
    noteUses: () => noteUses(meter),
    renewReservations: () => renew(meter),
    freeReservations: () => sweepReservations(meter.sql, meter.leaseClock.now()),
    hasReservations: async () =>
      (await meter.sql.all('select 1 as found from reservations limit 1')).length > 0,
    sweep: () => sweep(meter),
  };
}

/** The month (UTC) of one organization. `allowance` is its quota plus grants. */
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

/** Leases that were set or renewed this recently last until the next renewal: most calls end before. */
const RECENT_MS = 1_000;

async function renew({ sql, leaseClock, reserved }: Meter): Promise<void> {
  const untilMs = leaseClock.now() + RESERVED_MS;
  const due = [...reserved].filter(([, leaseUntilMs]) => leaseUntilMs < untilMs - RECENT_MS);
  const ids = due.map(([requestId]) => requestId);
  await renewReservations(sql, ids, untilMs);
  // Calls that have ended meanwhile are gone.
  for (const id of ids) if (reserved.has(id)) reserved.set(id, untilMs);
}

async function sweep(meter: Meter): Promise<number> {
  await noteUses(meter);
  // Reservations come first, because callers wait for their tokens.
  const freed = await sweepReservations(meter.sql, meter.leaseClock.now());
  await sweepIdempotencyRecords(meter.sql, meter.clock.now());
  return freed;
}
