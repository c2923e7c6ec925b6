// Builds an error body from a fault. It is separate from the schema, which code that refuses calls does not load.

import type { Fault, FaultCode } from '../../base/fault.ts';
import type { Problem } from './problem.ts';

const TITLES = {
  invalid_identifier: 'Invalid identifier',
  invalid_parameter: 'Invalid parameter',
  unknown_parameter: 'Unknown parameter',
  force_refresh_requires_retailer: 'force_refresh requires retailer',
  bare_identifier_required: 'Bare identifier required',
  retailer_mismatch: 'Retailer does not match the identifier',
  url_not_allowed: 'URL not allowed',
  missing_api_key: 'Missing API key',
  invalid_api_key: 'Invalid API key',
  insufficient_scope: 'Insufficient scope',
  not_found: 'Not found',
  identity_mismatch: 'The page shows a different product',
  first_party_seller: 'First-party seller',
  unknown_route: 'Unknown route',
  method_not_allowed: 'Method not allowed',
  idempotency_conflict: 'Idempotency key conflict',
  body_not_accepted: 'Request body not accepted',
  body_too_large: 'Request body too large',
  cursor_expired: 'Cursor expired',
  uri_too_long: 'URI too long',
  encoding_not_accepted: 'Content-Encoding not accepted',
  source_unusable: 'The page of the shop cannot be used',
  page_not_accepted: 'Page not accepted',
  throttled: 'Too many requests',
  force_refresh_limit: 'Too many forced refreshes',
  quota_exceeded: 'Not enough tokens for this call',
  internal: 'Internal error',
  secrets_key_missing: 'The key for secrets is missing',
  offers_unavailable: 'Live offers unavailable',
  upstream_unavailable: 'Shop unavailable',
  overloaded: 'Service overloaded',
} as const satisfies Record<FaultCode, string>;

type ProblemContext = {
  readonly status: number;
  readonly requestId: string;
  /** Null unless the organization is known (D16). */
  readonly tokensRemaining: number | null;
};

/** Returns the problem body of a fault. */
export function presentProblem(fault: Fault, context: ProblemContext): Problem {
  return {
    type: `urn:openshelf:problem:${fault.code}`,
    title: TITLES[fault.code],
    status: context.status,
    detail: fault.detail,
    code: fault.code,
    error: fault.detail,
    ...(fault.parameter === undefined ? {} : { parameter: fault.parameter }),
    ...(fault.allowed === undefined ? {} : { allowed: [...fault.allowed] }),
    ...(fault.upstream === undefined ? {} : { upstream: fault.upstream }),
    ...(fault.matchedAsin === undefined
      ? {}
      : { asin_match: { state: 'substituted' as const, matched_asin: fault.matchedAsin } }),
    tokens_consumed: 0,
    ...(context.tokensRemaining === null ? {} : { tokens_remaining: context.tokensRemaining }),
    request_id: context.requestId,
  };
}
