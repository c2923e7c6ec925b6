// Keeps the state of each official source (D79): whether it rests, how often it was asked, and its last outcome. A line is
// logged when that changes, never one for a call.

import type { UpstreamOutcome } from '../../../base/fault.ts';
import type { Log } from '../../../base/log.ts';
import {
  type SourceFailureKind,
  freeAt,
  restingState,
  restLeft,
  type SourceState,
} from '../../../base/source-state.ts';
import type { SourceBook } from '../coordination/source-book.ts';
import type { FailedFetch } from './failed-fetch.ts';
import {
  IS_WHOLE,
  OWN_LIMIT,
  REST_SECONDS,
  sourceDetail,
  sourceFailed,
  type AskedSource,
} from './source-fault.ts';
import { LIMIT_SPENT, reportOf, spentSince, type SourceReport } from './source-report.ts';

export type SourceFailure = {
  readonly kind: SourceFailureKind;
  readonly reason: string;
  /** The rest that the source itself asked for. */
  readonly restSeconds?: number | undefined;
  readonly upstream?: UpstreamOutcome | undefined;
};

export type OfficialSources = {
  /** The failure because of which the source is not asked such a question now; null if it may be asked. */
  readonly restOf: (source: AskedSource, question: string) => Promise<FailedFetch | null>;
  /** Counts a request about to be sent; a failure if the daily limit is spent. */
  readonly count: (source: AskedSource) => Promise<FailedFetch | null>;
  /** The failure while the daily limit is spent; null if it is not. */
  readonly spent: (source: AskedSource) => Promise<FailedFetch | null>;
  readonly failed: (
    source: AskedSource,
    question: string,
    failure: SourceFailure,
  ) => Promise<FailedFetch>;
  readonly answered: (source: AskedSource, question: string) => Promise<void>;
  /** Names the source's failure, if it has one, in a request that our own pacing held back because of it. */
  readonly heldBack: (
    source: AskedSource,
    question: string,
    failed: FailedFetch,
  ) => Promise<FailedFetch>;
  readonly report: (source: AskedSource) => Promise<SourceReport>;
};

type OfficialSourceParts = {
  readonly book: SourceBook;
  /** Requests in 24 hours; null for no limit. */
  readonly limitOf: (source: string) => number | null;
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined;
  readonly metrics?:
    | {
        readonly sourceCalled: (source: string) => void;
        readonly sourceFailed: (source: string, kind: SourceFailureKind) => void;
      }
    | undefined;
};

/** That a source still answers is stored this often. */
const ANSWERED_EVERY_MS = 60_000;

/** Reads and stores the outcomes of sources. */
function createNotes({ book, log, metrics }: OfficialSourceParts, startedAtMs: number) {
  const known = new Map<string, readonly SourceState[]>();
  const answeredAtMs = new Map<string, number>();

  /** While the database does not answer, nothing is known against a source. */
  const statesOf = async (source: string): Promise<readonly SourceState[]> => {
    const states = await book.find(source).catch(() => known.get(source) ?? []);
    known.set(source, states);
    return states;
  };

  function logFailure(source: AskedSource, kind: SourceFailureKind, reason: string): void {
    const settings = kind === 'credentials_refused' ? source.settings.join(', ') : undefined;
    log?.warn('an official source fails', { source: source.name, kind, reason, settings });
  }

  const noteFailure: OfficialSources['failed'] = async (source, asked, failure) => {
    const { kind, reason, restSeconds, upstream } = failure;
    metrics?.sourceFailed(source.name, kind);
    const question = IS_WHOLE.has(kind) ? '' : asked;
    const restMs = (restSeconds ?? REST_SECONDS[kind]) * 1_000;
    const outcome = { source: source.name, question, kind, reason, restMs };
    const hasChanged = await book.note(outcome).catch(() => false);
    if (hasChanged) logFailure(source, kind, reason);
    const states = await statesOf(source.name);
    const state = states.find((each) => each.question === question);
    const sinceMs = state?.kind === kind ? state.sinceMs : book.now();
    return sourceFailed(source, { question, kind, reason, sinceMs }, { leftMs: restMs, upstream });
  };

  const noteAnswer: OfficialSources['answered'] = async (source, question) => {
    const failing = (known.get(source.name) ?? []).some(
      (state) => state.kind !== null && (state.question === '' || state.question === question),
    );
    const lastMs = answeredAtMs.get(source.name) ?? Number.NEGATIVE_INFINITY;
    const nowMs = book.now();
    if (!failing && nowMs - lastMs < ANSWERED_EVERY_MS) return;
    // While a source rests nothing is sent to it, so this answers a request from before, and does not end the rest.
    const states = await statesOf(source.name);
    if (restingState(states, question, { nowMs, startedAtMs }) !== null) return;
    answeredAtMs.set(source.name, nowMs);
    const outcome = { source: source.name, question, kind: null, reason: null, restMs: 0 };
    const hasChanged = await book.note(outcome).catch(() => false);
    if (hasChanged && failing)
      log?.info('an official source answers again', { source: source.name });
  };

  return { statesOf, logFailure, noteFailure, noteAnswer };
}

export function createOfficialSources(parts: OfficialSourceParts): OfficialSources {
  const { book, limitOf, metrics } = parts;
  const startedAtMs = book.now();
  const { statesOf, logFailure, noteFailure, noteAnswer } = createNotes(parts, startedAtMs);
  const overLimit = new Set<string>();

  async function spent(source: AskedSource): Promise<FailedFetch | null> {
    const limit = limitOf(source.name);
    if (limit === null) return null;
    const spans = await book.findCalls(source.name);
    const nowMs = book.now();
    if (freeAt(spans, limit, nowMs) <= nowMs) return null;
    if (!overLimit.has(source.name)) {
      overLimit.add(source.name);
      metrics?.sourceFailed(source.name, 'quota_spent');
      logFailure(source, 'quota_spent', OWN_LIMIT);
    }
    const leftMs = freeAt(spans, limit, nowMs) - nowMs;
    const sinceMs = spentSince(spans);
    return sourceFailed(source, { ...LIMIT_SPENT, sinceMs }, { leftMs });
  }

  return {
    restOf: async (source, question) => {
      const nowMs = book.now();
      const resting = restingState(await statesOf(source.name), question, { nowMs, startedAtMs });
      if (resting === null || resting.kind === null) return null;
      const { kind } = resting;
      return sourceFailed(source, { ...resting, kind }, { leftMs: restLeft(resting, nowMs) });
    },
    spent,
    count: async (source) => {
      const isTaken = await book.take(source.name, limitOf(source.name)).catch(() => true);
      const failed = isTaken ? null : await spent(source);
      if (failed !== null) return failed;
      overLimit.delete(source.name);
      metrics?.sourceCalled(source.name);
      return null;
    },
    heldBack: async (source, question, failed) => {
      const state = (await statesOf(source.name)).find(
        (each) => each.kind !== null && (each.question === '' || each.question === question),
      );
      if (state === undefined || state.kind === null) return failed;
      const detail = sourceDetail(source, { ...state, kind: state.kind });
      return { ...failed, official: state.kind, fault: { ...failed.fault, detail } };
    },
    failed: noteFailure,
    answered: noteAnswer,
    report: async (source) => {
      const [states, spans] = await Promise.all([
        statesOf(source.name),
        book.findCalls(source.name),
      ]);
      return reportOf({ source, states, spans, limit: limitOf(source.name), nowMs: book.now() });
    },
  };
}
