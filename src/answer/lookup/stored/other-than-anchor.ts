// A barcode's stored listings other than the anchor of an answer, and which of them are in its cluster (D56, D59, D80).

import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { isApart, isUnsearched, type StoredListing } from '../../../base/listing/stored-listing.ts';
import type { Agreement } from '../../../rules/matching/agreement.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import { counts } from '../../../rules/product/barcode-rows.ts';
import { anchorOrder } from '../../../rules/product/source-order.ts';
import type { Anchor } from './anchor.ts';
import type { StoredForBarcode } from './stored-for-barcode.ts';

type OtherThanAnchor = {
  /** Listings that are linked to and supply nothing, because the terms of their source keep them apart (D81). */
  readonly apart: readonly StoredListing[];
  /** Listings that publish the barcode, in anchor order. */
  readonly carriers: readonly StoredListing[];
  readonly guesses: readonly StoredListing[];
};

/**
 * Returns the listings other than the anchor. If only a barcode was sent, a listing stored by other lookups does not speak for
 * a retailer that was not asked for the barcode. A retailer has one listing in a record: other listings of the anchor's
 * retailer add nothing (D56).
 */
export function otherThanAnchor(
  { rows }: StoredForBarcode,
  identifier: Identifier,
  anchor: StoredListing,
): OtherThanAnchor {
  const others = rows
    .filter((row) => counts(row, 'gtin14' in identifier))
    .filter((row) => row.stored.retailer !== anchor.retailer && !isUnsearched(row.stored));
  // A listing that is shown separately is not mixed with others: the record of such an anchor contains only its own facts.
  const isAlone = isApart(anchor);
  const mixed = isAlone ? [] : others.filter((row) => !isApart(row.stored));
  const tiedBy = (tie: 'published' | 'guess') =>
    mixed.filter((row) => row.tie === tie).map((row) => row.stored);
  return {
    carriers: anchorOrder(tiedBy('published')),
    guesses: tiedBy('guess'),
    apart: others.filter((row) => !mixed.includes(row)).map((row) => row.stored),
  };
}

type AnchorsCluster = {
  /** The result of comparing the anchor and the carriers. */
  readonly agreement: Pick<Agreement, 'disagreements' | 'score'>;
  /** The carriers of the anchor's cluster. All others say nothing about the product. */
  readonly confirmed: readonly StoredListing[];
  /** The guesses that are likely to be of the anchor's cluster. */
  readonly guesses: readonly StoredListing[];
};

/**
 * Returns the anchor's cluster (D80). An anchor whose own page or id was sent keeps its cluster, whichever cluster answers for
 * the barcode. Guesses were judged by the cluster that answers for the barcode, so they say nothing about the anchor's own
 * cluster.
 */
export async function clusterOfAnchor(
  { agreementOf }: Pick<MatchingLater, 'agreementOf'>,
  { stored, identity }: Anchor,
  { carriers, guesses }: Omit<OtherThanAnchor, 'apart'>,
): Promise<AnchorsCluster> {
  const isOwn = identity === null;
  const compared = [stored, ...carriers];
  const { agreeing, ...agreement } = await agreementOf(compared, isOwn ? 'first' : 'barcode');
  // A guess that anchors a barcode but is contradicted by the listings that publish it gets no data from them.
  const isContradicted = !agreeing.includes(stored);
  const confirmed = isContradicted ? [] : carriers.filter((each) => agreeing.includes(each));
  const isWhole = confirmed.length === carriers.length;
  const isBarcodes =
    !isOwn || isWhole || (await agreementOf(anchorOrder(compared))).agreeing.includes(stored);
  return { agreement, confirmed, guesses: isBarcodes ? guesses : [] };
}

/** Returns the listings that publish the barcode. */
export function publishingOf(
  gtin: Gtin14 | null,
  listings: readonly StoredListing[],
): readonly StoredListing[] {
  return gtin === null ? [] : listings.filter(({ listing }) => listing.gtin === gtin);
}
