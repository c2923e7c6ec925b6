// The stream of changes: how it ends, and how many there are at once (D70).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import { insertChange } from '../../src/data/watches/watch-writes.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';

async function organizationOf({ app }: Service): Promise<string> {
  const organization = await app.store.accounts.findOrganization('test');
  assert.ok(organization);
  return organization.id;
}

/** A price change to this many cents. */
function priceChange(organizationId: string, after: number) {
  const place = { retailer: 'acorn', url: null, title: null, gtin: null };
  const change = { kind: 'price', field: 'price', before: after - 1, after } as const;
  const body = { ...change, ...place, observedAtMs: 0 };
  return insertChange(organizationId, { change, listingId: 'one', body }, Date.now());
}

function changeWriter({ app }: Service, organizationId: string) {
  return async (after: number) => {
    await app.store.sql.write(priceChange(organizationId, after));
  };
}

test('a stream ends with its last number when the service stops, and is taken up after it without a gap', async () => {
  await using service = await startService();
  const { store } = service.app;
  const organizationId = await organizationOf(service);
  const write = changeWriter(service, organizationId);
  for (let cents = 1; cents <= 250; cents += 1) await write(cents);
  const open = async (from: string) => {
    const response = await fetch(`${service.url}/v1/changes`, {
      headers: {
        authorization: `Bearer ${service.key}`,
        accept: 'text/event-stream',
        'last-event-id': from,
      },
    });
    assert.equal(response.status, 200);
    return response;
  };
  const response = await open('0');
  const reading = response.text();
  await write(251);
  const stopping = service.app.stop(20_000, 2_000);
  // While it is stopping, streams can still start, and end at once.
  const text = await reading;
  const ids = [...text.matchAll(/^event: change\n(?:.*\n)*?id: (\d+)$/gm)].map(([, id]) =>
    Number(id),
  );
  const bye = /event: bye\n(?:.*\n)*?id: (\d+)/.exec(text)?.[1] ?? '';
  assert.equal(Number(bye), ids.at(-1) ?? 0, 'the last event that it names was sent');
  const rest = await store.watches.findChanges(organizationId, Number(bye), 1_000);
  const all = await store.watches.findChanges(organizationId, 0, 1_000);
  assert.equal(all.length, 251);
  assert.deepEqual(
    [...ids, ...rest.map(({ seq }) => seq)],
    all.map(({ seq }) => seq),
  );
  assert.match(text, /^retry: \d+\n/);
  await stopping;
});

test('a stream ends with its key, and shows nothing that comes behind', async () => {
  await using service = await startService();
  const key = await service.newKey({ organization: 'test', note: null });
  const response = await fetch(`${service.url}/v1/changes`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
  });
  const reading = response.text();
  await service.app.store.accounts.revokeKey(key.slice(9, 17), Date.now());
  await changeWriter(service, await organizationOf(service))(1);
  assert.match(await reading, /^retry: \d+\nid: 0\n\nevent: bye\n/);
});

test('a stream whose cursor has expired ends like any other, and its client learns why when it reconnects', async () => {
  await using service = await startService();
  const organizationId = await organizationOf(service);
  const headers = { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' };
  const from = { ...headers, 'last-event-id': '0' };
  const reading = (await fetch(`${service.url}/v1/changes`, { headers: from })).text();
  await service.app.store.sql.write([
    ...priceChange(organizationId, 1),
    { text: 'update feeds set pruned_seq = last_seq' },
    { text: 'delete from changes' },
  ]);
  assert.match(await reading, /\n\nevent: bye\ndata: \nid: 0\n\n$/);
  const again = await fetch(`${service.url}/v1/changes`, { headers: from });
  assert.equal(again.status, 410);
});

test('a client that asks from nowhere begins with what comes from now on', async () => {
  await using service = await startService();
  const before = await service.get('/v1/changes');
  assert.deepEqual(before.body['changes'], []);
  assert.equal(before.body['next'], '0');
  const wrong = await service.get('/v1/changes', {
    authorization: `Bearer ${service.key}`,
    accept: 'text/event-stream',
    'last-event-id': 'x',
  });
  assert.equal(wrong.status, 400);
  assert.equal(wrong.body['parameter'], 'Last-Event-ID');
});

/** How many streams of one organization may be open at once. */
const MOST = 32;

test('an organization at its limit of streams is refused, others are not, and a stream that ends frees its place', async () => {
  // The streams' own clock stands still: they send nothing that would reveal that their clients have gone.
  await using service = await startService({ clock: stillClock(Date.now()) });
  // A stream whose response is not referenced is dropped at the next garbage collection.
  const stored: Response[] = [];
  const open = async (key: string, leave: AbortSignal | null = null) => {
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
    const response = await fetch(`${service.url}/v1/changes`, { headers, signal: leave });
    stored.push(response);
    return response.status === 200 ? null : ((await response.json()) as Record<string, unknown>);
  };
  const leaving = new AbortController();
  for (let count = 0; count < MOST; count += 1) {
    assert.equal(await open(service.key, leaving.signal), null);
  }
  const refused = await open(service.key);
  assert.equal(refused?.['code'], 'throttled');
  assert.match(String(refused?.['detail']), /32 streams/);
  assert.equal((await service.get('/v1/changes')).status, 200, 'pages are not streams');
  const other = await service.newKey({ organization: 'other', note: null });
  assert.equal(await open(other), null);
  leaving.abort();
  // The other connections may end some turns later.
  for (let opened = 0, asked = 0; opened < MOST; asked += 1) {
    assert.ok(asked < 3_000, `only ${opened} of ${MOST} places were given back`);
    if ((await open(service.key)) === null) opened += 1;
    else await setImmediate();
  }
  assert.equal((await open(service.key))?.['code'], 'throttled');
});

test('HEAD asks for no stream, and takes no place of one', async () => {
  await using service = await startService();
  const headers = { authorization: `Bearer ${service.key}`, accept: 'text/event-stream' };
  for (let count = 0; count <= MOST; count += 1) {
    const { status } = await fetch(`${service.url}/v1/changes`, { method: 'HEAD', headers });
    assert.equal(status, 200);
  }
});

test('a stream says that the connection ends with it where its client wants that', async () => {
  await using service = await startService();
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  const fields = ['Host: localhost', 'Connection: close', 'Accept: text/event-stream'];
  const key = `Authorization: Bearer ${service.key}`;
  socket.write(['GET /v1/changes HTTP/1.1', ...fields, key, '', ''].join('\r\n'));
  let said = '';
  socket.on('data', (piece) => (said += piece.toString('latin1')));
  while (!said.includes('\r\n\r\n')) await once(socket, 'data');
  assert.match(said, /\r\nconnection: close\r\n/i);
  socket.destroy();
});
