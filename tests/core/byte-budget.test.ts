// Bytes of pages in flight: bounded in all, shared between organizations, and never waited for in a circle.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createByteBudget } from '../../src/core/byte-budget.ts';
import { BACKGROUND, contextOf } from '../support/contexts.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';

const of = (organization: string) => contextOf(undefined, { kind: 'caller', organization });

/** Whether it is settled once everything that is ready has run. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false;
  void work.then(
    () => (done = true),
    () => (done = true),
  );
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
  return done;
}

test('an organization with many pages leaves room for the first page of another', async () => {
  const budget = createByteBudget(100);
  const pages = Array.from({ length: 8 }, () => budget.open(of('many')));
  const taken = pages.filter((page) => page.tryTake(20)).length;
  assert.equal(taken, 2);
  assert.equal(budget.open(of('other')).tryTake(50), true);
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
    const held = budget.open(of(`o${integerBelow(random, 4)}`));
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
