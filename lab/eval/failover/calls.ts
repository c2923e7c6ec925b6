// Callers of lab/eval/failover.ts: each call has an Idempotency-Key and is repeated with it until it is answered.

import { setTimeout as wait } from 'node:timers/promises';

import type { Body } from '../cluster/bodies.ts';
import type { Samples } from '../cluster/staleness.ts';

export type FailoverCaller = { readonly key: string; readonly organizationId: string };

export type BilledCall = {
  readonly organizationId: string;
  readonly once: string;
  readonly path: string;
  /** When the 200 arrived, on `performance`'s clock; null: never, the run was over. */
  readonly answeredMs: number | null;
  readonly tokens: number;
  readonly isReplayed: boolean;
  /** 503s, and how many of them stated no time to come back. */
  readonly refusals: number;
  readonly withoutRetryAfter: number;
  /** Lost connections, and 409s of a call whose first attempt never ends. */
  readonly cuts: number;
  /** Anything else, which is unexpected. */
  readonly unexpected: readonly string[];
};

type CallsRun = {
  readonly callers: readonly FailoverCaller[];
  readonly urls: readonly string[];
  readonly pages: readonly string[];
  readonly random: () => number;
  /** No call begins after this moment; those still running are abandoned a while later. */
  readonly isOver: () => boolean;
  readonly givenUp: AbortSignal;
};

/** One call in this many is a forced refresh, whose record is requested from the other process immediately. */
const REFRESH_EVERY = 8;
/** Of the 100 that an organization may force per minute (D18), with room for repeated ones. */
const MOST_REFRESHES = 60;
/**
 * A caller waits as long as Retry-After says, but no longer than this: the measurement is about the service, not its
 * pauses.
 */
const MOST_MS = 250;

type CallsMade = { readonly calls: readonly BilledCall[]; readonly staleness: Samples };

export async function callUntilOver(run: CallsRun): Promise<CallsMade> {
  const made = { calls: [] as BilledCall[], staleness: [] as Samples };
  let begun = 0;
  const forced = new Map<string, number>();
  await Promise.all(
    run.callers.map(async (caller) => {
      while (!run.isOver()) {
        begun += 1;
        const page = pathOf(run.pages[Math.floor(run.random() * run.pages.length)] ?? '');
        const before = forced.get(caller.organizationId) ?? 0;
        const isRefresh = begun % REFRESH_EVERY === 0 && before < MOST_REFRESHES;
        if (isRefresh) forced.set(caller.organizationId, before + 1);
        const once = `call-${begun}`;
        const method = isRefresh ? 'POST' : 'GET';
        const path = isRefresh ? `${page}/refresh?include_offers_reviews=false` : page;
        const { call, body, at } = await untilAnswered(run, caller, { method, path, once });
        made.calls.push(call);
        if (!isRefresh || call.answeredMs === null || call.isReplayed) continue;
        const others = run.urls.filter((url) => url !== at);
        const stale = await readElsewhere({ ...run, urls: others }, caller, {
          page,
          once,
          body,
          sinceMs: call.answeredMs,
        });
        made.calls.push(...stale.calls);
        if (stale.sample !== null) made.staleness.push(stale.sample);
      }
    }),
  );
  return made;
}

/** Looks up each page once. */
export async function lookUpEach(
  run: Omit<CallsRun, 'pages' | 'isOver'>,
  pages: readonly string[],
): Promise<readonly BilledCall[]> {
  const calls: BilledCall[] = [];
  const [caller] = run.callers;
  for (const [at, page] of pages.entries()) {
    if (caller === undefined) break;
    const asked = { method: 'GET', path: pathOf(page), once: `first-${at}` };
    calls.push((await untilAnswered(run, caller, asked)).call);
  }
  return calls;
}

const pathOf = (page: string): string => `/v1/products/${encodeURIComponent(page)}`;

type Asked = { readonly method: string; readonly path: string; readonly once: string };

async function untilAnswered(
  { urls, random, givenUp }: Pick<CallsRun, 'urls' | 'random' | 'givenUp'>,
  caller: FailoverCaller,
  { method, path, once }: Asked,
): Promise<{ readonly call: BilledCall; readonly body: Body; readonly at: string }> {
  let at = '';
  let [refusals, withoutRetryAfter, cuts] = [0, 0, 0];
  const unexpected: string[] = [];
  const ended = (answeredMs: number | null, tokens: number, isReplayed: boolean): BilledCall => {
    const { organizationId } = caller;
    const counts = { refusals, withoutRetryAfter, cuts, unexpected };
    return { organizationId, once, path, answeredMs, tokens, isReplayed, ...counts };
  };
  const headers = { authorization: `Bearer ${caller.key}`, 'idempotency-key': once };
  while (!givenUp.aborted) {
    at = urls[Math.floor(random() * urls.length)] ?? '';
    try {
      const response = await fetch(`${at}${path}`, { method, headers, signal: givenUp });
      const body = (await response.json()) as Body;
      if (response.status === 200) {
        const isReplayed = response.headers.get('idempotency-replayed') !== null;
        const tokens = Number(body['tokens_consumed']);
        return { call: ended(performance.now(), tokens, isReplayed), body, at };
      }
      const after = response.headers.get('retry-after');
      if (response.status === 503) refusals += 1;
      else if (response.status === 409) cuts += 1;
      else unexpected.push(`${response.status} ${String(body['code'])}`);
      if (response.status === 503 && after === null) withoutRetryAfter += 1;
      await wait(Math.min(MOST_MS, Number(after ?? 0) * 1_000));
    } catch {
      cuts += 1;
      await wait(20);
    }
  }
  return { call: ended(null, 0, false), body: {}, at };
}

type Written = {
  readonly page: string;
  readonly once: string;
  readonly body: Body;
  readonly sinceMs: number;
};

/**
 * Requests a write that one process acknowledged from the other until it has it; a sample as in
 * lab/eval/cluster/staleness.ts.
 */
async function readElsewhere(run: CallsRun, caller: FailoverCaller, written: Written) {
  const calls: BilledCall[] = [];
  let stale = 0;
  for (let again = 1; ; again += 1) {
    const beganMs = performance.now();
    const asked = { method: 'GET', path: written.page, once: `${written.once}-${again}` };
    const { call, body } = await untilAnswered(run, caller, asked);
    calls.push(call);
    // The start of a call that was refused and repeated is unknown.
    if (call.answeredMs === null || call.refusals + call.cuts > 0) return { calls, sample: null };
    if (refreshedAt(body) >= refreshedAt(written.body)) break;
    stale = Math.max(1, Math.round(beganMs - written.sinceMs));
    if (stale > 10_000) break;
  }
  return { calls, sample: stale };
}

function refreshedAt({ _freshness: freshness }: Body): string {
  const at = (freshness as { readonly refreshed_at?: unknown } | undefined)?.refreshed_at;
  if (typeof at !== 'string') throw new Error('a record without its refresh time');
  return at;
}
