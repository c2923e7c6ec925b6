// Charges one call, alone or in a batch: it is throttled, then debited or reserved, and charged once for each Idempotency-Key (D16,
// D17, D21).

import { describeError, type Log } from '../base/log.ts';
import {
  IdempotencyKeyTaken,
  orUnavailable,
  stillRunning,
  type CallAnswer,
  type Caller,
  type Charged,
  type IdempotentRequest,
  type Metering,
  type Reservation,
} from '../data/metering/metering.ts';
import type { AnswerCache } from '../answer/lookup/cache/answer-cache.ts';
import type { CacheEntry } from '../answer/lookup/cache/cached-bodies.ts';
import { callerOf, enter, type Call } from './call.ts';
import type { WorkKind } from './listen/admission.ts';
import { countedIfRefused, countRefused } from './refused-call.ts';

/** The parts that a billed route needs to charge for its answers. */
export type BillingParts = {
  readonly metering: Pick<Metering, 'charge' | 'findReplay' | 'reserve'>;
  /** Counts tokens for the metrics. */
  readonly tokensCharged: (route: string, tokens: number) => void;
  readonly log: Pick<Log, 'error'>;
  /** Null if answers are not reused. */
  readonly cache: Pick<AnswerCache, 'keep'> | null;
};

/** Returns the parts of a service that its billed routes share. */
export function billingOf({
  metrics,
  ...parts
}: Omit<BillingParts, 'tokensCharged'> & {
  readonly metrics: Pick<BillingParts, 'tokensCharged'>;
}): BillingParts {
  const { metering, log, cache } = parts;
  return { metering, tokensCharged: metrics.tokensCharged, log, cache };
}

/** The body of an answer without its token fields, and its price. */
type PricedBody<Body> = {
  readonly body: Body;
  readonly tokens: number;
  /** Until when terms of its sources allow it to be given (ms since 1970); null or absent: for as long as it is stored (D81). */
  readonly untilMs?: number | null;
};

/** A priced body from the store. */
type StoredBody<Body> = PricedBody<Body> & {
  /** Where its bytes may be cached; null or absent if they may not. */
  readonly cached?: {
    readonly entry: CacheEntry | null;
    /** Everything that determines how the found is presented: the caller's options, in one normal form. */
    readonly presentation: string;
  };
};

export type BilledCall<Body> = {
  /** The route as shown in the ledger: `GET /v1/products/{id}`. */
  readonly route: string;
  /** Whether the call also counts against the limit of forced refreshes (D20). */
  readonly forced?: boolean;
  /** The call's maximum cost: reserved before anything is fetched (D17). */
  readonly maxTokens: number;
  /**
   * The request's body in one normal form, regardless of its white space. It is part of what an Idempotency-Key stands for.
   */
  readonly requestBody?: string;
  /**
   * Makes the answer from the store, to be charged in one transaction. If it is null or absent, `make` makes the answer.
   */
  readonly fromStore?: () => Promise<StoredBody<Body> | null>;
  /** Makes an answer that requires asking retailers or creating something. Called only once no limit refuses the call. */
  readonly make: () => Promise<PricedBody<Body>>;
};

/** A call and its caller. */
type Billing<Body> = {
  readonly caller: Caller;
  readonly call: BilledCall<Body>;
  /** The call's id: created by the service, never used twice. */
  readonly callId: string;
  readonly idempotency: IdempotentRequest | undefined;
  /** Path and query under which the answer may be cached; undefined if it is not cached. */
  readonly target: string | undefined;
  /** Called when the call becomes work of this kind. Throws a fault when the service has no room for it. */
  readonly enter: (kind: WorkKind) => void | Promise<void>;
};

/** An answer that was charged now or earlier. */
type Billed<Body> = {
  readonly body: Body;
  readonly charged: Charged;
  /** Whether this is the answer stored for an Idempotency-Key. `charged` then states the price of that answer. */
  readonly isReplayed: boolean;
};

/** Counts a call that costs nothing against the throttle. FaultError throttled, overloaded. */
export async function chargeFree(
  { charge }: Pick<Metering, 'charge'>,
  call: Call,
  route: string,
): Promise<Charged> {
  enter(call, 'writing');
  call.isCounted = true;
  const charged = await charge(callerOf(call), { requestId: call.callId, route, tokens: 0 });
  call.rateLimit = charged.rateLimit;
  return charged;
}

/** Answers and charges the call. Throws the FaultError of the call, which is not billed. */
export async function billCall<Body extends object>(
  parts: BillingParts,
  billing: Billing<Body>,
): Promise<Billed<Body>> {
  const { idempotency } = billing;
  if (idempotency === undefined) return bill(parts, billing);
  return billOnce(parts, { ...billing, idempotency });
}

type WithKey<Body> = Billing<Body> & { readonly idempotency: IdempotentRequest };

/**
 * How often a call tries to insert its idempotency record. After that, another call with the key is considered still
 * running.
 */
const ATTEMPTS = 3;

/**
 * D21: a key that has an answer gets the same answer again. If two calls find the key free at once, one of them inserts the
 * idempotency record. The other fails to insert it, and reads the first one's answer.
 */
async function billOnce<Body extends object>(
  parts: BillingParts,
  billing: WithKey<Body>,
): Promise<Billed<Body>> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const replayed = await replay(parts, billing);
    if (replayed !== null) return replayed as Billed<Body>;
    try {
      return await bill(parts, billing);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken)) throw error;
    }
  }
  throw stillRunning();
}

/** Returns the stored answer, free of charge and throttled like a free call; null if the key has none. */
async function replay(
  { metering }: BillingParts,
  { caller, call, callId, idempotency }: WithKey<unknown>,
): Promise<Billed<object> | null> {
  const record = await countedIfRefused(
    () => metering.findReplay(caller, idempotency),
    () => countRefused(metering, caller, callId),
  );
  if (record === null) return null;
  const { route } = call;
  const { rateLimit } = await metering.charge(caller, { requestId: callId, route, tokens: 0 });
  const { tokensConsumed: consumed, tokensRemaining: remaining } = record;
  return {
    body: JSON.parse(record.body) as object,
    charged: { consumed, remaining, rateLimit },
    isReplayed: true,
  };
}

/**
 * Charges a call. An answer from the store is charged in one transaction. For any other answer its maximum cost is reserved
 * first, so that a caller without tokens starts no fetch; the reservation is settled or released with the outcome. The
 * charge is durable before the answer is sent.
 */
async function bill<Body extends object>(
  parts: BillingParts,
  { caller, call, callId, idempotency, target, enter }: Billing<Body>,
): Promise<Billed<Body>> {
  const { metering } = parts;
  const { route, forced = false } = call;
  const metered = { requestId: callId, route, forced, idempotency };
  const count = () => countRefused(metering, caller, callId);
  // A call that the store refuses is counted regardless of the fault, like a call that asks a shop.
  const fromStore = () => storedBody(parts, call, target);
  const stored = await orUnavailable(countedIfRefused(fromStore, count, () => true));
  if (stored !== null) {
    const { body, tokens } = stored;
    const answer = answerOf(stored, idempotency);
    await enter('writing');
    const charged = await metering.charge(caller, { ...metered, tokens, ...answer });
    return billed(parts, call, body, charged);
  }
  // A call that costs nothing asks no shop.
  await enter(call.maxTokens === 0 ? 'writing' : 'fetching');
  const reservation = await metering.reserve(caller, { ...metered, maxTokens: call.maxTokens });
  try {
    const made = await orUnavailable(call.make());
    const { body, tokens } = made;
    const charged = await reservation.settle(tokens, answerOf(made, idempotency).answer);
    return billed(parts, call, body, charged);
  } catch (error) {
    await giveBack(parts, reservation);
    throw error;
  }
}

/** Returns the answer from the store. If it has a cache entry, its bytes are cached there. */
async function storedBody<Body extends object>(
  { cache }: BillingParts,
  { route, fromStore }: BilledCall<Body>,
  target: string | undefined,
): Promise<PricedBody<Body> | null> {
  const made = (await fromStore?.()) ?? null;
  const entry = made?.cached?.entry ?? null;
  if (made?.cached === undefined || cache === null || entry === null) return made;
  const { body, tokens, cached } = made;
  if (target !== undefined) {
    cache.keep(entry, { target, route, presentation: cached.presentation, body, tokens });
  }
  return made;
}

function billed<Body>(
  parts: BillingParts,
  { route }: BilledCall<Body>,
  body: Body,
  charged: Charged,
): Billed<Body> {
  parts.tokensCharged(route, charged.consumed);
  return { body, charged, isReplayed: false };
}

/** Returns the text to store for replays; undefined for a call without Idempotency-Key. */
function answerOf(
  { body, untilMs }: PricedBody<object>,
  idempotency: IdempotentRequest | undefined,
): { readonly answer?: CallAnswer } {
  if (idempotency === undefined) return {};
  return { answer: { status: 200, body: JSON.stringify(body), untilMs } };
}

/**
 * Releases a failed call's reservation. If the release fails too, the reservation expires by itself, and the caller still
 * gets the first error.
 */
async function giveBack(parts: BillingParts, reservation: Reservation): Promise<void> {
  await reservation.release().catch((failure: unknown) => {
    parts.log.error('could not release a reservation; it will expire on its own', {
      error: describeError(failure),
    });
  });
}
