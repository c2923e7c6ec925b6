// Maps a failed fetch, or a page without a listing, to the caller's result: "not found", or a fault (D48-D50).

import { URL_NOT_ALLOWED, type Fault, type UpstreamOutcome } from '../../../base/fault.ts';
import type { SourceFailureKind } from '../../../base/source-state.ts';
import type {
  FailedVerdict,
  FetchFailure,
  FetchOutcome,
  PageVerdict,
} from '../../../base/listing/page.ts';
import type { Miss } from '../../../data/answers/misses.ts';

/** Retry-After when neither the shop nor the pacing states a time. */
const DEFAULT_RETRY_SECONDS = 60;
/** How long to wait before retrying a failure that lasts until the operator acts (D65). */
export const MISCONFIGURED_SECONDS = 3_600;

function unavailable(
  upstream: UpstreamOutcome,
  detail: string,
  seconds: number | undefined,
): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds ?? DEFAULT_RETRY_SECONDS));
  return { code: 'upstream_unavailable', upstream, detail, retryAfterSeconds };
}

function unusable(upstream: UpstreamOutcome, detail: string): Fault {
  return { code: 'source_unusable', upstream, detail };
}

type FaultIn = (seconds: number | undefined) => Fault;

/** A fault that is worth retrying, after the stated time or else after `usually`. */
function retryable(upstream: UpstreamOutcome, detail: string, usually?: number): FaultIn {
  return (seconds) => unavailable(upstream, detail, seconds ?? usually);
}

/** A fault that a retry does not change. */
function permanent(upstream: UpstreamOutcome, detail: string): FaultIn {
  return () => unusable(upstream, detail);
}

const FAULTS: Readonly<Record<FetchFailure['kind'], FaultIn>> = {
  refused: () => URL_NOT_ALLOWED,
  unresolved: retryable(
    'upstream_error',
    'The host name could not be resolved: the name servers of this installation do not answer. Try again ' +
      'later. If the problem persists, the operator has to check the network and OPENSHELF_DNS_SERVERS.',
  ),
  unsent: retryable(
    'upstream_error',
    'This installation could not open a connection: it has no network, a firewall blocks it, or it has too ' +
      'many files open. Try again later. If the problem persists, the operator has to check that.',
  ),
  timeout: retryable('upstream_timeout', 'The shop did not answer in time. Try again later.'),
  reset: retryable('upstream_reset', 'The shop closed the connection. Try again later.'),
  busy: retryable(
    'upstream_blocked',
    'The shop cannot take another request now: it asked for a pause, keeps failing, requests to it are ' +
      'queued, or too many host names of other shops are being resolved. Try again later.',
  ),
  throttled: retryable(
    'upstream_blocked',
    "The calls that the retailer's API allows are taken by other requests for longer than this one may wait. Try " +
      'again later.',
  ),
  egress: retryable(
    'upstream_error',
    'The proxy of this installation cannot be used: it is unreachable, or refuses requests. The operator has ' +
      'to check OPENSHELF_EGRESS_PROXY.',
    MISCONFIGURED_SECONDS,
  ),
  too_large: permanent(
    'upstream_too_large',
    'The page exceeds the size limit of the service. Trying again does not help.',
  ),
  bad_encoding: permanent(
    'upstream_bad_encoding',
    'The content encoding of the page is broken or unknown. Trying again is unlikely to help.',
  ),
  bad_response: permanent(
    'upstream_bad_response',
    "The shop's response is not valid HTTP. Trying again is unlikely to help.",
  ),
  untrusted: permanent(
    'upstream_bad_response',
    'No trusted connection to the shop is possible: its certificate has expired, is for another name ' +
      'or is signed by an unknown authority, or the shop does not support a current TLS version with ' +
      'HTTP/1.1. Trying again is unlikely to help. If all shops fail this way, the operator of this ' +
      'installation has to check its clock, and whether a program in between (a proxy, a virus ' +
      'scanner) intercepts encrypted traffic.',
  ),
  redirect_loop: permanent(
    'upstream_redirect_loop',
    'The address redirects in a loop. Send the final address of the product page.',
  ),
  robots: permanent(
    'robots_disallowed',
    "The shop's robots.txt forbids fetching this page, and the service obeys it.",
  ),
  license: permanent('license_required', unlicensed('no address is stated')),
};

function unlicensed(license: string): string {
  return (
    `The shop asks for a licence, which may cost money (${license}). The operator of this installation can read it and, ` +
    'once the licence is held, list the host in OPENSHELF_LICENSED_SHOPS.'
  );
}

/** The refusals of a shop that must not be bypassed through another door. */
const RULED_OUT: ReadonlySet<UpstreamOutcome> = new Set(['robots_disallowed', 'license_required']);

/** Whether a rule of the shop forbids fetching the page. False if an answer of the shop refused it. */
export function isRuledOut({ upstream }: Pick<Fault, 'upstream'>): boolean {
  return upstream !== undefined && RULED_OUT.has(upstream);
}

/**
 * The guard refused an address that no caller sent. The cause is the local network, the settings, or the shop's redirect.
 */
export const HOST_REFUSED: Fault = unavailable(
  'upstream_error',
  'This installation does not know the host of the shop, or may not contact it. Try again later.',
  MISCONFIGURED_SECONDS,
);

/** An address led to another shop's host, which does not speak for the address's shop. */
export const ELSEWHERE: FailedFetch = {
  kind: 'failed',
  status: 'error',
  fault: unusable(
    'upstream_bad_response',
    'The address leads to a page of another shop. Send the address of that page.',
  ),
};

/**
 * The outcome if the caller did not send the address: `url_not_allowed` is only about an address that the caller sent (D65).
 */
export function ofOwnAddress<O extends { readonly kind: string }>(outcome: O): O {
  if (!('fault' in outcome) || outcome.fault !== URL_NOT_ALLOWED) return outcome;
  return { ...outcome, fault: HOST_REFUSED };
}

/** The outcome of a fetch without a page. Its fault never contains the address guard's reason (D50). */
export function failedFetch({ kind, retryAfterSeconds, license }: FetchFailure): FailedFetch {
  const stated = FAULTS[kind](retryAfterSeconds);
  const fault = license === undefined ? stated : { ...stated, detail: unlicensed(license) };
  const status = isRuledOut(fault) ? 'blocked' : 'error';
  const failed = { kind: 'failed', fault, status } as const;
  if (kind === 'throttled') return { ...failed, isPaced: true, official: 'throttled' };
  return kind === 'busy' ? { ...failed, isPaced: true } : failed;
}

/** A fetch started by another call took longer than this caller can wait. */
export const STILL_FETCHING: FailedFetch = failedFetch({
  kind: 'timeout',
  detail: 'another call is still fetching it',
});

export type FailedFetch = {
  readonly kind: 'failed';
  readonly fault: Fault;
  /** The status of the cell (D34): a page that robots.txt or a licence forbids is `blocked`. */
  readonly status: 'blocked' | 'error';
  /** Present if our own pacing delayed the request, so that nothing is known about the retailer's answer. */
  readonly isPaced?: true;
  /** How the official source failed that was asked (D79). */
  readonly official?: SourceFailureKind;
};

/** Returns an earlier failure again, with the remaining pause. */
export function withPauseLeft(failed: FailedFetch, leftMs: number): FailedFetch {
  const seconds = Math.max(1, Math.ceil(leftMs / 1_000));
  return { ...failed, fault: { ...failed.fault, retryAfterSeconds: seconds } };
}

/** Returns the outcome of a page without a listing. Only the first two kinds mean that there is no product. */
export function outcomeOfVerdict(
  verdict: FailedVerdict,
): { readonly kind: 'miss'; readonly miss: Miss } | FailedFetch {
  switch (verdict.kind) {
    case 'not_found':
      return { kind: 'miss', miss: { detail: verdict.why, upstream: null } };
    case 'not_a_product':
      return { kind: 'miss', miss: { detail: verdict.why, upstream: 'not_a_product' } };
    case 'blocked':
      return { kind: 'failed', fault: faultOfVerdict(verdict), status: 'blocked' };
    case 'retry':
    case 'unreadable':
    case 'follow':
      return { kind: 'failed', fault: faultOfVerdict(verdict), status: 'error' };
  }
}

/** Notifies the pacing of a page's verdict. An unreadable page says nothing about the shop. */
export async function reportFound(
  { found }: Extract<FetchOutcome, { ok: true }>,
  verdict: PageVerdict<unknown>,
): Promise<void> {
  if (verdict.kind === 'blocked') await found?.('wall');
  // Not awaited: a caller does not wait for a success to be recorded.
  else if (verdict.kind !== 'unreadable' && verdict.kind !== 'retry') void found?.('answer');
}

/** Verdicts that leave open whether the product exists. */
type OpenVerdict = Exclude<FailedVerdict, { kind: 'not_found' | 'not_a_product' }>;

/** Returns the fault of a page that leaves open whether the product exists. */
function faultOfVerdict(verdict: OpenVerdict): Fault {
  switch (verdict.kind) {
    case 'blocked':
      return unavailable(
        'upstream_blocked',
        'The shop refuses automated requests for this page. Try again later.',
        verdict.retryAfterSeconds,
      );
    case 'retry':
      if (verdict.isUnread === true) {
        return unavailable(
          'upstream_timeout',
          'The page arrived, but the service is busy and had no time left to read it. Try again later.',
          verdict.retryAfterSeconds,
        );
      }
      return unavailable(
        'upstream_error',
        'The shop answered with an error or an empty response. Try again later.',
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
