// Looks products up at a running service, over HTTP with an API key. It waits if the service requests that. A call whose answer
// was lost is repeated with the same Idempotency-Key, so that nothing is charged twice.

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import { IDEMPOTENCY_KEY } from '../../base/idempotency-key.ts';
import { NATIVE_CURRENCY } from '../../base/listing/lens.ts';
import { withoutRoutes } from '../../base/next-steps.ts';
import type { Problem } from '../../answer/wire/problem.ts';
import type { ProductRecord } from '../../answer/wire/record/product-record.ts';
import type { AllowanceBook } from './call-allowance.ts';
import { callService, unreachable, type ServiceAddress, type ServiceCall } from './call-service.ts';
import type { EntryAnswer, AskProduct } from './run-entries.ts';

export type ServiceParts = ServiceAddress & {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stop: AbortSignal;
  readonly allowances: AllowanceBook;
  /** The currency of the answers; undefined for the service's currency. */
  readonly currency?: string | undefined;
};

/** A sheet asks no barcode database (D86). */
const LEAN = 'include_history=false&include_stats=false&barcode_databases=false';
const WITH_CELLS = `${LEAN}&include_cross_retailer=true&identifier_match=any`;
const CALLS_AT_ONCE = 8;
const LOST_ANSWERS = 6;
const TROUBLED_ANSWERS = 3;
const LONGEST_WAIT_MS = 60_000;

/** Rejects if the service cannot be reached, or if it refuses the key or the quota. */
export function askService(parts: ServiceParts): AskProduct {
  const money = parts.currency === undefined ? '' : `&currency=${parts.currency}`;
  return {
    first: (wanted, key) => ask(parts, { wanted, query: LEAN + money, key }),
    isWhole: false,
    again: (wanted, key) => ask(parts, { wanted, query: WITH_CELLS + money, key }),
    concurrency: CALLS_AT_ONCE,
  };
}

/** Returns the key's remaining tokens this month; null if they are unlimited or not stated. Rejects as `askService`. */
export async function tokensLeft(parts: ServiceParts): Promise<number | null> {
  const said = await send(parts, '/v1/usage', {});
  const { code, detail, tokens_remaining: left } = said.body as Partial<Problem>;
  if (said.ok && code === undefined && 'tokens_used' in said.body) return left ?? null;
  if (detail === undefined) throw notAService(parts, said);
  throw new Error(`${parts.url} answered ${said.status}: ${detail}`);
}

/** Returns the `currency` field of a new watch; none if each page's own currency is used, which a watch cannot have. */
export function currencyOfWatch(asked: string | undefined): { readonly currency?: string } {
  return asked === undefined || asked === NATIVE_CURRENCY ? {} : { currency: asked };
}

/** Creates a watch for any change of the product. Returns null, or why it cannot be watched. Rejects as `askService`. */
export async function askForWatch(
  parts: ServiceParts,
  identifier: string,
  key: string,
): Promise<string | null> {
  for (let troubled = 1; ; troubled += 1) {
    const watched = { identifier, ...currencyOfWatch(parts.currency) };
    const said = await send(parts, '/v1/watches', { [IDEMPOTENCY_KEY]: key }, watched);
    // A conflict: it is already watched, with settings that were changed since.
    if (said.ok || said.status === 409) return null;
    const { detail } = problemIn(parts, said);
    const isPassing = said.status === 429 || said.status >= 500;
    if (!isPassing || troubled === TROUBLED_ANSWERS) return detail;
    await parts.clock.sleep(Math.min(LONGEST_WAIT_MS, said.waitMs), parts.stop);
  }
}

/** Codes of transient faults. */
const BUSY: ReadonlySet<string> = new Set([
  'throttled',
  'overloaded',
  'idempotency_conflict',
  'quota_exceeded',
]);

type Call = { readonly wanted: string; readonly query: string; readonly key: string };

async function ask(parts: ServiceParts, { wanted, query, key }: Call): Promise<EntryAnswer> {
  const path = `/v1/products/${encodeURIComponent(wanted)}?${query}`;
  for (let troubled = 0; ;) {
    const said = await send(parts, path, { [IDEMPOTENCY_KEY]: key });
    if (said.ok && '_freshness' in said.body) {
      const record = said.body as ProductRecord;
      return { kind: 'record', record, tokens: record.tokens_consumed };
    }
    if (said.ok) throw notAService(parts, said);
    const { code, detail } = problemIn(parts, said);
    const { status, waitMs } = said;
    const isBusy = BUSY.has(code);
    if (!isBusy && status < 500) return { kind: 'problem', code, detail };
    if (!isBusy) troubled += 1;
    if (troubled >= TROUBLED_ANSWERS || waitMs > LONGEST_WAIT_MS) {
      return { kind: 'problem', code, detail };
    }
    await parts.clock.sleep(waitMs, parts.stop);
  }
}

type Said = {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly waitMs: number;
  /** The body; empty if it is not a JSON object. */
  readonly body: object;
};

/**
 * Returns the problem of a refused call. Throws if the key or the quota is refused, because every other call would be too.
 */
function problemIn({ url }: ServiceParts, { status, body, waitMs }: Said) {
  const problem = body as Partial<Problem>;
  const code: string = problem.code ?? `status_${status}`;
  const detail = problem.detail ?? `The service answered with status ${status}.`;
  // A quota that is restored sooner is not spent: other calls have reserved the tokens.
  const isSpent = code === 'quota_exceeded' && waitMs > LONGEST_WAIT_MS;
  if (status === 401 || status === 403 || isSpent) {
    throw new Error(`${url} refuses: ${detail}`);
  }
  return { code, detail: withoutRoutes(detail, 'row') };
}

function notAService({ url }: ServiceParts, { status, type }: Said): Error {
  const what = type === '' ? '' : `, ${type}`;
  return new Error(
    `${url} does not answer like an openshelf service (status ${status}${what}). Set --url to the address of one.`,
  );
}

/** Sends until a complete answer has arrived, with growing pauses if the connection fails. */
async function send(
  parts: ServiceParts,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Said> {
  const { clock, stop, allowances } = parts;
  const call: ServiceCall =
    body === undefined
      ? { method: 'GET', path, headers }
      : { method: 'POST', path, headers, body: JSON.stringify(body) };
  for (let lost = 1; ; lost += 1) {
    try {
      const response = await callService(parts, call, stop);
      const text = await response.text();
      allowances.hear(response.headers);
      const { ok, status } = response;
      const type = response.headers.get('content-type')?.split(';')[0] ?? '';
      return { ok, status, type, waitMs: waitOf(response), body: objectIn(text) };
    } catch (error) {
      if (stop.aborted) throw error;
      if (lost === LOST_ANSWERS) throw unreachable(parts, error);
      await clock.sleep(SECOND_MS * 2 ** (lost - 1), stop);
    }
  }
}

function objectIn(text: string): object {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Returns the time in Retry-After; one second without it. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? '1');
  return (Number.isFinite(seconds) && seconds > 0 ? seconds : 1) * SECOND_MS;
}
