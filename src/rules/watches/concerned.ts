// Which watches a read listing concerns, and which of them pays for the read. Pure.

import { isDoneSince } from '../../base/clock.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import { tie } from '../product/identity.ts';
import type { Watch } from './stored-watch.ts';
import { newEnoughSinceMs } from './schedule.ts';

export type WatchedRead = {
  readonly stored: StoredListing;
  /** The barcode that was asked for; null if the listing's own page or id was. */
  readonly gtin: Gtin14 | null;
};

/**
 * Whether a watch is about what was read: its listing, as `isMapped` says, or what its retailer answered for its barcode. A
 * paused watch is only concerned if its check was already in progress.
 */
export function isAbout(watch: Watch, isMapped: boolean, { stored, gtin }: WatchedRead): boolean {
  const { retailer, gtin: watched, pausedAtMs } = watch;
  if (pausedAtMs !== null && !isInProgress(watch, stored)) return false;
  if (isMapped) return true;
  if (gtin === null || watched !== gtin) return false;
  if (stored.listing.gtin !== null && isOtherProduct(watch, stored)) return false;
  if (retailer === 'any' || retailer === 'best') return stored.listing.gtin === gtin;
  // Whose listing the anchor is only becomes known with the first one that is read.
  if (retailer === 'anchor') return Object.keys(watch.state.known).length === 0;
  return retailer === stored.retailer;
}

/** Whether the watch has not seen the listing as it was last read. */
export function isBehind(watch: Watch, stored: StoredListing): boolean {
  return !hasSeen(watch, stored, stored.fetchedAtMs);
}

/** Whether the watch has seen the listing at or after `sinceMs`. */
function hasSeen({ state }: Watch, { id, fetchedAtMs }: StoredListing, sinceMs: number): boolean {
  const known = state.known[id];
  return known !== undefined && isDoneSince(known.atMs, sinceMs, fetchedAtMs);
}

/** Whether the watch's last check was due less than an interval ago and still lacks this listing. */
function isInProgress(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return isMissing(watch, stored) && stored.fetchedAtMs < (roundAtMs ?? 0) + intervalMs;
}

/**
 * Whether the last check still lacks the listing. A reading just before the check was due counts as its own: the check asked
 * for nothing newer.
 */
function isMissing(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return roundAtMs !== null && !hasSeen(watch, stored, newEnoughSinceMs(roundAtMs, intervalMs));
}

/** Whether the page states another barcode than the watched one. */
export function isOtherProduct({ gtin }: Watch, stored: StoredListing): boolean {
  return gtin !== null && tie(gtin, stored, true).state === 'mismatch';
}

/** Whether the record states the watched barcode, or the page itself is watched. `isTrusted` is that of the shop (D57). */
export function isTiedTo({ gtin }: Watch, stored: StoredListing, isTrusted: boolean): boolean {
  return gtin === null || tie(gtin, stored, isTrusted).state === 'confirmed';
}

/**
 * The watch that pays: of those whose check still lacked this listing, the one that was due first. A watch whose product the
 * page no longer has does not pay, because nothing that is read of the page would end its check. `broke` has organizations
 * without tokens.
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
