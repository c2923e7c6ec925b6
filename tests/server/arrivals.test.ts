// A request whose head arrived before on its connection may be answered without node:http, and no other may: whatever a client
// sends, and however it is split, each request gets its own answer, in order. Listeners on loopback, and clients that send
// plain bytes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';

import type { AnswerRepeat } from '../../src/server/listen/arrivals.ts';
import type { Exchange } from '../../src/server/listen/connection-book.ts';
import { listen, type Listener } from '../../src/server/listen/listener.ts';
import { get, LIMITS, nextTurn, openClient, until, type Client } from '../support/plain-client.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';

type Set = AsyncDisposable & {
  readonly listener: Listener;
  /** Requests read by node:http, and those answered without it. */
  readonly read: string[];
  readonly repeated: string[];
  /** Calls that were admitted without node:http and have not ended. */
  inHand: number;
  readonly open: () => Client;
};

type SendLines = Parameters<NonNullable<ReturnType<AnswerRepeat>>>[0];

type Behaviour = {
  /** Answers a request whose head is known; absent: at once, for every such path containing `kept`. */
  readonly repeat?: (send: SendLines, target: string, requestId?: string) => void;
  /** Answers a request that node:http has read; absent: at once. */
  readonly begin?: (exchange: Exchange, answer: () => void) => void;
};

const LINES = (length: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n`;

async function start(behaviour: Behaviour = {}, limits: Partial<typeof LIMITS> = {}): Promise<Set> {
  const read: string[] = [];
  const repeated: string[] = [];
  const counts = { inHand: 0 };
  const listener = await listen(
    { host: '127.0.0.1', port: 0, behindProxy: false, limits: { ...LIMITS, ...limits } },
    { newId: () => 'id', isHeapFull: () => false, answerAlive: null },
  );
  listener.answerBy(() => ({
    begin: (exchange) => {
      const { request, response } = exchange;
      read.push(request.url ?? '');
      const answer = async () => {
        let body = '';
        for await (const piece of request.setEncoding('latin1')) body += String(piece);
        response.end(
          `${request.method} ${request.url} ${String(request.headers['x-request-id'] ?? '')}${body}`,
        );
      };
      if (behaviour.begin === undefined) void answer();
      else behaviour.begin(exchange, () => void answer());
    },
    again: ({ fields }, target) => {
      if (!target.includes('kept')) return null;
      repeated.push(target);
      counts.inHand += 1;
      return (send) => {
        const ending: SendLines = (lines, body, sent) => {
          send(lines, body, sent);
          counts.inHand -= 1;
        };
        (behaviour.repeat ?? sendText)(ending, target, fields.get('x-request-id'));
      };
    },
  }));
  return Object.assign(counts, {
    listener,
    read,
    repeated,
    open: () => openClient(Number(new URL(listener.url).port)),
    [Symbol.asyncDispose]: () => listener.close(0),
  });
}

function sendText(send: SendLines, target: string, requestId = ''): void {
  const body = `GET ${target} ${requestId}`;
  send(LINES(body.length), { bytes: Buffer.alloc(0), text: body }, () => undefined);
}

/** Returns the bodies of all answers. */
function bodies(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.slice(0, end + 2))?.[1] ?? NaN);
    if (end === -1 || Number.isNaN(length) || rest.length < end + 4 + length) break;
    found.push(rest.slice(end + 4, end + 4 + length));
    rest = rest.slice(end + 4 + length);
  }
  return found;
}

async function ask(client: Client, bytes: string, answers = 1): Promise<readonly string[]> {
  const before = bodies(client.text()).length;
  client.socket.write(bytes, 'latin1');
  await until(() => bodies(client.text()).length >= before + answers);
  return bodies(client.text()).slice(before);
}

test('a head that came before on its connection is not read again, whatever its path', async () => {
  await using set = await start();
  const one = set.open();
  await ask(one, get('/other'));
  assert.deepEqual(await ask(one, get('/kept')), ['GET /kept ']);
  assert.deepEqual(await ask(one, get('/kept/2?a=b')), ['GET /kept/2?a=b ']);
  assert.deepEqual(await ask(one, get('/new')), ['GET /new ']);
  assert.deepEqual(await ask(one, get('/kept')), ['GET /kept ']);
  assert.deepEqual(
    [set.read, set.repeated],
    [
      ['/other', '/new'],
      ['/kept', '/kept/2?a=b', '/kept'],
    ],
  );
  assert.equal(set.inHand, 0);
});

/** Fields that may have a different value each time, after a head that has them once and one that has others. */
const NOTES = (id: string) =>
  `X-Request-Id: ${id}\r\nTraceparent:00-${id}-01\r\nX-Amzn-Trace-Id: Root=${id}; Self=2\r\nCF-Ray: \r\n`;

test('a head in which only the id of its request and notes are others is not read again, and keeps its own id', async () => {
  await using set = await start();
  const one = set.open();
  await ask(one, get('/kept/1', NOTES('a')));
  await ask(one, get('/kept/2', NOTES('bb')));
  assert.deepEqual(await ask(one, get('/kept/3', NOTES('c-3'))), ['GET /kept/3 c-3']);
  assert.deepEqual(await ask(one, get('/new', NOTES('d'))), ['GET /new d']);
  assert.deepEqual(await ask(one, get('/kept/4', NOTES('bb'))), ['GET /kept/4 bb']);
  assert.deepEqual(set.repeated, ['/kept/3', '/kept/4']);
  assert.equal(set.inHand, 0);
});

/** Each follows heads that differ only in such fields. */
const OTHER_SHAPES: readonly (readonly [string, string])[] = [
  ['another value of a field that is read', `${NOTES('c')}Authorization: other\r\n`],
  ['one field less', 'X-Request-Id: c\r\nTraceparent:00-c-01\r\nCF-Ray: \r\n'],
  ['one field more', `${NOTES('c')}Idempotency-Key: c\r\n`],
  ['a field behind a note', NOTES('c\r\nIdempotency-Key: c')],
  ['a note of more than ASCII', NOTES('c\u00e9')],
  ['a note with a tab', NOTES('c\td')],
  ['an id with a blank behind it', NOTES('c ')],
  ['notes in another order', NOTES('c').split('\r\n').toReversed().join('\r\n').slice(2) + '\r\n'],
  ['notes of more than 2 KB', NOTES('c'.repeat(1_000))],
];

for (const [what, fields] of OTHER_SHAPES) {
  test(`${what} is for node:http, where notes change`, async () => {
    await using set = await start();
    const one = set.open();
    const own = what.includes('is read') ? 'Authorization: own\r\n' : '';
    await ask(one, get('/kept/1', NOTES('a') + own));
    await ask(one, get('/kept/2', NOTES('b') + own));
    await ask(one, get('/kept/3', NOTES('c') + own));
    await ask(one, get('/kept/4', fields));
    assert.deepEqual(set.repeated, ['/kept/3']);
    assert.deepEqual(set.read, ['/kept/1', '/kept/2', '/kept/4']);
  });
}

test('a request after a note in one piece is for node:http', async () => {
  await using set = await start();
  const one = set.open();
  const noted = (id: string) => get('/kept', `X-Request-Id: ${id}\r\nVia: ${id}\r\n`);
  for (const id of ['a', 'b']) await ask(one, noted(id));
  await ask(one, get('/kept', 'X-Request-Id: c\r\n') + noted('d'), 2);
  assert.deepEqual(set.repeated, []);
  assert.equal(set.read.length, 4);
});

test('what a head says is known on its own connection alone', async () => {
  await using set = await start();
  await ask(set.open(), get('/other'));
  await ask(set.open(), get('/kept'));
  assert.deepEqual(set.read, ['/other', '/kept']);
});

/** Each follows a known head; with the path that node:http has to read. */
const READ: readonly (readonly [string, string, number])[] = [
  ['another field', get('/kept', 'X-Request-Id: 1\r\n'), 1],
  ['a field in another spelling', 'GET /kept HTTP/1.1\r\nhost: a\r\n\r\n', 1],
  ['another method', 'HEAD /kept HTTP/1.1\r\nHost: a\r\n\r\n', 0],
  ['another version', 'GET /kept HTTP/1.0\r\nHost: a\r\n\r\n', 0],
  ['a body', 'GET /kept HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', 1],
  ['two requests at once', get('/kept') + get('/kept'), 2],
  [
    'a request in the body of another',
    `GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${get('/kept').length}\r\n\r\n${get('/kept')}`,
    1,
  ],
];

for (const [what, bytes, answers] of READ) {
  test(`${what} is for node:http, and everything after it`, async () => {
    await using set = await start();
    const one = set.open();
    await ask(one, get('/first'));
    await ask(one, get('/kept'));
    await ask(one, bytes, answers);
    await until(() => set.read.length > 1);
    assert.deepEqual(set.repeated, ['/kept']);
    assert.equal(set.inHand, 0);
  });
}

test('a head that comes in two pieces is for node:http', async () => {
  await using set = await start();
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept').slice(0, 9));
  await nextTurn();
  assert.deepEqual(await ask(one, get('/kept').slice(9)), ['GET /kept ']);
});

test('what follows the end of a body in one piece is never taken for one head, however it reads', async () => {
  await using set = await start();
  const one = set.open();
  await ask(one, get('/first'));
  const end = 'GET /kept HTTP/1.1\r\nUser-Agent: ';
  one.socket.write(`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${end.length}\r\n\r\n`);
  await until(() => set.read.length === 2);
  await ask(one, end + get('/kept'), 2);
  await ask(one, end + get('/kept'));
  await ask(one, get('/kept'));
  assert.deepEqual(set.repeated, []);
});

test('a head of more than 2 KB, or one that is never the same, is read each time', async () => {
  await using set = await start();
  const long = set.open();
  const fields = `User-Agent: ${'x'.repeat(2_100)}\r\n`;
  for (let round = 0; round < 3; round += 1) await ask(long, get('/kept', fields));
  const changing = set.open();
  for (let round = 0; round < 20; round += 1) {
    await ask(changing, get('/kept', `Authorization: ${round}\r\n`));
  }
  await ask(changing, get('/kept', 'Authorization: 19\r\n'));
  assert.deepEqual(set.repeated, []);
});

test('what comes while a repeated request is answered waits, and has its answer after it', async () => {
  const held: (() => void)[] = [];
  await using set = await start({
    repeat: (send, target) => held.push(() => sendText(send, target)),
  });
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept/1'));
  await until(() => held.length === 1);
  one.socket.write(get('/kept/2'));
  const other = set.open();
  await ask(other, get('/elsewhere'));
  assert.deepEqual(set.read, ['/first', '/elsewhere']);
  held[0]?.();
  await until(() => held.length === 2);
  held[1]?.();
  await until(() => bodies(one.text()).length === 3);
  assert.deepEqual(bodies(one.text()).slice(1), ['GET /kept/1 ', 'GET /kept/2 ']);
  assert.deepEqual(await ask(one, get('/last')), ['GET /last ']);
});

test('a head that came before waits while another request is answered, and has its answer after it', async () => {
  const held: (() => void)[] = [];
  await using set = await start({
    begin: ({ request }, answer) => {
      if (request.url === '/slow') held.push(answer);
      else answer();
    },
  });
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/slow'));
  await until(() => held.length === 1);
  one.socket.write(get('/kept'));
  await ask(set.open(), get('/elsewhere'));
  assert.deepEqual([bodies(one.text()), set.repeated], [['GET /first '], []]);
  held[0]?.();
  await until(() => bodies(one.text()).length === 3);
  assert.deepEqual(bodies(one.text()).slice(1), ['GET /slow ', 'GET /kept ']);
});

test('a repeated request whose answer takes its time is answered once, and what comes after it after it', async () => {
  await using set = await start({
    repeat: (send, target) => setImmediate(() => sendText(send, target)),
  });
  const one = set.open();
  await ask(one, get('/first'));
  assert.deepEqual(await ask(one, get('/kept')), ['GET /kept ']);
  assert.deepEqual(await ask(one, get('/kept') + get('/last'), 2), ['GET /kept ', 'GET /last ']);
  assert.deepEqual([set.read, set.repeated], [['/first', '/kept', '/last'], ['/kept']]);
  assert.equal(set.inHand, 0);
});

test('a client that is gone before its answer is there leaves nothing in hand, and its request is not read', async () => {
  const held: (() => void)[] = [];
  await using set = await start({
    repeat: (send, target) => held.push(() => sendText(send, target)),
  });
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept'));
  await until(() => held.length === 1);
  one.socket.destroy();
  await until(() => set.listener.inHand().connections === 0);
  const other = set.open();
  await ask(other, get('/other'));
  held[0]?.();
  assert.deepEqual(await ask(other, get('/again')), ['GET /again ']);
  assert.deepEqual(set.read, ['/first', '/other', '/again']);
  assert.equal(set.inHand, 0);
});

test('a client that has closed its own side before its repeated request is answered leaves nothing in hand', async () => {
  const held: (() => void)[] = [];
  await using set = await start({
    repeat: (send, target) => held.push(() => sendText(send, target)),
  });
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept'));
  await until(() => held.length === 1);
  one.socket.end();
  await once(one.socket, 'end');
  held[0]?.();
  await ask(set.open(), get('/other'));
  assert.deepEqual(set.read, ['/first', '/other']);
  assert.equal(set.inHand, 0);
});

test('the last request that a connection may have is answered with Connection: close, and nothing after it', async () => {
  await using set = await start({}, { maxRequestsPerConnection: 3, keepAliveMs: 600_000 });
  const one = set.open();
  await ask(one, get('/first'));
  await ask(one, get('/kept/2'));
  assert.match(
    one.text(),
    /Connection: keep-alive\r\nKeep-Alive: timeout=600, max=3\r\n\r\nGET \/kept\/2 $/,
  );
  await ask(one, get('/kept/3'));
  await one.ended;
  assert.match(one.text(), /Connection: close\r\n\r\nGET \/kept\/3 $/);
  const mixed = set.open();
  await ask(mixed, get('/first'));
  await ask(mixed, get('/kept/2'));
  await ask(mixed, get('/third'));
  await mixed.ended;
  assert.match(mixed.text(), /Connection: close\r\n[\s\S]*GET \/third $/);
});

test('during a stop a repeated request in progress is answered with Connection: close', async () => {
  const held: (() => void)[] = [];
  await using set = await start({
    repeat: (send, target) => held.push(() => sendText(send, target)),
  });
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept'));
  await until(() => held.length === 1);
  const closed = set.listener.close(10_000);
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  held[0]?.();
  await closed;
  assert.match(one.text(), /Connection: close\r\n\r\nGET \/kept $/);
});

test('a stop whose time is over cuts a repeated request', async () => {
  const held: (() => void)[] = [];
  await using set = await start({ repeat: () => held.push(() => undefined) });
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept'));
  await until(() => held.length === 1);
  await set.listener.close(50);
  await one.ended;
  assert.equal(set.listener.inHand().connections, 0);
});

test('a client that does not receive what was repeated is cut, and counts as in progress until then', async () => {
  const sent: string[] = [];
  await using set = await start(
    {
      repeat: (send, target) => {
        const body = 'x'.repeat(32_000_000);
        send(LINES(body.length), { bytes: Buffer.from(body), text: '' }, () => sent.push(target));
      },
    },
    { sendMs: 1_000 },
  );
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.pause();
  one.socket.write(get('/kept'));
  await until(() => set.repeated.length === 1);
  assert.deepEqual(sent, []);
  await until(() => set.listener.inHand().connections === 0);
  await until(() => sent.length === 1);
});

test('a connection is not closed as idle while a repeated request is answered on it', async () => {
  const held: (() => void)[] = [];
  await using set = await start(
    { repeat: (send, target) => held.push(() => sendText(send, target)) },
    { keepAliveMs: 2_000 },
  );
  const one = set.open();
  await ask(one, get('/first'));
  one.socket.write(get('/kept'));
  await until(() => held.length === 1);
  const idle = set.open();
  await ask(idle, get('/other'));
  await idle.ended;
  held[0]?.();
  await until(() => bodies(one.text()).length === 2);
  await one.ended;
});

test('for a new connection over the limit none is closed on which a repeated request is answered', async () => {
  const held: (() => void)[] = [];
  await using set = await start(
    { repeat: (send, target) => held.push(() => sendText(send, target)) },
    { maxPerAddress: 2, keepAliveMs: 600_000 },
  );
  const busy = set.open();
  await ask(busy, get('/first'));
  const idle = set.open();
  await ask(idle, get('/first'));
  busy.socket.write(get('/kept'));
  await until(() => held.length === 1);
  await ask(set.open(), get('/first'));
  await idle.ended;
  held[0]?.();
  await until(() => bodies(busy.text()).length === 2);
  await ask(set.open(), get('/first'));
  await ask(set.open(), get('/first'));
  await busy.ended;
});

const SEED = seedOf(20_261_127);

/** Returns requests of all kinds, some of them repeated, with the body that answers each. */
function requests(random: () => number, others: number): readonly (readonly [string, string])[] {
  return Array.from({ length: 40 }, (_, index) => {
    const path = `/${pick(random, ['kept', 'other'])}/${index}`;
    const kind = random() / others;
    if (kind > 2) return [get(path), `GET ${path} `];
    if (kind > 1) {
      const note = pick(random, ['', `Traceparent: ${index}\r\n`]);
      return [get(path, `X-Request-Id: ${index}\r\n${note}`), `GET ${path} ${index}`];
    }
    const body = pick(random, ['', 'body', get('/kept/inside')]);
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;
    return [head + body, `POST ${path} ${body}`];
  });
}

/** Bytes sent in one piece, and how many requests are complete after it. */
type Piece = { readonly bytes: string; readonly whole: number };

/** Most pieces are one request, others cut it or join it with the next. */
function pieces(random: () => number, cuts: number, sent: readonly string[]): readonly Piece[] {
  const found: Piece[] = [];
  let joined = '';
  for (const [index, text] of sent.entries()) {
    joined += text;
    if (random() < cuts) continue;
    const isCut = random() < cuts;
    const at = isCut ? integerBelow(random, joined.length) : joined.length;
    found.push({ bytes: joined.slice(0, at), whole: isCut ? 0 : index + 1 });
    joined = joined.slice(at);
  }
  return [...found, { bytes: joined, whole: 0 }].filter(({ bytes }) => bytes !== '');
}

test(`however requests are cut and answered, each has its own answer in their order (seed ${SEED})`, async () => {
  const random = randomFrom(SEED);
  const some = [0, 0.02, 0.1];
  let repeated = 0;
  for (let round = 0; round < 60; round += 1) {
    const waits = pick(random, [0, 1, 4]);
    const later = async (run: () => void): Promise<void> => {
      for (let turns = integerBelow(random, waits + 1); turns > 0; turns -= 1) await nextTurn();
      run();
    };
    await using set = await start(
      {
        repeat: (send, target, requestId) => void later(() => sendText(send, target, requestId)),
        begin: (_, answer) => void later(answer),
      },
      { maxPipelined: 64 },
    );
    const asked = requests(random, pick(random, some));
    const sent = asked.map(([bytes]) => bytes);
    const one = set.open();
    const answered = (count: number) => until(() => bodies(one.text()).length >= count);
    const patience = pick(random, [0.3, 0.9]);
    for (const { bytes, whole } of pieces(random, pick(random, some), sent)) {
      one.socket.write(bytes, 'latin1');
      // Most clients wait for their answers; others keep sending.
      if (random() < patience) await answered(whole);
      await nextTurn();
    }
    await answered(asked.length);
    assert.deepEqual(
      bodies(one.text()),
      asked.map(([, answer]) => answer),
      `round ${round}`,
    );
    assert.equal(set.inHand, 0);
    repeated += set.repeated.length;
  }
  assert.ok(repeated > 100, `${repeated} of them were repeated`);
});
