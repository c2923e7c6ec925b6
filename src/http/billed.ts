// How a /v1 route answers: metered, with its two token fields, and once for each Idempotency-Key (D16, D17,
// D21). Every billed route goes through `answerBilled`, every free one through `answerFree`.

import type { Context } from 'hono';

import { describeError } from '../log.ts';
import {
  IdempotencyKeyTaken,
  fingerprintOf,
  orUnavailable,
  stillRunning,
  type KeptAnswer,
  type Caller,
  type Charged,
  type IdempotentRequest,
  type Reservation,
} from '../metering/metering.ts';
import { IDEMPOTENCY_KEY } from '../wire/query.ts';
import type { HttpEnv, HttpParts } from './context.ts';
import { callerOf } from './middleware.ts';

/** What a use case came to: the body without its token fields, and what it costs. */
export type Outcome<Body> = { readonly body: Body; readonly tokens: number };

export type BilledCall<Body> = {
  /** As the ledger shows it: `GET /v1/products/{id}`. */
  readonly route: string;
  /** Counts against the forced refreshes too (D20). */
  readonly forced?: boolean;
  /** The most it can cost: reserved before anything is fetched (D17). */
  readonly maxTokens: number;
  /** The answer from what is held: one debit. Null, or not given: it must be worked for. */
  readonly held?: () => Promise<Outcome<Body> | null>;
  readonly worked: () => Promise<Outcome<Body>>;
};

type Tokens = { readonly tokens_consumed: number; readonly tokens_remaining: number };
type Billed<Body> = { readonly body: Body; readonly tokens: Tokens };

/** Answers a 200; a fault of the call is thrown and not billed. Runs behind `requireKey`. */
export async function answerBilled<Body extends object>(
  c: Context<HttpEnv>,
  parts: HttpParts,
  call: BilledCall<Body>,
) {
  const caller = callerOf(c);
  const idempotency = idempotencyOf(c);
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

/** A route that costs nothing and counts against the throttle like any other (D14, D20). */
export async function answerFree<Body extends object>(
  c: Context<HttpEnv>,
  parts: HttpParts,
  { route, body }: { readonly route: string; readonly body: () => Promise<Body> },
) {
  const caller = callerOf(c);
  const call = { requestId: c.get('callId'), route, tokens: 0 };
  const charged = await parts.metering.charge(caller, call);
  c.set('rateLimit', charged.rateLimit);
  return c.json({ ...(await orUnavailable(body())), ...tokensOf(charged) }, 200);
}

/** The header was checked with the route's schema; undefined without one. */
function idempotencyOf(c: Context<HttpEnv>): IdempotentRequest | undefined {
  const key = c.req.header(IDEMPOTENCY_KEY);
  if (key === undefined) return undefined;
  return { key, fingerprint: fingerprintOf(c.req.method, new URL(c.req.raw.url)) };
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

type Billing<Body, Call extends Metered = Metered> = {
  readonly caller: Caller;
  readonly call: BilledCall<Body>;
  readonly metered: Call;
};

/** Calls that want one key at once: after so many attempts the first is still running, whichever it is. */
const ATTEMPTS = 3;

/**
 * D21: a key that was answered is answered again. Of two calls that find the key free at once one takes it; the other
 * reads what became of that call.
 */
async function billOnce<Body extends object>(
  c: Context<HttpEnv>,
  parts: HttpParts,
  billing: Billing<Body, Metered & { readonly idempotency: IdempotentRequest }>,
): Promise<Billed<Body>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const replayed = await replay(c, parts, billing);
    if (replayed !== null) return replayed as Billed<Body>;
    try {
      return await bill(c, parts, billing);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken)) throw error;
    }
  }
  throw stillRunning();
}

/** Free, and throttled like a free call. */
async function replay(
  c: Context<HttpEnv>,
  parts: HttpParts,
  { caller, metered }: Billing<unknown, Metered & { readonly idempotency: IdempotentRequest }>,
): Promise<Billed<object> | null> {
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
 * What is held costs one debit; what must be worked for is reserved first, so that a caller without tokens
 * starts no fetch, and settled or released with the outcome. The debit is durable before the answer.
 */
async function bill<Body extends object>(
  c: Context<HttpEnv>,
  parts: HttpParts,
  { caller, call, metered }: Billing<Body>,
): Promise<Billed<Body>> {
  const { metering } = parts;
  const held = call.held === undefined ? null : await orUnavailable(call.held());
  if (held !== null) {
    const { body, tokens } = held;
    const answer = answerOf(body, metered);
    const charged = await metering.charge(caller, { ...metered, tokens, ...answer });
    return billed(c, parts, { call, body, charged });
  }
  const reservation = await metering.reserve(caller, { ...metered, maxTokens: call.maxTokens });
  try {
    const { body, tokens } = await orUnavailable(call.worked());
    const charged = await reservation.settle(tokens, answerOf(body, metered).answer);
    return billed(c, parts, { call, body, charged });
  } catch (error) {
    await giveBack(parts, reservation);
    throw error;
  }
}

/** The answer of a call that was charged. */
function billed<Body>(
  c: Context<HttpEnv>,
  parts: HttpParts,
  {
    call,
    body,
    charged,
  }: { readonly call: BilledCall<Body>; readonly body: Body; readonly charged: Charged },
): Billed<Body> {
  c.set('rateLimit', charged.rateLimit);
  parts.metrics.tokensCharged(call.route, charged.consumed);
  return { body, tokens: tokensOf(charged) };
}

/** The text that is kept; made only for a call that has a key. */
function answerOf(body: object, { idempotency }: Metered): { readonly answer?: KeptAnswer } {
  return idempotency === undefined ? {} : { answer: { status: 200, body: JSON.stringify(body) } };
}

/** When even this fails, the lease gives the tokens back; the caller still learns what went wrong first. */
async function giveBack(parts: HttpParts, reservation: Reservation): Promise<void> {
  await reservation.release().catch((failure: unknown) => {
    parts.log.error('could not release a reservation of tokens', { error: describeError(failure) });
  });
}
