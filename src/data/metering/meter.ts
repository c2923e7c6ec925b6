// The context shared by the functions of this folder: the parts they work with and the reads they all need.

import { randomBytes } from 'node:crypto';

import { dayOf, monthOf, type Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { BALANCE, findUsage, type Account, type Usage } from '../accounts/balances.ts';
import type { Revision } from '../answers/revisions.ts';
import type { NamedRows, Row, Sql, Transaction, TransactionResult, WriteOptions } from '../sql.ts';
import type { Caller } from './authentication.ts';
import { findForced } from './forced-refreshes.ts';
import { rateLimitOf, type RateLimit, type Standings } from './rate-limit.ts';
import type { ThrottlePolicy } from './throttle.ts';
import { StoreUnavailable } from '../sql.ts';

export type MeteringParts = {
  readonly accounts: Accounts;
  readonly sql: Sql;
  readonly clock: Clock;
  /** The clock that all processes share, for reservations; if absent, `clock`. */
  readonly leaseClock?: Clock;
  /**
   * The clock of throttles, which is not set while the service runs: the other one may be, and would then refuse what is
   * allowed, or allow a burst again. If absent, the other one.
   */
  readonly steady?: Pick<Clock, 'now'>;
  /** If absent, the event loop counts as never busy. */
  readonly loop?: EventLoop;
};

export type EventLoop = {
  /** Whether the loop was busy for most of the time since the last call of this method, so that it is the bottleneck. */
  isBusy(): boolean;
  /**
   * Whether the loop had a processor for most of the time since the last call of this method. A loop that is busy without one
   * is waiting for other processes, which still counts as its work.
   */
  hasProcessor(): boolean;
  /** Resolves when everything that has arrived by now has been read. */
  endOfTurn(): Promise<void>;
  /** Resolves after this many milliseconds. */
  pause(ms: number): Promise<void>;
  /** The time of a monotonic clock. */
  nowMs(): number;
};

export type Meter = Required<MeteringParts> & {
  /** The day of the last billed call by key id, since the last sweep. */
  readonly usedKeys: Map<string, string>;
  /** When the leases of the reservations of this process end, by call id. */
  readonly reserved: Map<string, number>;
};

export type CallToCharge = {
  /** The id of the call: made by the service and never used twice. It is not the caller's own X-Request-Id. */
  readonly requestId: string;
  /** The route as the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /** Whether the call counts against the forced refreshes too (D61). */
  readonly forced?: boolean;
  /**
   * The caller's Idempotency-Key and the request it identifies (D21). The key is taken with the call; if that fails, the call
   * is not made.
   */
  readonly idempotency?: IdempotentRequest | undefined;
  /**
   * The revisions of the data behind the answer. If one of them has changed by now, the call is not made: `AnswerChanged`.
   */
  readonly revisions?: readonly Revision[] | undefined;
};

/** Thrown if the answer to be charged for is no longer valid. Nothing was charged, and no limit counted the call. */
export class AnswerChanged extends Error {
  override readonly name = 'AnswerChanged';
}

/** An Idempotency-Key, and a short text that identifies its request. */
export type IdempotentRequest = { readonly key: string; readonly fingerprint: string };

/**
 * Makes an id for a call: the time, then 80 random bits. Ids are in order of time because the ledger is indexed by them. In
 * each commit, 64 debits with random ids touch 64 pages of the index, with these ids one or two (measured on a ledger of 60,000
 * rows: 28 against 17 us a debit).
 */
export function newCallId(nowMs: number): string {
  if (at >= pool.length) {
    pool = randomBytes((RANDOM_CHARACTERS * IDS_AT_ONCE) / 2).toString('hex');
    at = 0;
  }
  if (nowMs !== instant.ms) instant = { ms: nowMs, text: nowMs.toString(36).padStart(9, '0') };
  const random = pool.slice(at, at + RANDOM_CHARACTERS);
  at += RANDOM_CHARACTERS;
  return `${instant.text}-${random}`;
}

const RANDOM_CHARACTERS = 20;
/** Random bytes are fetched for this many ids at once: fetching them per id took a third of an id's cost. */
const IDS_AT_ONCE = 256;
let pool = '';
let at = 0;
let instant = { ms: 0, text: '000000000' };

export type Charged = {
  readonly consumed: number;
  readonly remaining: number;
  readonly rateLimit: RateLimit;
};

/** Turns a failure of the store into 503: without the store no call is served, and none is free. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const detail = 'Calls cannot be recorded at the moment; this one was not served. Try again.';
    throw new FaultError({ code: 'overloaded', detail, retryAfterSeconds: 5 }, { cause: error });
  }
}

/** Writes a transaction. Rejects with a fault if the store does not respond. */
export function write(
  meter: Meter,
  transaction: Transaction,
  options?: WriteOptions,
): Promise<TransactionResult> {
  return orUnavailable(meter.sql.write(transaction, options));
}

/** Returns the account to charge for a call: the organization and its month. */
export function accountOf(caller: Caller, nowMs: number): Account {
  return { organizationId: caller.organizationId, month: monthOf(nowMs) };
}

/** Records that a key is in use today. */
export function noteUse(meter: Meter, caller: Caller, nowMs: number): void {
  meter.usedKeys.set(caller.keyId, dayOf(nowMs));
}

/** Returns a caller's throttle. */
export function policyOf(caller: Caller): ThrottlePolicy {
  const { throttlePerMinute: perMinute, throttleBurst: burst, throttleSpared: spared } = caller;
  return { name: 'throttle', perMinute, burst, spared };
}

/** Returns the time of the throttles' clock in microseconds. */
export function throttleUs({ steady }: Meter): number {
  return steady.now() * 1_000;
}

/** Returns the throttle's standing after its `consume` statement, or after the chain that contains it. */
export function consumedState(policy: ThrottlePolicy, rows: NamedRows, atUs: number): Standings {
  return { policy, tatUs: tatOf(rows[policy.name] ?? rows[BALANCE] ?? []), atUs };
}

function tatOf([row]: readonly Row[]): number | null {
  const tat = row?.['tat_us'];
  return typeof tat === 'number' ? tat : null;
}

/** Reads a throttle's stored time, without consuming; null if the throttle was never used. */
export async function readTat(
  meter: Meter,
  { organizationId }: Caller,
  { name }: ThrottlePolicy,
): Promise<number | null> {
  const text = 'select tat_us from throttles where organization_id = $1 and policy = $2';
  return tatOf(await orUnavailable(meter.sql.all(text, [organizationId, name])));
}

/** Reads the caller's usage of the month. */
export function readBalance(meter: Meter, caller: Caller): Promise<Usage> {
  return orUnavailable(findUsage(meter.sql, accountOf(caller, meter.clock.now())));
}

/** Reads the standing of all of a caller's limits, without consuming. */
export async function readRateLimit(meter: Meter, caller: Caller): Promise<RateLimit> {
  const policy = policyOf(caller);
  const tatUs = await readTat(meter, caller, policy);
  const balance = await readBalance(meter, caller);
  const nowMs = meter.clock.now();
  const atUs = throttleUs(meter);
  const forced = await orUnavailable(findForced(meter.sql, caller.organizationId, atUs));
  return rateLimitOf({ policy, tatUs, atUs, forced }, balance, nowMs);
}
