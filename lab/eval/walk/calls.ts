// Makes one call of the walk over HTTP, and compares its status, problem, tokens, headers and limits with the model of the
// accounts.

import { setTimeout as wait } from 'node:timers/promises';

import type { Judge } from '../../../tests/contract/support/document.ts';
import {
  admitted,
  countOne,
  forcedLately,
  pay,
  remaining,
  setAdmitted,
  verdictOf,
  type Key,
  type MeteredCall,
  type Verdict,
} from './accounts.ts';
import { listOf, numberAt, textAt, type Json } from './bodies.ts';

export type Ask = {
  readonly key: Key;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Path and query. */
  readonly target: string;
  readonly route: string;
  readonly scope?: string | null;
  readonly isForced?: boolean;
  readonly once?: string | null;
  readonly body?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The process that is called; any if absent. */
  readonly at?: string;
  /** Minimum and maximum cost. */
  readonly least?: number;
  readonly most?: number;
  /** The cost given this answer. */
  readonly costOf?: (body: Json) => number;
};

export type Said = {
  readonly status: number;
  readonly code: string | null;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
};

export type Caller = {
  readonly call: (ask: Ask) => Promise<Said>;
  /** The same for an answer that arrived in another way; call it in the order in which the service answered. */
  readonly judge: (ask: Ask, said: Said) => void;
  readonly calls: () => number;
  readonly statuses: ReadonlyMap<string, number>;
};

type CallerParts = {
  readonly now: () => number;
  readonly urlOf: () => string;
  readonly judge: Judge;
  /** Hosts that were taken down: no answer contains them. */
  readonly hidden: () => readonly string[];
  /** Reports a difference between service and model. */
  readonly differs: (where: string, what: string) => void;
};

export function createCaller(parts: CallerParts): Caller {
  const statuses = new Map<string, number>();
  let calls = 0;
  const judge = (ask: Ask, said: Said): void => {
    calls += 1;
    const name = said.code === null ? `${said.status}` : `${said.status} ${said.code}`;
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
    const { once = null } = ask;
    const where = `${ask.method} ${ask.target}${once === null ? '' : ` once=${once}`}`;
    const differs = (what: string) => parts.differs(where, what);
    const verdict = verdictOf(meteredOf(ask), parts.now());
    judgeShape(parts, ask, said, differs);
    settle(ask, said, { verdict, nowMs: parts.now(), differs });
  };
  return {
    statuses,
    calls: () => calls,
    judge,
    call: async (ask) => {
      const said = await send(ask.at ?? parts.urlOf(), ask);
      judge(ask, said);
      return said;
    },
  };
}

export function meteredOf(ask: Ask): MeteredCall {
  const { method, target, body = '' } = ask;
  const [path = '', query = ''] = target.split('?');
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return {
    key: ask.key,
    route: ask.route,
    scope: ask.scope ?? null,
    least: ask.least ?? 0,
    most: ask.most ?? ask.least ?? 0,
    isForced: ask.isForced ?? false,
    once: ask.once ?? null,
    request: `${method} ${path}?${sorted.toString()} ${body}`,
  };
}

/** The connection was closed while idle: the call is repeated once. */
export async function send(base: string, ask: Ask): Promise<Said> {
  try {
    return await sendOnce(base, ask);
  } catch (error) {
    const code = error instanceof Error ? (error.cause as NodeJS.ErrnoException)?.code : null;
    if (code !== 'ECONNRESET' && code !== 'UND_ERR_SOCKET') throw error;
    await wait(10);
    return await sendOnce(base, ask);
  }
}

export async function sendOnce(base: string, ask: Ask): Promise<Said> {
  const { method, target, body } = ask;
  const response = await fetch(`${base}${target}`, {
    method,
    headers: headersOf(ask),
    ...(body === undefined ? {} : { body }),
  });
  const { status, headers } = response;
  return saidOf({ status, headers, text: await response.text() });
}

export function headersOf({
  key,
  body,
  contentType,
  once = null,
  headers,
}: Ask): Record<string, string> {
  return {
    authorization: `Bearer ${key.text}`,
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    ...(once === null ? {} : { 'idempotency-key': once }),
    ...headers,
  };
}

export function saidOf({ status, headers, text }: Pick<Said, 'status' | 'headers' | 'text'>): Said {
  const parsed = bodyOf(headers.get('content-type') ?? '', text);
  return {
    status,
    headers,
    text,
    body: parsed,
    code: status < 300 ? null : textAt(parsed, 'code'),
  };
}

function bodyOf(type: string, text: string): Json {
  if (text === '') return {};
  if (!type.startsWith('application/x-ndjson')) return JSON.parse(text) as Json;
  const lines = text.split('\n').filter((line) => line !== '');
  return { lines: lines.map((line) => JSON.parse(line) as Json) };
}

/** Checks every answer against the service's own document and D16, D20 and D48. */
function judgeShape(
  parts: CallerParts,
  { method, target, once = null }: Ask,
  said: Said,
  differs: (what: string) => void,
): void {
  const { judge } = parts;
  const { status, headers, body, text } = said;
  const contentType = headers.get('content-type') ?? '';
  try {
    const bodies = contentType.startsWith('application/x-ndjson') ? listOf(body['lines']) : [body];
    for (const each of bodies) judge.check({ method, target, status, contentType, body: each });
  } catch (error) {
    differs(String(error).slice(0, 600));
  }
  // An answer may repeat what the caller sent, and an error states the form of an accepted address.
  const shown = status < 300 && parts.hidden().find((host) => text.includes(host));
  if (
    typeof shown === 'string' &&
    !decodeURIComponent(target).includes(shown) &&
    !isOfWatches(target)
  )
    differs(`shows ${shown}, which was taken down`);
  if (headers.get('x-request-id') === null) differs('no X-Request-Id');
  if (status === 401 && !/^Bearer\b/.test(headers.get('www-authenticate') ?? ''))
    differs(`401 with WWW-Authenticate ${headers.get('www-authenticate')}`);
  if (status < 300) return;
  if (method === 'HEAD') return;
  if (numberAt(body, 'tokens_consumed') !== 0) differs('an error that is billed');
  const after = headers.get('retry-after');
  const needsAfter = status === 429 || status === 503;
  if (needsAfter && !/^[1-9]\d*$/.test(after ?? '')) differs(`Retry-After is ${after}`);
  const mayHaveAfter = needsAfter || (status === 409 && once !== null);
  if (!mayHaveAfter && after !== null) differs(`Retry-After ${after} on ${status}`);
}

/** Returns whether the route is about watches: a watch of a page contains the address of that page. */
function isOfWatches(target: string): boolean {
  return target.startsWith('/v1/watches');
}

type Settling = {
  readonly verdict: Verdict;
  readonly nowMs: number;
  readonly differs: (what: string) => void;
};

/** Compares the answer with the verdict of the accounts, and updates these with the outcome. */
function settle(ask: Ask, said: Said, settling: Settling): void {
  const { verdict, nowMs, differs } = settling;
  const call = meteredOf(ask);
  const { of } = call.key;
  // Invalid requests and unknown routes are reported before any limit.
  const isWrong = [400, 405, 413, 414].includes(said.status);
  // An answer to HEAD has no body to state its code.
  const isSilent = ask.method === 'HEAD' && [401, 403, 409, 429].includes(said.status);
  if (verdict.kind === 'refused') {
    if (
      said.code !== verdict.code &&
      !isSilent &&
      !isWrong &&
      !(said.status === 404 && said.code === 'unknown_route')
    )
      differs(`${said.status} ${said.code}, expected ${verdict.code}`);
    if (said.code === 'throttled') judgeThrottled(ask, said, settling);
  } else if (verdict.kind === 'replayed') {
    judgeReplay(said, verdict, differs);
  } else if (said.status < 300) {
    settleAnswered(ask, said, { ...settling, verdict });
  } else if (said.code === 'quota_exceeded') {
    if (!verdict.mayLackTokens)
      differs(`quota_exceeded with ${remaining(of, nowMs)} of ${call.most}`);
  } else if (
    ['throttled', 'force_refresh_limit', 'idempotency_conflict'].includes(said.code ?? '')
  ) {
    differs(`${said.code} that the limits do not give`);
  }
  if (said.code === 'internal' || said.status === 401) {
    if (said.code === 'internal') differs(`500: ${said.text.slice(0, 300)}`);
    return;
  }
  judgeBalance(ask, said, settling);
  judgeLimits(ask, said, settling);
}

function settleAnswered(
  ask: Ask,
  said: Said,
  { verdict, nowMs, differs }: Settling & { readonly verdict: Verdict & { kind: 'open' } },
): void {
  const call = meteredOf(ask);
  const { of } = call.key;
  if (verdict.mustLackTokens)
    differs(`answered with ${remaining(of, nowMs)} tokens left, costs ${call.least}`);
  if (said.headers.get('idempotency-replayed') !== null) differs('a replay of nothing');
  const cost = ask.costOf?.(said.body) ?? call.least;
  if (
    ask.method !== 'HEAD' &&
    !('lines' in said.body) &&
    numberAt(said.body, 'tokens_consumed') !== cost
  )
    differs(`costs ${numberAt(said.body, 'tokens_consumed')}, expected ${cost}`);
  pay(call, cost, nowMs);
  if (call.once !== null && call.most > 0) {
    const { status, text } = said;
    of.kept.set(call.once, { request: call.request, atMs: nowMs, status, body: text });
  }
}

function judgeReplay(
  { status, headers, text }: Said,
  { kept }: Verdict & { readonly kind: 'replayed' },
  differs: (what: string) => void,
): void {
  if (status !== kept.status || headers.get('idempotency-replayed') !== 'true')
    differs(`${status} ${headers.get('idempotency-replayed')}, expected the kept ${kept.status}`);
  else if (text !== kept.body) differs(`another body than the kept one: ${text.slice(0, 200)}`);
}

/** A caller who waits as long as told is admitted, and not earlier. */
function judgeThrottled(ask: Ask, said: Said, { nowMs, differs }: Settling): void {
  const seconds = Number(said.headers.get('retry-after'));
  const { of } = ask.key;
  if (admitted(of, nowMs + seconds * 1_000) < 1) differs(`Retry-After ${seconds} is too early`);
  if (admitted(of, nowMs + (seconds - 1) * 1_000) >= 1 && seconds > 1)
    differs(`Retry-After ${seconds} is too late`);
}

function judgeBalance(
  { method, key }: Ask,
  said: Said,
  { verdict, nowMs, differs }: Settling,
): void {
  if (method === 'HEAD' || verdict.kind === 'replayed' || said.text === '') return;
  if ('lines' in said.body) return;
  const left = numberAt(said.body, 'tokens_remaining');
  const expected = remaining(key.of, nowMs);
  if (left !== expected) differs(`tokens_remaining ${left}, expected ${expected}`);
}

/** Checks the RateLimit fields, and with them whether the call was counted. */
function judgeLimits(ask: Ask, said: Said, { verdict, nowMs, differs }: Settling): void {
  const { of } = ask.key;
  const state = said.headers.get('ratelimit') ?? '';
  const policy = said.headers.get('ratelimit-policy') ?? '';
  const told = (name: string): number => Number(new RegExp(`"${name}";r=(\\d+)`).exec(state)?.[1]);
  if (!policy.includes(`"throttle";q=${of.burst}`)) differs(`RateLimit-Policy ${policy}`);
  const isRefused = verdict.kind === 'refused' || [400, 403, 405, 413, 429].includes(said.status);
  const before = admitted(of, nowMs);
  if ('lines' in said.body) {
    of.isCounted = false;
  } else if (!of.isCounted) {
    setAdmitted(of, told('throttle'), nowMs);
    const wasForced = ask.isForced === true && verdict.kind === 'open' && !isRefused;
    if (wasForced) of.forcedAtMs.push(nowMs);
  } else {
    const isLimit = said.status === 429;
    // An invalid call counts like an answered one.
    const isWrong = said.status < 500 && said.headers.get('retry-after') === null;
    const isCounted = verdict.kind === 'replayed' || isWrong;
    const after = told('throttle');
    const counts = !isLimit && (isCounted || after !== before);
    if (counts) countOne(of, nowMs);
    // A forced refresh that failed has still asked a shop; one of a host that was taken down has not, and says nothing of it.
    const mayHaveAsked = !isRefused || (said.status === 400 && state.includes('"force-refresh"'));
    if (counts && mayHaveAsked && ask.isForced === true && verdict.kind === 'open')
      of.forcedAtMs.push(nowMs);
    if (!isLimit && !isCounted && after === before && before < of.burst)
      differs('an unbilled call that the throttle has not counted');
    if (after !== admitted(of, nowMs))
      differs(
        `RateLimit says ${after} more requests, expected ${admitted(of, nowMs)} (${before} before)`,
      );
  }
  const quota = told('quota');
  if (quota !== remaining(of, nowMs) && !('lines' in said.body))
    differs(`RateLimit says ${quota} tokens, expected ${remaining(of, nowMs)}`);
  if (!state.includes('"force-refresh"')) return;
  const forced = 100 - forcedLately(of, nowMs);
  if (!of.isForcedKnown) {
    const missing = forced - told('force-refresh');
    for (let count = 0; count < missing; count += 1) of.forcedAtMs.push(nowMs);
    of.isForcedKnown = true;
    return;
  }
  if (told('force-refresh') !== forced)
    differs(`RateLimit says ${told('force-refresh')} forced refreshes, expected ${forced}`);
}
