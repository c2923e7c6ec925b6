// The way of a plain call whose answer has to be made. It is charged as in its route, but without the framework around
// it. A request with something wrong, and every fault, goes the ordinary way, so that the words are the same.

import { gzip } from 'node:zlib';

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import type { RequestLog } from '../../base/log.ts';
import type { Caller, Charged, Metering } from '../../data/metering/metering.ts';
import type { ServiceMetrics } from '../../answer/metrics/service-metrics.ts';
import { billCall, type Billed, type BilledCall, type BillingParts } from '../bill.ts';
import type { PlainBody, SendPlain } from './plain-answer.ts';
import { plainCall } from './plain-calls.ts';
import type { PlainRequest } from './plain-request.ts';
import type { PlainTarget } from './plain-target.ts';
import type { QueriedCallParts } from './queried-calls.ts';
import { enterAs } from '../refusal.ts';
import { requestIdOf } from '../request-names.ts';
import { READS_PRODUCTS, type ShortCall } from './short-call.ts';

export type MadeWayParts = QueriedCallParts & {
  readonly billing: BillingParts;
  readonly metering: Pick<Metering, 'authenticate' | 'knownCaller' | 'requireScope'>;
  readonly metrics: Pick<ServiceMetrics, 'requestAnswered'>;
  readonly requestLog: RequestLog;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly send: SendPlain;
};

type Answering = { readonly plain: PlainTarget; readonly asked: PlainRequest };

type Known = { readonly caller: Caller; readonly call: BilledCall<object> };

/** Never rejects: each call ends in one of the two ways that `short` has. */
export async function answerMade(
  parts: MadeWayParts,
  short: ShortCall,
  { plain, asked }: Answering,
): Promise<void> {
  const startedMs = parts.clock.now();
  const callId = parts.newId();
  const known = await knownCall(parts, asked, plain);
  if (known === null) {
    short.otherwise(null);
    return;
  }
  const { caller, call } = known;
  const requestId = requestIdOf(asked.requestId, callId);
  let charged: Charged;
  try {
    const billed = await billCall(parts.billing, {
      caller,
      call,
      callId,
      idempotency: undefined,
      target: plain.target,
      enter: (kind) => enterAs(short.work, kind, caller.organizationId),
    });
    const { isGzip } = asked;
    ({ charged } = billed);
    parts.send.asResponse(short.exchange.response, {
      body: await bodyOf(billed, isGzip),
      isGzip,
      charged,
      requestId,
    });
  } catch (error) {
    short.otherwise({ error, startedMs, callId });
    return;
  }
  short.answered();
  const answered = { route: plain.route, method: 'GET', status: 200 };
  const ms = parts.clock.now() - startedMs;
  parts.metrics.requestAnswered({ ...answered, seconds: ms / SECOND_MS });
  const { organization } = caller;
  const { consumed: tokens } = charged;
  parts.requestLog.answered({ ...answered, requestId, callId, tokens, ms, organization });
}

/** What is known of the call; null when its key or what it asks is wrong, so that the framework says what. */
async function knownCall(
  parts: MadeWayParts,
  { authorization }: PlainRequest,
  plain: PlainTarget,
): Promise<Known | null> {
  const { metering } = parts;
  try {
    const known = metering.knownCaller(authorization);
    const caller = known ?? (await metering.authenticate(authorization));
    if (!caller.scopes.includes(READS_PRODUCTS)) return null;
    const call = await plainCall(parts, plain, caller);
    return call && { caller, call };
  } catch {
    return null;
  }
}

async function bodyOf({ body, charged }: Billed<object>, isGzip: boolean): Promise<PlainBody> {
  const { consumed, remaining } = charged;
  const fields = { tokens_consumed: consumed, tokens_remaining: remaining };
  const bytes = Buffer.from(JSON.stringify({ ...body, ...fields }));
  return isGzip
    ? { bytes: await gzipped(bytes), text: '' }
    : { bytes: null, text: bytes.toString('latin1') };
}

function gzipped(bytes: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  gzip(bytes, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  return promise;
}
