// The types of a rate card: a marketplace's published fees between two days, with their source and confidence. The figures
// are in each retailer's files.

import type { Day } from '../../base/clock.ts';
import type { KnownSlug } from '../../base/retailer.ts';

/** Sure: the marketplace's own text, or several copies that agree. Unsure: one weak source, or an inference. */
export type Confidence = 'sure' | 'likely' | 'unsure';

/** A charge that exists but is not included in the card's fee. */
export type NotIncluded = {
  readonly name: string;
  readonly note: string;
  readonly confidence: Confidence;
  /** First and last day on which it is charged; null if unknown. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Hundredths of a percent of the fee, when the charge is a known share of it. */
  readonly basisPointsOfFee: number | null;
  /** Charged only for parcels too large for the standard conveyor belts; null if charged for all. */
  readonly onlyOf: 'overmax' | null;
};

type CardFacts = {
  readonly id: string;
  readonly retailer: KnownSlug;
  readonly effectiveFrom: Day;
  /** The last day; null if it was still in force when the source was read. */
  readonly effectiveTo: Day | null;
  readonly dateNote: string | null;
  readonly source: string;
  readonly confidence: Confidence;
  readonly confidenceNote: string | null;
  /** The seller plan it applies to; null for all plans. */
  readonly sellerPlan: string | null;
  /** Among several cards in force at the same time, the one for a seller whose plan is unknown. */
  readonly isDefault: boolean;
  readonly notIncluded: readonly NotIncluded[];
};

/** A part of the fee base and its rate in hundredths of a percent; `upToCents` is inclusive; null for no limit. */
export type Tier = { readonly upToCents: number | null; readonly basisPoints: number };

/** A rate for every base of at least `fromCents`, and whether the per-order fee is added. */
export type StartTier = {
  readonly fromCents: number;
  readonly basisPoints: number;
  readonly hasPerOrderFee: boolean;
};

/**
 * Flat: one rate. Whole: the tier that contains the base determines the rate for the whole base. Marginal: each slice of
 * the base is charged at its own tier's rate. Whole from: the last tier that starts at or below the base determines the
 * rate.
 */
type Schedule =
  | { readonly mode: 'flat' | 'whole' | 'marginal'; readonly tiers: readonly Tier[] }
  | { readonly mode: 'whole_from'; readonly tiers: readonly StartTier[] };

export type FeeCategory = Schedule & {
  readonly key: string;
  readonly name: string;
  /** Replaces the card's minimum; 0 for no minimum; null if the card's minimum applies. */
  readonly minimumCents: number | null;
  /** Added after the minimum. */
  readonly closingCents: number;
};

export type ReferralCard = CardFacts & {
  readonly kind: 'referral';
  /** Whether sales tax is part of the base. */
  readonly isTaxInBase: boolean;
  readonly minimumCents: number;
  /** A fee per order in addition to the percentage, based on the order total; empty: none. */
  readonly perOrder: readonly { readonly upToCents: number | null; readonly cents: number }[];
  readonly categories: readonly FeeCategory[];
  /** Maps categories of the retailer's other card to the wider category that this card has instead. */
  readonly standIns: Readonly<Record<string, string>>;
};

/** A fee by billed pounds (fulfilment of retailer_w). */
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

type SizeTierName =
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
  /** Maximum billed weight in pounds; null for no limit. */
  readonly maxPounds: number | null;
  /** Inches: longest, median, shortest. Null for any size. */
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
  /** Beyond the last bracket: `fees`, plus `stepCents` for each started step of `stepOunces`. */
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
  /** Without a table, its fee is unknown. */
  readonly tables: Readonly<Partial<Record<TableName, FeeTable>>>;
  /** A discount under a price, on cards without a column for low prices. */
  readonly lowPriceDiscount: { readonly belowCents: number; readonly cents: number } | null;
};

export type FulfillmentCard = PoundCard | SizeTierCard;
export type RateCard = ReferralCard | FulfillmentCard;

/** Why a fee is not known. */
type UnknownBecause =
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
