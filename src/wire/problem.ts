// The body of every error (D48): RFC 9457 problem details with a stable code and what to do next.

import { z } from '@hono/zod-openapi';

import { FAULT_CODES, type Fault, type FaultCode } from '../core/fault.ts';
import { AsinMatchBody } from './product-record.ts';

export const Problem = z
  .strictObject({
    type: z.string().meta({ description: 'URN that names the kind of problem.' }),
    title: z.string().meta({ description: 'The kind of problem in a few words.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What happened, and what to do.' }),
    code: z.enum(FAULT_CODES).meta({ description: 'Stable name of the problem; branch on it.' }),
    error: z
      .string()
      .meta({ description: 'The same text as `detail`, for clients that read only this field.' }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'The parameter or header that is wrong.' }),
    allowed: z
      .array(z.string())
      .optional()
      .meta({ description: 'Values or names that are accepted there.' }),
    upstream: z.string().optional().meta({ description: 'How the fetch from the shop failed.' }),
    asin_match: AsinMatchBody.optional().meta({
      description: 'Only with `identity_mismatch`: the listing that the page showed instead.',
    }),
    tokens_consumed: z.literal(0).meta({ description: 'Errors are not billed.' }),
    tokens_remaining: z.int().nonnegative().optional().meta({
      description: 'Tokens left for the rest of the month; absent when the key is not known.',
    }),
    request_id: z
      .string()
      .meta({ description: '`X-Request-Id` of the call; quote it in a report.' }),
  })
  .openapi('Problem');

export type Problem = z.infer<typeof Problem>;

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
  source_unusable: 'The page of the shop cannot be used',
  throttled: 'Too many requests',
  force_refresh_limit: 'Too many forced refreshes',
  quota_exceeded: 'Monthly quota exceeded',
  internal: 'Internal error',
  offers_unavailable: 'Live offers unavailable',
  upstream_unavailable: 'Shop unavailable',
  overloaded: 'Service overloaded',
} as const satisfies Record<FaultCode, string>;

export type ProblemContext = {
  readonly status: number;
  readonly requestId: string;
  /** When the organization is known (D16). */
  readonly tokensRemaining: number | null;
};

/** The problem body of a fault. */
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
