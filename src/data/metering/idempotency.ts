// Idempotency-Key (D21): the same key with the same request gets the stored answer again, free of charge. The answer is written
// in the transaction of the debit. An answered call can therefore always be replayed, and one that was never debited never is.

import { createHash } from 'node:crypto';

import { FaultError } from '../../base/fault.ts';
import { IDEMPOTENCY_KEY } from '../../base/idempotency-key.ts';
import type { Account } from '../accounts/balances.ts';
import {
  insertIdempotencyRecord,
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  storeAnswer,
  MAX_STORED_BYTES,
  type StoredIdempotencyRecord,
  type IdempotencyRecord,
} from '../accounts/idempotency.ts';
import type { Statement } from '../sql.ts';
import type { Caller } from './authentication.ts';
import { orUnavailable, type CallToCharge, type IdempotentRequest, type Meter } from './meter.ts';

/** The answer of a call, without its two token fields. */
export type CallAnswer = {
  readonly status: number;
  readonly body: string;
  /** Until when it may be given again (ms since 1970), if that is sooner than usual: terms of sources (D81). */
  readonly untilMs?: number | null | undefined;
};

/** A stored answer, with its original token fields. */
export type Replay = NonNullable<StoredIdempotencyRecord['answer']>;

/**
 * No answer is larger than a few MiB (10,000 rows of history are about 1.2); this only prevents a defect of ours from
 * filling the store.
 */
const MAX_BODY_BYTES = 8_388_608;

/** D21: method, path, sorted query and body, as one digest. */
export function fingerprintOf(
  {
    method,
    path,
    query,
  }: { readonly method: string; readonly path: string; readonly query: string },
  body = '',
): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  const text = `${method} ${path}?${sorted.toString()}${body === '' ? '' : `\n${body}`}`;
  return createHash('sha256').update(text).digest('hex');
}

/** Another call has taken the key since it was looked up: look it up again. */
export class IdempotencyKeyTaken extends Error {
  override readonly name = 'IdempotencyKeyTaken';
}

/** Returns the fault for a key whose first call has not been answered yet. */
export function stillRunning(): FaultError {
  return new FaultError({
    code: 'idempotency_conflict',
    parameter: IDEMPOTENCY_KEY,
    detail:
      'The first call with this Idempotency-Key is still running. Send this one again in 1 s.',
    retryAfterSeconds: 1,
  });
}

/**
 * Returns the answer to replay, or null if the key is free. FaultError idempotency_conflict if the key was used for another
 * request, or its first call is still running.
 */
export async function findReplay(
  meter: Meter,
  caller: Caller,
  request: IdempotentRequest,
): Promise<Replay | null> {
  const { organizationId } = caller;
  const wanted = { organizationId, key: request.key };
  const record = await orUnavailable(findIdempotencyRecord(meter.sql, wanted, meter.clock.now()));
  if (record === null) return null;
  if (record.fingerprint !== request.fingerprint) {
    throw new FaultError({
      code: 'idempotency_conflict',
      parameter: IDEMPOTENCY_KEY,
      detail:
        'This Idempotency-Key was used for another request (method, path, query, body) in the last 24 hours. ' +
        'Use a new one.',
    });
  }
  if (record.answer === null) throw stillRunning();
  return record.answer;
}

/** Keys belong to the organization: a rotated API key changes nothing. */
function recordOf(
  caller: Caller,
  requestId: string,
  request: IdempotentRequest,
): IdempotencyRecord {
  return { organizationId: caller.organizationId, requestId, ...request };
}

/**
 * Statements that take the key; none without one. The last of them rolls the transaction back if the key is already taken.
 */
export function insertRecord(
  caller: Caller,
  call: CallToCharge,
  nowMs: number,
): readonly Statement[] {
  if (call.idempotency === undefined) return [];
  return insertIdempotencyRecord(recordOf(caller, call.requestId, call.idempotency), nowMs);
}

/** Statements that release the key; none without one. */
export function deleteRecord(caller: Caller, call: CallToCharge): readonly Statement[] {
  return call.idempotency === undefined
    ? []
    : [deleteIdempotencyRecord(recordOf(caller, call.requestId, call.idempotency))];
}

type AnswerToStore = {
  readonly call: CallToCharge;
  readonly account: Account;
  readonly answer: CallAnswer | undefined;
  readonly tokens: number;
};

/**
 * Statements that store the answer; they follow the debit. Without an answer the key is released. FaultError
 * invalid_parameter if the answer is too large to store.
 */
export function keepOrDelete(
  caller: Caller,
  { call, account, answer, tokens }: AnswerToStore,
  nowMs: number,
): readonly Statement[] {
  if (call.idempotency === undefined) return [];
  if (answer === undefined) return deleteRecord(caller, call);
  const bodyBytes = Buffer.byteLength(answer.body);
  if (bodyBytes > MAX_BODY_BYTES) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: IDEMPOTENCY_KEY,
      detail:
        'The response is too large to be stored for a replay. Send the call without this header.',
    });
  }
  const storedAnswer = { ...answer, bodyBytes, tokensConsumed: tokens };
  return storeAnswer(
    recordOf(caller, call.requestId, call.idempotency),
    account,
    storedAnswer,
    nowMs,
  );
}

/** Returns the fault for an answer that exceeds the space for stored answers. */
export function noSpace(): FaultError {
  return new FaultError({
    code: 'throttled',
    parameter: IDEMPOTENCY_KEY,
    detail:
      "The responses stored for this organization's Idempotency-Keys fill " +
      `${MAX_STORED_BYTES / 1_048_576} MiB. The call was not billed. Send it without the header, or ` +
      'when the oldest have expired (24 hours).',
    retryAfterSeconds: 3_600,
  });
}
