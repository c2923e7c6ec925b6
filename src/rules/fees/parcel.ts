// A parcel before and after its facts are known to be complete, and the components of its fulfilment fee.

import type { SortedSides, Weight } from './exact-measure.ts';
import type { Confidence, TableName } from './rate-card.ts';

export type ParcelInput = {
  /** Three sides in inches, in any order. */
  readonly sidesIn: readonly (number | null)[];
  readonly weightLbs: number | null;
  readonly priceCents: number | null;
  /** Null if unknown, which makes the fee unknown. */
  readonly isApparel: boolean | null;
  readonly isHazmat: boolean | null;
};

/** A parcel with all facts required for a fee. */
export type Parcel = {
  readonly sides: SortedSides;
  readonly weight: Weight;
  readonly priceCents: number;
  readonly isApparel: boolean;
  readonly isHazmat: boolean;
};

export type FulfillmentFee = {
  readonly kind: 'fee';
  readonly cents: number;
  readonly sizeTier: string;
  /** Null when the card has only one table. */
  readonly table: TableName | null;
  /** Pounds with four decimals; whole pounds only when the card rounds them up. */
  readonly billedWeightLbs: number;
  /** Amounts added to, or deducted from, the fee by weight; included in `cents`. */
  readonly adders: readonly { readonly name: string; readonly cents: number }[];
  readonly confidence: Confidence;
  /** Too large for the standard conveyor belts: a surcharge of unknown amount applies. */
  readonly isOvermax: boolean;
};
