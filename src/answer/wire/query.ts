// Request parameters as schemas (D7, D22): requests are validated with them, and the OpenAPI document includes them. Values
// arrive as text, or as a list if a name was given twice.

import { z } from 'zod';

import { IDEMPOTENCY_KEY } from '../../base/idempotency-key.ts';
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
      "Which cells `cross_retailer` contains. `confirmed`: those for which the retailer's own record " +
      'states the requested barcode. `any`: every cell, each with its `identity`, including those that ' +
      'are still `indexing`. Free.',
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
    description:
      'The kind of the identifier, for an identifier that could be of several kinds. Case-insensitive.',
  });

const retailer = z
  .string()
  .refine(isSlug, {
    params: { allowed: [...KNOWN_SLUGS, 'the slug of another shop: 2 to 30 of a-z, 0-9'] },
  })
  .optional()
  .meta({
    description:
      'The only retailer that supplies the fields of the record. With a URL, it must be the slug of ' +
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
    'Fetches the product now instead of returning stored data. Requires `retailer`. Free.',
  ),
  include_offers: boolean(
    false,
    'Adds the live `offers` of the retailer and `review_summary`. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeOffers)}. If the list of all sellers needs a setting that ` +
      'this installation lacks, the offers that the product page states are returned and ' +
      '`offers_complete` is `false`. If the offers cannot be fetched now, the response is 503 ' +
      '`offers_unavailable` and is not billed.',
  ),
  include_offers_reviews: boolean(
    false,
    'Like `include_offers`, and also adds `reviews`: the summary, the months and the newest texts. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeOffersReviews)}, charged once for both.`,
  ),
  include_offers_history: boolean(
    false,
    'Adds `offers_history`, the offers of retailer_w that earlier live requests observed, newest ' +
      `first, and \`offers_history_count\`. ${tokensInWords(ADD_ON_TOKENS.includeOffersHistory)}, even ` +
      'if none is archived. Nothing is fetched.',
  ),
  include_price_series: boolean(
    false,
    'Adds `price_history.series`, the stored daily bars of retailer_w. ' +
      `${tokensInWords(ADD_ON_TOKENS.includePriceSeries)} if there is at least one bar, otherwise ` +
      'free. Has no effect and is free with `include_history=false`.',
  ),
  include_cross_retailer: boolean(
    false,
    'Adds `cross_retailer`: the stored data of each retailer for the barcode. Nothing is fetched. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeCrossRetailer)}.`,
  ),
  identifier_match: identifierMatch,
  barcode_databases: boolean(
    true,
    'Whether a barcode database is asked if no retailer has the product. Send `false` when you ' +
      'make many lookups; batches never ask. Free.',
  ),
  include_force_refresh: boolean(
    false,
    'Fetches the listing that supplies the price and stock during the request. If that fails, the ' +
      'response is 503; older data is never returned. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeForceRefresh)}. Cannot be combined with \`force_refresh\`.`,
  ),
  include_seller_context: boolean(
    false,
    'Adds `seller_context` and fills `restriction` and `fulfillment_eligibility`: what marketplaces ' +
      'currently allow the seller account of this installation. ' +
      `${tokensInWords(ADD_ON_TOKENS.includeSellerContext)}, even if the result is certain to be ` +
      '`null` (without credentials, and at first-party retailers): `answers` of GET /v1/retailers ' +
      "states this before the request, `_meta.seller_context_null` after it. If a marketplace's API " +
      'does not respond, the response is 503 `upstream_unavailable` and is not billed.',
  ),
  include_history: boolean(true, 'Whether the record includes `price_history`. Free.'),
  include_stats: boolean(true, 'Whether the record includes `stats`. Free.'),
  include_fee_breakdown: boolean(
    false,
    'Adds `fee_breakdown`: the rate cards, the category, the size tier, and the charges that are not ' +
      'included. Free.',
  ),
});

/** The same lookup with the address as a parameter (D9). */
export const ProductByUrlQuery = ProductQuery.extend({
  url: z.string().meta({
    description: 'The address of a product page, percent-encoded once.',
    example: 'https://shop.example.com/products/lamp',
  }),
});

/** Parameters of a refresh; it is always forced (D19). */
export const RefreshQuery = ProductQuery.omit({
  barcode_databases: true,
  force_refresh: true,
  include_force_refresh: true,
  include_offers_reviews: true,
  include_price_series: true,
}).extend({
  include_offers_reviews: boolean(
    true,
    'Adds live `offers` and `reviews`. `false` omits both and saves ' +
      `${tokensInWords(ADD_ON_TOKENS.includeOffersReviews)}.`,
  ),
  include_price_series: boolean(
    false,
    'Extends `price_history` from the last 30 days to all stored days of retailer_w. ' +
      `${tokensInWords(ADD_ON_TOKENS.includePriceSeries)} if there is at least one bar, otherwise ` +
      'free. Has no effect and is free with `include_history=false`.',
  ),
});

const day = (description: string) =>
  z.string().optional().meta({ format: 'date', description, example: '2026-01-31' });

/** Parameters of the reviews (D42). The lookup validates the days, because it knows today's date. */
export const ReviewsQuery = z.strictObject({
  start_date: day('The first day, inclusive, as YYYY-MM-DD (UTC).'),
  end_date: day(
    'The last day, inclusive, as YYYY-MM-DD (UTC). With `start_date` alone, the default is today.',
  ),
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
        'Makes it safe to repeat a request: for 24 hours, the same key with the same method, path, query ' +
        'and body returns the first response again, free of charge and with `Idempotency-Replayed: ' +
        'true`. The same key with another request, or while the first one is still running, returns 409. ' +
        'Only 2xx responses are stored. The key has 1 to 255 printable ASCII characters; all API keys of ' +
        'the organization share one namespace.',
      example: 'order-4711-price-check',
    }),
});
