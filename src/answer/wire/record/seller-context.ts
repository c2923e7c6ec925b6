// The permissions of a seller on marketplaces: `seller_context`, `restriction`, `fulfillment_eligibility` and the cells'
// `seller_context` (D33); the schemas.

import { z } from 'zod';

import { exactUsd, text } from '../fields.ts';

export const RestrictionBody = z
  .strictObject({
    flag: z.boolean().meta({ description: 'Whether the product is restricted.' }),
    reason: text('The reason that the marketplace states; `null` if it states none.'),
  })
  .nullable()
  .meta({
    description:
      'Whether the marketplace restricts the seller account of this installation from listing the ' +
      'product as new; `null` if this was not requested or is unknown.',
  });

export const FulfillmentEligibilityBody = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'Whether the product is eligible.' }),
    reason: text('Why the product is not eligible; `null` if it is.'),
  })
  .nullable()
  .meta({
    description:
      'Whether the marketplace would store and ship the product for a seller; `null` if this was not ' +
      'requested or is unknown.',
  });

export const SellerContextBody = z
  .strictObject({
    restricted: z
      .strictObject({
        any: z
          .boolean()
          .meta({ description: 'Whether at least one marketplace restricts the product.' }),
        retailers: z
          .array(z.string())
          .meta({ description: 'The slugs of the marketplaces that restrict the product.' }),
        primary_reason: text('The reason that the first of these marketplaces states.'),
      })
      .nullable()
      .meta({
        description: 'The restrictions over all marketplaces that responded; `null` if none did.',
      }),
  })
  .nullable()
  .meta({
    description:
      'The permissions of the seller account on marketplaces. Present only with ' +
      '`include_seller_context`; `null` if the shop that supplies the price is not a ' +
      'marketplace.',
  });

/** `seller_context` of a cell. */
export const CellSellerContextBody = z
  .strictObject({
    referral_fee_usd: exactUsd("The referral fee according to the retailer's own rate card"),
    fulfillment_fee_usd: exactUsd("The fulfilment fee according to the retailer's own rate card"),
    restricted: RestrictionBody,
    fulfillment_eligibility: FulfillmentEligibilityBody,
  })
  .nullable()
  .meta({
    id: 'CellSellerContext',
    description:
      'What the marketplace charges and allows a seller; `null` for retailers without a marketplace, ' +
      'and if no listing is known.',
  });

export type SellerContextBody = z.infer<typeof SellerContextBody>;
export type CellSellerContextBody = z.infer<typeof CellSellerContextBody>;
