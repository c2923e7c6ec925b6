// Channels of a house: a broker, Apprise, a feed, quiet hours and digests. Programs of Debian read what is sent, where they are
// installed.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createPort, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { wakeChannels } from '../../../src/data/watches/channel-writes.ts';
import { startBroker } from '../../support/mqtt-broker.ts';
import { startReceiver } from '../../support/receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

const PUBLIC = 'https://shelf.example.com';
const run = promisify(execFile);
const has = (program: string, ...options: string[]) =>
  spawnSync(program, options, { timeout: 30_000 }).error === undefined;

async function channel(running: WatchService, body: Readonly<Record<string, unknown>>) {
  const made = await running.call('POST', '/v1/channels', body);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { channel_id: id } = made.body['channel'] as { readonly channel_id: string };
  return { id, feed: String(made.body['feed_url']) };
}

/** Creates a watch of a page that fell from 50 to 35, which notifies through the channel. */
async function fallen(running: WatchService, id: string, name = 'lamp'): Promise<string> {
  const identifier = running.prices(`/${name}`, '50.00');
  const watch = await running.watch({ identifier, below: 40, channels: [id] });
  await running.check(watch);
  running.prices(`/${name}`, '35.00');
  await running.checkNext(watch);
  await running.service.app.deliverNotices();
  return watch;
}

type Sent = Readonly<Record<string, unknown>>;
const json = (text: string | undefined) => JSON.parse(text ?? '') as Sent;

test('a broker gets a retained description for Home Assistant, and the state of the watch', async () => {
  await using broker = await startBroker();
  await using running = await startWatchService({
    OPENSHELF_NOTIFY_ALLOW: broker.place,
    OPENSHELF_PUBLIC_URL: PUBLIC,
  });
  const login = { username: 'shelf', password: 'p4ss' };
  const { id } = await channel(running, { kind: 'mqtt', url: `mqtt://${broker.place}`, ...login });
  const watch = await fallen(running, id);
  assert.deepEqual(broker.logins, [['shelf', 'p4ss']]);
  const [config, state] = broker.published;
  assert.deepEqual(
    broker.published.map(({ topic, qos, isRetained }) => [topic, qos, isRetained]),
    [
      [`homeassistant/sensor/openshelf/${watch}/config`, 1, true],
      [`openshelf/${watch}/state`, 1, true],
    ],
  );
  const described = json(config?.payload);
  assert.deepEqual(
    ['name', 'unique_id', 'state_topic', 'unit_of_measurement', 'device_class'].map(
      (each) => described[each],
    ),
    ['Lamp', `openshelf_${watch}`, state?.topic, 'USD', 'monetary'],
  );
  const { price, old_price: before, target, watch_url: link } = json(state?.payload);
  assert.deepEqual(
    [price, before, target, link],
    [35, 50, 40, `${PUBLIC}/console/watches#${watch}`],
  );
  broker.answers(5);
  const tested = await running.call('POST', `/v1/channels/${id}/test`);
  assert.equal(tested.body['outcome'], 'retry');
  assert.match(String(tested.body['detail']), /user name or the password/);
  broker.answers(0);
  await running.call('POST', `/v1/channels/${id}/test`);
  assert.deepEqual(broker.published.at(-1)?.topic, 'openshelf/test');
});

test('a broker that the operator does not list is refused, and a listed name that does not resolve is called so', async () => {
  await using broker = await startBroker();
  await using running = await startWatchService({
    OPENSHELF_NOTIFY_ALLOW: 'broker.invalid:1883',
  });
  const body = { kind: 'mqtt', url: `mqtt://${broker.place}` };
  const refused = await running.call('POST', '/v1/channels', body);
  assert.deepEqual([refused.status, refused.body['code']], [400, 'url_not_allowed']);
  const { id } = await channel(running, { kind: 'mqtt', url: 'mqtt://broker.invalid:1883' });
  const { body: tested } = await running.call('POST', `/v1/channels/${id}/test`);
  assert.match(String(tested['detail']), /does not resolve/);
  assert.equal(broker.logins.length, 0);
});

test(
  'mosquitto gives Home Assistant the description and the state also after a restart of its client',
  { skip: !has('mosquitto', '-h') || !has('mosquitto_sub', '--help'), timeout: 60_000 },
  async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const file = join(folder.path, 'mosquitto.conf');
    const passwords = join(folder.path, 'passwords');
    await run('mosquitto_passwd', ['-b', '-c', passwords, 'shelf', 'p4ss']);
    const lines = [`listener ${port} 127.0.0.1`, `password_file ${passwords}`];
    // Started by root it would leave root's rights, and then not read the file.
    writeFileSync(file, `${lines.join('\n')}\nuser ${process.env['USER'] ?? 'root'}\n`);
    const broker = spawn('mosquitto', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = once(broker, 'exit');
    try {
      for await (const chunk of broker.stderr) if (/running/.test(String(chunk))) break;
      await using running = await startWatchService({
        OPENSHELF_NOTIFY_ALLOW: `127.0.0.1:${port}`,
      });
      const { id } = await channel(running, {
        kind: 'mqtt',
        url: `mqtt://127.0.0.1:${port}`,
        username: 'shelf',
        password: 'p4ss',
      });
      const watch = await fallen(running, id);
      const how = `-h 127.0.0.1 -p ${port} -u shelf -P p4ss -q 1 -t # -C 2 -W 20 -F`.split(' ');
      const shown = await run('mosquitto_sub', [...how, '%r %t %p']);
      const seen = shown.stdout.trim().split('\n').toSorted();
      assert.match(seen[0] ?? '', new RegExp(`^1 homeassistant/sensor/openshelf/${watch}/config `));
      assert.match(seen[1] ?? '', new RegExp(`^1 openshelf/${watch}/state .*"price":35,`));
    } finally {
      broker.kill();
      await ended;
    }
  },
);

test('what Apprise is sent is a title, a text, a type and a format', async () => {
  await using receiver = await startReceiver();
  await using running = await startWatchService({
    OPENSHELF_NOTIFY_ALLOW: receiver.place,
    OPENSHELF_PUBLIC_URL: PUBLIC,
  });
  const { id } = await channel(running, { kind: 'apprise', url: `${receiver.url}/notify/home` });
  const watch = await fallen(running, id);
  const { title, body, type, format } = json(receiver.received[0]?.body);
  assert.deepEqual([type, format], ['info', 'text']);
  assert.match(String(title), /Lamp.*\$35\.00 \(was \$50\.00\)/);
  assert.match(String(body), /Last 90 days: █▁ \$35\.00 to \$50\.00/);
  assert.ok(String(body).includes(`${PUBLIC}/console/watches#${watch}`));
});

test(
  "what a receiver hands to Debian's apprise is delivered by it",
  { skip: !has('apprise', '--version'), timeout: 60_000 },
  async () => {
    await using home = await startReceiver();
    const handed: string[] = [];
    const failed: unknown[] = [];
    const api = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const sent = json(Buffer.concat(pieces).toString());
        handed.push(request.url ?? '');
        const text = ['-t', String(sent['title']), '-b', String(sent['body'])];
        const how = ['-n', String(sent['type']), '-i', String(sent['format'])];
        run('apprise', [...text, ...how, `json://${home.place}/in`]).then(
          () => response.end('{}'),
          (error: unknown) => {
            failed.push(error);
            response.writeHead(424).end();
          },
        );
      });
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    try {
      const place = `127.0.0.1:${(api.address() as AddressInfo).port}`;
      await using running = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: place });
      const { id } = await channel(running, {
        kind: 'apprise',
        url: `http://${place}/notify/home`,
      });
      const { body: tested } = await running.call('POST', `/v1/channels/${id}/test`);
      assert.deepEqual([failed, handed, tested['outcome']], [[], ['/notify/home'], 'delivered']);
      const { title, message, type } = json(home.received[0]?.body);
      assert.match(String(title), /^Test of the channel/);
      assert.match(String(message), /notices of watches arrive here/);
      assert.equal(type, 'info');
    } finally {
      api.closeAllConnections();
      await new Promise((resolve) => api.close(resolve));
    }
  },
);

const PARSE = `
import feedparser, json, sys
feed = feedparser.parse(sys.stdin.buffer.read())
print(json.dumps({"bad": bool(feed.bozo), "version": feed.version, "title": feed.feed.title,
  "entries": [[e.title, e.link, e.content[0].type, e.content[0].value] for e in feed.entries]}))`;

test('a feed shows the notices of its channel to whoever has the address, until the channel is deleted', async () => {
  await using running = await startWatchService({ OPENSHELF_PUBLIC_URL: PUBLIC });
  const { id, feed } = await channel(running, { kind: 'feed', name: 'Prices & <more>' });
  assert.ok(feed.startsWith(`${PUBLIC}/feeds/${id}.`));
  const path = feed.slice(PUBLIC.length);
  const watch = await fallen(running, id);
  const get = (at: string) => fetch(`${running.service.url}${at}`);
  const answer = await get(path);
  const xml = await answer.text();
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type')],
    [200, 'application/atom+xml; charset=utf-8'],
  );
  assert.match(xml, /<title>Prices &amp; &lt;more&gt;<\/title>/);
  assert.equal(xml.split('<entry>').length - 1, 1);
  assert.ok(xml.includes(`console/watches#${watch}`));
  for (const other of [
    path.slice(0, -1),
    `${path}x`,
    `/feeds/${id}`,
    `/feeds/${id}.`,
    '/feeds/x.y',
  ]) {
    assert.equal((await get(other)).status, 404, other);
  }
  const shown = await running.call('GET', `/v1/channels/${id}`);
  assert.ok(!JSON.stringify(shown.body).includes(path.split('.')[1] ?? '-'));
  if (has('python3', '-c', '0') && spawnSync('python3', ['-c', 'import feedparser']).status === 0) {
    const parser = spawnSync('python3', ['-c', PARSE], { input: xml, encoding: 'utf8' });
    const read = json(parser.stdout);
    assert.deepEqual(
      [read['bad'], read['version'], read['title']],
      [false, 'atom10', 'Prices & <more>'],
    );
    const [[title, link, type, content]] = read['entries'] as [[string, string, string, string]];
    assert.match(title, /Lamp.*\$35\.00/);
    assert.match(link, /\/lamp$/);
    assert.equal(type, 'text/html');
    assert.match(content, /<li>Before: \$50\.00<\/li>/);
  }
  await running.call('DELETE', `/v1/channels/${id}`);
  assert.equal((await get(path)).status, 404);
});

test('nothing is sent in quiet hours, and everything in order when they are over', async () => {
  await using receiver = await startReceiver();
  await using running = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  // It is 12:00 UTC, 13:00 in Berlin.
  const schedule = { time_zone: 'Europe/Berlin', quiet_from: '12:30', quiet_until: '14:00' };
  const { id } = await channel(running, { kind: 'apprise', url: `${receiver.url}/a`, schedule });
  const watch = await running.watch({ identifier: '614141000005', channels: [id] });
  const { app } = running.service;
  await running.tell(watch);
  running.clock.advance(1);
  await running.tell(watch);
  await app.deliverNotices();
  running.clock.advance(HOUR_MS - 60_000);
  await app.deliverNotices();
  assert.equal(receiver.received.length, 0);
  running.clock.advance(60_000);
  await app.deliverNotices();
  assert.equal(receiver.received.length, 2);
  const shown = await running.call('GET', `/v1/channels/${id}`);
  assert.deepEqual((shown.body['channel'] as Sent)['schedule'], schedule);
  running.clock.advance(23 * HOUR_MS);
  await running.tell(watch);
  await app.deliverNotices();
  assert.equal(receiver.received.length, 2, 'they come again the next day');
  await running.call('PATCH', `/v1/channels/${id}`, { schedule: null });
  await app.deliverNotices();
  assert.equal(receiver.received.length, 3, 'without them it is sent at once');
});

test('a digest is one message a day with a line for each notice, tried again as any', async () => {
  await using receiver = await startReceiver();
  await using running = await startWatchService({
    OPENSHELF_NOTIFY_ALLOW: receiver.place,
    OPENSHELF_PUBLIC_URL: PUBLIC,
  });
  const schedule = { time_zone: 'UTC', digest_at: '18:00' };
  const { id } = await channel(running, { kind: 'apprise', url: `${receiver.url}/a`, schedule });
  const { app } = running.service;
  for (const name of ['lamp', 'vase', 'rug']) {
    const identifier = running.prices(`/${name}`, '50.00');
    await running.tell(await running.watch({ identifier, channels: [id] }));
  }
  await app.deliverNotices();
  assert.equal(receiver.received.length, 0);
  running.clock.advance(6 * HOUR_MS);
  receiver.answers(503);
  await app.deliverNotices();
  receiver.answers(200);
  running.clock.advance(60_000);
  await app.deliverNotices();
  assert.equal(receiver.received.length, 2);
  const { title, body } = json(receiver.received[1]?.body);
  assert.equal(title, '3 notifications');
  for (const name of ['lamp', 'vase', 'rug'])
    assert.match(String(body), new RegExp(`\\d: .*/${name}`));
  assert.ok(String(body).endsWith(`Your watches: ${PUBLIC}/console/watches`));
  const watch = await running.watch({ identifier: '614141000005', channels: [id] });
  await running.tell(watch);
  await app.deliverNotices();
  assert.equal(receiver.received.length, 2, 'the next day has its own');
  running.clock.advance(24 * HOUR_MS);
  await app.deliverNotices();
  assert.match(String(json(receiver.received[2]?.body)['title']), /^Test of a watch/);
  assert.deepEqual(
    (await running.deliveries(watch)).map(({ state }) => state),
    ['delivered'],
  );
});

test('a digest that failed is tried again that day, also if another notice comes meanwhile, and survives a clock set back', async () => {
  await using receiver = await startReceiver();
  await using running = await startWatchService({ OPENSHELF_NOTIFY_ALLOW: receiver.place });
  const schedule = { time_zone: 'UTC', digest_at: '18:00' };
  const { id } = await channel(running, { kind: 'apprise', url: `${receiver.url}/a`, schedule });
  const { app } = running.service;
  const watch = (name: string) =>
    running.watch({ identifier: running.prices(`/${name}`, '50.00'), channels: [id] });
  for (const name of ['lamp', 'vase']) await running.tell(await watch(name));
  running.clock.advance(6 * HOUR_MS);
  receiver.answers(503);
  for (const seconds of [0, 60, 60, 130]) {
    running.clock.advance(seconds * 1_000);
    await app.deliverNotices();
  }
  assert.equal(receiver.received.length, 4);
  receiver.answers(200);
  const rug = await watch('rug');
  await running.tell(rug);
  // The channel rests for five minutes, its notices for ten.
  for (const minutes of [6, 5]) {
    running.clock.advance(minutes * MINUTE_MS);
    await app.deliverNotices();
  }
  assert.equal(receiver.received.length, 5);
  assert.match(String(json(receiver.received[4]?.body)['title']), /^2 notifications/);
  assert.deepEqual(
    (await running.deliveries(rug)).map(({ state }) => state),
    ['waiting'],
  );
  running.clock.advance(-20 * 24 * HOUR_MS);
  await running.service.app.store.sql.write(wakeChannels(running.clock.now()));
  await app.deliverNotices();
  assert.deepEqual(
    (await running.deliveries(rug)).map(({ state }) => state),
    ['delivered'],
  );
});

test('programs have no quiet hours, and wrong times are refused', async () => {
  await using running = await startWatchService();
  const times = { time_zone: 'UTC', digest_at: '08:00' };
  for (const [body, parameter] of [
    [{ kind: 'feed', schedule: times }, 'schedule'],
    [
      { kind: 'ntfy', url: 'https://ntfy.sh/t', schedule: { ...times, time_zone: 'Mars' } },
      'schedule.time_zone',
    ],
    [
      { kind: 'ntfy', url: 'https://ntfy.sh/t', schedule: { ...times, digest_at: '24:00' } },
      'schedule.digest_at',
    ],
    [
      { kind: 'ntfy', url: 'https://ntfy.sh/t', schedule: { ...times, quiet_from: '22:00' } },
      'schedule',
    ],
  ] as const) {
    const { status, body: problem } = await running.call('POST', '/v1/channels', body);
    assert.deepEqual([status, problem['parameter']], [400, parameter], JSON.stringify(problem));
  }
  const { body } = await running.call('GET', '/v1/channels');
  const kinds = body['kinds'] as readonly string[];
  assert.deepEqual(
    [kinds.includes('email'), kinds.includes('mqtt'), kinds.includes('feed')],
    [false, false, true],
  );
});

async function freePort(): Promise<number> {
  const server = createPort();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
