// The contract's rules for organizations, keys, tokens, limits and Idempotency-Keys (D15 to D21, D61), as a model
// independent of the service: it predicts how a call may end, and is then given the outcome.

export type Organization = {
  readonly name: string;
  quota: number;
  perMinute: number;
  burst: number;
  /** By month: tokens used, and the number of billed calls. */
  readonly months: Map<string, Month>;
  /** When the throttle budget would be full again, in microseconds. */
  wholeAtUs: number;
  /**
   * False after calls that may have been counted any number of times: the next answer reveals the state of the throttle.
   */
  isCounted: boolean;
  /** The same for the forced refreshes, until a minute has passed. */
  isForcedKnown: boolean;
  /** Times of the forced refreshes. */
  readonly forcedAtMs: number[];
  readonly kept: Map<string, KeptAnswer>;
};

type Month = {
  /** The month's usable tokens, which a later quota change does not lower below what was used. */
  allowance: number;
  granted: number;
  used: number;
  calls: number;
  readonly ofKeys: Map<string, number>;
  readonly ofRoutes: Map<string, number>;
};

export type Key = {
  readonly text: string;
  readonly id: string;
  readonly of: Organization;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number | null;
  revokedAtMs: number | null;
};

type KeptAnswer = {
  readonly request: string;
  readonly atMs: number;
  readonly status: number;
  readonly body: string;
};

export type MeteredCall = {
  readonly key: Key;
  readonly route: string;
  readonly scope: string | null;
  /** Minimum and maximum cost. */
  readonly least: number;
  readonly most: number;
  readonly isForced: boolean;
  readonly once: string | null;
  /** Method, path and sorted query, and the body. */
  readonly request: string;
};

/** How a call may be refused or replayed before a shop or the store is queried; null: neither. */
export type Verdict =
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'replayed'; readonly kept: KeptAnswer }
  | { readonly kind: 'open'; readonly mayLackTokens: boolean; readonly mustLackTokens: boolean };

const DAY_MS = 86_400_000;
const FORCED_A_MINUTE = 100;

export function newOrganization(
  name: string,
  limits: { readonly quota: number; readonly perMinute: number; readonly burst: number },
): Organization {
  return {
    name,
    ...limits,
    months: new Map(),
    wholeAtUs: 0,
    isCounted: true,
    isForcedKnown: true,
    forcedAtMs: [],
    kept: new Map(),
  };
}

export function monthAt(of: Organization, nowMs: number): Month {
  const name = new Date(nowMs).toISOString().slice(0, 7);
  const known = of.months.get(name);
  if (known !== undefined) return known;
  const made: Month = {
    allowance: of.quota,
    granted: 0,
    used: 0,
    calls: 0,
    ofKeys: new Map(),
    ofRoutes: new Map(),
  };
  of.months.set(name, made);
  return made;
}

export function remaining(of: Organization, nowMs: number): number {
  const month = monthAt(of, nowMs);
  return month.allowance - month.used;
}

/** Sets a quota. It applies to the current month too, and never takes back what was used. */
export function setQuota(of: Organization, quota: number, nowMs: number): void {
  const month = monthAt(of, nowMs);
  of.quota = quota;
  month.allowance = Math.max(quota + month.granted, month.used);
}

/** Adds a grant to the current month only (D17). */
export function grant(of: Organization, tokens: number, nowMs: number): void {
  const month = monthAt(of, nowMs);
  month.granted += tokens;
  month.allowance += tokens;
}

/** Returns the number of requests that the throttle would admit now. */
export function admitted(of: Organization, nowMs: number): number {
  const interval = Math.ceil(60_000_000 / of.perMinute);
  const ahead = Math.max(0, of.wholeAtUs - nowMs * 1_000);
  return Math.floor((interval * of.burst - ahead) / interval);
}

export function countOne(of: Organization, nowMs: number): void {
  const interval = Math.ceil(60_000_000 / of.perMinute);
  of.wholeAtUs = Math.max(of.wholeAtUs, nowMs * 1_000) + interval;
}

/** Updates the throttle state from an answer. */
export function setAdmitted(of: Organization, admits: number, nowMs: number): void {
  of.wholeAtUs = nowMs * 1_000 + (of.burst - admits) * Math.ceil(60_000_000 / of.perMinute);
  of.isCounted = true;
}

export function forcedLately(of: Organization, nowMs: number): number {
  return of.forcedAtMs.filter((atMs) => atMs > nowMs - 60_000).length;
}

export function isValid(key: Key, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs);
}

/** Returns the accounts' verdict on a call whose request is valid. */
export function verdictOf(call: MeteredCall, nowMs: number): Verdict {
  const { key, scope, once } = call;
  const { of } = key;
  if (!isValid(key, nowMs)) return refused('invalid_api_key');
  if (scope !== null && !key.scopes.includes(scope)) return refused('insufficient_scope');
  const isThrottled = admitted(of, nowMs) < 1;
  const kept = once === null ? undefined : of.kept.get(once);
  if (kept !== undefined && nowMs < kept.atMs + DAY_MS) {
    if (kept.request !== call.request) return refused('idempotency_conflict');
    return isThrottled ? refused('throttled') : { kind: 'replayed', kept };
  }
  if (isThrottled) return refused('throttled');
  if (call.isForced && forcedLately(of, nowMs) >= FORCED_A_MINUTE)
    return refused('force_refresh_limit');
  const left = remaining(of, nowMs);
  return { kind: 'open', mayLackTokens: left < call.most, mustLackTokens: left < call.least };
}

function refused(code: string): Verdict {
  return { kind: 'refused', code };
}

/** Records a paid answer. */
export function pay(call: MeteredCall, tokens: number, nowMs: number): void {
  const { key, route } = call;
  if (tokens === 0) return;
  const month = monthAt(key.of, nowMs);
  month.used += tokens;
  month.calls += 1;
  month.ofKeys.set(key.id, (month.ofKeys.get(key.id) ?? 0) + tokens);
  month.ofRoutes.set(route, (month.ofRoutes.get(route) ?? 0) + tokens);
}
