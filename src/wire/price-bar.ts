// The prices of one day, as in `price_history.series`: schema and presentation.

import { z } from '@hono/zod-openapi';

import { dollars } from '../listing/money.ts';
import type { PriceBar } from '../history/daily-bars.ts';

const usd = (what: string) =>
  z
    .number()
    .positive()
    .meta({ description: `${what}, USD.` });

export const PriceBarBody = z
  .strictObject({
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .meta({ description: 'Day, UTC.' }),
    open: usd('First price of the day'),
    close: usd('Last price of the day'),
    low: usd('Lowest price'),
    high: usd('Highest price'),
    observations: z.int().positive().meta({ description: 'Number of prices observed on the day.' }),
  })
  .openapi('PriceBar');

/** A bar in dollars. */
export function presentBar(bar: PriceBar): z.infer<typeof PriceBarBody> {
  return {
    date: bar.date,
    open: dollars(bar.openCents),
    close: dollars(bar.closeCents),
    low: dollars(bar.lowCents),
    high: dollars(bar.highCents),
    observations: bar.observations,
  };
}
