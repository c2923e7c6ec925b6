// How watches process stored reads, on either database: with several processes at once and duplicate writes, each change
// appears in the feed once and in order, each crossing is notified once, and each read is paid for once.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { storeRead, notifyOfStored } from '../../../src/answer/collect/storing/store-read.ts';
import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import type { FetchContext } from '../../../src/base/fetch-context.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { generateKey } from '../../../src/data/metering/api-key.ts';
import { createMatchingLater } from '../../../src/rules/matching/matching-later.ts';
import { MODEL } from '../../rules/matching/shipped-model.ts';
import { createIsTrustedShop } from '../../../src/read/retailers/addresses/trusted-shops.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { insertChange, addWatch, pruneFeeds } from '../../../src/data/watches/watch-writes.ts';
import { withDefault, type WatchScope } from '../../../src/rules/watches/watch.ts';
import { integerBelow, randomFrom } from '../../support/random.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { newStorePlace, storeAt } from '../../support/stores.ts';
import { isOnPostgres } from '../../support/databases.ts';
import type { Store } from '../../../src/data/store.ts';

const START_MS = Date.UTC(2026, 10, 1);
const LISTINGS = 6;
const matching = createMatchingLater(() => Promise.resolve(createMatching(MODEL)));
const STEPS = 30;
const SEED = 5;

const CONTEXT: FetchContext = {
  signal: new AbortController().signal,
  deadlineMs: Number.MAX_SAFE_INTEGER,
  turns: () => [{ kind: 'background' }],
  isForWatches: true,
};

const keyOf = (at: number): string => `https://shop.example/p/${at}`;
const idOf = (at: number): string => listingIdOf('shop', keyOf(at));

function listingOf(at: number, atMs: number, cents: number): StoredListing {
  const listing = { ...EMPTY_LISTING, title: `Lamp ${at}`, inStock: true };
  return {
    id: idOf(at),
    retailer: 'shop',
    key: keyOf(at),
    url: keyOf(at),
    foundVia: 'submitted_url',
    fetchedAtMs: atMs,
    listing: { ...listing, price: { cents, currency: 'USD' } },
  };
}

async function addOrganization(store: Store, name: string, monthlyQuota = 100_000) {
  const organization = await store.accounts.upsertOrganization({ name, monthlyQuota }, START_MS);
  const { id, secretSha256 } = generateKey();
  const key = { id, organizationId: organization.id, secretSha256, scopes: [], note: null };
  await store.accounts.insertKey({ ...key, createdAtMs: START_MS, expiresAtMs: null });
  return { organizationId: organization.id, keyId: id };
}

type Added = {
  readonly id: string;
  readonly at: number;
  readonly belowCents: number | null;
  readonly gtin: Gtin14 | null;
  readonly retailer: WatchScope;
};

/** Returns who paid for checks, and how many tokens. */
async function paid(store: Store): Promise<ReadonlyMap<unknown, unknown>> {
  const rows = await store.sql.all(
    "select organization_id, tokens from ledger where route = 'watch' order by organization_id",
  );
  return new Map(
    [...Map.groupBy(rows, (row) => row['organization_id'])].map(([id, own]) => [
      id,
      own.reduce((sum, row) => sum + Number(row['tokens']), 0),
    ]),
  );
}

async function storeWatch(
  store: Store,
  owner: { organizationId: string; keyId: string },
  {
    id,
    at,
    belowCents,
    gtin = null,
    retailer = 'any',
  }: Pick<Added, 'id' | 'at' | 'belowCents'> & Partial<Added>,
) {
  const none = { downPercent: null, upPercent: null, newLowDays: null } as const;
  const off = { backInStock: false, outOfStock: false, buyBox: false, anyChange: false };
  await store.sql.write([
    ...addWatch(
      {
        ...owner,
        id,
        identifiers: [keyOf(at)],
        gtin,
        retailer,
        intervalMs: HOUR_MS,
        rules: withDefault({ belowCents, stepPercent: 5, ...none, ...off }),
        channels: [],
        failingAfter: 3,
        pausedAtMs: null,
        tags: [],
        seed: 1,
        nextAtMs: START_MS,
        createdAtMs: START_MS + at,
      },
      { watches: 1_000, addresses: 1_000, ofProduct: 1_000 },
      [idOf(at)],
    ),
  ]);
}

test('three processes that read at once notify of each crossing once and charge each read once', async () => {
  await using place = await newStorePlace();
  await using first = await storeAt(place.name);
  // A file belongs to one process; a server is shared by several.
  const others = isOnPostgres() ? [await storeAt(place.name), await storeAt(place.name)] : [];
  const stores = [first, ...others];
  const clock = manualClock(START_MS);
  const parts = (store: Store) => ({
    store,
    clock,
    matching,
    isTrustedShop: createIsTrustedShop([]),
  });
  const owners = [await addOrganization(first, 'one'), await addOrganization(first, 'two')];
  for (let at = 0; at < LISTINGS; at += 1) {
    for (const [who, owner] of owners.entries()) {
      await storeWatch(first, owner, { id: `wat_${at}_${who}_below`, at, belowCents: 2_000 });
      await storeWatch(first, owner, { id: `wat_${at}_${who}_any`, at, belowCents: null });
    }
  }
  const random = randomFrom(SEED);
  const prices = new Map<number, number[]>();
  for (let step = 0; step < STEPS; step += 1) {
    const atMs = START_MS + (step + 1) * DAY_MS;
    clock.set(atMs);
    const round = { text: 'update watches set round_at_ms = $1', params: [atMs] };
    await first.sql.write([round]);
    const reads = Array.from({ length: LISTINGS }, (_, at) => {
      const cents = 1_500 + integerBelow(random, 1_000);
      prices.set(at, [...(prices.get(at) ?? []), cents]);
      return listingOf(at, atMs, cents);
    });
    // Each read is written by every process at once: as by a worker that lost its lease and the one that has it now.
    await Promise.all(
      reads.flatMap((stored) =>
        stores.map((store) =>
          storeRead(parts(store), { stored, gtin: null, changes: [], alongside: [] }, CONTEXT),
        ),
      ),
    );
    await Promise.all(reads.map((stored) => notifyOfStored(parts(first), { stored, gtin: null })));
  }
  for (const { organizationId } of owners) {
    const changes = await first.watches.findChanges(organizationId, 0, 10_000);
    assert.equal(new Set(changes.map(({ seq }) => seq)).size, changes.length, 'a number each');
    for (const [at, seen] of prices) {
      const own = changes.filter(({ body }) => body.url === keyOf(at));
      const expected = seen.flatMap((after, step) => {
        const before = seen[step - 1];
        return before === undefined || before === after ? [] : [{ before, after }];
      });
      assert.deepEqual(
        own.map(({ body: { before, after } }) => ({ before, after })),
        expected,
      );
    }
  }
  for (const [at, seen] of prices) {
    let told: number | null = null;
    const crossings = seen.filter((cents) => {
      if (cents > 2_000) told = null;
      const isDue: boolean = cents < 2_000 && (told === null || cents * 100 <= told * 95);
      if (isDue) told = cents;
      return isDue;
    });
    for (const [who, { organizationId }] of owners.entries()) {
      const notices = await first.watches.findNotices(
        organizationId,
        `wat_${at}_${who}_below`,
        1_000,
      );
      assert.deepEqual(
        notices.map(({ body }) => body.newCents).toReversed(),
        crossings,
        `listing ${at} of ${who}`,
      );
    }
  }
  const [charged] = await first.sql.all(
    "select count(*) as n, cast(sum(tokens) as bigint) as tokens from ledger where route = 'watch'",
  );
  assert.deepEqual([charged?.['n'], charged?.['tokens']], [LISTINGS * STEPS, LISTINGS * STEPS]);
  assert.deepEqual(await checkStore(first.sql), []);
  for (const store of others) await store[Symbol.asyncDispose]();
});

test('a read that is stored after a later one is not a change, and takes none from the feed', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const clock = manualClock(START_MS + DAY_MS);
  const owner = await addOrganization(store, 'one');
  await storeWatch(store, owner, { id: 'wat_1', at: 1, belowCents: null });
  const parts = { store, clock, matching, isTrustedShop: createIsTrustedShop([]) };
  // In storage order; in order of their times the prices are 1000, 1000, 1200, 1400, 1300, 1400.
  const reads = [
    [0, 1_000],
    [2, 1_200],
    [1, 1_000],
    [4, 1_300],
    [3, 1_400],
    [5, 1_400],
  ] as const;
  for (const [seconds, cents] of reads) {
    const stored = listingOf(1, clock.now() + seconds * 1_000, cents);
    await storeRead(parts, { stored, gtin: null, changes: [], alongside: [] }, CONTEXT);
  }
  const changes = await store.watches.findChanges(owner.organizationId, 0, 100);
  assert.deepEqual(
    changes.map(({ body: { before, after } }) => [before, after]),
    [
      [1_000, 1_200],
      [1_200, 1_300],
      [1_300, 1_400],
    ],
  );
});

test('a cursor whose changes were deleted stays one, whichever of them a clock wrote that is behind', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const { organizationId } = await addOrganization(store, 'one');
  const known = { retailer: 'shop', url: null, title: null, gtin: null };
  for (const writtenAtMs of [1_002, 1_000, 1_003]) {
    const change = { kind: 'price', field: 'price', before: 1, after: writtenAtMs } as const;
    const body = { ...change, ...known, observedAtMs: writtenAtMs };
    const written = { change, listingId: 'one', body };
    await store.sql.write(insertChange(organizationId, written, writtenAtMs));
  }
  for (const beforeMs of [1_001, 1_003]) {
    await store.sql.write(pruneFeeds(beforeMs));
    assert.equal((await store.watches.feedOf(organizationId)).prunedSeq, 1_003);
  }
  await store.sql.write(pruneFeeds(1_004));
  assert.equal((await store.watches.feedOf(organizationId)).prunedSeq, 1_004);
});

test('an organization without tokens pays nothing, and the next one that waits pays', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const clock = manualClock(START_MS + DAY_MS);
  const poor = await addOrganization(store, 'poor');
  const rich = await addOrganization(store, 'rich');
  await store.accounts.upsertOrganization({ name: 'poor', monthlyQuota: 0 }, START_MS);
  await storeWatch(store, poor, { id: 'wat_poor', at: 1, belowCents: null });
  await storeWatch(store, rich, { id: 'wat_rich', at: 1, belowCents: null });
  await store.sql.write([{ text: 'update watches set round_at_ms = $1', params: [START_MS] }]);
  const stored = listingOf(1, clock.now(), 1_000);
  const read = { stored, gtin: null, changes: [], alongside: [] };
  const parts = { store, clock, matching, isTrustedShop: createIsTrustedShop([]) };
  const earlier = { ...read, stored: listingOf(1, clock.now() - HOUR_MS, 1_000) };
  await storeRead(parts, earlier, { ...CONTEXT, isForWatches: false });
  assert.deepEqual(await store.sql.all('select tokens from ledger'), [], 'a lookup read it');
  await store.sql.write([{ text: 'update watches set round_at_ms = $1', params: [clock.now()] }]);
  await storeRead(parts, read, CONTEXT);
  const rows = await store.sql.all(
    "select organization_id, tokens from ledger where route = 'watch'",
  );
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ organization_id: rich.organizationId, tokens: 1 }],
  );
});

test('eight organizations without tokens do not lose what was read: the ninth pays', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const clock = manualClock(START_MS + DAY_MS);
  for (let at = 0; at < 8; at += 1) {
    const poor = await addOrganization(store, `poor ${at}`, 0);
    await storeWatch(store, poor, { id: `wat_${at}`, at: 1, belowCents: null });
  }
  const rich = await addOrganization(store, 'rich');
  await storeWatch(store, rich, { id: 'wat_rich', at: 1, belowCents: null });
  await store.sql.write([{ text: 'update watches set round_at_ms = $1', params: [clock.now()] }]);
  const stored = listingOf(1, clock.now(), 1_000);
  const read = { stored, gtin: null, changes: [], alongside: [] };
  const written = await storeRead(
    { store, clock, matching, isTrustedShop: createIsTrustedShop([]) },
    read,
    CONTEXT,
  );
  assert.equal(written.done, true);
  assert.deepEqual(await paid(store), new Map([[rich.organizationId, 1]]));
});

test('a watch whose page states another product now pays nothing for the checks of others', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const clock = manualClock(START_MS + DAY_MS);
  const [first, second] = [
    await addOrganization(store, 'first'),
    await addOrganization(store, 'second'),
  ];
  const gtin = '00614141000005' as Gtin14;
  await storeWatch(store, first, { id: 'wat_1', at: 1, belowCents: null, gtin });
  await storeWatch(store, second, { id: 'wat_2', at: 1, belowCents: null });
  const parts = { store, clock, matching, isTrustedShop: () => true };
  await store.sql.write([{ text: 'update watches set round_at_ms = $1', params: [clock.now()] }]);
  for (let hour = 0; hour < 3; hour += 1) {
    const round = "update watches set round_at_ms = $1 where id = 'wat_2'";
    await store.sql.write([{ text: round, params: [clock.now()] }]);
    const { listing, ...stored } = listingOf(1, clock.now(), 1_000);
    const other = { ...listing, gtin: '00614141000012' as Gtin14 };
    const read = { stored: { ...stored, listing: other }, gtin: null, changes: [], alongside: [] };
    await storeRead(parts, read, CONTEXT);
    clock.advance(HOUR_MS);
  }
  assert.deepEqual(await paid(store), new Map([[second.organizationId, 3]]));
});

test('the best price is none of a listing that the others of the product contradict', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const clock = manualClock(START_MS);
  const owner = await addOrganization(store, 'o');
  const gtin = '00614141000005' as Gtin14;
  await storeWatch(store, owner, {
    id: 'wat_1',
    at: 1,
    belowCents: 2_000,
    gtin,
    retailer: 'best',
  });
  const parts = { store, clock, matching, isTrustedShop: createIsTrustedShop([]) };
  const kettle = 'Tarnfield Walnut Kettle 1.5 L';
  const reads = [
    ['retailer_w', kettle, 3_000],
    ['retailer_b', kettle, 2_900],
    ['retailer_e', 'Tarnfield Walnut Kettle 1.5 L, Pack of 12 Filters, 0.2 L', 500],
    ['retailer_b', kettle, 2_800],
    ['retailer_w', kettle, 1_500],
  ] as const;
  for (const [retailer, title, cents] of reads) {
    clock.advance(HOUR_MS);
    const { listing, ...stored } = listingOf(1, clock.now(), cents);
    const own = {
      ...stored,
      id: listingIdOf(retailer, keyOf(1)),
      retailer,
      listing: { ...listing, gtin, title },
      notes: { missing: [], remarks: [], unknownWords: [] },
    };
    const changes = [{ kind: 'listing', listing: own }] as const;
    await storeRead(parts, { stored: own, gtin, changes, alongside: [] }, CONTEXT);
  }
  const notices = await store.sql.all('select body from notices');
  assert.deepEqual(
    notices.map(({ body }) => (JSON.parse(String(body)) as { readonly text: string }).text),
    ['The price is $15.00, below $20.00.'],
  );
});

test('a listing that states no pack competes for the best price of the set that the others state', async () => {
  await using place = await newStorePlace();
  await using store = await storeAt(place.name);
  const clock = manualClock(START_MS);
  const owner = await addOrganization(store, 'o');
  const gtin = '00614141000005' as Gtin14;
  await storeWatch(store, owner, {
    id: 'wat_1',
    at: 1,
    belowCents: 2_000,
    gtin,
    retailer: 'best',
  });
  const parts = { store, clock, matching, isTrustedShop: createIsTrustedShop([]) };
  const title = 'Tarnfield Tumbler Glasses';
  for (const [retailer, cents, packCount] of [
    ['retailer_w', 3_000, 6],
    ['retailer_h', 500, 1],
    ['retailer_b', 1_900, null],
  ] as const) {
    clock.advance(HOUR_MS);
    const { listing, ...stored } = listingOf(1, clock.now(), cents);
    const own = {
      ...stored,
      id: listingIdOf(retailer, keyOf(1)),
      retailer,
      listing: { ...listing, gtin, title, packCount },
      notes: { missing: [], remarks: [], unknownWords: [] },
    };
    const changes = [{ kind: 'listing', listing: own }] as const;
    await storeRead(parts, { stored: own, gtin, changes, alongside: [] }, CONTEXT);
  }
  const notices = await store.sql.all('select body from notices');
  assert.deepEqual(
    notices.map(({ body }) => (JSON.parse(String(body)) as { readonly text: string }).text),
    ['The price is $19.00, below $20.00.'],
  );
});
