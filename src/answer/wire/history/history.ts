// GET /v1/products/{id}/history on the wire: its parameters and its answer (D28, D43).

import { z } from 'zod';

import { isoTimestamp } from '../../../base/clock.ts';
import type { HistoryStats } from '../../../rules/history/history-stats.ts';
import { TIMEFRAMES, type Observation, type Timeframe } from '../../../rules/history/daily-bars.ts';
import { SUSPECT_REASONS, type SuspectReason } from '../../../rules/history/suspect-reason.ts';
import { isSlug, KNOWN_SLUGS } from '../../../base/retailer.ts';
import { DOORS, type Door } from '../../../base/listing/origin.ts';
import { tokenFields } from '../fields.ts';
import { currencyParameter, saidCurrency } from '../currency.ts';
import { amountOrNull, currencyField } from '../hundredths.ts';
import { withheldFields } from '../withheld.ts';
import { WithheldBody } from '../withheld-body.ts';

const timeframe = z
  .enum(TIMEFRAMES)
  .optional()
  .meta({
    default: '30d',
    description:
      'The period to return: this many days back from today (UTC), including today. `1y` is 365 days, and ' +
      '`all` is the whole stored history.',
  });

const retailer = z
  .string()
  .refine((text) => text === 'all' || isSlug(text), {
    params: { allowed: [...KNOWN_SLUGS, 'all', 'the slug of another shop: 2 to 30 of a-z, 0-9'] },
  })
  .optional()
  .meta({
    description:
      'Whose prices to return: the slug of a retailer or of a shop whose pages this ' +
      'installation has read, or `all` for every retailer, which adds `retailer` and `counted` ' +
      'to each row. The description of the route states the default.',
    example: 'retailer_w',
  });

/** Parameters of the history route. */
export const HistoryQuery = z.strictObject({
  timeframe,
  retailer,
  currency: currencyParameter,
  cursor: z
    .string()
    .optional()
    .meta({
      description:
        'The `next` value of the previous page, unchanged: continues after its last row. Costs the same ' +
        'as the first page.',
    }),
});

export type HistoryQuery = z.infer<typeof HistoryQuery>;

const price = (description: string) => z.number().nullable().meta({ description });

const ObservationBody = z
  .strictObject({
    observed_at: z.string().meta({ description: 'When the price was observed (ISO 8601, UTC).' }),
    price: price(
      'The price; `null` if it is not stated, in another currency, or the product is out of stock.',
    ),
    in_stock: z.boolean().nullable().meta({
      description: 'Whether the product could be bought; `null` if the page did not state it.',
    }),
    retailer: z
      .string()
      .optional()
      .meta({ description: 'The slug of the retailer. Present only with `retailer=all`.' }),
    _via: z
      .enum(DOORS)
      .optional()
      .meta({
        description:
          "How the price was obtained. Present only on rows of your organization's own series, " +
          'which are listed in addition to the common ones.',
      }),
    counted: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether the figures include the row. Present only with `retailer=all`. Rows of listings that ' +
          'are not tied to the barcode, or that the other listings contradict, are shown but not counted.',
      }),
    suspect: z
      .enum(SUSPECT_REASONS)
      .optional()
      .meta({
        description:
          'Why the price is suspect, as in `_meta.price_suspect` of a product. Present only if the price ' +
          'is suspect and at most 180 days old. No figure includes such a price.',
      }),
  })
  .meta({ id: 'PriceObservation' });

const StatsBody = z
  .strictObject({
    current: price('The newest price; `null` if the newest observation has none.'),
    lowest_30d: price('The lowest price of the last 30 days, for any `timeframe`.'),
    highest_30d: price('The highest price of the last 30 days, for any `timeframe`.'),
    average_30d: price(
      'The mean of the daily closing prices of the last 30 days, for any `timeframe`.',
    ),
    observation_count: z
      .int()
      .nonnegative()
      .meta({
        description:
          'The number of rows in this response, including those without a price; with `retailer=all`, only ' +
          'those that are counted.',
      }),
  })
  .meta({ id: 'PriceHistoryStats' });

export const HistoryBody = z
  .strictObject({
    identifier: z.string().meta({
      description:
        "The identifier in its normal form: a barcode as GTIN-14, otherwise the retailer's own ID or the " +
        'normalized address.',
      example: '00614141600007',
    }),
    retailer: z
      .string()
      .meta({ description: 'The retailer whose prices are returned: a slug or `all`.' }),
    timeframe: z.enum(TIMEFRAMES).meta({ description: 'The period that is returned.' }),
    currency: saidCurrency,
    observations: z.array(ObservationBody).meta({
      description: 'The observations, newest first, at most 10,000; empty if none is stored.',
    }),
    stats: StatsBody.nullable().meta({
      description:
        'The figures of the history; `null` if no observation is stored. With `retailer=all`, they are ' +
        'computed from `counted` rows only.',
    }),
    next: z.string().nullable().meta({
      description: 'The value to send as `cursor` to get the next page; `null` on the last page.',
    }),
    withheld: WithheldBody.optional(),
    ...tokenFields,
  })
  .meta({ id: 'PriceHistory' });

export type HistoryBody = z.infer<typeof HistoryBody>;

/** The history that the lookup read. */
type ShownHistory = {
  readonly identifier: string;
  readonly retailer: string;
  readonly timeframe: Timeframe;
  readonly currency: string;
  readonly observations: readonly (Observation & {
    readonly retailer: string;
    readonly isCounted: boolean;
    readonly suspicion: SuspectReason | null;
    readonly via?: Door;
  })[];
  readonly stats: HistoryStats | null;
  readonly next: string | null;
  readonly withheldBy: readonly string[];
};

/** Presents a history without its token fields. `isCurrencyAsked`: the call requested a currency. */
export function presentHistory(
  history: ShownHistory,
  isCurrencyAsked = false,
): Omit<HistoryBody, 'tokens_consumed' | 'tokens_remaining'> {
  const { identifier, retailer: asked, observations, stats, next, currency } = history;
  const amount = (cents: number | null) => amountOrNull(cents, currency);
  const [withheldBy] = history.withheldBy;
  return {
    identifier,
    retailer: asked,
    timeframe: history.timeframe,
    ...currencyField(currency, isCurrencyAsked),
    observations: observations.map((row) => ({
      observed_at: isoTimestamp(row.observedAtMs),
      price: row.inStock === false ? null : amount(row.priceCents),
      in_stock: row.inStock,
      ...(asked === 'all' ? { retailer: row.retailer, counted: row.isCounted } : {}),
      ...(row.suspicion === null ? {} : { suspect: row.suspicion }),
      ...(row.via === undefined ? {} : { _via: row.via }),
    })),
    stats:
      stats === null
        ? null
        : {
            current: amount(stats.currentCents),
            lowest_30d: amount(stats.lowestCents),
            highest_30d: amount(stats.highestCents),
            average_30d: amount(stats.averageCents),
            observation_count: observations.filter((row) => row.isCounted).length,
          },
    next,
    ...(withheldBy === undefined
      ? {}
      : { withheld: withheldFields(withheldBy, ['observations', 'stats']) }),
  };
}
