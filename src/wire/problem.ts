// The one error body (D48): RFC 9457 problem details with our code and what to do next.

import { z } from '@hono/zod-openapi';

import { FAULT_CODES, type Fault, type FaultCode } from '../core/fault.ts';
import { AsinMatchBody } from './product-record.ts';

export const Problem = z
  .strictObject({
    type: z.string().meta({ description: 'URN that names the kind of problem.' }),
    title: z.string().meta({ description: 'The kind of problem in a few words.' }),
    status: z.int().meta({ description: 'The HTTP status again.' }),
    detail: z.string().meta({ description: 'What is wrong and what to do next.' }),
    code: z.enum(FAULT_CODES).meta({ description: 'Stable; branch on this.' }),
    error: z.string().meta({ description: 'The detail again, for clients that read only this.' }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'The parameter or header that is wrong.' }),
    allowed: z.array(z.string()).optional().meta({ description: 'What is accepted there.' }),
    upstream: z.string().optional().meta({ description: 'Outcome of the failed fetch.' }),
    asin_match: AsinMatchBody.optional().meta({
      description: 'Only with `identity_mismatch`: the listing that was served instead.',
    }),
    tokens_consumed: z.literal(0).meta({ description: 'Errors are not billed.' }),
    tokens_remaining: z
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'Tokens left this month, when the organization is known.' }),
    request_id: z.string().meta({ description: '`X-Request-Id` of the call.' }),
  })
  .openapi('Problem');

export type Problem = z.infer<typeof Problem>;

const TITLES = {
  invalid_identifier: 'Invalid identifier',
  invalid_parameter: 'Invalid parameter',
  unknown_parameter: 'Unknown parameter',
  force_refresh_requires_retailer: 'force_refresh needs retailer',
  bare_identifier_required: 'Bare identifier required',
  retailer_mismatch: 'Retailer does not match the URL',
  url_not_allowed: 'URL not allowed',
  missing_api_key: 'API key missing',
  invalid_api_key: 'API key invalid',
  insufficient_scope: 'Scope missing',
  not_found: 'Not found',
  identity_mismatch: 'A different product was served',
  first_party_seller: 'First-party seller',
  unknown_route: 'Unknown route',
  method_not_allowed: 'Method not allowed',
  idempotency_conflict: 'Idempotency key conflict',
  body_not_accepted: 'Body not accepted',
  uri_too_long: 'URI too long',
  source_unusable: 'Source unusable',
  throttled: 'Too many requests',
  force_refresh_limit: 'Too many forced refreshes',
  quota_exceeded: 'Monthly quota exceeded',
  internal: 'Internal error',
  offers_unavailable: 'Offers unavailable',
  upstream_unavailable: 'Upstream unavailable',
  overloaded: 'Overloaded',
} as const satisfies Record<FaultCode, string>;

export type ProblemContext = {
  readonly status: number;
  readonly requestId: string;
  /** When the organization is known (D16). */
  readonly tokensRemaining: number | null;
};

/** A fault as its answer's body. */
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
