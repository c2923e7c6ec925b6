// Tests and replays of notices are free, so each day has a limited number of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startWatchService } from '../../support/watch-service.ts';

const ASKED_A_DAY = 100;
const CHANNELS = 10;

test('tests and replays of an organization are limited per day over all channels, notices of its watches are not', async () => {
  await using receiver = await startReceiver();
  await using running = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  const hooks = Array.from({ length: CHANNELS }, (_, n) => running.hook(`${receiver.url}/${n}`));
  const channels = await Promise.all(hooks);
  const page = running.prices('/lamp', '20.00');
  const id = await running.watch({ identifier: page, below: 15, channels });
  await running.check(id);
  for (let answered = 0; answered < ASKED_A_DAY; answered += CHANNELS) await running.tell(id);
  const [delivery] = await running.deliveries(id);
  const asked = [
    `/v1/watches/${id}/test`,
    `/v1/channels/${channels[0]}/test`,
    `/v1/watches/${id}/deliveries/${delivery?.delivery_id}/replay`,
  ];
  const statuses = async () =>
    Promise.all(asked.map(async (path) => (await running.call('POST', path)).status));
  assert.deepEqual(await statuses(), [429, 429, 429]);
  const other = await running.service.newKey({ organization: 'other', note: null });
  const theirs = { authorization: `Bearer ${other}` };
  const made = await running.call('POST', '/v1/watches', { identifier: page, below: 1 }, theirs);
  const { id: their } = made.body['watch'] as { readonly id: string };
  const answered = await running.call('POST', `/v1/watches/${their}/test`, undefined, theirs);
  assert.equal(answered.status, 200, 'another organization has its own');
  running.prices('/lamp', '10.00');
  await running.checkNext(id);
  const { notices } = await running.shown(id);
  assert.ok(
    notices.some(({ kind }) => kind !== 'test'),
    'the watch’s own notices',
  );
  running.clock.advance(DAY_MS);
  assert.deepEqual(await statuses(), [200, 200, 200]);
});
