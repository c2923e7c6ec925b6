// What the history of a product is read from: the listings that are known of it, imported ones included,
// and their observations in pages, newest first. Knows no rule about which of them belong together.

import { DAY_MS } from '../core/clock.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Observation } from '../history/daily-bars.ts';
import type { Slug } from '../core/retailer.ts';
import { listingIdOf } from './listings.ts';
import { ALL_DAYS, readRecent, readYear, readYears, together } from './held-observations.ts';
import type { Row, Sql } from './sql.ts';

/** A listing that was read, or that has observations although it was only imported. */
export type KnownListing = {
  readonly id: string;
  readonly retailer: Slug;
  readonly gtin: Gtin14 | null;
  /** False: only imported, its page was never read. */
  readonly isRead: boolean;
};

/** One observation with the listing it belongs to; the pair of instant and listing is its place. */
export type PlacedObservation = Observation & { readonly listingId: string };

export type PagePosition = { readonly observedAtMs: number; readonly listingId: string };

export type HistoryPage = {
  readonly listingIds: readonly string[];
  /** From this instant on. */
  readonly fromMs: number;
  /** Only what stands behind this place; null: from the newest. */
  readonly after: PagePosition | null;
  readonly limit: number;
};

export type ProductHistory = {
  findKnownListing(retailer: Slug, key: string): Promise<KnownListing | null>;
  findKnownListingById(id: string): Promise<KnownListing | null>;
  /** By retailer and key; at most 200 that were read and 200 that were only imported. */
  findKnownListingsByGtin(gtin: Gtin14): Promise<readonly KnownListing[]>;
  /** Newest first; listings of the same instant in the order of their ids, backwards. */
  readPage(page: HistoryPage): Promise<readonly PlacedObservation[]>;
};

const KNOWN = `select id, retailer, gtin14, case when record is null then 0 else 1 end as is_read
  from listings`;
const MAX_OF_ONE_BARCODE = 200;

export function createProductHistory(sql: Sql): ProductHistory {
  const byGtin = (gtin: Gtin14, part: string) =>
    sql.all(
      `${KNOWN} where gtin14 = $1 and record ${part}
       order by retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
      [gtin],
    );
  return {
    findKnownListing: (retailer, key) => findKnown(sql, listingIdOf(retailer, key)),
    findKnownListingById: (id) => findKnown(sql, id),
    async findKnownListingsByGtin(gtin) {
      const read = await byGtin(gtin, 'is not null');
      return [...read, ...(await byGtin(gtin, 'is null'))].map(toKnownListing);
    },
    readPage: (page) => readPage(sql, page),
  };
}

async function findKnown(sql: Sql, id: string): Promise<KnownListing | null> {
  const rows = await sql.all(`${KNOWN} where id = $1`, [id]);
  return rows.map(toKnownListing)[0] ?? null;
}

function toKnownListing(row: Row): KnownListing {
  const gtin = row['gtin14'];
  return {
    id: String(row['id']),
    retailer: String(row['retailer']),
    // SAFETY: only normal forms are written to the column, and `checkStore` reports another.
    gtin: typeof gtin === 'string' ? (gtin as Gtin14) : null,
    isRead: Number(row['is_read']) === 1,
  };
}

/**
 * Years are read one by one, newest first, until the page is full: of a long history only what is shown is
 * unpacked.
 */
async function readPage(sql: Sql, page: HistoryPage): Promise<readonly PlacedObservation[]> {
  const { listingIds, fromMs, after, limit } = page;
  if (listingIds.length === 0) return [];
  const fromDay = Math.floor(fromMs / DAY_MS);
  const tail = await readRecent(sql, listingIds, { ...ALL_DAYS, fromDay });
  const years = await readYears(sql, listingIds, NO_TEXTS);
  const isAsked = (each: PlacedObservation): boolean =>
    each.observedAtMs >= fromMs && (after === null || newestFirst(after, each) < 0);
  const wanted = years
    .filter(({ firstMs, lastMs }) => lastMs >= fromMs && firstMs <= (after?.observedAtMs ?? lastMs))
    .toSorted((a, b) => b.lastMs - a.lastMs);
  let rows = tail.filter(isAsked).sort(newestFirst);
  for (const { lastMs, ...place } of wanted) {
    if ((rows[limit - 1]?.observedAtMs ?? -1) > lastMs) break;
    const more = together([], await readYear(sql, place), fromMs).filter(isAsked);
    const held = new Set(more.map(({ observedAtMs }) => observedAtMs));
    const isMore = (each: PlacedObservation) =>
      each.listingId === place.listingId && held.has(each.observedAtMs);
    rows = [...rows.filter((each) => !isMore(each)), ...more].sort(newestFirst);
  }
  return rows.slice(0, limit);
}

/** Later than every year: nothing but what stands beside the texts. */
const NO_TEXTS = 1_000_000;

function newestFirst(a: PagePosition, b: PagePosition): number {
  return b.observedAtMs - a.observedAtMs || (b.listingId < a.listingId ? -1 : 1);
}
