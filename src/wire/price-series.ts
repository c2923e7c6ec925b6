// Daily price bars as they stand on the wire (specification: `price_history.series[]`): schema, and domain -> wire.

import { z } from '@hono/zod-openapi';

import { dollars } from '../domain/money.ts';
import type { PriceBar } from '../domain/price-history.ts';

const usd = (what: string) =>
  z
    .number()
    .positive()
    .meta({ description: `${what}, USD.` });

const PriceBarBody = z
  .strictObject({
    date: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/)
      .meta({ description: 'The day, YYYY-MM-DD (UTC).' }),
    open: usd('First price of the day'),
    close: usd('Last price of the day'),
    low: usd('Lowest price of the day'),
    high: usd('Highest price of the day'),
    observations: z.int().positive().meta({ description: 'Prices seen that day.' }),
  })
  .openapi('PriceBar');

export const PriceSeries = z.array(PriceBarBody).meta({
  description:
    'Only with `include_price_series`: one bar for each day with a price of retailer_w, newest first, all that ' +
    'are held. Empty, and then free, where none is held and where the record speaks of another shop’s history.',
});

export function presentSeries(bars: readonly PriceBar[]): z.infer<typeof PriceSeries> {
  return bars.map((bar) => ({
    date: bar.date,
    open: dollars(bar.openCents),
    close: dollars(bar.closeCents),
    low: dollars(bar.lowCents),
    high: dollars(bar.highCents),
    observations: bar.observations,
  }));
}
