// A call: the request of a client, of a batch line or of an agent's tool, and the facts that the pipeline adds to it.

import { FaultError, OVERLOADED } from '../base/fault.ts';
import type { FetchContext } from '../base/fetch-context.ts';
import type { Patience } from '../base/in-progress.ts';
import { IDEMPOTENCY_KEY } from '../base/idempotency-key.ts';
import type { Caller, Metering, RateLimit } from '../data/metering/metering.ts';
import type { Work, WorkKind } from './listen/admission.ts';

/** The request as it was sent. */
export type Asked = {
  /** In capitals, as sent. */
  readonly method: string;
  /** The path of its address: without dot segments, with its escapes as sent. */
  readonly path: string;
  /** The text after the question mark, as sent; empty if there is none. */
  readonly query: string;
  /** Path and query as sent, by which an answer is cached. */
  readonly target: string;
  /** By lowercase names; fields with the same name are joined as one list. */
  readonly headers: ReadonlyMap<string, string>;
  /** Null if the head announces none. */
  readonly body: SentBody | null;
  /** The sender; null if it did not arrive through its own socket. */
  readonly peer: { readonly address: string; readonly httpVersion: string } | null;
};

const IDEMPOTENCY = IDEMPOTENCY_KEY.toLowerCase();

/** Returns the Idempotency-Key of the request; null without one. */
export function idempotencyKeyOf({ headers }: Pick<Asked, 'headers'>): string | null {
  return headers.get(IDEMPOTENCY) ?? null;
}

export type SentBody = AsyncIterable<Uint8Array> & {
  /** Bytes stated in the head; null if it states none. */
  readonly length: number | null;
  /** Asks the client to send its body, if it waits for that (RFC 9110 10.1.1). */
  readonly invite: () => void;
  /**
   * Resolves to the state of the body: it has arrived, it is arriving (`came` states when it has arrived), or too many are
   * arriving.
   */
  readonly expect: () => Promise<ExpectedBody>;
};

export type ExpectedBody =
  | { readonly kind: 'whole' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'coming'; readonly came: () => void };

/** A share of the service's concurrent work, and a way to request another one. */
export type Share = {
  /** Null if nothing is counted: health and metrics are always answered. */
  work: Work | null;
  /** Requests room, in turn with other calls. If there is none, resolves to the seconds after which to retry. */
  readonly admit: () => Promise<Work | { readonly retryAfterSeconds: number }>;
};

export type Call = {
  readonly asked: Asked;
  readonly share: Share;
  readonly startedMs: number;
  /** The call's key in the ledger. It is created here and never taken from the caller. */
  readonly callId: string;
  /** The caller's `X-Request-Id`, else the call id. It is used in logs and error bodies. */
  readonly requestId: string;
  /** The path of the route that answers, as shown in metrics and log. */
  route: string;
  /** Null on routes without a key, and until the key is checked. */
  caller: Caller | null;
  /** The caller's limits after the charge; null before the charge. */
  rateLimit: RateLimit | null;
  /** Whether the throttle has counted the call, or refused it. */
  isCounted: boolean;
  /** The tokens that the call was charged. */
  tokens: number;
  /** The route of the cached answer used, as shown in the ledger; null if the answer was computed. */
  cached: string | null;
};

const REQUEST_ID = /^[A-Za-z0-9._~:+/=-]{1,128}$/;

/** Returns the caller's own id if it is valid, else the generated one (D55). */
export function requestIdOf(given: string | undefined, made: string): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : made;
}

export function newCall(asked: Asked, share: Share, callId: string, startedMs: number): Call {
  return {
    asked,
    share,
    startedMs,
    callId,
    requestId: requestIdOf(asked.headers.get('x-request-id'), callId),
    route: 'unknown',
    caller: null,
    rateLimit: null,
    isCounted: false,
    tokens: 0,
    cached: null,
  };
}

/** Returns the call's caller, whose key is checked once. FaultError missing_api_key, invalid_api_key. */
export async function authenticated(
  call: Call,
  metering: Pick<Metering, 'authenticate'>,
): Promise<Caller> {
  return (call.caller ??= await metering.authenticate(call.asked.headers.get('authorization')));
}

/** Returns the caller of a call whose key was checked. */
export function callerOf({ caller }: Call): Caller {
  if (caller === null) throw new Error('a route without a key has no caller');
  return caller;
}

/**
 * Makes the call work of this kind. FaultError overloaded if there is no room. `work` is null if nothing is counted.
 * `organizationId` states whose call waits for shops.
 */
export function enterAs(
  work: Work | null,
  kind: WorkKind,
  organizationId: string | null = null,
): void {
  const room = work?.becomes(kind, organizationId) ?? true;
  if (room !== true) throw new FaultError({ ...OVERLOADED, ...room });
}

/**
 * Makes the call work of this kind. FaultError overloaded if the maximum number of calls already does such work; nothing was
 * charged then.
 */
export function enter(
  { share, caller }: Pick<Call, 'share' | 'caller'>,
  kind: WorkKind,
  organizationId: string | null = caller?.organizationId ?? null,
): void {
  enterAs(share.work, kind, organizationId);
}

/**
 * Creates the context of one lookup's fetches. Their deadline is 15 s (D37), and they take turns with the fetches of other
 * organizations. One of many may have another deadline.
 */
export type LookupContext = (
  caller: Pick<Caller, 'organizationId'>,
  patience?: Patience,
) => FetchContext;
