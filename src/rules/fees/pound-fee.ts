// Computes retailer_w's fulfilment fee: by billed weight in whole pounds, with adders for clothing, dangerous goods, low
// prices and size. Big and bulky parcels have their own fee.

import type { FulfillmentFee, Parcel } from './parcel.ts';
import {
  dimensionalWeight,
  greater,
  inches,
  lengthPlusGirth,
  POUND,
  poundsOf,
  startedUnits,
  type SortedSides,
  type Weight,
} from './exact-measure.ts';
import { LARGEST_PACKAGE } from './largest-package.ts';
import type { PoundCard, UnknownFee } from './rate-card.ts';

type SizeClass = 'standard' | 'oversize' | 'additional_oversize' | 'big_and_bulky';

/** Added for packing: a quarter pound. */
const PACKING: Weight = POUND / 4n;

/** An additional-oversize parcel is billed as at least this heavy. */
const LEAST_ADDITIONAL_OVERSIZE: Weight = 90n * POUND;

function isAccepted(sides: SortedSides, weight: Weight): boolean {
  const { pounds, sidesIn } = LARGEST_PACKAGE;
  if (weight > BigInt(pounds) * POUND) return false;
  return sides.every((side, at) => side <= inches(sidesIn[at] ?? 0));
}

/** A limit belongs to the smaller class: 48 in is still standard. */
function sizeClassOf(sides: SortedSides, weight: Weight): SizeClass {
  const [longest, median] = sides;
  const around = lengthPlusGirth(sides);
  if (weight > 150n * POUND || longest > inches(108) || around > inches(165)) {
    return 'big_and_bulky';
  }
  if (longest > inches(96) || around > inches(130)) return 'additional_oversize';
  if (longest > inches(48) || median > inches(30) || around > inches(105)) return 'oversize';
  return 'standard';
}

/**
 * Returns the billed whole pounds, including packing: below a pound the actual weight counts, otherwise the greater of
 * weight and dimensional weight.
 */
function shippingPounds({ sides, weight }: Parcel, sizeClass: SizeClass): number {
  const unit =
    sizeClass === 'additional_oversize' ? greater(weight, LEAST_ADDITIONAL_OVERSIZE) : weight;
  const counted = unit < POUND ? unit : greater(unit, dimensionalWeight(sides, 0n));
  return startedUnits(counted + PACKING, POUND);
}

function addersOf(card: PoundCard, parcel: Parcel, sizeClass: SizeClass) {
  return [
    { name: 'apparel', cents: parcel.isApparel ? card.apparelCents : 0 },
    { name: 'hazmat', cents: parcel.isHazmat ? card.hazmatCents : 0 },
    {
      name: 'low_price',
      cents: parcel.priceCents < card.lowPrice.belowCents ? card.lowPrice.cents : 0,
    },
    { name: 'oversize', cents: sizeClass === 'oversize' ? card.oversizeCents : 0 },
    {
      name: 'additional_oversize',
      cents: sizeClass === 'additional_oversize' ? card.additionalOversizeCents : 0,
    },
  ].filter(({ cents }) => cents > 0);
}

/** Replaces the whole table. It uses the parcel's actual weight, which no source says to round. */
function bigAndBulkyFee({ bigAndBulky }: PoundCard, weight: Weight): number {
  const over = greater(weight - BigInt(bigAndBulky.overPounds) * POUND, 0n);
  const cents = (over * BigInt(bigAndBulky.perPoundCents) + POUND / 2n) / POUND;
  return bigAndBulky.cents + Number(cents);
}

export function poundFee(card: PoundCard, parcel: Parcel): FulfillmentFee | UnknownFee {
  const { sides, weight } = parcel;
  if (!isAccepted(sides, weight)) return { kind: 'unknown', because: 'not_accepted' };
  const sizeTier = sizeClassOf(sides, weight);
  const known = { kind: 'fee', sizeTier, table: null, isOvermax: false } as const;
  if (sizeTier === 'big_and_bulky') {
    return {
      ...known,
      cents: bigAndBulkyFee(card, weight),
      billedWeightLbs: poundsOf(weight),
      adders: [],
      confidence: 'likely',
    };
  }
  const pounds = shippingPounds(parcel, sizeTier);
  const band = card.bands.find(({ upToPounds }) => upToPounds === null || pounds <= upToPounds);
  if (band === undefined) return { kind: 'unknown', because: 'size_not_covered' };
  const adders = addersOf(card, parcel, sizeTier);
  const base = band.cents + card.perPoundCents * (pounds - band.overPounds);
  return {
    ...known,
    cents: adders.reduce((sum, { cents }) => sum + cents, base),
    billedWeightLbs: pounds,
    adders,
    // Adders for size are less certain than the weight table.
    confidence: sizeTier === 'standard' ? card.confidence : 'likely',
  };
}
