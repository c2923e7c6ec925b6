// What a request carries from the first middleware to the last, and the parts that the HTTP layer uses.

import type { OpenAPIHono } from '@hono/zod-openapi';

import type { Clock } from '../core/clock.ts';
import type { FetchContext } from '../core/fetch-context.ts';
import type { Log } from '../log.ts';
import type { ListRetailers } from '../lookup/list-retailers.ts';
import type { LookupHistory } from '../lookup/lookup-history.ts';
import type { LookupProduct } from '../lookup/lookup-product.ts';
import type { LookupReviews } from '../lookup/lookup-reviews.ts';
import type { LookupSeller } from '../lookup/lookup-seller.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import type { Example } from './examples.ts';
import type { Caller, Metering, RateLimit } from '../metering/metering.ts';

export type HttpParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metering: Metering;
  readonly lookupProduct: LookupProduct;
  readonly lookupReviews: LookupReviews;
  readonly lookupSeller: LookupSeller;
  readonly listRetailers: ListRetailers;
  readonly lookupHistory: LookupHistory;
  /** Of one lookup's fetches: when its time is over (D37), and whose turns they take. */
  readonly lookupContext: (caller: Pick<Caller, 'organizationId'>) => FetchContext;
  /** Random, unguessable, unique: names a call in the ledger and in the log. */
  readonly newId: () => string;
  /** A commit went through within a second, and the process is not stopping. */
  readonly isReady: () => Promise<boolean>;
  readonly corsOrigins: readonly string[];
  readonly metrics: Pick<ServiceMetrics, 'requestAnswered' | 'tokensCharged' | 'text'>;
  /** `/metrics` has no address of its own: it is answered here, to local callers (D4). */
  readonly answersMetrics: boolean;
  readonly version: string;
  /** Read when the document is made. */
  readonly examples: () => readonly Example[];
};

export type HttpEnv = {
  Variables: {
    /** Echoed from the caller or made; stands in logs and error bodies. */
    requestId: string;
    /** Made by us for every call: the ledger's key, which a caller must not choose. */
    callId: string;
    /** Null on routes without a key. */
    caller: Caller | null;
    /** Where the caller's limits stand after a charge; null until one was made. */
    rateLimit: RateLimit | null;
  };
};

export type Api = OpenAPIHono<HttpEnv>;
