// Charges of one organization that arrive while another one is being written: they are made as one, with the same answers as
// single ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnswerChanged } from '../../../src/data/metering/meter.ts';
import { findRevisions, reviseSubjects } from '../../../src/data/answers/revisions.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { endOfTurn, openMeteredService } from './metered-service.ts';

const ROUTE = 'GET /v1/products/{id}';

const BUSY = [
  { isBusy: false, most: 4, whose: 'an event loop that waits for the disk' },
  { isBusy: true, most: 12, whose: 'an event loop that is always busy' },
] as const;

for (const { isBusy, most, whose } of BUSY)
  test(`calls that come together are answered as if one came after the other, with ${whose}`, async () => {
    await using service = await openMeteredService({ monthlyQuota: 10_000 }, null, {
      isBusy: () => isBusy,
    });
    const { metering, caller, store } = service;
    const before = store.sql.commits();
    const charged = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        metering.charge(caller, { requestId: `r${n}`, route: ROUTE, tokens: 1 + (n % 3) }),
      ),
    );
    let left = 10_000;
    for (const [n, { consumed, remaining }] of charged.entries()) {
      left -= 1 + (n % 3);
      assert.deepEqual([consumed, remaining], [1 + (n % 3), left]);
    }
    assert.ok(store.sql.commits() - before <= most, `${store.sql.commits() - before} commits`);
    const rows = await store.sql.all(
      'select request_id, tokens, balance_after from ledger order by balance_after desc',
    );
    assert.deepEqual(
      rows.map((row) => [row['request_id'], row['balance_after']]),
      charged.map(({ remaining }, n) => [`r${n}`, remaining]),
    );
    const states = charged.map(({ rateLimit }) => Number(/r=(\d+)/.exec(rateLimit.state)?.[1]));
    assert.deepEqual(
      states,
      states.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(states).size, states.length);
    assert.deepEqual(await checkStore(store.sql), []);
  });

test('where a commit takes long and the event loop has time, whoever was just answered shares the next one', async () => {
  let pausedMs = 0;
  const counted = { commits: () => 0 };
  await using service = await openMeteredService({ monthlyQuota: 10_000 }, null, {
    nowMs: () => counted.commits() * 40 + pausedMs,
    pause: (ms) => ((pausedMs += ms), endOfTurn()),
  });
  const { metering, caller, store } = service;
  counted.commits = () => store.sql.commits();
  const before = store.sql.commits();
  // An answered caller calls again three turns later.
  const call = async (name: string) => {
    for (let n = 0; n < 20; n += 1) {
      await metering.charge(caller, { requestId: `${name}-${n}`, route: ROUTE, tokens: 1 });
      for (let turns = 0; turns < 3; turns += 1) await endOfTurn();
    }
  };
  const first = Array.from({ length: 8 }, (_, n) => call(`first${n}`));
  await endOfTurn();
  await endOfTurn();
  await Promise.all([...first, ...Array.from({ length: 8 }, (_, n) => call(`then${n}`))]);
  // One for each round of calls, and some for the first calls; two halves that take turns need twice as many.
  const commits = store.sql.commits() - before;
  assert.ok(commits < 30, `${commits} commits for 20 calls of each`);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('the ledger says what each call left, also where calls of one cost follow one another', async () => {
  await using service = await openMeteredService({ monthlyQuota: 10_000 });
  const { metering, caller, store } = service;
  const runs = [1, 33, 64, 7].flatMap((length, run) =>
    Array.from({ length }, () => (run % 2 === 0 ? 3 : 5)),
  );
  const charged = await Promise.all(
    runs.map((tokens, n) => metering.charge(caller, { requestId: `r${n}`, route: ROUTE, tokens })),
  );
  const rows = await store.sql.all(
    'select request_id, tokens, balance_after from ledger order by balance_after desc',
  );
  let left = 10_000;
  assert.deepEqual(
    rows.map((row) => [row['request_id'], row['tokens'], row['balance_after']]),
    runs.map((tokens, n) => [`r${n}`, tokens, (left -= tokens)]),
  );
  assert.equal(charged.at(-1)?.remaining, left);
  assert.deepEqual(await checkStore(store.sql), []);
});

test('a batch that does not fit serves those who came first, whatever limit they meet', async (t) => {
  const seed = seedOf(77);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (const limits of [{ monthlyQuota: 60 }, { throttlePerMinute: 1, throttleBurst: 20 }]) {
    await using service = await openMeteredService(limits, null, {
      isBusy: () => integerBelow(random, 2) === 0,
    });
    const { metering, caller, store } = service;
    const tokens = Array.from({ length: 80 }, () => 1 + integerBelow(random, 3));
    const results = await Promise.allSettled(
      tokens.map((each, n) =>
        metering.charge(caller, { requestId: `r${n}`, route: ROUTE, tokens: each }),
      ),
    );
    let [spent, served] = [0, 0];
    for (const [n, { status }] of results.entries()) {
      const wanted = tokens[n] ?? 0;
      const fits = 'monthlyQuota' in limits ? spent + wanted <= 60 : served < 20;
      assert.equal(status, fits ? 'fulfilled' : 'rejected', `call ${n}`);
      if (!fits) continue;
      spent += wanted;
      served += 1;
    }
    const [sums] = await store.sql.all(
      'select sum(tokens) as tokens, count(*) as calls from ledger',
    );
    assert.deepEqual([sums?.['tokens'], sums?.['calls']], [spent, served]);
    assert.deepEqual(await checkStore(store.sql), []);
  }
});

test('of calls that come together those whose answer has changed are not charged, and the others exactly', async (t) => {
  const seed = seedOf(84);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using service = await openMeteredService({ monthlyQuota: 10_000 }, null, {
    isBusy: () => integerBelow(random, 2) === 0,
  });
  const { metering, caller, store } = service;
  await store.sql.write([reviseSubjects(['barcode 1', 'barcode 2'])]);
  const held = await findRevisions(store.sql, ['barcode 1', 'barcode 2', 'never written']);
  let spent = 0;
  let served = 0;
  for (let round = 0; round < 12; round += 1) {
    // Most rounds consist of calls that are all alike: those are one statement where the database can do that.
    const isMixed = round % 3 === 0;
    const calls = Array.from({ length: 2 + integerBelow(random, 40) }, (_, n) => ({
      requestId: `r${round}-${n}`,
      route: ROUTE,
      tokens: isMixed ? 1 + integerBelow(random, 3) : 2,
      isStale: round % 4 === 1 && integerBelow(random, 8) === 0,
    }));
    const results = await Promise.allSettled(
      calls.map(({ isStale, ...call }) => {
        const some = held.filter(() => integerBelow(random, 2) === 0);
        const stale = held.map((each) => ({ ...each, revision: each.revision + 1 }));
        return metering.charge(caller, {
          ...call,
          revisions: isStale ? stale : some.length === 0 ? undefined : some,
        });
      }),
    );
    for (const [n, { isStale, tokens }] of calls.entries()) {
      const result = results[n];
      if (isStale) {
        assert.ok(result?.status === 'rejected' && result.reason instanceof AnswerChanged);
        continue;
      }
      assert.ok(result?.status === 'fulfilled' && result.value.consumed === tokens);
      spent += tokens;
      served += 1;
    }
  }
  const rows = await store.sql.all(
    'select tokens, balance_after from ledger order by balance_after desc',
  );
  assert.equal(rows.length, served);
  let left = 10_000;
  for (const row of rows) assert.equal(row['balance_after'], (left -= Number(row['tokens'])));
  assert.equal(left, 10_000 - spent);
  const [days] = await store.sql.all(
    'select sum(tokens) as tokens, sum(calls) as calls from usage_days',
  );
  assert.deepEqual([days?.['tokens'], days?.['calls']], [spent, served]);
  assert.deepEqual(await checkStore(store.sql), []);
});
