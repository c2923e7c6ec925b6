// Listings: each retailer's latest data, found by its own identifier or by barcode. A row without a record was only imported
// with a price history: the listing is known, but none of its data is stored.

import { createHash } from 'node:crypto';

import { createBoundedMap } from '../../base/bounded-map.ts';
import { EMPTY_LISTING, type Listing } from '../../base/listing/listing.ts';
import { EMPTY_OFFER, type Offer } from '../../base/listing/offer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { ReadNotes } from '../../base/listing/page.ts';
import { KNOWN_SLUGS, type Slug } from '../../base/retailer.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { placeholdersOf, mayReplace, textOrNull } from '../statement-values.ts';
import type { FoundVia, Move, StoredListing } from '../../base/listing/stored-listing.ts';

/** A listing as stored, with its reader's notes. */
export type NotedListing = StoredListing & {
  readonly notes: ReadNotes;
  /** How many products its address has shown; absent if only this one. */
  readonly shownCount?: number;
};

/** A listing that was read, or one that was only imported with observations. */
export type KnownListing = {
  readonly id: string;
  readonly retailer: Slug;
  readonly url: string;
  readonly gtin: Gtin14 | null;
  /** Whether its page was ever read; false if it was only imported. */
  readonly isRead: boolean;
  /** Id of the listing now shown at its address; null if its own product is still there (D90). */
  readonly movedToId: string | null;
};

export type Listings = {
  /** Finds a listing by the retailer's identifier, or by the reduced address for a shop without identifiers (D9). */
  findListing(retailer: Slug, key: string): Promise<NotedListing | null>;
  /**
   * Returns the listings shown at an address: the first one, then the newest eight that replaced it, in order of arrival
   * (`keyInPlace`).
   */
  findShownAt(retailer: Slug, key: string): Promise<readonly NotedListing[]>;
  /** By its id. */
  findListingById(id: string): Promise<StoredListing | null>;
  /**
   * Finds the stored listings that publish this barcode or that a cell names under it, including mismatches. The known
   * retailers come first, ordered by retailer and key. Of another shop, only the listing shown in its row is returned: the one
   * with the smallest key. At most 200.
   */
  findListingsTiedTo(gtin: Gtin14): Promise<readonly StoredListing[]>;
  /**
   * Returns stored listings ordered by id. That order has no other meaning, so the first ones are a sample of all. `after` is
   * the last id of the previous page, '' to start.
   */
  findSample(after: string, limit: number): Promise<readonly StoredListing[]>;
  findKnownListing(retailer: Slug, key: string): Promise<KnownListing | null>;
  findKnownListingById(id: string): Promise<KnownListing | null>;
  /**
   * Finds the known listings of a barcode, the known retailers first, ordered by retailer and key. At most 200 that were
   * read and 200 that were only imported.
   */
  findKnownListingsByGtin(gtin: Gtin14): Promise<readonly KnownListing[]>;
  /**
   * Returns when a page of the retailer was last read (ms); null if never. This is an index lookup, however many pages
   * there are.
   */
  findLastFetch(retailer: Slug): Promise<number | null>;
};

const MAX_OF_ONE_BARCODE = 200;
const OF_SEVEN = `retailer in (${KNOWN_SLUGS.map((slug) => `'${slug}'`).join(', ')})`;
/** Anyone can publish hundreds of pages that print a barcode: they must not displace the known retailers' listings. */
const SEVEN_FIRST = `case when ${OF_SEVEN} then 0 else 1 end`;

export function createListings(sql: Sql): Listings {
  const parse = createParsing();
  const toNotedListing = (row: Row): NotedListing => notedListingOf(row, parse);
  const findStored = async (id: string): Promise<NotedListing | null> => {
    const text = 'select * from listings where id = $1 and record is not null';
    return (await sql.all(text, [id])).map(toNotedListing)[0] ?? null;
  };
  return {
    findListing: (retailer, key) => findStored(listingIdOf(retailer, key)),
    findShownAt: async (retailer, key) => {
      const first = await findStored(listingIdOf(retailer, key));
      if (first === null) return [];
      const ids = placesAfter(first).map((place) => listingIdOf(retailer, place));
      if (ids.length === 0) return [first];
      const text = `select * from listings where id in (${placeholdersOf(ids, 1)}) and record is not null order by listing_key`;
      return [first, ...(await sql.all(text, ids)).map(toNotedListing)];
    },
    findListingById: findStored,
    findListingsTiedTo: async (gtin) => (await findTiedTo(sql, gtin)).map(toNotedListing),
    async findSample(after, limit) {
      const rows = await sql.all(
        'select * from listings where record is not null and id > $1 order by id limit $2',
        [after, limit],
      );
      return rows.map(toNotedListing);
    },
    findKnownListing: (retailer, key) => findKnown(sql, listingIdOf(retailer, key)),
    findKnownListingById: (id) => findKnown(sql, id),
    async findKnownListingsByGtin(gtin) {
      const read = await findKnownByGtin(sql, gtin, 'is not null');
      return [...read, ...(await findKnownByGtin(sql, gtin, 'is null'))];
    },
    async findLastFetch(retailer) {
      const rows = await sql.all(
        `select max(fetched_at_ms) as at_ms from listings
         where retailer = $1 and fetched_at_ms is not null`,
        [retailer],
      );
      const atMs = rows[0]?.['at_ms'];
      return typeof atMs === 'number' ? atMs : null;
    },
  };
}

/**
 * Listings that print the barcode are read through its index alone. Their ids are scattered over the id index, the largest
 * index, and each lookup there would read another page of it. Only additional listings named by a cell are found by id. At
 * most one page per shop is parsed: otherwise a shop that publishes hundreds of them would slow down every lookup.
 */
async function findTiedTo(sql: Sql, gtin: Gtin14): Promise<readonly Row[]> {
  return sql.all(
    `select * from (
       select * from listings where gtin14 = $1 and record is not null
         and (${OF_SEVEN} or (retailer, listing_key) in (
           select retailer, min(listing_key) from listings where gtin14 = $1 and record is not null
             group by retailer))
       union all
       select * from listings where record is not null and id in (
         select listing_id from cells where gtin14 = $1 and listing_id is not null
           and listing_id not in (select id from listings where gtin14 = $1))) as tied
     order by ${SEVEN_FIRST}, retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
    [gtin],
  );
}

const KNOWN = `select id, retailer, url, gtin14, moved_to, case when record is null then 0 else 1 end as is_read
  from listings`;

async function findKnown(sql: Sql, id: string): Promise<KnownListing | null> {
  const rows = await sql.all(`${KNOWN} where id = $1`, [id]);
  return rows.map(toKnownListing)[0] ?? null;
}

async function findKnownByGtin(
  sql: Sql,
  gtin: Gtin14,
  record: 'is null' | 'is not null',
): Promise<readonly KnownListing[]> {
  const rows = await sql.all(
    `${KNOWN} where gtin14 = $1 and record ${record}
     order by ${SEVEN_FIRST}, retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
    [gtin],
  );
  return rows.map(toKnownListing);
}

function toKnownListing(row: Row): KnownListing {
  const gtin = row['gtin14'];
  return {
    id: String(row['id']),
    retailer: String(row['retailer']),
    url: String(row['url']),
    // SAFETY: only normal forms are written to the column, and `checkStore` reports another.
    gtin: typeof gtin === 'string' ? (gtin as Gtin14) : null,
    isRead: Number(row['is_read']) === 1,
    movedToId: textOrNull(row['moved_to']),
  };
}

/** Maximum listings of one address that are compared with its current product, in addition to the first one. */
const MOST_IN_PLACE = 8;
const PLACE_DIGITS = 6;

/** Returns the key of the `count`-th product (2, 3, ...) shown at one address. Reduced addresses have no fragment. */
export function keyInPlace(key: string, count: number): string {
  return `${key}#${String(count).padStart(PLACE_DIGITS, '0')}`;
}

/** Returns the keys of the newest listings that replaced the first one. They are found by id: addresses have no index. */
function placesAfter({ key, shownCount = 1 }: NotedListing): readonly string[] {
  const from = Math.max(2, shownCount + 1 - MOST_IN_PLACE);
  return Array.from({ length: Math.max(0, shownCount + 1 - from) }, (_, at) =>
    keyInPlace(key, from + at),
  );
}

/** The id is derived from the listing's identity, so that its observation can reference it in the same transaction. */
export function listingIdOf(retailer: Slug, key: string): string {
  return createHash('sha256').update(`${retailer}\n${key}`).digest('base64url').slice(0, 22);
}

type StoredRecord = { readonly listing: Listing; readonly notes: ReadNotes };

/** Maximum characters of the texts whose records are cached. The parsed records take two to three times as much. */
const MAX_CHARACTERS = 8 * 1_024 * 1_024;

/**
 * Makes a `recordOf` that returns the same object for the same text, so that the matcher's results for a listing can be looked
 * up by object. Parsing took 6 % of a lookup from the store.
 */
function createParsing(): (text: string) => StoredRecord {
  const parsed = createBoundedMap<string, StoredRecord>(MAX_CHARACTERS, (_, { length }) => length);
  return (text) => {
    const known = parsed.use(text);
    if (known !== undefined) return known;
    const record = recordOf(text);
    parsed.set(text, record);
    return record;
  };
}

/**
 * Parses a stored record into its listing and notes; throws if the text is not a record. A field that did not exist when
 * the record was written is null (D23).
 */
export function recordOf(text: string): StoredRecord {
  // SAFETY: our own JSON, made by `upsertListing`; `checkStore` reports a row where it is not.
  const { listing, notes } = JSON.parse(text) as {
    listing: Partial<Omit<Listing, 'offers'>> & { offers?: readonly Partial<Offer>[] };
    notes?: Partial<ReadNotes>;
  };
  if (typeof listing !== 'object' || listing === null) throw new Error('record has no listing');
  const offers = (listing.offers ?? []).map((offer) => ({ ...EMPTY_OFFER, ...offer }));
  return {
    listing: { ...EMPTY_LISTING, ...listing, offers },
    notes: { missing: notes?.missing ?? [], remarks: notes?.remarks ?? [] },
  };
}

function notedListingOf(row: Row, parse: (text: string) => StoredRecord): NotedListing {
  return {
    id: String(row['id']),
    retailer: String(row['retailer']),
    key: String(row['listing_key']),
    url: String(row['url']),
    // SAFETY: only `upsertListing` writes it, from the same union.
    foundVia: String(row['found_via']) as FoundVia,
    fetchedAtMs: Number(row['fetched_at_ms']),
    ...moveOf(row),
    ...(row['shown_count'] === null ? {} : { shownCount: Number(row['shown_count']) }),
    ...parse(String(row['record'])),
  };
}

function moveOf(row: Row): Pick<NotedListing, 'moved'> {
  const toId = textOrNull(row['moved_to']);
  if (toId === null) return {};
  const readAtMs = Number(row['checked_at_ms']);
  return { moved: { toId, sinceMs: Number(row['moved_since_ms']), readAtMs } };
}

export type ListingToUpsert = {
  readonly retailer: Slug;
  readonly key: string;
  /** Where it was read. */
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** Present if its address shows another product now. */
  readonly moved?: Move;
  /** How many products its address has shown; unchanged if absent. */
  readonly shownCount?: number;
};

/**
 * Writes a listing that was read. An earlier fetch never replaces a later one, whichever is written last. A failed attempt
 * writes nothing: stored data keeps its own time (D25). The id is `listingIdOf`.
 */
export function upsertListing(read: ListingToUpsert): Statement {
  const { listing, moved, shownCount } = read;
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms, fetched_at_ms, record, price_cents, currency, in_stock, moved_to, moved_since_ms,
        shown_count)
      values ($1, $2, $3, $4, $5, $6, $12, $13, $7, $8, $9, $10, $11, $14, $15, $16)
      on conflict (id) do update set
        url = excluded.url, found_via = excluded.found_via, gtin14 = excluded.gtin14,
        outcome = excluded.outcome, moved_to = excluded.moved_to,
        moved_since_ms = excluded.moved_since_ms,
        shown_count = coalesce(excluded.shown_count, listings.shown_count), checked_at_ms = excluded.checked_at_ms,
        fetched_at_ms = excluded.fetched_at_ms, record = excluded.record,
        price_cents = excluded.price_cents, currency = excluded.currency,
        in_stock = excluded.in_stock
      where listings.fetched_at_ms is null or ${mayReplace('listings', 'fetched_at_ms')}`,
    params: [
      listingIdOf(read.retailer, read.key),
      read.retailer,
      read.key,
      read.url,
      read.foundVia,
      listing.gtin,
      read.fetchedAtMs,
      recordText(listing, read.notes),
      listing.price?.cents ?? null,
      listing.price?.currency ?? null,
      listing.inStock === null ? null : Number(listing.inStock),
      moved === undefined ? 'read' : 'moved',
      moved?.readAtMs ?? read.fetchedAtMs,
      moved?.toId ?? null,
      moved?.sinceMs ?? null,
      shownCount ?? null,
    ],
  };
}

/** Serializes the record. An offer has few of its many fields; the others are omitted. */
function recordText(listing: Listing, notes: ReadNotes): string {
  const { offers, ...facts } = listing;
  const stated = offers.map((offer) =>
    Object.fromEntries(Object.entries(offer).filter(([, value]) => value !== null)),
  );
  return JSON.stringify({
    listing: stated.length === 0 ? facts : { ...facts, offers: stated },
    notes,
  });
}

/** A listing named by an imported price history. */
export type ImportedListing = {
  readonly retailer: Slug;
  readonly key: string;
  /** The page address; empty if only a barcode is known. */
  readonly url: string;
  readonly gtin: Gtin14 | null;
};

/**
 * Writes a listing that has a history but was never read (`record is null`, no check time). One that was read keeps its page
 * data. The barcode is only filled in if none is known.
 */
export function insertImportedListing({ retailer, key, url, gtin }: ImportedListing): Statement {
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms)
      values ($1, $2, $3, $4, 'submitted_url', $5, 'imported', 0)
      on conflict (id) do update set gtin14 = excluded.gtin14
      where listings.record is null and listings.gtin14 is null and excluded.gtin14 is not null`,
    params: [listingIdOf(retailer, key), retailer, key, url, gtin],
  };
}

/** Deletes listings. Everything that references them must be deleted first. */
export function deleteListings(ids: readonly string[]): Statement {
  return { text: `delete from listings where id in (${placeholdersOf(ids, 1)})`, params: ids };
}
