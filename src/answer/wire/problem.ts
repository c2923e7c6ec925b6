// The body of every error (D48): RFC 9457 problem details with a stable code and what to do next.

import { z } from 'zod';

import { FAULT_CODES } from '../../base/fault.ts';
import { AsinMatchBody } from './record/product-record.ts';

export const Problem = z
  .strictObject({
    type: z.string().meta({ description: 'A URN that identifies the kind of problem.' }),
    title: z.string().meta({ description: 'The kind of problem in a few words.' }),
    status: z.int().meta({ description: 'The HTTP status code.' }),
    detail: z.string().meta({ description: 'What happened and what to do.' }),
    code: z
      .enum(FAULT_CODES)
      .meta({ description: 'The stable code of the problem; branch on it.' }),
    error: z
      .string()
      .meta({ description: 'The same text as `detail`, for clients that read only this field.' }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'The name of the parameter or header that is wrong.' }),
    allowed: z
      .array(z.string())
      .optional()
      .meta({ description: 'The values or names that are accepted instead.' }),
    upstream: z.string().optional().meta({ description: 'How the fetch from the shop failed.' }),
    asin_match: AsinMatchBody.optional().meta({
      description:
        'The listing that the page showed instead. Present only with `identity_mismatch`.',
    }),
    tokens_consumed: z.literal(0).meta({ description: 'Always 0, because errors are not billed.' }),
    tokens_remaining: z.int().nonnegative().optional().meta({
      description:
        'The number of tokens left for the rest of the month; omitted if the key is unknown.',
    }),
    request_id: z.string().meta({
      description: 'The `X-Request-Id` of the request; quote it when you report a problem.',
    }),
  })
  .meta({ id: 'Problem' });

export type Problem = z.infer<typeof Problem>;
