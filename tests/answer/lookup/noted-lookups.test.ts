// What an answer is said to depend on is all that it depends on: while its revisions are the same and its time is not over,
// making it again gives the same, whatever is written, in whichever order, and however time passes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { listingName } from '../../../src/answer/collect/listing-key.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { HistoryRequest } from '../../../src/answer/lookup/history/lookup-history.ts';
import type { Noted } from '../../../src/answer/lookup/kept/noted-lookups.ts';
import { noteReads, type Notes } from '../../../src/answer/lookup/kept/noted-reads.ts';
import type { ProductRequest } from '../../../src/answer/lookup/steps/parse-lookup.ts';
import { writeChanges } from '../../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { deleteMiss, missSubject, upsertMiss } from '../../../src/data/answers/misses.ts';
import { wireLookups, type Lookups } from '../../../src/edge/wiring/lookups.ts';
import { EVERYTHING } from '../../../src/data/answers/revisions.ts';
import {
  answerChange,
  GTINS,
  isTrue,
  KEYS,
  listingChange,
  NOON,
  passTime,
  refill,
  write,
} from '../../support/changing-store.ts';
import { pick, randomFrom, seedOf } from '../../support/random.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openTestStore } from '../../support/stores.ts';
import { openLookupNeeds } from '../../support/lookup-needs.ts';

const ROUNDS = 600;

type Question = { readonly name: string; readonly ask: () => Promise<Noted<object> | null> };

function questions({ lookupProduct, notedLookups }: Lookups): readonly Question[] {
  const noted = notedLookups ?? assert.fail('no read replica');
  const product = (text: string, more: Partial<ProductRequest>): Question => ({
    name: `${text} ${JSON.stringify(more)}`,
    ask: () => noted.product(lookupProduct.parse({ text, forceRefresh: false, ...more })),
  });
  const comparison = (text: string): Question => ({
    name: `comparison of ${text}`,
    ask: () => noted.comparison(lookupProduct.parse({ text, forceRefresh: false })),
  });
  const history = (text: string, more: Partial<HistoryRequest>): Question => ({
    name: `history of ${text} ${JSON.stringify(more)}`,
    ask: () =>
      noted.history({ text, timeframe: '30d', ...more }).catch((error: unknown) => {
        if (error instanceof FaultError) return null;
        throw error;
      }),
  });
  const cells = { addOns: { includeCrossRetailer: true }, identifierMatch: 'any' } as const;
  return [
    ...GTINS.flatMap((gtin) => [
      product(gtin, {}),
      product(gtin, cells),
      product(gtin, { retailer: 'retailer_w' }),
      history(gtin, { retailer: 'all', timeframe: '1y' }),
      comparison(gtin),
    ]),
    ...KEYS.flatMap((key) => [
      product(key, { addOns: { includePriceSeries: true } }),
      product(key, cells),
      history(key, {}),
      comparison(key),
    ]),
  ];
}

test('an answer whose revisions are the same is the one that would be made now', async (t) => {
  const seed = seedOf(1_717);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const clock = stillClock(NOON);
  await using opened = new AsyncDisposableStack();
  const { config, needs } = await openLookupNeeds(clock, opened);
  const { store } = needs;
  const lookups = wireLookups(config, needs);
  const noted = lookups.notedLookups ?? assert.fail('no read replica');
  const all = questions(lookups);
  let [compared, ended] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isTrue(random, 0.3)) await refill(store, random, clock.now());
    const { name, ask } = pick(random, all);
    const first = await ask();
    if (first === null) await refill(store, random, clock.now());
    if (first === null || first.dependence === null) continue;
    const { subjects } = first.dependence;
    const revisions = await noted.revisionsOf(subjects);
    const made = (await ask()) ?? assert.fail(`${name} is held no more`);
    assert.deepEqual(new Set(made.dependence?.subjects), new Set(subjects), name);
    const done = isTrue(random, 0.3)
      ? passTime(clock, random)
      : await write(store, random, clock.now());
    const isSame = isDeepStrictEqual(await noted.revisionsOf(subjects), revisions);
    const again = await ask();
    const isRight = isDeepStrictEqual(again?.found, made.found);
    if (!isRight) ended += 1;
    if (!isSame || clock.now() >= (made.dependence?.untilMs ?? 0)) continue;
    compared += 1;
    assert.deepEqual(again?.found, made.found, `round ${round}: ${name} after ${done}`);
  }
  await needs.background.stop();
  t.diagnostic(`${compared} answers of ${ROUNDS} were of now; ${ended} became others`);
  assert.ok(compared > ROUNDS / 8 && ended > ROUNDS / 10);
});

test('a text whose first meaning was missed is asked anew once that is read after all', async () => {
  const clock = stillClock(NOON);
  await using opened = new AsyncDisposableStack();
  const { config, needs } = await openLookupNeeds(clock, opened);
  const { sql } = needs.store;
  const { lookupProduct, notedLookups: noted } = wireLookups(config, needs);
  // An item's number, or a UPC without its zero.
  const text = '36000291452';
  const [gtin, other] = ['00036000291452', '00614141000012'] as const;
  const at = { retailer: 'retailer_w', atMs: NOON } as const;
  const named = { ...at, key: '4000001', gtin: gtin as Gtin14 };
  await writeChanges(sql, [listingChange(() => 0, named), answerChange(named, true)]);
  // So that nobody is to be asked for the barcode, which would change its revision.
  const others = KNOWN_SLUGS.filter((retailer) => retailer !== named.retailer);
  const none = others.map((retailer) => answerChange({ ...named, retailer }, false));
  await writeChanges(sql, none);
  const name = listingName('retailer_w', text);
  await sql.write(upsertMiss(name, { detail: 'gone', upstream: null }, NOON));
  const ask = () => noted?.product(lookupProduct.parse({ text, forceRefresh: false }));
  const first = await ask();
  assert.equal(first?.found.itemId, '4000001');
  const subjects =
    first.dependence?.subjects ?? assert.fail('it depends on what nobody is told of');
  const revisions = await noted?.revisionsOf(subjects);
  const read = { ...at, key: text, gtin: other as Gtin14 };
  await writeChanges(sql, [listingChange(() => 0, read)], deleteMiss(name));
  assert.equal((await ask())?.found.itemId, text);
  assert.notDeepEqual(await noted?.revisionsOf(subjects), revisions);
  await needs.background.stop();
});

test('reads say which barcodes and which moments an answer depends on', async () => {
  await using store = await openTestStore();
  const clock = stillClock(NOON);
  const [one, other] = ['00614141000012', '10614141000019'] as const;
  const at = { retailer: 'retailer_w', key: '4000001', atMs: NOON - 20 * HOUR_MS } as const;
  const listing = listingChange(() => 0, { ...at, gtin: other as Gtin14 });
  const id = listingIdOf(at.retailer, at.key);
  const seenAtMs = NOON - 181 * DAY_MS + 5_000;
  await writeChanges(store.sql, [
    listing,
    answerChange({ ...at, gtin: one as Gtin14 }, true),
    {
      kind: 'observation',
      observation: { listingId: id, observedAtMs: seenAtMs, price: null, inStock: true },
    },
  ]);
  const noted = async (read: (notes: Notes) => Promise<unknown>) => {
    const notes = noteReads(store, clock);
    await read(notes);
    return notes.dependence();
  };
  const midnight = Date.UTC(2026, 10, 21);
  const fresh = at.atMs + DAY_MS + 1;
  // What is imported for the barcode that a tied listing prints belongs to its history.
  assert.deepEqual(await noted((of) => of.store.listings.findListingsTiedTo(one as Gtin14)), {
    subjects: [EVERYTHING, one, other],
    untilMs: fresh,
  });
  assert.deepEqual(await noted((of) => of.store.listings.findListing(at.retailer, at.key)), {
    subjects: [EVERYTHING, other, id],
    untilMs: fresh,
  });
  const printing = { id, retailer: at.retailer, listing: { gtin: other as Gtin14 } };
  const seen = (fromMs: number) =>
    noted((of) => of.store.observations.findSinceOf(printing, fromMs));
  // It leaves the span that is read five seconds from now.
  assert.deepEqual(await seen(NOON - 181 * DAY_MS), {
    subjects: [EVERYTHING, other, id],
    untilMs: NOON + 5_001,
  });
  assert.deepEqual(await seen(0), { subjects: [EVERYTHING, other, id], untilMs: midnight });
  await store.sql.write(upsertMiss('a page', { detail: 'gone', upstream: null }, at.atMs));
  assert.deepEqual(await noted((of) => of.store.misses.findMiss('a page', NOON)), {
    subjects: [EVERYTHING, missSubject('a page')],
    untilMs: at.atMs + DAY_MS,
  });
  assert.equal(await noted((of) => of.store.reviews.findTotals('1')), null, 'nobody is told of it');
});
