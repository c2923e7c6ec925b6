// The scheduler of watches: what it starts with the remaining tokens, and when the store cannot write.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { keepWatching, startRounds } from '../../../src/answer/indexer/watch-rounds.ts';
import { DAY_MS } from '../../../src/base/clock.ts';
import { generateKey } from '../../../src/data/metering/api-key.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { addWatch } from '../../../src/data/watches/watch-writes.ts';
import type { Watch } from '../../../src/rules/watches/stored-watch.ts';
import { withDefault } from '../../../src/rules/watches/watch.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { openTestStore } from '../../support/stores.ts';

const NOW_MS = Date.UTC(2026, 10, 1);

/** Adds this many watches, due now, for an organization with this many tokens. */
async function addWatches(store: Store, count: number, monthlyQuota: number): Promise<void> {
  const { accounts } = store;
  const made = await accounts.upsertOrganization({ name: 'a', monthlyQuota }, NOW_MS);
  const organizationId = made.id;
  const { id: keyId, secretSha256 } = generateKey();
  const key = { id: keyId, organizationId, secretSha256, scopes: [], note: null };
  await accounts.insertKey({ ...key, createdAtMs: NOW_MS, expiresAtMs: null });
  const none = { belowCents: null, downPercent: null, upPercent: null, newLowDays: null } as const;
  const off = { backInStock: false, outOfStock: false, buyBox: false, anyChange: false };
  const watches = Array.from({ length: count }, (_, at) =>
    addWatch(
      {
        id: `wat_${at}`,
        organizationId,
        keyId,
        identifiers: [`https://shop.example/p/${at}`],
        gtin: null,
        retailer: 'any',
        intervalMs: DAY_MS,
        rules: withDefault({ ...none, ...off, stepPercent: 5 }),
        channels: [],
        failingAfter: 3,
        pausedAtMs: null,
        tags: [],
        seed: 1,
        nextAtMs: NOW_MS,
        createdAtMs: NOW_MS,
      },
      { watches: 1_000, addresses: 1_000, ofProduct: 1_000 },
      [],
    ),
  );
  await store.sql.write(watches.flat());
}

function questionsOf({ identifiers: [url = ''] }: Watch) {
  const subject = { kind: 'listing', retailer: 'shop', key: url, url } as const;
  return Promise.resolve([{ subject, listingId: listingIdOf('shop', url) }]);
}

function partsOf({ sql, watches }: Store, told: string[]) {
  const onError = (what: string) => void told.push(what);
  const clock = manualClock(NOW_MS);
  return { sql, watches, clock, questionsOf, enqueued: () => undefined, onError };
}

test('no more checks are started in one go than there are tokens for, however many are due', async () => {
  await using store = await openTestStore();
  await addWatches(store, 250, 120);
  const stop = new AbortController();
  const parts = partsOf(store, []);
  const sleep = () => {
    stop.abort();
    return Promise.reject(new Error('stopped'));
  };
  const clock = { ...parts.clock, sleep };
  await assert.rejects(keepWatching({ ...parts, clock }, stop.signal), /stopped/);
  const rows = await store.sql.all(
    'select trouble, count(*) as n from watches group by trouble order by trouble is null',
  );
  assert.deepEqual(
    rows.map((row) => [row['trouble'], Number(row['n'])]),
    [
      ['out_of_tokens', 130],
      [null, 120],
    ],
  );
});

test('a store that cannot write is reported once per check, which then waits', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  await addWatches(store, 120, 1_000);
  await store.sql.write([
    {
      text: `create trigger full_disk before update on watches
        begin select raise(abort, 'database or disk is full'); end`,
    },
  ]);
  const told: string[] = [];
  assert.equal(await startRounds(partsOf(store, told)), 0);
  assert.deepEqual(told, ['could not start the check of watch wat_0 and 99 more']);
});
