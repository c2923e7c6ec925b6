// The failures a caller can see, one code each (D49). A fault carries what its answer needs and nothing
// else; causes for the operator travel as `cause` and never reach a caller.

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
  'body_not_accepted',
  'uri_too_long',
  'source_unusable',
  'throttled',
  'force_refresh_limit',
  'quota_exceeded',
  'internal',
  'offers_unavailable',
  'upstream_unavailable',
  'overloaded',
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** `upstream` of the error body: the outcome's name where a fetch failed (D48). */
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
  | 'robots_disallowed';

export type Fault = {
  readonly code: FaultCode;
  /** For the caller: what is wrong and what to do next. */
  readonly detail: string;
  readonly parameter?: string;
  readonly allowed?: readonly string[];
  readonly upstream?: UpstreamOutcome;
  readonly retryAfterSeconds?: number;
  /** Of `identity_mismatch`: the ASIN of the product that was found instead. */
  readonly matchedAsin?: string;
  /** The scope that was missing, for `insufficient_scope`. */
  readonly scope?: string;
  /** Methods that the route does take, for `method_not_allowed`. */
  readonly allow?: readonly string[];
};

/** The same answer for every address that is not fetched, so that it does not reveal which hosts exist (D50). */
export const URL_NOT_ALLOWED: Fault = {
  code: 'url_not_allowed',
  parameter: 'id',
  detail: 'This address is not fetched: send the public http or https address of a product page.',
};

/** The only exception that is meant for a caller. Anything else that is thrown is a bug or a failure of the machine. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(fault.detail, options);
    this.fault = fault;
  }
}
