// Tokens set aside for one call until they are settled or released. Exactly one of the two happens, however often and in
// whatever order both are called.

import { FaultError } from '../../base/fault.ts';
import {
  BALANCE,
  balanceIn,
  releaseReserved,
  settleReserved,
  type Account,
  type Balance,
} from '../accounts/balances.ts';
import { insertCharge } from '../accounts/charges.ts';
import { IDEMPOTENCY_SPACE } from '../accounts/idempotency.ts';
import type { NamedRows, Statement, Transaction, TransactionResult } from '../sql.ts';
import type { Caller } from './authentication.ts';
import { keepOrDelete, noSpace, deleteRecord, type CallAnswer } from './idempotency.ts';
import { rateLimitOf, type RateLimit, type Standings } from './rate-limit.ts';
import {
  accountOf,
  noteUse,
  readBalance,
  readRateLimit,
  write,
  type CallToCharge,
  type Charged,
  type Meter,
} from './meter.ts';

export type Reservation = {
  /**
   * Spends `tokens` of those reserved and stores the answer of a call with an Idempotency-Key; both are durable when it
   * resolves. Repeated calls have the same result. Rejects after a release, and with 503 `overloaded` if the lease has
   * expired: the call must then not be answered.
   */
  settle(tokens: number, answer?: CallAnswer): Promise<Charged>;
  /** Frees all tokens, unless they are settled. Resolves to the tokens that may still be spent. */
  release(): Promise<number>;
};

type ReservedTokens = {
  readonly call: CallToCharge;
  readonly account: Account;
  readonly maxTokens: number;
  /** The standing of the limits when the tokens were reserved. */
  readonly standings: Standings;
};

export function createReservation(
  meter: Meter,
  caller: Caller,
  reserved: ReservedTokens,
): Reservation {
  let settled: Promise<Charged> | null = null;
  let released: Promise<number> | null = null;
  return {
    settle(tokens, answer) {
      if (settled !== null) return settled;
      if (released !== null) return Promise.reject(new Error('the reservation was released'));
      if (!Number.isSafeInteger(tokens) || tokens < 0 || tokens > reserved.maxTokens) {
        const text = `${tokens} tokens of ${reserved.maxTokens} reserved`;
        return Promise.reject(new RangeError(text));
      }
      const settling =
        tokens === 0
          ? settleNothing(meter, caller, reserved, answer)
          : settle(meter, caller, { ...reserved, tokens, answer });
      settled = settling.finally(() => meter.reserved.delete(reserved.call.requestId));
      return settled;
    },
    release() {
      // A failed settlement leaves the tokens reserved: they are freed after all.
      const free = () =>
        freeTokens(meter, caller, reserved).finally(() =>
          meter.reserved.delete(reserved.call.requestId),
        );
      released ??= settled === null ? free() : settled.then((charged) => charged.remaining, free);
      return released;
    },
  };
}

async function settle(
  meter: Meter,
  caller: Caller,
  reserved: ReservedTokens & { readonly tokens: number; readonly answer: CallAnswer | undefined },
): Promise<Charged> {
  const { call, account, maxTokens, tokens } = reserved;
  const nowMs = meter.clock.now();
  const { requestId, route } = call;
  const result = await write(meter, [
    ...settleReserved(account, { requestId, tokens: maxTokens, spent: tokens }),
    ...insertCharge(account, { requestId, route, tokens, keyId: caller.keyId, atMs: nowMs }),
    ...keepOrDelete(caller, { ...reserved, account: accountOf(caller, nowMs) }, nowMs),
  ]);
  if (!result.done) throw refusalOf(result.refusedBy);
  noteUse(meter, caller, nowMs);
  const balance = await balanceAfter(meter, caller, reserved, result.rows);
  const rateLimit = await limitsAfter(meter, caller, reserved, balance);
  return { consumed: tokens, remaining: balance.remaining, rateLimit };
}

/**
 * Reads the limits after a settled call. A failure of this read must not fail the call: it would be charged and refused.
 */
async function limitsAfter(
  meter: Meter,
  caller: Caller,
  { standings }: ReservedTokens,
  balance: Balance,
): Promise<RateLimit> {
  try {
    return await readRateLimit(meter, caller);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    // The store does not respond. These limits do not include usage by other calls since.
    return rateLimitOf(standings, balance, meter.clock.now());
  }
}

/**
 * Returns the fault for a refused settlement: the answer did not fit, or the reservation or the idempotency record was lost
 * because its lease had expired.
 */
function refusalOf(refusedBy: string | null): FaultError {
  if (refusedBy === IDEMPOTENCY_SPACE) return noSpace();
  const detail = 'The call took longer than its reservation lasts. It was not billed; try again.';
  return new FaultError({ code: 'overloaded', detail, retryAfterSeconds: 1 });
}

async function settleNothing(
  meter: Meter,
  caller: Caller,
  reserved: ReservedTokens,
  answer: CallAnswer | undefined,
): Promise<Charged> {
  const nowMs = meter.clock.now();
  const toStore = { ...reserved, account: accountOf(caller, nowMs), answer, tokens: 0 };
  const recordStatements = keepOrDelete(caller, toStore, nowMs);
  const result = await writeAny(meter, [...freeStatements(reserved), ...recordStatements]);
  if (!result.done) throw refusalOf(result.refusedBy);
  const balance = await balanceAfter(meter, caller, reserved, result.rows);
  const rateLimit = await limitsAfter(meter, caller, reserved, balance);
  return { consumed: 0, remaining: balance.remaining, rateLimit };
}

async function freeTokens(meter: Meter, caller: Caller, reserved: ReservedTokens): Promise<number> {
  const result = await writeAny(meter, [
    ...freeStatements(reserved),
    ...deleteRecord(caller, reserved.call),
  ]);
  return (await balanceAfter(meter, caller, reserved, result.done ? result.rows : {})).remaining;
}

async function writeAny(meter: Meter, statements: Transaction): Promise<TransactionResult> {
  return statements.length === 0 ? { done: true, rows: {} } : write(meter, statements);
}

/** Returns the current balance. It is read again if the month of the reservation is over. */
async function balanceAfter(
  meter: Meter,
  caller: Caller,
  { account }: ReservedTokens,
  rows: NamedRows,
): Promise<Balance> {
  const booked = BALANCE in rows ? balanceIn(rows) : null;
  if (booked !== null && account.month === accountOf(caller, meter.clock.now()).month)
    return booked;
  try {
    return await readBalance(meter, caller);
  } catch (error) {
    // As in `limitsAfter`: the settlement stands even if this read fails.
    if (booked === null || !(error instanceof FaultError)) throw error;
    return booked;
  }
}

/** Statements that free the tokens; none if no tokens were reserved. */
function freeStatements({ call, account, maxTokens }: ReservedTokens): readonly Statement[] {
  if (maxTokens === 0) return [];
  return releaseReserved(account, { requestId: call.requestId, tokens: maxTokens });
}
