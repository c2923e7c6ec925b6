// Short constructors for rate card rows, so that a card reads like the published table. They take percents and dollars, as
// published, and store hundredths of each.

import { hundredths } from '../../base/dollars.ts';
import type { FeeCategory, NotIncluded, StartTier, Tier } from './rate-card.ts';

/** Dollar amounts of a category in addition to its rates. */
type Extras = { readonly minimum?: number; readonly closing?: number };

/** `[upTo, percent]`; the last row is open-ended: `[null, percent]`. */
type TierRow = readonly [upTo: number | null, percent: number];

function tiersOf(rows: readonly TierRow[]): readonly Tier[] {
  return rows.map(([upTo, percent]) => ({
    upToCents: upTo === null ? null : hundredths(upTo),
    basisPoints: hundredths(percent),
  }));
}

function besides({ minimum, closing = 0 }: Extras) {
  return {
    minimumCents: minimum === undefined ? null : hundredths(minimum),
    closingCents: hundredths(closing),
  };
}

/** One rate for every base. */
export function flat(key: string, name: string, percent: number, extras: Extras = {}): FeeCategory {
  return { key, name, mode: 'flat', tiers: tiersOf([[null, percent]]), ...besides(extras) };
}

/** The tier that contains the base determines the rate for the whole base. */
export function whole(
  key: string,
  name: string,
  rows: readonly TierRow[],
  extras: Extras = {},
): FeeCategory {
  return { key, name, mode: 'whole', tiers: tiersOf(rows), ...besides(extras) };
}

/** Each slice of the base is charged at its own tier's rate. */
export function marginal(
  key: string,
  name: string,
  rows: readonly TierRow[],
  extras: Extras = {},
): FeeCategory {
  return { key, name, mode: 'marginal', tiers: tiersOf(rows), ...besides(extras) };
}

/** `[from, percent, hasPerOrderFee]`: the last row that starts at or below the base applies. */
export function wholeFrom(
  key: string,
  name: string,
  rows: readonly (readonly [from: number, percent: number, hasPerOrderFee: boolean])[],
): FeeCategory {
  const tiers: readonly StartTier[] = rows.map(([from, percent, hasPerOrderFee]) => ({
    fromCents: hundredths(from),
    basisPoints: hundredths(percent),
    hasPerOrderFee,
  }));
  return { key, name, mode: 'whole_from', tiers, ...besides({}) };
}

/** A charge that is not part of the fee; it applies on every day and to everything unless `limits` says otherwise. */
export function leftOut(
  name: string,
  note: string,
  limits: Partial<Omit<NotIncluded, 'name' | 'note'>> = {},
): NotIncluded {
  return {
    name,
    note,
    confidence: 'sure',
    from: null,
    to: null,
    basisPointsOfFee: null,
    onlyOf: null,
    ...limits,
  };
}
