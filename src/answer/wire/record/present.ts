// The product record with everything that a call can request.

import type { Product } from '../../../rules/product/product.ts';
import { presentCells } from './cells.ts';
import { presentFeeBreakdown } from './fees.ts';
import { presentOffers, presentReviewFacts } from './offer.ts';
import { presentOffersHistory } from './offers-history.ts';
import {
  presentRecord,
  type AddedFields,
  type RecordBody,
  type RecordOptions,
} from './present-record.ts';
import { presentReviews } from './reviews.ts';

/** Returns a product's record, without its token fields. */
export function presentProduct(product: Product, options: RecordOptions): RecordBody {
  return presentRecord(product, options, addedFields(product, options));
}

function addedFields(product: Product, options: RecordOptions): AddedFields {
  return {
    offers: {
      ...(options.includeFeeBreakdown === true
        ? { fee_breakdown: presentFeeBreakdown(product.fees) }
        : {}),
      ...(product.offers === null
        ? {}
        : {
            offers: presentOffers(product.offers, product.currency),
            offers_complete: product.offers.isComplete,
            offers_retailer: product.offers.retailer,
            review_summary: presentReviewFacts(product),
          }),
      ...presentOffersHistory(product.offersHistory, product.currency),
      ...(product.reviews === null ? {} : { reviews: presentReviews(product.reviews) }),
    },
    cells:
      product.crossRetailer === undefined
        ? {}
        : {
            cross_retailer: presentCells(
              product.crossRetailer,
              product.currency,
              options.isCurrencyAsked === true,
            ),
          },
  };
}
