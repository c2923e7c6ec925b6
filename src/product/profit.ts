// What a reseller earns on one sale (D69, D74), from a price, the fees on it and the cost of one unit. All amounts are cents.
// Pure.

/** What a seller pays for one unit, in US cents, and the wanted return. */
export type SellerCosts = {
  /** The purchase price. Null if it is not given; no profit is then known. */
  readonly costCents: number | null;
  readonly shippingCents: number;
  readonly prepCents: number;
  /** The wanted return on what is paid, in hundredths of a percent; null if none is wanted. */
  readonly roiBasisPoints: number | null;
};

/** One sale of a listing: its price and fees in cents, and the units in it. */
export type Sale = {
  readonly priceCents: number | null;
  readonly feesCents: number | null;
  readonly units: number;
};

export type Profit = {
  /** Everything that the seller pays for the units of the sale; null without `costCents`. */
  readonly outlayCents: number | null;
  /** May be negative. */
  readonly profitCents: number | null;
  /** `profitCents` for one unit, with fractions of a cent. */
  readonly unitProfitCents: number | null;
  /** Profit in percent of the price, two decimals. */
  readonly marginPercent: number | null;
  /** Profit in percent of the outlay, two decimals; null if nothing is paid. */
  readonly roiPercent: number | null;
  /** The most that one unit may cost to reach the wanted return; null if no cost is low enough. */
  readonly highestCostCents: number | null;
};

/** What the units of one sale cost the seller; null if that is not given. */
export function outlayOf(costs: SellerCosts, units: number): number | null {
  const { costCents, shippingCents, prepCents } = costs;
  return costCents === null ? null : (costCents + shippingCents + prepCents) * units;
}

/** What a seller earns on a sale. */
export function profitOf({ priceCents, feesCents, units }: Sale, costs: SellerCosts): Profit {
  const outlayCents = outlayOf(costs, units);
  const left = priceCents === null || feesCents === null ? null : priceCents - feesCents;
  const profitCents = left === null || outlayCents === null ? null : left - outlayCents;
  return {
    outlayCents,
    profitCents,
    unitProfitCents: profitCents === null ? null : profitCents / units,
    marginPercent: percent(profitCents, priceCents),
    roiPercent: percent(profitCents, outlayCents),
    highestCostCents: left === null ? null : highestCost(left, units, costs),
  };
}

/** The highest cost, exactly: outlay and wanted return together may not exceed what is left. */
function highestCost(left: number, units: number, costs: SellerCosts): number | null {
  const { roiBasisPoints, shippingCents, prepCents } = costs;
  if (roiBasisPoints === null) return null;
  const outlay = Math.floor((left * WHOLE) / ((WHOLE + roiBasisPoints) * units));
  const cost = outlay - shippingCents - prepCents;
  return cost < 0 ? null : cost;
}

/** A hundred percent in hundredths of a percent. */
const WHOLE = 10_000;

/** Rounded to two decimals, halves away from zero. */
function percent(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null;
  const hundredths = Math.round((Math.abs(part) * WHOLE) / whole);
  return hundredths === 0 ? 0 : (Math.sign(part) * hundredths) / 100;
}
