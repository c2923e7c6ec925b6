// How a /v1 route answers: throttled, charged, with the two token fields, and once for each Idempotency-Key (D16,
// D17, D21). Every billed route goes through `answerBilled`, every free one through `answerFree`.

import type { Context } from 'hono';

import { FaultError } from '../core/fault.ts';
import { describeError, type Log } from '../log.ts';
import {
  IdempotencyKeyTaken,
  fingerprintOf,
  orUnavailable,
  stillRunning,
  type KeptAnswer,
  type Caller,
  type Charged,
  type IdempotentRequest,
  type Metering,
  type Reservation,
} from '../metering/metering.ts';
import { IDEMPOTENCY_KEY } from '../wire/query.ts';
import type { Dependence } from '../lookup/noted-reads.ts';
import type { WorkKind } from './admission.ts';
import type { HttpEnv } from './context.ts';
import { OVERLOADED } from './refusal.ts';
import { callerOf } from './middleware.ts';
import type { PreparedAnswers } from './prepared-answers.ts';

/** What a billed route needs to charge for its answers. */
export type BillingParts = {
  readonly metering: Pick<Metering, 'charge' | 'findReplay' | 'reserve'>;
  /** Counts tokens for the metrics. */
  readonly tokensCharged: (route: string, tokens: number) => void;
  readonly log: Pick<Log, 'error'>;
  /** Null: no answer is given again. */
  readonly prepared: Pick<PreparedAnswers, 'begin'> | null;
};

/** What a free route needs: its calls count against the throttle only. */
export type FreeParts = { readonly metering: Pick<Metering, 'charge'> };

/** The body of an answer without its token fields, and what it costs. */
export type PricedBody<Body> = { readonly body: Body; readonly tokens: number };

/** The same with what it depends on; null: it must not be given again. */
export type NotedBody<Body> = PricedBody<Body> & { readonly dependence: Dependence | null };

export type BilledCall<Body> = {
  /** As the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /** Counts against the limit of forced refreshes too (D20). */
  readonly forced?: boolean;
  /** The most it can cost: reserved before anything is fetched (D17). */
  readonly maxTokens: number;
  /** The body of the request, in one form whatever its white space: part of what an Idempotency-Key stands for. */
  readonly requestBody?: string;
  /** The answer from the store, charged in one statement. Null or not given: `worked` must make it. */
  readonly held?: () => Promise<PricedBody<Body> | null>;
  /** The same for an answer that may be kept; absent: none of this route is. */
  readonly noted?: (() => Promise<NotedBody<Body> | null>) | undefined;
  /** The answer when retailers have to be asked. */
  readonly worked: () => Promise<PricedBody<Body>>;
};

type Tokens = { readonly tokens_consumed: number; readonly tokens_remaining: number };
type ChargedBody<Body> = { readonly body: Body; readonly tokens: Tokens };

/** Answers 200. Throws the FaultError of the call, which is not billed. Runs behind `requireKey`. */
export async function answerBilled<Body extends object>(
  c: Context<HttpEnv>,
  parts: BillingParts,
  call: BilledCall<Body>,
) {
  const caller = callerOf(c);
  const idempotency = idempotencyOf(c, call.requestBody);
  const metered = {
    requestId: c.get('callId'),
    route: call.route,
    forced: call.forced ?? false,
    idempotency,
  };
  const { body, tokens } =
    idempotency === undefined
      ? await bill(c, parts, { caller, call, metered })
      : await billOnce(c, parts, { caller, call, metered: { ...metered, idempotency } });
  return c.json({ ...body, ...tokens }, 200);
}

/** Answers 200 for a route that costs nothing; its calls count against the throttle like any other (D14, D20). */
export async function answerFree<Body extends object>(
  c: Context<HttpEnv>,
  parts: FreeParts,
  { route, body }: { readonly route: string; readonly body: () => Promise<Body> },
) {
  const caller = callerOf(c);
  const call = { requestId: c.get('callId'), route, tokens: 0 };
  enter(c, 'writing');
  const charged = await parts.metering.charge(caller, call);
  c.set('rateLimit', charged.rateLimit);
  return c.json({ ...(await orUnavailable(body())), ...tokensOf(charged) }, 200);
}

/** Undefined without the header, whose value the route's schema has checked. */
function idempotencyOf(c: Context<HttpEnv>, body = ''): IdempotentRequest | undefined {
  const key = c.req.header(IDEMPOTENCY_KEY);
  if (key === undefined) return undefined;
  return { key, fingerprint: fingerprintOf(c.req.method, new URL(c.req.raw.url), body) };
}

function tokensOf({ consumed, remaining }: Charged): Tokens {
  return { tokens_consumed: consumed, tokens_remaining: remaining };
}

type Metered = {
  readonly requestId: string;
  readonly route: string;
  readonly forced: boolean;
  readonly idempotency: IdempotentRequest | undefined;
};

type CallerAndCall<Body, Call extends Metered = Metered> = {
  readonly caller: Caller;
  readonly call: BilledCall<Body>;
  readonly metered: Call;
};

/** Times a call tries to insert its idempotency record; after that, another call with the key still runs. */
const ATTEMPTS = 3;

/**
 * D21: a key that was answered is answered again. When two calls find the key free at once, one of them inserts
 * the idempotency record; the other fails to, and reads the answer of the first.
 */
async function billOnce<Body extends object>(
  c: Context<HttpEnv>,
  parts: BillingParts,
  billing: CallerAndCall<Body, Metered & { readonly idempotency: IdempotentRequest }>,
): Promise<ChargedBody<Body>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const replayed = await replay(c, parts, billing);
    if (replayed !== null) return replayed as ChargedBody<Body>;
    try {
      return await bill(c, parts, billing);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken)) throw error;
    }
  }
  throw stillRunning();
}

/** The kept answer, free of charge and throttled like a free call; null when the key has none. */
async function replay(
  c: Context<HttpEnv>,
  parts: BillingParts,
  {
    caller,
    metered,
  }: CallerAndCall<unknown, Metered & { readonly idempotency: IdempotentRequest }>,
): Promise<ChargedBody<object> | null> {
  const kept = await parts.metering.findReplay(caller, metered.idempotency);
  if (kept === null) return null;
  const { requestId, route } = metered;
  const charged = await parts.metering.charge(caller, { requestId, route, tokens: 0 });
  c.set('rateLimit', charged.rateLimit);
  c.header('Idempotency-Replayed', 'true');
  return {
    body: JSON.parse(kept.body) as object,
    tokens: { tokens_consumed: kept.tokensConsumed, tokens_remaining: kept.tokensRemaining },
  };
}

/**
 * An answer from the store is charged in one statement. For any other the most it can cost is reserved first, so that
 * a caller without tokens starts no fetch, and settled or released with the outcome. The charge is durable before
 * the answer is sent.
 */
async function bill<Body extends object>(
  c: Context<HttpEnv>,
  parts: BillingParts,
  { caller, call, metered }: CallerAndCall<Body>,
): Promise<ChargedBody<Body>> {
  const { metering } = parts;
  const { env } = c as { readonly env?: HttpEnv['Bindings'] };
  if (env?.refused) throw env.refused.error;
  const held = await orUnavailable(heldBody(parts, call, env?.incoming?.url));
  if (held !== null) {
    const { body, tokens } = held;
    const answer = answerOf(body, metered);
    enter(c, 'writing');
    const charged = await metering.charge(caller, { ...metered, tokens, ...answer });
    return chargedBody(c, parts, { call, body, charged });
  }
  enter(c, 'fetching');
  const reservation = await metering.reserve(caller, { ...metered, maxTokens: call.maxTokens });
  try {
    const { body, tokens } = await orUnavailable(call.worked());
    const charged = await reservation.settle(tokens, answerOf(body, metered).answer);
    return chargedBody(c, parts, { call, body, charged });
  } catch (error) {
    await giveBack(parts, reservation);
    throw error;
  }
}

/** What is held; where its target is asked for again, the answer is kept for the next time. */
async function heldBody<Body extends object>(
  { prepared }: BillingParts,
  { route, held, noted }: BilledCall<Body>,
  target: string | undefined,
): Promise<PricedBody<Body> | null> {
  const preparing =
    noted === undefined || prepared === null || target === undefined
      ? null
      : await prepared.begin(target);
  if (noted === undefined || preparing === null) return (await held?.()) ?? null;
  const made = await noted();
  if (made !== null) preparing.keep({ route, ...made });
  return made;
}

/** FaultError overloaded when as many calls as may be wait for the same already; nothing was charged then. */
export function enter(c: Context<HttpEnv>, kind: WorkKind): void {
  // Without a listener, as in a test that calls the API itself, nothing is counted.
  const room = (c.env as HttpEnv['Bindings'] | undefined)?.work?.becomes(kind) ?? true;
  if (room !== true) throw new FaultError({ ...OVERLOADED, ...room });
}

/** Notes the charge for headers and metrics. */
function chargedBody<Body>(
  c: Context<HttpEnv>,
  parts: BillingParts,
  {
    call,
    body,
    charged,
  }: { readonly call: BilledCall<Body>; readonly body: Body; readonly charged: Charged },
): ChargedBody<Body> {
  c.set('rateLimit', charged.rateLimit);
  c.set('tokens', charged.consumed);
  parts.tokensCharged(call.route, charged.consumed);
  return { body, tokens: tokensOf(charged) };
}

/** The text to keep for replays; only for a call with an Idempotency-Key. */
function answerOf(body: object, { idempotency }: Metered): { readonly answer?: KeptAnswer } {
  return idempotency === undefined ? {} : { answer: { status: 200, body: JSON.stringify(body) } };
}

/**
 * Releases the reservation of a failed call. When that fails too, the reservation expires by itself; the caller still
 * gets the first error.
 */
async function giveBack(parts: BillingParts, reservation: Reservation): Promise<void> {
  await reservation.release().catch((failure: unknown) => {
    parts.log.error('could not release a reservation; it expires by itself', {
      error: describeError(failure),
    });
  });
}
