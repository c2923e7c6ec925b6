// Watches of a running service, on pages of a shop that change, and on the simulated market.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { OWN_SHOP } from '../../contract/support/own-shop.ts';
import { wakeWatches } from '../../../src/data/watches/watch-writes.ts';
import { WatchWithNotices } from '../../../src/answer/wire/watches/watches.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { openWaitingShop } from '../../support/waiting-shop.ts';
import { startWatchService } from '../../support/watch-service.ts';

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
  await service.untilQueueIdle();
  assert.equal(reads('/lamp'), before + 1);
  const [notice] = (await running.shown(id)).notices;
  assert.deepEqual([notice?.kind, notice?.new_price], ['fired', 1.5], 'it was repeated');
  assert.equal(await running.left(), left, 'the second look is free');
});

test('a check that falls due before the second look reads once, and the second look is made at its hour', async () => {
  await using running = await startWatchService();
  const { clock, service, reads } = running;
  const identifier = running.prices('/lamp', '29.99');
  const id = await running.watch({ identifier, interval: '1d', below: 10 });
  await running.check(id);
  for (let day = 0; day < 4; day += 1) await running.checkNext(id);
  running.prices('/lamp', '1.50');
  await running.checkNext(id);
  const before = reads('/lamp');
  const left = await running.left();
  clock.advance(10 * MINUTE_MS);
  await running.check(await running.watch({ identifier, interval: '1h', below: 5 }));
  assert.equal(reads('/lamp'), before + 1, 'the other check reads once');
  clock.advance(HOUR_MS);
  await service.untilQueueIdle();
  assert.equal(reads('/lamp'), before + 2, 'the second look is made');
  assert.equal((await running.shown(id)).notices.length, 1);
  assert.equal(await running.left(), left - 1, 'the second look is free');
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
    await service.untilQueueIdle();
  }
  assert.equal(reads('/lamp'), before + 1);
  assert.deepEqual((await running.shown(id)).notices, []);
});

test('a watch that is moved to another retailer reports nothing of the previous one, and is checked at once', async () => {
  await using running = await startWatchService();
  const { clock, service } = running;
  const identifier = '614141000005';
  const id = await running.watch({ identifier, retailer: 'retailer_w', any_change: true });
  const first = await running.check(id);
  assert.deepEqual(
    first.watch.listings.map(({ retailer }) => retailer),
    ['retailer_w'],
  );
  await running.call('PATCH', `/v1/watches/${id}`, { retailer: 'retailer_t' });
  const { watch } = await running.shown(id);
  assert.deepEqual([watch.listings, watch.last_read_at], [[], null]);
  await running.check(id);
  for (let day = 0; day < 3; day += 1) {
    await running.checkNext(id);
    clock.advance(HOUR_MS);
    const refresh = '/refresh?retailer=retailer_w&include_offers_reviews=false';
    await running.call('POST', `/v1/products/${identifier}${refresh}`);
  }
  const { notices, watch: last } = await running.shown(id);
  const read = last.listings.map(({ retailer }) => retailer);
  const notified = notices.flatMap(({ kind, retailer }) => (kind === 'fired' ? [retailer] : []));
  assert.ok(
    ![...read, ...notified].includes('retailer_w'),
    `${read.join(' ')} ${notified.join(' ')}`,
  );
  const mapped = await service.app.store.sql.all(
    'select listing_id from watch_listings where watch_id = $1',
    [id],
  );
  assert.equal(mapped.length, read.length);
});

test('pages that are watched for the best price instead begin again', async () => {
  await using running = await startWatchService();
  const addresses = [running.prices('/a', '20.00'), running.prices('/b', '15.00')];
  const id = await running.watch({ addresses, below: 18 });
  assert.equal((await running.check(id)).notices.length, 1);
  await running.call('PATCH', `/v1/watches/${id}`, { retailer: 'best' });
  await running.check(id);
  running.prices('/b', '12.00');
  const { watch, notices } = await running.checkNext(id);
  assert.deepEqual(
    watch.listings.map(({ price }) => price),
    [20, 12],
  );
  assert.equal(
    notices.length,
    2,
    'an observation that was notified is not notified again, a further fall is',
  );
});

test('a best price that another page of the watch was below within the days is not a new low', async () => {
  await using running = await startWatchService();
  const addresses = [running.prices('/a', '8.00'), running.prices('/b', '15.00')];
  const id = await running.watch({ addresses, retailer: 'best', new_low: 30 });
  await running.check(id);
  running.prices('/a', '12.00');
  await running.checkNext(id);
  running.prices('/b', '11.00');
  const { notices, watch } = await running.checkNext(id);
  assert.deepEqual(
    watch.listings.map(({ price }) => price),
    [12, 11],
  );
  assert.deepEqual(notices, [], 'the other page asked 8 dollars two days ago');
  running.prices('/b', '7.00');
  const [lower] = (await running.checkNext(id)).notices;
  assert.equal(lower?.reasons[0]?.detail, '$7.00 is the lowest price of 30 days; it was $8.00.');
});

test('a line that is set again is notified, though the price was under the one before', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '14.90');
  const id = await running.watch({ identifier, interval: '1d', below: 15 });
  assert.equal((await running.check(id)).notices.length, 1);
  await running.call('PATCH', `/v1/watches/${id}`, { below: 14.5 });
  running.prices('/lamp', '14.40');
  const [notice, ...before] = (await running.checkNext(id)).notices;
  assert.deepEqual([notice?.new_price, before.length], [14.4, 1]);
  await running.call('PATCH', `/v1/watches/${id}`, { below: 14.5, failing_after: 5 });
  assert.equal((await running.checkNext(id)).notices.length, 2, 'the same line is notified once');
});

test('no change of its interval puts the next check of a watch off; a longer one holds from that check on', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '14.90');
  const id = await running.watch({ identifier, interval: '6h', any_change: true });
  const nextOf = ({ watch }: Awaited<ReturnType<typeof running.shown>>) =>
    Date.parse(watch.next_check_at ?? '');
  let next = nextOf(await running.check(id));
  for (const interval of ['30d', '1h', '7d', '6h', '1d']) {
    const { status } = await running.call('PATCH', `/v1/watches/${id}`, { interval });
    assert.equal(status, 200);
    const then = nextOf(await running.shown(id));
    assert.ok(then <= next, `${interval}: ${(then - next) / HOUR_MS} hours later`);
    next = then;
  }
  const after = nextOf(await running.checkNext(id));
  assert.ok(after - next > 12 * HOUR_MS, `${(after - next) / HOUR_MS} hours between two checks`);
});

test('two changes of one watch at once are both kept', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '14.90');
  const id = await running.watch({ identifier, any_change: true });
  const change = (body: unknown) => running.call('PATCH', `/v1/watches/${id}`, body);
  for (let time = 0; time < 5; time += 1) {
    await change({ below: null, down_percent: null });
    const answers = await Promise.all([change({ below: 10 }), change({ down_percent: 7 })]);
    const { watch } = await running.shown(id);
    assert.deepEqual(
      [...answers.map(({ status }) => status), watch.below, watch.down_percent],
      [200, 200, 10, 7],
    );
  }
});

test('a check that is in progress when its watch is paused is paid for, and ends', async () => {
  await using running = await startWatchService();
  const { clock, service, reads } = running;
  const identifier = running.prices('/lamp', '29.99');
  const id = await running.watch({ identifier, interval: '10d', below: 20 });
  const left = await running.left();
  for (const price of ['29.99', '25.00', '15.00']) {
    running.prices('/lamp', price);
    const [asked, paid] = [reads('/lamp'), await running.left()];
    await service.app.checkWatches();
    await running.call('PATCH', `/v1/watches/${id}`, { paused: true });
    await service.untilQueueIdle();
    assert.equal(reads('/lamp') - asked, paid - (await running.left()), 'each read is paid for');
    clock.advance(2 * DAY_MS);
    await running.call('PATCH', `/v1/watches/${id}`, { paused: false });
  }
  assert.equal(await running.left(), left - 3);
  const { notices } = await running.check(id);
  assert.deepEqual(
    notices.map(({ new_price: price }) => price),
    [15],
    'what it saw is notified once it is seen again',
  );
});

test('a watch of several pages gives no reason where its check read some of them', async () => {
  await using running = await startWatchService();
  const addresses = [running.prices('/lamp', '29.99'), `${OWN_SHOP}/none`];
  const id = await running.watch({ addresses });
  for (const check of [running.check, running.checkNext, running.checkNext]) {
    const { watch } = await check(id);
    assert.deepEqual([watch.state, watch.reason], ['active', null]);
  }
  const none = await running.watch({ identifier: `${OWN_SHOP}/nothing` });
  assert.match((await running.check(none)).watch.reason ?? '', /\w/, 'it read nothing');
});

test('tokens that a call has only set aside put a check off until they are back, and nothing is notified', async () => {
  await using shop = await openWaitingShop();
  await using running = await startWatchService({ OPENSHELF_ORIGINS: shop.origin });
  const { clock, service } = running;
  const limits = { organization: 'small', note: null, monthlyQuota: 11 };
  const headers = { authorization: `Bearer ${await service.newKey(limits)}` };
  const watch = {
    identifier: '614141000005',
    retailer: 'retailer_w',
    interval: '30d',
    any_change: true,
  };
  const made = (await running.call('POST', '/v1/watches', watch, headers)).body;
  const { id } = made['watch'] as { readonly id: string };
  const path = `/v1/products/${encodeURIComponent(shop.product)}?include_price_series=true`;
  const waiting = service.get(path, headers);
  const left = async () =>
    (await running.call('GET', '/v1/usage', undefined, headers)).body['tokens_remaining'];
  while ((await left()) !== 0);
  const shown = async () => {
    const { body } = await running.call('GET', `/v1/watches/${id}`, undefined, headers);
    const { watch: stored, notices } = WatchWithNotices.parse(body);
    return [stored.state, notices.length, stored.last_read_at !== null];
  };
  await service.app.checkWatches();
  assert.deepEqual(await shown(), ['active', 0, false]);
  shop.answer();
  assert.equal((await waiting).body['tokens_consumed'], 1);
  clock.advance(MINUTE_MS + 1_000);
  await service.app.checkWatches();
  await service.untilQueueIdle();
  assert.deepEqual(await shown(), ['active', 0, true]);
  assert.equal(await left(), 9);
});

test('what is known of a listing goes with the last watch of it: a later one begins again', async () => {
  await using running = await startWatchService();
  const { clock, service } = running;
  const identifier = running.prices('/lamp', '29.99');
  const wanted = { identifier, any_change: true };
  const first = await running.watch(wanted);
  const second = await running.watch({ ...wanted, failing_after: 4 });
  await running.check(first);
  const known = async () =>
    (await service.app.store.sql.all('select 1 from watched_listings')).length;
  const changes = async () => {
    const { body } = await running.call('GET', '/v1/changes?cursor=0');
    return (body['changes'] as readonly { readonly after: unknown }[]).map(({ after }) => after);
  };
  await running.call('DELETE', `/v1/watches/${first}`);
  running.prices('/lamp', '28.99');
  await running.checkNext(second);
  assert.deepEqual([await known(), await changes()], [1, [28.99]], 'the other one is notified');
  await running.call('DELETE', `/v1/watches/${second}`);
  assert.equal(await known(), 0);
  clock.advance(20 * DAY_MS);
  running.prices('/lamp', '49.99');
  await running.check(await running.watch(wanted));
  assert.deepEqual([await known(), await changes()], [1, [28.99]]);
});

test('what fell due while the machine slept is done when it wakes', async () => {
  await using running = await startWatchService({}, systemClock);
  const { clock, reads } = running;
  const identifier = running.prices('/lamp', '29.99');
  const id = await running.watch({ identifier, interval: '1h', any_change: true });
  await running.check(id);
  running.prices('/lamp', '19.99');
  clock.advance(8 * HOUR_MS);
  const { notices, watch } = await running.check(id);
  assert.equal(reads('/lamp'), 2);
  assert.deepEqual(
    notices.map(({ new_price: price }) => price),
    [19.99],
  );
  assert.ok(Date.parse(watch.next_check_at ?? '') > clock.now());
});

test('a reading from a clock that was set back since is repeated and notified', async () => {
  await using running = await startWatchService({}, systemClock);
  const { clock, service, reads } = running;
  const identifier = running.prices('/lamp', '29.99');
  clock.advance(10 * HOUR_MS);
  const id = await running.watch({ identifier, interval: '30d', any_change: true });
  await running.check(id);
  clock.advance(-10 * HOUR_MS);
  running.prices('/lamp', '19.99');
  const path = `/v1/products/${encodeURIComponent(identifier)}`;
  const refresh = '/refresh?include_offers_reviews=false';
  const { body } = await running.call('POST', `${path}${refresh}`);
  assert.deepEqual([body['current_price'], reads('/lamp')], [19.99, 2]);
  // The throttle treats a budget from before the clock was set back as just used up.
  clock.advance(MINUTE_MS);
  const stored = await service.lookup(identifier);
  assert.deepEqual([stored.body['current_price'], reads('/lamp')], [19.99, 2], 'it is kept');
  assert.deepEqual(
    (await running.shown(id)).notices.map(({ new_price: price }) => price),
    [19.99],
  );
});

test('a watch that was last checked by a clock years ahead is checked when that is set back, others at their time', async () => {
  await using running = await startWatchService({}, systemClock);
  const { clock, service, reads } = running;
  const wake = () => service.app.store.sql.write([wakeWatches(clock.now())]);
  const lost = await running.watch({ identifier: running.prices('/lamp', '29.99') });
  clock.advance(900 * DAY_MS);
  await running.check(lost);
  clock.advance(-900 * DAY_MS);
  const sound = await running.watch({ identifier: running.prices('/chair', '80.00') });
  // The throttle treats its budget as used up when the clock was set back.
  clock.advance(MINUTE_MS);
  await running.check(sound);
  await wake();
  assert.equal((await running.shown(lost)).watch.last_read_at, null, 'nobody knows when');
  running.prices('/lamp', '19.99');
  const left = await running.left();
  const { notices, watch } = await running.check(lost);
  assert.deepEqual([reads('/lamp'), reads('/chair')], [2, 1]);
  assert.equal(await running.left(), left - 1, 'it is paid for');
  assert.ok(Date.parse(watch.last_read_at ?? '') <= clock.now());
  const { body } = await running.call('GET', '/v1/changes?cursor=0');
  assert.deepEqual(
    (body['changes'] as readonly { before: unknown; after: unknown }[]).map(({ before, after }) => [
      before,
      after,
    ]),
    [[29.99, 19.99]],
    'it is a change',
  );
  assert.deepEqual(
    notices.map(({ new_price: price }) => price),
    [19.99],
  );
  const { next_check_at: next } = (await running.shown(lost)).watch;
  await wake();
  assert.equal((await running.shown(lost)).watch.next_check_at, next);
});
