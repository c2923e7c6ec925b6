// The stated dependencies of an answer are complete: while its revisions are unchanged and its time has not expired,
// computing it again gives the same result, whatever is written, in any order, and however much time passes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { lensOf } from '../../../src/base/listing/lens.ts';
import { listingName } from '../../../src/answer/collect/listing-key.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { HistoryRequest } from '../../../src/answer/lookup/history/lookup-history.ts';
import {
  createReadSessions,
  type MadeFrom,
  type Reads,
  type ReadSession,
} from '../../../src/answer/lookup/cache/read-session.ts';
import type { ProductRequest } from '../../../src/answer/lookup/steps/parse-lookup.ts';
import { writeChanges } from '../../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { deleteMiss, missSubject, upsertMiss } from '../../../src/data/answers/misses.ts';
import { wireLookups, type Lookups } from '../../../src/edge/wiring/lookups.ts';
import type { Needs } from '../../../src/edge/wiring/shared-parts.ts';
import { EVERYTHING, findRevisions, type Subject } from '../../../src/data/answers/revisions.ts';
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
import type { Store } from '../../../src/data/store.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openTestStore } from '../../support/stores.ts';
import { openLookupNeeds } from '../../support/lookup-needs.ts';

const ROUNDS = 600;

type Noted = { readonly found: object; readonly madeFrom: MadeFrom | null };
type Question = { readonly name: string; readonly ask: () => Promise<Noted | null> };

/** Opens a session of a store without a replica that records what is read. */
function recordingSession(store: Store, nowMs: number): Promise<ReadSession> {
  const sessions = createReadSessions({ ...store, replica: null }, { now: () => nowMs });
  const asked = { organizationId: null, own: null, isNoted: true };
  return sessions.read(asked, (session) => Promise.resolve(session));
}

/** Asks, each time in its own session. */
function asking(lookups: Lookups, { store, clock }: Pick<Needs, 'store' | 'clock'>) {
  const { lookupProduct, inSession } = lookups;
  const noted = async (
    ask: (session: ReadSession) => Promise<object | null>,
  ): Promise<Noted | null> => {
    const session = await recordingSession(store, clock.now());
    const found = await ask(session);
    return found === null ? null : { found, madeFrom: session.madeFrom() };
  };
  const parse = (request: Omit<ProductRequest, 'forceRefresh'>) =>
    lookupProduct.parse({ ...request, forceRefresh: false });
  return {
    product: (request: Omit<ProductRequest, 'forceRefresh'>) =>
      noted((session) => inSession.product.fromStore(session, parse(request))),
    comparison: (text: string) =>
      noted((session) => inSession.comparison.fromStore(session, parse({ text }))),
    history: (request: HistoryRequest) =>
      noted((session) => inSession.history(session, request, lensOf(undefined))),
  };
}

function questions(of: ReturnType<typeof asking>): readonly Question[] {
  const product = (text: string, more: Partial<ProductRequest>): Question => ({
    name: `${text} ${JSON.stringify(more)}`,
    ask: () => of.product({ text, ...more }),
  });
  const comparison = (text: string): Question => ({
    name: `comparison of ${text}`,
    ask: () => of.comparison(text),
  });
  const history = (text: string, more: Partial<HistoryRequest>): Question => ({
    name: `history of ${text} ${JSON.stringify(more)}`,
    ask: () =>
      of.history({ text, timeframe: '30d', ...more }).catch((error: unknown) => {
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
  const all = questions(asking(wireLookups(config, needs), needs));
  const revisionsOf = (subjects: readonly Subject[]) => findRevisions(store.sql, subjects);
  let [compared, ended] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isTrue(random, 0.3)) await refill(store, random, clock.now());
    const { name, ask } = pick(random, all);
    const first = await ask();
    if (first === null) await refill(store, random, clock.now());
    if (first === null || first.madeFrom === null) continue;
    const { subjects } = first.madeFrom;
    const revisions = await revisionsOf(subjects);
    const made = (await ask()) ?? assert.fail(`${name} is held no more`);
    assert.deepEqual(new Set(made.madeFrom?.subjects), new Set(subjects), name);
    const done = isTrue(random, 0.3)
      ? passTime(clock, random)
      : await write(store, random, clock.now());
    const isSame = isDeepStrictEqual(await revisionsOf(subjects), revisions);
    const again = await ask();
    const isRight = isDeepStrictEqual(again?.found, made.found);
    if (!isRight) ended += 1;
    if (!isSame || clock.now() >= (made.madeFrom?.untilMs ?? 0)) continue;
    compared += 1;
    assert.deepEqual(again?.found, made.found, `round ${round}: ${name} after ${done}`);
  }
  await needs.background.stop();
  t.diagnostic(`${compared} answers of ${ROUNDS} were of now; ${ended} became others`);
  assert.ok(compared > ROUNDS / 8 && ended > ROUNDS / 10);
});

test('a text whose first meaning was missed is asked again once that is read after all', async () => {
  const clock = stillClock(NOON);
  await using opened = new AsyncDisposableStack();
  const { config, needs } = await openLookupNeeds(clock, opened);
  const { sql } = needs.store;
  const of = asking(wireLookups(config, needs), needs);
  // An item's number, or a UPC without its zero.
  const text = '36000291452';
  const [gtin, other] = ['00036000291452', '00614141000012'] as const;
  const at = { retailer: 'retailer_w', atMs: NOON } as const;
  const named = { ...at, key: '4000001', gtin: gtin as Gtin14 };
  await writeChanges(sql, [listingChange(() => 0, named), answerChange(named, true)]);
  // So that no retailer has to be queried for the barcode, which would change its revision.
  const others = KNOWN_SLUGS.filter((retailer) => retailer !== named.retailer);
  const none = others.map((retailer) => answerChange({ ...named, retailer }, false));
  await writeChanges(sql, none);
  const name = listingName('retailer_w', text);
  await sql.write(upsertMiss(name, { detail: 'gone', upstream: null }, NOON));
  const itemOf = (noted: Noted | null) =>
    noted !== null && 'itemId' in noted.found ? noted.found.itemId : null;
  const ask = () => of.product({ text });
  const first = await ask();
  assert.equal(itemOf(first), '4000001');
  const subjects = first?.madeFrom?.subjects ?? assert.fail('it depends on what has no revision');
  const revisions = await findRevisions(sql, subjects);
  const read = { ...at, key: text, gtin: other as Gtin14 };
  await writeChanges(sql, [listingChange(() => 0, read)], deleteMiss(name));
  assert.equal(itemOf(await ask()), text);
  assert.notDeepEqual(await findRevisions(sql, subjects), revisions);
  await needs.background.stop();
});

test('reads say which barcodes and which moments an answer depends on', async () => {
  await using store = await openTestStore();
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
  const noted = async (read: (session: ReadSession) => Promise<unknown>) => {
    const session = await recordingSession(store, NOON);
    await read(session);
    return session.madeFrom();
  };
  const midnight = Date.UTC(2026, 10, 21);
  const fresh = at.atMs + DAY_MS + 1;
  // Imports for the barcode that a tied listing prints belong to its history.
  assert.deepEqual(await noted((of) => of.listings.findListingsTiedTo(one as Gtin14)), {
    subjects: [EVERYTHING, one, other],
    untilMs: fresh,
  });
  assert.deepEqual(await noted((of) => of.listings.findListing(at.retailer, at.key)), {
    subjects: [EVERYTHING, other, id],
    untilMs: fresh,
  });
  const printing = { id, retailer: at.retailer, listing: { gtin: other as Gtin14 } };
  const seen = (fromMs: number) => noted((of) => of.observations.findSinceOf(printing, fromMs));
  // It leaves the requested span five seconds from now.
  assert.deepEqual(await seen(NOON - 181 * DAY_MS), {
    subjects: [EVERYTHING, other, id],
    untilMs: NOON + 5_001,
  });
  assert.deepEqual(await seen(0), { subjects: [EVERYTHING, other, id], untilMs: midnight });
  await store.sql.write(upsertMiss('a page', { detail: 'gone', upstream: null }, at.atMs));
  assert.deepEqual(await noted((of) => of.misses.findMiss('a page', NOON)), {
    subjects: [EVERYTHING, missSubject('a page')],
    untilMs: at.atMs + DAY_MS,
  });
});

test('an answer that read what has no revision must not be given again', async () => {
  await using store = await openTestStore();
  const reads: Readonly<Record<string, (of: Reads) => Promise<unknown>>> = {
    'archived offers': (of) => of.offers.findNewestOffers('one', 9),
    'their number': (of) => of.offers.countOffers('one'),
    'a shop by its slug': (of) => of.shops.findShopBySlug('lampshop'),
    'a shop that is not known yet': (of) => of.shops.findShopByDomain('lampshop.example'),
  };
  for (const [what, read] of Object.entries(reads)) {
    const session = await recordingSession(store, NOON);
    await session.offers.findOfferList('one');
    assert.notEqual(session.madeFrom(), null);
    await read(session);
    assert.equal(session.madeFrom(), null, what);
  }
});

test('an answer ends at the first moment that is said of it', async () => {
  await using store = await openTestStore();
  const session = await recordingSession(store, NOON);
  for (const atMs of [NOON + 9, NOON + 5, null, NOON + 7]) session.endsAt(() => atMs);
  assert.equal(session.madeFrom()?.untilMs, NOON + 5);
});

/** A store whose replica is `state.behindMs` behind; records which of the two was read last. */
async function replicated(store: Store) {
  const state = { at: '', hasAll: true, nowMs: 1_000 };
  const reading = (at: string): Reads => ({
    ...store,
    jobs: {
      findLiveJobs: (gtin) => {
        state.at = at;
        return store.jobs.findLiveJobs(gtin);
      },
    },
  });
  const replica = {
    // SAFETY: sessions read of it what `Reads` has.
    store: reading('replica') as Store,
    hasSince: () => state.hasAll,
    nowMs: () => state.nowMs,
    answered: () => ({ primary: 0, replica: 0 }),
    isThere: () => true,
  };
  const { readsFor } = store;
  const primary = { ...reading('primary'), readsFor, replica };
  const sessions = createReadSessions(primary, { now: () => NOON });
  const read = async (session: ReadSession) => {
    await session.jobs.findLiveJobs(GTINS[0] as Gtin14);
    return session.madeFrom();
  };
  return { state, sessions, read };
}

test('what is read of a replica is not given again, and what is read of the primary is', async () => {
  await using store = await openTestStore();
  const { state, sessions, read } = await replicated(store);
  const noted = { organizationId: 'one', own: null, isNoted: true };
  assert.equal(await sessions.read(noted, read), null);
  assert.equal(state.at, 'replica');
  await sessions.readForFetch({ organizationId: 'one', own: null }, read);
  state.hasAll = false;
  assert.deepEqual((await sessions.read(noted, read))?.subjects, [EVERYTHING, GTINS[0]]);
  assert.equal(state.at, 'primary');
  assert.equal(await sessions.read({ ...noted, isNoted: false }, read), null, 'nothing is noted');
});

test('who fetched reads the primary until the replica has it, and a fault is looked up there', async () => {
  await using store = await openTestStore();
  const { state, sessions, read } = await replicated(store);
  await assert.rejects(
    sessions.readForFetch({ organizationId: 'one', own: null }, () =>
      Promise.reject(new Error('not fetched')),
    ),
  );
  state.hasAll = false;
  const of = (organizationId: string) => ({ organizationId, own: null, isNoted: true });
  assert.notEqual(await sessions.read(of('one'), read), null);
  assert.equal(state.at, 'primary', 'a fetch that failed may have stored something');
  await sessions.read(of('another'), read);
  assert.equal(state.at, 'replica');
  state.hasAll = true;
  await sessions.read(of('one'), read);
  assert.equal(state.at, 'replica');
  let tried = 0;
  const missing = async (session: ReadSession) => {
    await read(session);
    tried += 1;
    if (tried === 1) throw new FaultError({ code: 'not_found', detail: 'not there yet' });
    return state.at;
  };
  assert.equal(await sessions.read(of('one'), missing), 'primary');
  const broken = () => Promise.reject(new Error('no database'));
  await assert.rejects(sessions.read(of('one'), broken), /no database/);
});
