// What a round of housekeeping does to watches, and when.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { SINGLE_PROCESS } from '../../../src/answer/collect/coordination/exclusive-work.ts';
import { createBackground } from '../../../src/answer/indexer/background.ts';
import { keepHouse } from '../../../src/answer/indexer/housekeeping.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';
import { wakeWatches } from '../../../src/data/watches/watch-writes.ts';
import { openTestStore } from '../../support/stores.ts';

const ROUND_MS = 10_000;

/** A clock that stands still; waiting for the next round lasts until the test ends it. */
function clockOfRounds(startMs: number) {
  let nowMs = startMs;
  let next = Promise.withResolvers<void>();
  let begun = Promise.withResolvers<void>();
  return {
    now: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal): Promise<void> => {
      const woken = Promise.withResolvers<void>();
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      signal?.addEventListener('abort', () => woken.reject(signal.reason), { once: true });
      if (ms !== ROUND_MS) return woken.promise;
      next = woken;
      begun.resolve();
      return woken.promise;
    },
    /** Resolves when the round at this time has ended. */
    round: async (atMs: number): Promise<void> => {
      await begun.promise;
      begun = Promise.withResolvers();
      nowMs = atMs;
      next.resolve();
      await begun.promise;
    },
  };
}

test('all watches are looked through at the start and where the clock was set back, and in no other round', async () => {
  await using store = await openTestStore();
  const startMs = Date.UTC(2026, 10, 26);
  const clock = clockOfRounds(startMs);
  const looks: number[] = [];
  const { text } = wakeWatches(0);
  const sql = {
    ...store.sql,
    write: (unit: Parameters<typeof store.sql.write>[0]) => {
      if (unit.some((each) => each.text === text)) looks.push(clock.now() - startMs);
      return store.sql.write(unit);
    },
  };
  const errors: unknown[] = [];
  const background = createBackground((error) => errors.push(error));
  await keepHouse({
    clock,
    background,
    exclusive: SINGLE_PROCESS,
    store: { ...store, sql },
    sharedClock: { ...clock, compare: () => Promise.resolve() },
    retention: { observationDays: null, barYears: null },
    keepChangesDays: 30,
    metering: { noteUses: () => Promise.resolve(), sweep: () => Promise.resolve() },
    keepsStore: true,
    notifyOperator: null,
    onError: (_what, error) => errors.push(error),
  });
  for (const hours of [1, 2, 2, 0, 1, 3, 1]) await clock.round(startMs + hours * HOUR_MS);
  await background.stop();
  assert.deepEqual([looks, errors], [[0, 0, HOUR_MS], []]);
});

test('a store that cannot be written at the start does not end a service that answers already; the next round does it all', async () => {
  await using store = await openTestStore();
  const startMs = Date.UTC(2026, 10, 26);
  const clock = clockOfRounds(startMs);
  const told: unknown[] = [];
  const swept: number[] = [];
  const background = createBackground((error) => told.push(error));
  const sweep = () => {
    if (clock.now() === startMs) return Promise.reject(new StoreUnavailable('away'));
    swept.push(clock.now() - startMs);
    return Promise.resolve();
  };
  await keepHouse({
    clock,
    background,
    exclusive: SINGLE_PROCESS,
    store,
    sharedClock: { ...clock, compare: () => Promise.resolve() },
    retention: { observationDays: null, barYears: null },
    keepChangesDays: 30,
    metering: { noteUses: () => Promise.resolve(), sweep },
    keepsStore: true,
    notifyOperator: null,
    onError: (what, error) => told.push(`${what}: ${String(error)}`),
  });
  await clock.round(startMs + ROUND_MS);
  await background.stop();
  assert.deepEqual(swept, [ROUND_MS]);
  assert.deepEqual(told, ['could not delete expired data: StoreUnavailable: away']);
});
