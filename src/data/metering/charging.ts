// Charges one call in one transaction, all or nothing: its throttles, its idempotency key, its tokens and its ledger row. A
// refusal states which limit was reached and when to retry.

import { FaultError } from '../../base/fault.ts';
import {
  BALANCE,
  balanceIn,
  debit,
  insertBalance,
  insertReservation,
  RESERVED_MS,
  selectBalance,
} from '../accounts/balances.ts';
import { insertCharge } from '../accounts/charges.ts';
import { IDEMPOTENCY_RECORD, IDEMPOTENCY_SPACE } from '../accounts/idempotency.ts';
import { requireRevisions, REVISIONS } from '../answers/revisions.ts';
import type { NamedRows, Statement } from '../sql.ts';
import type { Caller } from './authentication.ts';
import {
  IdempotencyKeyTaken,
  insertRecord,
  keepOrDelete,
  noSpace,
  type CallAnswer,
} from './idempotency.ts';
import {
  accountOf,
  AnswerChanged,
  consumedState,
  noteUse,
  orUnavailable,
  policyOf,
  readBalance,
  readTat,
  throttleUs,
  write,
  type CallToCharge,
  type Charged,
  type Meter,
} from './meter.ts';
import {
  consumedForced,
  consumeForced,
  findForced,
  FORCED_LIMIT,
  FORCED_POLICY,
  FORCED_WINDOW_SECONDS,
} from './forced-refreshes.ts';
import { rateLimitOf, secondsToNextMonth, type Standings } from './rate-limit.ts';
import { createReservation, type Reservation } from './reservation.ts';
import { consume, waitUs, type ThrottlePolicy, type ThrottleStanding } from './throttle.ts';

/**
 * Spends tokens at once; with 0 tokens only the throttle counts. The answer is stored if the call has an Idempotency-Key.
 */
export async function charge(
  meter: Meter,
  caller: Caller,
  call: CallToCharge & { readonly tokens: number; readonly answer?: CallAnswer | undefined },
): Promise<Charged> {
  const { tokens, answer } = call;
  requireWhole(tokens);
  const nowMs = meter.clock.now();
  const account = accountOf(caller, nowMs);
  const recordStatements = keepOrDelete(caller, { call, account, answer, tokens }, nowMs);
  const record = { ...call, keyId: caller.keyId, atMs: nowMs };
  const spending =
    tokens === 0
      ? [selectBalance(account)]
      : [insertBalance(account), debit(account, tokens), ...insertCharge(account, record)];
  const written = { call, nowMs, spends: tokens, spending, recordStatements };
  const { standings, rows } = await writeCall(meter, caller, written);
  if (tokens > 0) noteUse(meter, caller, nowMs);
  const balance = balanceIn(rows);
  const rateLimit = rateLimitOf(standings, balance, nowMs);
  return { consumed: tokens, remaining: balance.remaining, rateLimit };
}

/** Reserves the most that a call can cost. With 0 tokens it takes only throttle and key, before the call does anything. */
export async function reserve(
  meter: Meter,
  caller: Caller,
  call: CallToCharge & { readonly maxTokens: number },
): Promise<Reservation> {
  requireWhole(call.maxTokens);
  const nowMs = meter.clock.now();
  const account = accountOf(caller, nowMs);
  const { requestId, maxTokens } = call;
  const leaseUntilMs = meter.leaseClock.now() + RESERVED_MS;
  const reserved = { requestId, tokens: maxTokens, leaseUntilMs };
  const { standings } = await writeCall(meter, caller, {
    call,
    nowMs,
    spends: maxTokens,
    spending:
      maxTokens === 0 ? [] : [insertBalance(account), ...insertReservation(account, reserved)],
    recordStatements: [],
  });
  if (maxTokens > 0) meter.reserved.set(requestId, leaseUntilMs);
  return createReservation(meter, caller, { call, account, maxTokens, standings });
}

function requireWhole(tokens: number): void {
  if (!Number.isSafeInteger(tokens) || tokens < 0) throw new RangeError(`${tokens} tokens`);
}

type CallTransaction = {
  readonly call: CallToCharge;
  readonly nowMs: number;
  /** Tokens that the call debits or reserves. */
  readonly spends: number;
  /** The statements that debit or reserve; none for a call that costs nothing. */
  readonly spending: readonly Statement[];
  /** The statements that store the answer. */
  readonly recordStatements: readonly Statement[];
};

type WrittenCall = { readonly standings: Standings; readonly rows: NamedRows };

/**
 * Consumes all limits that a call touches in one transaction, or none of them. The idempotency key is taken before the tokens:
 * a repeated call is then refused because of the first one, and not because of a quota that the first one has spent.
 */
async function writeCall(
  meter: Meter,
  caller: Caller,
  { call, nowMs, spends, spending, recordStatements }: CallTransaction,
): Promise<WrittenCall> {
  const policy = policyOf(caller);
  const { organizationId } = caller;
  const nowUs = throttleUs(meter);
  const isForced = call.forced === true;
  const { revisions } = call;
  const result = await write(meter, [
    ...(revisions === undefined ? [] : [requireRevisions(revisions)]),
    consume(organizationId, policy, nowUs),
    ...(isForced ? consumeForced(organizationId, nowUs) : []),
    ...insertRecord(caller, call, nowMs),
    ...spending,
    ...recordStatements,
  ]);
  if (result.done) {
    const { rows } = result;
    const forced = isForced ? consumedForced(rows, nowUs) : undefined;
    return { standings: { ...consumedState(policy, rows, nowUs), forced }, rows };
  }
  const { refusedBy } = result;
  switch (refusedBy) {
    case REVISIONS:
      throw new AnswerChanged();
    case policy.name:
      throw throttled(policy, await readTat(meter, caller, policy), nowUs);
    case FORCED_POLICY:
      throw tooManyForced(await orUnavailable(findForced(meter.sql, organizationId, nowUs)));
    case IDEMPOTENCY_RECORD:
      throw new IdempotencyKeyTaken();
    case BALANCE:
      throw (await isOnlyReserved(meter, caller, spends)) ? reservedNow() : quotaExceeded(nowMs);
    case IDEMPOTENCY_SPACE:
      throw noSpace();
    default:
      throw new Error(`a call was refused by the statement ${refusedBy ?? 'without a name'}`);
  }
}

function throttled(policy: ThrottlePolicy, tatUs: number | null, nowUs: number): FaultError {
  const seconds = Math.ceil(waitUs(policy, tatUs, nowUs) / 1_000_000);
  // The refused call may be allowed by now, because other calls or the clock have changed the stored time.
  const retryAfterSeconds = Math.max(1, seconds);
  return new FaultError({
    code: 'throttled',
    detail:
      `The organization may make ${policy.perMinute === 1 ? 'one request' : `${policy.perMinute} requests`} per minute. ` +
      `Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  });
}

function tooManyForced({ resetSeconds }: ThrottleStanding): FaultError {
  const retryAfterSeconds = Math.max(1, resetSeconds);
  return new FaultError({
    code: 'force_refresh_limit',
    detail:
      `The organization may force ${FORCED_LIMIT} refreshes in any ${FORCED_WINDOW_SECONDS} seconds. ` +
      `Try again in ${retryAfterSeconds} s, or call without forcing a refresh.`,
    retryAfterSeconds,
  });
}

/** Whether calls in progress have reserved the tokens that this one lacks: most of them return some. */
async function isOnlyReserved(meter: Meter, caller: Caller, tokens: number): Promise<boolean> {
  const { allowance, used } = await readBalance(meter, caller);
  return allowance - used >= tokens;
}

function reservedNow(): FaultError {
  return new FaultError({
    code: 'quota_exceeded',
    detail:
      'The tokens that this call can cost are reserved for calls that are still running, which ' +
      'release the tokens they do not need. Try again in a second, or request fewer add-ons.',
    retryAfterSeconds: 1,
  });
}

function quotaExceeded(nowMs: number): FaultError {
  return new FaultError({
    code: 'quota_exceeded',
    detail:
      'The tokens of this month do not cover the most that this call can cost. Wait for the next month ' +
      '(UTC), request fewer add-ons, or ask the operator to raise the quota.',
    retryAfterSeconds: secondsToNextMonth(nowMs),
  });
}
