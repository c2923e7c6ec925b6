// A parcel as fulfilment fees see it, as it may be known and as it must be known, and the fee of one.

import type { Sides, Weight } from './exact-measure.ts';
import type { Confidence, TableName } from './rate-card.ts';

export type ParcelInput = {
  /** Three sides in inches, in any order. */
  readonly sidesIn: readonly (number | null)[];
  readonly weightLbs: number | null;
  readonly priceCents: number | null;
  /** Null: not known, and then there is no fee. */
  readonly isApparel: boolean | null;
  readonly isHazmat: boolean | null;
};

/** A parcel of which everything is known. */
export type Parcel = {
  readonly sides: Sides;
  readonly weight: Weight;
  readonly priceCents: number;
  readonly isApparel: boolean;
  readonly isHazmat: boolean;
};

export type FulfillmentFee = {
  readonly kind: 'fee';
  readonly cents: number;
  readonly sizeTier: string;
  /** Null where the card has one table only. */
  readonly table: TableName | null;
  /** Pounds, four decimals; rounded up to a bracket only where the card rounds up to whole pounds. */
  readonly billedWeightLbs: number;
  /** What is added to, or taken off, the fee by weight; contained in `cents`. */
  readonly adders: readonly { readonly name: string; readonly cents: number }[];
  readonly confidence: Confidence;
  /** Larger than ordinary belts take: a surcharge of unknown amount exists. */
  readonly isOvermax: boolean;
};
