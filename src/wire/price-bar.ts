// A day's prices on the wire (specification: `price_history.series[]`): schema, and domain -> wire.

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
    open: usd('First price seen'),
    close: usd('Last price seen'),
    low: usd('Lowest'),
    high: usd('Highest'),
    observations: z.int().positive().meta({ description: 'Prices seen on the day.' }),
  })
  .openapi('PriceBar');

/** A bar as it stands on the wire. */
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
