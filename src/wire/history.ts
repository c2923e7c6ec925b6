// The price history on the wire: what the route takes, what it answers (specification: history endpoint;
// D28, D43).

import { z } from '@hono/zod-openapi';

import { isoTimestamp } from '../core/clock.ts';
import type { HistoryStats } from '../history/history-stats.ts';
import { dollars } from '../listing/money.ts';
import { TIMEFRAMES, type Observation, type Timeframe } from '../history/daily-bars.ts';
import { isSlug, KNOWN_SLUGS } from '../core/retailer.ts';
import { tokenFields } from './fields.ts';

const timeframe = z
  .string()
  .transform((text, context): Timeframe => {
    const found = TIMEFRAMES.find((each) => each === text);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', params: { allowed: [...TIMEFRAMES] } });
    return z.NEVER;
  })
  .optional()
  .openapi({
    type: 'string',
    enum: [...TIMEFRAMES],
    default: '30d',
    description: 'Days back from today (UTC), today included; `1y` is 365 days, `all` everything.',
  });

const retailer = z
  .string()
  .refine((text) => text === 'all' || isSlug(text), {
    params: { allowed: [...KNOWN_SLUGS, 'all', 'the slug of another shop: 2 to 30 of a-z, 0-9'] },
  })
  .optional()
  .openapi({
    default: 'retailer_w',
    description:
      'Whose prices: one of the seven retailers, the slug of another shop, or `all` for every ' +
      'retailer, each row with its `retailer`.',
    example: 'retailer_w',
  });

/** Parameters of the history route. */
export const HistoryQuery = z.strictObject({
  timeframe,
  retailer,
  cursor: z.string().optional().openapi({
    description: '`next` of the page before: goes on where it ended. Costs as any call.',
  }),
});

const usd = (description: string) =>
  z
    .number()
    .nullable()
    .openapi({ description: `US dollars. ${description}` });

const ObservationBody = z
  .strictObject({
    observed_at: z.string().openapi({ description: 'When it was seen, ISO 8601 UTC.' }),
    price: usd('Null when out of stock, not stated, or in another currency.'),
    in_stock: z.boolean().nullable().openapi({ description: 'Null when the page did not say.' }),
    retailer: z.string().optional().openapi({ description: 'Only with `retailer=all`.' }),
  })
  .openapi('PriceObservation');

const StatsBody = z
  .strictObject({
    current: usd('The newest price; null when the last observation has none.'),
    lowest_30d: usd('Of the last 30 days, whatever the timeframe.'),
    highest_30d: usd('Of the last 30 days.'),
    average_30d: usd("Mean of the days' closing prices of the last 30 days."),
    observation_count: z
      .int()
      .nonnegative()
      .openapi({ description: 'Rows of this answer, those without a price included.' }),
  })
  .openapi('PriceHistoryStats');

export const HistoryBody = z
  .strictObject({
    identifier: z.string().openapi({
      description:
        "The identifier in its normal form: a barcode as GTIN-14, else the retailer's own " +
        'identifier or the reduced address.',
      example: '00614141600007',
    }),
    retailer: z.string().openapi({ description: 'As asked: a slug or `all`.' }),
    timeframe: z.enum(TIMEFRAMES).openapi({ description: 'As asked.' }),
    observations: z.array(ObservationBody).openapi({
      description: 'Newest first, at most 10,000; empty when nothing is held.',
    }),
    stats: StatsBody.nullable().openapi({
      description:
        'Null when no observation is held. With `retailer=all` the prices are those of listings ' +
        'that are confirmed to be the product.',
    }),
    next: z.string().nullable().openapi({
      description: 'Where more rows begin: send it as `cursor`. Null when there are none.',
    }),
    ...tokenFields,
  })
  .openapi('PriceHistory');

export type HistoryBody = z.infer<typeof HistoryBody>;

/** What is presented: a history as it was read. */
export type ShownHistory = {
  readonly identifier: string;
  readonly retailer: string;
  readonly timeframe: Timeframe;
  readonly observations: readonly (Observation & { readonly retailer: string })[];
  readonly stats: HistoryStats | null;
  readonly next: string | null;
};

const amount = (cents: number | null): number | null => (cents === null ? null : dollars(cents));

/** A history without its token fields. */
export function presentHistory(
  history: ShownHistory,
): Omit<HistoryBody, 'tokens_consumed' | 'tokens_remaining'> {
  const { identifier, retailer: asked, observations, stats, next } = history;
  return {
    identifier,
    retailer: asked,
    timeframe: history.timeframe,
    observations: observations.map((row) => ({
      observed_at: isoTimestamp(row.observedAtMs),
      price: row.inStock === false ? null : amount(row.priceCents),
      in_stock: row.inStock,
      ...(asked === 'all' ? { retailer: row.retailer } : {}),
    })),
    stats:
      stats === null
        ? null
        : {
            current: amount(stats.currentCents),
            lowest_30d: amount(stats.lowestCents),
            highest_30d: amount(stats.highestCents),
            average_30d: amount(stats.averageCents),
            observation_count: observations.length,
          },
    next,
  };
}
