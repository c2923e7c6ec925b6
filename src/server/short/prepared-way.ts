// The way of a call whose answer is kept. Admission, key check, limits, charge and headers are those of every other
// call. An answer that is found to be out of date, and every error, goes the ordinary way.

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import type { RequestLog } from '../../base/log.ts';
import {
  AnswerChanged,
  type Caller,
  type Charged,
  type Metering,
} from '../../data/metering/metering.ts';
import type { AnswerCache } from '../../answer/lookup/cache/answer-cache.ts';
import type { CachedBody } from '../../answer/lookup/cache/cached-bodies.ts';
import { gzipBytes } from '../../answer/lookup/cache/spliced-body.ts';
import type { ServiceMetrics } from '../../answer/metrics/service-metrics.ts';
import type { PlainAnswer, PlainBody } from './plain-answer.ts';
import type { PlainRequest } from './plain-request.ts';
import { requestIdOf } from '../request-names.ts';
import { READS_PRODUCTS, type ShortEnds } from './short-call.ts';

export type PreparedWayParts = {
  readonly cache: Pick<AnswerCache, 'isOfNow' | 'drop' | 'textOf'>;
  readonly metering: Pick<Metering, 'authenticate' | 'knownCaller' | 'charge'>;
  readonly metrics: Pick<ServiceMetrics, 'preparedAnswered'>;
  readonly requestLog: RequestLog;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
};

export type PreparedCall = ShortEnds & { readonly send: (answer: PlainAnswer) => void };

type Answering = {
  readonly answer: CachedBody;
  readonly asked: PlainRequest;
};

/** Never rejects: each call ends in one of the two ways that `call` has. */
export async function answerPrepared(
  parts: PreparedWayParts,
  call: PreparedCall,
  { answer, asked }: Answering,
): Promise<void> {
  const { cache, metering } = parts;
  const startedMs = parts.clock.now();
  let caller = metering.knownCaller(asked.authorization);
  try {
    caller ??= await metering.authenticate(asked.authorization);
  } catch {
    call.otherwise(null);
    return;
  }
  // The charge compares revisions, not the time, which went on while the key was looked up.
  const isRight = cache.isOfNow(answer) && caller.scopes.includes(READS_PRODUCTS);
  if (!isRight || call.work.becomes('writing') !== true) {
    call.otherwise(null);
    return;
  }
  const { route, tokens, entry } = answer;
  const { revisions } = entry;
  const callId = parts.newId();
  let charged: Charged;
  try {
    charged = await metering.charge(caller, { requestId: callId, route, tokens, revisions });
  } catch (error) {
    const isChanged = error instanceof AnswerChanged;
    if (isChanged) cache.drop(answer);
    call.otherwise(isChanged ? null : { error, startedMs, callId });
    return;
  }
  const requestId = requestIdOf(asked.requestId, callId);
  const { isGzip } = asked;
  try {
    const body = bodyOf(cache, { answer, isGzip, charged });
    call.send({ body, isGzip, charged, requestId });
  } catch (error) {
    // The call was charged: the caller is told that the service failed, and the log says why.
    call.otherwise({ error, startedMs, callId });
    return;
  }
  call.answered();
  note(parts, { answer, caller, startedMs, requestId, callId });
}

type Paid = {
  readonly answer: CachedBody;
  readonly isGzip: boolean;
  readonly charged: Charged;
};

function bodyOf(cache: Pick<AnswerCache, 'textOf'>, { answer, isGzip, charged }: Paid): PlainBody {
  const { consumed, remaining } = charged;
  const fields = `,"tokens_consumed":${consumed},"tokens_remaining":${remaining}}`;
  if (isGzip) return { bytes: gzipBytes(answer.body, fields), text: '' };
  return { bytes: cache.textOf(answer), text: fields };
}

type Answered = {
  readonly answer: CachedBody;
  readonly caller: Caller;
  readonly startedMs: number;
  readonly requestId: string;
  readonly callId: string;
};

function note(
  { metrics, requestLog, clock }: PreparedWayParts,
  { answer, caller, startedMs, requestId, callId }: Answered,
): void {
  const ms = clock.now() - startedMs;
  const { tokens, pattern: route } = answer;
  const request = { route, seconds: ms / SECOND_MS };
  metrics.preparedAnswered({ route: answer.route, tokens, request });
  const { organization } = caller;
  const answered = { route, method: 'GET', status: 200 };
  requestLog.answered({ ...answered, requestId, callId, tokens, ms, organization });
}
