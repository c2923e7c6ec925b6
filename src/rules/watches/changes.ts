// What changed about a listing between two sightings, for the feed of an organization. Each change appears once, in the order
// of the sightings. A first sighting is no change, nor is a price that is not believed. Pure.

import { isDoneSince } from '../../base/clock.ts';
import type { Known, Sighting } from './watch.ts';

export const CHANGE_KINDS = ['price', 'stock', 'buy_box', 'offers_count', 'identity'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Prices are US cents. */
export type ChangedValue = string | number | boolean | null;

export type Change = {
  readonly kind: ChangeKind;
  /** What changed; for `identity`, the barcode or the pack. */
  readonly field: string;
  readonly before: ChangedValue;
  readonly after: ChangedValue;
};

/**
 * Whether a sighting is not newer than what is known. It then changes nothing, unless the known time is of a clock that has
 * been set back since.
 */
export function isOld(known: Pick<Known, 'atMs'>, { atMs }: Pick<Sighting, 'atMs'>): boolean {
  return isDoneSince(known.atMs, atMs, atMs);
}

/** `after` is what is known with the sighting. `before` is null if the listing was not watched. */
export function changesBetween(
  before: Known | null,
  after: Known,
  seen: Pick<Sighting, 'atMs'>,
): readonly Change[] {
  if (before === null || isOld(before, seen)) return [];
  const fields: readonly (readonly [ChangeKind, string, ChangedValue, ChangedValue])[] = [
    ['identity', 'gtin', before.gtin, after.gtin],
    ['identity', 'pack_count', before.packCount, after.packCount],
    ['stock', 'in_stock', before.inStock, after.inStock],
    ['price', 'price', before.priceCents, after.priceCents],
    ['buy_box', 'seller', before.seller, after.seller],
    ['offers_count', 'offers_count', before.offersCount, after.offersCount],
  ];
  return fields
    .filter(([, , old, now]) => old !== null && now !== null && old !== now)
    .map(([kind, field, old, now]) => ({ kind, field, before: old, after: now }));
}
