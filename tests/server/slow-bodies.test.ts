// Clients that never finish their request bodies: they block no one, and what they held is released once they are gone.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { after, afterEach, before, test } from 'node:test';

import { startService, type Service } from '../support/service.ts';

let service: Service;
let another: string;
const open = new Set<Socket>();

before(async () => {
  service = await startService();
  another = await service.newKey({ organization: 'another', note: null });
});

afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await untilNothingIsInHand();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

type Client = { readonly socket: Socket; readonly said: () => string };

/** Sends a head and the beginning of a body. */
function begin(line: string, fields: readonly string[], body: string): Client {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  open.add(socket);
  let said = '';
  socket.setEncoding('latin1').on('data', (text: string) => (said += text));
  socket.on('error', () => undefined);
  socket.write([`${line} HTTP/1.1`, 'Host: shelf.example', ...fields, '', body].join('\r\n'));
  return { socket, said: () => said };
}

async function statusOf(client: Client): Promise<string> {
  while (!client.said().includes('\r\n\r\n')) await once(client.socket, 'data');
  return client.said().slice(9, 12);
}

async function inHand(): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const samples = text.matchAll(/^openshelf_in_hand\{kind="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, kind, value]) => [kind, Number(value)]));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 2_000; round += 1) {
    if (await isSo()) return;
    await setImmediate();
  }
  assert.fail(`in hand: ${JSON.stringify(await inHand())}`);
}

function untilNothingIsInHand(): Promise<void> {
  return until(async () => {
    const { lookup, fetching, writing, waiting } = await inHand();
    return lookup === 0 && fetching === 0 && writing === 0 && waiting === 0;
  });
}

/** Opens `count` clients whose requests the service has all started. */
async function begun(count: number, make: () => Client): Promise<readonly Client[]> {
  const { connections: before = 0 } = await inHand();
  const clients = Array.from({ length: count }, make);
  await until(async () => ((await inHand())['connections'] ?? 0) >= before + count);
  return clients;
}

/** Checks that a call with this key is answered while each of the clients still waits. */
async function isAnsweredBefore(clients: readonly Client[], key: string): Promise<void> {
  const { status } = await service.get('/v1/usage', { authorization: `Bearer ${key}` });
  assert.equal(status, 200);
  assert.ok(clients.every(({ said }) => said() === ''));
}

const JSON_BODY = ['Content-Type: application/json', 'Content-Length: 1000'];

for (const [line, fields, body] of [
  ['POST /v1/watches', JSON_BODY, '{'],
  ['PATCH /v1/channels/one', JSON_BODY, '{'],
  ['POST /mcp', JSON_BODY, '{'],
  ['POST /v1/products/4006381333931/refresh', ['Content-Length: 2'], '{'],
  ['POST /nowhere', ['Transfer-Encoding: chunked'], '1\r\n \r\n'],
] as const) {
  test(`eight clients without a key that never finish the body of ${line} hold up nobody`, async () => {
    const clients = await begun(8, () => begin(line, fields, body));
    await isAnsweredBefore(clients, another);
    await untilNothingIsInHand();
    assert.ok(clients.every(({ said }) => said() === ''));
  });
}

test('four files of one organization that never end keep out a fifth of it, and nobody else', async () => {
  const file = (key: string, body: string) =>
    begin(
      'POST /console/sheet?name=a.csv',
      [`Authorization: Bearer ${key}`, 'Content-Length: 16'],
      body,
    );
  const clients = await begun(4, () => file(service.key, 'U'));
  await isAnsweredBefore(clients, another);
  await untilNothingIsInHand();
  assert.equal(await statusOf(file(service.key, 'UPC\n614141000005')), '503');
  assert.equal(await statusOf(file(another, 'UPC\n614141000005')), '200');
  assert.ok(clients.every(({ said }) => said() === ''));
});

test('a body that comes in pieces is read as one that comes whole, and its room is given back', async () => {
  const key = `Authorization: Bearer ${another}`;
  for (const [line, fields, pieces, status] of [
    ['POST /v1/watches', [key, 'Content-Length: 2'], ['{', '}'], '400'],
    ['POST /v1/watches', ['Content-Length: 2'], ['{', '}'], '401'],
    ['POST /v1/watches', [key, 'Content-Length: 70000'], ['{'], '413'],
    ['POST /v1/watches', [key, 'Transfer-Encoding: chunked'], ['1\r\n{\r\n', '0\r\n\r\n'], '400'],
    ['POST /v1/products/123/refresh', [key, 'Content-Length: 2'], ['{', '}'], '400'],
    ['POST /v1/products/123/refresh', [key, 'Content-Length: 2'], ['x', 'y'], '413'],
    ['GET /v1/usage', [key, 'Content-Length: 2'], ['x'], '413'],
    ['POST /livez', ['Content-Length: 2'], ['{', '}'], '405'],
  ] as const) {
    const [first, ...others] = pieces;
    const [client] = await begun(1, () => begin(line, fields, first));
    assert.ok(client !== undefined);
    await untilNothingIsInHand();
    for (const piece of others) client.socket.write(piece);
    assert.equal(await statusOf(client), status, line);
    client.socket.destroy();
    await untilNothingIsInHand();
  }
});

test('one address may have 32 arriving bodies; a further call is refused with Retry-After, and accepted once they have arrived', async () => {
  const slow = () => begin('POST /v1/watches', JSON_BODY, '{');
  const clients = await begun(32, slow);
  await untilNothingIsInHand();
  const refused = slow();
  assert.equal(await statusOf(refused), '503');
  assert.match(refused.said(), /"code":"overloaded"/);
  const whole = begin('POST /v1/watches', ['Content-Length: 2'], '{}');
  assert.equal(await statusOf(whole), '401');
  for (const { socket } of clients) socket.destroy();
  refused.socket.destroy();
  whole.socket.destroy();
  await until(async () => (await inHand())['connections'] === 1);
  const [late] = await begun(1, slow);
  assert.ok(late !== undefined);
  late.socket.write(`${' '.repeat(998)}}`);
  assert.equal(await statusOf(late), '401');
});

/** Returns the number of answers of a route so far, by status. */
async function answered(route: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const samples = text.matchAll(
    /^openshelf_http_requests_total\{route="([^"]+)",method="POST",status="(\d+)"\} (\d+)$/gm,
  );
  const ofRoute = [...samples].filter(([, of]) => of === route);
  return Object.fromEntries(ofRoute.map(([, , status = '', count]) => [status, Number(count)]));
}

for (const [route, fields] of [
  ['/v1/watches', []],
  ['/mcp', []],
  ['/v1/products/{id}/refresh', []],
  ['/v1/products/batch', ['its key']],
  ['/console/sheet', ['its key']],
] as const) {
  test(`a client that breaks off the body of ${route} has made a mistake: it is not a failure of the service`, async () => {
    const before = (await answered(route))['400'] ?? 0;
    const line = `POST ${route.replace('{id}', '4006381333931')}`;
    const key = fields.map(() => `Authorization: Bearer ${another}`);
    const length = route.includes('{id}') ? '2' : '1000';
    const own = [...key, 'Content-Type: application/json', `Content-Length: ${length}`];
    const [client] = await begun(1, () => begin(line, own, '{'));
    await untilNothingIsInHand();
    client?.socket.destroy();
    await until(async () => ((await answered(route))['400'] ?? 0) > before);
    assert.equal((await answered(route))['500'], undefined);
  });
}

test('after a batch that is refused for its length the same connection goes on', async () => {
  const body = 'x'.repeat(800_000);
  const fields = [
    `Authorization: Bearer ${service.key}`,
    'Content-Type: application/x-ndjson',
    `Content-Length: ${body.length}`,
  ];
  const client = begin('POST /v1/products/batch', fields, body);
  assert.equal(await statusOf(client), '413');
  assert.match(client.said(), /\r\nConnection: keep-alive\r\n/i);
  client.socket.write('GET /livez HTTP/1.1\r\nHost: shelf.example\r\n\r\n');
  while (!client.said().includes('"status":"ok"')) {
    await Promise.race([once(client.socket, 'data'), once(client.socket, 'close')]);
    assert.ok(!client.socket.destroyed, 'the connection has ended');
  }
});
