// Cells: what a retailer answered when it was asked for a barcode (D56). Written with the listing that was found, in one
// transaction. Listings that merely print the barcode have no cell: `findListingsTiedTo` finds them by what they print.

import type { Gtin14 } from '../../identifiers/gtin.ts';
import type { Identity, IdentityState } from '../../product/identity.ts';
import type { IdentityMethod, Slug } from '../../core/retailer.ts';
import type { Row, Sql, SqlValue, Statement } from '../sql.ts';
import { marksOf, mayReplace } from '../statement-values.ts';
import type { FoundVia } from '../../listing/stored-listing.ts';

/** How the last attempt ended; what a reader shows of it also depends on its age. */
export type CellStatus = 'ok' | 'not_found' | 'blocked' | 'error';

export type Cell = {
  readonly gtin: Gtin14;
  readonly retailer: Slug;
  readonly status: CellStatus;
  /** The listing that is tied, whatever its identity; null when nothing was resolved. */
  readonly listingId: string | null;
  readonly identity: Identity;
  /** `primary`: an official API, or pages where there is none (D54). */
  readonly source: 'primary' | 'secondary';
  readonly foundVia: FoundVia | null;
  /** Of the last attempt, or of the answer that a later failure left as it was. */
  readonly checkedAtMs: number;
  /**
   * When the retailer last answered for this barcode. Null before its first answer, and in rows of the first release
   * that have a listing: there nobody wrote down whether the retailer was asked.
   */
  readonly askedAtMs: number | null;
  /** Ids of the listings by which its hits were judged, `?` where that is not known; null where nothing was judged. */
  readonly judgedBy: string | null;
};

export type Cells = {
  /** By retailer; at most one each. */
  findCells(gtin: Gtin14): Promise<readonly Cell[]>;
  findCell(gtin: Gtin14, retailer: Slug): Promise<Cell | null>;
};

export function createCells(sql: Sql): Cells {
  return {
    async findCells(gtin) {
      const rows = await sql.all('select * from cells where gtin14 = $1 order by retailer', [gtin]);
      return rows.map(toCell);
    },
    async findCell(gtin, retailer) {
      const rows = await sql.all('select * from cells where gtin14 = $1 and retailer = $2', [
        gtin,
        retailer,
      ]);
      return rows.map(toCell)[0] ?? null;
    },
  };
}

function toCell(row: Row): Cell {
  const text = (name: string): string | null => {
    const value = row[name];
    return typeof value === 'string' ? value : null;
  };
  // SAFETY: only the functions below write rows, from the same types; the schema checks the words.
  return {
    gtin: String(row['gtin14']) as Gtin14,
    retailer: String(row['retailer']),
    status: String(row['status']) as CellStatus,
    listingId: text('listing_id'),
    identity: {
      state: String(row['identity_state']) as IdentityState,
      method: text('identity_method') as IdentityMethod | null,
      pageBarcode: text('page_barcode') as Gtin14 | null,
      checkedAtMs: Number(row['checked_at_ms']),
    },
    source: row['source'] === 'primary' ? 'primary' : 'secondary',
    foundVia: text('found_via') as FoundVia | null,
    checkedAtMs: Number(row['checked_at_ms']),
    askedAtMs: row['asked_at_ms'] === null ? null : Number(row['asked_at_ms']),
    judgedBy: text('judged_by'),
  };
}

const INSERT = `insert into cells (gtin14, retailer, status, listing_id, identity_state, identity_method,
    page_barcode, source, found_via, checked_at_ms, asked_at_ms, judged_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/**
 * An attempt that says nothing about the product. What is known of the cell stays, with the time it was learnt: a shop
 * that is down does not end the tie to its listing (D38).
 */
export function upsertFailedAttempt(cell: Cell): Statement {
  return {
    text: `${INSERT}
      on conflict (gtin14, retailer) do update set
        status = excluded.status,
        checked_at_ms = case when cells.listing_id is null
          then excluded.checked_at_ms else cells.checked_at_ms end
      where ${mayReplace('cells', 'checked_at_ms')}`,
    params: columnsOf(cell),
  };
}

/** What was checked earlier never replaces what was checked later. */
export function upsertCell(cell: Cell): Statement {
  return {
    text: `${INSERT}
      on conflict (gtin14, retailer) do update set
        status = excluded.status, listing_id = excluded.listing_id,
        identity_state = excluded.identity_state, identity_method = excluded.identity_method,
        page_barcode = excluded.page_barcode, source = excluded.source,
        found_via = excluded.found_via, checked_at_ms = excluded.checked_at_ms,
        asked_at_ms = excluded.asked_at_ms, judged_by = excluded.judged_by
      where ${mayReplace('cells', 'checked_at_ms')}`,
    params: columnsOf(cell),
  };
}

function columnsOf(cell: Cell): readonly SqlValue[] {
  return [
    cell.gtin,
    cell.retailer,
    cell.status,
    cell.listingId,
    cell.identity.state,
    cell.identity.method,
    cell.identity.pageBarcode,
    cell.source,
    cell.foundVia,
    cell.checkedAtMs,
    cell.askedAtMs,
    cell.judgedBy,
  ];
}

/** Of listings that are deleted: their retailers count as never asked. */
export function deleteCellsOf(listingIds: readonly string[]): Statement {
  return {
    text: `delete from cells where listing_id in (${marksOf(listingIds, 1)})`,
    params: listingIds,
  };
}

export function deleteCellsOfRetailer(retailer: Slug): Statement {
  return { text: 'delete from cells where retailer = $1', params: [retailer] };
}
