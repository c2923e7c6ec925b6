// The seller's side of a product as it stands on the wire (specification: `seller_context`, `restriction`,
// `fulfillment_eligibility`, the cells' `seller_context`; D33): schemas, and domain -> wire.

import { z } from '@hono/zod-openapi';

import { dollars } from '../listing/money.ts';
import type { Product } from '../product/product.ts';
import { isKnownSlug, RETAILERS, type Slug } from '../core/retailer.ts';
import { restrictedSomewhere } from '../product/selling-rules.ts';
import { text } from './fields.ts';
import type { SellerContext } from '../listing/seller.ts';

export const RestrictionBody = z
  .strictObject({
    flag: z.boolean().meta({ description: 'It may not.' }),
    reason: text('Why, in the words of the marketplace; null when it gives none.'),
  })
  .nullable()
  .meta({
    description:
      'Whether the seller account of this installation may not list it as new. Null: not asked, or not known.',
  });

export const FulfillmentEligibilityBody = z
  .strictObject({
    enabled: z.boolean().meta({ description: 'It would.' }),
    reason: text('Why not; null when it would.'),
  })
  .nullable()
  .meta({
    description:
      'Whether the marketplace would store and ship it for a seller. Null: not asked, or not known.',
  });

export const SellerContextBody = z
  .strictObject({
    restricted: z
      .strictObject({
        any: z.boolean().meta({ description: 'At least one of them restricts it.' }),
        retailers: z.array(z.string()).meta({ description: 'Slugs of those that do.' }),
        primary_reason: text('Reason that the first of them gives.'),
      })
      .nullable()
      .meta({
        description: 'Over the marketplaces that told. Null: none of them could be asked or knew.',
      }),
  })
  .nullable()
  .meta({
    description: 'Only with `include_seller_context`. Null where the anchor is no marketplace.',
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
    referral_fee_usd: usd('Referral fee of the retailer’s own card'),
    fulfillment_fee_usd: usd('Fulfilment fee of the retailer’s own card'),
    restricted: RestrictionBody,
    fulfillment_eligibility: FulfillmentEligibilityBody,
  })
  .nullable()
  .openapi('CellSellerContext', {
    description: 'Null for retailers without a marketplace, and without a listing.',
  });

type CellSellerContextBody = z.infer<typeof CellSellerContextBody>;

/** The fields of the record; `seller_context` stands there only when it was asked for. */
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

export type CellFees = {
  readonly referralFeeCents: number | null;
  readonly fulfillmentFeeCents: number | null;
};

/**
 * A cell's `seller_context`. Fees are USD hundredths, null where none can be computed; `live` is null where the
 * call did not ask for it.
 */
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
