// The report on an official source (D79), from its stored state. Pure.

import {
  type SourceFailureKind,
  callsIn,
  freeAt,
  restLeft,
  type CallSpan,
  type SourceState,
} from '../../../base/source-state.ts';
import { OWN_LIMIT, sourceDetail, type AskedSource } from './source-fault.ts';

/** How a source is at present. */
export type SourceReport = {
  /** `unknown`: it was never asked. */
  readonly state: 'unknown' | 'ok' | SourceFailureKind;
  readonly sinceMs: number | null;
  /** The kind of question that the failure is limited to; null if there is none, or it concerns the whole source. */
  readonly question: string | null;
  readonly lastOutcome: 'answered' | SourceFailureKind | null;
  readonly lastOutcomeMs: number | null;
  /** The problem and what to do; null if it answers. */
  readonly detail: string | null;
  readonly restSeconds: number | null;
  /** Requests of the last 24 hours. */
  readonly calls: number;
  readonly dailyLimit: number | null;
};

/** The failure of a source whose limit in this installation is spent, which is counted and not stored. */
export const LIMIT_SPENT = { kind: 'quota_spent', question: '', reason: OWN_LIMIT } as const;

type Reported = {
  readonly source: AskedSource;
  readonly states: readonly SourceState[];
  readonly spans: readonly CallSpan[];
  readonly limit: number | null;
  readonly nowMs: number;
};

/** The failure of the whole source counts first, then the latest one. */
export function reportOf({ source, states, spans, limit, nowMs }: Reported): SourceReport {
  const heard = states
    .filter(({ heardAtMs }) => heardAtMs > 0)
    .toSorted((a, b) => b.heardAtMs - a.heardAtMs);
  const [last] = heard;
  const calls = callsIn(spans, nowMs);
  const common = {
    lastOutcome: last === undefined ? null : (last.kind ?? 'answered'),
    lastOutcomeMs: last?.heardAtMs ?? null,
    calls,
    dailyLimit: limit,
  } as const;
  const failing = heard.filter(({ kind }) => kind !== null);
  const worst = failing.find(({ question }) => question === '') ?? failing[0];
  if (limit !== null && calls >= limit && worst?.question !== '') {
    const sinceMs = spentSince(spans);
    const leftMs = freeAt(spans, limit, nowMs) - nowMs;
    return { ...common, ...failureOf(source, { ...LIMIT_SPENT, sinceMs }, leftMs) };
  }
  if (worst !== undefined && worst.kind !== null) {
    const failure = { ...worst, kind: worst.kind };
    return { ...common, ...failureOf(source, failure, restLeft(worst, nowMs)) };
  }
  const ok = states.find(({ question, kind }) => question === '' && kind === null);
  const isHeard = ok !== undefined && ok.heardAtMs > 0;
  const rest = { question: null, detail: null, restSeconds: null };
  return isHeard
    ? { ...common, ...rest, state: 'ok', sinceMs: ok.sinceMs }
    : { ...common, ...rest, state: 'unknown', sinceMs: null };
}

/** The limit was reached in the latest span with a call. */
export function spentSince(spans: readonly CallSpan[]): number {
  return Math.max(0, ...spans.map(({ fromMs }) => fromMs));
}

function failureOf(
  source: AskedSource,
  failure: Parameters<typeof sourceDetail>[1],
  leftMs: number,
): Pick<SourceReport, 'state' | 'sinceMs' | 'question' | 'detail' | 'restSeconds'> {
  return {
    state: failure.kind,
    sinceMs: failure.sinceMs,
    question: failure.question === '' ? null : failure.question,
    detail: sourceDetail(source, failure),
    restSeconds: leftMs > 0 ? Math.ceil(leftMs / 1_000) : null,
  };
}
