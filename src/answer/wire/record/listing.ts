// The facts that a reader found on a product page, as JSON for `openshelf parse` and the programs that measure the readers.
// It is the listing in its page's currency, with the field names of the product record (D23, D26).

import type { Fulfillment, Listing } from '../../../base/listing/listing.ts';
import { amountOf, type Money } from '../../../base/listing/money/minor-units.ts';
import { publicUrl } from '../../../base/listing/public-url.ts';
import type { PageVerdict, ReadNotes } from '../../../base/listing/page.ts';
import { estimatedSales } from '../../../base/listing/vocabularies/sold-tag.ts';
import { bestDimensions, bestWeight } from '../../../base/listing/listing.ts';
import { presentOfferOfW } from './offer.ts';
import { presentDimensions, presentOption, presentSalesRank } from './present-facts.ts';

/** Maps each kind of verdict to `verdict` in the JSON. Only `product` has a listing. */
const READING_VERDICTS = {
  read: 'product',
  follow: 'follow',
  not_found: 'not_found',
  not_a_product: 'not_product',
  blocked: 'blocked',
  retry: 'retry',
  unreadable: 'unreadable',
} as const satisfies Record<PageVerdict<Listing>['kind'], string>;

const amount = (money: Money | null): number | null => (money === null ? null : amountOf(money));

function presentFulfillment(ways: Fulfillment | null) {
  if (ways === null) return null;
  return {
    shipping: presentOption(ways.shipping, 'USD'),
    delivery: presentOption(ways.delivery, 'USD'),
    pickup: presentOption(ways.pickup, 'USD'),
  };
}

function identityFields(listing: Listing) {
  return {
    url: listing.url,
    item_id: listing.itemId,
    asin: listing.asin,
    product_id: listing.productId,
    gtin: listing.gtin,
    sku: listing.sku,
    mpn: listing.mpn,
    model: listing.model,
    variant_id: listing.variantId,
    codes: listing.codes,
    title: listing.title,
    brand: listing.brand,
    description: listing.description,
    image_url: publicUrl(listing.imageUrl),
    categories: listing.categories,
    specs: listing.specs,
  };
}

function offerFields(listing: Listing) {
  return {
    price: amount(listing.price),
    currency: (listing.price ?? listing.listPrice)?.currency ?? null,
    price_read_from: listing.priceReadFrom,
    other_price: amount(listing.otherPrice),
    list_price: amount(listing.listPrice),
    instalment_total: amount(listing.instalmentTotal),
    secondary_offer_price: amount(listing.secondaryOfferPrice),
    in_stock: listing.inStock,
    unavailable: listing.unavailable,
    condition: listing.condition,
    rating: listing.rating,
    review_count: listing.reviewCount,
    rating_distribution: listing.ratingDistribution,
    seller_name: listing.sellerName,
    seller_id: listing.sellerId,
    seller_type: listing.sellerType,
    catalog_seller_id: listing.catalogSellerId,
    seller_rating: listing.sellerRating,
    seller_review_count: listing.sellerReviewCount,
    offers_count: listing.offersCount,
    offers: listing.offers.map((offer) => presentOfferOfW(offer, 'USD')),
    delivery_date: listing.deliveryDate,
    fulfillment: presentFulfillment(listing.fulfillment),
  };
}

/** Presents a listing with snake_case names; amounts in its own currency, weights in pounds, sides in inches. */
export function presentListing(listing: Listing) {
  return {
    ...identityFields(listing),
    ...offerFields(listing),
    weight_lbs: bestWeight(listing),
    weight_assembled_lbs: listing.weightAssembledLbs,
    weight_package_lbs: listing.weightPackageLbs,
    dimensions: presentDimensions(bestDimensions(listing)),
    dimensions_assembled: presentDimensions(listing.dimensionsAssembled),
    dimensions_package: presentDimensions(listing.dimensionsPackage),
    sold_tag: listing.soldTag,
    estimated_sales: listing.soldTag === null ? null : estimatedSales(listing.soldTag),
    is_best_seller: listing.isBestSeller,
    sales_rank: presentSalesRank(listing.salesRank),
    pack_count: listing.packCount,
    hazmat: listing.hazmat,
  };
}

/** Presents a reader's notes; `unknown_words` only if there are any. */
export function presentNotes({ missing, remarks, unknownWords = [] }: ReadNotes) {
  return {
    missing,
    remarks,
    ...(unknownWords.length === 0 ? {} : { unknown_words: unknownWords }),
  };
}

/**
 * Presents the result of reading a page: `verdict`, then the listing and the `notes` of a product page, or why there is
 * none (`why`, `retry_after_seconds`, or the address to fetch next).
 */
export function presentReading(verdict: PageVerdict<Listing>) {
  const named = { verdict: READING_VERDICTS[verdict.kind] };
  switch (verdict.kind) {
    case 'read':
      return { ...named, ...presentListing(verdict.value), notes: presentNotes(verdict.notes) };
    case 'follow':
      return { ...named, follow: verdict.request.url };
    case 'blocked':
    case 'retry':
      return { ...named, why: verdict.why, retry_after_seconds: verdict.retryAfterSeconds ?? null };
    case 'not_found':
    case 'not_a_product':
    case 'unreadable':
      return { ...named, why: verdict.why };
  }
}
