// The result of any reader, as JSON for `openshelf parse` and the programs that measure the readers: a product as in
// `listing.ts`, a list with its entries, a seller, reviews.

import { amountOf, type Money } from '../../../base/listing/money/minor-units.ts';
import { publicUrl } from '../../../base/listing/public-url.ts';
import type { Offer } from '../../../base/listing/offer.ts';
import type { PageVerdict, ReadNotes } from '../../../base/listing/page.ts';
import type { ReviewPage } from '../../../base/listing/review.ts';
import type { SellerProfile } from '../../../base/listing/seller.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { presentListing, presentNotes, presentReading } from './listing.ts';

const amount = (money: Money | null): number | null => (money === null ? null : amountOf(money));

function presentOffer(offer: Offer) {
  return {
    offer_id: offer.offerId,
    seller_id: offer.sellerId ?? offer.sellerIdHex,
    seller_id_hex: offer.sellerIdHex,
    seller_name: offer.sellerName,
    seller_type: offer.sellerType,
    seller_rating: offer.sellerRating,
    seller_review_count: offer.sellerReviewCount,
    pro_seller: offer.proSeller,
    price: amount(offer.price),
    currency: offer.price?.currency ?? null,
    list_price: amount(offer.wasPrice),
    shipping_cost: amount(offer.shipping),
    is_buy_box: offer.isBuyBox,
    in_stock: offer.inStock,
    condition: offer.condition,
    fulfilled_w: offer.fulfilledW,
    fulfilled_a: offer.fulfilledA,
    fulfilled_by_marketplace: offer.fulfilledByMarketplace,
    fulfillment_type: offer.fulfillmentType,
    delivery_date: offer.deliveryDate,
    max_delivery_date: offer.maxDeliveryDate,
    max_order_quantity: offer.maxOrderQuantity,
    quantity_available: offer.quantityAvailable,
    returnable: offer.returnable,
    return_window_days: offer.returnWindowDays,
    free_returns: offer.freeReturns,
  };
}

function presentSeller(seller: SellerProfile) {
  return {
    seller_id: seller.sellerId ?? seller.catalogSellerId,
    catalog_seller_id: seller.catalogSellerId,
    seller_name: seller.name,
    rating: seller.rating,
    review_count: seller.ratingCount,
    active_listings: seller.activeListings,
    account_age_days: seller.accountAgeDays,
    status: seller.status,
    seller_type:
      seller.sellerType === null ? null : seller.sellerType === 'FIRST_PARTY' ? '1p' : '3p',
    pro_seller: seller.proSeller,
    profile_url: publicUrl(seller.profileUrl),
    categories: seller.categories,
    location:
      seller.location === null
        ? null
        : {
            city: seller.location.city,
            state: seller.location.state,
            postal_code: seller.location.postalCode,
            country: seller.location.country,
          },
  };
}

function presentReviews(page: ReviewPage) {
  return {
    rating: page.averageRating,
    review_count: page.totalReviews,
    rating_distribution: page.ratingDistribution,
    result_count: page.reviews.length,
    entries: page.reviews.map((review) => ({
      review_id: review.id,
      date: review.day,
      rating: review.rating,
      title: review.title,
      text: review.text,
      verified: review.isVerifiedPurchase,
      author: review.author,
    })),
  };
}

function presentRead(reading: RetailerAnswer, read: ReadNotes) {
  const notes = presentNotes(read);
  switch (reading.kind) {
    case 'product':
      return presentReading({ kind: 'read', value: reading.listing, notes: read });
    case 'offers': {
      const { offers, totalOffers } = reading.offers;
      return {
        ...(reading.product === undefined ? {} : presentListing(reading.product)),
        verdict: 'offers',
        result_count: offers.length,
        total_offers: totalOffers,
        entries: offers.map(presentOffer),
        notes,
      };
    }
    case 'search':
      return {
        verdict: 'search',
        result_count: reading.hits.length,
        total: reading.total,
        entries: reading.hits.map(presentListing),
        notes,
      };
    case 'seller':
      return { verdict: 'seller', ...presentSeller(reading.seller), notes };
    case 'reviews':
      return { verdict: 'reviews', ...presentReviews(reading.reviews), notes };
    case 'restriction': {
      const { flag, reason } = reading.restriction;
      return { verdict: 'restriction', flag, reason, notes };
    }
    case 'fulfillment_eligibility': {
      const { enabled, reason } = reading.eligibility;
      return { verdict: 'fulfillment_eligibility', enabled, reason, notes };
    }
  }
}

/** Presents the result of reading an answer: `verdict`, then its content, or the reason why there is none. */
export function presentRetailerAnswer(
  verdict: PageVerdict<RetailerAnswer>,
): Readonly<Record<string, unknown>> {
  if (verdict.kind !== 'read') return presentReading(verdict);
  return presentRead(verdict.value, verdict.notes);
}
