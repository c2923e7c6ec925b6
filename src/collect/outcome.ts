// What a failed fetch or a verdict on a page means to the caller: the name of the outcome and the fault (D48-D50).

import { URL_NOT_ALLOWED, type Fault, type UpstreamOutcome } from '../core/fault.ts';
import type { FetchFailure, PageVerdict } from '../listing/page.ts';

/** What fetching and reading a page can come to. `follow_requested` is not final: one more request follows. */
export type CallOutcome =
  | UpstreamOutcome
  | 'parsed'
  | 'not_found'
  | 'url_not_allowed'
  | 'follow_requested';

type AnyVerdict = PageVerdict<unknown>;

const OUTCOMES: Readonly<Record<FetchFailure['kind'] | AnyVerdict['kind'], CallOutcome>> = {
  refused: 'url_not_allowed',
  timeout: 'upstream_timeout',
  reset: 'upstream_reset',
  too_large: 'upstream_too_large',
  bad_encoding: 'upstream_bad_encoding',
  bad_response: 'upstream_bad_response',
  redirect_loop: 'upstream_redirect_loop',
  robots: 'robots_disallowed',
  // The shop asked for a pause or keeps failing, or its next free slot is too late for this call.
  busy: 'upstream_blocked',
  read: 'parsed',
  follow: 'follow_requested',
  not_found: 'not_found',
  not_a_product: 'not_a_product',
  blocked: 'upstream_blocked',
  retry: 'upstream_error',
  unreadable: 'upstream_bad_response',
};

/** The name of the outcome, for the error body, the log and the metrics. */
export function outcomeOf(result: FetchFailure | AnyVerdict): CallOutcome {
  return OUTCOMES[result.kind];
}

/** Retry-After when neither the shop nor the pacing states a time. */
const DEFAULT_RETRY_SECONDS = 60;

function unavailable(upstream: UpstreamOutcome, detail: string, seconds?: number): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds ?? DEFAULT_RETRY_SECONDS));
  return { code: 'upstream_unavailable', upstream, detail, retryAfterSeconds };
}

function unusable(upstream: UpstreamOutcome, detail: string): Fault {
  return { code: 'source_unusable', upstream, detail };
}

/** The fault of a fetch without a page. It never contains the reason of the address guard (D50). */
export function faultOfFailure(failure: FetchFailure): Fault {
  const seconds = failure.retryAfterSeconds;
  switch (failure.kind) {
    case 'refused':
      return URL_NOT_ALLOWED;
    case 'timeout':
      return unavailable(
        'upstream_timeout',
        'The shop did not answer in time. Try again after Retry-After.',
        seconds,
      );
    case 'reset':
      return unavailable(
        'upstream_reset',
        'The shop closed the connection. Try again after Retry-After.',
        seconds,
      );
    case 'busy':
      return unavailable(
        'upstream_blocked',
        'The shop cannot take another request now: it asked for a pause, keeps failing, or requests to it are ' +
          'queued. Try again after Retry-After.',
        seconds,
      );
    case 'too_large':
      return unusable(
        'upstream_too_large',
        'The page is larger than the service reads. Trying again does not help.',
      );
    case 'bad_encoding':
      return unusable(
        'upstream_bad_encoding',
        'The content encoding of the page is broken or unknown. Trying again is unlikely to help.',
      );
    case 'bad_response':
      return unusable(
        'upstream_bad_response',
        "The shop's answer is not valid HTTP. Trying again is unlikely to help.",
      );
    case 'redirect_loop':
      return unusable(
        'upstream_redirect_loop',
        'The address redirects in a loop. Send the final address of the product page.',
      );
    case 'robots':
      return unusable(
        'robots_disallowed',
        "The shop's robots.txt forbids fetching this page, and the service obeys it.",
      );
  }
}

/** The outcome of a fetch without a page. */
export function failedFetch(failure: FetchFailure): FailedFetch {
  const fault = faultOfFailure(failure);
  const status = failure.kind === 'robots' ? 'blocked' : 'error';
  const paced = failure.kind === 'busy' ? { isPaced: true as const } : {};
  return { kind: 'failed', fault, status, ...paced };
}

export type FailedFetch = {
  readonly kind: 'failed';
  readonly fault: Fault;
  /** Status of the cell (D34): a page that robots.txt forbids is `blocked`. */
  readonly status: 'blocked' | 'error';
  /** The pacing held the request back, so nothing is known about the retailer's answer. */
  readonly isPaced?: true;
};

/** Verdicts that do not tell whether the product exists. */
export type UnansweredVerdict = Extract<
  AnyVerdict,
  { kind: 'blocked' | 'retry' | 'unreadable' | 'follow' }
>;

/** The fault of a page that says nothing about the product. */
export function faultOfVerdict(verdict: UnansweredVerdict): Fault {
  switch (verdict.kind) {
    case 'blocked':
      return unavailable(
        'upstream_blocked',
        'The shop refuses automated requests for this page. Try again after Retry-After.',
        verdict.retryAfterSeconds,
      );
    case 'retry':
      return unavailable(
        'upstream_error',
        'The shop answered with an error. Try again after Retry-After.',
        verdict.retryAfterSeconds,
      );
    case 'unreadable':
      return unusable(
        'upstream_bad_response',
        'The page was fetched but could not be read. Trying again is unlikely to help.',
      );
    case 'follow':
      return unusable(
        'upstream_redirect_loop',
        'The page leads to other pages in a loop. Send the final address of the product page.',
      );
  }
}
