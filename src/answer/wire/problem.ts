// The body of every error (D48): RFC 9457 problem details with a stable code and what to do next.

import { z } from 'zod';

import { FAULT_CODES } from '../../base/fault.ts';
import { AsinMatchBody } from './record/product-record.ts';

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
  .meta({ id: 'Problem' });

export type Problem = z.infer<typeof Problem>;
