// Presents parts of a record that need no schema: sales ranks, sides, delivery methods, a day's prices, and what
// marketplaces allow a seller.

import { isMarketplace, type Slug } from '../../../base/retailer.ts';
import type { PriceBar } from '../../../rules/history/daily-bars.ts';
import type { Dimensions, FulfillmentOption } from '../../../base/listing/listing.ts';
import type { SalesRank } from '../../../base/listing/vocabularies/sales-rank.ts';
import type { SellerContext } from '../../../base/listing/seller.ts';
import type { Product } from '../../../rules/product/product.ts';
import { restrictedSomewhere } from '../../../rules/product/selling-rules.ts';
import { amountIn, usdOf } from '../hundredths.ts';
import type { PriceBarBody, SalesRanks } from '../fields.ts';
import type { CellSellerContextBody, SellerContextBody } from './seller-context.ts';

/** Sides in inches. */
export function presentDimensions(sides: Dimensions | null) {
  if (sides === null) return null;
  return { height_in: sides.heightIn, width_in: sides.widthIn, length_in: sides.lengthIn };
}

/** A way of delivery. Charges are read in dollars only; one of nothing is free in every currency. */
export function presentOption(option: FulfillmentOption | null, currency: string) {
  if (option === null) return null;
  const { available, costCents, date } = option;
  const isShown = currency === 'USD' || costCents === 0;
  return { available, cost: isShown ? usdOf(costCents) : null, date };
}

/** Presents the sales ranks; an empty list becomes null (D23). */
export function presentSalesRank(ranks: readonly SalesRank[]): SalesRanks {
  if (ranks.length === 0) return null;
  return ranks.map(({ category, rank }) => ({ category, rank }));
}

/** A bar in the currency of the record. */
export function presentBar(bar: PriceBar, currency: string): PriceBarBody {
  return {
    date: bar.date,
    open: amountIn(bar.openCents, currency),
    close: amountIn(bar.closeCents, currency),
    low: amountIn(bar.lowCents, currency),
    high: amountIn(bar.highCents, currency),
    observations: bar.observations,
  };
}

/** Returns the record's fields; `seller_context` only if the call requested it. */
export function presentSellerContext({ sellerContext }: Pick<Product, 'sellerContext'>) {
  return {
    restriction: sellerContext?.restriction ?? null,
    fulfillment_eligibility: sellerContext?.fulfillmentEligibility ?? null,
    ...(sellerContext === undefined ? {} : { seller_context: restrictedOf(sellerContext) }),
  };
}

function restrictedOf(context: NonNullable<Product['sellerContext']> | null): SellerContextBody {
  if (context === null) return null;
  const restricted = restrictedSomewhere(context.listings);
  if (restricted === null) return { restricted: null };
  const { any, retailers, primaryReason } = restricted;
  return { restricted: { any, retailers: [...retailers], primary_reason: primaryReason } };
}

/** Fees in hundredths of a dollar; null if they cannot be computed. */
export type CellFees = {
  readonly referralFeeCents: number | null;
  readonly fulfillmentFeeCents: number | null;
};

/** Presents a cell's `seller_context`. `live` is the marketplace's answer during the call; null if it was not asked. */
export function presentCellSellerContext(
  retailer: Slug,
  fees: CellFees,
  live: SellerContext | null,
): CellSellerContextBody {
  if (!isMarketplace(retailer)) return null;
  const { referralFeeCents: referral, fulfillmentFeeCents: fulfillment } = fees;
  return {
    referral_fee_usd: usdOf(referral),
    fulfillment_fee_usd: usdOf(fulfillment),
    restricted: live?.restriction ?? null,
    fulfillment_eligibility: live?.fulfillmentEligibility ?? null,
  };
}
