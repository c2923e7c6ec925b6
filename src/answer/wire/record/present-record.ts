// Builds a product's record: field names, amounts for minor units, and which fields are absent rather than null (D23). It is
// separate from its schemas; data that a call must request is presented elsewhere.

import { isoTimestamp } from '../../../base/clock.ts';
import { wireForms } from '../../../base/identifiers/gtin.ts';
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
import {
  amountIn,
  amountOrNull,
  currencyField,
  fineAmountOf,
  presentMoney,
  usdOf,
} from '../hundredths.ts';
import { presentSignals } from '../signals.ts';
import { presentLimits, withheldFields, type WithheldNames } from '../withheld.ts';

export type RecordOptions = {
  readonly includeHistory: boolean;
  readonly includeStats: boolean;
  /** Absent means false. */
  readonly includeFeeBreakdown?: boolean;
  /** Whether the call requested a currency, which the record then states. Absent means false. */
  readonly isCurrencyAsked?: boolean;
};

/** A record without the call's token fields: the part that is stored for replays. */
export type RecordBody = Omit<ProductRecord, 'tokens_consumed' | 'tokens_remaining'>;

/** The fields that a call requested, for two places in the record. */
export type AddedFields = {
  readonly offers: Partial<RecordBody>;
  readonly cells: Pick<RecordBody, 'cross_retailer'>;
};

/** Builds a product's record, without its token fields. `added` contains the add-ons that the call requested. */
export function presentRecord(
  product: Product,
  options: RecordOptions,
  { offers, cells }: AddedFields,
): RecordBody {
  const facts = {
    ...identityFields(product),
    ...currencyField(product.currency, options.isCurrencyAsked === true),
    ...offerFields(product),
    ...physicalFields(product),
    ...factFields(product),
  };
  return {
    ...facts,
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
    ...(product.identityFrom === undefined ? {} : { identity_only: true as const }),
    _freshness: { refreshed_at: isoTimestamp(product.refreshedAtMs) },
    ...presentLimits(product.limits, nullOf(facts)),
    _meta: meta(product),
  };
}

/** The fields of a record that terms of the anchor's source may withhold. */
const WITHHELD = {
  sale: [
    'current_price',
    'buybox_price',
    'unit_price',
    'secondary_offer_price',
    'msrp',
    'offers_count',
    'total_offers',
    'delivery_date',
    'fulfillment',
    'seller_name',
    'seller_id',
    'seller_type',
    'seller_rating',
    'in_stock',
    'sold_tag',
    'estimated_sales',
    'referral_fee_usd',
    'fulfillment_fee_usd',
  ],
  facts: [
    'title',
    'brand',
    'description',
    'image_url',
    'average_rating',
    'review_count',
    'condition',
    'is_best_seller',
    'sales_rank',
    'pack_count',
    'hazmat',
  ],
};

/** Returns the fields that are null: a field that another listing supplies is not withheld. */
function nullOf(facts: Readonly<Record<string, unknown>>): WithheldNames {
  const isNull = (name: string): boolean => facts[name] === null;
  return { sale: WITHHELD.sale.filter(isNull), facts: WITHHELD.facts.filter(isNull) };
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
  const { currency } = product;
  const price = amountOrNull(product.currentPriceCents, currency);
  return {
    current_price: price,
    // A page states only one price, which belongs to the buy box offer.
    buybox_price: price,
    ...bestPrice(product),
    unit_price: unitPrice(product),
    secondary_offer_price: amountOrNull(product.secondaryOfferCents, currency),
    msrp: amountOrNull(product.msrpCents, currency),
    offers_count: product.offersCount,
    total_offers: product.totalOffers,
    delivery_date: product.deliveryDate,
    fulfillment: fulfillment(product),
    seller_name: product.sellerName,
    seller_id: product.sellerId,
    seller_type: sellerType(product.sellerType),
    seller_rating: product.sellerRating,
  };
}

/** D60: absent if no other prices are considered. */
function bestPrice({ bestPrice: best, currency }: Product): Pick<ProductRecord, 'best_price'> {
  if (best === undefined) return {};
  if (best === null) return { best_price: null };
  const { retailer, cents, url, refreshedAtMs } = best;
  const refreshed = { refreshed_at: isoTimestamp(refreshedAtMs) };
  return { best_price: { retailer, price: amountIn(cents, currency), url, ...refreshed } };
}

function unitPrice({ unitPrice: value, currency }: Product): ProductRecord['unit_price'] {
  if (value === null) return null;
  return { price: fineAmountOf(value.cents, currency), unit: value.unit };
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

function fulfillment({ fulfillment: value, currency }: Product): ProductRecord['fulfillment'] {
  if (value === null) return null;
  const shipping = presentOption(value.shipping, currency);
  return {
    shipping:
      shipping === null
        ? null
        : { ...shipping, free: shipping.cost === null ? null : shipping.cost === 0 },
    delivery: presentOption(value.delivery, currency),
    pickup: presentOption(value.pickup, currency),
  };
}

function priceHistory(product: Product): ProductRecord['price_history'] {
  const { priceSeries: series, currency } = product;
  return {
    first_observed_date: product.priceHistory.firstDay,
    last_observed_date: product.priceHistory.lastDay,
    days_covered: product.priceHistory.daysCovered,
    ...(series === undefined ? {} : { series: series.map((bar) => presentBar(bar, currency)) }),
    ...historyWithheld(product, [
      'first_observed_date',
      'last_observed_date',
      // The bars of another retailer are given.
      ...(series === undefined || series.length > 0 ? [] : ['series']),
    ]),
  };
}

/** Checks whether the anchor has no history because the terms of its source allow none. */
function hasNoHistory({ limits, priceHistory }: Product): boolean {
  return limits?.history === false && priceHistory.firstDay === null;
}

function historyWithheld(product: Product, fields: readonly string[]) {
  const source = product.limits?.source ?? '';
  return hasNoHistory(product) ? { withheld: withheldFields(source, fields) } : {};
}

function window(value: PriceWindow | null, currency: string) {
  if (value === null) return null;
  return {
    low: amountIn(value.lowCents, currency),
    high: amountIn(value.highCents, currency),
    average: amountIn(value.averageCents, currency),
    days_covered: value.daysCovered,
    observation_count: value.observationCount,
    excluded_count: value.excludedCount,
  };
}

function stats(product: Product): ProductRecord['stats'] {
  const { currency, currentPriceCents, windows } = product;
  const current_price = amountOrNull(currentPriceCents, currency);
  if (hasNoHistory(product)) {
    return { current_price, windows: null, ...historyWithheld(product, ['windows']) };
  }
  return {
    current_price,
    windows: {
      '30d': window(windows['30d'], currency),
      '60d': window(windows['60d'], currency),
      '90d': window(windows['90d'], currency),
      '180d': window(windows['180d'], currency),
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

function identityFrom({
  identityFrom: from,
}: Product): Pick<ProductRecord['_meta'], 'identity_from' | 'upstream'> {
  if (from === undefined) return {};
  const { silent, ...identity_from } = from;
  return { identity_from, ...(silent.length === 0 ? {} : { upstream: [...silent] }) };
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
    ...identityFrom(product),
    ...(native === null ? {} : { native_price: presentMoney(native) }),
    ...(product.movedFrom === undefined ? {} : { moved_from: product.movedFrom }),
    ...((product.notAsked ?? []).length === 0 ? {} : { indexing: [...(product.notAsked ?? [])] }),
    ...((product.cannotAsk ?? []).length === 0
      ? {}
      : { not_asked: [...(product.cannotAsk ?? [])] }),
    ...(product.priceReadFrom === null ? {} : { price_read_from: product.priceReadFrom }),
    ...(other === null ? {} : { other_price: presentMoney(other) }),
    ...(product.priceSuspect === null ? {} : { price_suspect: { reason: product.priceSuspect } }),
    ...((product.sellerContextNull ?? null) === null
      ? {}
      : { seller_context_null: product.sellerContextNull ?? undefined }),
    ...(product.resolvedByRetailerB ? { source: 'retailer_b' as const } : {}),
    ...seriesSource(product),
    ...presentSignals(product.signals),
  };
}
