// Finds hits for a barcode that would be judged differently now (D56). They were judged by the listings that other retailers
// had confirmed by then, and other listings have been confirmed since. Pure.

import { isKnownSlug, type KnownSlug } from '../../../base/retailer.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import {
  referenceName,
  referencesOf,
  type BarcodeAnswer,
  type BarcodeRow,
} from '../../../rules/product/barcode-rows.ts';
import type { CanAskByBarcode } from '../../collect/asking/source-access.ts';
import type { Anchor } from './anchor.ts';
import type { StoredForBarcode } from './stored-for-barcode.ts';

type Rows = { readonly rows: readonly BarcodeRow[]; readonly listings: readonly StoredListing[] };

export function isJudgedAgain(
  { rows, listings }: Rows,
  answer: BarcodeAnswer,
  gtin: Gtin14,
): boolean {
  if (answer.judgedBy === null) return false;
  const answers = rows.flatMap((each) => (each.answer === null ? [] : [each.answer]));
  const references = referencesOf(gtin, answers, listings);
  if (references.some(({ id }) => id === answer.listingId)) return false;
  return referenceName(references, answer.retailer) !== answer.judgedBy;
}

/**
 * Returns the retailers to ask again before an answer, so that the order in which they were asked does not matter. There are
 * none if the anchor is more than a guess: it then remains the anchor whatever they answer.
 */
export function askedTooEarly(
  found: StoredForBarcode,
  anchor: Anchor | null,
  canAsk: CanAskByBarcode,
): readonly KnownSlug[] {
  const { gtin, rows } = found;
  const row = rows.find((each) => each.stored !== null && each.stored.id === anchor?.stored.id);
  if (gtin === null || (row?.tie === 'published' && row.speaksAs === 'answer')) return [];
  return rows.flatMap(({ retailer, answer }) =>
    answer !== null &&
    isKnownSlug(retailer) &&
    canAsk(retailer) &&
    isJudgedAgain(found, answer, gtin)
      ? [retailer]
      : [],
  );
}
