import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultError } from '../../../src/base/fault.ts';
import type { Reservation } from '../../../src/data/metering/reservation.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { openMeteredService } from './metered-service.ts';

const ROUTE = 'GET /v1/products/{id}';

/** Makes one call: reserved, then ended in a random way; returns the tokens stated in the answer. */
async function endSomehow(reservation: Reservation, max: number, random: () => number) {
  const spent = 1 + integerBelow(random, max);
  const way = integerBelow(random, 6);
  if (way === 0) return (await reservation.settle(spent)).consumed;
  if (way === 1) {
    await reservation.release();
    return 0;
  }
  if (way === 2) {
    const [charged] = await Promise.all([reservation.settle(spent), reservation.release()]);
    return charged.consumed;
  }
  if (way === 3) {
    const [, refused] = await Promise.allSettled([
      reservation.release(),
      reservation.settle(spent),
    ]);
    assert.equal(refused.status, 'rejected');
    return 0;
  }
  if (way === 4) {
    const both = await Promise.all([reservation.settle(spent), reservation.settle(max)]);
    assert.equal(both[0].consumed, both[1].consumed);
    return both[0].consumed;
  }
  // Left behind, as by a process that died: the sweep gives it back.
  return 0;
}

test('fifty callers reserve, settle, release and die in every order: the sums stay exact', async (t) => {
  const seed = seedOf(50);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using service = await openMeteredService({ monthlyQuota: 3_000 });
  const { metering, caller, store, clock } = service;
  let answered = 0;
  let refused = 0;
  for (let round = 0; round < 8; round += 1) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const maxTokens = 1 + integerBelow(random, 30);
        const call = { requestId: `${round}-${n}`, route: ROUTE, forced: false };
        try {
          if (random() < 0.3) {
            const charged = await metering.charge(caller, { ...call, tokens: maxTokens });
            answered += charged.consumed;
            return;
          }
          const reservation = await metering.reserve(caller, { ...call, maxTokens });
          const tokens = await endSomehow(reservation, maxTokens, random);
          answered += tokens;
        } catch (error) {
          assert.ok(error instanceof FaultError && error.fault.code === 'quota_exceeded');
          refused += 1;
        }
      }),
    );
    assert.deepEqual(await checkStore(store.sql), [], `round ${round}`);
    clock.advance(30_000);
    await metering.sweep();
  }
  clock.advance(60_000);
  await metering.sweep();
  const [row] = await store.sql.all('select used, reserved, quota from balances');
  assert.deepEqual({ ...row }, { used: answered, reserved: 0, quota: 3_000 });
  assert.equal(await metering.remaining(caller), 3_000 - answered);
  assert.ok(refused > 0 && answered > 1_500, `${answered} answered, ${refused} refused`);
  assert.deepEqual(await checkStore(store.sql), []);
});
