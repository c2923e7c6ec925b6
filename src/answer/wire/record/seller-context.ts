// What marketplaces allow a seller: `seller_context`, `restriction`, `fulfillment_eligibility` and the cells'
// `seller_context` (D33); the schemas.

import { z } from 'zod';

import { exactUsd, text } from '../fields.ts';

export const RestrictionBody = z
  .strictObject({
    flag: z.boolean().meta({ description: 'Whether it is restricted.' }),
    reason: text('The reason that the marketplace states; null when it states none.'),
  })
  .nullable()
  .meta({
    description:
      'Whether the marketplace restricts the seller account of this installation from listing it as new. Null: not ' +
      'requested, or not known.',
  });

export const FulfillmentEligibilityBody = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'Whether it is eligible.' }),
    reason: text('Why it is not eligible; null when it is.'),
  })
  .nullable()
  .meta({
    description:
      'Whether the marketplace would store and ship it for a seller. Null: not requested, or not known.',
  });

export const SellerContextBody = z
  .strictObject({
    restricted: z
      .strictObject({
        any: z.boolean().meta({ description: 'Whether at least one marketplace restricts it.' }),
        retailers: z
          .array(z.string())
          .meta({ description: 'Slugs of the marketplaces that restrict it.' }),
        primary_reason: text('The reason that the first of them states.'),
      })
      .nullable()
      .meta({
        description: 'Over the marketplaces that answered. Null: none did.',
      }),
  })
  .nullable()
  .meta({
    description:
      'Only with `include_seller_context`. Null when the shop that supplies the price is not a marketplace.',
  });

/** `seller_context` of a cell. */
export const CellSellerContextBody = z
  .strictObject({
    referral_fee_usd: exactUsd("Referral fee by the retailer's own rate card"),
    fulfillment_fee_usd: exactUsd("Fulfilment fee by the retailer's own rate card"),
    restricted: RestrictionBody,
    fulfillment_eligibility: FulfillmentEligibilityBody,
  })
  .nullable()
  .meta({
    id: 'CellSellerContext',
    description: 'Null for retailers without a marketplace, and when no listing is known.',
  });

export type SellerContextBody = z.infer<typeof SellerContextBody>;
export type CellSellerContextBody = z.infer<typeof CellSellerContextBody>;
