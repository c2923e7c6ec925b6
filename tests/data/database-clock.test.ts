// The database's clock as processes follow it. The test sets the network latency.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createDatabaseClock } from '../../src/data/database-clock.ts';

/** A database whose clock is `aheadMs` ahead of the steady one, and whose answers take some time in each direction. */
async function following(aheadMs: number) {
  let nowMs = 1_000_000;
  const way = { thereMs: 1, backMs: 1, aheadMs };
  const steady = { now: () => nowMs, sleep: () => Promise.resolve() };
  const all = () => {
    nowMs += way.thereMs;
    const rows = [{ now_ms: nowMs + way.aheadMs }];
    nowMs += way.backMs;
    return Promise.resolve(rows);
  };
  const clock = await createDatabaseClock({ all }, steady);
  return { clock, way, differenceMs: () => clock.now() - (nowMs + way.aheadMs) };
}

test('a slow reading of the database’s clock does not replace a quick one', async () => {
  const { clock, way, differenceMs } = await following(123_456);
  assert.equal(differenceMs(), 0);
  for (const [thereMs, backMs] of [
    [20_000, 1],
    [1, 20_000],
    [700, 300],
  ] as const) {
    Object.assign(way, { thereMs, backMs });
    await clock.compare();
    assert.equal(differenceMs(), 0, `${thereMs} ms there, ${backMs} ms back`);
  }
});

test('a change of the database’s clock is followed, by a slow reading as far as it is precise', async () => {
  const { clock, way, differenceMs } = await following(0);
  Object.assign(way, { aheadMs: 60_000, thereMs: 2, backMs: 2 });
  await clock.compare();
  assert.ok(Math.abs(differenceMs()) <= 2, `${differenceMs()} ms`);
  Object.assign(way, { aheadMs: 0, thereMs: 1_000, backMs: 1_000 });
  await clock.compare();
  assert.ok(Math.abs(differenceMs()) <= 1_000, `${differenceMs()} ms`);
});
