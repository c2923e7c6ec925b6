// What a request carries from the first middleware to the last.

import type { OpenAPIHono } from '@hono/zod-openapi';

import type { FetchContext } from '../core/fetch-context.ts';
import type { Caller, RateLimit } from '../metering/metering.ts';
import type { Work } from './admission/admission.ts';

/** Why a call is not answered, found out before the framework saw it: its route throws it where it would charge. */
export type Refused = {
  readonly error: unknown;
  /** When the call began, and its id: the log and the metrics are of the whole call. */
  readonly startedMs: number;
  readonly callId: string;
};

/** A body has come, or is on its way and `came` says when it has; or too many are on their way. */
export type ExpectedBody =
  | { readonly kind: 'whole' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'coming'; readonly came: () => void };

export type HttpEnv = {
  Bindings: {
    /** The call's share of what is worked on at once; null for health and metrics. Absent without a listener. */
    work?: Work | null;
    /** The request as Node has it; absent without a listener. */
    incoming?: { readonly url?: string | undefined };
    refused?: Refused | null;
    /** Asks for room for a part of the call, in turns with the calls of others; else the seconds after which to try again. */
    admit?: () => Promise<Work | { readonly retryAfterSeconds: number }>;
    /** What there is of the body that the head of the call announces. Absent without a listener. */
    expectBody?: () => Promise<ExpectedBody>;
    /** What tells a client that waits for it to send its body; absent without a listener. */
    outgoing?: { readonly writeContinue: () => void };
  };
  Variables: {
    /** The caller's `X-Request-Id`, else the call id. In logs and error bodies. */
    requestId: string;
    /** The call's key in the ledger. Made here, never taken from the caller. */
    callId: string;
    /** Null on routes without a key. */
    caller: Caller | null;
    /** The caller's limits after the charge; null before one. */
    rateLimit: RateLimit | null;
    /** What the call was charged. */
    tokens: number;
  };
};

export type Api = OpenAPIHono<HttpEnv>;

/** The context of one lookup's fetches: its deadline is 15 s (D37), and they take turns with other organizations'. */
export type LookupContext = (caller: Pick<Caller, 'organizationId'>) => FetchContext;
