// What one connection, one address and a stop may cost: a listener on loopback whose answers the test holds back.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import { systemClock } from '../../src/edge/wiring/clocks.ts';
import type { Answer, AnswerBody } from '../../src/server/answer.ts';
import { newCall } from '../../src/server/call.ts';
import { createHeads } from '../../src/server/headers.ts';
import { createGate } from '../../src/server/listen/gate.ts';
import type { Exchange } from '../../src/server/listen/connection-book.ts';
import { listen, type Listener } from '../../src/server/listen/listener.ts';
import { Problem } from '../../src/answer/wire/problem.ts';
import { get, LIMITS, openClient, until, type Client } from '../support/plain-client.ts';

type Set = AsyncDisposable & {
  readonly listener: Listener;
  /** Requests whose answers are held back, oldest first. */
  readonly held: (() => void)[];
  most: number;
  readonly refused: string[];
  readonly open: () => Client;
};

async function start(limits: Partial<typeof LIMITS> = {}, behindProxy = false): Promise<Set> {
  const held: (() => void)[] = [];
  const refused: string[] = [];
  let running = 0;
  const set = { most: 0 };
  const hold = async () => {
    running += 1;
    set.most = Math.max(set.most, running);
    await new Promise<void>((resolve) => held.push(resolve));
    running -= 1;
    return 'held';
  };
  const bodies: Readonly<Record<string, () => AnswerBody | Promise<AnswerBody>>> = {
    '/held': hold,
    '/quick': () => 'quick',
    '/large': () => Buffer.alloc(32_000_000, 'x'),
    '/livez': () => 'healthy',
  };
  const answerTo = async (path: string): Promise<Answer> => {
    const body = await bodies[path]?.();
    const headers = { 'content-type': 'text/plain' };
    return { status: body === undefined ? 404 : 200, headers, body: body ?? null };
  };
  const newId = () => '000000000-00000000000000000000';
  const listener = await listen(
    { host: '127.0.0.1', port: 0, behindProxy, limits: { ...LIMITS, ...limits } },
    { newId, isHeapFull: () => false, answerAlive: null },
  );
  listener.answerBy((room) =>
    createGate(room, {
      clock: systemClock,
      newId,
      log: { error: (line) => assert.fail(line) },
      writeHead: createHeads([]),
      isCached: () => false,
      answer: async (asked, share) => ({
        call: newCall(asked, share, newId(), 0),
        answer: await answerTo(asked.path),
      }),
      requestRefused: ({ asked, status }) => refused.push(`${asked.path} ${status}`),
    }),
  );
  return Object.assign(set, {
    listener,
    held,
    refused,
    open: () => openClient(Number(new URL(listener.url).port)),
    [Symbol.asyncDispose]: async () => {
      held.forEach((answer) => answer());
      await listener.close(0);
    },
  });
}

test('requests that a client pipelines are answered one after the other, in their order', async () => {
  await using set = await start();
  const { socket, until: received } = set.open();
  socket.write(get('/held') + get('/quick') + get('/held') + get('/livez'));
  await until(() => set.held.length === 1);
  set.held[0]?.();
  await until(() => set.held.length === 2);
  assert.equal(set.most, 1);
  set.held[1]?.();
  const text = await received('healthy');
  assert.deepEqual(
    text.match(/\r\n\r\n(?:held|quick|healthy)/g)?.map((each) => each.trim()),
    ['held', 'quick', 'held', 'healthy'],
  );
});

test('a client that closes its own side after its request has its answer, and then the end', async () => {
  await using set = await start({ halfOpenMs: 60_000 });
  const { port } = new URL(set.listener.url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const answered = text(socket);
  socket.end(get('/held'));
  await until(() => set.held.length === 1);
  // The end has arrived when what another client sent after it is answered.
  const other = set.open();
  other.socket.write(get('/quick'));
  await other.until('quick');
  set.held[0]?.();
  assert.match(await answered, /^HTTP\/1\.1 200 [^]*held$/);
});

test('whoever closes after a call that takes long has broken off: the call ends with the connection', async () => {
  await using set = await start({ halfOpenMs: 1 });
  const { socket, ended } = set.open();
  socket.write(get('/held'));
  await until(() => set.held.length === 1);
  socket.end();
  await ended;
  await until(() => set.listener.inHand().connections === 0);
});

test('a connection without a request is closed after the time that its Keep-Alive header states', async () => {
  await using set = await start({ keepAliveMs: 1_000 });
  const { socket, until: received } = set.open();
  socket.write(get('/quick'));
  assert.match(await received('quick'), /^Keep-Alive: timeout=1, max=1000\r$/m);
  await once(socket, 'close');
});

test('a request that expects what nobody knows is answered in its turn, like any other', async () => {
  await using set = await start();
  const { socket, until: received } = set.open();
  socket.write(get('/quick', 'Expect: a-miracle\r\n') + get('/livez'));
  const text = await received('healthy');
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200']);
});

test('a client that pipelines hundreds of requests and reads gets every answer', async () => {
  await using set = await start();
  const { socket, until: received } = set.open();
  socket.write(get('/quick').repeat(400) + get('/livez'));
  assert.equal((await received('healthy')).match(/quick/g)?.length, 400);
});

test('connections that together pipeline more than may wait are cut, and others are served', async () => {
  await using set = await start();
  const clients = Array.from({ length: 10 }, () => set.open());
  const closed = clients.map(({ socket }) => once(socket, 'close'));
  for (const { socket } of clients) socket.write(get('/held').repeat(400));
  await Promise.race(closed);
  const { socket, until: received } = set.open();
  socket.write(get('/quick'));
  await received('quick');
});

test('a client that does not receive its answer is cut', async () => {
  await using set = await start({ sendMs: 1_000 });
  const { socket } = set.open();
  socket.pause();
  socket.write(get('/large'));
  await until(() => set.listener.inHand().connections === 1);
  await until(() => set.listener.inHand().connections === 0);
});

test('for a new connection over the limit the longest idle one is closed', async () => {
  await using set = await start({ maxPerAddress: 3 });
  const first = set.open();
  const second = set.open();
  first.socket.write(get('/quick'));
  await first.until('quick');
  second.socket.write(get('/quick'));
  await second.until('quick');
  const third = set.open();
  third.socket.write(get('/held'));
  await until(() => set.held.length === 1);
  const firstClosed = once(first.socket, 'close');
  const fourth = set.open();
  fourth.socket.write(get('/quick'));
  await fourth.until('quick');
  await firstClosed;
  assert.equal(second.socket.destroyed, false);
});

test('where every connection is in use, a new one is refused with 503 and closed', async () => {
  await using set = await start({ maxConnections: 2 });
  for (const { socket } of [set.open(), set.open()]) socket.write(get('/held'));
  await until(() => set.held.length === 2);
  const { socket, text } = set.open();
  await once(socket, 'close');
  assert.match(text(), /^HTTP\/1\.1 503 /);
  const body = Problem.parse(JSON.parse(text().split('\r\n\r\n')[1] ?? ''));
  assert.deepEqual([body.code, body.tokens_consumed], ['overloaded', 0]);
});

test('behind a proxy the requests in progress of one forwarded address are limited, and of no other', async () => {
  await using set = await start({ maxPerAddress: 1 }, true);
  const from = (address: string) => `X-Forwarded-For: 1.1.1.1, ${address}\r\n`;
  set.open().socket.write(get('/held', from('192.0.2.1')));
  await until(() => set.held.length === 1);
  const { socket, until: received } = set.open();
  socket.write(get('/quick', from('192.0.2.1')));
  await received(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: \d+\r\n/);
  socket.write(get('/quick', from('192.0.2.2')));
  await received('\r\n\r\nquick');
  socket.write(get('/livez', from('192.0.2.1')));
  await received('\r\n\r\nhealthy');
  assert.deepEqual(set.refused, ['/quick 503']);
});

test('behind a proxy a request is in progress until its answer is received', async () => {
  await using set = await start({ maxPerAddress: 1 }, true);
  const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;
  const reader = set.open();
  reader.socket.write(get('/large', from('192.0.2.1')));
  await reader.until('200');
  reader.socket.pause();
  const { socket, until: received } = set.open();
  socket.write(get('/quick', from('192.0.2.1')));
  await received(/^HTTP\/1\.1 503 /);
  reader.socket.resume();
  await once(reader.socket.end(), 'close');
  socket.write(get('/quick', from('192.0.2.1')));
  await received('\r\n\r\nquick');
});

test('health is answered while everything else waits', async () => {
  await using set = await start({ maxLookups: 1 });
  set.open().socket.write(get('/held'));
  await until(() => set.held.length === 1);
  set.open().socket.write(get('/quick'));
  await until(() => set.listener.inHand().waiting === 1);
  const { socket, until: received } = set.open();
  socket.write(get('/livez'));
  await received('healthy');
});

test('who has given up before there is anybody who answers is not answered, and takes no memory', async () => {
  const read: string[] = [];
  const answerAlive = ({ request }: Exchange) => {
    read.push(request.url ?? '');
    return false;
  };
  const parts = { newId: () => '0', isHeapFull: () => false, answerAlive };
  const listener = await listen(
    { host: '127.0.0.1', port: 0, behindProxy: false, limits: LIMITS },
    parts,
  );
  try {
    const { port } = new URL(listener.url);
    const gone = openClient(Number(port));
    gone.socket.write(get('/gone'));
    const there = openClient(Number(port));
    there.socket.write(get('/there'));
    await until(() => read.length === 2);
    gone.socket.destroy();
    await until(() => listener.inHand()['connections'] === 1);
    const begun: string[] = [];
    listener.answerBy(() => ({
      begin: ({ request, response }) => {
        begun.push(request.url ?? '');
        response.end('answered');
      },
      again: () => null,
    }));
    await there.until('answered');
    assert.deepEqual(begun, ['/there']);
  } finally {
    await listener.close(0);
  }
});

test('a request that cannot be read is refused in words and counted, and gives its place back', async () => {
  await using set = await start({ maxLookups: 1 });
  for (const request of [
    'GET /a\\ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: bad host\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
  ]) {
    const { socket, until: received } = set.open();
    socket.write(request);
    const text = await received('}');
    assert.match(text, /^HTTP\/1\.1 400 [\s\S]*\r\nx-request-id: 0{9}-\d{20}\r\n/);
    assert.match(text, /"code":"invalid_parameter"[\s\S]*"tokens_consumed":0/);
  }
  assert.deepEqual(
    set.refused,
    ['/a\\', 'ftp://a/', 'http://a:99999/', '*', '/', '/'].map((path) => `${path} 400`),
  );
  const { socket, until: received } = set.open();
  socket.write(get('/quick'));
  await received('quick');
  assert.equal(set.listener.inHand()['lookup'], 0);
});

test('a health check in HTTP/1.0, which knows no Host, is answered', async () => {
  await using set = await start();
  for (const path of ['/livez', '/quick']) {
    const { socket, until: received } = set.open();
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    await received(/^HTTP\/1\.1 200 [\s\S]*(?:healthy|quick)$/);
  }
  assert.deepEqual(set.refused, []);
});

test('two Host fields are refused', async () => {
  await using set = await start();
  const { socket, until: received } = set.open();
  socket.write(get('/quick', 'Host: b\r\n'));
  await received(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*one Host header/);
  assert.deepEqual(set.refused, ['/quick 400']);
});

test('in a stop every answer says Connection: close, new connections are served, and no answer is cut', async () => {
  await using set = await start();
  const busy = set.open();
  busy.socket.write(get('/held'));
  await until(() => set.held.length === 1);
  const closing = set.listener.closeConnections(60_000);
  const late = set.open();
  late.socket.write(get('/quick'));
  assert.match(await late.until('quick'), /\r\nConnection: close\r\n/);
  await once(late.socket, 'close');
  set.held[0]?.();
  assert.match(await busy.until('\r\n\r\nheld'), /\r\nConnection: close\r\n/);
  await closing;
  await set.listener.close(60_000);
});

test('what was pipelined before a stop is answered, and only the last answer says Connection: close', async () => {
  await using set = await start();
  const { socket, until: received } = set.open();
  socket.write(get('/held'));
  await until(() => set.held.length === 1);
  const closing = set.listener.closeConnections(60_000);
  socket.write(get('/quick') + get('/livez'));
  await until(() => set.listener.inHand().connections === 1 && set.held.length === 1);
  // Both have arrived once a later request on another connection is answered.
  const other = set.open();
  other.socket.write(get('/quick'));
  await other.until('quick');
  set.held[0]?.();
  const text = await received('healthy');
  assert.equal(text.match(/\r\nConnection: close\r\n/g)?.length, 1);
  assert.ok(text.lastIndexOf('Connection: close') > text.indexOf('quick'));
  await closing;
});

test('a stop whose time is over cuts what is left', async () => {
  await using set = await start();
  const { socket } = set.open();
  socket.write(get('/held'));
  await until(() => set.held.length === 1);
  const cut = once(socket, 'close');
  await set.listener.close(0);
  await cut;
});
