// How one call is charged, whatever it came in: throttled, reserved or debited, and once for each Idempotency-Key (D16, D17,
// D21). Knows no request and no response.

import { FaultError } from '../core/fault.ts';
import { describeError, type Log } from '../log.ts';
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
} from '../metering/metering.ts';
import type { Dependence } from '../lookup/kept/noted-reads.ts';
import type { WorkKind } from './admission/admission.ts';
import type { PreparedAnswers } from './short/prepared-answers.ts';

/** What a billed route needs to charge for its answers. */
export type BillingParts = {
  readonly metering: Pick<Metering, 'charge' | 'findReplay' | 'reserve'>;
  /** Counts tokens for the metrics. */
  readonly tokensCharged: (route: string, tokens: number) => void;
  readonly log: Pick<Log, 'error'>;
  /** Null: no answer is given again. */
  readonly prepared: Pick<PreparedAnswers, 'begin'> | null;
};

/** The parts of a service that its billed routes share. */
export function billingOf({
  metrics,
  ...parts
}: Omit<BillingParts, 'tokensCharged'> & {
  readonly metrics: Pick<BillingParts, 'tokensCharged'>;
}): BillingParts {
  const { metering, log, prepared } = parts;
  return { metering, tokensCharged: metrics.tokensCharged, log, prepared };
}

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
  /** The answer from the store, charged in one transaction. Null or not given: `make` must. */
  readonly fromStore?: () => Promise<PricedBody<Body> | null>;
  /** The same of a route whose answers may be kept, with what this one depends on; absent: none of this route is. */
  readonly toKeep?: (() => Promise<NotedBody<Body> | null>) | undefined;
  /** The answer when retailers have to be asked, or something is made: only once no limit refuses the call. */
  readonly make: () => Promise<PricedBody<Body>>;
};

/** A call and who makes it. */
export type Billing<Body> = {
  readonly caller: Caller;
  readonly call: BilledCall<Body>;
  /** Made by the service, never used twice. */
  readonly callId: string;
  readonly idempotency: IdempotentRequest | undefined;
  /** Path and query under which its answer may be kept; undefined: it is not. */
  readonly target: string | undefined;
  /** Called when the call becomes work of this kind; throws the fault of a service without room for it. */
  readonly enter: (kind: WorkKind) => void | Promise<void>;
};

/** An answer that was charged for, or charged for before. */
export type Billed<Body> = {
  readonly body: Body;
  readonly charged: Charged;
  /** It is the answer stored for an Idempotency-Key, and `charged` says what that cost then. */
  readonly isReplayed: boolean;
};

/** Throws the FaultError of the call, which is not billed. */
export async function billCall<Body extends object>(
  parts: BillingParts,
  billing: Billing<Body>,
): Promise<Billed<Body>> {
  const { idempotency } = billing;
  if (idempotency === undefined) return bill(parts, billing);
  return billOnce(parts, { ...billing, idempotency });
}

type WithKey<Body> = Billing<Body> & { readonly idempotency: IdempotentRequest };

/** Times a call tries to insert its idempotency record; after that, another call with the key still runs. */
const ATTEMPTS = 3;

/**
 * D21: a key that was answered is answered again. When two calls find the key free at once, one of them inserts
 * the idempotency record; the other fails to, and reads the answer of the first.
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

/** The stored answer, free of charge and throttled like a free call; null when the key has none. */
async function replay(
  { metering }: BillingParts,
  { caller, call, callId, idempotency }: WithKey<unknown>,
): Promise<Billed<object> | null> {
  const kept = await metering.findReplay(caller, idempotency);
  if (kept === null) return null;
  const { route } = call;
  const { rateLimit } = await metering.charge(caller, { requestId: callId, route, tokens: 0 });
  const { tokensConsumed: consumed, tokensRemaining: remaining } = kept;
  return {
    body: JSON.parse(kept.body) as object,
    charged: { consumed, remaining, rateLimit },
    isReplayed: true,
  };
}

/**
 * An answer from the store is charged in one transaction. For any other the most it can cost is reserved first, so that
 * a caller without tokens starts no fetch, and settled or released with the outcome. The charge is durable before
 * the answer is sent.
 */
async function bill<Body extends object>(
  parts: BillingParts,
  { caller, call, callId, idempotency, target, enter }: Billing<Body>,
): Promise<Billed<Body>> {
  const { metering } = parts;
  const { route, forced = false } = call;
  const metered = { requestId: callId, route, forced, idempotency };
  const count = () => metering.charge(caller, { requestId: callId, tokens: 0, route });
  const held = await orUnavailable(throttled(heldBody(parts, call, target), count));
  if (held !== null) {
    const { body, tokens } = held;
    const answer = answerOf(body, idempotency);
    await enter('writing');
    const charged = await metering.charge(caller, { ...metered, tokens, ...answer });
    return billed(parts, call, body, charged);
  }
  // What costs nothing asks no shop.
  await enter(call.maxTokens === 0 ? 'writing' : 'fetching');
  const reservation = await metering.reserve(caller, { ...metered, maxTokens: call.maxTokens });
  try {
    const { body, tokens } = await orUnavailable(call.make());
    const charged = await reservation.settle(tokens, answerOf(body, idempotency).answer);
    return billed(parts, call, body, charged);
  } catch (error) {
    await giveBack(parts, reservation);
    throw error;
  }
}

/** A call that the store refuses counts for the throttle as one that a shop is asked for does, and is refused by it instead. */
async function throttled<T>(work: Promise<T>, count: () => Promise<unknown>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FaultError) await count();
    throw error;
  }
}

/** What is held; where its target is asked for again, the answer is kept for the next time. */
async function heldBody<Body extends object>(
  { prepared }: BillingParts,
  { route, fromStore, toKeep }: BilledCall<Body>,
  target: string | undefined,
): Promise<PricedBody<Body> | null> {
  const preparing =
    toKeep === undefined || prepared === null || target === undefined
      ? null
      : await prepared.begin(target);
  if (toKeep === undefined || preparing === null) return (await fromStore?.()) ?? null;
  const made = await toKeep();
  if (made !== null) preparing.keep({ route, ...made });
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

/** The text to keep for replays; only for a call with an Idempotency-Key. */
function answerOf(
  body: object,
  idempotency: IdempotentRequest | undefined,
): { readonly answer?: CallAnswer } {
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
