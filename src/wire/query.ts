// Request parameters as schemas (D7, D22). The schema is what the server validates with and what the
// OpenAPI document shows. Values arrive as text, or as a list when a name was given twice.

import { z } from '@hono/zod-openapi';

import type { AddOns } from '../core/call-cost.ts';
import { IDENTIFIER_MATCHES, type IdentifierMatch } from '../product/cell.ts';
import { FORMATS, type Format } from '../identifiers/parse-identifier.ts';
import { isSlug, KNOWN_SLUGS } from '../core/retailer.ts';

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** D22: `true`, `false` in any case, `1`, `0`. */
function boolean(fallback: boolean, description: string) {
  return z
    .string()
    .transform((text, context) => {
      const value = BOOLEANS[text.toLowerCase()];
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', params: { allowed: ['true', 'false', '1', '0'] } });
      return z.NEVER;
    })
    .optional()
    .openapi({ type: 'boolean', default: fallback, description });
}

const identifierMatch = z
  .string()
  .transform((text, context): IdentifierMatch => {
    const found = IDENTIFIER_MATCHES.find((each) => each === text);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', params: { allowed: [...IDENTIFIER_MATCHES] } });
    return z.NEVER;
  })
  .optional()
  .openapi({
    type: 'string',
    enum: [...IDENTIFIER_MATCHES],
    default: 'confirmed',
    description:
      'Which cells `cross_retailer` shows: `confirmed` only those whose own record publishes the barcode searched, ' +
      '`any` every row, each with its `identity`, those that are still `indexing` too. Free.',
  });

const format = z
  .string()
  .transform((text, context): Format => {
    const found = FORMATS.find((each) => each.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', params: { allowed: [...FORMATS] } });
    return z.NEVER;
  })
  .optional()
  .openapi({
    type: 'string',
    enum: [...FORMATS],
    description: 'What the identifier is, when it could be several things. Any letter case.',
  });

const retailer = z
  .string()
  .refine(isSlug, {
    params: { allowed: [...KNOWN_SLUGS, 'the slug of another shop: 2 to 30 of a-z, 0-9'] },
  })
  .optional()
  .openapi({
    description:
      'Anchors the record to one retailer: only this retailer fills it. For a URL it must be the ' +
      "shop's own slug.",
    example: 'retailer_w',
  });

/** Parameters of the product lookup. */
export const ProductQuery = z.strictObject({
  format,
  retailer,
  force_refresh: boolean(
    false,
    'Fetches now instead of answering from the store. Only together with `retailer`. Free.',
  ),
  include_offers: boolean(
    false,
    'Adds the live `offers` of the retailer and `review_summary`. 5 tokens. 503 `offers_unavailable`, ' +
      'unbilled, when they cannot be fetched now.',
  ),
  include_offers_reviews: boolean(
    false,
    'The same with `reviews`: summary, months and the newest texts. 5 tokens, once for both.',
  ),
  include_offers_history: boolean(
    false,
    'Adds `offers_history`, offers of retailer_w as earlier live calls saw them, newest first, and ' +
      '`offers_history_count`. 5 tokens, also when nothing is archived. Fetches nothing.',
  ),
  include_price_series: boolean(
    false,
    'Adds `price_history.series`, the daily bars that are held of retailer_w. 10 tokens when there is at least ' +
      'one bar, else free; so too with `include_history=false`, where no `price_history` stands.',
  ),
  include_cross_retailer: boolean(
    false,
    'Adds `cross_retailer`: what is kept of each retailer for the barcode. Starts no fetch. 2 tokens.',
  ),
  identifier_match: identifierMatch,
  include_force_refresh: boolean(
    false,
    'Fetches the retailer that anchors the record now, and answers 503 rather than with older data. 3 tokens. ' +
      'Not together with `force_refresh`.',
  ),
  include_seller_context: boolean(
    false,
    'Adds `seller_context` and fills `restriction` and `fulfillment_eligibility`: what marketplaces allow the ' +
      'seller account of this installation, asked now. 3 tokens. Null without credentials; 503 ' +
      '`upstream_unavailable`, unbilled, when an API that can be asked does not answer.',
  ),
  include_history: boolean(true, 'Whether `price_history` stands in the record. Free.'),
  include_stats: boolean(true, 'Whether `stats` stands in the record. Free.'),
  include_fee_breakdown: boolean(
    false,
    'Adds `fee_breakdown`: rate cards, category, size tier and what is not included. Free.',
  ),
});

/** The same lookup with the address as a parameter (D9). */
export const ProductByUrlQuery = ProductQuery.extend({
  url: z.string().openapi({
    description: 'Product-page address, percent-encoded once.',
    example: 'https://shop.example.com/products/lamp',
  }),
});

/** Parameters of a refresh, which is a forced lookup in itself (D19). */
export const RefreshQuery = ProductQuery.omit({
  force_refresh: true,
  include_force_refresh: true,
  include_offers_reviews: true,
}).extend({
  include_offers_reviews: boolean(
    true,
    'Live `offers` and `reviews`: part of a full refresh. `false` leaves both out, and their 5 tokens.',
  ),
});

const day = (description: string) =>
  z.string().optional().openapi({ format: 'date', description, example: '2026-01-31' });

/** Parameters of the reviews (D42): days are judged by the lookup, which knows today. */
export const ReviewsQuery = z.strictObject({
  start_date: day('First day, YYYY-MM-DD (UTC), included.'),
  end_date: day('Last day, included. With `start_date` alone: today.'),
});

/** A route without parameters. */
export const NoQuery = z.strictObject({});

export type ProductQuery = z.infer<typeof ProductQuery>;
export type RefreshQuery = z.infer<typeof RefreshQuery>;

/** The add-ons that a lookup asks for. */
export function addOnsOf(query: Partial<ProductQuery>): AddOns {
  return {
    includeOffers: query.include_offers === true,
    includeOffersReviews: query.include_offers_reviews === true,
    includeOffersHistory: query.include_offers_history === true,
    // The series stands in `price_history`: without the one there is no other, and nothing to pay for.
    includePriceSeries: query.include_price_series === true && query.include_history !== false,
    includeCrossRetailer: query.include_cross_retailer === true,
    includeSellerContext: query.include_seller_context === true,
    includeForceRefresh: query.include_force_refresh === true,
  };
}

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Headers of every billed call (D21). Other headers are none of its business. */
export const BilledHeaders = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .refine((text) => /^[ -~]{1,255}$/.test(text), {
      params: { allowed: ['1 to 255 printable ASCII characters'] },
    })
    .optional()
    .openapi({
      description:
        'Makes a repeated call safe: the same key with the same method, path and query answers again what ' +
        'was answered first, for 24 hours, free of charge and with `Idempotency-Replayed: true`. Another ' +
        'request with it is 409, and so is one while the first is still running. Only a 2xx is kept. ' +
        '1 to 255 printable ASCII characters, shared by all keys of the organization.',
      example: 'order-4711-price-check',
    }),
});
