// An agents' shelf backed by a service. Each question is a call of its API with the asker's key, so that scopes, limits,
// charges and ledger are the same as for the routes.

import type { ComparisonBody } from '../wire/compare.ts';
import type { HistoryBody } from '../wire/history/history.ts';
import type { ProductRecord } from '../wire/record/product-record.ts';
import type { WatchList, WatchOnWire } from '../wire/watches/watches.ts';
import type { Candidates, Reply, Shelf } from './shelf.ts';

type SentCall = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The response: its body as text, and the value of `Retry-After`. */
type SentAnswer = {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
};

/** Sends a call with the key. Rejects if there is no response. */
export type Send = (call: SentCall) => Promise<SentAnswer>;

/** `find` has no route, so it is passed in by code that knows the search engine. */
export function shelfOverHttp(send: Send, find: Shelf['find']): Shelf {
  const get = <Body>(path: string, query: Query = {}) =>
    ask<Body>(send, { method: 'GET', path: `${path}${queryText(query)}` });
  return {
    product: ({ identifier, retailer, currency, withOffers }) =>
      get<ProductRecord>(productPath(identifier), {
        retailer,
        currency,
        include_history: 'false',
        include_stats: 'false',
        include_offers: withOffers ? 'true' : undefined,
      }),
    comparison: ({ identifier, currency, costs }) =>
      get<ComparisonBody>(`${productPath(identifier)}/compare`, { currency, ...costs }),
    history: ({ identifier, ...query }) =>
      get<HistoryBody>(`${productPath(identifier)}/history`, query),
    watch: (wanted) =>
      ask<{ readonly watch: WatchOnWire }>(send, {
        method: 'POST',
        path: WATCHES,
        body: JSON.stringify(wanted),
      }),
    watches: (query) => get<WatchList>(WATCHES, query),
    changeWatch: (id, patch) =>
      ask<{ readonly watch: WatchOnWire }>(send, {
        method: 'PATCH',
        path: `${WATCHES}/${segment(id)}`,
        body: JSON.stringify(patch),
      }),
    removeWatch: (id) =>
      ask<{ readonly id: string }>(send, { method: 'DELETE', path: `${WATCHES}/${segment(id)}` }),
    find: (words): Promise<Reply<Candidates>> => find(words),
    rateCards: () => get<object>('/v1/rate-cards'),
  };
}

type Query = Readonly<Record<string, string | number | undefined>>;

const WATCHES = '/v1/watches';
const productPath = (identifier: string): string => `/v1/products/${segment(identifier)}`;

/**
 * A segment that consists only of dots is removed from an address, so a space is appended, which identifiers ignore. Lone
 * surrogates cannot be encoded.
 */
const segment = (id: string): string =>
  encodeURIComponent(/^\.{1,2}$/.test(id) ? `${id} ` : id.toWellFormed());

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

type Problem = {
  readonly code?: string;
  readonly detail?: string;
  readonly parameter?: string;
  readonly allowed?: readonly string[];
  readonly tokens_remaining?: number;
};

async function ask<Body>(send: Send, call: SentCall): Promise<Reply<Body>> {
  const { status, retryAfter, text } = await send(call);
  const body = objectIn(text);
  if (status < 300 && body !== null) return { ok: true, body: body as Body & object };
  const problem: Problem = body ?? {};
  const seconds = Number(retryAfter ?? Number.NaN);
  return {
    ok: false,
    refusal: {
      code: problem.code ?? `status_${status}`,
      detail: problem.detail ?? `The service answered with status ${status} and no explanation.`,
      parameter: problem.parameter,
      allowed: problem.allowed,
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
      tokensRemaining: problem.tokens_remaining,
    },
  };
}

function objectIn(text: string): object | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? body : null;
  } catch {
    return null;
  }
}
