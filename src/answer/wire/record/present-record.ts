// Builds a product's record: field names, dollars for cents, and which fields are absent rather than null (D23). It is
// separate from its schemas; data that a call must request is presented elsewhere.

import { isoTimestamp } from '../../../base/clock.ts';
import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { Fulfillment } from '../../../base/listing/listing.ts';
import { dollars } from '../../../base/dollars.ts';
import { amountOf } from '../../../base/listing/money/minor-units.ts';
import { publicUrl } from '../../../base/listing/public-url.ts';
import type { PriceWindow } from '../../../rules/history/daily-bars.ts';
import type { Product } from '../../../rules/product/product.ts';
import { estimatedSales } from '../../../base/listing/vocabularies/sold-tag.ts';
import {
  presentBar,
  presentDimensions,
  presentOption,
  presentSalesRank,
  presentSellerContext,
} from './present-facts.ts';
import type { ProductRecord } from './product-record.ts';
import { usdOf } from '../hundredths.ts';

export type RecordOptions = {
  readonly includeHistory: boolean;
  readonly includeStats: boolean;
  /** Absent means false. */
  readonly includeFeeBreakdown?: boolean;
};

/** A record without the call's token fields: the part that is stored for replays. */
export type RecordBody = Omit<ProductRecord, 'tokens_consumed' | 'tokens_remaining'>;

/** The fields that a call requested, for two places in the record. */
export type AddedFields = {
  readonly offers: Partial<RecordBody>;
  readonly cells: Pick<RecordBody, 'cross_retailer'>;
};

/**
 * Builds a product's record, without its token fields. `added` contains what the call requested beyond the plain record.
 */
export function presentRecord(
  product: Product,
  options: RecordOptions,
  { offers, cells }: AddedFields,
): RecordBody {
  return {
    ...identityFields(product),
    ...offerFields(product),
    ...physicalFields(product),
    ...factFields(product),
    ...(options.includeHistory ? { price_history: priceHistory(product) } : {}),
    ...(options.includeStats ? { stats: stats(product) } : {}),
    ...offers,
    ...(product.retailerLinks === null ? {} : { retailer_links: links(product) }),
    ...cells,
    ...(product.asinMatch === null
      ? {}
      : {
          asin_match: {
            state: product.asinMatch.state,
            matched_asin: product.asinMatch.matchedAsin,
          },
        }),
    _freshness: { refreshed_at: isoTimestamp(product.refreshedAtMs) },
    _meta: meta(product),
  };
}

/** Builds the record for a call without parameters. */
export function presentPlain(product: Product, options: RecordOptions): RecordBody {
  return presentRecord(product, options, { offers: {}, cells: {} });
}

function identityFields(product: Product) {
  const codes =
    product.gtin === null
      ? { upc: null, ean: null, isbn: null, gtin: null }
      : wireForms(product.gtin);
  return {
    item_id: product.itemId,
    ...codes,
    asin: product.asin,
    mpn: product.mpn,
    model: product.model,
    title: product.title,
    brand: product.brand,
    description: product.description,
    image_url: publicUrl(product.imageUrl),
    retailer_w_url: product.retailerWUrl,
  };
}

function offerFields(product: Product) {
  const price = usdOf(product.currentPriceCents);
  return {
    current_price: price,
    // A page states only one price, that of the buy box offer.
    buybox_price: price,
    ...bestPrice(product),
    unit_price: unitPrice(product),
    secondary_offer_price: usdOf(product.secondaryOfferCents),
    msrp: usdOf(product.msrpCents),
    offers_count: product.offersCount,
    total_offers: product.totalOffers,
    delivery_date: product.deliveryDate,
    fulfillment: fulfillment(product.fulfillment),
    seller_name: product.sellerName,
    seller_id: product.sellerId,
    seller_type: sellerType(product.sellerType),
    seller_rating: product.sellerRating,
  };
}

/** D60: absent if no other prices are considered. */
function bestPrice({ bestPrice: best }: Product): Pick<ProductRecord, 'best_price'> {
  if (best === undefined) return {};
  if (best === null) return { best_price: null };
  const { retailer, cents, url, refreshedAtMs } = best;
  const refreshed = { refreshed_at: isoTimestamp(refreshedAtMs) };
  return { best_price: { retailer, price: dollars(cents), url, ...refreshed } };
}

/** Four decimals, because a unit may cost less than a cent. */
function unitPrice({ unitPrice: value }: Product): ProductRecord['unit_price'] {
  if (value === null) return null;
  return { price: Math.round(value.cents * 100) / 10_000, unit: value.unit };
}

function sellerType(type: Product['sellerType']): ProductRecord['seller_type'] {
  if (type === null) return null;
  return type === '1p' ? 'first_party' : 'third_party';
}

function physicalFields(product: Product) {
  return {
    weight_lbs: product.weightLbs,
    weight_assembled_lbs: product.weightAssembledLbs,
    weight_package_lbs: product.weightPackageLbs,
    dimensions: presentDimensions(product.dimensions),
    dimensions_assembled: presentDimensions(product.dimensionsAssembled),
    dimensions_package: presentDimensions(product.dimensionsPackage),
  };
}

function factFields(product: Product) {
  return {
    average_rating: product.averageRating,
    review_count: product.reviewCount,
    categories: [...product.categories],
    specs: product.specs.map(({ name, value }) => ({ name, value })),
    in_stock: product.inStock,
    condition: product.condition,
    sold_tag: product.soldTag,
    estimated_sales: product.soldTag === null ? null : estimatedSales(product.soldTag),
    is_best_seller: product.isBestSeller,
    sales_rank: presentSalesRank(product.salesRank),
    pack_count: product.packCount,
    hazmat: product.hazmat,
    referral_fee_usd: usdOf(product.fees?.referralCents ?? null),
    fulfillment_fee_usd: usdOf(product.fees?.fulfillmentCents ?? null),
    ...presentSellerContext(product),
  };
}

function fulfillment(value: Fulfillment | null): ProductRecord['fulfillment'] {
  if (value === null) return null;
  const shipping = presentOption(value.shipping);
  return {
    shipping:
      shipping === null
        ? null
        : { ...shipping, free: shipping.cost === null ? null : shipping.cost === 0 },
    delivery: presentOption(value.delivery),
    pickup: presentOption(value.pickup),
  };
}

function priceHistory(product: Product): ProductRecord['price_history'] {
  return {
    first_observed_date: product.priceHistory.firstDay,
    last_observed_date: product.priceHistory.lastDay,
    days_covered: product.priceHistory.daysCovered,
    ...(product.priceSeries === undefined ? {} : { series: product.priceSeries.map(presentBar) }),
  };
}

function window(value: PriceWindow | null) {
  if (value === null) return null;
  return {
    low: dollars(value.lowCents),
    high: dollars(value.highCents),
    average: dollars(value.averageCents),
    days_covered: value.daysCovered,
    observation_count: value.observationCount,
    excluded_count: value.excludedCount,
  };
}

function stats(product: Product): ProductRecord['stats'] {
  return {
    current_price: usdOf(product.currentPriceCents),
    windows: {
      '30d': window(product.windows['30d']),
      '60d': window(product.windows['60d']),
      '90d': window(product.windows['90d']),
      '180d': window(product.windows['180d']),
    },
  };
}

function links(product: Product): NonNullable<ProductRecord['retailer_links']> {
  return (product.retailerLinks ?? []).map((link) => ({
    retailer: link.retailer,
    url: link.url,
    found_via: link.foundVia,
    identity_state: link.identityState,
  }));
}

/** More decimals would suggest a precision that the probability does not have. */
function twoDecimals<Value extends number | null>(value: Value): Value {
  return (value === null ? null : Math.round(value * 100) / 100) as Value;
}

/** D29: the series is retailer_w's; this states so if the rest of the history is another retailer's. */
function seriesSource({
  priceSeries,
  anchor,
}: Product): Pick<ProductRecord['_meta'], 'series_source'> {
  const isForeign = (priceSeries ?? []).length > 0 && anchor.retailer !== 'retailer_w';
  return isForeign ? { series_source: 'retailer_w' } : {};
}

function meta(product: Product): ProductRecord['_meta'] {
  const native = product.nativePrice;
  const other = product.otherPrice;
  return {
    title_source: product.sources.title,
    brand_source: product.sources.brand,
    weight_lbs_source: product.sources.weightLbs,
    dimensions_source: product.sources.dimensions,
    price_source: product.sources.price,
    via: product.via,
    data_quality_score: twoDecimals(product.agreement.score),
    disagreements: product.agreement.disagreements.map((each) => ({
      retailer: each.retailer,
      reason: each.reason,
      detail: each.detail,
      similarity: twoDecimals(each.similarity),
      their_title: each.theirTitle,
      consensus_title: each.consensusTitle,
    })),
    ...(native === null
      ? {}
      : { native_price: { amount: amountOf(native), currency: native.currency } }),
    ...(product.movedFrom === undefined ? {} : { moved_from: product.movedFrom }),
    ...(product.priceReadFrom === null ? {} : { price_read_from: product.priceReadFrom }),
    ...(other === null
      ? {}
      : { other_price: { amount: amountOf(other), currency: other.currency } }),
    ...(product.priceSuspect === null ? {} : { price_suspect: { reason: product.priceSuspect } }),
    ...((product.sellerContextNull ?? null) === null
      ? {}
      : { seller_context_null: product.sellerContextNull ?? undefined }),
    ...(product.resolvedByRetailerB ? { source: 'retailer_b' as const } : {}),
    ...seriesSource(product),
  };
}
