// The client: every route with its types, and what calls have in common done for them.

import createFetchClient, { type Client } from 'openapi-fetch';

import { createBudget, type TokenBudget } from './budget.ts';
import { changesOf, type Change, type ChangesOptions } from './changes.ts';
import { batchOf, eachOf, type BatchAnswer, type BatchLine, type BatchOptions } from './many.ts';
import type { Found, LookupParameters, ProductRecord } from './many.ts';
import type { paths } from './schema.ts';
import { createSend, type Fetch } from './transport.ts';

export type OpenshelfOptions = {
  /** Where the service is: `https://openshelf.example.com`. */
  readonly baseUrl: string;
  readonly apiKey?: string | null | undefined;
  /** Tokens that this client may spend; no bound unless given. What got no answer counts with the most that it can cost. */
  readonly tokenBudget?: number | undefined;
  /** Times that a call is made at most, 4 unless given. */
  readonly attempts?: number | undefined;
  /** A `Retry-After` beyond this is an error at once, and so long is waited for a call that was lost and still runs: 60 unless given. */
  readonly longestWaitSeconds?: number | undefined;
  /** Gives reads an `Idempotency-Key` too: one that is sent again is then never charged twice, and costs the service more. */
  readonly idempotentReads?: boolean | undefined;
  readonly fetch?: Fetch | undefined;
};

export type Openshelf = {
  /** Every route of the service, by path and method. A call resolves with `data`, or rejects: `error` is never filled. */
  readonly routes: Client<paths>;
  readonly tokens: TokenBudget;
  /** One product. Rejects with OpenshelfError. */
  lookUp(id: string, parameters?: LookupParameters): Promise<ProductRecord>;
  /** Many products as single calls, `atOnce` (8) at a time, as they are finished. */
  lookUpEach(
    ids: Iterable<string> | AsyncIterable<string>,
    options?: { readonly atOnce?: number; readonly parameters?: LookupParameters },
  ): AsyncGenerator<Found, void>;
  /** Many products in one call, at most 10,000. */
  batch(lines: readonly BatchLine[], options?: BatchOptions): AsyncGenerator<BatchAnswer, void>;
  /** What changes of watched listings, until the signal aborts. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void>;
};

export function createOpenshelf(options: OpenshelfOptions): Openshelf {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { budget, reserve } = createBudget(options.tokenBudget ?? Infinity);
  const { send, open } = createSend({
    apiKey: options.apiKey ?? null,
    fetch: options.fetch ?? ((request) => fetch(request)),
    attempts: options.attempts ?? 4,
    longestWaitSeconds: options.longestWaitSeconds ?? 60,
    idempotentReads: options.idempotentReads ?? false,
    reserve,
  });
  const routes = createFetchClient<paths>({ baseUrl, fetch: (request) => send(request) });
  const lookUp: Openshelf['lookUp'] = async (id, parameters = {}) => {
    const params = { path: { id }, query: parameters };
    const { data } = await routes.GET('/v1/products/{id}', { params });
    if (data === undefined) throw new Error('a 2xx without a body');
    // SAFETY: the library spells the same type of fields in another way.
    return data as ProductRecord;
  };
  return {
    routes,
    tokens: budget,
    lookUp,
    lookUpEach: (ids, { atOnce = 8, parameters } = {}) =>
      eachOf(ids, Math.max(1, atOnce), (id) => lookUp(id, parameters)),
    batch: (lines, batch = {}) => batchOf({ open, baseUrl }, lines, batch),
    changes: (changes = {}) => changesOf(send, baseUrl, changes),
  };
}
