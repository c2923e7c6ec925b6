// The fault codes that routes share: each list contains the previous one.

import type { FaultCode } from '../../base/fault.ts';

/** Free routes with a key. */
export const FREE_FAULTS = [
  'unknown_parameter',
  'missing_api_key',
  'invalid_api_key',
  'body_not_accepted',
  'uri_too_long',
  'throttled',
  'internal',
  'overloaded',
] as const satisfies readonly FaultCode[];

/** Free routes that need a scope. */
export const READ_FAULTS = [
  ...FREE_FAULTS,
  'insufficient_scope',
] as const satisfies readonly FaultCode[];

/** Free routes about one thing with an id. */
export const ONE_FAULTS = [...READ_FAULTS, 'not_found'] as const satisfies readonly FaultCode[];

/** Billed routes that answer from the store. */
export const BILLED_FAULTS = [
  ...FREE_FAULTS,
  'invalid_identifier',
  'invalid_parameter',
  'insufficient_scope',
  'not_found',
  'idempotency_conflict',
  'quota_exceeded',
] as const satisfies readonly FaultCode[];

/** Billed routes that may ask a retailer. */
export const ASKING_FAULTS = [
  ...BILLED_FAULTS,
  'source_unusable',
  'upstream_unavailable',
] as const satisfies readonly FaultCode[];

/** Routes that look up a product. */
export const LOOKUP_FAULTS = [
  ...ASKING_FAULTS,
  'bare_identifier_required',
  'retailer_mismatch',
  'url_not_allowed',
  'identity_mismatch',
  'force_refresh_limit',
  'offers_unavailable',
] as const satisfies readonly FaultCode[];
