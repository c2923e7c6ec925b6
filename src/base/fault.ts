// The errors that a caller can get, each with a stable code (D49). A fault carries the data for its answer. The cause, which
// only the operator sees, is the `cause` of the FaultError.

import type { Scope } from './scopes.ts';

export const FAULT_CODES = [
  'invalid_identifier',
  'invalid_parameter',
  'unknown_parameter',
  'force_refresh_requires_retailer',
  'bare_identifier_required',
  'retailer_mismatch',
  'url_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'not_found',
  'identity_mismatch',
  'first_party_seller',
  'unknown_route',
  'method_not_allowed',
  'idempotency_conflict',
  'cursor_expired',
  'body_not_accepted',
  'body_too_large',
  'uri_too_long',
  'encoding_not_accepted',
  'source_unusable',
  'page_not_accepted',
  'throttled',
  'force_refresh_limit',
  'quota_exceeded',
  'internal',
  'secrets_key_missing',
  'offers_unavailable',
  'upstream_unavailable',
  'overloaded',
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** `upstream` of the error body: how the fetch from the shop failed (D48). */
export type UpstreamOutcome =
  | 'not_a_product'
  | 'upstream_too_large'
  | 'upstream_bad_encoding'
  | 'upstream_bad_response'
  | 'upstream_redirect_loop'
  | 'upstream_timeout'
  | 'upstream_reset'
  | 'upstream_error'
  | 'upstream_blocked'
  | 'robots_disallowed'
  | 'license_required';

export type Fault = {
  readonly code: FaultCode;
  /** Text for the caller: what happened, and what to do. */
  readonly detail: string;
  readonly parameter?: string;
  readonly allowed?: readonly string[];
  readonly upstream?: UpstreamOutcome;
  readonly retryAfterSeconds?: number;
  /** ASIN of the listing that the page showed instead (`identity_mismatch`). */
  readonly matchedAsin?: string;
  /** The missing scope (`insufficient_scope`). */
  readonly scope?: Scope;
  /** Methods that the route supports (`method_not_allowed`). */
  readonly allow?: readonly string[];
};

/** The single answer for every refused address (D50): a reason would reveal what exists in the service's network. */
export const URL_NOT_ALLOWED: Fault = {
  code: 'url_not_allowed',
  parameter: 'id',
  detail: 'This address is not allowed. Send the public http or https address of a product page.',
};

/** The single answer for every `cursor` that was not returned with a page of a list. */
export const INVALID_CURSOR: Fault = {
  code: 'invalid_parameter',
  parameter: 'cursor',
  detail: 'Invalid cursor. Pass the "next" value of the previous page unchanged.',
};

/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The only error meant for callers; any other is a bug or a machine failure. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.detail, options);
    this.fault = fault;
  }
}

/** The fault of every call answered with 503 `overloaded` for lack of capacity. */
export const OVERLOADED: Fault = {
  code: 'overloaded',
  detail:
    'The service has more calls than it can serve at the moment. This one was not served and is not billed. ' +
    'Try again after the number of seconds in Retry-After.',
};
