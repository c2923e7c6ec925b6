// A batch of lookups on the wire: JSON lines in, JSON lines out.

import { z } from 'zod';

import { Problem } from './problem.ts';
import { ProductRecord } from './record/product-record.ts';
import { ProductQuery } from './query.ts';

const BATCH_ORDERS = ['sent', 'finished'] as const;
export type BatchOrder = (typeof BATCH_ORDERS)[number];

export const BatchQuery = z.strictObject({
  order: z
    .enum(BATCH_ORDERS)
    .optional()
    .meta({
      default: 'sent',
      description:
        'The order of the answers. `sent`: the order of the lines. `finished`: each as soon as it is ready, so ' +
        'that a slow shop does not delay other lines; `line` tells which line it answers.',
    }),
});

/** Fields of a line besides `id`: the parameters of a lookup. */
export const LINE_PARAMETERS = Object.keys(ProductQuery.shape);

/** One line of the request. The parameters are those of GET /v1/products/{id}; here they may be JSON booleans too. */
export const BatchLine = z
  .looseObject({
    id: z.string().meta({
      description:
        'The identifier: the address of a product page, a barcode, an ASIN, an item id. A plain string without ' +
        'percent-encoding; numbers lose leading zeros and are refused.',
      example: '614141000005',
    }),
  })
  .meta({
    id: 'BatchLine',
    description:
      'One line of a batch: `id`, and any query parameter of GET /v1/products/{id} as a field of the same name; booleans may ' +
      'be JSON booleans.',
    example: { id: '614141000005', include_cross_retailer: true },
  });

/** One line of the response. Exactly one of `product` and `problem` is null. */
export const BatchAnswer = z
  .strictObject({
    line: z.int().positive().meta({
      description:
        'Number of the line in the request, from 1; empty lines are counted but have no answer.',
    }),
    input: z.union([z.record(z.string(), z.unknown()), z.string()]).meta({
      description:
        'The line as it was sent. The first 200 characters of its text if it is not a JSON object, or is too long to be stored.',
    }),
    status: z
      .int()
      .meta({ description: 'The status that the same lookup would have as a single call.' }),
    duplicate_of: z.int().positive().nullable().meta({
      description:
        'The earlier line with the same identifier and parameters, which was charged; null for the first of them.',
    }),
    replayed: z.boolean().meta({
      description:
        'Whether this is the answer stored for the `Idempotency-Key` of the batch; nothing was billed for it this time.',
    }),
    retry_after: z.int().positive().nullable().meta({
      description: 'Seconds after which the line may succeed when it is sent again; null: unknown.',
    }),
    problem: z.union([Problem, z.null()]).meta({ description: 'Why there is no product.' }),
    product: z.union([ProductRecord, z.null()]).meta({
      description: 'The record, as GET /v1/products/{id} returns it.',
    }),
  })
  .meta({ id: 'BatchAnswer' });

export type BatchAnswer = z.infer<typeof BatchAnswer>;
