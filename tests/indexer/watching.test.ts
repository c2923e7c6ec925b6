// Watches of a running service, on pages of a shop that change, and on the simulated market.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../src/core/clock.ts';
import { startWatchService } from '../support/watch-service.ts';

test('a suspect price that a check itself read is looked at once more an hour later, for nothing', async () => {
  await using running = await startWatchService();
  const { clock, service, reads } = running;
  const identifier = running.prices('/lamp', '29.99');
  const id = await running.watch({ identifier, interval: '1d', below: 10 });
  await running.check(id);
  for (let day = 0; day < 4; day += 1) await running.checkNext(id);
  running.prices('/lamp', '1.50');
  assert.deepEqual((await running.checkNext(id)).notices, [], 'the price is not believed');
  const [before, left] = [reads('/lamp'), await running.left()];
  await running.check(id);
  assert.equal(reads('/lamp'), before, 'not before the hour is over');
  clock.advance(HOUR_MS + 1_000);
  await service.worked();
  assert.equal(reads('/lamp'), before + 1);
  const [notice] = (await running.shown(id)).notices;
  assert.deepEqual([notice?.kind, notice?.new_price], ['fired', 1.5], 'it was repeated');
  assert.equal(await running.left(), left, 'the second look is free');
});

test('a price that stays suspect is looked at once more, not once an hour', async () => {
  await using running = await startWatchService();
  const { clock, service, reads } = running;
  const identifier = running.prices('/lamp', '29.99');
  const id = await running.watch({ identifier, interval: '1d', below: 10 });
  await running.check(id);
  for (let day = 0; day < 4; day += 1) await running.checkNext(id);
  running.prices('/lamp', '0.29');
  await running.checkNext(id);
  const before = reads('/lamp');
  for (let hour = 0; hour < 5; hour += 1) {
    clock.advance(HOUR_MS + 1_000);
    await service.worked();
  }
  assert.equal(reads('/lamp'), before + 1);
  assert.deepEqual((await running.shown(id)).notices, []);
});
