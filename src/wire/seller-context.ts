// What marketplaces allow a seller: `seller_context`, `restriction`, `fulfillment_eligibility` and the cells'
// `seller_context` (D33); schemas and presentation.

import { z } from '@hono/zod-openapi';

import { dollars } from '../listing/money.ts';
import type { Product } from '../product/product.ts';
import { isKnownSlug, RETAILERS, type Slug } from '../core/retailer.ts';
import { restrictedSomewhere } from '../product/selling-rules.ts';
import { text } from './fields.ts';
import type { SellerContext } from '../listing/seller.ts';

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
    description: 'Only with `include_seller_context`. Null when the anchor is not a marketplace.',
  });

const usd = (what: string) =>
  z
    .number()
    .nonnegative()
    .multipleOf(0.01)
    .nullable()
    .meta({ description: `${what}, USD.` });

/** `seller_context` of a cell. */
export const CellSellerContextBody = z
  .strictObject({
    referral_fee_usd: usd("Referral fee by the retailer's own rate card"),
    fulfillment_fee_usd: usd("Fulfilment fee by the retailer's own rate card"),
    restricted: RestrictionBody,
    fulfillment_eligibility: FulfillmentEligibilityBody,
  })
  .nullable()
  .openapi('CellSellerContext', {
    description: 'Null for retailers without a marketplace, and when no listing is known.',
  });

type CellSellerContextBody = z.infer<typeof CellSellerContextBody>;

/** The fields of the record; `seller_context` only when the call asked for it. */
export function presentSellerContext({ sellerContext }: Pick<Product, 'sellerContext'>) {
  return {
    restriction: sellerContext?.restriction ?? null,
    fulfillment_eligibility: sellerContext?.fulfillmentEligibility ?? null,
    ...(sellerContext === undefined ? {} : { seller_context: restrictedOf(sellerContext) }),
  };
}

function restrictedOf(
  context: NonNullable<Product['sellerContext']> | null,
): z.infer<typeof SellerContextBody> {
  if (context === null) return null;
  const restricted = restrictedSomewhere(context.listings);
  if (restricted === null) return { restricted: null };
  const { any, retailers, primaryReason } = restricted;
  return { restricted: { any, retailers: [...retailers], primary_reason: primaryReason } };
}

/** In hundredths of a dollar; null when they cannot be computed. */
export type CellFees = {
  readonly referralFeeCents: number | null;
  readonly fulfillmentFeeCents: number | null;
};

/** A cell's `seller_context`. `live`: what the marketplace answered during the call; null when it was not asked. */
export function presentCellSellerContext(
  retailer: Slug,
  fees: CellFees,
  live: SellerContext | null,
): CellSellerContextBody {
  if (!isKnownSlug(retailer) || !RETAILERS[retailer].marketplace) return null;
  const { referralFeeCents: referral, fulfillmentFeeCents: fulfillment } = fees;
  return {
    referral_fee_usd: referral === null ? null : dollars(referral),
    fulfillment_fee_usd: fulfillment === null ? null : dollars(fulfillment),
    restricted: live?.restriction ?? null,
    fulfillment_eligibility: live?.fulfillmentEligibility ?? null,
  };
}
