// Listings: the last facts from each retailer, found by its own identifier or by barcode. A row without a record was only
// imported with a price history, or is only stated by sources and organizations whose rows lie over it (layers.ts).

import { createHash } from 'node:crypto';

import { createBoundedMap } from '../../base/bounded-map.ts';
import { EMPTY_LISTING } from '../../base/listing/listing.ts';
import { EMPTY_OFFER } from '../../base/listing/offer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Door } from '../../base/listing/origin.ts';
import type { ReadNotes } from '../../base/listing/page.ts';
import { KNOWN_SLUGS, type Slug } from '../../base/retailer.ts';
import { hasSeries, shownLayer, termLimitsOf } from '../../rules/terms/shown-layer.ts';
import type { Row, Sql } from '../sql.ts';
import { numberOrNull, originIn, padded, placeholdersOf, textOrNull } from '../statement-values.ts';
import type { FoundVia, StoredListing } from '../../base/listing/stored-listing.ts';
import { listingInMinorUnits, type ListingRecord, type RecordUnits } from './record-amounts.ts';
import { COMMON_VIEW, LAYERED, visibleTo, withoutLayer, type View } from './layers.ts';

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
  /** The rows whose observations are its price history, where that is not the row `id` alone. */
  readonly series?: readonly string[];
  /** The source whose terms allow no history of its facts; absent if there is none. */
  readonly withheldBy?: string;
  /** Rows that the viewing organization brought itself: a series in addition to the common one. */
  readonly ownSeries?: readonly OwnSeries[];
};

/** The row of an organization's observations, and how they came. */
type OwnSeries = { readonly rowId: string; readonly door: Door };

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
   * Returns when a page of the retailer was last read (ms), and its signals about use; null if none was ever read. This is
   * an index lookup, however many pages there are.
   */
  findLastFetch(
    retailer: Slug,
  ): Promise<(Pick<StoredListing, 'signals'> & { readonly atMs: number }) | null>;
};

const MAX_OF_ONE_BARCODE = 200;
const OF_SEVEN = `retailer in (${KNOWN_SLUGS.map((slug) => `'${slug}'`).join(', ')})`;
/** Anyone can publish hundreds of pages that print a barcode: they must not displace the known retailers' listings. */
const SEVEN_FIRST = `case when ${OF_SEVEN} then 0 else 1 end`;

/** `view`: whose reads these are, and under which terms facts are given. */
export function createListings(sql: Sql, view: View = COMMON_VIEW): Listings {
  const reading: Reading = { sql, view, parse: createParsing() };
  const findStored = async (id: string): Promise<NotedListing | null> => {
    const text = `select * from listings where id = $1 and ${HAS_FACTS} and layer_of is null`;
    return (await shownOf(reading, await sql.all(text, [id])))[0] ?? null;
  };
  return {
    findListing: (retailer, key) => findStored(listingIdOf(retailer, key)),
    findShownAt: async (retailer, key) => {
      const first = await findStored(listingIdOf(retailer, key));
      if (first === null) return [];
      const ids = placesAfter(first).map((place) => listingIdOf(retailer, place));
      if (ids.length === 0) return [first];
      const text = `select * from listings where id in (${placeholdersOf(ids, 1)}) and record is not null order by listing_key`;
      return [first, ...(await shownOf(reading, await sql.all(text, ids)))];
    },
    findListingById: findStored,
    findListingsTiedTo: (gtin) => findTiedTo(reading, gtin),
    async findSample(after, limit) {
      const rows = await sql.all(
        `select * from listings where record is not null and layer_of is null and id > $1
         order by id limit $2`,
        [after, limit],
      );
      return await shownOf(reading, rows);
    },
    findKnownListing: (retailer, key) => findKnown(reading, listingIdOf(retailer, key)),
    findKnownListingById: (id) => findKnown(reading, id),
    async findKnownListingsByGtin(gtin) {
      const read = await findKnownByGtin(reading, gtin, 'is not null');
      return [...read, ...(await findKnownByGtin(reading, gtin, 'is null'))];
    },
    async findLastFetch(retailer) {
      const rows = await sql.all(
        `select fetched_at_ms as at_ms, record from listings
         where retailer = $1 and fetched_at_ms is not null and organization_id is null
         order by fetched_at_ms desc limit 1`,
        [retailer],
      );
      const [row] = rows;
      const atMs = numberOrNull(row?.['at_ms']);
      if (atMs === null) return null;
      const record = textOrNull(row?.['record']);
      return { atMs, ...(record === null ? {} : { signals: recordOf(record).signals }) };
    },
  };
}

type Reading = {
  readonly sql: Sql;
  readonly view: View;
  readonly parse: (text: string) => StoredRecord;
};

/** Common rows with facts, either their own or from rows over them. */
const HAS_FACTS = '(record is not null or is_layered = 1)';

/**
 * The listings of rows, in the order in which each came first. Where several rows are of one listing, all that the view may
 * read are fetched, and the listing contains the facts that may be returned now.
 */
async function shownOf(reading: Reading, rows: readonly Row[]): Promise<readonly NotedListing[]> {
  const { view, parse } = reading;
  const layered = new Set(rows.filter(isInLayers).map(commonIdOf));
  if (layered.size === 0) return rows.map((row) => notedListingOf(row, parse));
  const layers = await layersOf(reading, layered);
  const viewing = { ...view, nowMs: view.now() };
  const shown = new Map<string, NotedListing | null>();
  for (const row of rows) {
    const id = commonIdOf(row);
    if (!layered.has(id)) shown.set(id, notedListingOf(row, parse));
    else if (!shown.has(id)) {
      const stored = (layers.get(id) ?? []).map((each) => ({
        rowId: String(each['id']),
        stored: notedListingOf(each, parse),
      }));
      shown.set(id, shownLayer(stored, viewing));
    }
  }
  return [...shown.values()].filter((each) => each !== null);
}

function isInLayers(row: Row): boolean {
  return row['is_layered'] === 1 || row['layer_of'] !== null;
}

/** The id by which everybody knows the listing of a row. */
function commonIdOf(row: Row): string {
  return textOrNull(row['layer_of']) ?? String(row['id']);
}

/** The rows with facts of these listings that the view may read, by the id of the common row. */
async function layersOf(
  { sql, view }: Reading,
  commonIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const ids = padded([...commonIds]);
  const marks = placeholdersOf(ids, 1);
  const visible = visibleTo(view, ids.length + 1);
  const rows = await sql.all(
    `select * from listings where record is not null and ${visible.text}
       and (id in (${marks}) or layer_of in (${marks}))
     order by id`,
    [...ids, ...visible.params],
  );
  return Map.groupBy(rows, commonIdOf);
}

/**
 * Listings that print the barcode are read through its index alone. Their ids are scattered over the id index, the largest
 * index, and each lookup there would read another page of it. Only additional listings named by a cell are found by id. At
 * most one page per shop is parsed: otherwise a shop that publishes hundreds of them would slow down every lookup.
 */
async function findTiedTo(reading: Reading, gtin: Gtin14): Promise<readonly NotedListing[]> {
  const { sql, view } = reading;
  const visible = visibleTo(view, 2);
  const printing = `gtin14 = $1 and record is not null and ${visible.text}`;
  const rows = await sql.all(
    `select * from (
       select * from listings where ${printing}
         and (${OF_SEVEN} or (retailer, listing_key) in (
           select retailer, min(listing_key) from listings where ${printing} group by retailer))
       union all
       select * from listings where ${HAS_FACTS} and id in (
         select listing_id from cells where gtin14 = $1 and listing_id is not null
           and listing_id not in (select id from listings where gtin14 = $1))) as tied
     order by ${SEVEN_FIRST}, retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
    [gtin, ...visible.params],
  );
  const shown = await shownOf(reading, rows);
  if (!rows.some(isInLayers)) return shown;
  // A newer row may print another barcode than this one.
  const named = await sql.all('select listing_id from cells where gtin14 = $1', [gtin]);
  const ids = new Set(named.map((row) => row['listing_id']));
  return shown.filter(({ id, listing }) => listing.gtin === gtin || ids.has(id));
}

const KNOWN = `select coalesce(layer_of, id) as id, retailer, url, gtin14, moved_to, outcome,
    case when is_layered = 1 or layer_of is not null then 1 else 0 end as is_layered,
    case when ${HAS_FACTS} then 1 else 0 end as is_read
  from listings`;

async function findKnown(reading: Reading, id: string): Promise<KnownListing | null> {
  const rows = await reading.sql.all(`${KNOWN} where id = $1 and layer_of is null`, [id]);
  return (await knownOf(reading, rows))[0] ?? null;
}

async function findKnownByGtin(
  reading: Reading,
  gtin: Gtin14,
  record: 'is null' | 'is not null',
): Promise<readonly KnownListing[]> {
  const visible = visibleTo(reading.view, 2);
  const rows = await reading.sql.all(
    `${KNOWN} where gtin14 = $1 and record ${record} and ${visible.text}
     order by ${SEVEN_FIRST}, retailer, listing_key limit ${MAX_OF_ONE_BARCODE}`,
    [gtin, ...visible.params],
  );
  const known = new Map(rows.map((row) => [String(row['id']), row]));
  return await knownOf(reading, [...known.values()]);
}

/**
 * The known listings of common rows, with the series of their layers. A common row that is there only because of rows which the view
 * may not read is left out.
 */
async function knownOf(reading: Reading, rows: readonly Row[]): Promise<readonly KnownListing[]> {
  const layered = rows.filter((row) => row['is_layered'] === 1).map(({ id }) => String(id));
  if (layered.length === 0) return rows.map(toKnownListing);
  const layers = await layersOf(reading, new Set(layered));
  return rows.flatMap((row) => {
    const known = toKnownListing(row);
    const over = layers.get(known.id) ?? [];
    if (row['outcome'] === LAYERED && over.length === 0) return [];
    return [{ ...known, ...seriesOfLayers(reading.view, known.id, over) }];
  });
}

function seriesOfLayers(
  { terms, now }: View,
  id: string,
  layers: readonly Row[],
): Pick<KnownListing, 'series' | 'ownSeries' | 'withheldBy'> {
  const everybodys = layers.filter(({ organization_id: owner }) => owner === null);
  const nowMs = now();
  const isForbidden = (row: Row) =>
    !hasSeries(
      termLimitsOf(
        { ...originIn(row), fetchedAtMs: Number(row['fetched_at_ms']) },
        { terms, nowMs },
      ),
    );
  const common = everybodys.filter((row) => !isForbidden(row));
  const forbidden = everybodys.find(isForbidden);
  const own = layers.flatMap((row) => {
    const { origin } = originIn(row);
    if (row['organization_id'] === null || origin === undefined) return [];
    return [{ rowId: String(row['id']), door: origin.door }];
  });
  return {
    series: [...new Set([id, ...common.map((row) => String(row['id']))])],
    ...(forbidden === undefined ? {} : { withheldBy: String(forbidden['source']) }),
    ...(own.length === 0 ? {} : { ownSeries: own }),
  };
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

type StoredRecord = Pick<NotedListing, 'listing' | 'notes' | 'signals'>;

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
  const {
    listing: stored,
    notes,
    ...mark
  } = JSON.parse(text) as RecordUnits & {
    listing: ListingRecord;
    notes?: Partial<ReadNotes>;
  };
  if (typeof stored !== 'object' || stored === null) throw new Error('record has no listing');
  const listing = listingInMinorUnits(stored, mark);
  const offers = (listing.offers ?? []).map((offer) => ({ ...EMPTY_OFFER, ...offer }));
  const signals = notes?.signals;
  return {
    listing: { ...EMPTY_LISTING, ...listing, offers },
    ...(signals === undefined ? {} : { signals }),
    notes: {
      missing: notes?.missing ?? [],
      remarks: notes?.remarks ?? [],
      ...(notes?.chosen === undefined ? {} : { chosen: notes.chosen }),
    },
  };
}

function notedListingOf(row: Row, parse: (text: string) => StoredRecord): NotedListing {
  return {
    id: commonIdOf(row),
    retailer: String(row['retailer']),
    key: withoutLayer(String(row['listing_key'])),
    url: String(row['url']),
    // SAFETY: only `upsertListing` writes it, from the same union.
    foundVia: String(row['found_via']) as FoundVia,
    fetchedAtMs: Number(row['fetched_at_ms']),
    ...moveOf(row),
    ...(row['shown_count'] === null ? {} : { shownCount: Number(row['shown_count']) }),
    ...originIn(row),
    ...ownerOf(row),
    ...parse(String(row['record'])),
  };
}

function ownerOf(row: Row): Pick<NotedListing, 'owner'> {
  const organizationId = textOrNull(row['organization_id']);
  if (organizationId === null) return {};
  return { owner: { organizationId, isShared: row['is_shared'] === 1 } };
}

function moveOf(row: Row): Pick<NotedListing, 'moved'> {
  const toId = textOrNull(row['moved_to']);
  if (toId === null) return {};
  const readAtMs = Number(row['checked_at_ms']);
  return { moved: { toId, sinceMs: Number(row['moved_since_ms']), readAtMs } };
}
