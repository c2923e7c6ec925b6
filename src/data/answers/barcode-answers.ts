// Retailers' answers when asked for a barcode (D56), in the table `cells`. An answer is written with the listing found, in one
// transaction. A listing that merely prints the barcode is not an answer: `findListingsTiedTo` finds it by its printed barcode.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { BarcodeAnswer } from '../../rules/product/barcode-rows.ts';
import type { Identity, IdentityState } from '../../rules/product/identity.ts';
import type { IdentityMethod, Slug } from '../../base/retailer.ts';
import type { Row, Sql, SqlValue, Statement } from '../sql.ts';
import { mayReplace, originIn, originValues, placeholdersOf } from '../statement-values.ts';
import type { FoundVia } from '../../base/listing/stored-listing.ts';

/**
 * An answer as stored. Its times belong to the last attempt, or to an answer that a later failure left unchanged.
 * `askedAtMs` is null before the first answer.
 */
export type StoredBarcodeAnswer = BarcodeAnswer & {
  readonly gtin: Gtin14;
  /** How the listing is tied, in every state. */
  readonly identity: Identity;
};

export type BarcodeAnswers = {
  /** Returns a barcode's answers by retailer, at most one each. */
  findAnswers(gtin: Gtin14): Promise<readonly StoredBarcodeAnswer[]>;
  findAnswer(gtin: Gtin14, retailer: Slug): Promise<StoredBarcodeAnswer | null>;
  /** Returns the barcode for which this listing was last the answer; null if it never was, or states another one. */
  findBarcodeOf(listingId: string): Promise<Gtin14 | null>;
};

export function createBarcodeAnswers(sql: Sql): BarcodeAnswers {
  return {
    async findAnswers(gtin) {
      const rows = await sql.all('select * from cells where gtin14 = $1 order by retailer', [gtin]);
      return rows.map(toAnswer);
    },
    async findAnswer(gtin, retailer) {
      const rows = await sql.all('select * from cells where gtin14 = $1 and retailer = $2', [
        gtin,
        retailer,
      ]);
      return rows.map(toAnswer)[0] ?? null;
    },
    async findBarcodeOf(listingId) {
      const [row] = await sql.all(
        `select gtin14 from cells where listing_id = $1 and identity_state <> 'mismatch'
         order by checked_at_ms desc, gtin14 limit 1`,
        [listingId],
      );
      // SAFETY: only this file writes rows, from the same type.
      return row === undefined ? null : (String(row['gtin14']) as Gtin14);
    },
  };
}

function toAnswer(row: Row): StoredBarcodeAnswer {
  const text = (name: string): string | null => {
    const value = row[name];
    return typeof value === 'string' ? value : null;
  };
  // SAFETY: only the functions below write rows, from the same types; the schema checks the words.
  return {
    gtin: String(row['gtin14']) as Gtin14,
    retailer: String(row['retailer']),
    status: String(row['status']) as BarcodeAnswer['status'],
    listingId: text('listing_id'),
    identity: {
      state: String(row['identity_state']) as IdentityState,
      method: text('identity_method') as IdentityMethod | null,
      pageBarcode: text('page_barcode') as Gtin14 | null,
      checkedAtMs: Number(row['checked_at_ms']),
    },
    source: row['source'] === 'primary' ? 'primary' : 'secondary',
    ...originIn(row, 'answered_by'),
    foundVia: text('found_via') as FoundVia | null,
    checkedAtMs: Number(row['checked_at_ms']),
    askedAtMs: row['asked_at_ms'] === null ? null : Number(row['asked_at_ms']),
    judgedBy: text('judged_by'),
  };
}

const INSERT = `insert into cells (gtin14, retailer, status, listing_id, identity_state, identity_method,
    page_barcode, source, found_via, checked_at_ms, asked_at_ms, judged_by, answered_by, door)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

/**
 * Writes an attempt that found out nothing about the product. Existing data is kept, with its own time: an unavailable shop
 * does not end the tie to its listing (D38).
 */
export function upsertFailedAttempt(answer: StoredBarcodeAnswer): Statement {
  return {
    text: `${INSERT}
      on conflict (gtin14, retailer) do update set
        status = excluded.status,
        checked_at_ms = case when cells.listing_id is null
          then excluded.checked_at_ms else cells.checked_at_ms end
      where ${mayReplace('cells', 'checked_at_ms')}`,
    params: columnsOf(answer),
  };
}

/** Writes an answer. An earlier check never replaces a later one. */
export function upsertBarcodeAnswer(answer: StoredBarcodeAnswer): Statement {
  return {
    text: `${INSERT}
      on conflict (gtin14, retailer) do update set
        status = excluded.status, listing_id = excluded.listing_id,
        identity_state = excluded.identity_state, identity_method = excluded.identity_method,
        page_barcode = excluded.page_barcode, source = excluded.source,
        found_via = excluded.found_via, checked_at_ms = excluded.checked_at_ms,
        asked_at_ms = excluded.asked_at_ms, judged_by = excluded.judged_by,
        answered_by = excluded.answered_by, door = excluded.door
      where ${mayReplace('cells', 'checked_at_ms')}`,
    params: columnsOf(answer),
  };
}

function columnsOf(answer: StoredBarcodeAnswer): readonly SqlValue[] {
  return [
    answer.gtin,
    answer.retailer,
    answer.status,
    answer.listingId,
    answer.identity.state,
    answer.identity.method,
    answer.identity.pageBarcode,
    answer.source,
    answer.foundVia,
    answer.checkedAtMs,
    answer.askedAtMs,
    answer.judgedBy,
    ...originValues(answer.origin),
  ];
}

/** Deletes the answers that name these deleted listings: their retailers then count as never asked. */
export function deleteBarcodeAnswersOf(listingIds: readonly string[]): Statement {
  return {
    text: `delete from cells where listing_id in (${placeholdersOf(listingIds, 1)})`,
    params: listingIds,
  };
}

export function deleteBarcodeAnswersOfRetailer(retailer: Slug): Statement {
  return { text: 'delete from cells where retailer = $1', params: [retailer] };
}
