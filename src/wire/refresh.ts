// The record as POST .../refresh answers it (specification: refresh; D19): the product record, with the figures of 30
// days beside the windows and the days themselves as an array.

import { z } from '@hono/zod-openapi';

import type { Product } from '../product/product.ts';
import { presentReviewFacts, ReviewSummaryBody } from './offer.ts';
import { presentBar, PriceBarBody } from './price-bar.ts';
import { presentProduct, type RecordOptions } from './present.ts';
import { ProductRecord, Stats } from './product-record.ts';

const usd = (what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${what} of the last 30 days, USD; null without a priced day.` });

const RefreshStats = z.strictObject({
  ...Stats.shape,
  low_30d: usd('Lowest price'),
  high_30d: usd('Highest price'),
  avg_30d: usd("Mean of the days' closing prices"),
});

// Not `extend`: a registered schema would stand in the document beside what replaces its fields, and nothing fits both.
export const RefreshRecord = z
  .strictObject({
    ...ProductRecord.shape,
    stats: RefreshStats.optional().meta({ description: 'Absent with `include_stats=false`.' }),
    price_history: z
      .array(PriceBarBody)
      .optional()
      .meta({
        description:
          'The days of the last 30 with a price, newest first; every day that is held of retailer_w ' +
          'with `include_price_series=true`. Absent with `include_history=false`.',
      }),
    review_summary: ReviewSummaryBody,
  })
  .openapi('RefreshRecord');

export type RefreshRecord = z.infer<typeof RefreshRecord>;

type Body = Omit<RefreshRecord, 'tokens_consumed' | 'tokens_remaining'>;

/** The refreshed record of a product, without its token fields. */
export function presentRefresh(product: Product, options: RecordOptions): Body {
  const { stats, price_history: history, ...rest } = presentProduct(product, options);
  const month = stats?.windows['30d'] ?? null;
  const figures = {
    low_30d: month?.low ?? null,
    high_30d: month?.high ?? null,
    avg_30d: month?.average ?? null,
  };
  const series = product.priceSeries ?? [];
  // The series is retailer_w's alone (D29); of another retailer the last 30 days are all there is.
  const bars = series.length > 0 ? series : product.recentBars;
  return {
    ...rest,
    ...(stats === undefined ? {} : { stats: { ...stats, ...figures } }),
    ...(history === undefined ? {} : { price_history: bars.map(presentBar) }),
    review_summary: presentReviewFacts(product),
  };
}
