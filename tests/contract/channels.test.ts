// Channels against a real receiver on loopback (D71): what is created, sent, retried and logged.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';

import { Webhook } from 'standardwebhooks';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import {
  ChannelAnswer,
  ChannelList,
  ChannelMade,
  ChannelTest,
  DeliveryAnswer,
  DeliveryList,
} from '../../src/answer/wire/watches/channels.ts';
import { WatchAnswer, WatchTest, WatchWithNotices } from '../../src/answer/wire/watches/watches.ts';
import { startReceiver } from '../support/receiver.ts';
import { contractService, refused, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const receiver = await startReceiver();
const other = await startReceiver();
after(async () => {
  await receiver[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const contract = contractService({
  env: {
    OPENSHELF_NOTIFY_ALLOW: `${receiver.place},${other.place}`,
    OPENSHELF_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    OPENSHELF_MAX_CHANNELS: '20',
  },
});

const post = (body: unknown, call: Call = {}): Call => ({
  method: 'POST',
  body: JSON.stringify(body),
  ...call,
  headers: { 'content-type': 'application/json', ...call.headers },
});

const patch = (body: unknown): Call => ({ ...post(body), method: 'PATCH' });

async function make(body: unknown, call: Call = {}) {
  return ChannelMade.parse(await contract.ok('/v1/channels', post(body, call)));
}

/** A watch that is notified through the channels, and causes no notice by itself. */
async function watchWith(channels: readonly string[], identifier = '614141000005') {
  const body = { identifier, below: 0.01, channels };
  return WatchAnswer.parse(await contract.ok('/v1/watches', post(body))).watch.id;
}

/** Sends a notice through the channels of a watch; returns its id. */
async function tell(watch: string): Promise<string> {
  const answered = await contract.ok(`/v1/watches/${watch}/test`, { method: 'POST' });
  return WatchTest.parse(answered).notice.id;
}

async function deliveries(watch: string, query = '') {
  return DeliveryList.parse(await contract.ok(`/v1/watches/${watch}/deliveries${query}`));
}

proves('D71k', 'a channel has its quiet hours or its digest, and lists show them', async () => {
  for (const times of [{ quiet_from: '22:00', quiet_until: '07:00' }, { digest_at: '18:00' }]) {
    const schedule = { time_zone: 'Europe/Berlin', ...times };
    const { channel } = await make({ kind: 'apprise', url: receiver.url, schedule });
    assert.deepEqual(channel.schedule, schedule);
    const path = `/v1/channels/${channel.channel_id}`;
    const shown = ChannelAnswer.parse(await contract.ok(path, patch({ schedule })));
    assert.deepEqual(shown.channel.schedule, schedule);
    const { channels } = ChannelList.parse(await contract.ok('/v1/channels'));
    assert.deepEqual(
      channels.find((each) => each.channel_id === channel.channel_id)?.schedule,
      schedule,
    );
    await contract.ok(path, { method: 'DELETE' });
  }
});

const idsAt = (path: string) =>
  receiver.received
    .filter((each) => each.path === path)
    .map(({ headers }) => headers['webhook-id']);

proves(
  'D71a D71b',
  'a notice goes out through each channel of its watch, signed, once, and stands in the log',
  async () => {
    receiver.answers(204);
    const { channel, signing_secret: secret } = await make({
      kind: 'webhook',
      name: 'orders',
      url: `${receiver.url}/signed`,
    });
    assert.match(secret ?? '', /^whsec_/, 'it is shown by the answer that makes it');
    const second = await make({ kind: 'webhook', url: `${other.url}/second` });
    const watch = await watchWith([channel.channel_id, second.channel.channel_id]);
    const notice = await tell(watch);
    assert.equal((await deliveries(watch)).deliveries.length, 2, 'written with the notice');
    await contract.app.deliverNotices();
    const [got, ...more] = receiver.received.filter(({ path }) => path === '/signed');
    assert.ok(got !== undefined && more.length === 0);
    assert.equal(got.headers['webhook-id'], notice);
    // The package compares the signature's timestamp with the machine's clock, which differs from this test's.
    const signedMs = Number(got.headers['webhook-timestamp']) * 1_000;
    const realNow = Date.now;
    Date.now = () => signedMs;
    try {
      const answered = new Webhook(secret ?? '').verify(got.body, got.headers) as {
        readonly data: { readonly id: string; readonly watch_id: string };
      };
      assert.deepEqual([answered.data.id, answered.data.watch_id], [notice, watch]);
      assert.throws(() => new Webhook(secret ?? '').verify(`${got.body} `, got.headers));
    } finally {
      Date.now = realNow;
    }
    assert.equal(other.received.length, 1);
    const { deliveries: log } = await deliveries(watch);
    for (const each of log) {
      assert.deepEqual([each.state, each.attempts, each.notice_id], ['delivered', 1, notice]);
      assert.ok(each.delivered_at !== null && each.status === 204 && each.title !== null);
    }
    const shown = ChannelAnswer.parse(await contract.ok(`/v1/channels/${channel.channel_id}`));
    assert.deepEqual([shown.channel.state, shown.channel.last_status], ['active', 204]);
    assert.ok(shown.channel.last_delivery_at !== null);
    await contract.app.deliverNotices();
    assert.equal(receiver.received.length, 1, 'it is sent once');
  },
);

proves(
  'D71c',
  'what does not get through is tried again for a day, in the order of its watch, and can be sent once more',
  async () => {
    const { channel } = await make({ kind: 'webhook', url: `${receiver.url}/down` });
    const watch = await watchWith([channel.channel_id], '614141000012');
    receiver.answers(503, { body: 'closed for repair' });
    const answered = [await tell(watch), await tell(watch), await tell(watch)];
    await contract.app.deliverNotices();
    assert.deepEqual(idsAt('/down'), [answered[0]], 'the first holds back what comes behind it');
    const [, , first] = (await deliveries(watch)).deliveries;
    assert.deepEqual(
      [first?.state, first?.attempts, first?.status, first?.excerpt],
      ['waiting', 1, 503, 'closed for repair'],
    );
    assert.ok(first?.next_attempt_at !== null && first?.last_attempt_at !== null);
    const failing = ChannelAnswer.parse(await contract.ok(`/v1/channels/${channel.channel_id}`));
    assert.equal(failing.channel.state, 'failing');
    assert.match(failing.channel.last_detail ?? '', /503/);
    contract.clock.advance(10 * MINUTE_MS);
    await contract.app.deliverNotices();
    assert.equal(idsAt('/down').length, 2);
    const [last] = (await deliveries(watch)).deliveries;
    const early = `/v1/watches/${watch}/deliveries/${last?.delivery_id}/replay`;
    await contract.ok(early, { method: 'POST' });
    // The channel's pause of 16 s is over; the first notice is due after 30.
    contract.clock.advance(20_000);
    await contract.app.deliverNotices();
    assert.equal(idsAt('/down').length, 2, 'what is sent once more waits for its turn');
    receiver.answers(200);
    contract.clock.advance(HOUR_MS);
    await contract.app.deliverNotices();
    assert.deepEqual(idsAt('/down').slice(2), answered, 'in their order, each with its own id');
    const page = await deliveries(watch, '?limit=2');
    assert.equal(page.deliveries.length, 2);
    const rest = await deliveries(watch, `?limit=2&cursor=${page.next}`);
    assert.deepEqual([rest.deliveries.length, rest.next], [1, null]);
    const again = `/v1/watches/${watch}/deliveries/${rest.deliveries[0]?.delivery_id}/replay`;
    // Nothing is delivered until both wait: the service also sends on its own.
    receiver.answers(503);
    const behind = await tell(watch);
    const replayed = DeliveryAnswer.parse(await contract.ok(again, { method: 'POST' }));
    assert.equal(replayed.delivery.state, 'waiting');
    await contract.app.deliverNotices();
    receiver.answers(200);
    contract.clock.advance(HOUR_MS);
    await contract.app.deliverNotices();
    const sent = idsAt('/down').slice(-2);
    assert.deepEqual(
      sent,
      [replayed.delivery.notice_id, behind],
      'with the id that it had, in its place',
    );
    receiver.answers(500);
    const lost = await tell(watch);
    for (let attempt = 0; attempt < 40; attempt += 1) {
      await contract.app.deliverNotices();
      contract.clock.advance(HOUR_MS);
    }
    const [given] = (await deliveries(watch)).deliveries;
    assert.deepEqual([given?.notice_id, given?.state], [lost, 'given_up']);
    assert.ok((given?.attempts ?? 0) >= 8, `${given?.attempts} attempts in a day`);
    receiver.answers(503, { body: 'not yet' });
    const late = `/v1/watches/${watch}/deliveries/${given?.delivery_id}/replay`;
    await contract.ok(late, { method: 'POST' });
    contract.clock.advance(HOUR_MS);
    await contract.app.deliverNotices();
    const once = DeliveryAnswer.parse(await contract.ok(late, { method: 'POST' })).delivery;
    assert.deepEqual([once.state, once.attempts, once.excerpt], ['waiting', 0, 'not yet']);
    assert.ok(once.next_attempt_at !== null, 'as soon as its turn comes');
    receiver.answers(204);
    contract.clock.advance(HOUR_MS);
    await contract.app.deliverNotices();
  },
);

proves(
  'D71d',
  'a test shows what the receiver answered, at most 1 KB of it, and follows no redirect',
  async () => {
    const { channel } = await make({ kind: 'webhook', url: `${receiver.url}/test` });
    const test = `/v1/channels/${channel.channel_id}/test`;
    receiver.answers(200, { body: `thanks ${'x'.repeat(5_000)}` });
    const taken = ChannelTest.parse(await contract.ok(test, { method: 'POST' }));
    assert.deepEqual([taken.outcome, taken.status], ['delivered', 200]);
    assert.match(taken.excerpt ?? '', /^thanks x+/);
    assert.ok(Buffer.byteLength(taken.excerpt ?? '') <= 1_024);
    receiver.answers(302, { headers: { location: `${other.url}/elsewhere` } });
    const led = ChannelTest.parse(await contract.ok(test, { method: 'POST' }));
    assert.deepEqual([led.outcome, led.status], ['refused', 302]);
    const refusing = ChannelAnswer.parse(await contract.ok(`/v1/channels/${channel.channel_id}`));
    assert.equal(refusing.channel.state, 'failing', 'what is refused does not get through either');
    assert.equal(other.received.filter(({ path }) => path === '/elsewhere').length, 0);
    receiver.answers(410);
    const watch = await watchWith([channel.channel_id], '614141000029');
    await tell(watch);
    await contract.app.deliverNotices();
    const gone = ChannelAnswer.parse(await contract.ok(`/v1/channels/${channel.channel_id}`));
    assert.equal(gone.channel.state, 'paused', '410: the receiver wants no more');
    receiver.answers(204);
  },
);

proves('D71a', 'what the service is just sending is waited for, and not sent again', async () => {
  const { channel } = await make({ kind: 'webhook', url: `${receiver.url}/slow` });
  const watch = await watchWith([channel.channel_id], '614141000050');
  const release = receiver.holds();
  const notice = await tell(watch);
  await receiver.hears('/slow');
  let isOver = false;
  const delivered = contract.app.deliverNotices().then(() => (isOver = true));
  await contract.ok('/v1/channels');
  assert.ok(!isOver, 'the receiver has not answered');
  release();
  await delivered;
  const [log] = (await deliveries(watch)).deliveries;
  assert.deepEqual([log?.notice_id, log?.state, log?.attempts], [notice, 'delivered', 1]);
  assert.deepEqual(idsAt('/slow'), [notice]);
});

proves('D71e', 'a channel is made once for an Idempotency-Key', async () => {
  const body = { kind: 'webhook', url: `${receiver.url}/once` };
  const once = { headers: { 'idempotency-key': 'channel-1' } };
  const first = await make(body, once);
  assert.deepEqual((await make(body, once)).channel, first.channel);
  const test = `/v1/channels/${first.channel.channel_id}/test`;
  await contract.ok(test, { method: 'POST' });
  const known = (await make(body, once)).channel;
  assert.equal(known.channel_id, first.channel.channel_id);
  assert.ok(known.last_attempt_at !== null && known.last_delivery_at !== null);
  assert.ok(known.last_status !== null && known.last_detail !== null, 'as it is by now');
  assert.equal((await make(body, once)).signing_secret, first.signing_secret);
  const changed = { ...body, url: `${receiver.url}/other` };
  refused(await contract.call('/v1/channels', post(changed, once)), 409, 'idempotency_conflict');
  const own = await make({ ...body, secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` });
  assert.equal(own.signing_secret, null, 'what the caller chose is not shown');
});

proves(
  'D71f',
  'channels are listed, renamed, led elsewhere, paused and deleted, and are the organization’s own',
  async () => {
    const { channel } = await make({ kind: 'ntfy', name: 'phone', url: `${receiver.url}/alerts` });
    const at = `/v1/channels/${channel.channel_id}`;
    const stranger = await contract.newKey({ organization: 'other', note: null });
    const list = ChannelList.parse(await contract.ok('/v1/channels'));
    assert.ok(list.channels.some(({ channel_id: id }) => id === channel.channel_id));
    assert.deepEqual(
      ChannelList.parse(await contract.ok('/v1/channels', { key: stranger })).channels,
      [],
    );
    for (const call of [{}, { method: 'DELETE' }, patch({ name: 'mine' })] as const) {
      refused(await contract.call(at, { ...call, key: stranger }), 404, 'not_found');
    }
    refused(await contract.call(`${at}/test`, { method: 'POST', key: stranger }), 404, 'not_found');
    const theirs = post({ identifier: '614141000005', channels: [channel.channel_id] });
    const said = refused(
      await contract.call('/v1/watches', { ...theirs, key: stranger }),
      400,
      'invalid_parameter',
    );
    assert.equal(said['parameter'], 'channels');
    const watch = await watchWith([channel.channel_id], '614141000036');
    const renamed = await contract.ok(at, patch({ name: 'desk', url: `${receiver.url}/desk` }));
    assert.equal(ChannelAnswer.parse(renamed).channel.name, 'desk');
    const before = receiver.received.length;
    await tell(watch);
    await contract.app.deliverNotices();
    assert.equal(receiver.received.length, before + 1);
    assert.equal(JSON.parse(receiver.received.at(-1)?.body ?? '')['topic'], 'desk');
    const paused = ChannelAnswer.parse(await contract.ok(at, patch({ paused: true })));
    assert.equal(paused.channel.state, 'paused');
    await tell(watch);
    await contract.app.deliverNotices();
    assert.equal(receiver.received.length, before + 1, 'nothing goes through a paused channel');
    assert.equal((await deliveries(watch)).deliveries.length, 1, 'now or later');
    await contract.ok(at, { method: 'DELETE' });
    refused(await contract.call(at), 404, 'not_found');
    const shown = await contract.ok(`/v1/watches/${watch}`);
    assert.deepEqual(WatchWithNotices.parse(shown).watch.channels, []);
    assert.deepEqual((await deliveries(watch)).deliveries, []);
    refused(
      await contract.call(`/v1/watches/${watch}/deliveries`, { key: stranger }),
      404,
      'not_found',
    );
    refused(
      await contract.call(`/v1/watches/${watch}/deliveries/dlv_none/replay`, { method: 'POST' }),
      404,
      'not_found',
    );
  },
);

proves('D71g', 'what cannot be a channel is refused with what can', async () => {
  const url = 'https://hooks.example/a';
  const REFUSED: readonly (readonly [unknown, number, string, string | undefined])[] = [
    [{}, 400, 'invalid_parameter', 'kind'],
    [{ kind: 'fax', url }, 400, 'invalid_parameter', 'kind'],
    [{ kind: 'webhook' }, 400, 'invalid_parameter', 'url'],
    [{ kind: 'webhook', url, to: 'a@b.example' }, 400, 'invalid_parameter', 'to'],
    [{ kind: 'webhook', url: 7 }, 400, 'invalid_parameter', 'url'],
    [{ kind: 'webhook', url: 'ftp://hooks.example/a' }, 400, 'invalid_parameter', 'url'],
    [{ kind: 'webhook', url, secret: 'short' }, 400, 'invalid_parameter', 'secret'],
    [{ kind: 'webhook', url: 'http://127.0.0.1/a' }, 400, 'url_not_allowed', 'url'],
    [{ kind: 'webhook', url: 'http://[::1]:9/a' }, 400, 'url_not_allowed', 'url'],
    [{ kind: 'ntfy', url: 'http://10.0.0.1/topic' }, 400, 'url_not_allowed', 'url'],
    [{ kind: 'telegram', bot_token: 'x', chat_id: '1' }, 400, 'invalid_parameter', 'bot_token'],
    [{ kind: 'email', to: 'a@shop.example' }, 503, 'upstream_unavailable', undefined],
    [{ kind: 'webhook', url, more: 1 }, 400, 'invalid_parameter', 'more'],
  ];
  for (const [body, status, code, parameter] of REFUSED) {
    const said = refused(await contract.call('/v1/channels', post(body)), status, code);
    if (parameter !== undefined) assert.equal(said['parameter'], parameter, JSON.stringify(body));
  }
  const reader = await contract.newKey({
    organization: 'test',
    note: null,
    scopes: ['products:read'],
  });
  const body = post({ kind: 'webhook', url }, { key: reader });
  refused(await contract.call('/v1/channels', body), 403, 'insufficient_scope');
  refused(
    await contract.call('/v1/watches/wat_none/deliveries?cursor=x'),
    400,
    'invalid_parameter',
  );
  for (let made = 0; ; made += 1) {
    const answer = await contract.call('/v1/channels', post({ kind: 'webhook', url }));
    if (answer.status !== 200) {
      assert.match(String(answer.body['detail']), /OPENSHELF_MAX_CHANNELS/);
      break;
    }
    assert.ok(made < 20, 'the number of channels is bounded');
  }
  for (const { channel_id: id } of ChannelList.parse(await contract.ok('/v1/channels')).channels) {
    await contract.ok(`/v1/channels/${id}`, { method: 'DELETE' });
  }
});

proves(
  'D71h',
  'no secret of a channel stands in an answer, in the metrics or in the data',
  async () => {
    receiver.answers(200, { body: 'you sent /path-with-token-4711 to me' });
    const secret = `whsec_${Buffer.alloc(40, 9).toString('base64')}`;
    const { channel } = await make({
      kind: 'webhook',
      url: `${receiver.url}/path-with-token-4711?key=query-token-0815`,
      secret,
    });
    const watch = await watchWith([channel.channel_id], '614141000043');
    await tell(watch);
    await contract.app.deliverNotices();
    const { sql } = contract.app.store;
    const answers = [
      await contract.ok('/v1/channels'),
      await contract.ok(`/v1/channels/${channel.channel_id}/test`, { method: 'POST' }),
      await contract.ok(`/v1/watches/${watch}`),
      (await deliveries(watch)) as unknown,
      await sql.all('select * from channels'),
      await sql.all('select * from deliveries'),
      await sql.all('select * from idempotency_keys'),
      await (await fetch(`${contract.service.url}/metrics`)).text(),
    ];
    const files = filesIn(contract.service.dataDir).map((path) => readFileSync(path, 'latin1'));
    for (const text of [...answers.map((each) => JSON.stringify(each)), ...files]) {
      for (const hidden of ['token-4711', 'query-token-0815', secret.slice(6)]) {
        assert.ok(!text.includes(hidden), `${hidden} stands in ${text.slice(0, 200)}`);
      }
    }
    contract.clock.advance(91 * DAY_MS);
  },
);

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

proves('D71j', 'a feed is read at its address alone, and ends with its channel', async () => {
  const { channel, feed_url: address } = await make({ kind: 'feed', name: 'reader' });
  const watch = await watchWith([channel.channel_id], '614141000012');
  await tell(watch);
  await contract.app.deliverNotices();
  const read = () => fetch(`${contract.service.url}${address}`);
  assert.match(
    await (await read()).text(),
    /<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">.*<entry>/s,
  );
  assert.equal((await fetch(`${contract.service.url}${address}0`)).status, 404);
  const list = ChannelList.parse(await contract.ok('/v1/channels'));
  assert.ok(list.kinds.includes('feed'));
  await contract.ok(`/v1/channels/${channel.channel_id}`, { method: 'DELETE' });
  assert.equal((await read()).status, 404);
});

proves('D71k', 'quiet hours hold a notice back, and a digest sends several as one', async () => {
  const hour = (ahead: number) =>
    new Date(contract.clock.now() + ahead * HOUR_MS).toISOString().slice(11, 16);
  const times = { quiet_from: hour(-1), quiet_until: hour(2), digest_at: hour(3) };
  const schedule = { time_zone: 'UTC', ...times };
  const url = `${receiver.url}/night`;
  const { channel } = await make({ kind: 'slack', url, schedule });
  assert.deepEqual(channel.schedule, schedule);
  const watch = await watchWith([channel.channel_id], '614141000012');
  await tell(watch);
  await tell(watch);
  receiver.answers(200);
  const sent = () => receiver.received.filter(({ path }) => path === '/night');
  for (const [hours, count] of [
    [1, 0],
    [1.5, 0],
    [1, 1],
  ] as const) {
    contract.clock.advance(hours * HOUR_MS);
    await contract.app.deliverNotices();
    assert.equal(sent().length, count);
  }
  assert.match(sent()[0]?.body ?? '', /2 notifications/);
});
