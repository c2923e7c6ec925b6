// Classifies a failed request to an official source as one of six kinds (D79): by the table of documented failures, by what
// the reader made of the answer, or by why there was none. Pure.

import type { FetchFailureKind, FetchOutcome, Page } from '../../../base/listing/page.ts';
import { retryAfterSeconds } from '../../../base/retry-after.ts';
import { apiFailure, type ApiEndpoint } from '../../../read/retailers/api-failures.ts';
import { failedFetch, isRuledOut, ofOwnAddress, type FailedFetch } from './failed-fetch.ts';
import type { SourceFailure } from './official-sources.ts';

/** Returns the failure that an answer documents; null if a reader has to read it. */
export function failureOfPage(
  source: string,
  endpoint: ApiEndpoint,
  page: Page,
): SourceFailure | null {
  const found = apiFailure(source, endpoint, page);
  if (found === null) return null;
  const { kind, reason } = found;
  return { kind, reason, restSeconds: statedRest(page) ?? found.restSeconds };
}

function statedRest({ headers, fetchedAtMs }: Page): number | undefined {
  const seconds = retryAfterSeconds(headers['retry-after'], fetchedAtMs);
  return seconds === null ? undefined : Math.max(1, seconds);
}

const UNREADABLE: ReadonlySet<FetchFailureKind> = new Set([
  'too_large',
  'bad_encoding',
  'bad_response',
  'redirect_loop',
]);

/** Returns why there was no answer; null for our own pacing, which says nothing about the source. */
export function failureOfFetch({
  failure,
}: Extract<FetchOutcome, { ok: false }>): SourceFailure | null {
  if (failure.kind === 'busy' || failure.kind === 'throttled') return null;
  const kind = UNREADABLE.has(failure.kind) ? 'unreadable' : 'unreachable';
  const { fault } = ofOwnAddress(failedFetch(failure));
  const upstream = fault.code === 'upstream_unavailable' ? fault.upstream : undefined;
  return { kind, reason: failure.kind.replaceAll('_', ' '), upstream };
}

/** Returns the failure of an answer that a reader could not use; null if that says nothing about the source. */
export function failureOfReading(
  { fault, isPaced }: FailedFetch,
  page: Page,
): SourceFailure | null {
  const { upstream } = fault;
  // This machine had no time to read it, or a page that the answer led to refused.
  if (
    isPaced === true ||
    upstream === undefined ||
    upstream === 'upstream_timeout' ||
    isRuledOut(fault)
  ) {
    return null;
  }
  const isRequest = page.status >= 400 && page.status < 500;
  if (upstream === 'upstream_blocked' && !isRequest) return null;
  const kind = upstream === 'upstream_error' && !isRequest ? 'unreachable' : 'unreadable';
  return { kind, reason: `${page.status}`, restSeconds: statedRest(page) };
}
