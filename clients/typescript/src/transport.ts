// One request: with the key, sent again where that may help, charged to the budget, and an error where it is not a 2xx.

import { mostOfCall, type Reserve } from './budget.ts';
import { errorOf, retryAfterOf } from './errors.ts';

export type Fetch = (request: Request) => Promise<Response>;

export type TransportOptions = {
  /** Null: only routes without a key can be called. */
  readonly apiKey: string | null;
  readonly fetch: Fetch;
  /** Times that a call is made at most. */
  readonly attempts: number;
  /** A `Retry-After` beyond this is an error at once. */
  readonly longestWaitSeconds: number;
  /** Whether calls that only read get an `Idempotency-Key` too. */
  readonly idempotentReads: boolean;
  readonly reserve: Reserve;
};

/** Resolves to a 2xx. Rejects with OpenshelfError, TokenBudgetSpent, or what `fetch` rejects with. */
export type Send = (request: Request, mostTokens?: number) => Promise<Response>;

const KEY = 'idempotency-key';
/** Answers after which the same call may succeed. */
const AGAIN: ReadonlySet<number> = new Set([409, 429, 502, 503, 504]);

export function createSend(options: TransportOptions): Send {
  return async (request, mostTokens) => {
    const settle = options.reserve(mostTokens ?? mostOfCall(request.method, new URL(request.url)));
    try {
      const response = await sendUntilAnswered(options, request);
      if (!response.ok) throw await errorOf(response);
      settle(await tokensOf(response));
      return response;
    } finally {
      settle(0);
    }
  };
}

async function sendUntilAnswered(options: TransportOptions, request: Request): Promise<Response> {
  const { apiKey, attempts, longestWaitSeconds } = options;
  const { method, url, signal } = request;
  const headers = new Headers(request.headers);
  if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
  const mayKey = method === 'POST' || (method === 'GET' && options.idempotentReads);
  if (mayKey && !headers.has(KEY)) headers.set(KEY, crypto.randomUUID());
  const body = request.body === null ? null : await request.arrayBuffer();
  // A call that changes something is made again only where the service knows it by its key.
  const isSafe = headers.has(KEY) || method === 'GET' || method === 'HEAD';
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= attempts;
    let seconds = attempt;
    try {
      const response = await options.fetch(new Request(url, { method, headers, body, signal }));
      if (isLast || !AGAIN.has(response.status)) return response;
      const asked = retryAfterOf(response);
      if (asked === null || asked > longestWaitSeconds) return response;
      seconds = asked;
      await response.body?.cancel();
    } catch (error) {
      if (isLast || !isSafe || signal.aborted) throw error;
    }
    await sleep(seconds * 1_000, signal);
  }
}

/** Tokens that a JSON answer says it was charged; 0 for any other. */
async function tokensOf(response: Response): Promise<number> {
  const type = response.headers.get('content-type') ?? '';
  const isKept = response.headers.get('idempotency-replayed') === 'true';
  if (isKept || response.status === 204 || !type.startsWith('application/json')) return 0;
  try {
    const body = (await response.clone().json()) as { readonly tokens_consumed?: unknown } | null;
    return typeof body?.tokens_consumed === 'number' ? body.tokens_consumed : 0;
  } catch {
    // The answer to `HEAD` has none.
    return 0;
  }
}

/** Rejects with the signal's reason when that aborts. */
export function sleep(ms: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
  });
}
