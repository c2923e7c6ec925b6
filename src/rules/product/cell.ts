// The cross-retailer cell: what the service shows of one retailer for one barcode (D34, D35). It has a status, the listing
// that supplies its facts, and how that listing is tied to the barcode. Pure; the JSON is created in `src/answer/wire`.

import { NOT_CHECKED, tie, type Identity } from './identity.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Agreement } from '../matching/agreement.ts';
import { isUnsearched, isWithheld, type StoredListing } from '../../base/listing/stored-listing.ts';
import type { BarcodeRow } from './barcode-rows.ts';
import type { Slug } from '../../base/retailer.ts';

/** `any` shows all cells; `confirmed` only those whose retailer publishes the barcode itself. */
export const IDENTIFIER_MATCHES = ['any', 'confirmed'] as const;
export type IdentifierMatch = (typeof IDENTIFIER_MATCHES)[number];

export const CELL_STATUSES = ['ok', 'stale', 'indexing', 'not_found', 'blocked', 'error'] as const;
export type CellStatus = (typeof CELL_STATUSES)[number];

export type Cell = {
  readonly retailer: Slug;
  readonly status: CellStatus;
  /** The listing whose facts are shown. Null in a cell without a listing, and on a mismatch (D34, D35). */
  readonly stored: StoredListing | null;
  readonly identity: Identity;
  /**
   * The contradiction between the other listings and this one, which publishes the barcode (D59); null if there is none.
   */
  readonly disputed: Dispute | null;
  /** One sentence: whether the row counts for the record, and why. */
  readonly note: string;
  /** Which source supplied the listing; null without a listing. */
  readonly source: 'primary' | 'secondary' | null;
  /** Time of the facts, otherwise of the last attempt; null before the first attempt. */
  readonly refreshedAtMs: number | null;
};

export type Dispute = Pick<Agreement['disagreements'][number], 'reason' | 'detail'>;

type CellsInput = {
  /** The barcode of the lookup; null when the product has no known barcode. */
  readonly gtin: Gtin14 | null;
  readonly anchor: StoredListing;
  /** Whether the anchor's own page or id was requested: it is then shown whatever its retailer answers for the barcode. */
  readonly isOwn: boolean;
  readonly rows: readonly BarcodeRow[];
  /** Contradictions by the other listings, by retailer. Each retailer has one listing that was compared. */
  readonly disputes: ReadonlyMap<Slug, Dispute>;
  /** Retailers with a queued job that will fetch this barcode. */
  readonly awaited: ReadonlySet<Slug>;
  readonly nowMs: number;
  /** Facts older than this are `stale` (D38). */
  readonly freshMs: number;
};

/** Returns every cell of the barcode: the known retailers in their order, then other shops by host (D34). */
export function cellsOf(input: CellsInput): readonly Cell[] {
  const { gtin, anchor, isOwn } = input;
  if (gtin === null) {
    const identity = { ...NOT_CHECKED, checkedAtMs: anchor.fetchedAtMs };
    return [cellOfListing(input, { stored: anchor, identity, source: null, note: NO_BARCODE })];
  }
  return input.rows.map((row) =>
    isOwn && row.retailer === anchor.retailer && !isAnswer(row, anchor)
      ? ownCell(input, gtin, row)
      : cellOfRow(input, row),
  );
}

function isAnswer({ stored, speaksAs }: BarcodeRow, { id }: StoredListing): boolean {
  return stored?.id === id && speaksAs === 'answer';
}

/**
 * Creates the cell of the listing whose page or id was requested; it replaces the listing that its retailer ties to the
 * barcode.
 */
function ownCell(input: CellsInput, gtin: Gtin14, row: BarcodeRow): Cell {
  const { anchor } = input;
  const identity = tie(gtin, anchor, row.isTrusted);
  return cellOfListing(input, { stored: anchor, identity, source: null, note: OWN_PAGE });
}

function cellOfRow(input: CellsInput, row: BarcodeRow): Cell {
  const { retailer, stored, identity, answer } = row;
  // A retailer that was not asked shows what it prints only if that answers.
  const isShown = row.isAsked || !row.isTrusted || stored?.id === input.anchor.id;
  if (stored === null || !isShown) return emptyCell(input, row);
  if (isUnsearched(stored) && stored.id !== input.anchor.id) return unsearchedCell(stored);
  const note = noteOf(row);
  const source = answer?.listingId === stored.id ? answer.source : null;
  if (identity.state === 'mismatch') {
    // D35: the listing is of another product; the cell of its own barcode has the facts.
    const refreshedAtMs = Math.max(answer?.checkedAtMs ?? 0, stored.fetchedAtMs);
    const none = { stored: null, disputed: null, note };
    return {
      retailer,
      status: 'ok',
      identity,
      source: answer?.source ?? null,
      refreshedAtMs,
      ...none,
    };
  }
  return cellOfListing(input, { stored, identity, source, note });
}

type ListingCell = Pick<Cell, 'identity' | 'source' | 'note'> & { readonly stored: StoredListing };

function cellOfListing(
  { nowMs, freshMs, disputes }: CellsInput,
  { stored, identity, source, note }: ListingCell,
): Cell {
  const { retailer, fetchedAtMs } = stored;
  const isFresh = nowMs - fetchedAtMs <= freshMs && !isWithheld(stored);
  const status = isFresh ? 'ok' : 'stale';
  const disputed = disputes.get(retailer) ?? null;
  return {
    retailer,
    status,
    stored,
    identity,
    disputed,
    note: disputed === null ? note : disputeNote(disputed),
    source,
    refreshedAtMs: fetchedAtMs,
  };
}

/**
 * Creates a cell without a listing. It is `indexing` if the retailer has not answered and a job will query it (D34). After an
 * attempt it shows that result, even while the next job is waiting.
 */
function emptyCell({ awaited }: CellsInput, { retailer, answer }: BarcodeRow): Cell {
  const none = { retailer, stored: null, identity: NOT_CHECKED, disputed: null, source: null };
  if (answer !== null && answer.status !== 'ok') {
    const { status, checkedAtMs: refreshedAtMs } = answer;
    return { ...none, status, refreshedAtMs, note: WITHOUT_LISTING[status] };
  }
  const status = awaited.has(retailer) ? 'indexing' : 'error';
  return { ...none, status, refreshedAtMs: null, note: WITHOUT_LISTING[status] };
}

/** Creates the cell of a shop that asks not to be compared (D83). */
function unsearchedCell({ retailer, fetchedAtMs: refreshedAtMs }: StoredListing): Cell {
  const none = { stored: null, identity: NOT_CHECKED, disputed: null, source: null };
  return { retailer, status: 'blocked', ...none, refreshedAtMs, note: NOT_COMPARED };
}

const NOT_COMPARED = 'The shop asks not to be found by search or compared with others.';
const NO_BARCODE = 'The product has no known barcode, so nothing was compared.';
const OWN_PAGE = 'The page or id that was sent is this listing.';

const WITHOUT_LISTING: Readonly<Record<'not_found' | 'blocked' | 'error' | 'indexing', string>> = {
  not_found: 'The retailer has no product with this barcode.',
  blocked: 'The retailer refused the request, so nothing is known about it.',
  error: 'The retailer did not respond, or this installation cannot search it by barcode.',
  indexing: 'The retailer has not been queried for this barcode yet; a background job will do so.',
};

/** Returns why a row with a listing counts for the record, or does not (D56 to D58). */
function noteOf({ tie: kind, identity, isTrusted, speaksAs }: BarcodeRow): string {
  if (!isTrusted) {
    return 'The page of an untrusted shop prints this barcode, which proves nothing: it does not count.';
  }
  if (identity.state === 'mismatch') {
    return 'Its record states another barcode, under which it is stored: it does not count.';
  }
  if (kind === 'published' && speaksAs !== 'answer') {
    return speaksAs === 'print'
      ? 'Its page prints this barcode, but the retailer answered with another listing: it ' +
          'counts because no retailer has another one.'
      : 'Its page prints this barcode, but the retailer answered with another listing: it does ' +
          'not count.';
  }
  if (kind === 'published') {
    return identity.state === 'confirmed'
      ? 'Its record states this barcode: it counts.'
      : 'Its page prints this barcode: it counts, but this retailer is never taken as proof.';
  }
  const found =
    identity.pageBarcode === null
      ? 'Found by a search for this barcode; its page states none.'
      : 'Its record states the barcode of the same item in another packaging.';
  return kind === 'guess'
    ? `${found} It looks like the product, so it is shown, but the record uses none of its data.`
    : `${found} It does not look like the product: it does not count.`;
}

function disputeNote({ reason, detail }: Dispute): string {
  return `Its record states this barcode, but other listings contradict it (${detail ?? reason}): the record uses none of its data.`;
}

/** Returns the cells that a caller sees: by default only those that the retailer's own record confirms. */
export function matchingCells(cells: readonly Cell[], match: IdentifierMatch): readonly Cell[] {
  return match === 'any' ? cells : cells.filter((each) => each.identity.state === 'confirmed');
}
