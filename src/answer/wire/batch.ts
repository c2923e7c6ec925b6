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
        'The order of the results. `sent`: the order of the lines. `finished`: each result as soon as it ' +
        'is ready, so that a slow shop does not delay other lines; `line` states the line to which a ' +
        'result belongs.',
    }),
});

/** Fields of a line besides `id`: the parameters of a lookup. */
export const LINE_PARAMETERS = Object.keys(ProductQuery.shape);

/** One line of the request. The parameters are the same as for GET /v1/products/{id}, and may also be JSON booleans. */
export const BatchLine = z
  .looseObject({
    id: z.string().meta({
      description:
        'The identifier: the address of a product page, a barcode, an ASIN or an item ID. It is a plain ' +
        'string without percent-encoding; a JSON number is refused, because numbers lose leading zeros.',
      example: '614141000005',
    }),
  })
  .meta({
    id: 'BatchLine',
    description:
      'One line of a batch: the `id`, and any query parameter of GET /v1/products/{id} as a field of ' +
      'the same name. Booleans may be sent as JSON booleans.',
    example: { id: '614141000005', include_cross_retailer: true },
  });

/** One line of the response. Exactly one of `product` and `problem` is null. */
export const BatchAnswer = z
  .strictObject({
    line: z
      .int()
      .positive()
      .meta({
        description:
          'The number of the line in the request, starting at 1. Empty lines are counted but have no ' +
          'result.',
      }),
    input: z.union([z.record(z.string(), z.unknown()), z.string()]).meta({
      description:
        'The line as it was sent, or the first 200 characters of its text if it is not a JSON object or ' +
        'is too long to be stored.',
    }),
    status: z.int().meta({
      description: 'The HTTP status that the same lookup would have as a single request.',
    }),
    duplicate_of: z
      .int()
      .positive()
      .nullable()
      .meta({
        description:
          'The number of the earlier line with the same identifier and parameters, which was charged; ' +
          '`null` for the first such line.',
      }),
    replayed: z.boolean().meta({
      description:
        'Whether this is the result stored for the `Idempotency-Key` of the batch, for which nothing was ' +
        'billed this time.',
    }),
    retry_after: z.int().positive().nullable().meta({
      description:
        'The number of seconds after which the line may succeed when it is sent again; `null` if unknown.',
    }),
    problem: z
      .union([Problem, z.null()])
      .meta({ description: 'The reason why there is no product; `null` if there is one.' }),
    product: z.union([ProductRecord, z.null()]).meta({
      description:
        'The product record, as returned by GET /v1/products/{id}; `null` if there is none.',
    }),
  })
  .meta({ id: 'BatchAnswer' });

export type BatchAnswer = z.infer<typeof BatchAnswer>;
