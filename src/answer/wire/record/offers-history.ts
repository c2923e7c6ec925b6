// `offers_history`: archived offers, their schema and its presentation (D28, D31).

import { z } from 'zod';

import { isoTimestamp } from '../../../base/clock.ts';
import type { ArchivedOffer, OffersHistory } from '../../../rules/product/product.ts';
import { amountIn } from '../hundredths.ts';
import { OfferOfW, presentOfferOfW } from './offer.ts';

const ArchivedOfferBody = z
  .strictObject({
    ...OfferOfW.shape,
    observed_at: z.iso
      .datetime()
      .meta({ description: 'When the list showed the offer (ISO 8601, UTC).' }),
    was_price: z
      .number()
      .nonnegative()
      .nullable()
      .meta({
        description:
          'The former price that the list stated, otherwise the price of the same offer at its previous ' +
          'observation; `null` if neither is known, or if the offer was out of stock.',
      }),
    seller_rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: "The seller's rating in stars at that time." }),
    offers_complete: z.boolean().meta({
      description:
        'Whether the list contained every offer. `false`: the offer is from a product page, so a seller ' +
        'missing there may still have had an offer.',
    }),
    seller_review_count: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'The number of seller reviews at that time.' }),
  })
  .meta({ id: 'ArchivedOffer', description: 'An archived offer of retailer_w.' });

/** Two fields of the record, present only with `include_offers_history`. */
export const offersHistoryFields = {
  offers_history_count: z.int().nonnegative().optional().meta({
    description: 'The number of archived offers. Present only with `include_offers_history`.',
  }),
  offers_history: z
    .array(ArchivedOfferBody)
    .optional()
    .meta({
      description:
        'The offers of retailer_w that earlier live requests observed, newest first, at most 500; empty ' +
        'if none is archived. Present only with `include_offers_history`.',
    }),
};

function presentArchived({ observedAtMs, offer, isPartial }: ArchivedOffer, currency: string) {
  const { wasPrice, inStock } = offer;
  const isShown = inStock !== false && wasPrice?.currency === currency;
  return {
    ...presentOfferOfW(offer, currency),
    observed_at: isoTimestamp(observedAtMs),
    offers_complete: !isPartial,
    was_price: isShown ? amountIn(wasPrice.cents, currency) : null,
    seller_rating: offer.sellerRating,
    seller_review_count: offer.sellerReviewCount,
  };
}

/** Returns both fields if the call requested the archive, else none. */
export function presentOffersHistory(
  history: OffersHistory | undefined,
  currency = 'USD',
): {
  offers_history_count?: number;
  offers_history?: z.infer<typeof ArchivedOfferBody>[];
} {
  if (history === undefined) return {};
  return {
    offers_history_count: history.total,
    offers_history: history.offers.map((each) => presentArchived(each, currency)),
  };
}
