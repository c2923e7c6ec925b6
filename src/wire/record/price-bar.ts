// The prices of one day, as in `price_history.series`: the schema.

import { z } from '@hono/zod-openapi';

import { DAY } from '../fields.ts';

const usd = (what: string) =>
  z
    .number()
    .positive()
    .meta({ description: `${what}, USD.` });

export const PriceBarBody = z
  .strictObject({
    date: DAY.meta({ description: 'Day, UTC.' }),
    open: usd('First price of the day'),
    close: usd('Last price of the day'),
    low: usd('Lowest price'),
    high: usd('Highest price'),
    observations: z.int().positive().meta({ description: 'Number of prices observed on the day.' }),
  })
  .openapi('PriceBar');

export type PriceBarBody = z.infer<typeof PriceBarBody>;
