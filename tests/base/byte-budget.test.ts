// Bytes of pages in flight: limited in total, shared between organizations, and without circular waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createByteBudget, type ByteBudget, type HeldBytes } from '../../src/base/byte-budget.ts';
import { BACKGROUND, contextOf } from '../support/contexts.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';

const of = (organization: string) => contextOf(undefined, { kind: 'caller', organization });

/** Returns whether it has settled once everything that is ready has run. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false;
  void work.then(
    () => (done = true),
    () => (done = true),
  );
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
  return done;
}

const [FULL, OTHER] = [100, 50];
/** Ways to have many pages open at once; each page then tries to take twenty bytes. */
const MANY: Readonly<Record<string, (budget: ByteBudget) => readonly HeldBytes[]>> = {
  'pages of one organization': (budget) => eight(() => budget.open(of('many'))),
  'pages between which others of it come and go': (budget) =>
    eight(() => {
      const page = budget.open(of('many'));
      budget.open(of('many')).release();
      return page;
    }),
  'pages that were given back twice': (budget) =>
    eight(() => {
      const page = budget.open(of('many'));
      const other = budget.open(of('many'));
      for (let times = 0; times < 2; times += 1) other.release();
      return page;
    }),
  'pages of background work': (budget) =>
    eight(() => budget.open(contextOf(undefined, BACKGROUND))),
};
const eight = (open: () => HeldBytes) => Array.from({ length: 8 }, open);

for (const [what, open] of Object.entries(MANY)) {
  test(`${what} leave room for the first page of another organization`, () => {
    const budget = createByteBudget(FULL);
    assert.equal(open(budget).filter((page) => page.tryTake(20)).length, 2);
    assert.equal(budget.open(of('other')).tryTake(OTHER), true);
  });
}

test('only the first page of an organization may exceed the budget, and any where all wait for each other', async () => {
  const budget = createByteBudget(FULL);
  const [first, second] = eight(() => budget.open(of('many')));
  assert.deepEqual([first?.tryTake(30), second?.tryTake(20)], [true, true]);
  const more = second?.take(40) ?? Promise.resolve();
  assert.equal(await isDone(more), false, 'the first one has not ended, and waits for nothing');
  assert.equal(await isDone(budget.open(of('other')).take(60)), true);
  assert.equal(budget.held(), 110);
  assert.equal(await isDone(first?.take(10) ?? Promise.resolve()), false);
});

test('pages of one organization that wait for each other end', async () => {
  const budget = createByteBudget(FULL);
  const [first, second] = eight(() => budget.open(of('many')));
  assert.deepEqual([first?.tryTake(30), second?.tryTake(20)], [true, true]);
  const waits = [second?.take(40), first?.take(50)].map((wait) => wait ?? Promise.reject());
  assert.deepEqual(await Promise.all(waits.map(isDone)), [true, false]);
  second?.release();
  assert.equal(await isDone(waits[1] ?? Promise.reject()), true);
});

test('a page waits until another gives its bytes back; a page of a caller goes before background work', async () => {
  const budget = createByteBudget(100);
  const first = budget.open(contextOf());
  assert.equal(first.tryTake(90), true);
  const holder = budget.open(contextOf());
  await holder.take(20);
  assert.equal(budget.held(), 110, 'one page may exceed the budget, so that it ends');
  const behind = budget.open(contextOf(undefined, BACKGROUND)).take(41);
  const caller = budget.open(of('one')).take(40);
  first.release();
  assert.deepEqual([await isDone(caller), await isDone(behind)], [true, false]);
  holder.release();
  assert.equal(await isDone(behind), true);
});

test('a wait ends with its context, and with the page', async () => {
  const budget = createByteBudget(10);
  budget.open(contextOf()).add(20);
  await budget.open(contextOf()).take(1);
  const stop = new AbortController();
  const gone = budget.open(contextOf(stop.signal)).take(5);
  const page = budget.open(contextOf());
  const dropped = page.take(5);
  stop.abort(new Error('gone'));
  page.release();
  await assert.rejects(gone, /gone/);
  await assert.rejects(dropped, /no longer wanted/);
  assert.deepEqual([budget.held(), budget.waiting()], [21, 0]);
});

test('whatever pages come, all end, and the bytes held exceed the budget by one page at most', async (t) => {
  const seed = seedOf(5);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const budget = createByteBudget(1_000);
  const largest = 600;
  let [ended, highest] = [0, 0];
  const page = async () => {
    const asker = integerBelow(random, 5);
    const held = budget.open(asker === 0 ? contextOf(undefined, BACKGROUND) : of(`o${asker}`));
    for (let size = 0; size < largest;) {
      const bytes = 1 + integerBelow(random, largest - size);
      if (!held.tryTake(bytes)) await held.take(bytes);
      size += bytes;
      highest = Math.max(highest, budget.held());
      await new Promise((resolve) => setImmediate(resolve));
    }
    held.release();
    ended += 1;
  };
  await Promise.all(Array.from({ length: 200 }, page));
  assert.equal(ended, 200);
  assert.deepEqual([budget.held(), budget.waiting()], [0, 0]);
  assert.ok(highest <= 1_000 + largest, String(highest));
});
