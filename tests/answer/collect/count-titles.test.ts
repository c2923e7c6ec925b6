// The matcher learns which words are common from the stored titles.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import {
  keepLearningTitles,
  learnOwnTitles,
  weekOf,
} from '../../../src/answer/collect/count-titles.ts';
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

test('a brand of every held title no longer makes two products alike', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(1_200));
  const matching = createMatching(MODEL);
  const before = matching.similarity([LAMP], STOOL);
  assert.equal(await learnOwnTitles({ store, matching, clock: systemClock }), 1_200);
  assert.ok(matching.similarity([LAMP], STOOL) < before, String(before));
});

test('too few titles teach nothing, and the table stays as it was shipped', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(999));
  const matching = createMatching(MODEL);
  const before = matching.similarity([LAMP], STOOL);
  assert.equal(await learnOwnTitles({ store, matching, clock: systemClock }), 0);
  assert.equal(matching.similarity([LAMP], STOOL), before);
});

test('the listings of one barcode count once, and counting again counts no title twice', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const gtin = '00614141810001';
  const same = Array.from({ length: 40 }, (_, at) => stored(`s${at}`, `Quillvex fan ${at}`, gtin));
  await hold(store, [...ofOneBrand(1_100), ...same]);
  const matching = createMatching(MODEL);
  assert.equal(await learnOwnTitles({ store, matching, clock: systemClock }), 1_101);
  const once = matching.similarity([LAMP], STOOL);
  assert.equal(await learnOwnTitles({ store, matching, clock: systemClock }), 1_101);
  assert.equal(matching.similarity([LAMP], STOOL), once);
});

test('the end of the service ends the counting', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(10));
  const matching = createMatching(MODEL);
  await assert.rejects(
    learnOwnTitles({ store, matching, clock: systemClock }, AbortSignal.abort()),
    /aborted/,
  );
});

test('a table has the number of its ISO week, and the next one is learned on Monday', async () => {
  for (const [day, week] of [
    ['2026-11-22T23:59:59Z', 202_647],
    ['2026-11-23T00:00:00Z', 202_648],
    ['2027-01-03T12:00:00Z', 202_653],
    ['2024-12-30T00:00:00Z', 202_501],
  ] as const) {
    assert.equal(weekOf(Date.parse(day)), week, day);
  }
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(1_000));
  const matching = createMatching(MODEL);
  const stop = new AbortController();
  let nowMs = Date.parse('2026-11-20T12:00:00Z');
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
  await assert.rejects(keepLearningTitles({ store, matching, clock, onError }, stop.signal));
  assert.deepEqual(versions, [
    '202647 2026-11-20T12:00:00.000Z',
    '202648 2026-11-23T00:00:00.000Z',
    '202649 2026-11-30T00:00:00.000Z',
  ]);
});

test('a count that lasts into the next week has the number of the week in which it began', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await hold(store, ofOneBrand(1_000));
  const matching = createMatching(MODEL);
  const times = ['2026-11-22T23:59:59Z', '2026-11-23T00:00:01Z'];
  const now = () => Date.parse((times.length > 1 ? times.shift() : times[0]) ?? '');
  await learnOwnTitles({ store, matching, clock: { ...systemClock, now } });
  assert.equal(matching.version().split('.').at(-1), '202647');
});
