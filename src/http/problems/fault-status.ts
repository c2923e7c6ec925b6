// The HTTP status of each fault code (D49). The compiler rejects a code without one.

import type { FaultCode } from '../../core/fault.ts';

export const FAULT_STATUS = {
  invalid_identifier: 400,
  invalid_parameter: 400,
  unknown_parameter: 400,
  force_refresh_requires_retailer: 400,
  bare_identifier_required: 400,
  retailer_mismatch: 400,
  url_not_allowed: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  insufficient_scope: 403,
  not_found: 404,
  identity_mismatch: 404,
  first_party_seller: 404,
  unknown_route: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  cursor_expired: 410,
  body_not_accepted: 413,
  body_too_large: 413,
  uri_too_long: 414,
  source_unusable: 422,
  throttled: 429,
  force_refresh_limit: 429,
  quota_exceeded: 429,
  internal: 500,
  offers_unavailable: 503,
  upstream_unavailable: 503,
  overloaded: 503,
} as const satisfies Record<FaultCode, number>;
