// The product record. One schema is the OpenAPI component, the type of `present.ts`, and the schema that tests validate
// every answer against.

import { z } from 'zod';

import { PRICE_READ_FROM } from '../../../base/listing/listing.ts';
import { SELLER_CONTEXT_NULL } from '../../../rules/product/product.ts';
import { saidCurrency } from '../currency.ts';
import { CrossRetailer, SuspectBody } from './cells.ts';
import { FeeBreakdown } from './fees.ts';
import { OffersBody, offersFields, ReviewSummaryBody } from './offer.ts';
import { offersHistoryFields } from './offers-history.ts';
import { ReviewsBlock } from './reviews.ts';
import {
  FulfillmentEligibilityBody,
  RestrictionBody,
  SellerContextBody,
} from './seller-context.ts';
import {
  count,
  day,
  exactAmount,
  exactUsd,
  PriceBarBody,
  SalesRanks,
  text,
  tokenFields,
  Via,
} from '../fields.ts';
import { termsFields, WithheldBody } from '../withheld-body.ts';

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
  cost: exactAmount('Charge; 0: free, null: not known, or in another currency'),
  date: day('Day of arrival, YYYY-MM-DD (UTC).'),
};

const option = (what: string) =>
  z
    .strictObject(way)
    .nullable()
    .meta({ description: `${what} Null when the page does not mention it.` });

const Fulfillment = z
  .strictObject({
    shipping: z
      .strictObject({ ...way, free: flag('Whether it is free.') })
      .nullable()
      .meta({ description: 'Shipping by a carrier. Null when the page does not mention it.' }),
    delivery: option('Delivery from a store nearby.'),
    pickup: option('Pickup at a store.'),
  })
  .nullable()
  .meta({ description: 'Shipping, delivery and pickup. Null when the page mentions none.' });

const StatsWindow = z
  .strictObject({
    low: z.number().meta({ description: 'Lowest price observed.' }),
    high: z.number().meta({ description: 'Highest price observed.' }),
    average: z.number().meta({ description: "Mean of the days' closing prices." }),
    days_covered: z.int().meta({ description: 'Days of the window with a price.' }),
    observation_count: z.int().meta({ description: 'Priced observations in the window.' }),
    excluded_count: z.int().meta({
      description:
        'Prices of these days that were left out as glitches, because no price around them supports them.',
    }),
  })
  .nullable()
  .meta({ description: 'Null when no day of the window has a price.' });

export const Stats = z.strictObject({
  current_price: exactAmount('Current price'),
  windows: z
    .strictObject({
      '30d': StatsWindow,
      '60d': StatsWindow,
      '90d': StatsWindow,
      '180d': StatsWindow,
    })
    .nullable()
    .meta({
      description:
        'Windows of days (UTC) back from today, today included. Null only where `withheld` says so.',
    }),
  withheld: WithheldBody.optional(),
});

const PriceHistory = z.strictObject({
  first_observed_date: day('First day with a price, YYYY-MM-DD (UTC).'),
  last_observed_date: day('Last day with a price, YYYY-MM-DD (UTC).'),
  days_covered: z.int().meta({ description: 'Number of days with a price.' }),
  series: z
    .array(PriceBarBody)
    .optional()
    .meta({
      description:
        'Only with `include_price_series`: all stored days with a price of retailer_w, newest first. Empty, and ' +
        'then free, if none is stored or `retailer=` names another retailer.',
    }),
  withheld: WithheldBody.optional(),
});

const BestPriceBody = z.strictObject({
  retailer: z.string().meta({ description: 'Slug of the retailer.' }),
  price: z.number().meta({ description: 'Without shipping.' }),
  url: z.url().meta({ description: 'Address of the product page.' }),
  refreshed_at: z.iso.datetime().meta({ description: 'When it was fetched.' }),
});

const UnitPriceBody = z
  .strictObject({
    price: z.number().meta({ description: 'Of one unit, with two more decimals than prices.' }),
    unit: z.literal('count').meta({ description: 'A piece of the pack.' }),
  })
  .nullable()
  .meta({
    description: '`current_price` per piece of the pack; null if the pack is not stated.',
  });

const RetailerLink = z.strictObject({
  retailer: z.string().meta({ description: 'Slug of the retailer.' }),
  url: z.url().meta({ description: 'Address of the product page.' }),
  found_via: z
    .enum(['native_catalog', 'retailer_a_catalog', 'search_provider', 'submitted_url'])
    .meta({
      description:
        "How it was found: `native_catalog`: the retailer's own catalog or search; `retailer_a_catalog`; " +
        '`search_provider`: the search engine of this installation; `submitted_url`: an address that a caller sent.',
    }),
  identity_state: z.enum(['confirmed', 'unconfirmed', 'disputed']).meta({
    description:
      "`confirmed`: the retailer's own record states the barcode. `disputed`: it does, but the other listings " +
      'contradict it; `_meta.disagreements` says what. The record uses none of its data. `unconfirmed`: it was ' +
      'found for the barcode, and its record neither states nor contradicts it.',
  }),
});

const Meta = z.strictObject({
  title_source: text('Retailer that supplies the title.'),
  brand_source: text('Retailer that supplies the brand.'),
  weight_lbs_source: text('Retailer that supplies the weight.'),
  dimensions_source: text('Retailer that supplies the dimensions.'),
  price_source: text('The retailer that supplies price, stock, seller and rating.'),
  via: Via,
  data_quality_score: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description:
        'How strongly the sources agree that it is one product, 0 to 1. Below 0.5 when `disagreements` names a listing: ' +
        'it is then the agreement of the remaining listings, times their share. Null with one source.',
    }),
  disagreements: z
    .array(
      z.strictObject({
        retailer: z.string().meta({ description: 'Slug of the retailer that disagrees.' }),
        reason: z.string().meta({ description: 'What differs, for example `model` or `size`.' }),
        similarity: z.number().meta({ description: 'Similarity of the titles, 0 to 1.' }),
        their_title: z.string().meta({ description: 'Title of its listing.' }),
        consensus_title: z
          .string()
          .meta({ description: 'Title on which the other listings agree.' }),
        detail: z.string().meta({ description: 'The difference as a sentence.' }),
      }),
    )
    .meta({
      description:
        'Listings that seem to be another product. Those whose link is `disputed` supply no field; the others ' +
        'are doubtful but still count.',
    }),
  price_suspect: SuspectBody.optional().meta({
    description:
      'Present only if `current_price` contradicts the history of its listing. The price is still what the ' +
      'page states; it is in no window of `stats` and never the `best_price`. A `deep_fall` is accepted once a ' +
      'second fetch at least an hour later repeats it; the others once the price of another of the seven ' +
      'retailers is between half and twice as much, or after 30 days.',
  }),
  moved_from: z
    .string()
    .optional()
    .meta({
      description:
        'Only if the address that was sent used to show another product and now leads to the address of this ' +
        'one: the address that was sent. Data stored for the previous product stays with that product; send the ' +
        'new address from now on.',
    }),
  seller_context_null: z
    .enum(SELLER_CONTEXT_NULL)
    .optional()
    .meta({
      description:
        'Only with `include_seller_context`: why no restriction is known. `first_party_retailer`: the shop that ' +
        'supplies the price is not a marketplace. `no_source`: this installation has no credentials for a ' +
        'marketplace that lists the product; GET /v1/retailers says so before. `not_known`: the marketplace was ' +
        'asked and does not know the listing.',
    }),
  price_read_from: z
    .enum(PRICE_READ_FROM)
    .optional()
    .meta({
      description:
        'How the price (`current_price` or `native_price`) was read: from structured data of the page (`json_ld`, ' +
        '`microdata`, `rdfa`), its tags (`open_graph`), the state in its scripts (`state`), what it shows (`visible`) or ' +
        "an answer of the retailer's interface (`api`). Absent without a price.",
    }),
  other_price: z
    .strictObject({
      amount: z.number().meta({ description: 'Amount in the currency.' }),
      currency: text('ISO 4217 code; null when the page does not say which.'),
    })
    .optional()
    .meta({
      description:
        "Only if the page shows another price than its data states, such as a store's price next to the national one: the " +
        'price in the data. The price shown is `current_price`.',
    }),
  native_price: z
    .strictObject({
      amount: z.number().meta({ description: 'Amount in the currency.' }),
      currency: text('ISO 4217 code; null when the page does not say which.'),
    })
    .optional()
    .meta({
      description:
        'Only when the price is not known to be in the currency of the record, US dollars unless `currency` says another: the ' +
        'price that the page states.',
    }),
  series_source: z.literal('retailer_w').optional().meta({
    description:
      'Only when `price_history.series` is not that of the retailer that supplies the price: the retailer it belongs to.',
  }),
  source: z
    .literal('retailer_b')
    .optional()
    .meta({ description: 'Only when an identifier of retailer_b was resolved there.' }),
});

export const AsinMatchBody = z.strictObject({
  state: z.enum(['exact', 'substituted', 'unknown']).meta({
    description:
      '`exact`: the page shows the requested ASIN. `unknown`: the source states no ASIN, so nothing was checked. ' +
      '`substituted`: the page shows another ASIN; only in the 404 `identity_mismatch`.',
  }),
  matched_asin: text('ASIN of the listing that the page shows; null with `unknown`.'),
});

export const ProductRecord = z
  .strictObject({
    currency: saidCurrency,
    item_id: text('Item id of retailer_w.'),
    upc: text('UPC, 12 digits; null when the barcode has no such form.'),
    ean: text('EAN, 13 digits; null when the barcode has no such form.'),
    isbn: text('ISBN, 13 digits; only for books.'),
    gtin: text('GTIN, 14 digits.'),
    asin: text('ASIN; on an ASIN lookup the requested one.'),
    mpn: text("Maker's part number."),
    model: text('Model name or number.'),
    title: text('Title.'),
    brand: text('Brand.'),
    description: text('Description as plain text.'),
    image_url: text('Main image.'),
    current_price: exactAmount(
      'Price now, without shipping; null when out of stock, or in another currency',
    ),
    buybox_price: exactAmount('Price of the offer behind the buy button; null when out of stock'),
    best_price: BestPriceBody.nullable()
      .optional()
      .meta({
        description:
          'The lowest price, without shipping, of a new product in stock in the same pack (a listing that states ' +
          'no pack counts as the same), at any retailer whose record confirms the barcode and is not contradicted, ' +
          'fetched within two days. Null when there is none; absent with `retailer=` and without a known barcode.',
      }),
    unit_price: UnitPriceBody,
    secondary_offer_price: exactAmount('Lowest price of another offer'),
    msrp: exactAmount('List price or former price; null when out of stock'),
    weight_lbs: measure(
      'Weight in pounds: of the assembled product, else of the package, else a weight that does not say what it includes.',
    ),
    weight_assembled_lbs: measure(
      'Pounds of the product alone; null if no retailer states it as such.',
    ),
    weight_package_lbs: measure(
      'Pounds including the package; null if no retailer states it as such.',
    ),
    dimensions: dimensions(
      'Of the assembled product, else of the package, else of neither explicitly.',
    ),
    dimensions_assembled: dimensions('Of the product itself.'),
    dimensions_package: dimensions('Of the package.'),
    offers_count: count(
      'Number of `offers`; without them, of the last complete list, if it was fetched within a day.',
    ),
    total_offers: count(
      'Number of sellers that the listing states; with `offers`, that of `offers_retailer`.',
    ),
    delivery_date: day('Earliest delivery, YYYY-MM-DD (UTC).'),
    fulfillment: Fulfillment,
    seller_name: text('Name of the seller as shown to buyers.'),
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
      .meta({ description: 'Average stars, 0 to 5; null without reviews.' }),
    review_count: count('Number of reviews that the page states.'),
    categories: z.array(z.string()).meta({ description: 'Categories of the shop, widest first.' }),
    specs: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'As the page names it.' }),
          value: z.string().meta({ description: 'As the page writes it.' }),
        }),
      )
      .meta({ description: 'Rows of the specification table, in page order.' }),
    retailer_w_url: text('Product page at retailer_w.'),
    in_stock: flag(
      'True when at least one retailer has it in stock; false when every retailer that states its stock has none.',
    ),
    condition: text('Condition, in the words that all retailers share, for example `new`.'),
    sold_tag: text("The retailer's sales tag, word for word."),
    estimated_sales: count('Units sold per month, if `sold_tag` states a monthly number.'),
    is_best_seller: flag('The retailer marks it as a best seller.'),
    sales_rank: SalesRanks,
    pack_count: count(
      'Pieces in the pack: the outermost multiplier that a field or the title states.',
    ),
    hazmat: flag('Whether it is dangerous goods.'),
    referral_fee_usd: exactUsd(
      'Referral fee by the public rate card; null when it cannot be computed',
    ),
    fulfillment_fee_usd: exactUsd(
      'Fulfilment fee by the public rate card; null when it cannot be computed',
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
    offers: OffersBody.optional(),
    ...offersFields,
    review_summary: ReviewSummaryBody.optional(),
    reviews: ReviewsBlock.optional().meta({
      description:
        'Only with `include_offers_reviews`. Months are known for retailer_w only; for other retailers, the published totals.',
    }),
    ...offersHistoryFields,
    retailer_links: z.array(RetailerLink).optional().meta({
      description: 'Only for a product with a known barcode; absent on `item_id` lookups.',
    }),
    cross_retailer: CrossRetailer.optional(),
    asin_match: AsinMatchBody.optional().meta({ description: 'Only on ASIN lookups.' }),
    _freshness: z
      .strictObject({
        refreshed_at: z.iso.datetime().meta({
          description: 'When the listing that supplies price and stock was last fetched.',
        }),
      })
      .meta({ description: 'Age of the record.' }),
    ...termsFields,
    _meta: Meta.meta({ description: 'Sources of the record; safe to ignore.' }),
    ...tokenFields,
  })
  .meta({ id: 'ProductRecord' });

export type ProductRecord = z.infer<typeof ProductRecord>;
