// Amounts in minor units (D87): a store whose amounts are hundredths of every currency is migrated, and read as if it had always
// counted in minor units. Both databases.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { EMPTY_LISTING, type Listing } from '../../src/base/listing/listing.ts';
import { EMPTY_OFFER } from '../../src/base/listing/offer.ts';
import { listingIdOf, recordOf } from '../../src/data/answers/listings.ts';
import { upsertListing } from '../../src/data/answers/listing-writes.ts';
import { insertArchivedOffers } from '../../src/data/answers/offers.ts';
import { findObservations } from '../../src/data/history/observations.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { insertRows } from '../../src/data/maintenance/table-rows.ts';
import { TABLES } from '../../src/data/maintenance/tables.ts';
import { migrate, readMigrations } from '../../src/data/migrate.ts';
import { openPostgres } from '../../src/data/postgres/postgres.ts';
import type { Database, Row, Sql } from '../../src/data/sql.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { openStore, type StoreConfig } from '../../src/data/store.ts';
import { newDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DAY_MS = 86_400_000;
const DIALECTS = ['sqlite', 'postgres'] as const;
/** The schema before amounts were in minor units. */
const BEFORE = 2;

type Place = AsyncDisposable & { readonly config: StoreConfig };

async function newPlace(dialect: (typeof DIALECTS)[number]): Promise<Place> {
  if (dialect === 'postgres') {
    const { url, ...database } = await newDatabase('empty');
    return { config: { kind: 'postgres', url }, ...database };
  }
  const folder = temporaryFolder();
  return {
    config: { kind: 'sqlite', path: join(folder.path, 'openshelf.db') },
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

const openRaw = (config: StoreConfig): Promise<Database> =>
  config.kind === 'sqlite'
    ? openSqlite(config)
    : openPostgres({ url: config.url, statementTimeoutMs: 0, lockTimeoutMs: 0 });

/** What was stored in hundredths, and what it is in minor units; null: no price is left. */
const AMOUNTS: readonly (readonly [
  currency: string | null,
  hundredths: number,
  now: number | null,
])[] = [
  ['JPY', 198_000, 1980],
  ['JPY', 198_050, 1981],
  ['KRW', 49, null],
  ['CLP', 50, 1],
  ['KWD', 457, 4570],
  ['TND', 999_999_999_999_999, null],
  ['IQD', 2_500_000, 25_000_000],
  ['CLF', 1234, 123_400],
  ['EUR', 1999, 1999],
  ['HUF', 199_900, 199_900],
  [null, 198_000, 198_000],
  ['USD', 1999, 1999],
];

const keyOf = (at: number): string => `p${at}`;
const idOf = (at: number): string => listingIdOf('lampshop', keyOf(at));
const NOON = Date.UTC(2026, 2, 14, 12);

function table(name: string) {
  const found = TABLES.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

/** A row of the earlier program: the columns that this test does not need are null. */
async function insert(sql: Sql, name: string, rows: readonly Row[]): Promise<void> {
  const { columns, ...others } = table(name);
  const whole = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column, row[column] ?? null])),
  );
  await sql.write(insertRows({ ...others, columns }, whole));
}

const money = (cents: number, currency: string | null) => ({ cents, currency });

async function fillAsBefore(sql: Sql): Promise<void> {
  await insert(
    sql,
    'listings',
    AMOUNTS.map(([currency, cents], at) => ({
      id: idOf(at),
      retailer: 'lampshop',
      listing_key: keyOf(at),
      url: `https://lampshop.example/${at}`,
      found_via: 'submitted_url',
      outcome: 'read',
      checked_at_ms: NOON,
      fetched_at_ms: NOON,
      record: JSON.stringify({
        listing: {
          price: money(cents, currency),
          listPrice: money(cents * 2, currency),
          offers: [{ offerId: 'o', price: money(cents, currency), shipping: money(0, currency) }],
        },
      }),
      price_cents: cents,
      currency,
    })),
  );
  await insert(
    sql,
    'observations',
    AMOUNTS.map(([currency, cents], at) => ({
      day: NOON / DAY_MS - 0.5,
      listing_id: idOf(at),
      observed_at_ms: NOON,
      price_cents: currency === 'USD' ? cents : null,
      native_cents: currency === 'USD' ? null : cents,
      native_currency: currency === 'USD' ? null : currency,
      in_stock: 1,
    })),
  );
}

for (const dialect of DIALECTS) {
  test(`amounts in hundredths of every currency become amounts in minor units (${dialect})`, async () => {
    await using place = await newPlace(dialect);
    {
      await using sql = await openRaw(place.config);
      await migrate(sql, readMigrations(dialect).slice(0, BEFORE));
      await fillAsBefore(sql);
    }
    // Opened twice: the second time finds nothing to migrate.
    await openStore(place.config).then((store) => store[Symbol.asyncDispose]());
    await using store = await openStore(place.config);
    for (const [at, [currency, hundredths, now]] of AMOUNTS.entries()) {
      const told = `${hundredths} ${currency}`;
      const price = now === null ? null : money(now, currency);
      const stored = await store.listings.findListing('lampshop', keyOf(at));
      assert.deepEqual(stored?.listing.price, price, told);
      const [offer] = stored?.listing.offers ?? [];
      assert.deepEqual([offer?.price, offer?.shipping], [price, money(0, currency)], told);
      if (now !== null && hundredths % 100 === 0)
        assert.deepEqual(stored?.listing.listPrice, money(now * 2, currency), told);
      const [row] = await store.sql.all(
        'select price_cents, currency from listings where id = $1',
        [idOf(at)],
      );
      assert.deepEqual(
        [row?.['price_cents'], row?.['currency']],
        [now, now === null ? null : currency],
        told,
      );
      const [seen] = await findObservations(store.sql, [idOf(at)], 0);
      assert.equal(seen?.priceCents, currency === 'USD' ? now : null, told);
      assert.deepEqual(seen?.native, currency === 'USD' ? null : price, told);
    }
    assert.deepEqual(await checkStore(store.sql), []);
  });

  test(`what is stored in minor units is read as it was, also after the next start (${dialect})`, async () => {
    await using place = await newPlace(dialect);
    const price = money(4567, 'KWD');
    const offers = [{ ...EMPTY_OFFER, offerId: 'o', price, shipping: money(500, 'JPY') }];
    const listing: Listing = { ...EMPTY_LISTING, price, otherPrice: money(1980, 'JPY'), offers };
    const unnamed = { ...EMPTY_LISTING, price: { cents: 457, currency: null, finer: 45_670 } };
    {
      await using store = await openStore(place.config);
      const read = {
        retailer: 'retailer_w',
        url: 'https://lampshop.example/lamp',
        foundVia: 'submitted_url',
        fetchedAtMs: NOON,
        notes: { missing: [], remarks: [] },
      } as const;
      await store.sql.write([
        ...upsertListing({ ...read, key: 'lamp', listing }),
        ...upsertListing({ ...read, key: 'unnamed', listing: unnamed }),
        ...insertArchivedOffers(
          listingIdOf('retailer_w', 'lamp'),
          offers.map((offer, at) => ({ offer, place: at, beforeCents: null })),
          { observedAtMs: NOON, isPartial: true },
        ),
      ]);
    }
    await using store = await openStore(place.config);
    const stored = await store.listings.findListing('retailer_w', 'lamp');
    assert.deepEqual(stored?.listing, listing);
    const [kept] = await store.offers.findNewestOffers(listingIdOf('retailer_w', 'lamp'), 9);
    assert.deepEqual(kept?.offer, offers[0]);
    const other = await store.listings.findListing('retailer_w', 'unnamed');
    assert.deepEqual(other?.listing.price, money(457, null));
    assert.deepEqual(await checkStore(store.sql), []);
  });
}

test('a record is marked only if one of its currencies has not two decimals', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const recorded = async (price: Listing['price']): Promise<string> => {
    const [statement] = upsertListing({
      retailer: 'lampshop',
      key: 'lamp',
      url: 'https://lampshop.example/lamp',
      foundVia: 'submitted_url',
      fetchedAtMs: NOON,
      listing: { ...EMPTY_LISTING, price },
      notes: { missing: [], remarks: [] },
    });
    if (statement === undefined) throw new Error('nothing to write');
    await store.sql.write([statement, { text: 'update listings set fetched_at_ms = 0' }]);
    const [row] = await store.sql.all('select record from listings');
    return String(row?.['record']);
  };
  assert.deepEqual(Object.keys(JSON.parse(await recorded(money(1999, 'EUR'))) as object), [
    'listing',
    'notes',
  ]);
  const yen = await recorded(money(1980, 'JPY'));
  assert.match(yen, /"units":"minor"\}$/);
  assert.deepEqual(recordOf(yen).listing.price, money(1980, 'JPY'));
  assert.deepEqual(recordOf(yen.replace(',"units":"minor"', '')).listing.price, money(20, 'JPY'));
});
