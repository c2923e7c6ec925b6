// Which jobs an answer puts on the queue (D37, D38): pure rules, one case a line.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import {
  createScheduleInBackground,
  backgroundJobs,
} from '../../../src/answer/lookup/steps/schedule.ts';
import { barcodeRows, type BarcodeAnswer } from '../../../src/rules/product/barcode-rows.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import type { Store } from '../../../src/data/store.ts';
import { stillClock } from '../../support/shifted-clock.ts';

type AnsweredProduct = Parameters<typeof backgroundJobs>[0];

const NOW = Date.parse('2026-03-14T12:00:00Z');
const GTIN = '00036000291452' as Gtin14;
const ALL: readonly KnownSlug[] = KNOWN_SLUGS;

function listing(retailer: string, ageMs: number, gtin: Gtin14 | null = GTIN): StoredListing {
  const id = `${retailer} listing`;
  const url = `https://${retailer.replace('_', '-')}.example/p`;
  const fetchedAtMs = NOW - ageMs;
  const foundVia = 'native_catalog' as const;
  return {
    id,
    retailer,
    key: url,
    url,
    foundVia,
    fetchedAtMs,
    listing: { ...EMPTY_LISTING, gtin },
  };
}

function answer(
  retailer: KnownSlug,
  status: BarcodeAnswer['status'],
  ageMs: number,
): BarcodeAnswer {
  const checkedAtMs = NOW - ageMs;
  const hasAnswered = status === 'ok' || status === 'not_found';
  return {
    retailer,
    status,
    listingId: status === 'ok' ? `${retailer} listing` : null,
    source: 'primary',
    foundVia: null,
    checkedAtMs,
    askedAtMs: hasAnswered ? checkedAtMs : null,
    judgedBy: null,
  };
}

type Known = {
  readonly answers?: readonly BarcodeAnswer[];
  readonly listings?: readonly StoredListing[];
  readonly anchor?: StoredListing;
  readonly isOwn?: boolean;
};

const HAVE_IT: readonly BarcodeAnswer[] = ALL.map((slug) => answer(slug, 'ok', HOUR_MS));
const HELD: readonly StoredListing[] = ALL.map((slug) => listing(slug, HOUR_MS));

/** Every retailer was queried an hour ago and has the product, except as given. */
function known({ answers = HAVE_IT, listings = HELD, ...over }: Known = {}): AnsweredProduct {
  const rules = { isTrusted: () => false, accepts: () => true };
  const rows = barcodeRows(GTIN, answers, listings, rules);
  const anchor = listing('retailer_w', HOUR_MS);
  return { gtin: GTIN, anchor, isOwn: false, rows, listings, ...over };
}

/** The answers of all retailers, with one replaced or left out. */
function answersWith(retailer: KnownSlug, other: BarcodeAnswer | null): readonly BarcodeAnswer[] {
  return [
    ...HAVE_IT.filter((each) => each.retailer !== retailer),
    ...(other === null ? [] : [other]),
  ];
}

const namesOf = (input: AnsweredProduct, canAsk: (slug: KnownSlug) => boolean = () => true) =>
  backgroundJobs(input, canAsk, NOW).map(({ subject }) => `${subject.kind} ${subject.retailer}`);

test('what is known and fresh gets no job', () => {
  assert.deepEqual(namesOf(known()), []);
});

test('a retailer that was never asked is asked first of all, one that cannot be asked never', () => {
  const answers = answersWith('retailer_b', null);
  const stale = HELD.map((each) =>
    each.retailer === 'retailer_e' ? listing('retailer_e', 3 * DAY_MS) : each,
  );
  const jobs = backgroundJobs(known({ answers, listings: stale }), () => true, NOW);
  const byPriority = jobs.toSorted((a, b) => b.priority - a.priority);
  assert.deepEqual(
    byPriority.map(({ subject, priority }) => [subject.retailer, priority]),
    [
      ['retailer_b', 30],
      ['retailer_e', 3],
    ],
  );
  assert.deepEqual(
    namesOf(known({ answers }), (slug) => slug !== 'retailer_b'),
    [],
  );
});

test('"not found" is asked again after a day, a wall or an error after an hour', () => {
  const cases = [
    ['not_found', DAY_MS, 0],
    ['not_found', DAY_MS + 1, 1],
    ['blocked', HOUR_MS, 0],
    ['blocked', HOUR_MS + 1, 1],
    ['error', HOUR_MS, 0],
    ['error', HOUR_MS + 1, 1],
    // Stamped by a clock that has since been set back.
    ['not_found', -HOUR_MS, 1],
    ['error', -HOUR_MS, 1],
  ] as const;
  for (const [status, ageMs, count] of cases) {
    const found = namesOf(
      known({ answers: answersWith('retailer_l', answer('retailer_l', status, ageMs)) }),
    );
    assert.deepEqual(found, count === 0 ? [] : ['barcode retailer_l'], `${status} ${ageMs}`);
  }
});

test('the anchor of an own identifier is read again by itself, that of a barcode by the barcode', () => {
  const anchor = listing('retailer_w', DAY_MS + 1);
  const listings = HELD.map((each) => (each.id === anchor.id ? anchor : each));
  assert.deepEqual(namesOf(known({ anchor, listings, isOwn: true })), ['listing retailer_w']);
  assert.deepEqual(namesOf(known({ anchor, listings })), ['barcode retailer_w']);
});

test('other shops, and retailers that take no barcode, are read again at their address', () => {
  const listings = [
    ...HELD.filter(({ retailer }) => retailer !== 'retailer_t'),
    listing('retailer_t', 2 * DAY_MS),
    listing('lampshop', 5 * DAY_MS),
    listing('bulbshop', HOUR_MS),
  ];
  assert.deepEqual(
    namesOf(known({ listings }), (slug) => slug !== 'retailer_t'),
    ['listing lampshop', 'listing retailer_t'],
  );
});

test('a listing that its retailer no longer finds by the barcode is read again at its address', () => {
  const listings = [
    ...HELD.filter(({ retailer }) => retailer !== 'retailer_h'),
    listing('retailer_h', DAY_MS + 1),
  ];
  const without = answer('retailer_h', 'not_found', HOUR_MS);
  const another = { ...answer('retailer_h', 'ok', HOUR_MS), listingId: 'retailer_l listing' };
  for (const other of [without, another]) {
    const answers = answersWith('retailer_h', other);
    assert.deepEqual(namesOf(known({ answers, listings })), ['listing retailer_h'], other.status);
    assert.deepEqual(namesOf(known({ answers })), [], `${other.status}, seen today`);
  }
  assert.deepEqual(namesOf(known({ answers: answersWith('retailer_h', null), listings })), [
    'barcode retailer_h',
  ]);
});

test('without a barcode, or with one that names no product, only the anchor matters', () => {
  const anchor = listing('lampshop', 2 * DAY_MS, null);
  const alone = { gtin: null, anchor, isOwn: true, rows: [], listings: [] };
  assert.deepEqual(namesOf(alone), ['listing lampshop']);
  // A number that every store assigns to its own goods.
  const own = '02012345678900' as Gtin14;
  const store = { ...alone, gtin: own, anchor: listing('lampshop', HOUR_MS, own) };
  assert.deepEqual(namesOf(store), []);
});

test('a listing that merely prints the barcode does not stand for a retailer that was not asked', () => {
  const answers = answersWith('retailer_w', null);
  assert.deepEqual(namesOf(known({ answers, isOwn: true })), ['barcode retailer_w']);
});

test('retailers that are searched by words are asked after the others', () => {
  const jobs = backgroundJobs(known({ answers: [] }), () => true, NOW);
  const priorities = new Map(jobs.map(({ subject, priority }) => [subject.retailer, priority]));
  const byWords = ['retailer_a', 'retailer_t'];
  for (const [retailer, priority] of priorities) {
    assert.equal(priority, byWords.includes(retailer) ? 29 : 30, retailer);
  }
});

test('hits are judged again when other retailers confirmed other listings since', () => {
  const guess = { ...HELD[0], ...listing('retailer_a', HOUR_MS, null) };
  const listings = [...HELD.filter(({ retailer }) => retailer !== 'retailer_a'), guess];
  const judged = (judgedBy: string) =>
    answersWith('retailer_a', { ...answer('retailer_a', 'ok', HOUR_MS), judgedBy });
  const confirmed = ['w', 'e', 'l', 'b', 'h'].map((letter) => `retailer_${letter} listing`);
  assert.deepEqual(namesOf(known({ listings, answers: judged(confirmed.join(' ')) })), []);
  assert.deepEqual(namesOf(known({ listings, answers: judged(confirmed.slice(1).join(' ')) })), [
    'barcode retailer_a',
  ]);
});

test('behind an answer that leaves nothing to do there is no background work', async () => {
  let works = 0;
  const behind = createScheduleInBackground({
    // SAFETY: with nothing to put on the queue neither is asked.
    store: {} as Store,
    knownMiss: () => assert.fail('nothing is looked for'),
    canAskByBarcode: () => true,
    clock: stillClock(NOW),
    inBackground: async () => void (works += 1),
    enqueued: () => assert.fail('nothing is put on the queue'),
  });
  const ask = (of: AnsweredProduct) => behind({ ...of, organizationId: null });
  await ask(known({}));
  assert.equal(works, 0);
  const another = listing('retailer_w', HOUR_MS + 1);
  const open = { ...known({ answers: [] }), anchor: { ...another, id: 'another' } };
  await ask(open);
  assert.equal(works, 1);
});

test('what turns stale within the minute in which its product was scheduled is read again after the next answer', async () => {
  const clock = stillClock(NOW);
  const works: number[] = [];
  const behind = createScheduleInBackground({
    // SAFETY: nothing is put on the queue by this background.
    store: {} as Store,
    knownMiss: () => assert.fail('nothing is looked for'),
    canAskByBarcode: () => true,
    clock,
    inBackground: async () => void works.push(clock.now() - NOW),
    enqueued: () => assert.fail('nothing is put on the queue'),
  });
  const ask = (of: AnsweredProduct) => behind({ ...of, organizationId: null });
  const oldest = listing('retailer_h', DAY_MS);
  const listings = [...HELD.filter(({ retailer }) => retailer !== 'retailer_h'), oldest];
  const open = { ...known({ listings, answers: answersWith('retailer_t', null) }) };
  await ask(open);
  await ask(open);
  assert.deepEqual(works, [0], 'retailer_t was never asked');
  for (const ms of [1, 1, 59_998, 1]) {
    clock.advance(ms);
    await ask(open);
  }
  assert.deepEqual(works, [0, 1, 60_001], 'and the page of retailer_h is a day old');
});
