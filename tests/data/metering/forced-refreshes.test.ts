// At most a hundred forced refreshes in any 60 seconds (D61), on the database of the run.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  consumedForced,
  consumeForced,
  findForced,
  FORCED_LIMIT,
  FORCED_POLICY,
} from '../../../src/data/metering/forced-refreshes.ts';
import type { Store } from '../../../src/data/store.ts';
import { newStorePlace, openTestStore, storeAt } from '../../support/stores.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';

const START_US = 1_800_000_000_000_000;
const WINDOW_US = 60_000_000;

async function addOrganization({ sql }: Store, id: string): Promise<void> {
  await sql.write([
    {
      text: `insert into organizations (id, name, monthly_quota, throttle_per_minute,
        throttle_burst, created_at_ms) values ($1, $1, 0, 1, 1, 0)`,
      params: [id],
    },
  ]);
}

async function isAdmitted({ sql }: Store, id: string, nowUs: number): Promise<boolean> {
  const result = await sql.write(consumeForced(id, nowUs));
  if (!result.done) assert.equal(result.refusedBy, FORCED_POLICY);
  return result.done;
}

test('any 60 seconds hold a hundred admitted ones, and a free place is never refused', async (t) => {
  const seed = seedOf(61);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using store = await openTestStore();
  for (let sequence = 0; sequence < 4; sequence += 1) {
    const id = `org${sequence}`;
    await addOrganization(store, id);
    let admitted: readonly number[] = [];
    let nowUs = START_US;
    let refused = 0;
    for (let step = 0; step < 500; step += 1) {
      nowUs += random() < 0.7 ? 0 : integerBelow(random, sequence % 2 === 0 ? 3_000_000 : 900_000);
      const inWindow = admitted.filter((atUs) => atUs > nowUs - WINDOW_US);
      const isFree = inWindow.length < FORCED_LIMIT;
      assert.equal(
        await isAdmitted(store, id, nowUs),
        isFree,
        `${inWindow.length} at step ${step}`,
      );
      if (isFree) admitted = [...inWindow, nowUs];
      else refused += 1;
    }
    if (sequence % 2 === 1) assert.ok(refused > 0, 'the limit was reached');
  }
});

test('the standing says how many are left and when the next one is free', async () => {
  await using store = await openTestStore();
  await addOrganization(store, 'o');
  assert.deepEqual(await findForced(store.sql, 'o', START_US), { remaining: 100, resetSeconds: 0 });
  for (let n = 0; n < 100; n += 1) {
    const result = await store.sql.write(consumeForced('o', START_US + n * 1_000));
    assert.ok(result.done);
    const standing = consumedForced(result.rows, START_US + n * 1_000);
    assert.deepEqual(standing, { remaining: 99 - n, resetSeconds: 60 });
  }
  const at = (us: number) => findForced(store.sql, 'o', START_US + us);
  assert.deepEqual(await at(1_000_000), { remaining: 0, resetSeconds: 59 });
  assert.deepEqual(await at(WINDOW_US), { remaining: 1, resetSeconds: 1 });
  assert.deepEqual(await at(2 * WINDOW_US), { remaining: 100, resetSeconds: 0 });
});

test('a clock that was set back holds nobody up', async () => {
  await using store = await openTestStore();
  await addOrganization(store, 'o');
  for (let n = 0; n < 100; n += 1) assert.ok(await isAdmitted(store, 'o', START_US));
  assert.equal(await isAdmitted(store, 'o', START_US), false);
  const dayBefore = START_US - 86_400_000_000;
  assert.equal(await isAdmitted(store, 'o', dayBefore), true);
  assert.equal((await findForced(store.sql, 'o', dayBefore)).remaining, 99);
});

test('of four stores that ask at the same moment a hundred are admitted in all', async () => {
  await using place = await newStorePlace();
  await using stack = new AsyncDisposableStack();
  const stores: Store[] = [];
  for (let n = 0; n < 4; n += 1) stores.push(stack.use(await storeAt(place.name)));
  const [first] = stores;
  assert.ok(first !== undefined);
  await addOrganization(first, 'o');
  const answers = await Promise.all(
    Array.from({ length: 240 }, (_, n) => isAdmitted(stores[n % 4] ?? first, 'o', START_US + n)),
  );
  assert.equal(answers.filter(Boolean).length, FORCED_LIMIT);
});
