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

const timeframe = z.enum(TIMEFRAMES).optional().meta({
  default: '30d',
  description:
    'Days back from today (UTC), today included; `1y` is 365 days, `all` everything that is stored.',
});

const retailer = z
  .string()
  .refine((text) => text === 'all' || isSlug(text), {
    params: { allowed: [...KNOWN_SLUGS, 'all', 'the slug of another shop: 2 to 30 of a-z, 0-9'] },
  })
  .optional()
  .meta({
    description:
      'Whose prices: the slug of a retailer, or of a shop that was read here, or `all` for every retailer, ' +
      'with `retailer` and `counted` on each row. Default: see above.',
    example: 'retailer_w',
  });

/** Parameters of the history route. */
export const HistoryQuery = z.strictObject({
  timeframe,
  retailer,
  currency: currencyParameter,
  cursor: z.string().optional().meta({
    description:
      '`next` of the previous page, unchanged: continues after its last row. Costs the same as the first page.',
  }),
});

export type HistoryQuery = z.infer<typeof HistoryQuery>;

const price = (description: string) => z.number().nullable().meta({ description });

const ObservationBody = z
  .strictObject({
    observed_at: z.string().meta({ description: 'When the price was observed, ISO 8601 UTC.' }),
    price: price('Null when out of stock, not stated, or in another currency.'),
    in_stock: z.boolean().nullable().meta({ description: 'Null when the page did not say.' }),
    retailer: z.string().optional().meta({ description: 'Only with `retailer=all`.' }),
    _via: z.enum(DOORS).optional().meta({
      description: 'Only of a series of your own, next to the common one: how it came.',
    }),
    counted: z
      .boolean()
      .optional()
      .meta({
        description:
          'Only with `retailer=all`: whether the figures include the row. Rows of listings that are not tied to ' +
          'the barcode, or that the others contradict, are shown but not counted.',
      }),
    suspect: z
      .enum(SUSPECT_REASONS)
      .optional()
      .meta({
        description:
          'Only if the price is suspect and at most 180 days old: the reason, as in `_meta.price_suspect` of a ' +
          'product. No figure includes it.',
      }),
  })
  .meta({ id: 'PriceObservation' });

const StatsBody = z
  .strictObject({
    current: price('The newest price; null when the newest observation has none.'),
    lowest_30d: price('Of the last 30 days, for any `timeframe`.'),
    highest_30d: price('Of the last 30 days.'),
    average_30d: price("Mean of the days' closing prices of the last 30 days."),
    observation_count: z.int().nonnegative().meta({
      description:
        'Rows of this answer, including those without a price; with `retailer=all` only those counted.',
    }),
  })
  .meta({ id: 'PriceHistoryStats' });

export const HistoryBody = z
  .strictObject({
    identifier: z.string().meta({
      description:
        "The identifier in its normal form: a barcode as GTIN-14, else the retailer's own " +
        'id or the normalized address.',
      example: '00614141600007',
    }),
    retailer: z.string().meta({ description: 'As requested: a slug or `all`.' }),
    timeframe: z.enum(TIMEFRAMES).meta({ description: 'As requested.' }),
    currency: saidCurrency,
    observations: z.array(ObservationBody).meta({
      description: 'Newest first, at most 10,000; empty when none is stored.',
    }),
    stats: StatsBody.nullable().meta({
      description:
        'Null when no observation is stored. With `retailer=all`, computed from `counted` rows only.',
    }),
    next: z.string().nullable().meta({
      description: 'Pass it as `cursor` to read the next page. Null on the last page.',
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
