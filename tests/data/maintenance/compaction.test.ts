// Compaction changes where observations are stored and nothing that is read: not the windows, not the history, not an
// export. It may run in several processes at once, and be interrupted at any moment.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { DAY_MS, dayOf } from '../../../src/base/clock.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { type Retention } from '../../../src/rules/history/retention.ts';
import { compact } from '../../../src/answer/indexer/compaction.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import {
  FROM_THE_START,
  type CompactionPosition,
} from '../../../src/data/maintenance/compact-observations.ts';
import { createObservations } from '../../../src/data/history/observations.ts';
import {
  findYear,
  insertYears,
  replaceYear,
  unpackYear,
} from '../../../src/data/history/packed-observations.ts';
import {
  barcodeKey,
  countImported,
  insertImported,
  readStoredHistory,
  type ImportedEntry,
} from '../../../src/data/history/imported-history.ts';
import { openStore, type Store, type StoreConfig } from '../../../src/data/store.ts';
import { compactSlice } from '../../support/compact-slice.ts';
import { newDatabase } from '../../support/databases.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { insertObservation } from '../../../src/data/history/recent-observations.ts';

const SEED = seedOf(20_261_121);
const TODAY = '2026-03-14';
const NOW = Date.parse(`${TODAY}T12:00:00Z`);
const GTIN = '00012345678905' as Gtin14;
const SHOPS = ['lampshop', 'lightshop', 'bulbshop'] as const;

type Place = AsyncDisposable & { readonly config: StoreConfig };

/** Empty places for a store; removed when disposed. */
const PLACES: Readonly<Record<StoreConfig['kind'], () => Promise<Place>>> = {
  sqlite: async () => {
    const folder = temporaryFolder();
    const config = { kind: 'sqlite', path: join(folder.path, 'openshelf.sqlite') } as const;
    return { config, [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
  },
  postgres: async () => {
    const { url, [Symbol.asyncDispose]: dispose } = await newDatabase('migrated');
    return { config: { kind: 'postgres', url }, [Symbol.asyncDispose]: dispose };
  },
};

/** Opens a store in its own place. */
async function openIn(kind: StoreConfig['kind']): Promise<Store> {
  const place = await PLACES[kind]();
  const store = await openStore(place.config);
  return {
    ...store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

const idOf = (retailer: string): string => listingIdOf(retailer, 'lamp');

async function fileListings({ sql }: Store): Promise<void> {
  await sql.write(
    SHOPS.flatMap((retailer) =>
      upsertListing({
        retailer,
        key: 'lamp',
        url: `https://${retailer}.example/lamp`,
        foundVia: 'submitted_url',
        fetchedAtMs: NOW,
        listing: { ...EMPTY_LISTING, gtin: GTIN },
        notes: { missing: [], remarks: [] },
      }),
    ),
  );
}

const UNLIMITED: Retention = { observationDays: null, barYears: null };

function compacted(store: Store, retention: Retention = UNLIMITED, today = TODAY) {
  const { signal } = new AbortController();
  return compact({ sql: store.sql, retention, today, signal, pause: () => Promise.resolve() });
}

async function countOf({ sql }: Store, table: string): Promise<number> {
  return Number((await sql.all(`select count(*) as n from ${table}`))[0]?.['n']);
}

async function heldOf({ sql }: Store): Promise<readonly unknown[]> {
  const rows: unknown[] = [];
  for await (const page of readStoredHistory(sql)) rows.push(...page);
  return rows;
}

/** Returns everything read from price history, in every way it can be read. */
async function everythingRead(store: Store): Promise<unknown> {
  const imported = listingIdOf('lampshop', barcodeKey(GTIN));
  const ids = [...SHOPS.map(idOf), imported];
  const instants = [0, NOW - 400 * DAY_MS, NOW - 181 * DAY_MS, NOW - 2 * DAY_MS, NOW + DAY_MS];
  const perListing = [];
  for (const id of ids) {
    perListing.push(
      await store.observations.findSpan(id),
      await store.observations.countObservations(id),
    );
    const stored = await store.listings.findListingById(id);
    for (const from of instants) {
      const since = await store.observations.findSince(id, from);
      perListing.push(since);
      if (stored !== null) {
        assert.deepEqual(await store.observations.findSinceOf(stored, from), since);
      }
    }
  }
  const pages = [];
  for (const fromMs of instants) {
    for (const limit of [1, 61, 1_000]) {
      let after = null;
      for (;;) {
        const page = await store.observations.findPage({ listingIds: ids, fromMs, after, limit });
        pages.push(page);
        after = page.at(-1) ?? null;
        if (after === null || page.length < limit || limit === 1) break;
      }
    }
  }
  return [perListing, pages, await heldOf(store), await countImported(store.sql)];
}

/** What both stores receive: recent fetches, and files of old ones with rows that are already stored. */
function randomEntries(random: () => number): readonly ImportedEntry[] {
  const length = 1 + integerBelow(random, 40);
  return Array.from({ length }, () => {
    const daysAgo = random() < 0.2 ? integerBelow(random, 3) : integerBelow(random, 1_100);
    const time = pick(random, [0, 1, DAY_MS - 1, integerBelow(random, DAY_MS)]);
    const retailer = pick(random, SHOPS);
    const isByBarcode = retailer === 'lampshop' && random() < 0.3;
    return {
      retailer,
      key: isByBarcode ? barcodeKey(GTIN) : 'lamp',
      url: '',
      gtin: GTIN,
      observedAtMs: (Math.floor(NOW / DAY_MS) - daysAgo) * DAY_MS + time,
      price: pick(random, [
        { cents: 1_999, currency: 'USD' },
        { cents: 1 + integerBelow(random, 9_999), currency: 'USD' },
        { cents: 1_799, currency: pick(random, ['EUR', 'GBP', null]) },
        null,
      ]),
      inStock: pick(random, [true, true, false, null]),
    };
  });
}

/** Imports one price a day for some days back from today, for one shop. */
async function fileDays(
  store: Store,
  retailer: string,
  days: number,
  cents = 1_999,
): Promise<void> {
  await store.sql.write(
    Array.from({ length: days }, (_, daysAgo) =>
      insertObservation({
        listingId: idOf(retailer),
        observedAtMs: NOW - daysAgo * DAY_MS,
        price: { cents, currency: 'USD' },
        inStock: true,
      }),
    ),
  );
}

function testCompaction(kind: StoreConfig['kind']): void {
  test(`${kind}: what is compacted at any time reads as if it never was (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    for (let round = 0; round < 4; round += 1) {
      await using packed = await openIn(kind);
      await using plain = await openIn(kind);
      await fileListings(packed);
      await fileListings(plain);
      let place: CompactionPosition = FROM_THE_START;
      for (let step = 0; step < 12; step += 1) {
        const entries = randomEntries(random);
        assert.deepEqual(
          await insertImported(packed.sql, entries),
          await insertImported(plain.sql, entries),
          `round ${round}, step ${step}`,
        );
        // A file of rows that are stored: nothing is added, whether they are packed or not.
        assert.ok(!(await insertImported(packed.sql, entries)).includes('added'));
        const beforeDay = Math.floor(NOW / DAY_MS) - pick(random, [3, 30, 700]);
        const size = {
          listings: 1 + integerBelow(random, 3),
          observations: 1 + integerBelow(random, 60),
        };
        for (let slice = integerBelow(random, 12); slice > 0; slice -= 1) {
          const { next } = await compactSlice(packed.sql, beforeDay, size, place);
          place = next ?? FROM_THE_START;
        }
      }
      assert.deepEqual(await everythingRead(packed), await everythingRead(plain), `round ${round}`);
      await compacted(packed);
      assert.ok((await countOf(packed, 'packed_observations')) > 3);
      assert.deepEqual(await everythingRead(packed), await everythingRead(plain), `round ${round}`);
      assert.deepEqual(await checkStore(packed.sql), []);
    }
  });

  test(`${kind}: complete days older than three are compacted, once`, async () => {
    await using store = await openIn(kind);
    await fileListings(store);
    await fileDays(store, 'lampshop', 100);
    assert.deepEqual(await compacted(store), { compacted: 96, forgotten: 0, damaged: [] });
    const oldest = (await store.sql.all('select min(day) as day from observations'))[0]?.['day'];
    assert.equal(oldest, Math.floor(NOW / DAY_MS) - 3);
    // 100 days back from March: one text for this year, one for the one before.
    assert.equal(await countOf(store, 'packed_observations'), 2);
    const commits = store.sql.commits();
    assert.deepEqual(await compacted(store), { compacted: 0, forgotten: 0, damaged: [] });
    assert.equal(store.sql.commits(), commits, 'nothing to do is nothing written');
  });

  test(`${kind}: what comes next is read while a slice is written, and no row is written twice`, async () => {
    await using store = await openIn(kind);
    await fileListings(store);
    const keys = Array.from({ length: 1_300 }, (_, at) => `lamp-${at}`);
    const day = Math.floor(NOW / DAY_MS) - 40;
    await insertImported(
      store.sql,
      // Every third listing has a row on one day only: both days have slices, and rows that were packed along with them.
      keys.flatMap((key, at) =>
        [day, day + 1]
          .filter((each) => (each === day ? at % 3 !== 1 : at % 3 !== 2))
          .map((each) => ({
            retailer: 'lampshop',
            key,
            url: '',
            gtin: null,
            observedAtMs: each * DAY_MS,
            price: { cents: 100 + at, currency: 'USD' },
            inStock: true,
          })),
      ),
    );
    const filed = await countOf(store, 'observations');
    let writing = 0;
    let readAhead = 0;
    const rolledBack: unknown[] = [];
    const sql: typeof store.sql = {
      ...store.sql,
      all: (text, params) => {
        if (writing > 0) readAhead += 1;
        return store.sql.all(text, params);
      },
      write: async (transaction) => {
        writing += 1;
        const result = await store.sql.write(transaction);
        writing -= 1;
        if (!result.done) rolledBack.push(result);
        return result;
      },
    };
    assert.equal((await compacted({ ...store, sql })).compacted, filed);
    assert.ok(readAhead > 0);
    assert.deepEqual(rolledBack, []);
    assert.equal(await countOf(store, 'observations'), 0);
    assert.equal(await countOf(store, 'packed_observations'), keys.length);
    assert.deepEqual(await checkStore(store.sql), []);
  });

  test(`${kind}: processes that compact the same years at once lose nothing and keep nothing twice`, async () => {
    await using place = await PLACES[kind]();
    await using one = await openStore(place.config);
    await using other = await openStore(place.config);
    await fileListings(one);
    for (const retailer of SHOPS) await fileDays(one, retailer, 400);
    const before = await everythingRead(one);
    await Promise.all([compacted(one), compacted(other), compacted(one)]);
    assert.deepEqual(await everythingRead(other), before);
    assert.equal(await countOf(one, 'observations'), 3 * (3 + 1));
    assert.deepEqual(await checkStore(one.sql), []);
  });

  test(`${kind}: a year that another process packs meanwhile holds back no other year of its slice`, async () => {
    await using place = await PLACES[kind]();
    await using store = await openStore(place.config);
    await using other = await openStore(place.config);
    await fileListings(store);
    for (const retailer of SHOPS) await fileDays(store, retailer, 30);
    const seen = {
      observedAtMs: NOW - 40 * DAY_MS,
      priceCents: 1_799,
      native: null,
      inStock: true,
    };
    const year = { place: { listingId: idOf('lightshop'), year: 2026 }, after: [seen] };
    let isFirst = true;
    const sql: typeof store.sql = {
      ...store.sql,
      write: async (transaction) => {
        // The slice has been read; now another process packs one of its years.
        if (isFirst) {
          isFirst = false;
          await other.sql.write(insertYears([year]));
        }
        return await store.sql.write(transaction);
      },
    };
    const size = { listings: 64, observations: 3_000 };
    const slice = await compactSlice(sql, Math.floor(NOW / DAY_MS) - 3, size);
    assert.deepEqual([slice.observations, slice.lost], [2 * 26, 1]);
    await compacted(store);
    for (const retailer of SHOPS) {
      const own = retailer === 'lightshop' ? 31 : 30;
      assert.equal(await store.observations.countObservations(idOf(retailer)), own, retailer);
    }
    assert.equal(await countOf(store, 'observations'), 3 * (3 + 1));
    assert.deepEqual(await checkStore(store.sql), []);
  });

  test(`${kind}: a slice that another process has compacted since its listings were found is passed`, async () => {
    await using place = await PLACES[kind]();
    await using store = await openStore(place.config);
    await using other = await openStore(place.config);
    await fileListings(store);
    for (const retailer of SHOPS) await fileDays(store, retailer, 30);
    let isFirst = true;
    const sql: typeof store.sql = {
      ...store.sql,
      all: async (text, params) => {
        const rows = await store.sql.all(text, params);
        if (isFirst && text.includes('distinct listing_id') && rows.length > 0) {
          isFirst = false;
          await compacted(other);
        }
        return rows;
      },
    };
    const size = { listings: 64, observations: 3_000 };
    const beforeDay = Math.floor(NOW / DAY_MS) - 3;
    const slice = await compactSlice(sql, beforeDay, size);
    assert.deepEqual([slice.observations, slice.lost, slice.damaged], [0, 0, []]);
    assert.ok(slice.next !== null);
    assert.equal((await compactSlice(sql, beforeDay, size, slice.next)).next, null);
  });

  test(`${kind}: a packed year that another process changes meanwhile holds back no other year`, async () => {
    await using place = await PLACES[kind]();
    await using store = await openStore(place.config);
    await using other = await openStore(place.config);
    await fileListings(store);
    for (const retailer of SHOPS) await fileDays(store, retailer, 60);
    await compacted(store, UNLIMITED, dayOf(NOW - 20 * DAY_MS));
    const changed = { listingId: idOf('lightshop'), year: 2026 };
    const [stored] = await findYear(store.sql, changed);
    assert.ok(stored?.packed);
    const seen = { observedAtMs: NOW - 70 * DAY_MS, priceCents: 1, native: null, inStock: true };
    const change = replaceYear(changed, stored.packed, [seen, ...unpackYear(stored)]);
    let isFirst = true;
    const sql: typeof store.sql = {
      ...store.sql,
      write: async (transaction) => {
        // The slice has been read; now another process writes to one of its years.
        if (isFirst) {
          isFirst = false;
          assert.ok((await other.sql.write([change])).done);
        }
        return await store.sql.write(transaction);
      },
    };
    const size = { listings: 64, observations: 3_000 };
    const slice = await compactSlice(sql, Math.floor(NOW / DAY_MS) - 3, size);
    assert.deepEqual([slice.observations, slice.lost], [2 * 20, 1]);
    await compacted(store);
    for (const retailer of SHOPS) {
      const own = retailer === 'lightshop' ? 61 : 60;
      assert.equal(await store.observations.countObservations(idOf(retailer)), own, retailer);
    }
    assert.deepEqual(await checkStore(store.sql), []);
  });

  test(`${kind}: what arrives while a year is compacted stays`, async () => {
    await using store = await openIn(kind);
    await fileListings(store);
    await fileDays(store, 'lampshop', 500);
    const late = Array.from({ length: 200 }, (_, at): ImportedEntry => ({
      retailer: 'lampshop',
      key: 'lamp',
      url: '',
      gtin: GTIN,
      observedAtMs: NOW - (at + 4) * DAY_MS + 1,
      price: { cents: 1_000 + at, currency: 'USD' },
      inStock: true,
    }));
    const [, outcomes] = await Promise.all([
      compacted(store),
      Promise.all(late.map((each) => insertImported(store.sql, [each]))),
    ]);
    assert.ok(outcomes.flat().every((outcome) => outcome === 'added'));
    assert.equal(await store.observations.countObservations(idOf('lampshop')), 700);
    await compacted(store);
    assert.equal(await store.observations.countObservations(idOf('lampshop')), 700);
    const seen = (await store.observations.findSince(idOf('lampshop'), 0)).observations;
    assert.equal(seen.length, 700);
    assert.deepEqual(
      await insertImported(store.sql, late),
      late.map(() => 'unchanged'),
    );
    const other = late.map((each) => ({ ...each, price: { cents: 1, currency: 'USD' } }));
    assert.deepEqual(
      await insertImported(store.sql, other),
      late.map(() => 'conflict'),
    );
    assert.deepEqual(await checkStore(store.sql), []);
  });

  test(`${kind}: a damaged year is named, stops no other, and is never read as prices`, async () => {
    await using store = await openIn(kind);
    await fileListings(store);
    for (const retailer of SHOPS) await fileDays(store, retailer, 60);
    await compacted(store, UNLIMITED, dayOf(NOW - 20 * DAY_MS));
    const [victim = ''] = SHOPS.map(idOf).toSorted();
    await store.sql.write([
      {
        text: `update packed_observations set packed = replace(packed, substr(packed, 12, 2), 'zz')
        where listing_id = $1 and year = 2026`,
        params: [victim],
      },
    ]);
    const name = new RegExp(`packed observations of listing ${victim}, year 2026: damaged`);
    await assert.rejects(store.observations.findSince(victim, 0), name);
    await assert.rejects(heldOf(store), name);
    const { damaged, compacted: count } = await compacted(store);
    assert.deepEqual([damaged.length, count], [1, 40]);
    assert.match(damaged[0] ?? '', name);
    assert.match((await checkStore(store.sql)).join('\n'), name);
    const others = SHOPS.map(idOf).filter((id) => id !== victim);
    for (const id of others) {
      assert.equal((await store.observations.findSince(id, 0)).observations.length, 60);
    }
    // Unpacked rows are still there, for when the row is repaired.
    assert.equal(await countOf(store, 'observations'), 2 * 4 + 24);
  });

  test(`${kind}: check names a year whose columns lie, one without a listing, and what stands twice`, async () => {
    const damages: readonly [string, RegExp][] = [
      ['update packed_observations set observations = 9', /columns do not match the packed text/],
      ['update packed_observations set priced_days = 9', /columns do not match the packed text/],
      ['update packed_observations set year = year + 1', /year 2027: damaged/],
      [
        `insert into observations (day, listing_id, observed_at_ms)
         select first_ms / 86400000, listing_id, first_ms from packed_observations`,
        /stored both as recent and as packed/,
      ],
    ];
    for (const [damage, expected] of damages) {
      await using store = await openIn(kind);
      await fileListings(store);
      await fileDays(store, 'lampshop', 30);
      await compacted(store);
      assert.deepEqual(await checkStore(store.sql), []);
      await store.sql.write([{ text: damage }]);
      assert.match((await checkStore(store.sql)).join('\n'), expected, damage);
    }
  });

  test(`${kind}: a year that is not kept goes as a whole, packed or not; nothing else does`, async () => {
    await using store = await openIn(kind);
    await fileListings(store);
    await fileDays(store, 'lampshop', 1_200);
    const retention = { observationDays: null, barYears: 1 };
    const { forgotten } = await compacted(store, retention);
    const seen = (await store.observations.findSince(idOf('lampshop'), 0)).observations;
    assert.equal(dayOf(seen[0]?.observedAtMs ?? 0), '2025-01-01');
    assert.equal(seen.length + forgotten, 1_200);
    assert.equal((await compacted(store, retention)).forgotten, 0);
    const file: ImportedEntry = {
      retailer: 'lampshop',
      key: 'lamp',
      url: '',
      gtin: GTIN,
      observedAtMs: Date.parse('2020-02-02'),
      price: null,
      inStock: null,
    };
    await insertImported(store.sql, [file]);
    assert.equal((await compacted(store, retention)).forgotten, 1);
    assert.equal(await store.observations.countObservations(idOf('lampshop')), seen.length);
    assert.deepEqual(await checkStore(store.sql), []);
  });

  test(`${kind}: of days whose observations are not kept, the bars stay as they were`, async () => {
    await using store = await openIn(kind);
    await fileListings(store);
    const prices = [1_500, 1_400, 1_600, 1_600, 1_450, 1_500];
    await store.sql.write(
      Array.from({ length: 400 }, (_, daysAgo) =>
        prices.map((cents, at) =>
          insertObservation({
            listingId: idOf('lampshop'),
            observedAtMs: NOW - daysAgo * DAY_MS + at * 60_000,
            price: { cents, currency: 'USD' },
            inStock: true,
          }),
        ),
      ).flat(),
    );
    const before = (await store.observations.findSince(idOf('lampshop'), 0)).observations;
    const span = await store.observations.findSpan(idOf('lampshop'));
    const retention = { observationDays: 200, barYears: null };
    const { forgotten } = await compacted(store, retention);
    const after = (await store.observations.findSince(idOf('lampshop'), 0)).observations;
    // 200 days before 14 March is 26 August: complete from the start of that month on.
    const wholeFrom = Date.parse('2025-08-01');
    const isOld = (each: { readonly observedAtMs: number }) => each.observedAtMs < wholeFrom;
    assert.deepEqual(
      after.filter((each) => !isOld(each)),
      before.filter((each) => !isOld(each)),
    );
    const old = after.filter(isOld);
    assert.equal(old.length, (before.filter(isOld).length / 6) * 4);
    assert.deepEqual(
      old.slice(0, 4).map((each) => each.priceCents),
      [1_500, 1_400, 1_600, 1_500],
    );
    assert.equal(forgotten, before.length - after.length);
    assert.deepEqual(await store.observations.findSpan(idOf('lampshop')), span);
    assert.equal((await compacted(store, retention)).forgotten, 0);
    assert.deepEqual(await checkStore(store.sql), []);
  });
}

testCompaction('sqlite');
testCompaction('postgres');

test("one listing's recent rows are found by seeks, never by a scan", async () => {
  await using store = await openIn('sqlite');
  const plans: string[] = [];
  const all: Store['sql']['all'] = async (text, params) => {
    const rows = await store.sql.all(`explain query plan ${text}`, params);
    plans.push(...rows.map((row) => String(row['detail'])));
    return await store.sql.all(text, params);
  };
  await fileListings(store);
  for (const days of [10, 200]) {
    await fileDays(store, 'lampshop', days);
    await createObservations({ ...store.sql, all }).findSince(idOf('lampshop'), 0);
  }
  const isSought = (line: string) => /^SEARCH observations .*day=\? AND listing_id=\?/.test(line);
  assert.ok(plans.some(isSought), plans.join('\n'));
  assert.ok(!plans.some((line) => /^SCAN (?:observations|later)/.test(line)), plans.join('\n'));
});
