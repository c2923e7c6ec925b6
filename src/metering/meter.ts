// What the functions of this folder share: the parts they work with and the reads they all need.

import { randomBytes } from 'node:crypto';

import { dayOf, monthOf, type Clock } from '../core/clock.ts';
import { FaultError } from '../core/fault.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import { BALANCE, findUsage, type Account, type Usage } from '../store/accounts/balances.ts';
import type { Revision } from '../store/answers/revisions.ts';
import type {
  NamedRows,
  Row,
  Sql,
  Transaction,
  TransactionResult,
  WriteOptions,
} from '../store/sql.ts';
import type { Caller } from './authentication.ts';
import { findForced } from './forced-refreshes.ts';
import { rateLimitOf, type RateLimit, type Standings } from './rate-limit.ts';
import type { ThrottlePolicy } from './throttle.ts';
import { StoreUnavailable } from '../store/sql.ts';

export type MeteringParts = {
  readonly accounts: Accounts;
  readonly sql: Sql;
  readonly clock: Clock;
  /** Absent: one that is never busy. */
  readonly loop?: EventLoop;
};

export type EventLoop = {
  /** Whether it was busy for most of the time since this was last asked: it is what is short of time. */
  isBusy(): boolean;
  /**
   * Whether it had a processor for most of the time since this was last asked. Busy and without one: other processes have it, which
   * counts as work of this loop.
   */
  hasProcessor(): boolean;
  /** Resolves when everything that has arrived by now was read. */
  endOfTurn(): Promise<void>;
  /** Resolves after so many milliseconds. */
  pause(ms: number): Promise<void>;
  /** By a clock that only goes forward. */
  nowMs(): number;
};

export type Meter = Required<MeteringParts> & {
  /** Key id to the day of its last billed call, since the last sweep. */
  readonly usedKeys: Map<string, string>;
};

export type Call = {
  /** Made by the service and never used twice: not the caller's own X-Request-Id. */
  readonly requestId: string;
  /** As the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /** Counts against the forced refreshes too (D61). */
  readonly forced?: boolean;
  /** The caller's Idempotency-Key and what it stands for (D21): taken with the call, or the call is not made. */
  readonly idempotency?: IdempotentRequest | undefined;
  /** What its answer was made from; where that has changed by now, the call is not made: `AnswerChanged`. */
  readonly revisions?: readonly Revision[] | undefined;
};

/** The answer that was to be charged for is not right any more. Nothing was charged, and no limit counted the call. */
export class AnswerChanged extends Error {
  override readonly name = 'AnswerChanged';
}

/** An Idempotency-Key and the request it stands for, as one short text. */
export type IdempotentRequest = { readonly key: string; readonly fingerprint: string };

/**
 * An id for a call: time first, then 80 random bits. In order of time because the ledger is indexed by it:
 * 64 debits with random ids touch 64 pages of the index in each commit, with these one or two (measured
 * on a ledger of 60,000 rows: 28 against 17 us a debit).
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
/** Chance is fetched for so many ids together: alone it took a third of what an id costs. */
const IDS_AT_ONCE = 256;
let pool = '';
let at = 0;
let instant = { ms: 0, text: '000000000' };

export type Charged = {
  readonly consumed: number;
  readonly remaining: number;
  readonly rateLimit: RateLimit;
};

/** Where the store cannot be asked no call is served: 503, never free service. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const detail = 'Calls cannot be recorded at the moment; this one was not served. Try again.';
    throw new FaultError({ code: 'overloaded', detail, retryAfterSeconds: 5 }, { cause: error });
  }
}

/** Writes; rejects with the fault of a store that is away. */
export function write(
  meter: Meter,
  transaction: Transaction,
  options?: WriteOptions,
): Promise<TransactionResult> {
  return orUnavailable(meter.sql.write(transaction, options));
}

/** The account that a call is charged to: the organization and its month. */
export function accountOf(caller: Caller, nowMs: number): Account {
  return { organizationId: caller.organizationId, month: monthOf(nowMs) };
}

/** Notes that a key is in use today. */
export function noteUse(meter: Meter, caller: Caller, nowMs: number): void {
  meter.usedKeys.set(caller.keyId, dayOf(nowMs));
}

/** The throttle of a caller. */
export function policyOf(caller: Caller): ThrottlePolicy {
  const { throttlePerMinute: perMinute, throttleBurst: burst, throttleSpared: spared } = caller;
  return { name: 'throttle', perMinute, burst, spared };
}

/** Where the throttle stands after its `consume` statement, or after the chain that it is a part of. */
export function consumedState(policy: ThrottlePolicy, rows: NamedRows): Standings {
  return { policy, tatUs: tatOf(rows[policy.name] ?? rows[BALANCE] ?? []) };
}

function tatOf([row]: readonly Row[]): number | null {
  const tat = row?.['tat_us'];
  return typeof tat === 'number' ? tat : null;
}

/** Where a throttle stands, without consuming; null: it was never used. */
export async function readTat(
  meter: Meter,
  { organizationId }: Caller,
  { name }: ThrottlePolicy,
): Promise<number | null> {
  const text = 'select tat_us from throttles where organization_id = $1 and policy = $2';
  return tatOf(await orUnavailable(meter.sql.all(text, [organizationId, name])));
}

/** What the caller's month has used. */
export function readBalance(meter: Meter, caller: Caller): Promise<Usage> {
  return orUnavailable(findUsage(meter.sql, accountOf(caller, meter.clock.now())));
}

/** Where all limits of a caller stand, without consuming. */
export async function readRateLimit(meter: Meter, caller: Caller): Promise<RateLimit> {
  const policy = policyOf(caller);
  const tatUs = await readTat(meter, caller, policy);
  const balance = await readBalance(meter, caller);
  const nowMs = meter.clock.now();
  const forced = await orUnavailable(findForced(meter.sql, caller.organizationId, nowMs * 1_000));
  return rateLimitOf({ policy, tatUs, forced }, balance, nowMs);
}
