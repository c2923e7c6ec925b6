// Schemas of fields that many answers have. Null means not known (D23).

import { z } from 'zod';

import { DOORS } from '../../base/listing/origin.ts';

export const text = (what: string) => z.string().nullable().meta({ description: what });

export const flag = (what: string) => z.boolean().nullable().meta({ description: what });

export const count = (what: string) => z.int().nonnegative().nullable().meta({ description: what });

/** A price in the currency of the answer. */
export const amount = (what: string) =>
  z.number().nonnegative().nullable().meta({ description: what });

/** Dollars to the cent. */
export const exactUsd = (what: string) =>
  z
    .number()
    .nonnegative()
    .multipleOf(0.01)
    .nullable()
    .meta({ description: `${what}, USD.` });

/** `_via` of a cell, `_meta.via` of a record. */
export const Via = z
  .enum(DOORS)
  .nullable()
  .meta({
    description:
      'How the facts were reached: `official_api`, `ucp` (the universal commerce protocol), `store_api` and `product_json` of the ' +
      "shop, its `page`, or the page `rendered` in the operator's browser; `feed`, `handed_in` and `import`: brought by " +
      'somebody. Null: nothing is known, or it was stored before this was noted.',
  });

/** A day as written in answers, YYYY-MM-DD. */
export const DAY = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const day = (what: string) => DAY.nullable().meta({ description: what });

export const instant = (what: string) => z.iso.datetime().nullable().meta({ description: what });

/** A price in the currency of the answer, exact. */
export const exactAmount = (what: string) =>
  z
    .number()
    .nonnegative()
    .nullable()
    .meta({ description: `${what}.` });

const paid = (what: string) =>
  z
    .number()
    .positive()
    .meta({ description: `${what}.` });

/** The prices of one day, as in `price_history.series`. */
export const PriceBarBody = z
  .strictObject({
    date: DAY.meta({ description: 'Day, UTC.' }),
    open: paid('First price of the day'),
    close: paid('Last price of the day'),
    low: paid('Lowest price'),
    high: paid('Highest price'),
    observations: z.int().positive().meta({ description: 'Number of prices observed on the day.' }),
  })
  .meta({ id: 'PriceBar' });

export type PriceBarBody = z.infer<typeof PriceBarBody>;

const SalesRankBody = z
  .strictObject({
    category: text('Category as the retailer names it; null if it does not say which.'),
    rank: z.int().positive().meta({ description: 'Rank in the category; 1 sells best.' }),
  })
  .meta({ id: 'SalesRank', description: 'The sales rank of a listing at its retailer.' });

/** `sales_rank` of the record and of a cell. */
export const SalesRanks = z
  .array(SalesRankBody)
  .nullable()
  .meta({
    description:
      "Sales ranks stated by the retailer's page or API, widest category first. Null: it states none. Of the " +
      'seven, retailer_a states them, and the API of retailer_b.',
  });

export type SalesRanks = z.infer<typeof SalesRanks>;

/** The two token fields that every 2xx body of /v1 carries at its top level (D16). */
export const tokenFields = {
  tokens_consumed: z.int().nonnegative().meta({ description: 'Tokens that this call cost.' }),
  tokens_remaining: z
    .int()
    .nonnegative()
    .meta({ description: 'Tokens left for the rest of the month (UTC).' }),
};

/** Number of entries on a page of a list. */
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
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'Maximum number of results.',
  });

/** Which page of a list is requested. */
export const ListQuery = z.strictObject({
  limit: pageSize,
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: '`next` of the previous page, unchanged.' }),
});
