// The texts about a failed official source for a caller and the operator (D79), and the time for which the source then
// rests. Pure.

import { isoTimestamp } from '../../../base/clock.ts';
import type { Fault, UpstreamOutcome } from '../../../base/fault.ts';
import type { SourceFailureKind, SourceState } from '../../../base/source-state.ts';
import type { FailedFetch } from './failed-fetch.ts';

/** How long a source rests after a 429 that states no time. */
const THROTTLED_SECONDS = 60;
/** How long it rests after a failure that lasts until somebody acts, or until a day is over. */
const LASTING_SECONDS = 3_600;

/** Seconds of rest if the answer states none; 0: only the pacing of its host limits the next request. */
export const REST_SECONDS: Readonly<Record<SourceFailureKind, number>> = {
  credentials_refused: LASTING_SECONDS,
  not_eligible: LASTING_SECONDS,
  quota_spent: LASTING_SECONDS,
  throttled: THROTTLED_SECONDS,
  unreachable: 0,
  unreadable: 0,
};

/** Failures of the whole source; the others are limited to the kind of question that was asked. */
export const IS_WHOLE: ReadonlySet<SourceFailureKind> = new Set([
  'credentials_refused',
  'quota_spent',
]);

/** The reason of a source whose limit in this installation is spent. */
export const OWN_LIMIT = 'OPENSHELF_SOURCE_LIMITS';

export type AskedSource = {
  /** `<slug>.<name>` */
  readonly name: string;
  /** The settings with its credentials. */
  readonly settings: readonly string[];
};

type Failure = Pick<SourceState, 'question' | 'reason' | 'sinceMs'> & {
  readonly kind: SourceFailureKind;
};

/** Returns two sentences: what is wrong since when, and what to do. */
export function sourceDetail({ name, settings }: AskedSource, failure: Failure): string {
  const { kind, reason, question, sinceMs } = failure;
  const because = reason === null || reason === OWN_LIMIT ? '' : ` (${reason})`;
  const since = ` since ${isoTimestamp(sinceMs)}`;
  const about = question === '' ? '' : `, asked for "${question}",`;
  switch (kind) {
    case 'credentials_refused':
      return (
        `The official API ${name} has refused the credentials of this installation${because}${since}. ` +
        `The operator has to check ${settings.join(', ')}.`
      );
    case 'not_eligible':
      return (
        `The official API ${name}${about} has not admitted the account of this installation${because}${since}. ` +
        'The operator has to fulfil its conditions or request the permission; other credentials do not help.'
      );
    case 'quota_spent':
      return reason === OWN_LIMIT
        ? `The daily limit of this installation for the official API ${name} has been used up${since}. ` +
            `It is queried again when a call is free; the operator can change the limit with ${OWN_LIMIT}.`
        : `The daily calls of the official API ${name} have been used up${because}${since}. ` +
            'Try again later; the operator can request a higher limit from the retailer.';
    case 'throttled':
      return (
        `The official API ${name}${about} has asked for fewer requests${because}${since}. ` +
        'Try again later.'
      );
    case 'unreachable':
      return (
        `The official API ${name}${about} has not answered, or only with errors${because}${since}. ` +
        'Try again later. If it persists, the operator has to check the network.'
      );
    case 'unreadable':
      return (
        `The official API ${name}${about} has answered in a way that this version cannot read${because}${since}. ` +
        'Try again later. If it persists, the operator has to check for a newer version, and for a proxy in between.'
      );
  }
}

const UPSTREAM: Readonly<Record<SourceFailureKind, UpstreamOutcome>> = {
  credentials_refused: 'upstream_error',
  not_eligible: 'upstream_error',
  quota_spent: 'upstream_blocked',
  throttled: 'upstream_blocked',
  unreachable: 'upstream_error',
  unreadable: 'upstream_bad_response',
};

/** The fault of a call that needs a retry after this time when nothing else is known. */
const DEFAULT_RETRY_SECONDS = 60;

/** `upstream`: how the request itself failed, if there was no answer. */
export function sourceFailed(
  source: AskedSource,
  failure: Failure,
  {
    leftMs,
    upstream,
  }: { readonly leftMs: number; readonly upstream?: UpstreamOutcome | undefined },
): FailedFetch {
  const fault: Fault = {
    code: 'upstream_unavailable',
    upstream: upstream ?? UPSTREAM[failure.kind],
    detail: sourceDetail(source, failure),
    retryAfterSeconds: leftMs > 0 ? Math.ceil(leftMs / 1_000) : DEFAULT_RETRY_SECONDS,
  };
  return { kind: 'failed', status: 'error', fault, official: failure.kind };
}
