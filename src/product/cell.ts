// The cross-retailer cell: what the service shows of one retailer for one barcode (D34, D35). Its status, the listing
// its facts come from, and how that listing is tied to the barcode. Pure; the JSON is made in `src/wire`.

import { NOT_CHECKED, tie, type Identity } from './identity.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Listing } from '../listing/listing.ts';
import { KNOWN_SLUGS, isKnownSlug, type Slug } from '../core/retailer.ts';

/** `confirmed`: only cells whose retailer publishes the barcode itself. */
export const IDENTIFIER_MATCHES = ['any', 'confirmed'] as const;
export type IdentifierMatch = (typeof IDENTIFIER_MATCHES)[number];

export const CELL_STATUSES = ['ok', 'stale', 'indexing', 'not_found', 'blocked', 'error'] as const;
export type CellStatus = (typeof CELL_STATUSES)[number];

/** What is stored of one retailer for one barcode: the result of the last attempt and the listing tied to it. */
export type KeptCell = {
  readonly retailer: Slug;
  readonly status: 'ok' | 'not_found' | 'blocked' | 'error';
  readonly listingId: string | null;
  readonly source: 'primary' | 'secondary';
  readonly checkedAtMs: number;
};

/** The part of a stored listing that a cell needs. */
export type CellListing = {
  readonly id: string;
  readonly retailer: Slug;
  readonly url: string;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
};

export type Cell = {
  readonly retailer: Slug;
  readonly status: CellStatus;
  /** The listing whose facts are shown; null in a cell without a listing and on a mismatch (D34, D35). */
  readonly stored: CellListing | null;
  readonly identity: Identity;
  /** Which source supplied the listing; null without a listing. */
  readonly source: 'primary' | 'secondary' | null;
  /** Time of the facts or, without facts, of the last attempt; null before the first attempt. */
  readonly refreshedAtMs: number | null;
};

export type CellsInput = {
  /** The barcode of the lookup; null when the product has no known barcode. */
  readonly gtin: Gtin14 | null;
  readonly anchor: CellListing;
  readonly kept: readonly KeptCell[];
  /** Listings that publish the barcode or that a stored cell names. */
  readonly listings: readonly CellListing[];
  /** Retailers with a queued job that will fetch this barcode. */
  readonly awaited: ReadonlySet<Slug>;
  readonly nowMs: number;
  /** Facts older than this are `stale` (D38). */
  readonly freshMs: number;
};

/** Every cell of the barcode: the known retailers in their order, then other shops by name (D34). */
export function cellsOf(input: CellsInput): readonly Cell[] {
  const { gtin, anchor } = input;
  if (gtin === null) {
    const identity = { ...NOT_CHECKED, checkedAtMs: anchor.fetchedAtMs };
    return [cellOfListing(input, anchor, identity, null)];
  }
  const met = [...input.kept.map((each) => each.retailer), ...carriers(input, gtin)];
  const others = [...new Set(met)].filter((slug) => !isKnownSlug(slug)).toSorted();
  return [...KNOWN_SLUGS, ...others].map((slug) => cellOf(input, gtin, slug));
}

function carriers({ listings }: CellsInput, gtin: Gtin14): readonly Slug[] {
  return listings.filter((each) => each.listing.gtin === gtin).map((each) => each.retailer);
}

/** The cells that a caller sees: by default only those that the retailer's own record confirms. */
export function matchingCells(cells: readonly Cell[], match: IdentifierMatch): readonly Cell[] {
  return match === 'any' ? cells : cells.filter((each) => each.identity.state === 'confirmed');
}

function cellOf(input: CellsInput, gtin: Gtin14, retailer: Slug): Cell {
  const kept = input.kept.find((each) => each.retailer === retailer) ?? null;
  const tied = input.listings.find((each) => each.id === kept?.listingId);
  if (kept !== null && tied !== undefined) {
    // The listing as it is now decides: it may have been read again since it was tied.
    const refreshedAtMs = Math.max(kept.checkedAtMs, tied.fetchedAtMs);
    const identity = tie(gtin, retailer, tied.listing.gtin, refreshedAtMs);
    const { source } = kept;
    if (identity.state !== 'mismatch') return cellOfListing(input, tied, identity, source);
    // D35: the listing is of another product; the cell of its own barcode has the facts.
    return { retailer, status: 'ok', stored: null, identity, source, refreshedAtMs };
  }
  // A listing without a stored cell: older versions did not store one, and other lookups store listings too.
  const own = input.listings.find(
    (each) => each.retailer === retailer && each.listing.gtin === gtin,
  );
  if (own !== undefined)
    return cellOfListing(input, own, tie(gtin, retailer, gtin, own.fetchedAtMs), null);
  return emptyCell(input, retailer, kept);
}

function cellOfListing(
  { nowMs, freshMs }: CellsInput,
  stored: CellListing,
  identity: Identity,
  source: Cell['source'],
): Cell {
  const { retailer, fetchedAtMs } = stored;
  const status = nowMs - fetchedAtMs <= freshMs ? 'ok' : 'stale';
  return { retailer, status, stored, identity, source, refreshedAtMs: fetchedAtMs };
}

/**
 * A cell without a listing. It is `indexing` only when the retailer was never fetched and a job will do it (D34); after
 * an attempt it shows that result, also while the next job waits.
 */
function emptyCell({ awaited }: CellsInput, retailer: Slug, kept: KeptCell | null): Cell {
  const none = { retailer, stored: null, identity: NOT_CHECKED };
  if (kept !== null && kept.status !== 'ok') {
    const { status, checkedAtMs: refreshedAtMs } = kept;
    return { ...none, status, source: null, refreshedAtMs };
  }
  const status = awaited.has(retailer) ? 'indexing' : 'error';
  return { ...none, status, source: null, refreshedAtMs: null };
}
