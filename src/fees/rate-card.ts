// What a rate card is: a marketplace's published fees, in force from one day to another, with where they were
// read and how sure they are. Types only; the figures are in the files of each retailer.

import type { Day } from '../core/clock.ts';
import type { KnownSlug } from '../core/retailer.ts';

/** Sure: the marketplace's own text or several copies that agree. Unsure: one weak source, or inferred. */
export type Confidence = 'sure' | 'likely' | 'unsure';

/** A charge that exists and that the fee of the card does not contain. */
export type NotIncluded = {
  readonly name: string;
  readonly note: string;
  readonly confidence: Confidence;
  /** Days on which it is charged; null: no border is known. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Hundredths of a percent of the fee, where the charge is a known share of it. */
  readonly basisPointsOfFee: number | null;
  /** Only of things that are too large for the ordinary belts; null: of everything. */
  readonly onlyOf: 'overmax' | null;
};

type CardFacts = {
  readonly id: string;
  readonly retailer: KnownSlug;
  readonly effectiveFrom: Day;
  /** The last day; null: still in force when it was read. */
  readonly effectiveTo: Day | null;
  readonly dateNote: string | null;
  readonly source: string;
  readonly confidence: Confidence;
  readonly confidenceNote: string | null;
  /** The kind of seller's account that it holds for; null: for all. */
  readonly sellerPlan: string | null;
  /** Of cards that are in force side by side, the one for a seller of whom nothing is known. */
  readonly isDefault: boolean;
  readonly notIncluded: readonly NotIncluded[];
};

/** A part of the fee base and its rate in hundredths of a percent; `upToCents` is inclusive, null: no end. */
export type Tier = { readonly upToCents: number | null; readonly basisPoints: number };

/** A rate for every base of at least `fromCents`, and whether the fee for each order is added to it. */
export type StartTier = {
  readonly fromCents: number;
  readonly basisPoints: number;
  readonly hasPerOrderFee: boolean;
};

/**
 * Flat: one rate. Whole: the tier that holds the base gives the rate of all of it. Marginal: each slice of the
 * base has its own tier's rate. Whole from: the last tier that starts at or below the base gives the rate.
 */
export type Schedule =
  | { readonly mode: 'flat' | 'whole' | 'marginal'; readonly tiers: readonly Tier[] }
  | { readonly mode: 'whole_from'; readonly tiers: readonly StartTier[] };

export type FeeCategory = Schedule & {
  readonly key: string;
  readonly name: string;
  /** In place of the card's minimum; 0: none. Null: the card's. */
  readonly minimumCents: number | null;
  /** Added after the minimum. */
  readonly closingCents: number;
};

export type ReferralCard = CardFacts & {
  readonly kind: 'referral';
  /** Sales tax is a part of the base. */
  readonly isTaxInBase: boolean;
  readonly minimumCents: number;
  /** A fee for each order beside the percentage, by the total of the order; empty: none. */
  readonly perOrder: readonly { readonly upToCents: number | null; readonly cents: number }[];
  readonly categories: readonly FeeCategory[];
  /** Categories that another card of the retailer has and this one counts to a wider one. */
  readonly standIns: Readonly<Record<string, string>>;
};

/** A fee by the pounds that are billed (fulfilment of retailer_w). */
export type PoundCard = CardFacts & {
  readonly kind: 'fulfillment';
  readonly rule: 'pounds';
  /** By billed pounds: `cents` and `perPoundCents` for each pound over `overPounds`. */
  readonly bands: readonly {
    readonly upToPounds: number | null;
    readonly cents: number;
    readonly overPounds: number;
  }[];
  readonly perPoundCents: number;
  readonly apparelCents: number;
  readonly hazmatCents: number;
  readonly lowPrice: { readonly belowCents: number; readonly cents: number };
  readonly oversizeCents: number;
  readonly additionalOversizeCents: number;
  readonly bigAndBulky: {
    readonly cents: number;
    readonly perPoundCents: number;
    readonly overPounds: number;
  };
};

export type SizeTierName =
  | 'small_standard'
  | 'large_standard'
  | 'small_bulky'
  | 'large_bulky'
  | 'extra_large_0_50'
  | 'extra_large_50_70'
  | 'extra_large_70_150'
  | 'extra_large_150_plus';

export type SizeTier = {
  readonly name: SizeTierName;
  /** Heaviest, in pounds of the weight that is billed; null: no limit. */
  readonly maxPounds: number | null;
  /** Inches: longest, median, shortest. Null: any size. */
  readonly maxSidesIn: readonly [number, number, number] | null;
  readonly maxLengthPlusGirthIn: number | null;
  readonly billed: 'unit' | 'greater_of_unit_and_dimensional';
};

export type TableName = 'standard' | 'apparel' | 'dangerous_goods';

/** Cents at a price under 10, from 10 to 50, over 50. */
export type BandFees = readonly [under10: number, from10To50: number, over50: number];

export type FeeTable = {
  readonly confidence: Confidence;
  /** By ounces, inclusive. */
  readonly smallStandard: readonly (readonly [upToOunces: number, fees: BandFees])[];
  readonly largeStandard: readonly (readonly [upToOunces: number, fees: BandFees])[];
  /** Beyond the last bracket: `fees` and `stepCents` for each started step of so many ounces. */
  readonly largeStandardOver: {
    readonly overOunces: number;
    readonly stepOunces: number;
    readonly stepCents: number;
    readonly fees: BandFees;
  };
  /** By started pounds. */
  readonly bulky: readonly {
    readonly tier: SizeTierName;
    readonly fees: BandFees;
    readonly perPoundCents: number;
    readonly overPounds: number;
  }[];
};

/** A fee by size tier, weight bracket and price band (fulfilment of retailer_a). */
export type SizeTierCard = CardFacts & {
  readonly kind: 'fulfillment';
  readonly rule: 'size_tiers';
  readonly sizeTiers: readonly SizeTier[];
  /** A table that is not held is missing: its fee is unknown. */
  readonly tables: Readonly<Partial<Record<TableName, FeeTable>>>;
  /** Taken off under a price, on cards that have no column of their own for it. */
  readonly lowPriceDiscount: { readonly belowCents: number; readonly cents: number } | null;
};

export type FulfillmentCard = PoundCard | SizeTierCard;
export type RateCard = ReferralCard | FulfillmentCard;

/** Why a fee is not known. */
export type UnknownBecause =
  | 'no_price'
  | 'no_card_on_this_day'
  | 'no_category'
  | 'category_not_on_card'
  | 'no_weight'
  | 'no_dimensions'
  | 'kind_of_goods_unknown'
  | 'table_not_held'
  | 'size_not_covered'
  | 'not_accepted'
  | 'no_fulfillment_program';

export type UnknownFee = { readonly kind: 'unknown'; readonly because: UnknownBecause };
