// The product record. One schema is the OpenAPI component, the type of `present.ts`, and the schema that tests validate
// every answer against.

import { z } from 'zod';

import { BARCODE_DATABASES, type BarcodeDatabase } from '../../../base/identity-facts.ts';
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
import { SignalsBody } from '../signals-body.ts';
import { termsFields, WithheldBody } from '../withheld-body.ts';

const flag = (what: string) =>
  z
    .boolean()
    .nullable()
    .meta({ description: `${what} \`null\` if unknown.` });

const measure = (what: string) => z.number().nonnegative().nullable().meta({ description: what });

const dimensions = (what: string) =>
  z
    .strictObject({
      height_in: measure('The height in inches.'),
      width_in: measure('The width in inches.'),
      length_in: measure('The length (depth) in inches.'),
    })
    .nullable()
    .meta({ description: `${what} \`null\` if no side is known.` });

const way = {
  available: flag('Whether this option is offered.'),
  cost: exactAmount('The charge; 0 if it is free, `null` if it is unknown or in another currency'),
  date: day('The day of arrival, YYYY-MM-DD (UTC).'),
};

const option = (what: string) =>
  z
    .strictObject(way)
    .nullable()
    .meta({ description: `${what} \`null\` if the page does not mention it.` });

const Fulfillment = z
  .strictObject({
    shipping: z
      .strictObject({ ...way, free: flag('Whether shipping is free.') })
      .nullable()
      .meta({ description: 'Shipping by a carrier; `null` if the page does not mention it.' }),
    delivery: option('Delivery from a nearby store.'),
    pickup: option('Pickup at a store.'),
  })
  .nullable()
  .meta({
    description: 'Shipping, delivery and pickup; `null` if the page mentions none of them.',
  });

const StatsWindow = z
  .strictObject({
    low: z.number().meta({ description: 'The lowest price observed.' }),
    high: z.number().meta({ description: 'The highest price observed.' }),
    average: z.number().meta({ description: 'The mean of the daily closing prices.' }),
    days_covered: z.int().meta({ description: 'The number of days in the window with a price.' }),
    observation_count: z
      .int()
      .meta({ description: 'The number of observations with a price in the window.' }),
    excluded_count: z.int().meta({
      description:
        'The number of prices on these days that were excluded as glitches, because no price around them ' +
        'supports them.',
    }),
  })
  .nullable()
  .meta({ description: 'The figures of the window; `null` if no day in it has a price.' });

export const Stats = z.strictObject({
  current_price: exactAmount('The current price'),
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
        'The price statistics of the last 30, 60, 90 and 180 days (UTC), including today; `null` only if ' +
        '`withheld` is set.',
    }),
  withheld: WithheldBody.optional(),
});

const PriceHistory = z.strictObject({
  first_observed_date: day('The first day with a price, YYYY-MM-DD (UTC).'),
  last_observed_date: day('The last day with a price, YYYY-MM-DD (UTC).'),
  days_covered: z.int().meta({ description: 'The number of days with a price.' }),
  series: z
    .array(PriceBarBody)
    .optional()
    .meta({
      description:
        'All stored days with a price of retailer_w, newest first. Present only with ' +
        '`include_price_series`. It is empty, and then free, if none is stored or if `retailer=` names ' +
        'another retailer.',
    }),
  withheld: WithheldBody.optional(),
});

const BestPriceBody = z.strictObject({
  retailer: z.string().meta({ description: 'The slug of the retailer.' }),
  price: z.number().meta({ description: 'The price without shipping.' }),
  url: z.url().meta({ description: 'The URL of the product page.' }),
  refreshed_at: z.iso.datetime().meta({ description: 'When the price was fetched.' }),
});

const UnitPriceBody = z
  .strictObject({
    price: z
      .number()
      .meta({ description: 'The price of one unit, with two more decimals than other prices.' }),
    unit: z.literal('count').meta({ description: 'The unit, which is one piece of the pack.' }),
  })
  .nullable()
  .meta({
    description: 'The `current_price` per piece of the pack; `null` if the pack is not stated.',
  });

const RetailerLink = z.strictObject({
  retailer: z.string().meta({ description: 'The slug of the retailer.' }),
  url: z.url().meta({ description: 'The URL of the product page.' }),
  found_via: z
    .enum(['native_catalog', 'retailer_a_catalog', 'search_provider', 'submitted_url'])
    .meta({
      description:
        "How the listing was found. `native_catalog`: in the retailer's own catalog or search. " +
        '`retailer_a_catalog`: in the catalog of retailer_a. `search_provider`: by the search engine of ' +
        'this installation. `submitted_url`: by an address that a caller sent.',
    }),
  identity_state: z.enum(['confirmed', 'unconfirmed', 'disputed']).meta({
    description:
      "How the listing is tied to the barcode. `confirmed`: the retailer's own record states the " +
      'barcode. `disputed`: it does, but the other listings contradict it, as `_meta.disagreements` ' +
      'states; the record uses none of its data. `unconfirmed`: the listing was found for the barcode, ' +
      'and its record neither states nor contradicts it.',
  }),
});

const Meta = z.strictObject({
  title_source: text('The retailer that supplies the title.'),
  brand_source: text('The retailer that supplies the brand.'),
  weight_lbs_source: text('The retailer that supplies the weight.'),
  dimensions_source: text('The retailer that supplies the dimensions.'),
  price_source: text('The retailer that supplies price, stock, seller and rating.'),
  via: Via,
  data_quality_score: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description:
        'How strongly the sources agree that their listings are one product, from 0 to 1; `null` with one ' +
        'source. It is below 0.5 if `disagreements` names a listing: the value is then the agreement of the ' +
        'remaining listings, multiplied by their share.',
    }),
  disagreements: z
    .array(
      z.strictObject({
        retailer: z.string().meta({ description: 'The slug of the retailer that disagrees.' }),
        reason: z
          .string()
          .meta({ description: 'The differing trait, for example `model` or `size`.' }),
        similarity: z.number().meta({ description: 'The similarity of the titles, from 0 to 1.' }),
        their_title: z.string().meta({ description: 'The title of its listing.' }),
        consensus_title: z
          .string()
          .meta({ description: 'The title on which the other listings agree.' }),
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
      'Why `current_price` is suspect. Present only if it contradicts the history of its ' +
      'listing. The price is still the one on the page, but it is in no window of `stats` and ' +
      'is never the `best_price`. A `deep_fall` is accepted once a second fetch at least an ' +
      'hour later repeats it; the other suspect prices are accepted once the price of another ' +
      'of the seven retailers is between half and twice as much, or after 30 days.',
  }),
  identity_from: z
    .strictObject({
      source: z.enum(Object.keys(BARCODE_DATABASES) as [BarcodeDatabase]).meta({
        description: 'The barcode database that supplies every fact of the record.',
      }),
      licence: z.string().meta({
        description: 'Its licence and attribution, which must be shown with the facts.',
      }),
      url: z.url().meta({ description: 'The page of the product in the database.' }),
    })
    .optional()
    .meta({ description: 'Present only with `identity_only`.' }),
  upstream: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'The slugs of retailers that could have the product and did not answer. Present only with ' +
        '`identity_only`, if there are any.',
    }),
  moved_from: z
    .string()
    .optional()
    .meta({
      description:
        'The address that was sent. Present only if it used to show another product and now leads to the ' +
        'address of this one. Data stored for the previous product stays with that product; send the new ' +
        'address from now on.',
    }),
  indexing: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'The slugs of retailers that have not been asked for the barcode yet. They are asked in the ' +
        'background: repeat the request in a few seconds. Present only if there are any.',
    }),
  not_asked: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'The slugs of retailers to which the identifier could belong too, and whose catalog, or a part of it, ' +
        'cannot be searched in this installation. Present only if there are any.',
    }),
  seller_context_null: z
    .enum(SELLER_CONTEXT_NULL)
    .optional()
    .meta({
      description:
        'Why no restriction is known. Present only with `include_seller_context`. ' +
        '`first_party_retailer`: the shop that supplies the price is not a marketplace. `no_source`: ' +
        'this installation has no credentials for a marketplace that lists the product; GET ' +
        '/v1/retailers states this beforehand. `not_known`: the marketplace was queried and does not ' +
        'know the listing.',
    }),
  price_read_from: z
    .enum(PRICE_READ_FROM)
    .optional()
    .meta({
      description:
        'How the price (`current_price` or `native_price`) was read: from structured data of the page ' +
        '(`json_ld`, `microdata`, `rdfa`), its tags (`open_graph`), the state in its scripts (`state`), ' +
        "what it shows (`visible`) or a response of the retailer's interface (`api`). Omitted if there " +
        'is no price.',
    }),
  other_price: z
    .strictObject({
      amount: z.number().meta({ description: 'The amount in this currency.' }),
      currency: text('The ISO 4217 code; `null` if the page does not state the currency.'),
    })
    .optional()
    .meta({
      description:
        'The price in the data of the page. Present only if the page shows another price than its data ' +
        "states, such as a store's price next to the national one. The price shown is `current_price`.",
    }),
  native_price: z
    .strictObject({
      amount: z.number().meta({ description: 'The amount in this currency.' }),
      currency: text('The ISO 4217 code; `null` if the page does not state the currency.'),
    })
    .optional()
    .meta({
      description:
        'The price that the page states. Present only if it is not known to be in the currency of the ' +
        'record, which is US dollars unless `currency` is set.',
    }),
  signals: SignalsBody.optional(),
  series_source: z
    .literal('retailer_w')
    .optional()
    .meta({
      description:
        'The retailer to which `price_history.series` belongs. Present only if that is not the retailer ' +
        'that supplies the price.',
    }),
  source: z
    .literal('retailer_b')
    .optional()
    .meta({
      description:
        'The retailer that resolved the identifier. Present only if an identifier of retailer_b was ' +
        'resolved there.',
    }),
});

export const AsinMatchBody = z.strictObject({
  state: z.enum(['exact', 'substituted', 'unknown']).meta({
    description:
      "How the page's ASIN compares with the requested one. `exact`: the page shows the requested " +
      'ASIN. `unknown`: the source states no ASIN, so nothing was checked. `substituted`: the page ' +
      'shows another ASIN, which is returned only with the 404 `identity_mismatch`.',
  }),
  matched_asin: text('The ASIN of the listing that the page shows; `null` with `unknown`.'),
});

export const ProductRecord = z
  .strictObject({
    currency: saidCurrency,
    item_id: text('The item ID at retailer_w.'),
    upc: text('The UPC, 12 digits; `null` if the barcode has no such form.'),
    ean: text('The EAN, 13 digits; `null` if the barcode has no such form.'),
    isbn: text('The ISBN, 13 digits; set only for books.'),
    gtin: text('The GTIN, 14 digits.'),
    asin: text('The ASIN; in a lookup by ASIN, the requested one.'),
    mpn: text("The manufacturer's part number."),
    model: text('The model name or number.'),
    title: text('The title of the product.'),
    brand: text('The brand of the product.'),
    description: text('The description as plain text.'),
    image_url: text('The URL of the main image.'),
    current_price: exactAmount(
      'The current price, without shipping; `null` if it is in another currency, or the product is out ' +
        'of stock',
    ),
    buybox_price: exactAmount(
      'The price of the offer behind the buy button; `null` if the product is out of stock',
    ),
    best_price: BestPriceBody.nullable()
      .optional()
      .meta({
        description:
          'The lowest price, without shipping, of a new product that is in stock in the same pack (a ' +
          'listing that states no pack counts as the same), at any retailer whose record confirms the ' +
          'barcode and is not contradicted, fetched within the last two days. `null` if there is none; ' +
          'omitted with `retailer=` and if no barcode is known.',
      }),
    unit_price: UnitPriceBody,
    secondary_offer_price: exactAmount('The lowest price among the other offers'),
    msrp: exactAmount('The list price or former price; `null` if the product is out of stock'),
    weight_lbs: measure(
      'The weight in pounds: of the assembled product, otherwise of the package, otherwise a weight ' +
        'that is not specified further.',
    ),
    weight_assembled_lbs: measure(
      'The weight of the product alone in pounds; `null` if no retailer states it as such.',
    ),
    weight_package_lbs: measure(
      'The weight including the package in pounds; `null` if no retailer states it as such.',
    ),
    dimensions: dimensions(
      'The dimensions of the assembled product, otherwise of the package, otherwise those for which ' +
        'the page states neither.',
    ),
    dimensions_assembled: dimensions('The dimensions of the product itself.'),
    dimensions_package: dimensions('The dimensions of the package.'),
    offers_count: count(
      'The number of `offers`. Without them, the number in the last complete list, if it was fetched ' +
        'within a day.',
    ),
    total_offers: count(
      'The number of sellers that the listing states; with `offers`, the number that `offers_retailer` ' +
        'states.',
    ),
    delivery_date: day('The earliest delivery date, YYYY-MM-DD (UTC).'),
    fulfillment: Fulfillment,
    seller_name: text('The name of the seller as shown to buyers.'),
    seller_id: text('The ID of the seller.'),
    seller_type: z.enum(['first_party', 'third_party']).nullable().meta({
      description: 'The kind of seller. `first_party`: the retailer itself. `null` if unknown.',
    }),
    seller_rating: z
      .number()
      .nullable()
      .meta({ description: "The seller's rating in stars, 0 to 5." }),
    average_rating: z.number().min(0).max(5).nullable().meta({
      description: 'The average rating in stars, 0 to 5; `null` if there are no reviews.',
    }),
    review_count: count('The number of reviews that the page states.'),
    categories: z
      .array(z.string())
      .meta({ description: 'The categories of the shop, widest first.' }),
    specs: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'The name as the page states it.' }),
          value: z.string().meta({ description: 'The value as the page states it.' }),
        }),
      )
      .meta({ description: 'The rows of the specification table, in page order.' }),
    retailer_w_url: text('The URL of the product page at retailer_w.'),
    in_stock: flag(
      'Whether the product is in stock: `true` if at least one retailer has it in stock, `false` if ' +
        'every retailer that states its stock has none.',
    ),
    condition: text(
      'The condition, in the vocabulary that all retailers share, for example `new`.',
    ),
    sold_tag: text("The retailer's sales tag, word for word."),
    estimated_sales: count(
      'The number of units sold per month, if `sold_tag` states a monthly number.',
    ),
    is_best_seller: flag('Whether the retailer marks the product as a best seller.'),
    sales_rank: SalesRanks,
    pack_count: count(
      'The number of pieces in the pack: the outermost multiplier that a field or the title states.',
    ),
    hazmat: flag('Whether the product is dangerous goods.'),
    referral_fee_usd: exactUsd(
      'The referral fee according to the public rate card (`null` if it cannot be computed)',
    ),
    fulfillment_fee_usd: exactUsd(
      'The fulfilment fee according to the public rate card (`null` if it cannot be computed)',
    ),
    restriction: RestrictionBody,
    fulfillment_eligibility: FulfillmentEligibilityBody,
    seller_context: SellerContextBody.optional(),
    price_history: PriceHistory.optional().meta({
      description: 'The stored price history. Omitted with `include_history=false`.',
    }),
    stats: Stats.optional().meta({
      description: 'The price statistics. Omitted with `include_stats=false`.',
    }),
    fee_breakdown: FeeBreakdown.nullable()
      .optional()
      .meta({
        description:
          'How the fees were computed; `null` for a retailer without a marketplace. Present only with ' +
          '`include_fee_breakdown`.',
      }),
    offers: OffersBody.optional(),
    ...offersFields,
    review_summary: ReviewSummaryBody.optional(),
    reviews: ReviewsBlock.optional().meta({
      description:
        'The reviews of the product. Present only with `include_offers_reviews`. Months are known for ' +
        'retailer_w only; for other retailers, the published totals are returned.',
    }),
    ...offersHistoryFields,
    retailer_links: z
      .array(RetailerLink)
      .optional()
      .meta({
        description:
          'The listings of the product at all retailers. Present only for a product with a known barcode; ' +
          'omitted in lookups by `item_id`.',
      }),
    cross_retailer: CrossRetailer.optional(),
    asin_match: AsinMatchBody.optional().meta({
      description: 'Whether the page shows the requested ASIN. Present only in lookups by ASIN.',
    }),
    identity_only: z
      .literal(true)
      .optional()
      .meta({
        description:
          'Present only if no retailer is known to have the product: `_meta.identity_from` ' +
          'names the public barcode database that identifies it. There is no price, stock or ' +
          'rating, and requested add-ons are not charged.',
      }),
    _freshness: z
      .strictObject({
        refreshed_at: z.iso.datetime().meta({
          description: 'When price and stock, or the facts of the database, were last fetched.',
        }),
      })
      .meta({ description: 'The age of the record.' }),
    ...termsFields,
    _meta: Meta.meta({ description: 'The sources of the record, which clients can ignore.' }),
    ...tokenFields,
  })
  .meta({ id: 'ProductRecord' });

export type ProductRecord = z.infer<typeof ProductRecord>;
