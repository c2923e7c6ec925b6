// Channels of a running service that are changed, fixed and retried while notices wait, against receivers on loopback.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { wakeChannels } from '../../../src/data/watches/channel-writes.ts';
import { OWN_SHOP } from '../../contract/support/own-shop.ts';
import { isOnPostgres, newDatabase } from '../../support/databases.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { startService, type Service } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

const start = (...receivers: readonly Receiver[]) =>
  startWatchService({ OPENSHELF_NOTIFY_ALLOW: receivers.map(({ place }) => place).join(',') });

/** A watch that causes no notice by itself. */
const watchTold = (running: WatchService, channel: string, name: string) =>
  running.watch({ identifier: `${OWN_SHOP}/none/${name}`, below: 0.01, channels: [channel] });

const heard = ({ received }: Receiver, path: string): number =>
  received.filter((each) => each.path === path).length;

/** Makes one attempt an hour for this many hours. */
async function failFor(running: WatchService, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await running.service.app.deliverNotices();
    running.clock.advance(HOUR_MS);
  }
}

async function stateOf(running: WatchService, channel: string): Promise<unknown> {
  const { body } = await running.call('GET', `/v1/channels/${channel}`);
  return (body['channel'] as { readonly state: string }).state;
}

test('a channel that is paused or led elsewhere while it sends posts nothing more to the address before', async () => {
  await using before = await startReceiver();
  await using after = await startReceiver();
  await using running = await start(before, after);
  const { app } = running.service;
  const channel = await running.hook(`${before.url}/old`);
  const watches = await Promise.all(['1', '2', '3'].map((at) => watchTold(running, channel, at)));
  const release = before.holds();
  for (const watch of watches) await running.tell(watch);
  await before.hears('/old');
  const paused = { url: `${after.url}/new`, paused: true };
  await running.call('PATCH', `/v1/channels/${channel}`, paused);
  release();
  await app.deliverNotices();
  assert.deepEqual([heard(before, '/old'), heard(after, '/new')], [1, 0]);
  await running.call('PATCH', `/v1/channels/${channel}`, { paused: false });
  await app.deliverNotices();
  assert.deepEqual([heard(before, '/old'), heard(after, '/new')], [1, 3]);
});

test('the answer of the address before does not pause a channel that leads elsewhere now', async () => {
  await using before = await startReceiver();
  await using after = await startReceiver();
  await using running = await start(before, after);
  const channel = await running.hook(`${before.url}/gone`);
  const watch = await watchTold(running, channel, '1');
  before.answers(410);
  const release = before.holds();
  await running.tell(watch);
  await before.hears('/gone');
  await running.call('PATCH', `/v1/channels/${channel}`, { url: `${after.url}/fresh` });
  release();
  await running.service.app.deliverNotices();
  assert.equal(await stateOf(running, channel), 'active');
  assert.deepEqual(
    (await running.deliveries(watch)).map(({ state }) => state),
    ['delivered'],
  );
  assert.equal(heard(after, '/fresh'), 1);
});

test('two changes of one channel at once are both kept', async () => {
  await using before = await startReceiver();
  await using after = await startReceiver();
  await using running = await start(before, after);
  const channel = await running.hook(`${before.url}/old`);
  const change = (body: unknown) => running.call('PATCH', `/v1/channels/${channel}`, body);
  for (let time = 0; time < 5; time += 1) {
    await change({ paused: false, name: 'before' });
    const answers = await Promise.all([change({ paused: true }), change({ name: `m${time}` })]);
    const { body } = await running.call('GET', `/v1/channels/${channel}`);
    const shown = body['channel'] as { readonly state: string; readonly name: string };
    assert.deepEqual(
      [...answers.map(({ status }) => status), shown.state, shown.name],
      [200, 200, 'paused', `m${time}`],
    );
  }
});

test('a repaired channel sends pending notices at once, and in order', async () => {
  await using receiver = await startReceiver();
  await using running = await start(receiver);
  const channel = await running.hook(`${receiver.url}/down`);
  const watch = await watchTold(running, channel, '1');
  receiver.answers(500);
  await running.tell(watch);
  await running.tell(watch);
  await failFor(running, 10);
  receiver.answers(204);
  await running.call('PATCH', `/v1/channels/${channel}`, { url: `${receiver.url}/mended` });
  await running.service.app.deliverNotices();
  assert.equal(heard(receiver, '/mended'), 2);
  assert.ok((await running.deliveries(watch)).every(({ state }) => state === 'delivered'));
});

test('a test that gets through has what waits sent at once', async () => {
  await using receiver = await startReceiver();
  await using running = await start(receiver);
  const channel = await running.hook(`${receiver.url}/down`);
  const watch = await watchTold(running, channel, '1');
  receiver.answers(500);
  await running.tell(watch);
  await failFor(running, 10);
  receiver.answers(204);
  await running.call('POST', `/v1/channels/${channel}/test`);
  await running.service.app.deliverNotices();
  assert.deepEqual(
    (await running.deliveries(watch)).map(({ state }) => state),
    ['delivered'],
  );
});

test('a notice that was first tried more than a day ago is given up, not sent after a long pause', async () => {
  await using receiver = await startReceiver();
  await using running = await start(receiver);
  const channel = await running.hook(`${receiver.url}/paused`);
  const watch = await watchTold(running, channel, '1');
  receiver.answers(500);
  await running.tell(watch);
  await running.service.app.deliverNotices();
  await running.call('PATCH', `/v1/channels/${channel}`, { paused: true });
  running.clock.advance(60 * DAY_MS);
  receiver.answers(204);
  await running.call('PATCH', `/v1/channels/${channel}`, { paused: false });
  const fresh = await running.tell(watch);
  await running.service.app.deliverNotices();
  const [newest, oldest] = await running.deliveries(watch);
  assert.deepEqual(
    [newest?.notice_id, newest?.state, oldest?.state, oldest?.attempts],
    [fresh, 'delivered', 'given_up', 1],
  );
  assert.equal(heard(receiver, '/paused'), 2);
});

test('a channel that failed by a clock years ahead sends when that is set back', async () => {
  await using receiver = await startReceiver();
  await using running = await start(receiver);
  const { clock, service } = running;
  const channel = await running.hook(`${receiver.url}/ahead`);
  const watch = await watchTold(running, channel, '1');
  const wake = () => service.app.store.sql.write(wakeChannels(clock.now()));
  receiver.answers(500);
  clock.advance(900 * DAY_MS);
  await running.tell(watch);
  await service.app.deliverNotices();
  await wake();
  await service.app.deliverNotices();
  assert.equal(heard(receiver, '/ahead'), 1, 'it rests as long as it should');
  clock.advance(-900 * DAY_MS);
  receiver.answers(204);
  await wake();
  await service.app.deliverNotices();
  const [row] = await service.app.store.sql.all('select state, since_ms from deliveries');
  assert.equal(row?.['state'], 'delivered');
  assert.ok(Number(row?.['since_ms']) <= clock.now());
});

test('what is sent once more after a notice that waits for hours holds up no other channel', async () => {
  await using down = await startReceiver();
  await using up = await startReceiver();
  await using running = await start(down, up);
  const { app } = running.service;
  down.answers(500);
  const stuck: string[] = [];
  for (const name of ['a', 'b']) {
    const id = await watchTold(running, await running.hook(`${down.url}/${name}`), name);
    await running.tell(id);
    await running.tell(id);
    stuck.push(id);
  }
  const watch = await watchTold(running, await running.hook(`${up.url}/ok`), 'ok');
  await failFor(running, 10);
  await running.tell(watch);
  await app.deliverNotices();
  running.clock.advance(10 * MINUTE_MS);
  for (const id of stuck) {
    const [last] = await running.deliveries(id);
    const path = `/v1/watches/${id}/deliveries/${last?.delivery_id}/replay`;
    assert.equal((await running.call('POST', path)).status, 200);
  }
  await running.tell(watch);
  await app.deliverNotices();
  assert.equal(heard(up, '/ok'), 2);
});

test('a service with another key than that of its channels says so when it starts', async () => {
  using folder = temporaryFolder();
  const database = isOnPostgres() ? await newDatabase('migrated') : null;
  const place = {
    OPENSHELF_DATA: folder.path,
    ...(database === null ? {} : { DATABASE_URL: database.url }),
  };
  const started = async (byte: number, use: (service: Service) => Promise<void>) => {
    let log = '';
    const env = { ...place, OPENSHELF_SECRETS_KEY: Buffer.alloc(32, byte).toString('base64') };
    {
      await using service = await startService({ env, logTo: (lines) => (log += lines) });
      await use(service);
    }
    return log;
  };
  const before = await started(1, async ({ url, key }) => {
    const { status } = await fetch(`${url}/v1/channels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'webhook', url: 'https://hooks.shop.example/one' }),
    });
    assert.equal(status, 200);
  });
  const nothing = () => Promise.resolve();
  assert.doesNotMatch(before + (await started(1, nothing)), /Nothing is sent/);
  assert.match(await started(2, nothing), /"warn".*Nothing is sent through 1 of the channels/);
  await database?.[Symbol.asyncDispose]();
});
