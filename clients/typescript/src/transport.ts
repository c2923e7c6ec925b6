// One request: with the key, sent again where that may help, charged to the budget, and an error where it is not a 2xx.

import { mostOfCall, type Reserve } from './budget.ts';
import { errorOf, isProblem, retryAfterOf } from './errors.ts';

export type Fetch = (request: Request) => Promise<Response>;

export type TransportOptions = {
  /** Null: only routes without a key can be called. */
  readonly apiKey: string | null;
  readonly fetch: Fetch;
  /** Times that a call is made at most. */
  readonly attempts: number;
  /** A `Retry-After` beyond this is an error at once; the waits for a lost attempt that still runs are no longer together. */
  readonly longestWaitSeconds: number;
  /** Whether calls that only read get an `Idempotency-Key` too. */
  readonly idempotentReads: boolean;
  readonly reserve: Reserve;
};

/** Resolves to a 2xx. Rejects with OpenshelfError, TokenBudgetSpent, or what `fetch` rejects with. */
export type Send = (request: Request) => Promise<Response>;

/** A 2xx. Until its price is settled it counts with the most that the call can cost. */
export type Opened = {
  readonly response: Response;
  /** An earlier attempt got no answer: what is replayed here may be what that one was charged for. */
  readonly isAgain: boolean;
  readonly settle: (spent: number) => void;
};

/** As Send, for who reads himself what the answer cost. */
export type Open = (request: Request, mostTokens: number) => Promise<Opened>;

const KEY = 'idempotency-key';
const CONFLICT = 409;
/** Answers after which the same call may succeed. */
const AGAIN: ReadonlySet<number> = new Set([CONFLICT, 429, 502, 503, 504]);

export function createSend(options: TransportOptions): {
  readonly send: Send;
  readonly open: Open;
} {
  const open: Open = async (request, most) =>
    openCall(options, await callOf(options, request), most);
  const send: Send = async (request) => {
    const most = mostOfCall(request.method, new URL(request.url));
    const { response, isAgain, settle } = await open(request, most);
    settle((await tokensOf(response, isAgain)) ?? most);
    return response;
  };
  return { send, open };
}

/** What each attempt sends. */
type Call = {
  readonly url: string;
  readonly init: RequestInit & { readonly signal: AbortSignal };
  /** However often it is sent, it is charged once. */
  readonly hasKey: boolean;
  /** After an attempt that got no answer. */
  readonly mayGoAgain: boolean;
};

async function callOf(options: TransportOptions, request: Request): Promise<Call> {
  const { method, url, signal } = request;
  const headers = new Headers(request.headers);
  if (options.apiKey !== null) headers.set('authorization', `Bearer ${options.apiKey}`);
  const mayKey = method === 'POST' || (method === 'GET' && options.idempotentReads);
  if (mayKey && !headers.has(KEY)) headers.set(KEY, newKey());
  // Requests of Firefox have no `body` that says whether there is one, and `GET` may not have an empty one.
  const bytes = await request.arrayBuffer();
  const body = bytes.byteLength === 0 ? null : bytes;
  const hasKey = headers.has(KEY);
  // A call that changes something is made again only where the service knows it by its key.
  const mayGoAgain = hasKey || method === 'GET' || method === 'HEAD';
  return { url, init: { method, headers, body, signal }, hasKey, mayGoAgain };
}

/** Without `randomUUID`, which pages over plain http do not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function openCall(options: TransportOptions, call: Call, most: number): Promise<Opened> {
  const { attempts, longestWaitSeconds, reserve } = options;
  let settle = reserve(most);
  /** An attempt that is not settled yet got no answer, and may have been charged. */
  let isLost = false;
  let waitedSeconds = 0;
  try {
    for (let attempt = 1; ;) {
      const tried = await attemptOf(options, call);
      const { response } = tried;
      if (response?.ok === true) return { response, isAgain: isLost, settle };
      // What was lost still runs, and its answer will be that of this call: the wait for it uses up no attempt.
      const isRunning = isLost && response?.status === CONFLICT;
      isLost ||= tried.isLost;
      const seconds = pauseAfter(tried, { call, attempt, longestWaitSeconds });
      if (isRunning) waitedSeconds += Math.max(1, seconds ?? 0);
      const isEnough = isRunning ? waitedSeconds > longestWaitSeconds : attempt >= attempts;
      if (seconds === null || isEnough)
        throw response === null ? tried.error : await errorOf(response);
      if (!isRunning) attempt += 1;
      if (isLost && !call.hasKey) {
        // The next attempt may be charged as well.
        settle(most);
        isLost = false;
        settle = reserve(most);
      }
      await response?.body?.cancel();
      await sleep(seconds * 1_000, call.init.signal);
    }
  } catch (error) {
    settle(isLost ? most : 0);
    throw error;
  }
}

/** What came of one attempt: an answer, or what `fetch` rejected with. */
type Attempt =
  | { readonly response: Response; readonly isLost: boolean }
  | { readonly response: null; readonly isLost: true; readonly error: unknown };

async function attemptOf({ fetch }: TransportOptions, { url, init }: Call): Promise<Attempt> {
  init.signal.throwIfAborted();
  const request = new Request(url, init);
  try {
    const response = await fetch(request);
    // Errors of the service are problems, and free. Any other 5xx is of something on the way, which may have lost its answer.
    return { response, isLost: response.status >= 500 && !isProblem(response) };
  } catch (error) {
    return { response: null, isLost: true, error };
  }
}

type Pausing = {
  readonly call: Call;
  readonly attempt: number;
  readonly longestWaitSeconds: number;
};

/** Seconds until another attempt may help; null: none would. */
function pauseAfter(
  { response }: Attempt,
  { call, attempt, longestWaitSeconds }: Pausing,
): number | null {
  if (response === null) return call.mayGoAgain && !call.init.signal.aborted ? attempt : null;
  const asked = AGAIN.has(response.status) ? retryAfterOf(response) : null;
  return asked === null || asked > longestWaitSeconds ? null : asked;
}

/** Tokens that were charged for an answer; null: it does not say, as those to `HEAD` and those that are cut off do not. */
async function tokensOf(response: Response, isAgain: boolean): Promise<number | null> {
  const type = response.headers.get('content-type') ?? '';
  if (response.headers.get('idempotency-replayed') === 'true' && !isAgain) return 0;
  if (!type.startsWith('application/json')) return null;
  try {
    const body = (await response.clone().json()) as { readonly tokens_consumed?: unknown } | null;
    return typeof body?.tokens_consumed === 'number' ? body.tokens_consumed : null;
  } catch {
    return null;
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
