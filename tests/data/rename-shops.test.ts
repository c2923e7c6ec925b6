import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { migrate, readMigrations } from '../../src/data/migrate.ts';
import { openPostgres } from '../../src/data/postgres/postgres.ts';
import type { Database, Statement } from '../../src/data/sql.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { newStorePlace, storeAt } from '../support/stores.ts';

const CHILD = fileURLToPath(new URL('./migrating-child.ts', import.meta.url));
const BEFORE = readMigrations().filter(({ version }) => version < 16);
const DAY = 20_500;
const GTIN = '00614141000012' as Gtin14;

function open(place: string): Promise<Database> {
  return place.startsWith('postgres://')
    ? openPostgres({ url: place })
    : openSqlite({ path: place });
}

/** A shop with listings that have everything a listing can have, as the version before wrote it. */
function shopRows(
  slug: string,
  domain: string,
  keys: readonly string[],
  hasOffers = true,
): readonly Statement[] {
  const rows: Statement[] = [
    { text: `insert into shops values ('${slug}', '${domain}', 1)` },
    {
      text: `insert into reading_counts values ('2026-01-01', '${slug}', 'product', 'read', 'title', 3)`,
    },
    {
      text: `insert into unknown_words values ('2026-01-01', '${slug}', 'product', 'condition', 'neuf', 2)`,
    },
  ];
  for (const key of keys) {
    const id = listingIdOf(slug, key);
    const url = `https://www.${domain}/p/${key}`;
    rows.push(
      {
        text: `insert into listings (id, retailer, listing_key, url, gtin14, found_via, outcome, checked_at_ms,
          fetched_at_ms, record, price_cents, currency, in_stock)
          values ($1, $2, $3, $4, $5, 'submitted_url', 'read', 5, null, null, null, null, null)`,
        params: [id, slug, key, url, GTIN],
      },
      {
        text: `insert into observations values (${DAY}, $1, ${DAY * 86_400_000}, 1999, null, null, 1)`,
        params: [id],
      },
      ...(hasOffers ? offerRows(id) : []),
      {
        text: `insert into jobs (id, kind, retailer, listing_key, url, organization_id, priority, demand, run_at_ms,
          attempts, created_at_ms) values ($1, 'listing', $2, $3, $4, '', 0, 1, 5, 0, 5)`,
        params: [`job ${slug} ${key}`, slug, key, url],
      },
    );
  }
  return rows;
}

function offerRows(id: string): readonly Statement[] {
  return [
    { text: 'insert into offer_lists values ($1, 5, 0)', params: [id] },
    {
      text: `insert into archived_offers (listing_id, observed_at_ms, place, record) values ($1, 5, 0, '{}')`,
      params: [id],
    },
  ];
}

const KEYS = ['B000000001', 'https://www.amazon.de/dp/B000000001?a=b'];

async function rowsOf(sql: Database, table: string, column: string): Promise<readonly string[]> {
  const rows = await sql.all(`select ${column} as value from ${table} order by 1`);
  return rows.map((row) => String(row['value']));
}

async function filled(place: string, rows: readonly Statement[]): Promise<void> {
  await using sql = await open(place);
  await migrate(sql, BEFORE);
  assert.ok((await sql.write(rows)).done);
}

test('a shop with the name of a retailer is renamed with all that is kept under it', async () => {
  await using place = await newStorePlace();
  await filled(place.name, [
    ...shopRows('amazon', 'amazon.de', KEYS),
    ...shopRows('walmart', 'walmart.com.mx', ['1']),
    ...shopRows('lanternworks', 'lanternworks.example', ['1']),
    // Somebody else has the name that the shop would get.
    ...shopRows('walmartcommx', 'walmartcom.mx', []),
    {
      text: `insert into packed_observations values ($1, 2025, 1, 1, 5, 5, 'x')`,
      params: [listingIdOf('walmart', '1')],
    },
    {
      text: `insert into cells (gtin14, retailer, status, listing_id, identity_state, source, checked_at_ms)
        values ($1, 'amazon', 'ok', $2, 'unconfirmed', 'primary', 5)`,
      params: [GTIN, listingIdOf('amazon', KEYS[0] ?? '')],
    },
  ]);
  const slugs = ['amazonde', 'lanternworks', 'walmartcommx', 'walmartcommx2'];
  const names = ['amazonde', 'amazonde', 'lanternworks', 'walmartcommx2'];
  const ids = [
    ...KEYS.map((key) => listingIdOf('amazonde', key)),
    listingIdOf('walmartcommx2', '1'),
    listingIdOf('lanternworks', '1'),
  ].toSorted();
  await using sql = await open(place.name);
  await migrate(sql);
  assert.deepEqual((await rowsOf(sql, 'shops', 'slug')).toSorted(), slugs);
  for (const table of ['listings', 'jobs']) {
    assert.deepEqual((await rowsOf(sql, table, 'retailer')).toSorted(), names, table);
  }
  for (const table of ['observations', 'offer_lists', 'archived_offers']) {
    assert.deepEqual((await rowsOf(sql, table, 'listing_id')).toSorted(), ids, table);
  }
  assert.deepEqual((await rowsOf(sql, 'listings', 'id')).toSorted(), ids);
  assert.deepEqual(await rowsOf(sql, 'packed_observations', 'listing_id'), [
    listingIdOf('walmartcommx2', '1'),
  ]);
  assert.deepEqual(await rowsOf(sql, 'cells', 'listing_id'), [
    listingIdOf('amazonde', KEYS[0] ?? ''),
  ]);
  for (const table of ['reading_counts', 'unknown_words']) {
    assert.deepEqual((await rowsOf(sql, table, 'retailer')).toSorted(), slugs, table);
  }
  assert.deepEqual(await rowsOf(sql, 'cells', 'retailer'), ['amazonde']);
  const left = (await rowsOf(sql, 'jobs', 'id')).filter((id) => id.startsWith('job '));
  assert.deepEqual(
    left,
    ['job lanternworks 1'],
    'a renamed job has the id that asking again makes',
  );
  await migrate(sql);
  assert.deepEqual((await rowsOf(sql, 'shops', 'slug')).toSorted(), slugs);
});

test('where nothing has such a name nothing changes', async () => {
  await using place = await newStorePlace();
  await filled(place.name, shopRows('lanternworks', 'lanternworks.example', KEYS));
  await using sql = await open(place.name);
  // Later migrations add columns.
  const kept = 'select id, retailer, listing_key, url, outcome, record from listings order by id';
  const before = await sql.all(kept);
  await migrate(sql);
  assert.deepEqual(await sql.all(kept), before);
});

test(
  'killed in the middle it is either not begun or done, and the next start does it',
  {
    timeout: 120_000,
  },
  async () => {
    await using place = await newStorePlace();
    const keys = Array.from({ length: 1_500 }, (_, at) => `key-${at}`);
    await filled(place.name, shopRows('amazon', 'amazon.de', keys, false));
    for (const waitMs of [150, 300, 450]) {
      const child = spawn(process.execPath, [CHILD, place.name, 'acme'], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      setTimeout(() => child.kill('SIGKILL'), waitMs);
      await ended;
      await using sql = await open(place.name);
      const names = new Set(await rowsOf(sql, 'listings', 'retailer'));
      const slugs = await rowsOf(sql, 'shops', 'slug');
      assert.deepEqual([...names], slugs, `after ${waitMs} ms`);
      const lost = await sql.all(
        'select listing_id from observations where listing_id not in (select id from listings)',
      );
      assert.equal(lost.length, 0);
    }
    await promisify(execFile)(process.execPath, [CHILD, place.name, 'acme']);
    await using store = await storeAt(place.name);
    assert.deepEqual(await rowsOf(store.sql, 'shops', 'slug'), ['amazonde']);
    assert.equal((await rowsOf(store.sql, 'observations', 'listing_id')).length, keys.length);
    assert.ok((await store.listings.findKnownListing('amazonde', 'key-7')) !== null);
    assert.deepEqual(await checkStore(store.sql), []);
  },
);
