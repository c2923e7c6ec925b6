// What a watch of a page notifies about while the page shows amounts of nines (D89).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

/** Runs one check a day while the page shows each of these prices; returns the rules of all notices so far. */
async function looks(
  running: WatchService,
  id: string,
  ...days: readonly (readonly [usd: string, days: number])[]
): Promise<readonly string[]> {
  let shown = await running.shown(id);
  for (const [usd, count] of days) {
    running.prices('/tv', usd);
    for (let day = 0; day < count; day += 1) shown = await running.checkNext(id);
  }
  return shown.notices.flatMap(({ reasons }) => reasons.map(({ rule }) => rule));
}

async function watched(running: WatchService, usd: string, rules: object): Promise<string> {
  const identifier = running.prices('/tv', usd);
  const id = await running.watch({ identifier, interval: '1d', ...rules });
  await running.check(id);
  return id;
}

test('after 30 days at 999 a price of 299 is notified at once', async () => {
  await using running = await startWatchService();
  const id = await watched(running, '999.00', { down_percent: 50, new_low: 30 });
  assert.deepEqual(await looks(running, id, ['999.00', 29]), []);
  assert.deepEqual((await looks(running, id, ['299.00', 1])).toSorted(), [
    'down_percent',
    'new_low',
  ]);
});

test('nothing is notified of 9,999 that stands for six weeks in place of 129, nor when 129 is back', async () => {
  await using running = await startWatchService();
  const id = await watched(running, '129.00', { any_change: true, up_percent: 5, down_percent: 5 });
  assert.deepEqual(await looks(running, id, ['129.00', 4], ['9999.00', 42], ['129.00', 2]), []);
});

test('an amount of nines that nobody can judge is notified when it stood on two days, and not looked at once more before', async () => {
  await using running = await startWatchService();
  const id = await watched(running, '999.00', { below: 1_200 });
  assert.deepEqual((await running.shown(id)).notices, []);
  const before = running.reads('/tv');
  running.clock.advance(HOUR_MS + 1_000);
  await running.check(id);
  assert.equal(running.reads('/tv'), before);
  assert.deepEqual(await looks(running, id, ['999.00', 1]), ['below']);
});

test('nothing is compared with an amount of nines that nobody could judge', async () => {
  await using running = await startWatchService();
  const id = await watched(running, '9999.00', { any_change: true, down_percent: 5, new_low: 30 });
  assert.deepEqual(await looks(running, id, ['129.00', 3]), []);
  const { body } = await running.call('GET', '/v1/changes?cursor=0');
  assert.deepEqual(body['changes'], []);
});
