// Whether the stored data answers for a barcode, or retailers must be asked first (D56).

import type { CanAskByBarcode } from '../../collect/asking/source-access.ts';
import { AFTER_FAILURE_MS, STALE_MS } from '../../collect/freshness.ts';
import { isDoneSince } from '../../../base/clock.ts';
import { isKnownSlug, KNOWN_SLUGS, type KnownSlug } from '../../../base/retailer.ts';
import { isTiedByAnswer, type BarcodeRow } from '../../../rules/product/barcode-rows.ts';
import type { StoredForBarcode } from './stored-for-barcode.ts';

const ALWAYS = Number.POSITIVE_INFINITY;
const NEVER = -1;

/** The retailers asked in addition to retailer_w. */
export const OTHERS = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_w');

type Asking = { readonly canAsk: CanAskByBarcode; readonly nowMs: number };

/**
 * Checks whether the stored data answers. It does if retailer_w's own answer ties a listing from the last 14 days. It also
 * does if retailer_w answered without a listing, or did not answer, and every other retailer that can be asked has been
 * asked. A retailer_w that failed is asked again in the background.
 */
export function isAnswered(found: StoredForBarcode, asking: Asking): boolean {
  const first = rowOf(found, 'retailer_w');
  if (first !== null && isTiedByAnswer(first)) {
    return asking.nowMs - first.stored.fetchedAtMs <= STALE_MS;
  }
  if (!isSettled(first, 'retailer_w', asking, ALWAYS)) return false;
  return OTHERS.every((slug) => isSettled(rowOf(found, slug), slug, asking, AFTER_FAILURE_MS));
}

/**
 * Returns the retailers other than retailer_w that have not answered. Those that failed are included: they are asked again
 * when none answers.
 */
export function unanswered(found: StoredForBarcode, asking: Asking): readonly KnownSlug[] {
  return OTHERS.filter((slug) => !isSettled(rowOf(found, slug), slug, asking, NEVER));
}

/** Returns the retailers that can be asked and whose last answer, if any, no longer counts. */
export function silentRetailers(found: StoredForBarcode, asking: Asking): readonly KnownSlug[] {
  return KNOWN_SLUGS.filter((slug) => !isSettled(rowOf(found, slug), slug, asking, NEVER));
}

/** Checks whether every retailer that can be asked has answered. A failure is not an answer. */
export function haveAllAnswered(found: StoredForBarcode, { canAsk }: Asking): boolean {
  return KNOWN_SLUGS.every((slug) => !canAsk(slug) || rowOf(found, slug)?.isAsked === true);
}

function isSettled(
  row: BarcodeRow | null,
  slug: KnownSlug,
  { canAsk, nowMs }: Asking,
  failureLastsMs: number,
): boolean {
  if (!canAsk(slug)) return true;
  const answer = row?.answer ?? null;
  if (answer === null) return false;
  const lastsMs = row?.isAsked === true ? STALE_MS : failureLastsMs;
  return isDoneSince(answer.checkedAtMs, nowMs - lastsMs, nowMs);
}

function rowOf({ rows }: StoredForBarcode, slug: KnownSlug): BarcodeRow | null {
  return rows.find((each) => isKnownSlug(each.retailer) && each.retailer === slug) ?? null;
}
