// Deletes facts that the terms of sources no longer allow this installation to store (D81). Reads never return them
// (rules/terms/shown-layer.ts); this file also removes them from the database, in batches, so that later backups do not contain
// them. Answers change only if a whole row is removed, which revises the subjects of the row.

import { HOUR_MS } from '../../base/clock.ts';
import { withoutSale } from '../../rules/terms/shown-layer.ts';
import { TERMS_SOURCES, type Terms, type TermsInForce } from '../../rules/terms/profiles.ts';
import { recordText, STRIPPED } from '../answers/listing-writes.ts';
import { recordOf } from '../answers/listings.ts';
import { revise } from '../answers/revisions.ts';
import { deleteObservationsOf } from '../history/recent-observations.ts';
import {
  deleteYear,
  deleteYearsOf,
  findYears,
  replaceYear,
  unpackYear,
} from '../history/packed-observations.ts';
import { yearOf } from '../../rules/history/encoded-year.ts';
import { stateWithin } from '../../rules/watches/within-terms.ts';
import type { WatchState } from '../../rules/watches/watch.ts';
import { forgetSource } from '../watches/watch-writes.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { placeholdersOf } from '../statement-values.ts';

/** Rows of sources with terms, as their indexes name them. */
const WITH_TERMS = "door in ('official_api', 'feed')";

/** Rows that one transaction handles. */
const BATCH = 128;

/** Deletes all expired facts. Returns how many rows were deleted or stripped. */
export async function applyTerms(sql: Sql, terms: TermsInForce, nowMs: number): Promise<number> {
  let rows = 0;
  for (const source of await sourcesWithRows(sql)) {
    const inForce = terms(source);
    if (inForce === null) continue;
    const expiry = { source, terms: inForce, nowMs };
    rows += await repeated(() => deleteFacts(sql, expiry));
    rows += await repeated(() => stripSales(sql, expiry));
    rows += await deleteHistory(sql, expiry);
    rows += await deleteOthers(sql, expiry);
    rows += await deleteWatched(sql, expiry);
  }
  return rows;
}

/** The expired rows: rows of a source that were fetched that long ago. */
type Expiry = { readonly source: string; readonly terms: Terms; readonly nowMs: number };

async function repeated(batch: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    const count = await batch();
    all += count;
    if (count < BATCH) return all;
  }
}

/** The rows of a source, in each table that has an index of those with terms. */
const ROWS_OF_SOURCE = [
  ...['offer_lists', 'archived_offers', 'reviews', 'review_totals', 'sellers'].map(
    (table) => `select 1 from ${table} where source = $1 and ${WITH_TERMS}`,
  ),
  ...['notices', 'changes', 'watched_listings'].map(
    (table) => `select 1 from ${table} where source = $1`,
  ),
  'select 1 from sellers where offered_by = $1',
];

/** Returns the sources with terms of which anything is stored. */
async function sourcesWithRows(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.all(
    'select distinct source from listings where layer_of is not null and source is not null',
  );
  const found = new Set(rows.map(({ source }) => String(source)));
  const exists = ROWS_OF_SOURCE.map((text) => `exists (${text})`).join(' or ');
  for (const source of TERMS_SOURCES.filter((each) => !found.has(each))) {
    if ((await sql.all(`select 1 as found where ${exists}`, [source])).length > 0)
      found.add(source);
  }
  return found;
}

function before(nowMs: number, hours: number | null): number {
  return hours === null ? 0 : nowMs - hours * HOUR_MS;
}

/** The latest fetch of rows whose sale is over: nothing of a sale outlives its product. */
function saleOver({ terms, nowMs }: Expiry): number {
  return Math.max(before(nowMs, terms.priceHours), before(nowMs, terms.identityHours));
}

async function deleteFacts(sql: Sql, { source, terms, nowMs }: Expiry): Promise<number> {
  if (terms.identityHours === null) return 0;
  const rows = await sql.all(
    `select id, layer_of, gtin14 from listings
     where source = $1 and layer_of is not null and fetched_at_ms <= $2 order by id limit ${BATCH}`,
    [source, before(nowMs, terms.identityHours)],
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => String(id));
  await sql.write([
    ...revise(touchedBy(rows), sql.dialect),
    deleteObservationsOf(ids),
    deleteYearsOf(ids),
    {
      text: `delete from listings where layer_of is not null and fetched_at_ms <= $1
        and id in (${placeholdersOf(ids, 2)})`,
      params: [before(nowMs, terms.identityHours), ...ids],
    },
  ]);
  return rows.length;
}

function touchedBy(rows: readonly Row[]) {
  return {
    listingIds: rows.flatMap(({ id, layer_of: over }) => [String(id), String(over)]),
    gtins: rows.flatMap(({ gtin14 }) => (typeof gtin14 === 'string' ? [gtin14] : [])),
    isEverything: false,
  };
}

async function stripSales(sql: Sql, expiry: Expiry): Promise<number> {
  const rows = await sql.all(
    `select id, fetched_at_ms, record from listings
     where source = $1 and layer_of is not null and fetched_at_ms <= $2 and outcome <> '${STRIPPED}'
     order by id limit ${BATCH}`,
    [expiry.source, saleOver(expiry)],
  );
  if (rows.length > 0) await sql.write(rows.map(strippedRow));
  return rows.length;
}

function strippedRow({ id, fetched_at_ms: fetchedAtMs, record }: Row): Statement {
  const { listing, notes } = recordOf(String(record));
  return {
    text: `update listings set record = $3, outcome = '${STRIPPED}', price_cents = null, currency = null, in_stock = null
      where id = $1 and fetched_at_ms = $2`,
    params: [String(id), Number(fetchedAtMs), recordText(withoutSale(listing), notes)],
  };
}

/** Deletes observations of which no history may be made, and those that are older than anything may be kept. */
async function deleteHistory(sql: Sql, { source, terms, nowMs }: Expiry): Promise<number> {
  const ownRows = '(select id from listings where source = $1 and layer_of is not null)';
  if (!terms.history) {
    return await deleted(sql, source, [
      `delete from observations where listing_id in ${ownRows} returning listing_id`,
      `delete from packed_observations where listing_id in ${ownRows} returning listing_id`,
    ]);
  }
  if (terms.identityHours === null) return 0;
  const fromMs = before(nowMs, terms.identityHours);
  const recent = await sql.write([
    {
      text: `delete from observations where observed_at_ms < $2 and listing_id in ${ownRows} returning listing_id`,
      params: [source, fromMs],
      name: 'deleted',
    },
  ]);
  const stored = await sql.all(
    `select distinct listing_id from packed_observations where first_ms < $2 and listing_id in ${ownRows}`,
    [source, fromMs],
  );
  for (const { listing_id: listingId } of stored) {
    for (const year of await findYears(sql, [String(listingId)], 0)) {
      if (year.firstMs >= fromMs || year.packed === null) continue;
      const remaining = unpackYear(year).filter(({ observedAtMs }) => observedAtMs >= fromMs);
      const place = { listingId: year.listingId, year: yearOf(year.firstMs) };
      await sql.write([
        remaining.length === 0 ? deleteYear(place) : replaceYear(place, year.packed, remaining),
      ]);
    }
  }
  return (recent.done ? (recent.rows['deleted']?.length ?? 0) : 0) + stored.length;
}

/** Deletes lists of offers, archived offers, reviews and profiles of sellers. */
async function deleteOthers(sql: Sql, expiry: Expiry): Promise<number> {
  const [sale, facts] = [saleOver(expiry), before(expiry.nowMs, expiry.terms.identityHours)];
  const offers = expiry.terms.history ? facts : Number.MAX_SAFE_INTEGER;
  const own = `source = $1 and ${WITH_TERMS}`;
  const statements: readonly (readonly [string, number])[] = [
    [`delete from offer_lists where ${own} and fetched_at_ms <= $2`, sale],
    [`delete from archived_offers where ${own} and observed_at_ms <= $2`, offers],
    [`delete from reviews where ${own} and seen_at_ms <= $2`, facts],
    [`delete from review_totals where ${own} and fetched_at_ms <= $2`, facts],
    [
      `update sellers set profile = null, fetched_at_ms = null
       where ${own} and fetched_at_ms <= $2 and profile is not null`,
      facts,
    ],
    [
      `update sellers set offered_at_ms = null, offered_by = null
       where offered_by = $1 and offered_at_ms <= $2`,
      sale,
    ],
  ];
  await sql.write(statements.map(([text, atMs]) => ({ text, params: [expiry.source, atMs] })));
  return 0;
}

/**
 * Deletes the states and notices of watches, and changes: the expired ones, or all of them if the terms allow no alerts.
 */
async function deleteWatched(sql: Sql, { source, terms, nowMs }: Expiry): Promise<number> {
  if (terms.alerts && terms.identityHours === null) return 0;
  const overMs = terms.alerts ? before(nowMs, terms.identityHours) : Number.MAX_SAFE_INTEGER;
  const notices = 'select id from notices where source = $1 and at_ms <= $2';
  const texts = [
    `delete from deliveries where notice_id in (${notices})`,
    `delete from notices where id in (${notices})`,
    'delete from changes where source = $1 and sourced_at_ms <= $2',
    'delete from watched_listings where source = $1 and sourced_at_ms <= $2',
  ];
  await sql.write(texts.map((text) => ({ text, params: [source, overMs] })));
  const only: TermsInForce = (name) => (name === source ? terms : null);
  let changed = 0;
  for (let after = ''; ;) {
    const rows = await sql.all(
      `select id, version, state from watches where sources is not null and sourced_at_ms <= $1
         and sources || ' ' like $2 and id > $3 order by id limit ${BATCH}`,
      [overMs, `% ${source} %`, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return changed;
    after = String(last['id']);
    for (const { id, version, state } of rows) {
      // SAFETY: only forgetSource and updateState write it, from the same type.
      const stored = JSON.parse(String(state)) as WatchState;
      const rest = stateWithin(stored, { terms: only, nowMs });
      if (rest === stored) continue;
      // A watch that another process has just changed is left for the next round.
      const watch = { id: String(id), version: Number(version) };
      if ((await sql.write([forgetSource(watch, rest)])).done) changed += 1;
    }
  }
}

async function deleted(sql: Sql, source: string, texts: readonly string[]): Promise<number> {
  const written = await sql.write(
    texts.map((text, at) => ({ text, params: [source], name: `deleted ${at}` })),
  );
  if (!written.done) return 0;
  return texts.reduce((sum, _, at) => sum + (written.rows[`deleted ${at}`]?.length ?? 0), 0);
}
