// Determines which watches a read listing concerns, and which of them pays for the read. Pure.

import { isDoneSince } from '../../base/clock.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import { tie } from '../product/identity.ts';
import type { Watch } from './stored-watch.ts';
import { newEnoughSinceMs } from './schedule.ts';

export type WatchedRead = {
  readonly stored: StoredListing;
  /** The requested barcode; null if the listing's own page or id was requested. */
  readonly gtin: Gtin14 | null;
};

/**
 * Returns whether a watch covers a reading: its listing, as `isMapped` says, or its retailer's answer for its barcode. A
 * paused watch is only concerned if its check was already in progress; one of pages that are handed in, only by such a page.
 */
export function isAbout(watch: Watch, isMapped: boolean, { stored, gtin }: WatchedRead): boolean {
  const { retailer, gtin: watched, pausedAtMs, rules } = watch;
  if (rules.isHandedIn === true && (stored.owner === undefined || pausedAtMs !== null))
    return false;
  if (pausedAtMs !== null && !isInProgress(watch, stored)) return false;
  if (isMapped) return true;
  if (gtin === null || watched !== gtin) return false;
  if (stored.listing.gtin !== null && isOtherProduct(watch, stored)) return false;
  if (retailer === 'any' || retailer === 'best') return stored.listing.gtin === gtin;
  // Which listing is the anchor only becomes known with the first one that is read.
  if (retailer === 'anchor') return Object.keys(watch.state.known).length === 0;
  return retailer === stored.retailer;
}

/** Returns whether the watch has not seen the latest reading of the listing. */
export function isBehind(watch: Watch, stored: StoredListing): boolean {
  return !hasSeen(watch, stored, stored.fetchedAtMs);
}

/** Returns whether the watch has seen the listing at or after `sinceMs`. */
function hasSeen({ state }: Watch, { id, fetchedAtMs }: StoredListing, sinceMs: number): boolean {
  const known = state.known[id];
  return known !== undefined && isDoneSince(known.atMs, sinceMs, fetchedAtMs);
}

/** Returns whether the watch's last check was due less than an interval ago and still lacks this listing. */
function isInProgress(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return isMissing(watch, stored) && stored.fetchedAtMs < (roundAtMs ?? 0) + intervalMs;
}

/**
 * Returns whether the last check still lacks the listing. A reading just before the check was due counts as its own: the
 * check would not have fetched anything newer.
 */
function isMissing(watch: Watch, stored: StoredListing): boolean {
  const { roundAtMs, intervalMs } = watch;
  return roundAtMs !== null && !hasSeen(watch, stored, newEnoughSinceMs(roundAtMs, intervalMs));
}

/** Returns whether the page states another barcode than the watched one. */
export function isOtherProduct({ gtin }: Watch, stored: StoredListing): boolean {
  return gtin !== null && tie(gtin, stored, true).state === 'mismatch';
}

/**
 * Returns whether the record states the watched barcode, or the page itself is watched. `isTrusted` applies to the shop
 * (D57).
 */
export function isTiedTo({ gtin }: Watch, stored: StoredListing, isTrusted: boolean): boolean {
  return gtin === null || tie(gtin, stored, isTrusted).state === 'confirmed';
}

/**
 * Returns the watch that pays: among those whose check still lacked this listing, the one that was due first. A watch whose
 * product is no longer on the page does not pay, because no reading of the page would complete its check. `broke` has
 * organizations without tokens.
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
