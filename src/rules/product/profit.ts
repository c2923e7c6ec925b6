// Computes a reseller's profit on one sale (D69, D74, D77), from a price, its fees and the seller's costs. All amounts are
// cents. Pure.

import {
  costFactorOf,
  mostWithin,
  timesFactor,
  type CostFactor,
  type CostPer,
  type Packs,
} from './cost-factor.ts';

/** A seller's costs per item that the code identifies, or per piece, in US cents, and the desired return. */
export type SellerCosts = {
  /** The purchase price. Null if not given, in which case no profit is known. */
  readonly costCents: number | null;
  readonly shippingCents: number;
  readonly prepCents: number;
  /** The unit of the three amounts. */
  readonly costPer: CostPer;
  /** The wanted return on the outlay, in hundredths of a percent; null if none is wanted. */
  readonly roiBasisPoints: number | null;
};

/** One sale of a listing: its price and fees in cents, and the pieces in it. */
type Sale = {
  readonly priceCents: number | null;
  readonly feesCents: number | null;
  readonly packs: Packs;
};

export type Profit = {
  /** How often the sale incurs the seller's costs: 1 if the listing is the unit that the costs apply to. Not rounded. */
  readonly costFactor: number;
  /** The seller's total outlay for the sale, rounded once, halves up; null without `costCents`. */
  readonly outlayCents: number | null;
  /** May be negative. */
  readonly profitCents: number | null;
  /** `profitCents` for one piece, with fractions of a cent. */
  readonly unitProfitCents: number | null;
  /** Profit in percent of the price, two decimals. */
  readonly marginPercent: number | null;
  /** Profit in percent of the outlay, two decimals; null if nothing is paid. */
  readonly roiPercent: number | null;
  /** The maximum purchase price of one unit that reaches the wanted return; null if no price is low enough. */
  readonly highestCostCents: number | null;
};

/** Returns what one sale costs the seller; null if not given. */
function outlayOf(costs: SellerCosts, packs: Packs): number | null {
  const { costCents, shippingCents, prepCents, costPer } = costs;
  if (costCents === null) return null;
  return timesFactor(costCents + shippingCents + prepCents, costFactorOf(packs, costPer));
}

/** Computes a seller's profit on a sale. */
export function profitOf({ priceCents, feesCents, packs }: Sale, costs: SellerCosts): Profit {
  const outlayCents = outlayOf(costs, packs);
  const left = priceCents === null || feesCents === null ? null : priceCents - feesCents;
  const profitCents = left === null || outlayCents === null ? null : left - outlayCents;
  const factor = costFactorOf(packs, costs.costPer);
  return {
    costFactor: factor.times / factor.over,
    outlayCents,
    profitCents,
    unitProfitCents: profitCents === null ? null : profitCents / packs.sold,
    marginPercent: percent(profitCents, priceCents),
    roiPercent: percent(profitCents, outlayCents),
    highestCostCents: left === null ? null : highestCost(left, factor, costs),
  };
}

/** Returns the exact highest cost: the outlay, as rounded, plus the wanted return may not exceed what is left. */
function highestCost(left: number, factor: CostFactor, costs: SellerCosts): number | null {
  const { roiBasisPoints, shippingCents, prepCents } = costs;
  if (roiBasisPoints === null) return null;
  const outlay = Math.floor((left * WHOLE) / (WHOLE + roiBasisPoints));
  const cost = mostWithin(outlay, factor) - shippingCents - prepCents;
  return cost < 0 ? null : cost;
}

/** A hundred percent in hundredths of a percent. */
const WHOLE = 10_000;

/** Rounds to two decimals, halves away from zero. */
function percent(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null;
  const hundredths = Math.round((Math.abs(part) * WHOLE) / whole);
  return hundredths === 0 ? 0 : (Math.sign(part) * hundredths) / 100;
}
