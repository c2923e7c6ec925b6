// One retailer's cell of a barcode as the service shows it (specification: cross-retailer cell; D34, D35): how it
// stands, which listing its facts come from, how that is tied. Pure; says nothing about the wire.

import { NOT_CHECKED, tie, type Identity } from './identity.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Listing } from '../listing/listing.ts';
import { KNOWN_SLUGS, isKnownSlug, type Slug } from '../core/retailer.ts';

/** `confirmed`: only rows whose own record ties to the barcode. */
export const IDENTIFIER_MATCHES = ['any', 'confirmed'] as const;
export type IdentifierMatch = (typeof IDENTIFIER_MATCHES)[number];

export const CELL_STATUSES = ['ok', 'stale', 'indexing', 'not_found', 'blocked', 'error'] as const;
export type CellStatus = (typeof CELL_STATUSES)[number];

/** What is kept of one retailer for one barcode: how the last attempt went and what is tied. */
export type KeptCell = {
  readonly retailer: Slug;
  readonly status: 'ok' | 'not_found' | 'blocked' | 'error';
  readonly listingId: string | null;
  readonly source: 'primary' | 'secondary';
  readonly checkedAtMs: number;
};

/** As much of a held listing as a cell shows. */
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
  /** Where the facts come from; null on a row without a listing and on a mismatch (D34, D35). */
  readonly stored: CellListing | null;
  readonly identity: Identity;
  /** Who supplied the listing; null: there is none. */
  readonly source: 'primary' | 'secondary' | null;
  /** Of the facts; without any, of the last attempt. Null until tried. */
  readonly refreshedAtMs: number | null;
};

export type CellsInput = {
  /** The barcode searched; null: the product has none that is known. */
  readonly gtin: Gtin14 | null;
  readonly anchor: CellListing;
  readonly kept: readonly KeptCell[];
  /** Listings that publish the barcode or that a kept cell names. */
  readonly listings: readonly CellListing[];
  /** Retailers with a job that will ask them for this barcode. */
  readonly awaited: ReadonlySet<Slug>;
  readonly nowMs: number;
  /** Older facts are `stale` (D38), milliseconds. */
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

/** The cells that a caller sees: by default only those that a retailer's own record confirms. */
export function matchingCells(cells: readonly Cell[], match: IdentifierMatch): readonly Cell[] {
  return match === 'any' ? cells : cells.filter((each) => each.identity.state === 'confirmed');
}

function cellOf(input: CellsInput, gtin: Gtin14, retailer: Slug): Cell {
  const kept = input.kept.find((each) => each.retailer === retailer) ?? null;
  const tied = input.listings.find((each) => each.id === kept?.listingId);
  if (kept !== null && tied !== undefined) {
    // What the listing says now decides: it may have been read again since it was tied.
    const refreshedAtMs = Math.max(kept.checkedAtMs, tied.fetchedAtMs);
    const identity = tie(gtin, retailer, tied.listing.gtin, refreshedAtMs);
    const { source } = kept;
    if (identity.state !== 'mismatch') return cellOfListing(input, tied, identity, source);
    // D35: what was found is another product's; its own barcode's cell has the facts.
    return { retailer, status: 'ok', stored: null, identity, source, refreshedAtMs };
  }
  // Filed before cells were written with every listing, or under another retailer's lookup.
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
 * A row without a listing. `indexing` only where nobody was asked yet and a job will (D34); an attempt says how it
 * ended, also while the next one waits.
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
