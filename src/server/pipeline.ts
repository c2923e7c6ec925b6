// The order of every call: match, read the body, check the key, validate, answer from the cache or compute, charge. A client's
// request, an agent's tool and a batch line (batch/answer-work.ts) take the same steps.

import { SECOND_MS, type Clock } from '../base/clock.ts';
import { FaultError } from '../base/fault.ts';
import type { Log, RequestLog } from '../base/log.ts';
import type { ServiceMetrics } from '../answer/metrics/service-metrics.ts';
import {
  fingerprintOf,
  orUnavailable,
  type Charged,
  type Metering,
} from '../data/metering/metering.ts';
import { json, type Answer } from './answer.ts';
import { billCall, chargeFree, type BilledCall, type BillingParts } from './bill.ts';
import { withBody } from './bodies.ts';
import { cachedAnswer, cachedBodyFor, type CachedParts } from './cached-answer.ts';
import {
  authenticated,
  callerOf,
  enter,
  idempotencyKeyOf,
  newCall,
  type Asked,
  type Call,
  type Share,
} from './call.ts';
import { encodedFor } from './encoding.ts';
import { PREFLIGHT } from './headers.ts';
import { MAX_TARGET } from './path-text.ts';
import { parsedCall } from './parsed-call.ts';
import { answerError, type ProblemParts } from './problems/problems.ts';
import type { Begun } from './route.ts';
import type { Entry, Found, Match, Table } from './table.ts';

type PipelineParts = CachedParts &
  ProblemParts & {
    readonly billing: BillingParts;
    readonly metering: CachedParts['metering'] &
      ProblemParts['metering'] &
      Pick<Metering, 'rateLimit' | 'requireScope'>;
    readonly metrics: Pick<ServiceMetrics, 'requestAnswered' | 'cachedAnswered'>;
    readonly requestLog: RequestLog;
    readonly clock: Pick<Clock, 'now'>;
    readonly log: Pick<Log, 'error'>;
    readonly corsOrigins: readonly string[];
    /** Creates a random, unguessable, unique id, which identifies a call in the ledger and in the log. */
    readonly newId: () => string;
    /**
     * The routes that answer until all are loaded. They validate nothing, so they accept only calls with nothing to
     * validate.
     */
    readonly early: Table | null;
    /** All routes; the first call that needs them waits until they are loaded. */
    readonly table: () => Promise<Table>;
  };

/** An answer ready to be sent, and its call. */
export type Answered = { readonly call: Call; readonly answer: Answer };

export type Pipeline = {
  /** Answers, charges, counts and logs a call. Never rejects. */
  readonly answer: (asked: Asked, share: Share) => Promise<Answered>;
};

export function createPipeline(parts: PipelineParts): Pipeline {
  const { clock, newId } = parts;
  let table: Table | null = null;
  const load = async (): Promise<Table> => (table = await parts.table());

  async function computed(call: Call): Promise<Answer> {
    const { asked } = call;
    if (asked.method === 'OPTIONS' && parts.corsOrigins.length > 0) {
      return { status: 204, headers: PREFLIGHT, body: null };
    }
    const early = table === null ? findEarly(parts, asked) : null;
    const { found, takes, unknown } = early ?? (table ?? (await load())).match(asked);
    if (found !== null) call.route = found.entry.path;
    limitTarget(asked);
    const goOn = async (text: string): Promise<Answer> => {
      if (found === null) throw new FaultError(unknown());
      await authenticate(parts, call, found.entry.scope);
      const begun = await found.entry.begin(parsedCall(call, found, text));
      return await charged(parts, call, { found, begun });
    };
    return asked.body === null ? await goOn('') : await withBody(call, asked.body, { takes, goOn });
  }

  return {
    answer: async (asked, share) => {
      const call = newCall(asked, share, newId(), clock.now());
      let answer: Answer | null = null;
      try {
        const cached = cachedBodyFor(parts, asked);
        if (cached !== null) answer = await cachedAnswer(parts, call, cached);
        answer ??= await computed(call);
      } catch (error) {
        answer = await answerError(error, call, parts);
      }
      if (!isForClient(call)) answer = await forClient(parts, call, answer);
      note(parts, call, answer.status);
      return { call, answer };
    },
  };
}

/** Matches a plain lookup, without parameters, which needs no schema; null for any other call. */
function findEarly({ early }: PipelineParts, asked: Asked): Match | null {
  const isPlain = asked.query === '' && asked.body === null && idempotencyKeyOf(asked) === null;
  const match = isPlain ? early?.match(asked) : undefined;
  return match === undefined || match.found === null ? null : match;
}

function limitTarget({ path, query }: Asked): void {
  const length = path.length + (query === '' ? 0 : query.length + 1);
  if (length <= MAX_TARGET) return;
  throw new FaultError({
    code: 'uri_too_long',
    detail:
      `The path and query are ${length} characters long; the limit is ${MAX_TARGET}. Send a shorter address, without ` +
      'tracking parameters.',
  });
}

/** D14, D15. FaultError missing_api_key, invalid_api_key, insufficient_scope. */
async function authenticate(
  { metering }: Pick<PipelineParts, 'metering'>,
  call: Call,
  scope: Entry['scope'],
): Promise<void> {
  if (scope === 'no key') return;
  const caller = await authenticated(call, metering);
  if (scope !== 'any key') metering.requireScope(caller, scope);
}

type Beginning = { readonly found: Found; readonly begun: Begun<unknown> };

/**
 * Returns the whole answer, charged; an unbilled one is already complete. Throws the call's FaultError, which is not billed.
 */
async function charged(
  parts: PipelineParts,
  call: Call,
  { found, begun }: Beginning,
): Promise<Answer> {
  if (!('kind' in begun)) return begun;
  if (begun.kind === 'billed') {
    return await paid(parts, call, begun.bill as BilledCall<object>).finally(begun.over);
  }
  const free = await chargeFree(parts.metering, call, found.entry.name);
  const body = await orUnavailable(begun.make());
  const answer = json({ ...(body as object), ...tokensOf(free) });
  return { ...answer, headers: { ...answer.headers, ...begun.headers } };
}

async function paid(parts: PipelineParts, call: Call, bill: BilledCall<object>): Promise<Answer> {
  const { asked, callId } = call;
  // From here on the call's bill counts it, regardless of the outcome.
  call.isCounted = true;
  const { body, charged, isReplayed } = await billCall(parts.billing, {
    caller: callerOf(call),
    call: bill,
    callId,
    idempotency: idempotencyOf(asked, bill.requestBody),
    target: asked.target,
    enter: (kind) => enter(call, kind),
  });
  call.rateLimit = charged.rateLimit;
  const answer = json({ ...body, ...tokensOf(charged) });
  if (!isReplayed) call.tokens = charged.consumed;
  if (!isReplayed) return answer;
  return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
}

function tokensOf({ consumed, remaining }: Charged) {
  return { tokens_consumed: consumed, tokens_remaining: remaining };
}

/** Returns the call's idempotency; undefined without the header. The route's schema has validated the header's value. */
function idempotencyOf(asked: Asked, body = '') {
  const key = idempotencyKeyOf(asked);
  return key === null ? undefined : { key, fingerprint: fingerprintOf(asked, body) };
}

/**
 * Checks whether a call's answer can be sent without a content coding and its limits are known. Most cached answers are
 * sent as they are.
 */
function isForClient({ asked, caller, rateLimit }: Call): boolean {
  return (caller === null || rateLimit !== null) && !asked.headers.has('accept-encoding');
}

/** Returns the answer in its client's coding, including the limits of a known key (D20). */
async function forClient(parts: PipelineParts, call: Call, answer: Answer): Promise<Answer> {
  const { asked, caller } = call;
  if (caller !== null) {
    call.rateLimit ??= await parts.metering.rateLimit(caller).catch(() => null);
  }
  const accepted = asked.headers.get('accept-encoding');
  if (accepted === undefined || asked.method === 'HEAD') return answer;
  return await encodedFor(answer, accepted);
}

/** Counts and logs an answer under its route's path: callers choose paths, so the number of paths is unbounded. */
function note({ clock, metrics, requestLog }: PipelineParts, call: Call, status: number): void {
  const { asked, route, requestId, callId, tokens, caller, cached } = call;
  const method = countedMethod(asked.method);
  const ms = clock.now() - call.startedMs;
  const seconds = ms / SECOND_MS;
  if (cached !== null) {
    metrics.cachedAnswered({ route: cached, tokens, request: { route, seconds } });
  } else metrics.requestAnswered({ route, method, status, seconds });
  const organization = caller?.organization ?? null;
  requestLog.answered({ requestId, callId, method, route, status, tokens, ms, organization });
}

const COUNTED_METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** Returns the method for counting: callers choose methods too, so all others share one name. */
export function countedMethod(method: string): string {
  return COUNTED_METHODS.includes(method) ? method : 'other';
}
