// What a request carries from the first middleware to the last.

import type { OpenAPIHono } from '@hono/zod-openapi';

import type { Caller, RateLimit } from '../metering/metering.ts';

export type HttpEnv = {
  Variables: {
    /** The caller's `X-Request-Id`, else the call id. In logs and error bodies. */
    requestId: string;
    /** The call's key in the ledger. Made here, never taken from the caller. */
    callId: string;
    /** Null on routes without a key. */
    caller: Caller | null;
    /** The caller's limits after the charge; null before one. */
    rateLimit: RateLimit | null;
  };
};

export type Api = OpenAPIHono<HttpEnv>;

/** Signal of one lookup. It aborts after 15 s (D37); its fetches take turns with those of other organizations. */
export type LookupDeadline = (caller: Pick<Caller, 'organizationId'>) => AbortSignal;
