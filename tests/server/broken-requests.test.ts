// A whole request that is followed by bytes which are not a request is answered, and the connection is then closed: no call is
// charged and left without its answer.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../support/service.ts';

let service: Service;
let url = '';

before(async () => {
  service = await startService();
  url = service.sandbox.describe().url.json_ld;
  assert.equal((await service.lookup(url)).status, 200);
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** Sends the bytes; resolves with everything that comes until the service closes the connection. */
async function sent(...pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
  for (const piece of pieces) socket.write(Buffer.from(piece, 'latin1'));
  await new Promise((resolve) => {
    socket.once('close', resolve);
    socket.once('error', resolve);
  });
  return answer;
}

async function charged(): Promise<number> {
  const { body } = await service.get('/v1/usage');
  return (body as { readonly calls: number }).calls;
}

const statuses = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const headOf = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\n${more}\r\n`;
const lookup = () => headOf('GET', `/v1/products/${encodeURIComponent(url)}`);
const lines = () => `${JSON.stringify({ id: url })}\n`;
const batch = (more: string, body: string) =>
  headOf('POST', '/v1/products/batch', `Content-Type: application/x-ndjson\r\n${more}`) + body;

for (const [what, bytes, expected, calls] of [
  ['words', () => [`${lookup()}garbage garbage\r\n\r\n`], [200], 1],
  ['bytes of another protocol', () => [`${lookup()}\x16\x03\x01\x00\xff`], [200], 1],
  ['an answer', () => [`${lookup()}HTTP/1.1 200 OK\r\n\r\n`], [200], 1],
  ['a request of HTTP/2', () => [`${lookup()}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`], [200], 1],
  ['a head with a bad field', () => [`${lookup()}GET / HTTP/1.1\r\nHo st: a\r\n\r\n`], [200], 1],
  [
    'a body that its head does not state',
    () => [headOf('GET', '/v1/usage', 'Content-Length: 0\r\n') + '{"a":1}'],
    [200],
    0,
  ],
  [
    'two lengths',
    () => [
      `${lookup()}POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    ],
    [200],
    1,
  ],
  [
    'words after three requests',
    () => [lookup() + lookup() + lookup() + 'garbage\r\n\r\n'],
    [200, 200, 200],
    3,
  ],
  ['words in another piece', () => [lookup(), '\x00garbage\r\n\r\n'], [200], 1],
  [
    'words after a request that is not stored yet',
    () => [`${headOf('GET', '/v1/products/614141000999')}garbage\r\n\r\n`],
    null,
    0,
  ],
  [
    'words after a batch',
    () => [batch(`Content-Length: ${lines().length}\r\n`, `${lines()}garbage\r\n\r\n`)],
    [200],
    1,
  ],
  [
    'words after a batch in chunks',
    () => [
      batch(
        'Transfer-Encoding: chunked\r\n',
        `${lines().length.toString(16)}\r\n${lines()}\r\n0\r\n\r\n\x00garbage\r\n`,
      ),
    ],
    [200],
    1,
  ],
] as const) {
  test(`a request that is followed by ${what} is answered, charged as usual, and the last of its connection`, async () => {
    const before = await charged();
    const answer = await sent(...bytes());
    const found = statuses(answer).filter((status) => status !== 400);
    if (expected === null) assert.equal(found.length, 1, answer);
    else assert.deepEqual(found, expected, answer);
    assert.match(answer, /connection: close/i);
    assert.equal((await charged()) - before, calls);
  });
}

test('bytes that are not a request, and a body that breaks off in them, are refused and not charged', async () => {
  const before = await charged();
  for (const bytes of [
    'garbage garbage\r\n\r\n',
    batch('Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    `GET / HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`,
  ]) {
    const answer = await sent(bytes);
    assert.match(answer, /^(?:HTTP\/1\.1 (?:400|431)|$)/);
    assert.equal(statuses(answer).length, 1);
  }
  assert.equal(await charged(), before);
});
