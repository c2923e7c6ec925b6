// Chooses the anchor of a barcode: the listing that supplies the record's offer (D27, D56, D57, D59). It is chosen from the
// barcode's rows, whether they were stored or have just been fetched.

import { isApart, isUnsearched, type StoredListing } from '../../../base/listing/stored-listing.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import { counts, isTied, type BarcodeRow } from '../../../rules/product/barcode-rows.ts';
import type { Identity } from '../../../rules/product/identity.ts';
import { anchorOrder } from '../../../rules/product/source-order.ts';
import type { StoredForBarcode } from './stored-for-barcode.ts';

/** A listing that answers, with its tie to the barcode. `identity` is null when its own page or id was sent. */
export type Anchor = {
  readonly stored: StoredListing;
  readonly identity: Identity | null;
  /** The listing that the sent address showed before, if it shows another product now (D90). */
  readonly from?: StoredListing;
};

/**
 * With `retailer`, returns the listing that this retailer ties. Otherwise the first in order that the others do not
 * contradict.
 */
export async function anchorOf(
  { agreementOf }: Pick<MatchingLater, 'agreementOf'>,
  { rows }: StoredForBarcode,
  retailer: string | null,
): Promise<Anchor | null> {
  if (retailer !== null) {
    const row = rows.find((each) => each.retailer === retailer);
    return row === undefined || !namedAnswers(row) ? null : anchorOfRow(row);
  }
  const counting = rows
    .filter((each) => counts(each, true))
    .filter(({ stored }) => !isUnsearched(stored));
  // A listing that is shown separately anchors only a barcode that nothing else ties (D81).
  const mixed = counting.filter(({ stored }) => !isApart(stored));
  const tied = mixed.length > 0 ? mixed : counting.slice(0, 1);
  const ordered = anchorOrder(tied.map((each) => each.stored));
  const published = ordered.filter((each) =>
    tied.some((row) => row.stored.id === each.id && row.tie === 'published'),
  );
  const { agreeing } = await agreementOf(published);
  const best =
    ordered.find(
      (each) =>
        !isOtherPackaging(tied, each) && (!published.includes(each) || agreeing.includes(each)),
    ) ??
    published[0] ??
    ordered[0];
  const row = tied.find((each) => each.stored.id === best?.id);
  return row === undefined ? null : anchorOfRow(row);
}

/**
 * Returns an unknown shop's page that prints the barcode, the first by host and key; used when no retailer ties a listing
 * (D57).
 */
export function unknownShopAnchor({ rows }: StoredForBarcode): Anchor | null {
  if (rows.some(isTied)) return null;
  const row = rows.find(
    ({ isTrusted, stored }) => !isTrusted && stored !== null && !isUnsearched(stored),
  );
  return row === undefined ? null : anchorOfRow(row);
}

/**
 * Checks whether the shop that the caller named answers: it speaks for itself, regardless of who runs it and of what the
 * other retailers answered.
 */
function namedAnswers(row: BarcodeRow): boolean {
  return (isTied(row) && row.isAsked) || (!row.isTrusted && row.tie === 'published');
}

function anchorOfRow({ stored, identity }: BarcodeRow): Anchor | null {
  return stored === null ? null : { stored, identity };
}

/**
 * Checks whether the listing states a code that differs only in its packaging indicator. Such a listing is never the anchor if
 * another one prints the requested code (D58).
 */
function isOtherPackaging(rows: readonly BarcodeRow[], { id }: StoredListing): boolean {
  const isOther = (row: BarcodeRow): boolean =>
    row.tie === 'guess' && row.stored !== null && row.stored.listing.gtin !== null;
  return (
    rows.some((row) => row.tie === 'published') &&
    rows.some((row) => row.stored?.id === id && isOther(row))
  );
}
