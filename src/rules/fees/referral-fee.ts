// Computes referral and final value fees in cents from a rate card, a category and a fee base. Integers throughout: the
// percentage is rounded once, half up, and fixed amounts are added after that.

import type { FeeCategory, ReferralCard, Tier, UnknownFee } from './rate-card.ts';

export type ReferralFee = {
  readonly kind: 'fee';
  readonly cents: number;
  readonly category: FeeCategory;
  /** The percentage alone. */
  readonly percentageCents: number;
  /** Whether the minimum replaces the computed fee. */
  readonly isMinimum: boolean;
  readonly perOrderCents: number;
  readonly closingCents: number;
};

const WHOLE = 10_000n;

/** Multiplies cents by hundredths of a percent, before rounding: exact for prices of any size. */
function product(cents: number, basisPoints: number): bigint {
  return BigInt(cents) * BigInt(basisPoints);
}

function roundedHalfUp(share: bigint): number {
  return Number((share + WHOLE / 2n) / WHOLE);
}

/** Returns a share of an amount in cents, rounded half up; `basisPoints` are hundredths of a percent. */
export function shareOf(cents: number, basisPoints: number): number {
  return roundedHalfUp(product(cents, basisPoints));
}

function marginalShare(tiers: readonly Tier[], baseCents: number): bigint {
  let share = 0n;
  let below = 0;
  for (const { upToCents, basisPoints } of tiers) {
    const end = Math.min(baseCents, upToCents ?? baseCents);
    if (end > below) share += product(end - below, basisPoints);
    below = Math.max(below, end);
  }
  return share;
}

/** Returns the percentage of the base, and whether the per-order fee is added. */
function percentageOf(
  category: FeeCategory,
  baseCents: number,
): { readonly cents: number; readonly hasPerOrderFee: boolean } {
  if (category.mode === 'marginal') {
    return { cents: roundedHalfUp(marginalShare(category.tiers, baseCents)), hasPerOrderFee: true };
  }
  if (category.mode === 'whole_from') {
    const tier = category.tiers.findLast(({ fromCents }) => fromCents <= baseCents);
    const { basisPoints = 0, hasPerOrderFee = true } = tier ?? {};
    return { cents: shareOf(baseCents, basisPoints), hasPerOrderFee };
  }
  const tier = category.tiers.find(({ upToCents }) => upToCents === null || baseCents <= upToCents);
  return { cents: shareOf(baseCents, tier?.basisPoints ?? 0), hasPerOrderFee: true };
}

/** Returns the card's row for a category; null if it has none. */
export function categoryOnCard(card: ReferralCard, key: string): FeeCategory | null {
  const wanted = Object.hasOwn(card.standIns, key) ? card.standIns[key] : key;
  return card.categories.find((category) => category.key === wanted) ?? null;
}

/** Returns the fee on a base in cents (what the buyer pays for the item including shipping). */
export function referralFee(
  card: ReferralCard,
  categoryKey: string | null,
  baseCents: number | null,
): ReferralFee | UnknownFee {
  if (baseCents === null) return { kind: 'unknown', because: 'no_price' };
  if (categoryKey === null) return { kind: 'unknown', because: 'no_category' };
  const category = categoryOnCard(card, categoryKey);
  if (category === null) return { kind: 'unknown', because: 'category_not_on_card' };
  const percentage = percentageOf(category, baseCents);
  const minimumCents = category.minimumCents ?? card.minimumCents;
  const order = card.perOrder.find(({ upToCents }) => upToCents === null || baseCents <= upToCents);
  const perOrderCents = percentage.hasPerOrderFee ? (order?.cents ?? 0) : 0;
  const { closingCents } = category;
  return {
    kind: 'fee',
    cents: Math.max(percentage.cents, minimumCents) + perOrderCents + closingCents,
    category,
    percentageCents: percentage.cents,
    isMinimum: percentage.cents < minimumCents,
    perOrderCents,
    closingCents,
  };
}
