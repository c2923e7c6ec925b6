// Watches of listings in their first days (D89), in a running service on pages that change.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

/** Lets an hour pass, after which the page is read again if it was in doubt. */
async function anHourLater({ clock, service }: WatchService): Promise<void> {
  clock.advance(HOUR_MS + 1_000);
  await service.untilQueueIdle();
}

async function newPrices(running: WatchService, id: string): Promise<readonly unknown[]> {
  const { notices } = await running.shown(id);
  return notices.map(({ new_price: price }) => price).toReversed();
}

test('a new watch of a page at 50, 35, a mistaken 0.35 and 35 again is never notified of 0.35', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '50.00');
  const id = await running.watch({ identifier, interval: '1d', any_change: true, below: 1 });
  await running.check(id);
  running.prices('/lamp', '35.00');
  await running.checkNext(id);
  running.prices('/lamp', '0.35');
  await running.checkNext(id);
  const [reads, left] = [running.reads('/lamp'), await running.left()];
  running.prices('/lamp', '35.00');
  await anHourLater(running);
  assert.equal(running.reads('/lamp'), reads + 1, 'it was read again');
  assert.equal(await running.left(), left, 'for nothing');
  assert.deepEqual(await newPrices(running, id), [35]);
});

const WATCHES = [
  { retailer: 'anchor', any_change: true },
  { retailer: 'any', down_percent: 10 },
  { retailer: 'best', below: 30 },
  { retailer: 'anchor', new_low: 30 },
] as const;

test('a price that falls by more than half in the first days is notified once, after a free second reading', async () => {
  for (const conditions of WATCHES) {
    await using running = await startWatchService();
    const addresses = [running.prices('/lamp', '50.00'), running.prices('/other', '60.00')];
    const id = await running.watch({ addresses, interval: '1d', ...conditions });
    await running.check(id);
    running.prices('/lamp', '20.00');
    await running.checkNext(id);
    assert.deepEqual(await newPrices(running, id), [], `${conditions.retailer}: read once`);
    const [reads, other, left] = [
      running.reads('/lamp'),
      running.reads('/other'),
      await running.left(),
    ];
    await anHourLater(running);
    assert.deepEqual(await newPrices(running, id), [20], `${conditions.retailer}: read twice`);
    assert.deepEqual([running.reads('/lamp'), running.reads('/other')], [reads + 1, other]);
    assert.equal(await running.left(), left);
    await running.checkNext(id);
    assert.deepEqual(await newPrices(running, id), [20], `${conditions.retailer}: once`);
  }
});

test('a price that falls by more than half and is back an hour later causes neither a notice nor a change in the feed', async () => {
  for (const conditions of WATCHES) {
    await using running = await startWatchService();
    const addresses = [running.prices('/lamp', '50.00')];
    const id = await running.watch({ addresses, interval: '1d', ...conditions });
    await running.check(id);
    running.prices('/lamp', '20.00');
    await running.checkNext(id);
    running.prices('/lamp', '50.00');
    await anHourLater(running);
    await running.checkNext(id);
    assert.deepEqual(await newPrices(running, id), [], conditions.retailer);
    const { body } = await running.call('GET', '/v1/changes?cursor=0');
    assert.deepEqual(body['changes'], []);
  }
});

test('after three believed prices a fall by more than half is notified at once', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '50.00');
  const id = await running.watch({ identifier, interval: '1d', any_change: true });
  await running.check(id);
  for (let day = 0; day < 2; day += 1) await running.checkNext(id);
  running.prices('/lamp', '20.00');
  const reads = running.reads('/lamp');
  await running.checkNext(id);
  assert.deepEqual(await newPrices(running, id), [20]);
  await anHourLater(running);
  assert.equal(running.reads('/lamp'), reads + 1, 'and not read again');
});

test('a price that changes at every reading in the first days is read again once, not every hour', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '50.00');
  const id = await running.watch({ identifier, interval: '10d', any_change: true });
  await running.check(id);
  for (const price of ['20.00', '9.00', '4.00', '150.00']) {
    running.prices('/lamp', price);
    if (price === '20.00') await running.checkNext(id);
    else await anHourLater(running);
  }
  assert.equal(running.reads('/lamp'), 3);
  assert.deepEqual(await newPrices(running, id), []);
});
