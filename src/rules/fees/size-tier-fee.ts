// Computes retailer_a's fulfilment fee: the first size tier that fits the parcel, then its weight bracket and price band in
// the table for its kind of goods.

import type { FulfillmentFee, Parcel } from './parcel.ts';
import {
  dimensionalWeight,
  greater,
  inches,
  lengthPlusGirth,
  OUNCE,
  POUND,
  poundsOf,
  startedUnits,
  type Weight,
} from './exact-measure.ts';
import type {
  BandFees,
  FeeTable,
  SizeTier,
  SizeTierCard,
  TableName,
  UnknownFee,
} from './rate-card.ts';

/** Width and height of a bulky parcel count as at least two inches. */
const LEAST_BULKY_SIDE = inches(2);

const OVERMAX_LENGTH = inches(96);
const OVERMAX_AROUND = inches(130);

const isStandard = ({ name }: SizeTier): boolean =>
  name === 'small_standard' || name === 'large_standard';

const isExtraLarge = ({ name }: SizeTier): boolean => name.startsWith('extra_large_');

function billedWeight(tier: SizeTier, { sides, weight }: Parcel): Weight {
  if (tier.billed === 'unit') return weight;
  return greater(weight, dimensionalWeight(sides, isStandard(tier) ? 0n : LEAST_BULKY_SIDE));
}

function fits(tier: SizeTier, parcel: Parcel): boolean {
  const { maxPounds, maxSidesIn, maxLengthPlusGirthIn } = tier;
  const isLight = maxPounds === null || billedWeight(tier, parcel) <= BigInt(maxPounds) * POUND;
  const isSmall =
    maxSidesIn === null || parcel.sides.every((side, at) => side <= inches(maxSidesIn[at] ?? 0));
  const isSlim =
    maxLengthPlusGirthIn === null || lengthPlusGirth(parcel.sides) <= inches(maxLengthPlusGirthIn);
  return isLight && isSmall && isSlim;
}

/**
 * Returns the first tier that fits. The last tier is for parcels over 150 lb; the published text has no tier for a lighter
 * parcel whose dimensional weight alone exceeds 150 lb.
 */
function tierOf(card: SizeTierCard, parcel: Parcel): SizeTier | null {
  const tier = card.sizeTiers.find((each) => fits(each, parcel)) ?? null;
  const isLast = tier !== null && tier.maxPounds === null;
  return isLast && parcel.weight <= 150n * POUND ? null : tier;
}

function tableNameOf({ isApparel, isHazmat }: Parcel): TableName {
  if (isHazmat) return 'dangerous_goods';
  return isApparel ? 'apparel' : 'standard';
}

/** Where the middle and the highest price band begin, in cents. */
export const BAND_STARTS: readonly [middle: number, highest: number] = [1000, 5001];

/** Selects the fee for under 10 dollars, from 10 to 50, over 50; both limits belong to the middle band. */
function inBand(fees: BandFees, priceCents: number): number {
  const [middle, highest] = BAND_STARTS;
  if (priceCents < middle) return fees[0];
  return priceCents < highest ? fees[1] : fees[2];
}

function largeStandardFee(table: FeeTable, weight: Weight, priceCents: number): number {
  const bracket = table.largeStandard.find(([ounces]) => weight <= BigInt(ounces) * OUNCE);
  if (bracket !== undefined) return inBand(bracket[1], priceCents);
  const { fees, overOunces, stepOunces, stepCents } = table.largeStandardOver;
  const over = weight - BigInt(overOunces) * OUNCE;
  return inBand(fees, priceCents) + stepCents * startedUnits(over, BigInt(stepOunces) * OUNCE);
}

/** Null when the table has no row for the tier. */
function feeByWeight(
  table: FeeTable,
  tier: SizeTier,
  weight: Weight,
  priceCents: number,
): number | null {
  if (tier.name === 'large_standard') return largeStandardFee(table, weight, priceCents);
  if (tier.name === 'small_standard') {
    const bracket = table.smallStandard.find(([ounces]) => weight <= BigInt(ounces) * OUNCE);
    return bracket === undefined ? null : inBand(bracket[1], priceCents);
  }
  const row = table.bulky.find((each) => each.tier === tier.name);
  if (row === undefined) return null;
  const pounds = Math.max(0, startedUnits(weight, POUND) - row.overPounds);
  return inBand(row.fees, priceCents) + row.perPoundCents * pounds;
}

export function sizeTierFee(card: SizeTierCard, parcel: Parcel): FulfillmentFee | UnknownFee {
  const tableName = tableNameOf(parcel);
  const table = card.tables[tableName];
  if (table === undefined) return { kind: 'unknown', because: 'table_not_held' };
  const tier = tierOf(card, parcel);
  if (tier === null) return { kind: 'unknown', because: 'size_not_covered' };
  const weight = billedWeight(tier, parcel);
  const fee = feeByWeight(table, tier, weight, parcel.priceCents);
  if (fee === null) return { kind: 'unknown', because: 'size_not_covered' };
  const { lowPriceDiscount: discount } = card;
  const isCheap = discount !== null && parcel.priceCents < discount.belowCents;
  const adders = isCheap ? [{ name: 'low_price', cents: -discount.cents }] : [];
  return {
    kind: 'fee',
    cents: adders.reduce((sum, { cents }) => sum + cents, fee),
    sizeTier: tier.name,
    table: tableName,
    billedWeightLbs: poundsOf(weight),
    adders,
    confidence: table.confidence,
    isOvermax: isOvermax(tier, parcel),
  };
}

/** Only up to 150 lb; heavier parcels have a tier of their own. */
function isOvermax(tier: SizeTier, { sides }: Parcel): boolean {
  if (!isExtraLarge(tier) || tier.maxPounds === null) return false;
  return sides[0] > OVERMAX_LENGTH || lengthPlusGirth(sides) > OVERMAX_AROUND;
}
