// Answers and charges one lookup of a batch, as if it were a single call. If a single call would get a Retry-After, the
// line waits for its turn instead.

import { presentProduct } from '../../answer/wire/record/present.ts';
import { SECOND_MS } from '../../base/clock.ts';
import type { Piece } from '../../base/in-progress.ts';
import type { Fault } from '../../base/fault.ts';
import type { Caller, IdempotentRequest } from '../../data/metering/metering.ts';
import type { WorkKind } from '../listen/admission.ts';
import { billCall } from '../bill.ts';
import { tagOf } from '../encoding.ts';
import { faultOf } from '../problems/problems.ts';
import { productCall } from '../product-call.ts';
import { enterAs } from '../call.ts';
import { countedIfRefused, countRefused } from '../refused-call.ts';
import { roomFor, type AnswerParts, type BatchCall } from './batch-call.ts';
import { targetOf, type LineLookup, type LineWork } from './batch-lines.ts';
import { createCachedLines } from './cached-lines.ts';
import { problemAnswer, productLine, type LineAnswer } from './line-answer.ts';
import { createOwnTurn } from './turns.ts';

/**
 * A line waits no longer than this for a limit to be lifted, also one of an official API: the caller can wait for a longer
 * one.
 */
const MAX_WAIT_SECONDS = 60;
/**
 * A batch leaves this share of the throttle's burst to single calls of its organization, as long as one call is left
 * for the batch.
 */
const SPARED_SHARE = 0.25;

/** Returns the function that answers a lookup; that rejects only if the batch is cancelled. */
export function createAnswerWork(parts: AnswerParts, batch: BatchCall) {
  const paced: BatchCall = {
    ...batch,
    callerNow: async () => leavingSome(await batch.callerNow()),
  };
  const cached = createCachedLines(parts, paced);
  const answer = async (work: LineWork, onGathering: Piece['onGathering']): Promise<LineAnswer> => {
    for (;;) {
      try {
        if ('fault' in work) return await counted(parts, paced, work.fault);
        return (
          (await cached.answer(work.lookup)) ??
          (await answered(parts, paced, { line: work.lookup, onGathering }))
        );
      } catch (error) {
        if (batch.signal.aborted) throw error;
        const fault = faultOf(error, parts.billing.log, { request_id: batch.requestId });
        const seconds = secondsToWait(fault);
        if (seconds === null || parts.isStopping()) return refused(parts, batch, fault);
        await parts.clock.sleep(seconds * SECOND_MS, batch.signal);
      }
    }
  };
  return { answer, isCached: (work: LineWork) => 'lookup' in work && cached.has(work.lookup) };
}

function leavingSome(caller: Caller): Caller {
  const { throttleBurst } = caller;
  const throttleSpared = Math.min(throttleBurst - 1, Math.ceil(throttleBurst * SPARED_SHARE));
  return { ...caller, throttleSpared };
}

/** Faults of transient limits; nothing was charged for such a call. The line waits for them as a client would. */
const COMES_BACK: ReadonlySet<string> = new Set([
  'throttled',
  'force_refresh_limit',
  // Other lines may have reserved the tokens for a while. A spent quota is restored later than a line waits.
  'quota_exceeded',
  'idempotency_conflict',
]);

function secondsToWait({ code, retryAfterSeconds }: Fault): number | null {
  if (!COMES_BACK.has(code) || retryAfterSeconds === undefined) return null;
  return retryAfterSeconds > MAX_WAIT_SECONDS ? null : Math.max(1, retryAfterSeconds);
}

/** An invalid line counts in the throttle like a call that is refused, and waits for it like any line. */
async function counted(parts: AnswerParts, batch: BatchCall, fault: Fault): Promise<LineAnswer> {
  batch.signal.throwIfAborted();
  const work = await roomFor(parts, batch);
  try {
    enterAs(work, 'writing');
    const caller = await batch.callerNow();
    const { remaining } = await countRefused(parts.billing.metering, caller, parts.newId());
    return problemAnswer(fault, batch.requestId, remaining);
  } finally {
    work.ends();
  }
}

type AskedLine = { readonly line: LineLookup; readonly onGathering: Piece['onGathering'] };

async function answered(
  parts: AnswerParts,
  batch: BatchCall,
  asked: AskedLine,
): Promise<LineAnswer> {
  const work = await roomFor(parts, batch);
  try {
    return await billed(parts, batch, asked, (kind) => {
      batch.signal.throwIfAborted();
      enterAs(work, kind, batch.caller.organizationId);
    });
  } finally {
    work.ends();
  }
}

async function billed(
  parts: AnswerParts,
  batch: BatchCall,
  { line, onGathering }: AskedLine,
  becomeWork: (kind: WorkKind) => void,
): Promise<LineAnswer> {
  const { callerNow, fetchTurns, signal } = batch;
  const { id: text, query } = line;
  const caller = await callerNow();
  const requireWaiting = () => signal.throwIfAborted();
  // A line whose key is held by another one is billed again, and then takes its turn again.
  const turn = createOwnTurn(fetchTurns);
  const patience = {
    ms: MAX_WAIT_SECONDS * SECOND_MS,
    onGathering: (room: number) => {
      turn.onGathering(room);
      onGathering(room);
    },
  };
  const asked = { caller, text, query, present: presentProduct, requireWaiting, patience };
  const callId = parts.newId();
  const call = await countedIfRefused(
    () => productCall(parts, asked),
    () => countRefused(parts.billing.metering, caller, callId),
  );
  try {
    const { body, charged, isReplayed } = await billCall(parts.billing, {
      caller,
      call,
      callId,
      idempotency: idempotencyOf(batch, line),
      target: targetOf(line),
      enter: async (kind) => {
        becomeWork(kind);
        if (kind !== 'fetching') return;
        await turn.take(signal);
        // The key may have been revoked while the line waited for its turn.
        await callerNow();
      },
    });
    // Without its last brace: the line's tokens are written after it.
    const product = Buffer.from(JSON.stringify(body).slice(0, -1));
    return productLine(product, charged, isReplayed);
  } finally {
    turn.leave();
  }
}

/** No caller can send a key with a line break, so that the key of a line never equals the key of a call. */
function idempotencyOf(
  { idempotencyKey }: BatchCall,
  line: LineLookup,
): IdempotentRequest | undefined {
  if (idempotencyKey === null) return undefined;
  const fingerprint = tagOf([targetOf(line)]);
  return { key: `${idempotencyKey}\n${fingerprint}`, fingerprint };
}

async function refused(
  { metering }: AnswerParts,
  { caller, requestId }: BatchCall,
  fault: Fault,
): Promise<LineAnswer> {
  const tokensRemaining = await metering.remaining(caller).catch(() => null);
  return problemAnswer(fault, requestId, tokensRemaining);
}
