// A call: what a client, a line of a batch or the tool of an agent asks, and what becomes known of it on its way through the
// pipeline.

import { FaultError, OVERLOADED } from '../base/fault.ts';
import type { FetchContext } from '../base/fetch-context.ts';
import type { Caller, RateLimit } from '../data/metering/metering.ts';
import type { Work, WorkKind } from './listen/admission.ts';

/** What was sent. */
export type Asked = {
  /** In capitals, as it was sent. */
  readonly method: string;
  /** The path of its address: without dot segments, its escapes as they were sent. */
  readonly path: string;
  /** What stands after the question mark, as it was sent; empty where there is nothing. */
  readonly query: string;
  /** Path and query as they were sent, by which an answer is cached. */
  readonly target: string;
  /** By names in lower case; fields of one name are joined as one list. */
  readonly headers: ReadonlyMap<string, string>;
  /** Null where the head announces none. */
  readonly body: SentBody | null;
  /** Who sent it; null where it came through no socket of its own. */
  readonly peer: { readonly address: string; readonly httpVersion: string } | null;
};

export type SentBody = AsyncIterable<Uint8Array> & {
  /** Bytes that the head states; null where it states none. */
  readonly length: number | null;
  /** Tells a client that waits for it to send its body. */
  readonly invite: () => void;
  /**
   * Resolves to the state of the body: it has come, it is on its way (`came` says when it has come), or too many are on their
   * way.
   */
  readonly expect: () => Promise<ExpectedBody>;
};

export type ExpectedBody =
  | { readonly kind: 'whole' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'coming'; readonly came: () => void };

/** A share of what the service works on at once, and the way to ask for another one. */
export type Share = {
  /** Null where nothing is counted: health and metrics are always answered. */
  work: Work | null;
  /** Asks for room, in turn with other calls. Resolves to the seconds after which to try again where there is none. */
  readonly admit: () => Promise<Work | { readonly retryAfterSeconds: number }>;
};

export type Call = {
  readonly asked: Asked;
  readonly share: Share;
  readonly startedMs: number;
  /** The call's key in the ledger. It is made here and never taken from the caller. */
  readonly callId: string;
  /** The caller's `X-Request-Id`, else the call id. It stands in logs and error bodies. */
  readonly requestId: string;
  /** The path of the route that answers, as metrics and log name it. */
  route: string;
  /** Null on routes without a key, and until the key is checked. */
  caller: Caller | null;
  /** The caller's limits after the charge; null before the charge. */
  rateLimit: RateLimit | null;
  /** Whether the throttle has counted the call, or refused it. */
  isCounted: boolean;
  /** The tokens that the call was charged. */
  tokens: number;
  /** The route of a cached answer that was given, as the ledger shows it; null where the answer was computed. */
  cached: string | null;
};

const REQUEST_ID = /^[A-Za-z0-9._~:+/=-]{1,128}$/;

/** The caller's own id if it is valid, else the one that was made (D55). */
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

/** The caller of a call whose key was checked. */
export function callerOf({ caller }: Call): Caller {
  if (caller === null) throw new Error('a route without a key has no caller');
  return caller;
}

/**
 * Makes the call work of this kind. FaultError overloaded where there is no room. `work` is null where nothing is
 * counted. `organizationId` says whose call waits for shops.
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
 * Makes the call work of this kind. FaultError overloaded when as many calls as may be do such work already; nothing was charged
 * then.
 */
export function enter(
  { share, caller }: Pick<Call, 'share' | 'caller'>,
  kind: WorkKind,
  organizationId: string | null = caller?.organizationId ?? null,
): void {
  enterAs(share.work, kind, organizationId);
}

/**
 * Makes the context of one lookup's fetches. Their deadline is 15 s (D37), and they take turns with the fetches of other
 * organizations.
 */
export type LookupContext = (caller: Pick<Caller, 'organizationId'>) => FetchContext;
