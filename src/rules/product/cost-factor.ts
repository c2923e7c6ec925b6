// Determines how often one sale of a listing incurs a cost (D77): a cost applies to one item that the code identifies, and
// a set of six with its own barcode is one item. Only a listing whose pack size differs from the record's incurs a
// different number of costs. Pure.

/** The unit of a cost: one item that the code identifies, or one piece of it. */
export const COSTS_PER = ['code', 'piece'] as const;
export type CostPer = (typeof COSTS_PER)[number];

export const COST_PER_WORDS: Readonly<Record<CostPer, string>> = {
  code: 'one unit of what the code identifies, such as a whole set',
  piece: 'one piece of a set',
};

/** Pieces in one sale of a listing, and in one item that the code identifies. Whole numbers from 1. */
export type Packs = { readonly sold: number; readonly named: number };

/** Readers take no larger count; a larger one, 0 or a fraction counts as not stated. */
const MOST_PIECES = 100_000;

/**
 * Returns the packs of a listing and of its record, from the pack counts that they state. A record without one is a single
 * piece, and a listing without one has the record's pack.
 */
export function packsOf(listing: number | null, record: number | null): Packs {
  const named = isCount(record) ? record : 1;
  return { sold: isCount(listing) ? listing : named, named };
}

function isCount(count: number | null): count is number {
  return Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MOST_PIECES;
}

/** Returns whether the pack size of a listing differs from its record's. */
export function isOtherPack({ sold, named }: Packs): boolean {
  return sold !== named;
}

/** A factor as a fraction, so that only the amount is rounded. */
export type CostFactor = { readonly times: number; readonly over: number };

/** Returns the number of cost units (items or pieces) in one sale. */
export function costFactorOf({ sold, named }: Packs, per: CostPer): CostFactor {
  return { times: sold, over: per === 'piece' ? 1 : named };
}

/** Returns whole cents times the factor, rounded once to whole cents, halves up. */
export function timesFactor(cents: number, { times, over }: CostFactor): number {
  return Math.floor((2 * cents * times + over) / (2 * over));
}

/**
 * Returns the most cents that times the factor are at most `most`; below zero if `most` is. The inverse of `timesFactor`.
 */
export function mostWithin(most: number, { times, over }: CostFactor): number {
  return Math.ceil((over * (2 * most + 1)) / (2 * times)) - 1;
}
