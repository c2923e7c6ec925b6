// What each retailer says about a barcode (D56 to D58): its own answer when it was asked for it, and its listings that merely
// print it. Which of them is shown, and whether it counts, depends on what is stored and never on the order in which it came.
// Pure.

import { KNOWN_SLUGS, isKnownSlug, type Slug } from '../../base/retailer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { FoundVia, StoredListing } from '../../base/listing/stored-listing.ts';
import { NOT_CHECKED, tie, type Identity } from './identity.ts';

/** A retailer's answer when it was asked for a barcode, or that it did not answer. */
export type BarcodeAnswer = {
  readonly retailer: Slug;
  readonly status: 'ok' | 'not_found' | 'blocked' | 'error';
  readonly listingId: string | null;
  readonly source: 'primary' | 'secondary';
  readonly foundVia: FoundVia | null;
  readonly checkedAtMs: number;
  readonly askedAtMs: number | null;
  /** The listings by which its hits were judged, as `referenceName` names them; null if nothing was judged. */
  readonly judgedBy: string | null;
};

export type BarcodeRow = {
  readonly retailer: Slug;
  /** The last attempt to ask it. Null if it was never tried, or for a shop that cannot be asked. */
  readonly answer: BarcodeAnswer | null;
  /** The listing that the row shows; null without one. */
  readonly stored: StoredListing | null;
  readonly identity: Identity;
  readonly foundVia: FoundVia | null;
  /** Whether it has answered for the barcode. Trusted shops cannot be asked: what they print is their answer. */
  readonly isAsked: boolean;
  /** Whether it is one of the seven retailers, or a shop that the operator listed (D57). */
  readonly isTrusted: boolean;
  /**
   * `published`: its record states the barcode. `guess`: it was found for the barcode, and the matcher accepts it. `refused`:
   * it was found, and the matcher takes it for another product. Null: no listing, or one of another barcode.
   */
  readonly tie: 'published' | 'guess' | 'refused' | null;
};

/** Whether a listing is of a shop whose word counts. */
export type IsTrusted = (listing: Pick<StoredListing, 'retailer' | 'url'>) => boolean;

/** Whether a guess may be the product, judged by what other retailers confirmed; true if nothing was confirmed. */
export type AcceptsGuess = (guess: StoredListing, references: readonly StoredListing[]) => boolean;

type RowRules = {
  readonly isTrusted: IsTrusted;
  readonly accepts: AcceptsGuess;
};

/**
 * The row of every known retailer, in their order, then of every other shop that prints the barcode, by host. `listings` are
 * those that publish the barcode and those that the answers name.
 */
export function barcodeRows(
  gtin: Gtin14,
  answers: readonly BarcodeAnswer[],
  listings: readonly StoredListing[],
  rules: RowRules,
): readonly BarcodeRow[] {
  const references = referencesOf(gtin, answers, listings);
  const shops = new Map<Slug, StoredListing>();
  for (const each of listings) {
    if (!isKnownSlug(each.retailer) && each.listing.gtin === gtin) {
      shops.set(each.retailer, smallestKey(shops.get(each.retailer), each));
    }
  }
  return [
    ...KNOWN_SLUGS.map((slug) => retailerRow(gtin, slug, { answers, listings, references, rules })),
    ...[...shops.values()].toSorted(byHost).map((stored) => shopRow(gtin, stored, rules)),
  ];
}

/** Whether the row's listing is tied to the barcode (D58); a shop's only if it is trusted. */
export function isTied(row: BarcodeRow): row is BarcodeRow & { readonly stored: StoredListing } {
  return row.isTrusted && (row.tie === 'published' || row.tie === 'guess');
}

/**
 * Whether the listing may anchor, supply, vote and link. `isBare` is for a lookup by the barcode alone. The retailer must then
 * have answered for it, so that a listing which somebody else's lookup stored never speaks for the retailer (D56).
 */
export function counts(
  row: BarcodeRow,
  isBare: boolean,
): row is BarcodeRow & { readonly stored: StoredListing } {
  return isTied(row) && (row.isAsked || !isBare);
}

/**
 * The listings that retailers confirmed when they were asked, in the order of the known retailers. Guesses are judged by these
 * only (D56).
 */
export function referencesOf(
  gtin: Gtin14,
  answers: readonly BarcodeAnswer[],
  listings: readonly StoredListing[],
): readonly StoredListing[] {
  return KNOWN_SLUGS.flatMap((slug) => {
    const id = answers.find((each) => each.retailer === slug)?.listingId ?? null;
    const stored = id === null ? undefined : listings.find((each) => each.id === id);
    if (stored === undefined) return [];
    return tie(gtin, stored, true).state === 'confirmed' ? [stored] : [];
  });
}

/** A name for the listings by which the hits of a retailer are judged. Its own answer does not judge itself. */
export function referenceName(references: readonly StoredListing[], retailer: Slug): string {
  return references
    .filter((each) => each.retailer !== retailer)
    .map(({ id }) => id)
    .join(' ');
}

type RetailerFacts = {
  readonly answers: readonly BarcodeAnswer[];
  readonly listings: readonly StoredListing[];
  readonly references: readonly StoredListing[];
  readonly rules: RowRules;
};

/**
 * The listing that the retailer's row shows: an answer whose record publishes the barcode; else a listing that prints it; else
 * an answer that is a guess (D56).
 */
function retailerRow(gtin: Gtin14, retailer: Slug, facts: RetailerFacts): BarcodeRow {
  const answer = facts.answers.find((each) => each.retailer === retailer) ?? null;
  const own = facts.listings.filter((each) => each.retailer === retailer);
  const answered = own.find((each) => each.id === answer?.listingId) ?? null;
  const printing = own
    .filter((each) => each.listing.gtin === gtin)
    .reduce<StoredListing | null>(smallestKey, null);
  const stored = answered?.listing.gtin === gtin ? answered : (printing ?? answered);
  const isAsked = answer !== null && answer.askedAtMs !== null;
  const row = { retailer, answer, isAsked, isTrusted: true };
  if (stored === null) {
    return { ...row, stored, identity: NOT_CHECKED, foundVia: null, tie: null };
  }
  const identity = tie(gtin, stored, true);
  const foundVia = stored === answered ? (answer?.foundVia ?? stored.foundVia) : stored.foundVia;
  return { ...row, stored, identity, foundVia, tie: tieKind(gtin, stored, identity, facts) };
}

function tieKind(
  gtin: Gtin14,
  stored: StoredListing,
  { state }: Identity,
  { references, rules }: RetailerFacts,
): BarcodeRow['tie'] {
  if (stored.listing.gtin === gtin) return 'published';
  if (state === 'mismatch') return null;
  const others = references.filter((each) => each.retailer !== stored.retailer);
  return rules.accepts(stored, others) ? 'guess' : 'refused';
}

function shopRow(gtin: Gtin14, stored: StoredListing, { isTrusted }: RowRules): BarcodeRow {
  const trusted = isTrusted(stored);
  return {
    retailer: stored.retailer,
    answer: null,
    stored,
    identity: tie(gtin, stored, trusted),
    foundVia: stored.foundVia,
    isAsked: trusted,
    isTrusted: trusted,
    tie: 'published',
  };
}

function smallestKey(a: StoredListing | null | undefined, b: StoredListing): StoredListing {
  return a === null || a === undefined || b.key < a.key ? b : a;
}

/**
 * Compares hosts. Slugs of shops with the same label are numbered in the order in which they were met, so that they cannot be
 * compared.
 */
function byHost(a: StoredListing, b: StoredListing): number {
  const [one, two] = [hostOf(a), hostOf(b)];
  if (one !== two) return one < two ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

function hostOf({ url }: StoredListing): string {
  return new URL(url).host;
}
