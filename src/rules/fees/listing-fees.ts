// Computes the fees that a marketplace charges a listing's seller (D44): referral and fulfilment fee on a day at a price,
// with all their inputs. The fees apply to any seller: nothing in them depends on a particular one.

import type { Day } from '../../base/clock.ts';
import type { Dimensions, Listing } from '../../base/listing/listing.ts';
import { hasFulfillmentProgram, isMarketplace, type Slug } from '../../base/retailer.ts';
import { categoryBy, type CategoryFound, type CategoryRules } from './category-rule.ts';
import { fulfillmentFee } from './fulfillment-fee.ts';
import type { FulfillmentFee, ParcelInput } from './parcel.ts';
import type {
  FulfillmentCard,
  NotIncluded,
  RateCard,
  ReferralCard,
  UnknownFee,
} from './rate-card.ts';
import { cardInForce, FULFILLMENT_CARDS, isInForce, REFERRAL_CARDS } from './rate-cards.ts';
import { referralFee, shareOf, type ReferralFee } from './referral-fee.ts';
import { RETAILER_A_CATEGORIES } from './retailer-a-categories.ts';
import { RETAILER_E_CATEGORIES } from './retailer-e-categories.ts';
import { RETAILER_W_CATEGORIES } from './retailer-w-categories.ts';

/** An assumption made for the fee because the listing does not state the fact. */
export type Assumption =
  | 'shipping_zero'
  | 'tax_zero'
  | 'no_store_plan'
  | 'not_hazardous'
  | 'apparel_by_category'
  | 'weight_not_of_package'
  | 'dimensions_not_of_package';

/** The measured object; `unspecified` if the page does not say whether it is the product or the package. */
type MeasuredOf = 'package' | 'unspecified' | 'assembled';

/** A charge not included in the fee, with its amount in cents if it is a known share of the fee. */
export type LeftOut = {
  readonly charge: NotIncluded;
  readonly of: 'referral' | 'fulfillment';
  readonly cents: number | null;
};

export type Fees = {
  /** The fee base: the price with free shipping. Null when there is no price to show. */
  readonly baseCents: number | null;
  readonly category: CategoryFound | null;
  readonly referralCents: number | null;
  readonly fulfillmentCents: number | null;
  readonly referral: { readonly card: ReferralCard | null; readonly fee: ReferralFee | UnknownFee };
  readonly fulfillment: {
    readonly card: FulfillmentCard | null;
    readonly fee: FulfillmentFee | UnknownFee;
    readonly weightOf: MeasuredOf | null;
    readonly dimensionsOf: MeasuredOf | null;
  };
  readonly assumptions: readonly Assumption[];
  readonly notIncluded: readonly LeftOut[];
};

const CATEGORY_RULES: Readonly<Record<string, CategoryRules>> = {
  retailer_w: RETAILER_W_CATEGORIES,
  retailer_a: RETAILER_A_CATEGORIES,
  retailer_e: RETAILER_E_CATEGORIES,
};

/** The category of clothing on every card. */
const APPAREL = 'apparel_accessories';

/**
 * Returns a listing's fees on a UTC day at the shown price in USD cents (null if no price is shown). Null for a retailer
 * without a marketplace and for shops without a rate card.
 */
export function feesOf(
  listing: Listing,
  retailer: Slug,
  day: Day,
  priceCents: number | null,
): Fees | null {
  if (!isMarketplace(retailer)) return null;
  const baseCents = priceCents !== null && priceCents > 0 ? priceCents : null;
  const rules = CATEGORY_RULES[retailer];
  const category = rules === undefined ? null : categoryBy(rules, listing.categories);
  const referral = referralOf(retailer, day, category, baseCents);
  const fulfillment = fulfillmentOf(listing, { retailer, day, category, baseCents });
  return {
    baseCents,
    category,
    referralCents: centsOf(referral.fee),
    fulfillmentCents: centsOf(fulfillment.fee),
    referral,
    fulfillment,
    assumptions: assumptionsOf(listing, category, referral, fulfillment),
    notIncluded: [
      ...leftOutOf('referral', day, referral),
      ...leftOutOf('fulfillment', day, fulfillment),
    ],
  };
}

function centsOf(fee: ReferralFee | FulfillmentFee | UnknownFee): number | null {
  return fee.kind === 'fee' ? fee.cents : null;
}

const NO_CARD: UnknownFee = { kind: 'unknown', because: 'no_card_on_this_day' };
const NO_PROGRAM: UnknownFee = { kind: 'unknown', because: 'no_fulfillment_program' };
const NO_CATEGORY: UnknownFee = { kind: 'unknown', because: 'no_category' };

function referralOf(
  retailer: Slug,
  day: Day,
  category: CategoryFound | null,
  baseCents: number | null,
): Fees['referral'] {
  const card = cardInForce(REFERRAL_CARDS, retailer, day);
  if (card === null) return { card, fee: NO_CARD };
  return { card, fee: referralFee(card, category?.key ?? null, baseCents) };
}

type ParcelContext = {
  readonly retailer: Slug;
  readonly day: Day;
  readonly category: CategoryFound | null;
  readonly baseCents: number | null;
};

function fulfillmentOf(listing: Listing, context: ParcelContext): Fees['fulfillment'] {
  const { retailer, day, category, baseCents } = context;
  const card = cardInForce(FULFILLMENT_CARDS, retailer, day);
  const weight = weightIn(listing);
  const sides = sidesIn(listing);
  const known = { card, weightOf: weight?.of ?? null, dimensionsOf: sides?.of ?? null };
  if (card === null) {
    return { ...known, fee: hasFulfillmentProgram(retailer) ? NO_CARD : NO_PROGRAM };
  }
  // Clothing has its own fees, so without a category the fee is unknown.
  if (category === null) return { ...known, fee: NO_CATEGORY };
  const parcel: ParcelInput = {
    sidesIn: sides?.inches ?? [null, null, null],
    weightLbs: weight?.pounds ?? null,
    priceCents: baseCents,
    isApparel: category.key === APPAREL,
    // Pages state that goods are dangerous, but never that they are not.
    isHazmat: listing.hazmat === true,
  };
  return { ...known, fee: fulfillmentFee(card, parcel) };
}

/** The package weight is the right one. The product's own weight understates the fee and is only the fallback. */
function weightIn(listing: Listing): { readonly pounds: number; readonly of: MeasuredOf } | null {
  const choices = [
    { pounds: listing.weightPackageLbs, of: 'package' },
    { pounds: listing.weightLbs, of: 'unspecified' },
    { pounds: listing.weightAssembledLbs, of: 'assembled' },
  ] as const;
  for (const { pounds, of } of choices) {
    if (pounds !== null && pounds > 0) return { pounds, of };
  }
  return null;
}

function sidesIn(
  listing: Listing,
): { readonly inches: readonly (number | null)[]; readonly of: MeasuredOf } | null {
  const choices = [
    { sides: listing.dimensionsPackage, of: 'package' },
    { sides: listing.dimensions, of: 'unspecified' },
    { sides: listing.dimensionsAssembled, of: 'assembled' },
  ] as const;
  for (const { sides, of } of choices) {
    const inches = inchesOf(sides);
    if (inches.every((inch) => inch !== null && inch > 0)) return { inches, of };
  }
  return null;
}

function inchesOf(sides: Dimensions | null): readonly (number | null)[] {
  return [sides?.lengthIn ?? null, sides?.widthIn ?? null, sides?.heightIn ?? null];
}

function assumptionsOf(
  listing: Listing,
  category: CategoryFound | null,
  referral: Fees['referral'],
  { fee, weightOf, dimensionsOf }: Fees['fulfillment'],
): readonly Assumption[] {
  const hasReferral = referral.fee.kind === 'fee';
  const hasFulfillment = fee.kind === 'fee';
  const all: readonly (readonly [Assumption, boolean])[] = [
    ['shipping_zero', hasReferral],
    ['tax_zero', hasReferral && referral.card?.isTaxInBase === true],
    ['no_store_plan', hasReferral && referral.card?.sellerPlan !== null],
    ['not_hazardous', hasFulfillment && listing.hazmat === null],
    ['apparel_by_category', hasFulfillment && category?.key === APPAREL],
    ['weight_not_of_package', hasFulfillment && weightOf !== 'package'],
    ['dimensions_not_of_package', hasFulfillment && dimensionsOf !== 'package'],
  ];
  return all.filter(([, holds]) => holds).map(([assumption]) => assumption);
}

/** Returns that day's charges that are not included in this listing's fee; empty if the fee is unknown. */
function leftOutOf(
  of: LeftOut['of'],
  day: Day,
  {
    card,
    fee,
  }: { readonly card: RateCard | null; readonly fee: ReferralFee | FulfillmentFee | UnknownFee },
): readonly LeftOut[] {
  if (card === null || fee.kind !== 'fee') return [];
  const isOvermax = 'isOvermax' in fee && fee.isOvermax;
  return card.notIncluded
    .filter(({ from, to }) =>
      isInForce({ effectiveFrom: from ?? card.effectiveFrom, effectiveTo: to }, day),
    )
    .filter(({ onlyOf }) => onlyOf === null || isOvermax)
    .map((charge) => {
      const share = charge.basisPointsOfFee;
      return { charge, of, cents: share === null ? null : shareOf(fee.cents, share) };
    });
}
