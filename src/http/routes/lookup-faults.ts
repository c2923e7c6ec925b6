// The faults of every route that looks a product up, asking retailers where it must.

import type { FaultCode } from '../../domain/fault.ts';

export const LOOKUP_FAULTS = [
  'invalid_identifier',
  'invalid_parameter',
  'unknown_parameter',
  'bare_identifier_required',
  'retailer_mismatch',
  'url_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'insufficient_scope',
  'not_found',
  'identity_mismatch',
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
] as const satisfies readonly FaultCode[];
