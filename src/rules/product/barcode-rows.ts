// The statements of each retailer about a barcode (D56 to D58, D80): its own answer when it was queried for it, and its
// listings that merely print it. Which of them is shown, and whether it counts, depends only on what is stored, never on
// the order of arrival. Pure.

import type { Origin } from '../../base/listing/origin.ts';
import { KNOWN_SLUGS, isKnownSlug, type Slug } from '../../base/retailer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { isApart, type FoundVia, type StoredListing } from '../../base/listing/stored-listing.ts';
import { NOT_CHECKED, tie, type Identity } from './identity.ts';

/** A retailer's answer when it was queried for a barcode, or the lack of one. */
export type BarcodeAnswer = {
  readonly retailer: Slug;
  readonly status: 'ok' | 'not_found' | 'blocked' | 'error';
  readonly listingId: string | null;
  readonly source: 'primary' | 'secondary';
  /** Who stated the listing; absent without one, and for answers stored before origins were. */
  readonly origin?: Origin;
  readonly foundVia: FoundVia | null;
  readonly checkedAtMs: number;
  readonly askedAtMs: number | null;
  /** The listings by which its hits were judged, in the form of `referenceName`; null if nothing was judged. */
  readonly judgedBy: string | null;
};

export type BarcodeRow = {
  readonly retailer: Slug;
  /** The last attempt to query it. Null if there was none, or for a shop that cannot be queried. */
  readonly answer: BarcodeAnswer | null;
  /** The listing that the row shows, found as the retailer's answer was if it is that; null without one. */
  readonly stored: StoredListing | null;
  readonly identity: Identity;
  /** Whether it has answered for the barcode. Trusted shops cannot be queried: what they print is their answer. */
  readonly isAsked: boolean;
  /** Whether it is one of the seven retailers, or a shop that the operator listed (D57). */
  readonly isTrusted: boolean;
  /**
   * In which role the listing counts for its retailer in a lookup by the barcode alone (D80). `answer`: as what the
   * retailer answered. `print`: the listing merely prints the barcode, but no retailer's answer ties one. Null if it does
   * not speak.
   */
  readonly speaksAs: 'answer' | 'print' | null;
  /**
   * `published`: its record states the barcode. `guess`: it was found for the barcode, and the matcher accepts it. `refused`:
   * it was found, but the matcher considers it another product. Null if there is no listing, or one of another barcode.
   */
  readonly tie: 'published' | 'guess' | 'refused' | null;
};

/** Returns whether a listing is from a trusted shop. */
export type IsTrusted = (listing: Pick<StoredListing, 'retailer' | 'url'>) => boolean;

/** Returns whether a guess may be the product, judged by what other retailers confirmed; true if nothing was confirmed. */
export type AcceptsGuess = (guess: StoredListing, references: readonly StoredListing[]) => boolean;

type RowRules = {
  readonly isTrusted: IsTrusted;
  readonly accepts: AcceptsGuess;
};

/**
 * Returns one row for every known retailer, in their order, then for every other shop that prints the barcode, by host.
 * `listings` are those that publish the barcode and those that the answers refer to.
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
  const rows = [
    ...KNOWN_SLUGS.map((slug) => retailerRow(gtin, slug, { answers, listings, references, rules })),
    ...[...shops.values()].toSorted(byHost).map((stored) => shopRow(gtin, stored, rules)),
  ];
  if (rows.some(isTiedByAnswer)) return rows;
  const isPrinting = (row: BarcodeRow) => isTied(row) && row.tie === 'published';
  return rows.map((row) => (isPrinting(row) ? { ...row, speaksAs: 'print' } : row));
}

/** Returns whether the row's listing is tied to the barcode (D58); a shop's only if the shop is trusted. */
export function isTied(row: BarcodeRow): row is BarcodeRow & { readonly stored: StoredListing } {
  return row.isTrusted && (row.tie === 'published' || row.tie === 'guess');
}

/** Returns whether the retailer's answer for the barcode ties a listing. */
export function isTiedByAnswer(
  row: BarcodeRow,
): row is BarcodeRow & { readonly stored: StoredListing } {
  return isTied(row) && row.speaksAs === 'answer';
}

/**
 * Returns whether the listing may anchor, supply, vote and link. `isBare` is for a lookup by the barcode alone. The listing
 * must then speak for its retailer, so that one stored by someone else's lookup does not displace what the retailers answered
 * (D56, D80).
 */
export function counts(
  row: BarcodeRow,
  isBare: boolean,
): row is BarcodeRow & { readonly stored: StoredListing } {
  return isTied(row) && (row.speaksAs !== null || !isBare);
}

/** Returns whether a listing of these rows proves the barcode that it prints: only as its retailer's answer (D80). */
export function provesIn(rows: readonly BarcodeRow[], { id }: StoredListing): boolean {
  return !rows.some(({ stored, speaksAs }) => stored?.id === id && speaksAs !== 'answer');
}

/**
 * Returns the listings that retailers confirmed when queried, in the order of the known retailers. Guesses are judged only by
 * these (D56).
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
    if (isApart(stored)) return [];
    return tie(gtin, stored, true).state === 'confirmed' ? [stored] : [];
  });
}

/**
 * Returns an identifier for the listings by which a retailer's hits are judged. Its own answer is not used to judge itself.
 */
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
 * Returns the retailer's row. It shows what the retailer answered, if that is the product; otherwise a listing that merely
 * prints the barcode, which proves nothing; otherwise the answer (D56, D80).
 */
function retailerRow(gtin: Gtin14, retailer: Slug, facts: RetailerFacts): BarcodeRow {
  const answer = facts.answers.find((each) => each.retailer === retailer) ?? null;
  const own = facts.listings.filter((each) => each.retailer === retailer);
  const answered = own.find((each) => each.id === answer?.listingId) ?? null;
  const printing = own.filter((each) => each.listing.gtin === gtin);
  // A page that its reader brought is an answer to that reader (D84).
  const brought = firstByKey(
    printing.filter((each) => each.owner !== undefined && !each.isForeign),
  );
  const kindOf = (stored: StoredListing) => tieKind(gtin, stored, facts);
  const kind = answered === null ? null : kindOf(answered);
  const answering =
    kind === 'published' ? answered : (brought ?? (kind === 'guess' ? answered : null));
  // What another organization brought proves nothing, so it comes last.
  const merelyPrinting =
    firstByKey(printing.filter((each) => !each.isForeign)) ?? firstByKey(printing);
  const stored = answering ?? merelyPrinting ?? answered;
  const isBrought = stored !== null && stored === brought;
  const isAsked = isBrought || (answer !== null && answer.askedAtMs !== null);
  const isTrusted = stored?.isForeign !== true;
  const speaksAs = answering !== null && isAsked ? ('answer' as const) : null;
  const row = { retailer, answer, isAsked, isTrusted, speaksAs };
  if (stored === null) {
    return { ...row, stored, identity: NOT_CHECKED, tie: null };
  }
  const identity = tie(gtin, stored, isTrusted && answering !== null);
  const foundVia = (stored === answered ? answer?.foundVia : null) ?? stored.foundVia;
  const shown = foundVia === stored.foundVia ? stored : { ...stored, foundVia };
  return { ...row, stored: shown, identity, tie: kindOf(stored) };
}

function tieKind(
  gtin: Gtin14,
  stored: StoredListing,
  { references, rules }: RetailerFacts,
): BarcodeRow['tie'] {
  if (stored.listing.gtin === gtin) return 'published';
  if (tie(gtin, stored, true).state === 'mismatch') return null;
  const others = references.filter((each) => each.retailer !== stored.retailer);
  return rules.accepts(stored, others) ? 'guess' : 'refused';
}

function shopRow(gtin: Gtin14, stored: StoredListing, { isTrusted }: RowRules): BarcodeRow {
  const trusted = stored.isForeign !== true && isTrusted(stored);
  return {
    retailer: stored.retailer,
    answer: null,
    stored,
    identity: tie(gtin, stored, trusted),
    isAsked: trusted,
    isTrusted: trusted,
    speaksAs: trusted ? 'answer' : null,
    tie: 'published',
  };
}

function firstByKey(listings: readonly StoredListing[]): StoredListing | null {
  return listings.reduce<StoredListing | null>(smallestKey, null);
}

function smallestKey(a: StoredListing | null | undefined, b: StoredListing): StoredListing {
  return a === null || a === undefined || b.key < a.key ? b : a;
}

/**
 * Compares hosts. Slugs of shops with the same label are numbered in the order of their discovery, so they are not suitable
 * for comparison.
 */
function byHost(a: StoredListing, b: StoredListing): number {
  const [one, two] = [hostOf(a), hostOf(b)];
  if (one !== two) return one < two ? -1 : 1;
  return a.key < b.key ? -1 : 1;
}

function hostOf({ url }: StoredListing): string {
  return new URL(url).host;
}
