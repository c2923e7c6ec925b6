// Finds what changed about a listing between two observations, for an organization's feed. Each change appears once, in the
// order of the observations. A first observation is not a change, nor is a price that is not believed. Pure.

import { isDoneSince } from '../../base/clock.ts';
import type { Known, WatchObservation } from './watch.ts';

export const CHANGE_KINDS = ['price', 'stock', 'buy_box', 'offers_count', 'identity'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Prices are minor units of the currency in which the listing is seen. */
export type ChangedValue = string | number | boolean | null;

export type Change = {
  readonly kind: ChangeKind;
  /** What changed; for `identity`, the barcode or the pack. */
  readonly field: string;
  readonly before: ChangedValue;
  readonly after: ChangedValue;
};

/**
 * Returns whether an observation is not newer than the known state. It then changes nothing, unless the known time comes
 * from a clock that has since been set back.
 */
export function isOld(
  known: Pick<Known, 'atMs'>,
  { atMs }: Pick<WatchObservation, 'atMs'>,
): boolean {
  return isDoneSince(known.atMs, atMs, atMs);
}

/** `after` is the known state including the observation. `before` is null if the listing was not watched. */
export function changesBetween(
  before: Known | null,
  after: Known,
  seen: Pick<WatchObservation, 'atMs'>,
): readonly Change[] {
  if (before === null || isOld(before, seen)) return [];
  const fields: readonly (readonly [ChangeKind, string, ChangedValue, ChangedValue])[] = [
    ['identity', 'gtin', before.gtin, after.gtin],
    ['identity', 'pack_count', before.packCount, after.packCount],
    ['stock', 'in_stock', before.inStock, after.inStock],
    // Amounts in different currencies are not a price change.
    [
      'price',
      'price',
      before.currency === after.currency ? before.priceCents : null,
      after.priceCents,
    ],
    ['buy_box', 'seller', before.seller, after.seller],
    ['offers_count', 'offers_count', before.offersCount, after.offersCount],
  ];
  return fields
    .filter(([, , old, now]) => old !== null && now !== null && old !== now)
    .map(([kind, field, old, now]) => ({ kind, field, before: old, after: now }));
}
