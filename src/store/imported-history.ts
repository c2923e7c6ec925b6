// A user's own price history in and out of the store: statements that file it beside what was fetched, and
// everything held, in one order. Never changes or removes an observation.

import type { Gtin14 } from '../domain/gtin.ts';
import type { Money } from '../domain/money.ts';
import type { Slug } from '../domain/retailer.ts';
import { listingIdOf } from './catalog.ts';
import { appendObservation } from './history.ts';
import type { Row, Sql, Statement, Unit } from './sql.ts';

/** What a row of a file was found to speak of. */
export type FiledEntry = {
  readonly retailer: Slug;
  readonly key: string;
  /** The page; empty when only a barcode is known. */
  readonly url: string;
  readonly gtin: Gtin14 | null;
  readonly observedAtMs: number;
  readonly price: Money | null;
  readonly inStock: boolean | null;
};

/**
 * The listing key of prices known by barcode only. It is nobody's identifier: it never names a page that
 * could be asked.
 */
export function barcodeKey(gtin: Gtin14): string {
  return `gtin:${gtin}`;
}

/**
 * A listing that has a history and was never read (`record is null`, checked at no time). One that was read
 * keeps what its page said; a barcode fills in only where none is known.
 */
function fileImported({ retailer, key, url, gtin }: FiledEntry): Statement {
  return {
    text: `insert into listings (id, retailer, listing_key, url, found_via, gtin14, outcome,
        checked_at_ms)
      values ($1, $2, $3, $4, 'submitted_url', $5, 'imported', 0)
      on conflict (id) do update set gtin14 = excluded.gtin14
      where listings.record is null and listings.gtin14 is null and excluded.gtin14 is not null`,
    params: [listingIdOf(retailer, key), retailer, key, url, gtin],
  };
}

/** How each entry of a batch ended. */
export type ImportOutcome = 'added' | 'held' | 'conflict';

/** Files a batch in one unit: all of it or nothing. Outcomes in the order of the entries. */
export async function fileEntries(
  sql: Sql,
  entries: readonly FiledEntry[],
): Promise<readonly ImportOutcome[]> {
  const listings = new Map(
    entries.map((each) => [`${listingIdOf(each.retailer, each.key)} ${each.gtin ?? ''}`, each]),
  );
  const first = [...listings.values()].map(fileImported);
  const observations = entries.map((each): Statement => {
    const statement = appendObservation(seen(each));
    return { ...statement, text: `${statement.text} returning 1 as added` };
  });
  const unit: Unit = [...first, ...observations];
  const written = await sql.write(unit);
  if (!written.done) throw new Error('an import has no statement that must return');
  const outcomes: ImportOutcome[] = [];
  for (const [at, entry] of entries.entries()) {
    const added = (written.rows[first.length + at]?.length ?? 0) > 0;
    outcomes.push(added ? 'added' : (await isHeld(sql, entry)) ? 'held' : 'conflict');
  }
  return outcomes;
}

function seen({ retailer, key, observedAtMs, price, inStock }: FiledEntry) {
  return { listingId: listingIdOf(retailer, key), observedAtMs, price, inStock };
}

/** The observation that is held for the instant says the same. */
async function isHeld(sql: Sql, entry: FiledEntry): Promise<boolean> {
  // The statement's own values: what out of stock and currency come to is decided there only.
  const [id, at, price, native, currency, stock] = appendObservation(seen(entry)).params ?? [];
  const rows = await sql.all(
    `select price_cents, native_cents, native_currency, in_stock from observations
     where listing_id = $1 and observed_at_ms = $2`,
    [id ?? null, at ?? null],
  );
  const held = rows[0];
  return (
    held?.['price_cents'] === price &&
    held?.['native_cents'] === native &&
    held?.['native_currency'] === currency &&
    held?.['in_stock'] === stock
  );
}

export async function countHeld(sql: Sql): Promise<number> {
  const rows = await sql.all('select count(*) as held from observations');
  return Number(rows[0]?.['held'] ?? 0);
}

/** An observation as it is held, with the listing it belongs to. */
export type HeldEntry = Omit<FiledEntry, 'url'>;

const PAGE = 2_000;

/**
 * Everything held, by retailer, listing and time: the same rows always come in the same order. Pages, so
 * that memory stays small; what arrives while it runs may or may not be among them.
 */
export async function* readHeld(sql: Sql): AsyncGenerator<readonly HeldEntry[]> {
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const listings = await sql.all(
      `select id, retailer, listing_key, gtin14 from listings
       where (retailer, listing_key) > ($1, $2)
         and exists (select 1 from observations where listing_id = listings.id)
       order by retailer, listing_key limit ${PAGE}`,
      after,
    );
    for (const listing of listings) yield* readListing(sql, listing);
    const last = listings.at(-1);
    if (last === undefined) return;
    after = [String(last['retailer']), String(last['listing_key'])];
  }
}

async function* readListing(sql: Sql, listing: Row): AsyncGenerator<readonly HeldEntry[]> {
  let afterMs = -1;
  for (;;) {
    const rows = await sql.all(
      `select * from observations where listing_id = $1 and observed_at_ms > $2
       order by observed_at_ms limit ${PAGE}`,
      [String(listing['id']), afterMs],
    );
    if (rows.length > 0) yield rows.map((row) => toHeldEntry(listing, row));
    if (rows.length < PAGE) return;
    afterMs = Number(rows.at(-1)?.['observed_at_ms']);
  }
}

function toHeldEntry(listing: Row, row: Row): HeldEntry {
  const gtin = listing['gtin14'];
  const stock = row['in_stock'];
  return {
    retailer: String(listing['retailer']),
    key: String(listing['listing_key']),
    // SAFETY: only normal forms are written to the column, and `checkStore` reports another.
    gtin: typeof gtin === 'string' ? (gtin as Gtin14) : null,
    observedAtMs: Number(row['observed_at_ms']),
    price: toMoney(row),
    inStock: typeof stock === 'number' ? stock === 1 : null,
  };
}

function toMoney(row: Row): Money | null {
  const { price_cents: price, native_cents: native, native_currency: currency } = row;
  if (typeof price === 'number') return { cents: price, currency: 'USD' };
  if (typeof native !== 'number') return null;
  return { cents: native, currency: typeof currency === 'string' ? currency : null };
}
