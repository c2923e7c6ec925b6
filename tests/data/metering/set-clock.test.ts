// A wall clock that is set, ahead or back, changes nothing about how fast an organization may call.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createMetering } from '../../../src/data/metering/metering.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { LOOP, NOON, openMeteredService } from './metered-service.ts';

const SECOND_MS = 1_000;

for (const [what, setByMs] of [
  ['back by a second', -SECOND_MS],
  ['back by half a minute', -30_000],
  ['back by a minute', -60_000],
  ['back by an hour', -3_600_000],
  ['ahead by half a minute', 30_000],
  ['ahead by an hour', 3_600_000],
] as const) {
  test(`a clock that is set ${what} neither refuses what is allowed nor allows more than the burst`, async () => {
    await using service = await openMeteredService({ throttlePerMinute: 60, throttleBurst: 10 });
    const { store, caller } = service;
    let wallMs = NOON;
    const steady = manualClock(NOON);
    const clock = { ...steady, now: () => wallMs };
    const { accounts, sql } = store;
    const metering = createMetering({ accounts, sql, clock, steady, loop: LOOP });
    let calls = 0;
    const admitted = async (most: number) => {
      let count = 0;
      for (; count < most; count += 1) {
        calls += 1;
        const call = { requestId: `set-${calls}`, route: 'GET /', tokens: 1 };
        const charged = await metering.charge(caller, call).catch(() => null);
        if (charged === null) break;
        const left = Number(/"throttle";r=(\d+)/.exec(charged.rateLimit.state)?.[1]);
        assert.ok(left < 10);
      }
      return count;
    };
    assert.equal(await admitted(20), 10);
    wallMs += setByMs;
    assert.equal(await admitted(20), 0);
    for (let second = 0; second < 4; second += 1) {
      steady.advance(1_000);
      wallMs += 1_000;
      assert.equal(await admitted(20), 1);
    }
    steady.advance(60_000);
    wallMs += 60_000;
    assert.equal(await admitted(20), 10);
  });
}
