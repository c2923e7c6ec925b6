// Which watches a listing that was read concerns, and which of them pays for the read. Pure.

import { isDoneSince } from '../core/clock.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import { tie } from '../product/identity.ts';
import type { Watch } from './held-watch.ts';
import { newEnoughSinceMs } from './schedule.ts';

export type WatchedRead = {
  readonly stored: StoredListing;
  /** The barcode that was asked for; null: its own page or id was. */
  readonly gtin: Gtin14 | null;
};

/**
 * Whether a watch is about what was read: its listing, which `isMapped` says, or what its retailer answered for its barcode. Of
 * a watch that was paused only a check that was under way still is.
 */
export function isAbout(watch: Watch, isMapped: boolean, { stored, gtin }: WatchedRead): boolean {
  const { retailer, gtin: watched, pausedAtMs } = watch;
  if (pausedAtMs !== null && !isUnderWay(watch, stored)) return false;
  if (isMapped) return true;
  if (gtin === null || watched !== gtin) return false;
  if (stored.listing.gtin !== null && isOtherProduct(watch, stored)) return false;
  if (retailer === 'any' || retailer === 'best') return stored.listing.gtin === gtin;
  // Whose listing the anchor is becomes known with the first one that is read.
  if (retailer === 'anchor') return Object.keys(watch.state.known).length === 0;
  return retailer === stored.retailer;
}

/** Whether it has not seen the listing as it was read last. */
export function isBehind(watch: Watch, stored: StoredListing): boolean {
  return !hasSeen(watch, stored, stored.fetchedAtMs);
}

/** Whether it has seen the listing since, as of the time at which that was read. */
function hasSeen({ state }: Watch, { id, fetchedAtMs }: StoredListing, sinceMs: number): boolean {
  const known = state.known[id];
  return known !== undefined && isDoneSince(known.atMs, sinceMs, fetchedAtMs);
}

/** Its last check is still missing this listing, and was due less than an interval ago. */
function isUnderWay(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return isMissing(watch, stored) && stored.fetchedAtMs < (roundAtMs ?? 0) + intervalMs;
}

/** What was read just before the check was due is what it looked for: it has asked for no more. */
function isMissing(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return roundAtMs !== null && !hasSeen(watch, stored, newEnoughSinceMs(roundAtMs, intervalMs));
}

/** The page states another barcode than the one that is watched. */
export function isOtherProduct({ gtin }: Watch, stored: StoredListing): boolean {
  return gtin !== null && tie(gtin, stored, true).state === 'mismatch';
}

/** Its record states the barcode that is watched, or its own page is. `isTrusted`: of the shop (D57). */
export function isTiedTo({ gtin }: Watch, stored: StoredListing, isTrusted: boolean): boolean {
  return gtin === null || tie(gtin, stored, isTrusted).state === 'confirmed';
}

/**
 * Of the watches whose check this listing was still missing for, the one that was due first; none whose product the page has no
 * more, because nothing that is read of it would end its check. `broke`: organizations without tokens.
 */
export function payerOf(
  watches: readonly Watch[],
  stored: StoredListing,
  broke: ReadonlySet<string>,
): Watch | null {
  const waiting = watches.filter(
    (watch) =>
      isMissing(watch, stored) &&
      !isOtherProduct(watch, stored) &&
      !broke.has(watch.organizationId),
  );
  const due = (watch: Watch): number => watch.roundAtMs ?? 0;
  const [first] = waiting.toSorted(
    (a, b) => due(a) - due(b) || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  );
  return first ?? null;
}
