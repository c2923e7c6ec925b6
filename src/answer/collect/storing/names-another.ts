// Decides whether a page names another product than the one stored for its address (D90). A changed default variant, a renamed
// address and a corrected title are the same product.

import type { Listing } from '../../../base/listing/listing.ts';
import { printedCodesOf, compareCodes } from '../../../base/listing/stated-codes.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { Matching } from '../../../rules/matching/matcher.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import { reducedShopUrl } from '../../../read/retailers/addresses/shop-url.ts';

/**
 * Checks whether `read` is another product than `stored`. Product numbers decide if both pages print some. Numbers of different
 * kinds, such as a SKU and a barcode, neither agree nor contradict each other; the titles then decide. If a page prints no
 * number, the titles and the canonical addresses must both differ.
 */
export async function namesAnother(
  matching: Pick<MatchingLater, 'load'>,
  stored: StoredListing,
  read: Listing,
): Promise<boolean> {
  const compared = compareCodes(printedCodesOf(stored.listing), printedCodesOf(read));
  if (compared === 'shared') return false;
  if (compared === 'none_shared') return true;
  if (compared === 'missing' && !haveOtherAddresses(stored.listing, read)) return false;
  return haveOtherTitles(await matching.load(), stored, read);
}

function haveOtherAddresses(one: Listing, two: Listing): boolean {
  const addresses = [one.url, two.url].map((text) => (text === null ? null : URL.parse(text)));
  const [first, second] = addresses.map((url) => (url === null ? null : reducedShopUrl(url)));
  return first !== null && second !== null && first !== second;
}

/** Below this likelihood the matcher considers two titles to be of two products. */
const UNLIKELY = 0.1;

/**
 * The matcher knows little about short titles, and takes a corrected word for a difference. Where it is not sure, titles are
 * of one product if they share more than half of the words of the shorter one.
 */
function haveOtherTitles(matching: Matching, stored: StoredListing, read: Listing): boolean {
  const [before, now] = [wordsOf(stored.listing.title), wordsOf(read.title)];
  if (before.size === 0 || now.size === 0) return false;
  const known = [stored] as const;
  if (matching.isLikely(known, read)) return false;
  if (matching.similarity(known, read) < UNLIKELY) return true;
  return before.intersection(now).size * 2 <= Math.min(before.size, now.size);
}

function wordsOf(title: string | null): ReadonlySet<string> {
  return new Set((title ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
