// Archived offers as they stand on the wire (specification: archived offer; D28, D31): schema, and domain -> wire.

import { z } from '@hono/zod-openapi';

import { isoTimestamp } from '../core/clock.ts';
import { dollars } from '../listing/money.ts';
import type { ArchivedOffer, OffersHistory } from '../product/product.ts';
import { OfferOfW, presentOfferOfW } from './offer.ts';

const ArchivedOfferBody = z
  .strictObject({
    ...OfferOfW.shape,
    observed_at: z.iso.datetime().meta({ description: 'When the list showed it, ISO 8601 UTC.' }),
    was_price: z
      .number()
      .nonnegative()
      .nullable()
      .meta({
        description:
          'USD: the was price that the list stated, else what the same offer cost when it was seen before. Null: ' +
          'neither is known, or it was out of stock.',
      }),
    seller_rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'Of the seller, then.' }),
    seller_review_count: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Reviews of the seller, then.' }),
  })
  .openapi('ArchivedOffer', { description: 'An offer of retailer_w as it was seen once.' });

/** Fields of the record, both only with `include_offers_history`. */
export const offersHistoryFields = {
  offers_history_count: z
    .int()
    .nonnegative()
    .optional()
    .meta({ description: 'Only with `include_offers_history`: archived offers that are held.' }),
  offers_history: z
    .array(ArchivedOfferBody)
    .optional()
    .meta({
      description:
        'Only with `include_offers_history`: offers of retailer_w as live calls saw them, newest first, at most ' +
        '500. Empty when nothing is archived.',
    }),
};

function presentArchived({ observedAtMs, offer }: ArchivedOffer) {
  const { wasPrice, inStock } = offer;
  const isShown = inStock !== false && wasPrice?.currency === 'USD';
  return {
    ...presentOfferOfW(offer),
    observed_at: isoTimestamp(observedAtMs),
    was_price: isShown ? dollars(wasPrice.cents) : null,
    seller_rating: offer.sellerRating,
    seller_review_count: offer.sellerReviewCount,
  };
}

/** Both fields when the archive was asked for, else none. */
export function presentOffersHistory(history: OffersHistory | undefined): {
  offers_history_count?: number;
  offers_history?: z.infer<typeof ArchivedOfferBody>[];
} {
  if (history === undefined) return {};
  return {
    offers_history_count: history.total,
    offers_history: history.offers.map(presentArchived),
  };
}
