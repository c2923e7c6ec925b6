// What a request carries from the first middleware to the last.

import type { Hono } from 'hono';

import type { FetchContext } from '../base/fetch-context.ts';
import type { Caller, RateLimit } from '../data/metering/metering.ts';
import type { Work } from './admission/admission.ts';

/**
 * Why a call is not answered, found out before the framework saw the call. Its route throws the error where it would
 * charge.
 */
export type Refused = {
  readonly error: unknown;
  /** When the call began, and its id: log and metrics are about the whole call. */
  readonly startedMs: number;
  readonly callId: string;
};

/** The state of a body: it has come, it is on its way (`came` says when it has come), or too many are on their way. */
export type ExpectedBody =
  | { readonly kind: 'whole' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'coming'; readonly came: () => void };

export type HttpEnv = {
  Bindings: {
    /** The call's share of what is worked on at once. Null for health and metrics, absent without a listener. */
    work?: Work | null;
    /** The request as Node has it. Absent without a listener. */
    incoming?: { readonly url?: string | undefined };
    refused?: Refused | null;
    /**
     * Asks for room for a part of the call, in turn with the calls of others. Resolves to the seconds after which to
     * try again where there is none.
     */
    admit?: () => Promise<Work | { readonly retryAfterSeconds: number }>;
    /** Says how much has come of the body that the call's head announces. Absent without a listener. */
    expectBody?: () => Promise<ExpectedBody>;
    /** Tells a client that waits for it to send its body. Absent without a listener. */
    outgoing?: { readonly writeContinue: () => void };
  };
  Variables: {
    /** The caller's `X-Request-Id`, else the call id. It stands in logs and error bodies. */
    requestId: string;
    /** The call's key in the ledger. It is made here and never taken from the caller. */
    callId: string;
    /** Null on routes without a key. */
    caller: Caller | null;
    /** The caller's limits after the charge; null before the charge. */
    rateLimit: RateLimit | null;
    /** Whether the throttle has counted the call, or refused it. */
    isCounted: boolean;
    /** The tokens that the call was charged. */
    tokens: number;
  };
};

export type Api = Hono<HttpEnv>;

/**
 * Makes the context of one lookup's fetches. Their deadline is 15 s (D37), and they take turns with the fetches of
 * other organizations.
 */
export type LookupContext = (caller: Pick<Caller, 'organizationId'>) => FetchContext;
