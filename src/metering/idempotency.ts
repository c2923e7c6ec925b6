// Idempotency-Key (D21): the same key with the same request is answered again from what was kept, free of
// charge. The answer is written in the unit that debits, so that a call that was answered can always be
// replayed, and one that was never debited never is (security 4.2).

import { createHash } from 'node:crypto';

import { FaultError } from '../core/fault.ts';
import type { Account } from '../store/balances.ts';
import {
  insertIdempotencyRecord,
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  keepAnswer,
  MAX_KEPT_BYTES,
  type HeldIdempotencyRecord,
  type IdempotencyRecord,
} from '../store/idempotency.ts';
import type { Statement } from '../store/sql.ts';
import type { Caller } from './authentication.ts';
import { orUnavailable, type Call, type IdempotentRequest, type Meter } from './meter.ts';

/** What a call answers, without its two token fields. */
export type KeptAnswer = { readonly status: number; readonly body: string };

/** An answer that was kept, with its token fields as they were. */
export type Replay = NonNullable<HeldIdempotencyRecord['answer']>;

/**
 * A call may run 15 s (D37). A claim that is older was left by a process that died; a call that still runs
 * then finds its claim lost when it wants to settle, and is not billed.
 */
const CLAIM_MS = 20_000;

/**
 * No answer is larger than a few MiB (10,000 rows of history are about 1.2); this only keeps a fault of ours
 * from filling the store.
 */
const MAX_BODY_BYTES = 8_388_608;

/** D21: method, path and sorted query, as one short text. */
export function fingerprintOf(method: string, url: URL): string {
  const query = new URLSearchParams(url.search);
  query.sort();
  const text = `${method} ${url.pathname}?${query.toString()}`;
  return createHash('sha256').update(text).digest('hex');
}

/** Another call has the key, since it was asked for: what came of that call is to be read again. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'ClaimLost';
}

/** The fault of a key whose first call has not been answered yet. */
export function stillRunning(): FaultError {
  return new FaultError({
    code: 'idempotency_conflict',
    parameter: 'Idempotency-Key',
    detail:
      'The first call with this Idempotency-Key is still running. Send this one again in 1 s.',
    retryAfterSeconds: 1,
  });
}

/**
 * The answer to replay, or null for a key that is free. FaultError idempotency_conflict when the key stands
 * for another request, or its first call is still running.
 */
export async function recall(
  meter: Meter,
  caller: Caller,
  claim: IdempotentRequest,
): Promise<Replay | null> {
  const { organizationId } = caller;
  const wanted = { organizationId, key: claim.key };
  const found = await orUnavailable(findIdempotencyRecord(meter.sql, wanted, meter.clock.now()));
  if (found === null) return null;
  if (found.fingerprint !== claim.fingerprint) {
    throw new FaultError({
      code: 'idempotency_conflict',
      parameter: 'Idempotency-Key',
      detail:
        'This Idempotency-Key was used for another request (method, path, query) in the last 24 hours. ' +
        'Use a new one.',
    });
  }
  if (found.answer === null) throw stillRunning();
  return found.answer;
}

/** Keys belong to the organization: a rotated API key changes nothing. */
function ofCall(caller: Caller, requestId: string, claim: IdempotentRequest): IdempotencyRecord {
  return { organizationId: caller.organizationId, requestId, ...claim };
}

/** Statements that take the key, none without one. The last of them undoes the unit when it is taken. */
export function idempotencyInsert(caller: Caller, call: Call, nowMs: number): readonly Statement[] {
  if (call.claim === undefined) return [];
  return insertIdempotencyRecord(
    ofCall(caller, call.requestId, call.claim),
    nowMs,
    nowMs + CLAIM_MS,
  );
}

/** Statements that give the key back, none without one. */
export function idempotencyDelete(caller: Caller, call: Call): readonly Statement[] {
  return call.claim === undefined
    ? []
    : [deleteIdempotencyRecord(ofCall(caller, call.requestId, call.claim))];
}

export type Keeping = {
  readonly call: Call;
  readonly account: Account;
  readonly answer: KeptAnswer | undefined;
  readonly tokens: number;
};

/**
 * Statements that keep the answer; they stand behind the debit. Without an answer the key is given back.
 * FaultError invalid_parameter for an answer that is too large to be kept.
 */
export function idempotencyAnswer(
  caller: Caller,
  { call, account, answer, tokens }: Keeping,
  nowMs: number,
): readonly Statement[] {
  if (call.claim === undefined) return [];
  if (answer === undefined) return idempotencyDelete(caller, call);
  const bodyBytes = Buffer.byteLength(answer.body);
  if (bodyBytes > MAX_BODY_BYTES) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: 'Idempotency-Key',
      detail: 'The answer is too large to be kept for a replay. Send the call without this header.',
    });
  }
  const kept = { ...answer, bodyBytes, tokensConsumed: tokens };
  return keepAnswer(ofCall(caller, call.requestId, call.claim), account, kept, nowMs);
}

/** The unit failed at the last statement of `keeping`. */
export function noSpace(): FaultError {
  return new FaultError({
    code: 'throttled',
    parameter: 'Idempotency-Key',
    detail:
      `The answers kept for this organization's Idempotency-Keys fill ${MAX_KEPT_BYTES / 1_048_576} MiB. ` +
      'The call was not billed. Send it without the header, or when the oldest have ended (24 hours).',
    retryAfterSeconds: 3_600,
  });
}
