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
    .meta({ description: `${what}, in US dollars.` });

/** `_via` of a cell, `_meta.via` of a record. */
export const Via = z
  .enum(DOORS)
  .nullable()
  .meta({
    description:
      'How the facts were obtained: `official_api`, `ucp` (the Universal Commerce Protocol), the ' +
      "shop's `store_api` or `product_json`, its `page`, or the page `rendered` in the operator's " +
      'browser. With `feed`, `handed_in` and `import`, somebody supplied them. `null` if nothing is ' +
      'known, or if they were stored before this was recorded.',
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
    date: DAY.meta({ description: 'The day (UTC).' }),
    open: paid('The first price of the day'),
    close: paid('The last price of the day'),
    low: paid('The lowest price of the day'),
    high: paid('The highest price of the day'),
    observations: z
      .int()
      .positive()
      .meta({ description: 'The number of prices observed on the day.' }),
  })
  .meta({ id: 'PriceBar' });

export type PriceBarBody = z.infer<typeof PriceBarBody>;

const SalesRankBody = z
  .strictObject({
    category: text('The category as the retailer names it; `null` if it is not stated.'),
    rank: z
      .int()
      .positive()
      .meta({ description: 'The rank in the category; 1 is the best seller.' }),
  })
  .meta({ id: 'SalesRank', description: 'The sales rank of a listing at its retailer.' });

/** `sales_rank` of the record and of a cell. */
export const SalesRanks = z
  .array(SalesRankBody)
  .nullable()
  .meta({
    description:
      "The sales ranks stated by the retailer's page or API, widest category first; `null` if none is " +
      'stated. Of the seven known retailers, retailer_a states them, and so does the API of retailer_b.',
  });

export type SalesRanks = z.infer<typeof SalesRanks>;

/** The two token fields that every 2xx body of /v1 carries at its top level (D16). */
export const tokenFields = {
  tokens_consumed: z
    .int()
    .nonnegative()
    .meta({ description: 'The number of tokens that this request cost.' }),
  tokens_remaining: z
    .int()
    .nonnegative()
    .meta({ description: 'The number of tokens left for the rest of the month (UTC).' }),
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
    description: 'The maximum number of results.',
  });

/** Which page of a list is requested. */
export const ListQuery = z.strictObject({
  limit: pageSize,
  cursor: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'The `next` value of the previous page, unchanged.' }),
});
