// Who pays for reads of a watched page, and whose check each one is, when several watches share the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startWatchService } from '../../support/watch-service.ts';

test('a check that found what somebody else had just read pays for no later read', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '20.00');
  const other = await running.service.newKey({ organization: 'other', note: null });
  const asOther = { authorization: `Bearer ${other}` };
  const made = await running.call('POST', '/v1/watches', { identifier, interval: '1h' }, asOther);
  const { id: first } = made.body['watch'] as { readonly id: string };
  const nextOf = async () => {
    const { body } = await running.call('GET', `/v1/watches/${first}`, undefined, asOther);
    return Date.parse((body['watch'] as { readonly next_check_at: string }).next_check_at);
  };
  const spent = async () => {
    const { body } = await running.call('GET', '/v1/usage', undefined, asOther);
    return body['tokens_used'];
  };
  await running.service.app.checkWatches();
  await running.service.untilQueueIdle();
  assert.deepEqual([running.reads('/lamp'), await spent()], [1, 1]);
  const left = await running.left();
  const id = await running.watch({ identifier, interval: '1d' });
  const { watch } = await running.check(id);
  assert.equal(watch.listings[0]?.price, 20, 'it has seen what the other one read');
  for (let round = 2; round < 4; round += 1) {
    running.clock.advance((await nextOf()) - running.clock.now() + 1_000);
    await running.check(id);
    assert.deepEqual([running.reads('/lamp'), await spent()], [round, round]);
  }
  assert.equal(await running.left(), left);
});

test('a watch that was paused after such a check puts nothing into the feed', async () => {
  await using running = await startWatchService();
  const identifier = running.prices('/lamp', '20.00');
  const look = () =>
    running.service.lookup(identifier, '?retailer=writtenpages&force_refresh=true');
  assert.equal((await look()).status, 200);
  const id = await running.watch({ identifier, interval: '1d' });
  assert.equal((await running.check(id)).watch.listings[0]?.price, 20);
  const cursor = (await running.call('GET', '/v1/changes')).body['next'];
  await running.call('PATCH', `/v1/watches/${id}`, { paused: true });
  running.prices('/lamp', '25.00');
  running.clock.advance(60_000);
  assert.equal((await look()).status, 200);
  const { body } = await running.call('GET', `/v1/changes?cursor=${String(cursor)}`);
  assert.deepEqual(body['changes'], []);
});
