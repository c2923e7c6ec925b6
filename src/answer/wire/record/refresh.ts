// The answer of POST .../refresh (D19): the product record, with 30-day figures in `stats` and the daily bars as
// `price_history`.

import { z } from 'zod';

import type { Product } from '../../../rules/product/product.ts';
import { presentReviewFacts, ReviewSummaryBody } from './offer.ts';
import { PriceBarBody } from '../fields.ts';
import { presentBar } from './present-facts.ts';
import { presentProduct } from './present.ts';
import type { RecordOptions } from './present-record.ts';
import { ProductRecord, Stats } from './product-record.ts';

const price = (what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${what} of the last 30 days; \`null\` if no day has a price.` });

const RefreshStats = z.strictObject({
  ...Stats.shape,
  low_30d: price('The lowest price'),
  high_30d: price('The highest price'),
  avg_30d: price('The mean of the daily closing prices'),
});

// Not `extend`: the document would then require the fields of both schemas, and no answer fits both.
export const RefreshRecord = z
  .strictObject({
    ...ProductRecord.shape,
    stats: RefreshStats.optional().meta({
      description: 'The price statistics. Omitted with `include_stats=false`.',
    }),
    price_history: z
      .array(PriceBarBody)
      .optional()
      .meta({
        description:
          'The days of the last 30 that have a price, newest first; with `include_price_series=true`, ' +
          'every stored day of retailer_w. Omitted with `include_history=false`.',
      }),
    review_summary: ReviewSummaryBody,
  })
  .meta({ id: 'RefreshRecord' });

export type RefreshRecord = z.infer<typeof RefreshRecord>;

type Body = Omit<RefreshRecord, 'tokens_consumed' | 'tokens_remaining'>;

/** Returns a product's refreshed record, without its token fields. */
export function presentRefresh(product: Product, options: RecordOptions): Body {
  const { stats, price_history: history, ...rest } = presentProduct(product, options);
  const month = stats?.windows?.['30d'] ?? null;
  const figures = {
    low_30d: month?.low ?? null,
    high_30d: month?.high ?? null,
    avg_30d: month?.average ?? null,
  };
  const series = product.priceSeries ?? [];
  // Only retailer_w has a series (D29); for other retailers the last 30 days are shown.
  const bars = series.length > 0 ? series : product.recentBars;
  return {
    ...rest,
    ...(stats === undefined ? {} : { stats: { ...stats, ...figures } }),
    ...(history === undefined
      ? {}
      : { price_history: bars.map((bar) => presentBar(bar, product.currency)) }),
    review_summary: presentReviewFacts(product),
  };
}
