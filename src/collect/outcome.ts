// What a failed fetch or a page's verdict means to the caller: the outcome's name and the fault (D48-D50).
// One table, used by every route; it fetches and reads nothing.

import { URL_NOT_ALLOWED, type Fault, type UpstreamOutcome } from '../core/fault.ts';
import type { FetchFailure, PageVerdict } from '../listing/page.ts';

/** Everything a fetch with its reading can come to. `follow` is one more request, not an end. */
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
  // The shop asked for a pause, kept failing, or others are before us: it cannot be asked now.
  busy: 'upstream_blocked',
  read: 'parsed',
  follow: 'follow_requested',
  not_found: 'not_found',
  not_a_product: 'not_a_product',
  blocked: 'upstream_blocked',
  retry: 'upstream_error',
  unreadable: 'upstream_bad_response',
};

/** The name of what happened, for the error body, the log and the metrics. */
export function outcomeOf(result: FetchFailure | AnyVerdict): CallOutcome {
  return OUTCOMES[result.kind];
}

/** What a caller is told to wait when neither the shop nor our pacing named a time. */
const DEFAULT_RETRY_SECONDS = 60;

function unavailable(upstream: UpstreamOutcome, detail: string, seconds?: number): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds ?? DEFAULT_RETRY_SECONDS));
  return { code: 'upstream_unavailable', upstream, detail, retryAfterSeconds };
}

function unusable(upstream: UpstreamOutcome, detail: string): Fault {
  return { code: 'source_unusable', upstream, detail };
}

/** The fault of a fetch that brought no page. The guard's reason never leaves (D50). */
export function faultOfFailure(failure: FetchFailure): Fault {
  const seconds = failure.retryAfterSeconds;
  switch (failure.kind) {
    case 'refused':
      return URL_NOT_ALLOWED;
    case 'timeout':
      return unavailable(
        'upstream_timeout',
        'The shop did not answer in time. Try later.',
        seconds,
      );
    case 'reset':
      return unavailable('upstream_reset', 'The shop broke the connection. Try later.', seconds);
    case 'busy':
      return unavailable(
        'upstream_blocked',
        'This shop cannot be asked right now: requests to it are paced. Try later.',
        seconds,
      );
    case 'too_large':
      return unusable('upstream_too_large', 'The page is too large to be read.');
    case 'bad_encoding':
      return unusable('upstream_bad_encoding', "The page's content coding is broken or unknown.");
    case 'bad_response':
      return unusable('upstream_bad_response', "The shop's answer is not valid HTTP.");
    case 'redirect_loop':
      return unusable('upstream_redirect_loop', 'The address redirects without an end.');
    case 'robots':
      return unusable('robots_disallowed', "The shop's robots.txt disallows this page.");
  }
}

/** A fetch that brought no page, as what asking came to. */
export function failedFetch(failure: FetchFailure): FailedFetch {
  const fault = faultOfFailure(failure);
  const status = failure.kind === 'robots' ? 'blocked' : 'error';
  const paced = failure.kind === 'busy' ? { isPaced: true as const } : {};
  return { kind: 'failed', fault, status, ...paced };
}

export type FailedFetch = {
  readonly kind: 'failed';
  readonly fault: Fault;
  /** How a cell shows it (D34): robots.txt is a wall like any other. */
  readonly status: 'blocked' | 'error';
  /** Our own politeness kept the request back: nothing was asked, so nothing was learnt. */
  readonly isPaced?: true;
};

/** Verdicts after which nobody knows whether the product exists. */
export type UnansweredVerdict = Extract<
  AnyVerdict,
  { kind: 'blocked' | 'retry' | 'unreadable' | 'follow' }
>;

/** The fault of a page that said nothing about the product. */
export function faultOfVerdict(verdict: UnansweredVerdict): Fault {
  switch (verdict.kind) {
    case 'blocked':
      return unavailable(
        'upstream_blocked',
        'The shop refuses automated requests for this page. Try later.',
        verdict.retryAfterSeconds,
      );
    case 'retry':
      return unavailable(
        'upstream_error',
        'The shop answered with an error. Try later.',
        verdict.retryAfterSeconds,
      );
    case 'unreadable':
      return unusable('upstream_bad_response', 'The page could not be read.');
    case 'follow':
      return unusable('upstream_redirect_loop', 'The page leads on to other pages without an end.');
  }
}
