// The product record as it stands on the wire (specification: product record). One schema is the
// validation of our own answers in tests, the type of `present.ts` and the OpenAPI component.

import { z } from '@hono/zod-openapi';

import { CrossRetailer } from './cells.ts';
import { FeeBreakdown } from './fees.ts';
import { Offers, ReviewSummaryBody } from './offer.ts';
import { offersHistoryFields } from './offers-history.ts';
import { PriceBarBody } from './price-bar.ts';
import { ReviewsBlock } from './reviews.ts';
import {
  FulfillmentEligibilityBody,
  RestrictionBody,
  SellerContextBody,
} from './seller-context.ts';
import { count, text, tokenFields } from './fields.ts';

const usd = (what: string) =>
  z
    .number()
    .nonnegative()
    .multipleOf(0.01)
    .nullable()
    .meta({ description: `${what}, USD.` });
const day = (what: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .nullable()
    .meta({ description: `${what}, YYYY-MM-DD (UTC).` });
const flag = (what: string) =>
  z
    .boolean()
    .nullable()
    .meta({ description: `${what} Null: not known.` });

const measure = (what: string) => z.number().nonnegative().nullable().meta({ description: what });

const dimensions = (what: string) =>
  z
    .strictObject({
      height_in: measure('Height, inches.'),
      width_in: measure('Width, inches.'),
      length_in: measure('Length (depth), inches.'),
    })
    .nullable()
    .meta({ description: `${what} Null when no side is known.` });

const way = {
  available: flag('Whether it is offered.'),
  cost: usd('What it costs; 0 is free, null not known'),
  date: day('Day of arrival'),
};

const option = (what: string) =>
  z
    .strictObject(way)
    .nullable()
    .meta({ description: `${what} Null when the page tells nothing of it.` });

const Fulfillment = z
  .strictObject({
    shipping: z
      .strictObject({ ...way, free: flag('Whether it costs nothing.') })
      .nullable()
      .meta({ description: 'Sent by a carrier. Null when the page tells nothing of it.' }),
    delivery: option('Brought from a store nearby.'),
    pickup: option('Collected at a store.'),
  })
  .nullable()
  .meta({ description: 'Ways to receive the product. Null when the page tells none.' });

const StatsWindow = z
  .strictObject({
    low: z.number().meta({ description: 'Lowest price seen, USD.' }),
    high: z.number().meta({ description: 'Highest price seen, USD.' }),
    average: z.number().meta({ description: "Mean of the days' closing prices, USD." }),
    days_covered: z.int().meta({ description: 'Days of the window with a price.' }),
    observation_count: z.int().meta({ description: 'Priced observations in the window.' }),
    excluded_count: z.int().meta({
      description:
        'Prices of these days that were left out because nothing around them supports them.',
    }),
  })
  .nullable()
  .meta({ description: 'Null when no priced day is held in the window.' });

export const Stats = z.strictObject({
  current_price: usd('Price now'),
  windows: z
    .strictObject({
      '30d': StatsWindow,
      '60d': StatsWindow,
      '90d': StatsWindow,
      '180d': StatsWindow,
    })
    .meta({ description: 'Days (UTC) back from today, today included.' }),
});

const PriceHistory = z.strictObject({
  first_observed_date: day('First day with a price'),
  last_observed_date: day('Last day with a price'),
  days_covered: z.int().meta({ description: 'Days that a price is held for.' }),
  series: z
    .array(PriceBarBody)
    .optional()
    .meta({
      description:
        'Only with `include_price_series`: the days with a price of retailer_w, newest first, all that are held. Empty, ' +
        'and then free, where none is held and where the record shows the history of another shop.',
    }),
});

const RetailerLink = z.strictObject({
  retailer: z.string().meta({ description: 'Slug of the retailer.' }),
  url: z.url().meta({ description: "The product's page there." }),
  found_via: z
    .enum(['native_catalog', 'retailer_a_catalog', 'search_provider', 'submitted_url'])
    .meta({
      description:
        "How it was found: the retailer's own catalog or search, retailer_a's catalog, the search " +
        'engine of this installation, or an address that a caller sent.',
    }),
  identity_state: z.enum(['confirmed', 'unconfirmed']).meta({
    description: '`confirmed`: its own record publishes the barcode.',
  }),
});

const Meta = z.strictObject({
  title_source: text('Retailer whose title stands in the record.'),
  brand_source: text('Retailer whose brand stands in the record.'),
  weight_lbs_source: text('Retailer whose weight stands in the record.'),
  dimensions_source: text('Retailer whose dimensions stand in the record.'),
  price_source: text('The anchor: retailer that supplies price, stock, seller and rating.'),
  data_quality_score: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'How strongly the sources agree on identity. Null with one source.' }),
  disagreements: z
    .array(
      z.strictObject({
        retailer: z.string().meta({ description: 'Slug of the retailer that disagrees.' }),
        reason: z.string().meta({ description: 'In what, for example `model` or `size`.' }),
        similarity: z.number().meta({ description: 'Of the titles, 0 to 1.' }),
        their_title: z.string().meta({ description: 'Title of its listing.' }),
        consensus_title: z.string().meta({ description: 'Title that the others agree on.' }),
        detail: z.string().meta({ description: 'The difference in words.' }),
      }),
    )
    .meta({ description: 'Listings that seem to be another product; they supply nothing.' }),
  native_price: z
    .strictObject({
      amount: z.number().meta({ description: 'In units of the currency.' }),
      currency: text('ISO 4217 code; null when the page does not say which.'),
    })
    .optional()
    .meta({ description: 'Only when the price is not known to be USD: what the page asks.' }),
  source: z
    .literal('retailer_b')
    .optional()
    .meta({ description: 'Only when a retailer_b identifier resolved there.' }),
});

export const AsinMatchBody = z.strictObject({
  state: z.enum(['exact', 'substituted', 'unknown']).meta({
    description:
      '`exact`: the page is of the ASIN asked for. `unknown`: the source carries none, so nothing was ' +
      'checked. `substituted` stands on the 404 `identity_mismatch` only.',
  }),
  matched_asin: text('ASIN of the listing that was read; null when the state is `unknown`.'),
});

export const ProductRecord = z
  .strictObject({
    item_id: text('Item id of retailer_w.'),
    upc: text('12 digits, when the code fits.'),
    ean: text('13 digits, when the code fits.'),
    isbn: text('13 digits, for books.'),
    gtin: text('14 digits.'),
    asin: text('Id of retailer_a; on an ASIN lookup echoed from the request.'),
    mpn: text("Maker's part number."),
    model: text('Model name or number.'),
    title: text('Title.'),
    brand: text('Brand.'),
    description: text('Description as plain text.'),
    image_url: text('Main image.'),
    current_price: usd('What a buyer pays now before shipping; null out of stock'),
    buybox_price: usd('Price behind the buy button; null out of stock'),
    secondary_offer_price: usd('Lowest price of another offer'),
    msrp: usd('List price or was price; null out of stock'),
    weight_lbs: measure('Pounds, best available: assembled, else of the package.'),
    weight_assembled_lbs: measure('Pounds of the product; only where a retailer tells both apart.'),
    weight_package_lbs: measure('Pounds with its package; only where a retailer tells both apart.'),
    dimensions: dimensions('Best available: assembled, else of the package.'),
    dimensions_assembled: dimensions('Of the product itself.'),
    dimensions_package: dimensions('Of the package.'),
    offers_count: count(
      'Length of `offers`; without them, of the list that was fetched last, when it is not older than a day.',
    ),
    total_offers: count('Sellers that the listing states.'),
    delivery_date: day('Earliest delivery'),
    fulfillment: Fulfillment,
    seller_name: text('Seller as shown to buyers.'),
    seller_id: text('Id of the seller.'),
    seller_type: z
      .enum(['first_party', 'third_party'])
      .nullable()
      .meta({ description: '`first_party`: the retailer itself. Null: not known.' }),
    seller_rating: z.number().nullable().meta({ description: 'Stars of the seller, 0 to 5.' }),
    average_rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'Stars of the product, 0 to 5; null without reviews.' }),
    review_count: count('Reviews the page states.'),
    categories: z.array(z.string()).meta({ description: 'Way in the shop, widest first.' }),
    specs: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'As the page names it.' }),
          value: z.string().meta({ description: 'As the page writes it.' }),
        }),
      )
      .meta({ description: 'Rows of the specification table, in the order of the page.' }),
    retailer_w_url: text('Product page at retailer_w.'),
    in_stock: flag('True when at least one retailer has it; false when all known ones have not.'),
    condition: text('Canonical condition, for example `new`.'),
    sold_tag: text("The retailer's sales tag, word for word."),
    estimated_sales: count('Units a month, when the tag speaks of a month.'),
    is_best_seller: flag('The retailer marks it a best seller.'),
    pack_count: count('Outermost multiplier that the listing states.'),
    hazmat: flag('Dangerous goods.'),
    referral_fee_usd: usd('Referral fee by the public rate card; null where it cannot be told'),
    fulfillment_fee_usd: usd(
      'Fulfilment fee by the public rate card; null where it cannot be told',
    ),
    restriction: RestrictionBody,
    fulfillment_eligibility: FulfillmentEligibilityBody,
    seller_context: SellerContextBody.optional(),
    price_history: PriceHistory.optional().meta({
      description: 'Absent with `include_history=false`.',
    }),
    stats: Stats.optional().meta({ description: 'Absent with `include_stats=false`.' }),
    fee_breakdown: FeeBreakdown.nullable().optional().meta({
      description: 'Only with `include_fee_breakdown`. Null for a retailer without a marketplace.',
    }),
    offers: Offers.optional(),
    review_summary: ReviewSummaryBody.optional(),
    reviews: ReviewsBlock.optional().meta({
      description:
        'Only with `include_offers_reviews`. Months of retailer_w only; elsewhere the published totals.',
    }),
    ...offersHistoryFields,
    retailer_links: z.array(RetailerLink).optional().meta({
      description: 'Only for a product with a known barcode; absent on `item_id` lookups.',
    }),
    cross_retailer: CrossRetailer.optional(),
    asin_match: AsinMatchBody.optional().meta({ description: 'Only on ASIN lookups.' }),
    _freshness: z
      .strictObject({
        refreshed_at: z.iso.datetime().meta({ description: 'When the anchor was last fetched.' }),
      })
      .meta({ description: 'How old what the record says is.' }),
    _meta: Meta.meta({ description: 'Where the record comes from; safe to ignore.' }),
    ...tokenFields,
  })
  .openapi('ProductRecord');

export type ProductRecord = z.infer<typeof ProductRecord>;
