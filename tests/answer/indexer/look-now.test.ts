// A watch that its owner has checked at once, and watches that ask for the same, against pages that a test changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MINUTE_MS } from '../../../src/base/clock.ts';
import { WatchAnswer, WatchList } from '../../../src/answer/wire/watches/watches.ts';
import { startWatchService } from '../../support/watch-service.ts';

test('a look reads now for one token, notifies as any check does, and is possible once in five minutes', async () => {
  await using running = await startWatchService();
  const page = running.prices('/lamp', '50.00');
  const id = await running.watch({ identifier: page, below: 40 });
  await running.check(id);
  running.clock.advance(10 * MINUTE_MS);
  running.prices('/lamp', '35.00');
  const before = await running.left();
  const looked = await running.call('POST', `/v1/watches/${id}/look`);
  const { watch, tokens_consumed: cost } = WatchAnswer.parse(looked.body);
  assert.deepEqual([looked.status, watch.listings[0]?.price, cost], [200, 35, 1]);
  assert.deepEqual([before - (await running.left()), running.reads('/lamp')], [1, 2]);
  const { notices } = await running.shown(id);
  assert.deepEqual(
    notices.map(({ kind, new_price: price }) => [kind, price]),
    [['fired', 35]],
  );
  running.clock.advance(4 * MINUTE_MS);
  const early = await fetch(`${running.service.url}/v1/watches/${id}/look`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.service.key}` },
  });
  assert.deepEqual([early.status, early.headers.get('retry-after')], [429, '60']);
  running.clock.advance(MINUTE_MS);
  assert.equal((await running.call('POST', `/v1/watches/${id}/look`)).status, 200);
  assert.equal(running.reads('/lamp'), 3);
});

test('a look that reads nothing is not billed, and says why', async () => {
  await using running = await startWatchService();
  const page = running.prices('/lamp', '50.00');
  const id = await running.watch({ identifier: page });
  await running.check(id);
  running.clock.advance(10 * MINUTE_MS);
  running.shows('/lamp', '<h1>closed for repair</h1>');
  const before = await running.left();
  const { status, body } = await running.call('POST', `/v1/watches/${id}/look`);
  assert.deepEqual([status, body['code']], [503, 'upstream_unavailable']);
  assert.equal(await running.left(), before);
  assert.match(String(body['detail']), /Nothing could be read\. \w/);
});

test('a look at a paused watch is refused and takes no turn', async () => {
  await using running = await startWatchService();
  const id = await running.watch({ identifier: running.prices('/lamp', '50.00') });
  await running.check(id);
  await running.call('PATCH', `/v1/watches/${id}`, { paused: true });
  assert.equal((await running.call('POST', `/v1/watches/${id}/look`)).status, 400);
  await running.call('PATCH', `/v1/watches/${id}`, { paused: false });
  assert.equal((await running.call('POST', `/v1/watches/${id}/look`)).status, 200);
});

test('a watch that asks for the same as one of the organization is that one, and says so', async () => {
  await using running = await startWatchService();
  const lamp = running.prices('/lamp', '50.00');
  const vase = running.prices('/vase', '20.00');
  const rows = [
    [
      { identifier: lamp, below: 40 },
      { addresses: [lamp], below: 40, tags: ['late'] },
    ],
    [{ identifier: '614141000005' }, { identifier: '0614141000005', any_change: true }],
    [
      { addresses: [lamp, vase], retailer: 'best' },
      { addresses: [vase, lamp, vase], retailer: 'best' },
    ],
  ];
  for (const [first, second] of rows) {
    const id = await running.watch(first ?? {});
    const again = WatchAnswer.parse((await running.call('POST', '/v1/watches', second)).body);
    assert.deepEqual([again.watch.id, again.existing], [id, true], JSON.stringify(second));
  }
  for (const other of [
    { identifier: lamp, below: 30 },
    { identifier: lamp, below: 40, interval: '6h' },
    { addresses: [lamp, vase], retailer: 'any' },
    { identifier: vase },
  ]) {
    const made = WatchAnswer.parse((await running.call('POST', '/v1/watches', other)).body);
    assert.equal(made.existing, undefined, JSON.stringify(other));
  }
  const body = { identifier: lamp, below: 25 };
  const many = await Promise.all(
    Array.from({ length: 6 }, () => running.call('POST', '/v1/watches', body)),
  );
  const ids = new Set(many.map((each) => WatchAnswer.parse(each.body).watch.id));
  assert.equal(ids.size, 1, 'also when they are sent at once');
});

test('a list of one tag has its watches alone, page by page', async () => {
  await using running = await startWatchService();
  const tags = [['kitchen'], ['kitchen', 'gifts'], ['kitchens'], []];
  const ids: string[] = [];
  for (const [at, each] of tags.entries()) {
    ids.push(await running.watch({ identifier: running.prices(`/p${at}`, '9.00'), tags: each }));
    running.clock.advance(1);
  }
  const list = async (query: string) =>
    WatchList.parse((await running.call('GET', `/v1/watches?${query}`)).body);
  const first = await list('tag=kitchen&limit=1');
  const second = await list(`tag=kitchen&limit=1&cursor=${first.next}`);
  assert.deepEqual(
    [...first.watches, ...second.watches].map(({ id, tags: own }) => [id, own]),
    [
      [ids[1], ['kitchen', 'gifts']],
      [ids[0], ['kitchen']],
    ],
  );
  assert.equal(second.next, null);
  await running.call('PATCH', `/v1/watches/${ids[3]}`, { tags: ['kitchen'] });
  assert.equal((await list('tag=kitchen')).watches.length, 3);
  assert.equal(
    (await running.call('POST', '/v1/watches', { identifier: '614141000005', tags: ['a"b'] }))
      .status,
    400,
  );
});
