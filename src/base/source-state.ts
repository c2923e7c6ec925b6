// The failures of official sources, the stored state of each source, and when it may be asked again (D79). The kinds of
// failure differ in the remedy that the operator has. Pure.

import { DAY_MS, isDoneSince, MINUTE_MS, SET_BACK_MS } from './clock.ts';

export const SOURCE_FAILURES = [
  /** The API rejects the credentials of this installation. */
  'credentials_refused',
  /** The credentials are valid, but the account may not use the API, or not this part of it. */
  'not_eligible',
  /** The calls of the day are used up, by the API's count or by the limit of this installation. */
  'quota_spent',
  /** Too many calls in a short time. */
  'throttled',
  /** It does not answer, or answers that it cannot at the moment. */
  'unreachable',
  /** It answers in a way that this version does not understand. */
  'unreadable',
] as const;

export type SourceFailureKind = (typeof SOURCE_FAILURES)[number];

/** The latest outcome of a source, or of one kind of question to it. */
export type SourceState = {
  /** `<slug>.<name>` */
  readonly source: string;
  /** The kind of question that the failure is limited to; `''` for the whole source. */
  readonly question: string;
  /** Null if it answered. */
  readonly kind: SourceFailureKind | null;
  /** The status and the reason code, such as `403 AssociateNotEligible`. */
  readonly reason: string | null;
  /** When this outcome first occurred in an unbroken row. */
  readonly sinceMs: number;
  /** When the outcome last occurred; 0 if never. */
  readonly heardAtMs: number;
  /** For how long from `heardAtMs` on the source is not asked. */
  readonly restMs: number;
};

/** Requests sent in the ten minutes from `fromMs` on. */
export type CallSpan = { readonly fromMs: number; readonly calls: number };

const SPAN_MS = 10 * MINUTE_MS;

export function spanOf(nowMs: number): number {
  return nowMs - (nowMs % SPAN_MS);
}

/** Spans that begin after this moment count in the 24 hours before `nowMs`. */
export function countedAfter(nowMs: number): number {
  return nowMs - DAY_MS - SPAN_MS;
}

export function callsIn(spans: readonly CallSpan[], nowMs: number): number {
  return counted(spans, nowMs).reduce((all, { calls }) => all + calls, 0);
}

/** Returns when a call is free again: at most `limit` in any 24 hours. `nowMs` if one is free now. */
export function freeAt(spans: readonly CallSpan[], limit: number, nowMs: number): number {
  let left = callsIn(spans, nowMs);
  let atMs = nowMs;
  for (const { fromMs, calls } of counted(spans, nowMs).toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (left < limit) break;
    left -= calls;
    atMs = fromMs + SPAN_MS + DAY_MS;
  }
  return atMs;
}

function counted(spans: readonly CallSpan[], nowMs: number): readonly CallSpan[] {
  return spans.filter(
    ({ fromMs }) => fromMs > countedAfter(nowMs) && fromMs <= nowMs + SET_BACK_MS,
  );
}

/**
 * Returns the failure because of which the source is not asked such a question at present. A rejection by the API that is
 * older than this process does not count: the operator may have changed the credentials since.
 */
export function restingState(
  states: readonly SourceState[],
  question: string,
  { nowMs, startedAtMs }: { readonly nowMs: number; readonly startedAtMs: number },
): SourceState | null {
  const resting = states.filter(
    (state) =>
      (state.question === '' || state.question === question) &&
      restLeft(state, nowMs) > 0 &&
      (state.heardAtMs >= startedAtMs || !UNTIL_CHANGED.has(state.kind)),
  );
  return resting.toSorted((a, b) => restLeft(b, nowMs) - restLeft(a, nowMs))[0] ?? null;
}

const UNTIL_CHANGED: ReadonlySet<SourceFailureKind | null> = new Set([
  'credentials_refused',
  'not_eligible',
]);

/** Milliseconds left of the rest. A rest that began in the future was stored before the clock was set back. */
export function restLeft({ kind, heardAtMs, restMs }: SourceState, nowMs: number): number {
  if (kind === null || !isDoneSince(heardAtMs, heardAtMs, nowMs)) return 0;
  return Math.min(restMs, heardAtMs + restMs - nowMs);
}
