// A fetched observation is stored at the whole second, and nothing is lost by that: on both databases.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { listingChanges } from '../../src/answer/collect/storing/store-listing.ts';
import { instantToRecord, recordedInstant } from '../../src/rules/history/recorded-instant.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { statementsFor, writeChanges } from '../../src/data/answers/answer-writes.ts';
import { insertImported } from '../../src/data/history/imported-history.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { openStore, type Store, type StoreConfig } from '../../src/data/store.ts';
import { newDatabase } from '../support/databases.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SEED = seedOf(20_261_124);
const NOON = Date.parse('2026-03-14T12:00:00Z');
const LAMP = listingIdOf('retailer_w', 'lamp');

function fetched(fetchedAtMs: number, cents: number) {
  const listing = { ...EMPTY_LISTING, price: { cents, currency: 'USD' }, inStock: true };
  return listingChanges({
    retailer: 'retailer_w',
    key: 'lamp',
    url: 'https://www.retailer-w.example/lamp',
    foundVia: 'submitted_url',
    source: 'primary',
    origin: { source: 'retailer_w.page', door: 'page' },
    fetchedAtMs,
    listing,
    notes: { missing: [], remarks: [] },
  });
}

async function instantsOf({ observations }: Store): Promise<readonly (readonly number[])[]> {
  const { observations: seen } = await observations.findSince(LAMP, 0);
  return seen.map(({ observedAtMs, priceCents }) => [observedAtMs - NOON, priceCents ?? 0]);
}

function testFetched(kind: StoreConfig['kind']): void {
  const opened = async () => {
    const disposables = new AsyncDisposableStack();
    const config = await (async (): Promise<StoreConfig> => {
      if (kind === 'postgres')
        return { kind, url: disposables.use(await newDatabase('migrated')).url };
      return { kind, path: join(disposables.use(temporaryFolder()).path, 'openshelf.sqlite') };
    })();
    const open = async () => disposables.use(await openStore(config));
    return { open, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
  };

  test(`${kind}: a fetch is observed at its whole second, and its listing keeps the millisecond`, async () => {
    await using place = await opened();
    const store = await place.open();
    await writeChanges(store.sql, fetched(NOON + 789, 1_500));
    assert.deepEqual(await instantsOf(store), [[0, 1_500]]);
    assert.equal((await store.listings.findListing('retailer_w', 'lamp'))?.fetchedAtMs, NOON + 789);
  });

  test(`${kind}: fetches of one second all stay, in the order in which they were stored`, async () => {
    await using place = await opened();
    const store = await place.open();
    for (const [ms, cents] of [
      [300, 1],
      [700, 2],
      [701, 3],
      [1_200, 4],
      // Stored after a later one of its second.
      [500, 5],
    ] as const) {
      await writeChanges(store.sql, fetched(NOON + ms, cents));
    }
    assert.deepEqual(await instantsOf(store), [
      [0, 1],
      [700, 2],
      [701, 3],
      [702, 5],
      [1_000, 4],
    ]);
    // The same fetch written again is the same observation.
    await writeChanges(store.sql, fetched(NOON + 702, 9));
    assert.equal((await instantsOf(store)).length, 5);
  });

  test(`${kind}: two processes that store fetches of one second at once lose none`, async () => {
    await using place = await opened();
    const stores = [await place.open(), await place.open()] as const;
    await Promise.all(
      stores.flatMap(({ sql }, process) =>
        Array.from({ length: 20 }, (_, at) =>
          writeChanges(sql, fetched(NOON + 10 * at + process, 100 + at)),
        ),
      ),
    );
    assert.equal((await instantsOf(stores[0])).length, 40);
  });

  test(`${kind}: the statement and the rule say the same instant (seed ${SEED})`, async () => {
    await using place = await opened();
    const store = await place.open();
    const random = randomFrom(SEED);
    for (let round = 0; round < 60; round += 1) {
      const stored = (await store.observations.findSince(LAMP, 0)).observations;
      const atMs = NOON + integerBelow(random, 20_000);
      const expected = instantToRecord(atMs, stored);
      await writeChanges(store.sql, fetched(atMs, round + 1));
      const now = (await store.observations.findSince(LAMP, 0)).observations;
      assert.equal(
        now.length,
        stored.length + Number(!stored.some((e) => e.observedAtMs === expected)),
      );
      assert.ok(now.some(({ observedAtMs }) => observedAtMs === expected));
      if (atMs > Math.max(...stored.map(({ observedAtMs }) => observedAtMs))) {
        assert.equal(recordedInstant(atMs, now), expected);
      }
    }
  });

  test(`${kind}: what a file states keeps its milliseconds, and a file read again adds nothing`, async () => {
    await using place = await opened();
    const store = await place.open();
    await writeChanges(store.sql, fetched(NOON + 300, 1_500));
    const row = (ms: number, cents: number) => ({
      retailer: 'retailer_w',
      key: 'lamp',
      url: '',
      gtin: null,
      observedAtMs: NOON + ms,
      price: { cents, currency: 'USD' },
      inStock: true,
    });
    const rows = [row(0, 1_500), row(55, 1_400), row(-1, 1_300)];
    assert.deepEqual(await insertImported(store.sql, rows), ['unchanged', 'added', 'added']);
    assert.deepEqual(await insertImported(store.sql, rows), [
      'unchanged',
      'unchanged',
      'unchanged',
    ]);
    assert.deepEqual(await instantsOf(store), [
      [-1, 1_300],
      [0, 1_500],
      [55, 1_400],
    ]);
  });
}

testFetched('sqlite');
testFetched('postgres');

test('the change of a listing stands before what its fetch saw', () => {
  const texts = statementsFor(fetched(NOON, 1), 'sqlite').map(({ text }) => text);
  const placeOf = (start: string) => texts.findIndex((text) => text.startsWith(start));
  assert.ok(placeOf('insert into listings') < placeOf('insert into observations'));
});
