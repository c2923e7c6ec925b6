// Request parameters as schemas (D7, D22): requests are validated with them, and the OpenAPI document includes them. Values
// arrive as text, or as a list if a name was given twice.

import { z } from 'zod';

import { IDEMPOTENCY_KEY } from '../../data/metering/idempotency.ts';
import { ADD_ON_TOKENS, tokensInWords } from '../../base/call-cost.ts';
import { IDENTIFIER_MATCHES } from '../../rules/product/cell.ts';
import { FORMATS, type Format } from '../../base/identifiers/parse-identifier.ts';
import { isSlug, KNOWN_SLUGS } from '../../base/retailer.ts';
import { currencyParameter } from './currency.ts';
import { holdsApiKey } from '../../base/scopes.ts';

/** A map, because an object inherits `constructor` too. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);

/** D22: `true`, `false` in any case, `1`, `0`. */
function boolean(fallback: boolean, description: string) {
  return z
    .string()
    .transform((text, context) => {
      const value = BOOLEANS.get(text.toLowerCase());
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', params: { allowed: ['true', 'false', '1', '0'] } });
      return z.NEVER;
    })
    .optional()
    .meta({ type: 'boolean', default: fallback, description });
}

const identifierMatch = z
  .enum(IDENTIFIER_MATCHES)
  .optional()
  .meta({
    default: 'confirmed',
    description:
      "Which cells `cross_retailer` contains. `confirmed`: those where the retailer's own record states the " +
      'barcode searched. `any`: every cell, each with its `identity`, including those still `indexing`. Free.',
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
  .meta({
    type: 'string',
    enum: [...FORMATS],
    description: 'Kind of the identifier, if it could be of several kinds. Any letter case.',
  });

const retailer = z
  .string()
  .refine(isSlug, {
    params: { allowed: [...KNOWN_SLUGS, 'the slug of another shop: 2 to 30 of a-z, 0-9'] },
  })
  .optional()
  .meta({
    description:
      'Only this retailer supplies the fields of the record. With a URL it must be the slug of ' +
      'that shop.',
    example: 'retailer_w',
  });

/** Parameters of the product lookup. */
export const ProductQuery = z.strictObject({
  format,
  retailer,
  currency: currencyParameter,
  force_refresh: boolean(
    false,
    'Fetches now instead of answering from the store. Requires `retailer`. Free.',
  ),
  include_offers: boolean(
    false,
    'Adds the live `offers` of the retailer and `review_summary`. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeOffers)}. If the list of all sellers needs a setting that this ` +
      'installation lacks, they are the offers that the product page states, and `offers_complete` is `false`. ' +
      'If they cannot be fetched now, the answer is 503 `offers_unavailable`, not billed.',
  ),
  include_offers_reviews: boolean(
    false,
    'Like `include_offers`, plus `reviews`: summary, months and the newest texts. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeOffersReviews)}, charged once for both.`,
  ),
  include_offers_history: boolean(
    false,
    'Adds `offers_history`, offers of retailer_w that earlier live calls observed, newest first, and ' +
      `\`offers_history_count\`. ${tokensInWords(ADD_ON_TOKENS.includeOffersHistory)}, even when none is archived. Fetches nothing.`,
  ),
  include_price_series: boolean(
    false,
    `Adds \`price_history.series\`, the stored daily bars of retailer_w. ${tokensInWords(ADD_ON_TOKENS.includePriceSeries)} when there is ` +
      'at least one bar, else free. Has no effect and is free with `include_history=false`.',
  ),
  include_cross_retailer: boolean(
    false,
    'Adds `cross_retailer`: the stored data of each retailer for the barcode. Fetches nothing. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeCrossRetailer)}.`,
  ),
  identifier_match: identifierMatch,
  include_force_refresh: boolean(
    false,
    'Fetches the listing that supplies price and stock during the call; if that fails, the answer is 503, never older data. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeForceRefresh)}. ` +
      'Cannot be combined with `force_refresh`.',
  ),
  include_seller_context: boolean(
    false,
    'Adds `seller_context` and fills `restriction` and `fulfillment_eligibility`: what marketplaces allow ' +
      `the seller account of this installation now. ${tokensInWords(ADD_ON_TOKENS.includeSellerContext)}, even ` +
      'when it is certain to be null (without credentials, and at first-party retailers): `answers` of GET ' +
      '/v1/retailers says so before the call, `_meta.seller_context_null` after it. 503 ' +
      "`upstream_unavailable`, not billed, when a marketplace's API does not answer.",
  ),
  include_history: boolean(true, 'Whether the record has `price_history`. Free.'),
  include_stats: boolean(true, 'Whether the record has `stats`. Free.'),
  include_fee_breakdown: boolean(
    false,
    'Adds `fee_breakdown`: rate cards, category, size tier, and charges that are not included. Free.',
  ),
});

/** The same lookup with the address as a parameter (D9). */
export const ProductByUrlQuery = ProductQuery.extend({
  url: z.string().meta({
    description: 'Address of a product page, percent-encoded once.',
    example: 'https://shop.example.com/products/lamp',
  }),
});

/** Parameters of a refresh; it is always forced (D19). */
export const RefreshQuery = ProductQuery.omit({
  force_refresh: true,
  include_force_refresh: true,
  include_offers_reviews: true,
  include_price_series: true,
}).extend({
  include_offers_reviews: boolean(
    true,
    'Adds live `offers` and `reviews`. `false` leaves both out and saves ' +
      `${tokensInWords(ADD_ON_TOKENS.includeOffersReviews)}.`,
  ),
  include_price_series: boolean(
    false,
    '`price_history` then has all stored days of retailer_w instead of the last 30. ' +
      `${tokensInWords(ADD_ON_TOKENS.includePriceSeries)} when there is at least one bar, ` +
      'else free. Has no effect and is free with `include_history=false`.',
  ),
});

const day = (description: string) =>
  z.string().optional().meta({ format: 'date', description, example: '2026-01-31' });

/** Parameters of the reviews (D42). The lookup validates the days, because it knows today's date. */
export const ReviewsQuery = z.strictObject({
  start_date: day('First day, YYYY-MM-DD (UTC), included.'),
  end_date: day('Last day, YYYY-MM-DD (UTC), included. With `start_date` alone: today.'),
});

/** The query of a route without parameters. */
export const NoQuery = z.strictObject({});

export type ProductQuery = z.infer<typeof ProductQuery>;
export type RefreshQuery = z.infer<typeof RefreshQuery>;

/** The header that every billed route reads (D21); others are ignored. */
export const BilledHeaders = z.object({
  [IDEMPOTENCY_KEY]: z
    .string()
    .refine((text) => /^[ -~]{1,255}$/.test(text) && !holdsApiKey(text), {
      params: { allowed: ['1 to 255 printable ASCII characters that contain no API key'] },
    })
    .optional()
    .meta({
      description:
        'Makes it safe to repeat a call: for 24 hours, the same key with the same method, path and query returns ' +
        'the first answer again, free of charge and with `Idempotency-Replayed: true`. The same key with another ' +
        'request, or while the first call is still running, is 409. Only 2xx answers are stored. 1 to 255 ' +
        'printable ASCII characters; all API keys of the organization share one namespace.',
      example: 'order-4711-price-check',
    }),
});
