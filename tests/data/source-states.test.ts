// What is stored of official sources: outcomes, and calls in 24 hours, in both databases and in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  bookInMemory,
  createSourceBook,
} from '../../src/answer/collect/coordination/source-book.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { callsIn, freeAt, restingState, restLeft } from '../../src/base/source-state.ts';
import type { SourceOutcome } from '../../src/data/turns/source-states.ts';
import { newDatabase } from '../support/databases.ts';
import { manualClock } from '../support/manual-clock.ts';
import { openStore } from '../../src/data/store.ts';
import { integerBelow, randomFrom, seedOf } from '../support/random.ts';
import { openTestStore } from '../support/stores.ts';

const SOURCE = 'retailer_e.browse';
const AT_MS = Date.UTC(2026, 10, 30);

const outcome = (kind: SourceOutcome['kind'], restMs = 0, question = 'barcode'): SourceOutcome => ({
  source: SOURCE,
  question,
  kind,
  reason: kind === null ? null : '4',
  restMs,
});

test('an outcome begins when it differs from the one before, and an answer ends that of the whole source', async () => {
  await using store = await openTestStore();
  const { note, find } = store.sourceStates;
  const rows = async () =>
    (await find(SOURCE))
      .toSorted((a, b) => (a.question < b.question ? -1 : 1))
      .map(({ question, kind, sinceMs, heardAtMs }) => [question, kind, sinceMs, heardAtMs]);
  assert.equal(await note(outcome('throttled', 1_000), 10), true);
  assert.equal(await note(outcome('throttled', 1_000), 20), false);
  assert.deepEqual(await rows(), [['barcode', 'throttled', 10, 20]]);
  assert.equal(await note(outcome('quota_spent', 1_000, ''), 30), true);
  assert.equal(await note(outcome('unreachable', 0, 'offers'), 40), true);
  assert.equal(await note(outcome(null), 50), true);
  assert.equal(await note(outcome(null), 60), false);
  assert.deepEqual(await rows(), [
    ['', null, 50, 60],
    ['barcode', null, 50, 50],
    ['offers', 'unreachable', 40, 40],
  ]);
});

test('memory and database agree about outcomes and calls, whatever happens in which order', async () => {
  const seed = seedOf(61);
  const random = randomFrom(seed);
  await using store = await openTestStore();
  const clock = manualClock(AT_MS);
  const memory = bookInMemory(clock.now, null);
  const { note, take, find, findCalls } = store.sourceStates;
  const kinds = [null, 'throttled', 'quota_spent', 'unreachable', 'not_eligible'] as const;
  const questions = ['', 'barcode', 'offers'] as const;
  for (let n = 0; n < 120; n += 1) {
    clock.advance(integerBelow(random, 3 * HOUR_MS));
    const kind = kinds[integerBelow(random, kinds.length)] ?? null;
    const question = questions[integerBelow(random, questions.length)] ?? '';
    const each = outcome(kind, kind === null ? 0 : integerBelow(random, 9_000), question);
    assert.equal(await memory.note(each), await note(each, clock.now()), `seed ${seed}`);
    for (let calls = integerBelow(random, 4); calls > 0; calls -= 1) {
      const isTaken = await take(SOURCE, 12, clock.now());
      assert.equal(await memory.take(SOURCE, 12), isTaken, `seed ${seed}`);
    }
    const spans = await findCalls(SOURCE, clock.now());
    assert.ok(callsIn(spans, clock.now()) <= 12);
    assert.equal(callsIn(await memory.findCalls(SOURCE), clock.now()), callsIn(spans, clock.now()));
    const heard = (states: Awaited<ReturnType<typeof find>>) =>
      states
        .filter(({ heardAtMs }) => heardAtMs > 0)
        .map((state) =>
          JSON.stringify(Object.entries(state).toSorted(([a], [b]) => (a < b ? -1 : 1))),
        )
        .toSorted();
    assert.deepEqual(heard(await memory.find(SOURCE)), heard(await find(SOURCE)), `seed ${seed}`);
  }
});

test('never more calls than the limit in any 24 hours, and the next one is free when it is said', async () => {
  await using store = await openTestStore();
  const { take, findCalls } = store.sourceStates;
  const taken: number[] = [];
  let nowMs = AT_MS;
  while (nowMs < AT_MS + 4 * DAY_MS) {
    if (await take(SOURCE, 3, nowMs)) {
      taken.push(nowMs);
      nowMs += 7 * MINUTE_MS;
    } else {
      const atMs = freeAt(await findCalls(SOURCE, nowMs), 3, nowMs);
      assert.ok(atMs > nowMs);
      assert.equal(await take(SOURCE, 3, atMs - 1), false);
      nowMs = atMs;
    }
  }
  for (const [at, ms] of taken.entries()) {
    const fourth = taken[at + 3];
    if (fourth !== undefined) assert.ok(fourth - ms >= DAY_MS);
  }
  assert.ok(taken.length >= 9, `${taken.length} calls in four days`);
});

test('processes that share a database never count more calls than the limit between them', async () => {
  await using database = await newDatabase('migrated');
  const config = { kind: 'postgres', url: database.url } as const;
  await using one = await openStore(config);
  await using two = await openStore(config);
  const asked = Array.from({ length: 60 }, (_, n) =>
    (n % 2 === 0 ? one : two).sourceStates.take(SOURCE, 25, AT_MS),
  );
  const taken = (await Promise.all(asked)).filter(Boolean);
  assert.equal(taken.length, 25);
  assert.equal(callsIn(await two.sourceStates.findCalls(SOURCE, AT_MS), AT_MS), 25);
});

test('on SQLite the calls of a process are written in batches, and all of them when it ends', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const clock = manualClock(AT_MS);
  const clocks = { sharedClock: clock, steady: clock };
  const book = createSourceBook(store, clocks);
  const stored = async () =>
    callsIn(await store.sourceStates.findCalls(SOURCE, clock.now()), clock.now());
  const before = store.sql.commits();
  for (let n = 0; n < 40; n += 1) await book.take(SOURCE, null);
  assert.deepEqual([store.sql.commits() - before, await stored()], [0, 0]);
  await book.flush();
  assert.deepEqual([store.sql.commits() - before, await stored()], [1, 40]);
  const next = createSourceBook(store, clocks);
  assert.equal(await next.take(SOURCE, 40), false);
});

test('a rest holds for its question and its time, and not for what was set back or changed since', () => {
  const state = { source: SOURCE, question: 'offers', reason: null, sinceMs: 5, heardAtMs: 100 };
  const throttled = { ...state, kind: 'throttled', restMs: 50 } as const;
  const at = (nowMs: number, question: string, startedAtMs = 0) =>
    restingState([throttled], question, { nowMs, startedAtMs })?.kind ?? null;
  assert.deepEqual(
    [at(149, 'offers'), at(150, 'offers'), at(149, 'barcode'), at(149, 'offers', 120)],
    ['throttled', null, null, 'throttled'],
  );
  const refused = { ...throttled, question: '', kind: 'credentials_refused' } as const;
  const times = { nowMs: 149, startedAtMs: 120 };
  assert.equal(restingState([refused], 'offers', times), null);
  assert.equal(restingState([refused], 'offers', { ...times, startedAtMs: 90 }), refused);
  assert.equal(restLeft({ ...throttled, heardAtMs: HOUR_MS }, 0), 0);
});
