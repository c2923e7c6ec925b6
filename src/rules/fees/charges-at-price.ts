// Computes the fees that a marketplace charges a listing's seller at arbitrary prices, for calculations that need more than
// one: the break-even price. Pure.

import type { Day } from '../../base/clock.ts';
import type { Slug } from '../../base/retailer.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { feesOf, type Fees } from './listing-fees.ts';
import type { FulfillmentCard, ReferralCard } from './rate-card.ts';
import { categoryOnCard, referralFee } from './referral-fee.ts';
import { BAND_STARTS } from './size-tier-fee.ts';

/**
 * Returns the referral and fulfilment fee in total, in USD cents. Null if either is unknown: half of the fees would show a
 * profit that does not exist. A marketplace without a fulfilment programme charges only the referral fee.
 */
export function totalFeeCents(fees: Fees | null): number | null {
  if (fees === null || fees.referralCents === null) return null;
  const { fee } = fees.fulfillment;
  if (fee.kind === 'fee') return fees.referralCents + fee.cents;
  return fee.because === 'no_fulfillment_program' ? fees.referralCents : null;
}

type ListingOnDay = {
  readonly listing: Listing;
  readonly retailer: Slug;
  readonly day: Day;
  /** For any price of the listing: the cards and category that apply do not depend on it. */
  readonly fees: Fees;
};

/** The search for a price stops here: a million dollars. */
const HIGHEST_CENTS = 100_000_000;

/**
 * Returns the lowest price in cents that leaves at least `outlayCents` after fees; null if the fees are unknown or no price
 * up to a million dollars does. At the price where a new rate starts, the fee can jump by more than the price grows.
 * Between two such prices the proceeds never fall, so each of these ranges is searched on its own.
 */
export function breakEvenCents(
  { listing, retailer, day, fees }: ListingOnDay,
  outlayCents: number,
): number | null {
  const { card } = fees.referral;
  const starts = [Math.max(1, outlayCents), ...stepsOf(fees), HIGHEST_CENTS + 1]
    .filter((cents) => cents >= outlayCents && cents >= 1)
    .toSorted((a, b) => a - b);
  for (const [at, from] of starts.entries()) {
    const to = (starts[at + 1] ?? from) - 1;
    if (to < from) continue;
    const most = feesOf(listing, retailer, day, to);
    const total = totalFeeCents(most);
    if (card === null || total === null) return null;
    if (to - total < outlayCents) continue;
    // Within a range only the referral fee depends on the price.
    const enough = outlayCents + total - (most?.referralCents ?? 0);
    return lowestIn(from, to, (cents) => {
      const fee = referralFee(card, fees.category?.key ?? null, cents);
      return fee.kind === 'fee' && cents - fee.cents >= enough;
    });
  }
  return null;
}

/** Returns the first sufficient price of a range whose last price is sufficient. */
function lowestIn(from: number, to: number, isEnough: (cents: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the prices in cents at which another rate, band or fixed amount begins. */
function stepsOf({ referral, fulfillment, category }: Fees): readonly number[] {
  return [
    ...referralSteps(referral.card, category?.key ?? null),
    ...fulfillmentSteps(fulfillment.card),
  ];
}

function referralSteps(card: ReferralCard | null, key: string | null): readonly number[] {
  const row = card === null || key === null ? null : categoryOnCard(card, key);
  if (card === null || row === null) return [];
  const after = (tiers: readonly { readonly upToCents: number | null }[]): readonly number[] =>
    tiers.flatMap(({ upToCents }) => (upToCents === null ? [] : [upToCents + 1]));
  const rates =
    row.mode === 'whole_from' ? row.tiers.map(({ fromCents }) => fromCents) : after(row.tiers);
  return [...rates, ...after(card.perOrder)];
}

function fulfillmentSteps(card: FulfillmentCard | null): readonly number[] {
  if (card === null) return [];
  if (card.rule === 'pounds') return [card.lowPrice.belowCents];
  const { lowPriceDiscount } = card;
  return [...BAND_STARTS, ...(lowPriceDiscount === null ? [] : [lowPriceDiscount.belowCents])];
}
