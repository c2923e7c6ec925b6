// Looks products up at a running service, over HTTP with an API key. Waits where the service asks for it, and repeats a call whose
// answer was lost under the same Idempotency-Key, so that nothing is charged twice.

import { SECOND_MS, type Clock } from '../core/clock.ts';
import type { Problem } from '../wire/problem.ts';
import type { ProductRecord } from '../wire/product-record.ts';
import type { AllowanceBook } from './call-allowance.ts';
import type { Answer, AskProduct } from './run-entries.ts';

export type ServiceAddress = {
  /** `https://host[:port]`, without a path at the end. */
  readonly url: string;
  readonly apiKey: string;
};

export type ServiceParts = ServiceAddress & {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stop: AbortSignal;
  readonly allowances: AllowanceBook;
};

const LEAN = 'include_history=false&include_stats=false';
const WITH_CELLS = `${LEAN}&include_cross_retailer=true&identifier_match=any`;
const CALLS_AT_ONCE = 8;
const LOST_ANSWERS = 6;
const TROUBLED_ANSWERS = 3;
const LONGEST_WAIT_MS = 60_000;

/** Rejects when the service cannot be reached, or refuses the key or the quota. */
export function askService(parts: ServiceParts): AskProduct {
  return {
    first: (wanted, key) => ask(parts, { wanted, query: LEAN, key }),
    isWhole: false,
    again: (wanted, key) => ask(parts, { wanted, query: WITH_CELLS, key }),
    concurrency: CALLS_AT_ONCE,
  };
}

/** Tokens that the key has left this month; null: unlimited or not said. Rejects as `askService`. */
export async function tokensLeft(parts: ServiceParts): Promise<number | null> {
  const response = await send(parts, '/v1/usage', {});
  const body = (await response.json()) as { readonly tokens_remaining?: number; detail?: string };
  if (!response.ok) throw new Error(`${parts.url} answered ${response.status}: ${body.detail}`);
  return body.tokens_remaining ?? null;
}

/** Makes a watch on any change of the product; false: it cannot be watched. */
export async function addWatch(
  parts: ServiceParts,
  identifier: string,
  key: string,
): Promise<boolean> {
  for (let troubled = 0; troubled < TROUBLED_ANSWERS; troubled += 1) {
    const response = await send(parts, '/v1/watches', { 'Idempotency-Key': key }, { identifier });
    // A conflict: it is watched, with settings that were changed since.
    if (response.status === 409) return true;
    if (response.status !== 429 && response.status < 500) return response.ok;
    await parts.clock.sleep(Math.min(LONGEST_WAIT_MS, waitOf(response)), parts.stop);
  }
  return false;
}

type Call = { readonly wanted: string; readonly query: string; readonly key: string };

async function ask(parts: ServiceParts, { wanted, query, key }: Call): Promise<Answer> {
  const path = `/v1/products/${encodeURIComponent(wanted)}?${query}`;
  for (let troubled = 0; ;) {
    const response = await send(parts, path, { 'Idempotency-Key': key });
    const body = (await bodyOf(response)) as ProductRecord | Problem;
    if (response.ok && '_freshness' in body) {
      return { kind: 'record', record: body, tokens: body.tokens_consumed };
    }
    const problem = 'code' in body ? body : null;
    const code = problem?.code ?? `status_${response.status}`;
    const detail = problem?.detail ?? `The service answered with status ${response.status}.`;
    const waitMs = waitOf(response);
    if (response.status === 401 || response.status === 403 || code === 'quota_exceeded') {
      throw new Error(`${parts.url} refuses: ${detail}`);
    }
    const isBusy = ['throttled', 'overloaded', 'idempotency_conflict'].includes(code);
    if (!isBusy && response.status < 500) return { kind: 'problem', code, detail };
    if (!isBusy) troubled += 1;
    if (troubled >= TROUBLED_ANSWERS || waitMs > LONGEST_WAIT_MS) {
      return { kind: 'problem', code, detail };
    }
    await parts.clock.sleep(waitMs, parts.stop);
  }
}

/** Sends until there is an answer, with growing pauses where the connection fails. */
async function send(
  { url, apiKey, clock, stop, allowances }: ServiceParts,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Response> {
  for (let lost = 1; ; lost += 1) {
    try {
      const response = await fetch(`${url}${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: {
          Authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        redirect: 'error',
        signal: stop,
      });
      allowances.hear(response.headers);
      return response;
    } catch (error) {
      if (stop.aborted) throw error;
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const why = cause instanceof Error ? cause.message : String(cause);
      if (lost === LOST_ANSWERS)
        throw new Error(`${url} cannot be reached: ${why}`, { cause: error });
      await clock.sleep(SECOND_MS * 2 ** (lost - 1), stop);
    }
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

/** What Retry-After says, a second without it. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? '1');
  return (Number.isFinite(seconds) && seconds > 0 ? seconds : 1) * SECOND_MS;
}
