// What an answer is said to depend on is all that it depends on: while its revisions are the same and its time is not over,
// making it again gives the same, whatever is written, in whichever order, and however time passes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';

import { readConfig } from '../../src/config.ts';
import { FaultError } from '../../src/core/fault.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/clock.ts';
import type { KnownSlug } from '../../src/core/retailer.ts';
import type { Gtin14 } from '../../src/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../src/listing/listing.ts';
import type { HistoryRequest } from '../../src/lookup/lookup-history.ts';
import type { Noted } from '../../src/lookup/noted-lookups.ts';
import { noteReads, type Notes } from '../../src/lookup/noted-reads.ts';
import type { ProductRequest } from '../../src/lookup/parse-lookup.ts';
import { tie } from '../../src/product/identity.ts';
import { writeChanges, type AnswerChange } from '../../src/store/answer-writes.ts';
import { barcodeKey } from '../../src/store/imported-history.ts';
import { enqueueJob } from '../../src/store/jobs.ts';
import { listingIdOf } from '../../src/store/listings.ts';
import { compactSlice } from '../../src/store/maintenance/compact-observations.ts';
import { openNeeds } from '../../src/wiring/shared-parts.ts';
import { wireLookups, type Lookups } from '../../src/wiring/lookups.ts';
import { EVERYTHING } from '../../src/store/revisions.ts';
import type { Store } from '../../src/store/store.ts';
import { isOnPostgres, newDatabase } from '../support/databases.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { stillClock } from '../support/shifted-clock.ts';
import { openTestStore } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const GTINS = ['00614141000012', '00614141000029', '10614141000019'] as const;
const KEYS = ['4000001', '4000002'] as const;
const RETAILERS: readonly KnownSlug[] = ['retailer_w', 'retailer_e'];
const ROUNDS = 600;
/** Spans that ages are measured in, and a little more or less than each. */
const SPANS = [1, MINUTE_MS, HOUR_MS, DAY_MS, 2 * DAY_MS, 14 * DAY_MS] as const;

type Random = () => number;

const isTrue = (random: Random, share: number): boolean => random() < share;

function someChange(random: Random, nowMs: number): AnswerChange {
  const retailer: KnownSlug = pick(random, RETAILERS);
  const key = pick(random, KEYS);
  const gtin = pick(random, GTINS) as Gtin14;
  const listingId = listingIdOf(retailer, key);
  const atMs = nowMs - integerBelow(random, 3) * pick(random, SPANS);
  const price = { cents: 100 + integerBelow(random, 3) * 900, currency: 'USD' };
  switch (integerBelow(random, 6)) {
    case 0:
      return {
        kind: 'observation',
        observation: { listingId, observedAtMs: atMs, price, inStock: true },
      };
    case 1:
      return cellChange({ retailer, key, gtin, atMs }, isTrue(random, 0.7));
    case 2:
      return {
        kind: 'imported-listing',
        listing: { retailer, key: barcodeKey(gtin), url: '', gtin },
      };
    case 3:
      return {
        kind: 'observation',
        observation: {
          listingId: listingIdOf(retailer, barcodeKey(gtin)),
          observedAtMs: atMs - 40 * DAY_MS,
          price,
          inStock: true,
        },
      };
    case 4:
      return {
        kind: 'offer-list',
        listingId,
        list: { fetchedAtMs: atMs, offersCount: integerBelow(random, 9) },
      };
    default:
      return listingChange(random, { retailer, key, gtin, atMs });
  }
}

type Read = {
  readonly retailer: KnownSlug;
  readonly key: string;
  readonly gtin: Gtin14;
  readonly atMs: number;
};

function cellChange({ retailer, key, gtin, atMs }: Read, isListed: boolean): AnswerChange {
  const record = { retailer, pageBarcode: gtin, checkedAtMs: atMs, isTrusted: true };
  return {
    kind: 'cell',
    cell: {
      gtin,
      retailer,
      status: isListed ? 'ok' : 'not_found',
      listingId: isListed ? listingIdOf(retailer, key) : null,
      identity: tie(gtin, record),
      source: 'primary',
      foundVia: 'native_catalog',
      checkedAtMs: atMs,
      askedAtMs: atMs,
      judgedBy: null,
    },
  };
}

function listingChange(random: Random, { retailer, key, gtin, atMs }: Read): AnswerChange {
  const price = { cents: 100 + integerBelow(random, 9) * 100, currency: 'USD' };
  return {
    kind: 'listing',
    listing: {
      retailer,
      key,
      url: `https://www.example.com/ip/${key}`,
      foundVia: 'native_catalog',
      fetchedAtMs: atMs,
      listing: {
        ...EMPTY_LISTING,
        title: pick(random, ['Desk lamp 40 W', 'Desk lamp 40 W black', 'Garden hose 20 m']),
        gtin: isTrue(random, 0.8) ? gtin : null,
        itemId: retailer === 'retailer_w' ? key : null,
        price,
        inStock: isTrue(random, 0.8),
      },
      notes: { missing: [], remarks: [] },
    },
  };
}

/** Every listing as read just now, and named as the answer for one barcode. */
async function refill(store: Store, random: Random, nowMs: number): Promise<void> {
  const changes = RETAILERS.flatMap((retailer) =>
    KEYS.flatMap((key, at) => {
      const gtin = pick(random, GTINS.slice(0, 2)) as Gtin14;
      const read = listingChange(random, { retailer, key, gtin, atMs: nowMs });
      const asked = (GTINS[at] ?? gtin) as Gtin14;
      return [read, cellChange({ retailer, key, gtin: asked, atMs: nowMs }, true)];
    }),
  );
  await writeChanges(store.sql, changes);
}

/** Writes something, in transactions of one or a few changes; a change that breaks a rule of the schema is none. */
async function write(store: Store, random: Random, nowMs: number): Promise<string> {
  const { sql } = store;
  if (isTrue(random, 0.05)) {
    await compactSlice(sql, Math.floor(nowMs / DAY_MS), { listings: 9, observations: 99 });
    return 'compaction';
  }
  if (isTrue(random, 0.05)) {
    const gtin = pick(random, GTINS) as Gtin14;
    const subject = { kind: 'barcode', retailer: 'retailer_h', gtin } as const;
    const job = { subject, organizationId: null, priority: 1, runAtMs: nowMs + 365 * DAY_MS };
    await sql.write(enqueueJob(job, nowMs));
    return `job ${gtin}`;
  }
  const changes = Array.from({ length: 1 + integerBelow(random, 2) }, () =>
    someChange(random, nowMs),
  );
  try {
    await writeChanges(sql, changes);
  } catch {
    return 'refused';
  }
  return JSON.stringify(changes);
}

function passTime(clock: ReturnType<typeof stillClock>, random: Random): string {
  clock.advance(pick(random, SPANS) + integerBelow(random, 3) - 1);
  return `time ${new Date(clock.now()).toISOString()}`;
}

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
  using folder = temporaryFolder();
  const database = isOnPostgres() ? opened.use(await newDatabase('migrated')) : null;
  const where = database === null ? {} : { DATABASE_URL: database.url };
  const config = readConfig({ OPENSHELF_DATA: folder.path, ...where }, {});
  const needs = await openNeeds(config, { clock }, opened);
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
  assert.ok(compared > ROUNDS / 8 && ended > ROUNDS / 8);
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
    cellChange({ ...at, gtin: one as Gtin14 }, true),
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
  // It leaves the span that is read five seconds from now.
  assert.deepEqual(await noted((of) => of.store.observations.findSince(id, NOON - 181 * DAY_MS)), {
    subjects: [EVERYTHING, id],
    untilMs: NOON + 5_001,
  });
  assert.deepEqual(await noted((of) => of.store.observations.findSince(id, 0)), {
    subjects: [EVERYTHING, id],
    untilMs: midnight,
  });
  assert.equal(await noted((of) => of.store.reviews.findTotals('1')), null, 'nobody is told of it');
});
