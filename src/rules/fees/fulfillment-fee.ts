// Computes a parcel's fulfilment fee from a rate card: cents, size tier and billed weight. Without weight, size, price or
// kind of goods the fee is unknown.

import { sortedSides, weightOf } from './exact-measure.ts';
import type { FulfillmentFee, Parcel, ParcelInput } from './parcel.ts';
import { poundFee } from './pound-fee.ts';
import type { FulfillmentCard, UnknownFee } from './rate-card.ts';
import { sizeTierFee } from './size-tier-fee.ts';

/** Returns the fee for one parcel. */
export function fulfillmentFee(
  card: FulfillmentCard,
  input: ParcelInput,
): FulfillmentFee | UnknownFee {
  const { priceCents, isApparel, isHazmat } = input;
  if (priceCents === null) return { kind: 'unknown', because: 'no_price' };
  const weight = weightOf(input.weightLbs);
  if (weight === null) return { kind: 'unknown', because: 'no_weight' };
  const sides = sortedSides(input.sidesIn);
  if (sides === null) return { kind: 'unknown', because: 'no_dimensions' };
  if (isApparel === null || isHazmat === null) {
    return { kind: 'unknown', because: 'kind_of_goods_unknown' };
  }
  const parcel: Parcel = { sides, weight, priceCents, isApparel, isHazmat };
  return card.rule === 'pounds' ? poundFee(card, parcel) : sizeTierFee(card, parcel);
}
