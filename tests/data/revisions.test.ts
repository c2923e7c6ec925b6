// Revisions record every change that an answer may show, and none that was rolled back.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { NOT_CHECKED } from '../../src/rules/product/identity.ts';
import { writeChanges, type AnswerChange } from '../../src/data/answers/answer-writes.ts';
import type { StoredBarcodeAnswer } from '../../src/data/answers/barcode-answers.ts';
import { enqueueJob, type JobSubject } from '../../src/data/turns/jobs.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import {
  deleteAllMisses,
  deleteMiss,
  missSubject,
  upsertMiss,
} from '../../src/data/answers/misses.ts';
import {
  EVERYTHING,
  findRevisions,
  requireRevisions,
  REVISIONS,
  type Subject,
} from '../../src/data/answers/revisions.ts';
import type { Store } from '../../src/data/store.ts';
import { openTestStore } from '../support/stores.ts';

const OLD = '00012345678905' as Gtin14;
const NEW = '00614141000012' as Gtin14;
const GUESSED = '00614141000029' as Gtin14;
const OTHER = '00614141000036' as Gtin14;
const NOW_MS = Date.UTC(2026, 10, 20);
const LAMP = listingIdOf('retailer_w', 'lamp');
const DESK = listingIdOf('retailer_h', 'desk');
const MISS = missSubject('a page');

/** All subjects the tests ask about. */
const SUBJECTS: readonly Subject[] = [OLD, NEW, GUESSED, OTHER, LAMP, DESK, MISS, EVERYTHING];

function listing(key: string, gtin: Gtin14 | null, atMs = NOW_MS): AnswerChange {
  const retailer = key === 'lamp' ? 'retailer_w' : 'retailer_h';
  return {
    kind: 'listing',
    listing: {
      retailer,
      key,
      url: `https://shop.example/${key}`,
      foundVia: 'native_catalog',
      fetchedAtMs: atMs,
      listing: { ...EMPTY_LISTING, gtin },
      notes: { missing: [], remarks: [] },
    },
  };
}

function answer(gtin: Gtin14, listingId: string | null): StoredBarcodeAnswer {
  return {
    gtin,
    retailer: 'retailer_w',
    status: listingId === null ? 'not_found' : 'ok',
    listingId,
    identity: NOT_CHECKED,
    source: 'primary',
    foundVia: null,
    checkedAtMs: NOW_MS,
    askedAtMs: NOW_MS,
    judgedBy: null,
  };
}

/** The lamp prints OLD, and an answer names it under GUESSED; the desk prints OTHER. */
async function fill({ sql }: Store): Promise<void> {
  await writeChanges(sql, [
    listing('lamp', OLD),
    listing('desk', OTHER),
    { kind: 'barcode-answer', answer: answer(GUESSED, LAMP) },
  ]);
}

/** Returns the subjects whose revisions the work changed. */
async function revisedBy({ sql }: Store, work: () => Promise<unknown>): Promise<Set<Subject>> {
  const before = await findRevisions(sql, SUBJECTS);
  await work();
  const after = await findRevisions(sql, SUBJECTS);
  return new Set(SUBJECTS.filter((_, at) => before[at]?.revision !== after[at]?.revision));
}

const YEAR = { listingId: LAMP, year: 2025 };
const SEEN = { observedAtMs: Date.UTC(2025, 5, 1), priceCents: 100, native: null, inStock: true };

/** Kinds that a prepared answer never shows. */
type Unshown =
  | 'reviews'
  | 'review-totals'
  | 'seller'
  | 'seller-profile'
  | 'shop-facts'
  | 'shop-door';

/** Each kind of change, and the subjects it affects. A missing kind does not compile. */
const CHANGES: Readonly<
  Record<Exclude<AnswerChange['kind'], Unshown>, readonly [AnswerChange, ...Subject[]]>
> = {
  listing: [listing('lamp', NEW, NOW_MS + 1), LAMP, OLD, NEW, GUESSED],
  'imported-listing': [
    {
      kind: 'imported-listing',
      listing: { retailer: 'retailer_h', key: 'desk', url: '', gtin: NEW },
    },
    DESK,
    OTHER,
    NEW,
  ],
  fetched: [
    {
      kind: 'fetched',
      observation: { listingId: LAMP, fetchedAtMs: NOW_MS, price: null, inStock: true },
    },
    LAMP,
    OLD,
    GUESSED,
  ],
  observation: [
    {
      kind: 'observation',
      observation: { listingId: LAMP, observedAtMs: NOW_MS, price: null, inStock: true },
    },
    LAMP,
    OLD,
    GUESSED,
  ],
  'barcode-answer': [{ kind: 'barcode-answer', answer: answer(NEW, DESK) }, NEW, DESK, OTHER],
  'failed-attempt': [{ kind: 'failed-attempt', answer: answer(NEW, null) }, NEW],
  'offer-list': [
    { kind: 'offer-list', listingId: DESK, list: { fetchedAtMs: NOW_MS, offersCount: 2 } },
    DESK,
    OTHER,
  ],
  'archived-offers': [
    { kind: 'archived-offers', listingId: DESK, offers: [], observedAtMs: 1, isPartial: false },
    DESK,
    OTHER,
  ],
  // Compacted years read as before.
  'compacted-years': [
    { kind: 'compacted-years', years: [{ place: YEAR, before: null, after: [SEEN], taken: [] }] },
  ],
  'thinned-year': [
    { kind: 'thinned-year', place: YEAR, before: '', after: [] },
    // Rolled back: there is no such year.
  ],
  'forgotten-year': [{ kind: 'forgotten-year', place: YEAR }, LAMP, OLD, GUESSED],
  'forgotten-days': [{ kind: 'forgotten-days', beforeDay: 1 }, EVERYTHING],
  'taken-down-listings': [
    { kind: 'taken-down-listings', listingIds: [DESK], itemIds: [] },
    EVERYTHING,
  ],
  'taken-down-retailer': [
    { kind: 'taken-down-retailer', slug: 'retailer_w', hasSellers: true },
    EVERYTHING,
  ],
  'taken-down-shop': [{ kind: 'taken-down-shop', slug: 'lampshop' }, EVERYTHING],
  // Not part of any prepared answer.
  'taken-down-shop-facts': [{ kind: 'taken-down-shop-facts', host: 'shop.example' }],
  shop: [{ kind: 'shop', shop: { slug: 'lampshop', domain: 'shop.example' }, atMs: NOW_MS }],
};

for (const [kind, [change, ...touched]] of Object.entries(CHANGES)) {
  test(`a change of kind ${kind} revises what it touches and nothing else`, async () => {
    await using store = await openTestStore();
    await fill(store);
    const revised = await revisedBy(store, () => writeChanges(store.sql, [change]));
    assert.deepEqual(revised, new Set(touched));
  });
}

test('more changes than a few at once revise everything', async () => {
  await using store = await openTestStore();
  await fill(store);
  const many = Array.from({ length: 70 }, (_, n) => ({
    kind: 'imported-listing' as const,
    listing: { retailer: 'retailer_h', key: `k${n}`, url: '', gtin: null },
  }));
  const revised = await revisedBy(store, () =>
    writeChanges(store.sql, [...many, listing('lamp', OLD)]),
  );
  // On a server their rows are locked, so that concurrent changes to them are waited for.
  const locked = store.sql.dialect === 'postgres' ? [LAMP] : [];
  assert.deepEqual(revised, new Set([...locked, EVERYTHING]));
});

test('a transaction that is rolled back revises nothing', async () => {
  await using store = await openTestStore();
  await fill(store);
  const refusing = { text: 'select 1 as one where 1 = 2', mustReturn: true };
  const change = listing('lamp', NEW, NOW_MS + 1);
  const revised = await revisedBy(store, () => writeChanges(store.sql, [change], [refusing]));
  assert.deepEqual(revised, new Set());
});

test('a miss revises what it stands for when it is kept and when it is removed; a job revises its barcode when it begins and when it ends', async () => {
  await using store = await openTestStore();
  const { sql, jobs } = store;
  const miss = { detail: 'gone', upstream: null };
  assert.deepEqual(
    await revisedBy(store, () => sql.write(upsertMiss('a page', miss, NOW_MS))),
    new Set([MISS]),
  );
  assert.deepEqual(await revisedBy(store, () => sql.write(deleteMiss('a page'))), new Set([MISS]));
  assert.deepEqual(
    await revisedBy(store, () => sql.write(deleteMiss('a page'))),
    new Set(),
    'there is none',
  );
  await sql.write(upsertMiss('a page', miss, NOW_MS));
  const allGone = await revisedBy(store, () => sql.write(deleteAllMisses()));
  assert.deepEqual(allGone, new Set([EVERYTHING]));
  const subject: JobSubject = { kind: 'barcode', retailer: 'retailer_w', gtin: NEW };
  const job = { subject, organizationId: null, priority: 1, runAtMs: NOW_MS };
  const enqueue = () => sql.write(enqueueJob(job, NOW_MS));
  const leased = async () => (await jobs.lease('token', NOW_MS)) ?? assert.fail('no job is due');
  const barcode = new Set([NEW]);
  assert.deepEqual(await revisedBy(store, enqueue), barcode);
  const parked = await leased();
  assert.deepEqual(await revisedBy(store, () => jobs.park(parked, 'no', NOW_MS)), barcode);
  await sql.write(enqueueJob({ ...job, sinceMs: NOW_MS }, NOW_MS));
  const again = await leased();
  assert.deepEqual(await revisedBy(store, () => jobs.extend(again, NOW_MS)), new Set());
  assert.deepEqual(await revisedBy(store, () => jobs.complete(again)), barcode);
});

test('all misses together have 4,096 revisions at most, because callers can make any number of them', () => {
  const subjects = Array.from({ length: 50_000 }, (_, at) => missSubject(`page ${at}`));
  assert.ok(new Set(subjects).size <= 4_096);
});

test('a transaction that requires revisions stands only while all of them are the same', async () => {
  await using store = await openTestStore();
  await fill(store);
  const { sql } = store;
  const made = await findRevisions(sql, [EVERYTHING, OLD, OTHER]);
  assert.deepEqual(
    made.map(({ subject, revision }) => [subject, revision > 0]),
    [
      [EVERYTHING, false],
      [OLD, true],
      [OTHER, true],
    ],
  );
  const beat = { text: 'update heartbeat set beats = beats + 1' };
  assert.ok((await sql.write([requireRevisions(made), beat])).done);
  await writeChanges(sql, [{ kind: 'failed-attempt', answer: answer(NEW, null) }]);
  assert.ok((await sql.write([requireRevisions(made), beat])).done, 'another barcode');
  await writeChanges(sql, [listing('desk', null, NOW_MS + 1)]);
  const refused = await sql.write([requireRevisions(made), beat]);
  assert.deepEqual(refused, { done: false, refusedBy: REVISIONS });
  const unchanged = made.filter(({ subject }) => subject !== OTHER);
  assert.ok((await sql.write([requireRevisions(unchanged)])).done);
  await writeChanges(sql, [{ kind: 'forgotten-days', beforeDay: 1 }]);
  assert.equal((await sql.write([requireRevisions(unchanged)])).done, false);
});
