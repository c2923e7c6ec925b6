// The matcher learns which words are common from the stored titles.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { keepLearningTitles } from '../../../src/answer/collect/count-titles.ts';
import { MODEL } from '../../rules/matching/shipped-model.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';

const NOTES = { missing: [], remarks: [] };

function stored(key: string, title: string, gtin: string | null = null): StoredListing {
  const place = { retailer: 'retailer_w', key, url: `https://w.example/${key}`, fetchedAtMs: 1 };
  const listing: Listing = { ...EMPTY_LISTING, title, gtin: gtin as Gtin14 | null };
  return { ...place, id: listingIdOf('retailer_w', key), foundVia: 'native_catalog', listing };
}

async function hold(store: Store, listings: readonly StoredListing[]): Promise<void> {
  await store.sql.write(listings.flatMap((each) => upsertListing({ ...each, notes: NOTES })));
}

const NOUNS = [
  'lamp',
  'chair',
  'kettle',
  'ladder',
  'skillet',
  'tray',
  'hose',
  'bowl',
  'mat',
  'rug',
];

/** All products of one invented brand, so the brand name carries no information here. */
const ofOneBrand = (count: number): readonly StoredListing[] =>
  Array.from({ length: count }, (_, at) =>
    stored(`p${at}`, `Quillvex ${NOUNS[at % NOUNS.length]} no ${at}`),
  );

const LAMP = stored('lamp', 'Quillvex Brass Reading Lamp');
const STOOL = stored('stool', 'Quillvex Oak Step Stool').listing;

const FRIDAY = '2026-11-20T12:00:00Z';

type Sample = { readonly store: Pick<Store, 'listings'>; readonly nowMs?: () => number };

/** Returns a matcher that has counted once, and its table's number; `shipped` if it has learned nothing. */
async function learned({ store, nowMs = () => Date.parse(FRIDAY) }: Sample) {
  const matching = createMatching(MODEL);
  const shipped = matching.version();
  const counted = new Error('counted');
  const clock = {
    now: nowMs,
    sleep: (ms: number) => (ms === 0 ? Promise.resolve() : Promise.reject(counted)),
  };
  const onError = (error: unknown): void => assert.fail(String(error));
  const stop = new AbortController().signal;
  await assert.rejects(
    keepLearningTitles({ store, matching: { load: async () => matching }, clock, onError }, stop),
    counted,
  );
  const version = matching.version();
  const week = version === shipped ? 'shipped' : version.split('.').at(-1);
  return { week, similarity: matching.similarity([LAMP], STOOL) };
}

test('a brand of every held title no longer makes two products alike', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(1_200));
  const before = createMatching(MODEL).similarity([LAMP], STOOL);
  const { week, similarity } = await learned({ store });
  assert.notEqual(week, 'shipped');
  assert.ok(similarity < before, String(before));
});

test('too few titles teach nothing, and the table stays as it was shipped', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(999));
  const before = createMatching(MODEL).similarity([LAMP], STOOL);
  assert.deepEqual(await learned({ store }), { week: 'shipped', similarity: before });
  await hold(store, [stored('one more', 'Quillvex lamp')]);
  assert.notEqual((await learned({ store })).week, 'shipped');
});

test('the listings of one barcode count once', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const gtin = '00614141810001';
  const fan = (at: number) => stored(`s${at}`, 'Quillvex fan', gtin);
  await hold(store, [...ofOneBrand(1_100), fan(0)]);
  const once = await learned({ store });
  await hold(
    store,
    Array.from({ length: 40 }, (_, at) => fan(at + 1)),
  );
  assert.deepEqual(await learned({ store }), once);
});

test('titles of shops that allow no training are not counted', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(999));
  const before = await learned({ store });
  const signals = (aiTrain: boolean) => ({ ...NOTES, signals: { aiTrain } });
  const held = ofOneBrand(1_200).slice(999);
  const write = (aiTrain: boolean) =>
    store.sql.write(held.flatMap((each) => upsertListing({ ...each, notes: signals(aiTrain) })));
  await write(false);
  assert.deepEqual(await learned({ store }), before, '201 more titles, none of which may be used');
  await write(true);
  assert.notEqual((await learned({ store })).week, 'shipped');
});

test('the end of the service ends the counting', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(10));
  const matching = createMatching(MODEL);
  const onError = (error: unknown): void => assert.fail(String(error));
  const parts = { store, matching: { load: async () => matching }, clock: systemClock, onError };
  await assert.rejects(keepLearningTitles(parts, AbortSignal.abort()), /aborted/);
});

test('a table has the number of its ISO week, and the next one is learned on Monday', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(1_000));
  for (const [day, week] of [
    ['2026-11-22T23:59:59Z', '202647'],
    ['2026-11-23T00:00:00Z', '202648'],
    ['2027-01-03T12:00:00Z', '202653'],
    ['2024-12-30T00:00:00Z', '202501'],
  ] as const) {
    assert.equal((await learned({ store, nowMs: () => Date.parse(day) })).week, week, day);
  }
  const matching = createMatching(MODEL);
  const stop = new AbortController();
  let nowMs = Date.parse(FRIDAY);
  const versions: string[] = [];
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => {
      if (ms === 0) return Promise.resolve();
      versions.push(`${matching.version().split('.').at(-1)} ${new Date(nowMs).toISOString()}`);
      if (versions.length === 3) stop.abort();
      nowMs += ms;
      return stop.signal.aborted ? Promise.reject(new Error('aborted')) : Promise.resolve();
    },
  };
  const onError = (error: unknown): void => assert.fail(String(error));
  await assert.rejects(
    keepLearningTitles(
      { store, matching: { load: async () => matching }, clock, onError },
      stop.signal,
    ),
  );
  assert.deepEqual(versions, [
    '202647 2026-11-20T12:00:00.000Z',
    '202648 2026-11-23T00:00:00.000Z',
    '202649 2026-11-30T00:00:00.000Z',
  ]);
});

test('a count that lasts into the next week has the number of the week in which it began', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(1_000));
  let day = '2026-11-22T23:59:59Z';
  const listings: Store['listings'] = {
    ...store.listings,
    findSample: async (...asked) => {
      const page = await store.listings.findSample(...asked);
      day = '2026-11-23T00:00:01Z';
      return page;
    },
  };
  const { week } = await learned({ store: { listings }, nowMs: () => Date.parse(day) });
  assert.equal(week, '202647');
});
