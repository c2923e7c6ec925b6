// Reuses an answer whose bytes are cached. A cached target was matched and validated when it was first answered; the key is
// checked and the call charged as for every other, in the transaction that finds everything it was made from unchanged.

import type { AnswerCache } from '../answer/lookup/cache/answer-cache.ts';
import type { CachedBody } from '../answer/lookup/cache/cached-bodies.ts';
import { gzipBytes } from '../answer/lookup/cache/cached-bodies.ts';
import type { Scope } from '../base/scopes.ts';
import {
  AnswerChanged,
  type Caller,
  type Charged,
  type Metering,
} from '../data/metering/metering.ts';
import type { Answer } from './answer.ts';
import { authenticated, enter, idempotencyKeyOf, type Asked, type Call } from './call.ts';
import { quickCodingFor } from './encoding.ts';

export type CachedParts = {
  /** Null if answers are not reused. */
  readonly cache: Pick<AnswerCache, 'bodyFor' | 'isOfNow' | 'drop' | 'textOf'> | null;
  readonly metering: Pick<Metering, 'authenticate' | 'charge' | 'requireScope'>;
};

/** The scope of the routes whose answers are cached. */
const SCOPE: Scope = 'products:read';

/** Returns the cached bytes for a call; null if it must be computed. */
export function cachedBodyFor(
  { cache }: Pick<CachedParts, 'cache'>,
  asked: Asked,
): CachedBody | null {
  const { method, target, headers, body } = asked;
  const found = method === 'GET' && body === null ? (cache?.bodyFor(target) ?? null) : null;
  if (found === null || idempotencyKeyOf(asked) !== null) return null;
  const control = headers.get('cache-control');
  return control !== undefined && /\bno-cache\b/i.test(control) ? null : found;
}

/** Returns the cached answer, charged; null if it is out of date. Throws the call's FaultError. */
export async function cachedAnswer(
  { cache, metering }: CachedParts,
  call: Call,
  found: CachedBody,
): Promise<Answer | null> {
  const { asked } = call;
  if (cache === null) return null;
  call.route = found.pattern;
  const caller = await authenticated(call, metering);
  metering.requireScope(caller, SCOPE);
  enter(call, 'writing');
  // From here on its charge counts the call, regardless of the outcome.
  call.isCounted = true;
  const charged = await chargeCached({ cache, metering }, found, caller, call.callId);
  if (charged === null) return null;
  call.rateLimit = charged.rateLimit;
  call.tokens = charged.consumed;
  call.cached = found.route;
  return answerOf(cache, found, charged, quickCodingFor(asked.headers.get('accept-encoding')));
}

type ChargeParts = {
  readonly cache: Pick<AnswerCache, 'isOfNow' | 'drop'>;
  readonly metering: Pick<Metering, 'charge'>;
};

/**
 * Charges for a cached answer; null where it is out of date, and is then forgotten, and for a caller with facts of its own, which lie
 * over this common answer. Throws the fault of the charge.
 */
export async function chargeCached(
  { cache, metering }: ChargeParts,
  found: CachedBody,
  caller: Caller,
  callId: string,
): Promise<Charged | null> {
  if (caller.hasOwnFacts) return null;
  // The charge compares revisions, not the time, which passed while the key was looked up.
  if (!cache.isOfNow(found)) return null;
  const { route, tokens, entry } = found;
  const { revisions } = entry;
  try {
    return await metering.charge(caller, { requestId: callId, route, tokens, revisions });
  } catch (error) {
    if (!(error instanceof AnswerChanged)) throw error;
    cache.drop(found);
    return null;
  }
}

const JSON_HEADERS = { 'content-type': 'application/json' } as const;
const GZIP_HEADERS = { ...JSON_HEADERS, 'content-encoding': 'gzip' } as const;

function answerOf(
  cache: Pick<AnswerCache, 'textOf'>,
  found: CachedBody,
  { consumed, remaining }: Charged,
  coding: string | null,
): Answer {
  const text = `,"tokens_consumed":${consumed},"tokens_remaining":${remaining}}`;
  if (coding === 'gzip') {
    return { status: 200, headers: GZIP_HEADERS, body: gzipBytes(found.body, text) };
  }
  const bytes = cache.textOf(found);
  if (coding === null) return { status: 200, headers: JSON_HEADERS, body: { bytes, text } };
  return { status: 200, headers: JSON_HEADERS, body: bytes.toString() + text };
}
