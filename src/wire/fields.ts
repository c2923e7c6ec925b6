// Schemas of fields that many answers have. Null: not known (D23).

import { z } from '@hono/zod-openapi';

export const text = (what: string) => z.string().nullable().meta({ description: what });

export const flag = (what: string) => z.boolean().nullable().meta({ description: what });

export const count = (what: string) => z.int().nonnegative().nullable().meta({ description: what });

export const usd = (what: string) =>
  z.number().nonnegative().nullable().meta({ description: what });

/** Dollars to the cent. */
export const exactUsd = (what: string) =>
  z
    .number()
    .nonnegative()
    .multipleOf(0.01)
    .nullable()
    .meta({ description: `${what}, USD.` });

/** A day as answers write it, YYYY-MM-DD. */
export const DAY = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const day = (what: string) => DAY.nullable().meta({ description: what });

export const instant = (what: string) => z.iso.datetime().nullable().meta({ description: what });

/** The two token fields that every 2xx body of /v1 carries at its top level (D16). */
export const tokenFields = {
  tokens_consumed: z.int().nonnegative().meta({ description: 'Tokens that this call cost.' }),
  tokens_remaining: z
    .int()
    .nonnegative()
    .meta({ description: 'Tokens left for the rest of the month (UTC).' }),
};

/** How many a page of a list has. */
export const pageSize = z
  .string()
  .refine(
    (written) => /^\d{1,3}$/.test(written) && Number(written) >= 1 && Number(written) <= 500,
    {
      params: { allowed: ['1 to 500'] },
    },
  )
  .transform(Number)
  .optional()
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'At most so many.',
  });

/** Which page of a list is asked for. */
export const ListQuery = z.strictObject({
  limit: pageSize,
  cursor: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: '`next` of the page before, unchanged.' }),
});
