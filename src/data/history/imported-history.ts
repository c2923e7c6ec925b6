// Imports and exports a user's own price history. Rows of a file are inserted in addition to fetched ones, and
// everything stored is read in one order. Nothing here changes or removes an observation.

import { DAY_MS, HOUR_MS } from '../../base/clock.ts';
import { writeChanges } from '../answers/answer-writes.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Money } from '../../base/listing/money/minor-units.ts';
import { yearOf } from '../../rules/history/encoded-year.ts';
import type { StoredObservation } from '../../rules/history/year-state.ts';
import { listingIdOf } from '../answers/listings.ts';
import { type ImportedListing } from '../answers/listing-writes.ts';
import { COMMON_VIEW, withoutLayer, type View } from '../answers/layers.ts';
import { findRecent, storedForm, OBSERVATION } from './recent-observations.ts';
import { findObservations } from './observations.ts';
import { unpackYear, findYears } from './packed-observations.ts';
import type { Row, Sql } from '../sql.ts';
import type { NewObservation } from './recent-observations.ts';

/** The content of a file's row. */
export type ImportedEntry = ImportedListing & {
  readonly observedAtMs: number;
  readonly price: Money | null;
  readonly inStock: boolean | null;
};

/**
 * Returns the listing key for prices known only by barcode. No retailer has such an identifier, so it never names a page.
 */
export function barcodeKey(gtin: Gtin14): string {
  return `gtin:${gtin}`;
}

/** The outcome for an entry of a batch. */
export type ImportOutcome = 'added' | 'unchanged' | 'conflict';

/** Writes a batch in one transaction: all of it or nothing. The outcomes are in the order of the entries. */
export async function insertImported(
  sql: Sql,
  entries: readonly ImportedEntry[],
): Promise<readonly ImportOutcome[]> {
  const listings = new Map(
    entries.map((each) => [`${listingIdOf(each.retailer, each.key)} ${each.gtin ?? ''}`, each]),
  );
  const before = await findStored(sql, entries);
  const unknown = entries.filter((each) => !before.has(placeOf(each)));
  const written = await writeChanges(sql, [
    ...[...listings.values()].map((listing) => ({ kind: 'imported-listing', listing }) as const),
    ...unknown.map((each) => ({ kind: 'observation', observation: seen(each) }) as const),
  ]);
  if (!written.done) throw new Error('an import has no statement that must return');
  const rows = written.rows[OBSERVATION] ?? [];
  const addedPlaces = new Set(rows.map((row) => `${row['listing_id']} ${row['observed_at_ms']}`));
  // Of two entries for one place, the first was added.
  const isAdded = new Set(unknown.filter((each) => addedPlaces.delete(placeOf(each))));
  // The rest were in the batch twice, or another process has added them meanwhile.
  const rest = entries.filter((each) => !isAdded.has(each));
  const after = rest.length === 0 ? before : await findStored(sql, rest);
  return entries.map((entry) => {
    const stored = after.get(placeOf(entry));
    if (isAdded.has(entry)) return 'added';
    return stored !== undefined && isSame(entry, stored) ? 'unchanged' : 'conflict';
  });
}

const placeOf = ({ retailer, key, observedAtMs }: EntryPlace): string =>
  `${listingIdOf(retailer, key)} ${observedAtMs}`;

function seen({ retailer, key, observedAtMs, price, inStock }: ImportedEntry): NewObservation {
  return { listingId: listingIdOf(retailer, key), observedAtMs, price, inStock };
}

/** Whether the observation stored for the instant is the same. */
function isSame(entry: ImportedEntry, stored: StoredObservation): boolean {
  const { priceCents, native, inStock } = storedForm(seen(entry));
  return (
    stored.priceCents === priceCents &&
    stored.native?.cents === native?.cents &&
    stored.native?.currency === native?.currency &&
    stored.inStock === inStock
  );
}

/** The listing and the instant of a row. */
type EntryPlace = Pick<ImportedEntry, 'retailer' | 'key' | 'observedAtMs'>;

/** Whether any observation is stored for the place. */
export async function isStored(sql: Sql, place: EntryPlace): Promise<boolean> {
  return (await findStored(sql, [place])).size > 0;
}

/** Finds the observations stored for the entries' instants, by listing and instant. */
async function findStored(sql: Sql, entries: readonly EntryPlace[]): Promise<StoredByPlace> {
  const stored: StoredByPlace = new Map();
  const byListing = Map.groupBy(entries, (each) => listingIdOf(each.retailer, each.key));
  for (const [id, some] of byListing) {
    const instants = new Set(some.map((each) => each.observedAtMs));
    const first = some.reduce((least, each) => Math.min(least, each.observedAtMs), Infinity);
    const last = some.reduce((most, each) => Math.max(most, each.observedAtMs), 0);
    const span = { fromDay: Math.floor(first / DAY_MS), toDay: Math.floor(last / DAY_MS) + 1 };
    const recent = await findRecent(sql, [id], span);
    const years = await findYears(sql, [id], yearOf(first));
    const packed = years.filter((each) => each.firstMs <= last && each.lastMs >= first);
    for (const each of [...recent, ...packed.flatMap(unpackYear)]) {
      if (instants.has(each.observedAtMs)) stored.set(`${id} ${each.observedAtMs}`, each);
    }
  }
  return stored;
}

type StoredByPlace = Map<string, StoredObservation>;

/** Counts all stored observations. */
export async function countImported(sql: Sql): Promise<number> {
  const rows = await sql.all(
    `select (select count(*) from observations)
       + (select coalesce(sum(observations), 0) from packed_observations) as stored`,
  );
  return Number(rows[0]?.['unchanged'] ?? 0);
}

/** An observation as stored, with its listing. */
export type StoredEntry = Omit<ImportedEntry, 'url'>;

/** Listings whose history is read at once: a year of one listing has some hundred rows. */
const LISTINGS_AT_ONCE = 128;

/** Selects the stored entries to read. */
export type ImportedFilter = {
  readonly isWanted: (listing: {
    readonly id: string;
    readonly retailer: string;
    readonly key: string;
    readonly gtin: string | null;
  }) => boolean;
  /** From this instant on. */
  readonly fromMs: number;
  /** Before this one. */
  readonly toMs: number;
};

const EVERYTHING: ImportedFilter = {
  isWanted: () => true,
  fromMs: 0,
  toMs: Number.POSITIVE_INFINITY,
};

/**
 * Reads everything stored, by listing id, then by time. The same rows always come in the same order, and both databases have
 * an index for it. Rows are read in pages to limit memory. Rows added meanwhile may or may not be included.
 */
export async function* readStoredHistory(
  sql: Sql,
  { isWanted, fromMs, toMs }: ImportedFilter = EVERYTHING,
  view: Pick<View, 'terms' | 'now'> = COMMON_VIEW,
): AsyncGenerator<readonly StoredEntry[]> {
  for (let after = ''; ;) {
    const listings = await sql.all(
      `select id, retailer, listing_key, gtin14, source from listings
       where id > $1 and organization_id is null order by id limit ${LISTINGS_AT_ONCE}`,
      [after],
    );
    const last = listings.at(-1);
    if (last === undefined) return;
    after = String(last['id']);
    const wanted = listings.filter((listing) => isWanted(namesOf(listing)));
    if (wanted.length === 0) continue;
    const ids = wanted.map((listing) => String(listing['id']));
    const seen = (await findObservations(sql, ids, fromMs)).filter(
      ({ observedAtMs }) => observedAtMs >= fromMs && observedAtMs < toMs,
    );
    const byListing = Map.groupBy(seen, ({ listingId }) => listingId);
    const page = wanted.flatMap((listing) =>
      (byListing.get(String(listing['id'])) ?? [])
        .filter(({ observedAtMs }) => observedAtMs > exportedAfterMs(view, listing['source']))
        .map((each) => toStoredEntry(listing, each)),
    );
    if (page.length > 0) yield page;
  }
}

/** Returns the moment after which the terms of a row's source let its observations into a file (D81). */
function exportedAfterMs(
  { terms, now }: Pick<View, 'terms' | 'now'>,
  source: Row[string] | undefined,
): number {
  const inForce = typeof source === 'string' ? terms(source) : null;
  if (inForce === null) return Number.NEGATIVE_INFINITY;
  if (!inForce.history || !inForce.export) return Number.POSITIVE_INFINITY;
  const { identityHours: hours } = inForce;
  return hours === null ? Number.NEGATIVE_INFINITY : now() - hours * HOUR_MS;
}

function namesOf(listing: Row) {
  const gtin = listing['gtin14'];
  return {
    id: String(listing['id']),
    retailer: String(listing['retailer']),
    key: withoutLayer(String(listing['listing_key'])),
    gtin: typeof gtin === 'string' ? gtin : null,
  };
}

function toStoredEntry(listing: Row, seen: StoredObservation): StoredEntry {
  const gtin = listing['gtin14'];
  const { observedAtMs, priceCents, native, inStock } = seen;
  return {
    retailer: String(listing['retailer']),
    key: withoutLayer(String(listing['listing_key'])),
    // SAFETY: only normal forms are written to the column, and `checkStore` reports another.
    gtin: typeof gtin === 'string' ? (gtin as Gtin14) : null,
    observedAtMs,
    price: priceCents === null ? native : { cents: priceCents, currency: 'USD' },
    inStock,
  };
}
