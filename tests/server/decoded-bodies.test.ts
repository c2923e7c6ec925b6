// Bodies with Content-Encoding (RFC 9110 8.4): whatever a client may name is decoded within the limits of the route, and the
// rest is refused with the codings to use instead.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

import { startService, type Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(async () => {
  await service[Symbol.asyncDispose]();
});

type Reply = {
  readonly status: number;
  readonly accept: string | undefined;
  readonly text: string;
};

/** Sends a body as it is, in pieces of this many bytes. */
async function send(
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  pieceBytes = 65_536,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const authorization = `Bearer ${service.key}`;
  const call = request(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization, ...headers },
  });
  call.on('error', reject);
  call.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => (text += piece));
    response.on('end', () => {
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, accept: given['accept-encoding'], text });
    });
  });
  for (let at = 0; at < body.length; at += pieceBytes) {
    await new Promise((sent) => call.write(body.subarray(at, at + pieceBytes), sent));
  }
  call.end();
  return await promise;
}

const JSON_BODY = Buffer.from('{"identifier":"614141000005","below":3}');
const LINES = Buffer.from('{"id":"614141000005"}\n{"id":"614141000760"}\n');

const watch = (body: Uint8Array, coding: string, pieceBytes?: number) =>
  send(
    '/v1/watches',
    body,
    { 'content-type': 'application/json', 'content-encoding': coding },
    pieceBytes,
  );
const batch = (body: Uint8Array, coding: string, pieceBytes?: number) =>
  send(
    '/v1/products/batch',
    body,
    { 'content-type': 'application/x-ndjson', 'content-encoding': coding },
    pieceBytes,
  );

const twice = (bytes: Uint8Array) => brotliCompressSync(gzipSync(bytes));
const CODED = [
  ['gzip', gzipSync],
  ['X-Gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['gzip, br', twice],
  ['identity, gzip', gzipSync],
  ['identity', (bytes: Uint8Array) => bytes],
] as const;

test('a body in any coding, or in several, is read as what it decodes to, however it is cut', async () => {
  for (const [coding, encode] of CODED) {
    for (const pieceBytes of [1, 65_536]) {
      const made = await watch(encode(JSON_BODY), coding, pieceBytes);
      assert.equal(made.status, 200, `${coding} ${made.text}`);
      assert.match(made.text, /"below":3/);
      const answered = await batch(encode(LINES), coding, pieceBytes);
      assert.equal(answered.status, 200, `${coding} ${answered.text}`);
      assert.match(answered.text, /"line":2,"input":\{"id":"614141000760"\}/);
    }
  }
});

test('gzip of several members is the lines of all of them', async () => {
  const cut = LINES.indexOf('\n') + 1;
  const members = [gzipSync(LINES.subarray(0, cut)), gzipSync(LINES.subarray(cut))];
  assert.match((await batch(Buffer.concat(members), 'gzip')).text, /"line":2/);
});

test('agents and sheets may send encoded bodies too', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const answered = await send('/mcp', gzipSync(JSON.stringify(message)), {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  });
  assert.deepEqual(JSON.parse(answered.text), { jsonrpc: '2.0', id: 1, result: {} });
  const sheet = gzipSync('upc,cost\n614141000005,3\n');
  const read = await send('/console/sheet?name=a.csv', sheet, { 'content-encoding': 'gzip' });
  assert.equal(read.status, 200, read.text);
});

test('a coding that is not known is 415, with those that are in Accept-Encoding (RFC 9110 15.5.16)', async () => {
  for (const coding of ['compress', 'gzip, compress', 'aes128gcm', 'gzip, gzip, gzip, gzip']) {
    for (const answered of [await watch(JSON_BODY, coding), await batch(LINES, coding)]) {
      assert.equal(answered.status, 415, coding);
      assert.equal(answered.accept, 'gzip, deflate, br, zstd');
      const problem = JSON.parse(answered.text) as Record<string, unknown>;
      assert.equal(problem['code'], 'encoding_not_accepted');
      assert.deepEqual(problem['allowed'], ['gzip', 'deflate', 'br', 'zstd']);
    }
  }
});

test('a body that is not in its coding, or ends too early, is 400, and the connection goes on', async () => {
  const early = gzipSync(JSON_BODY).subarray(0, 30);
  for (const [body, coding] of [
    [JSON_BODY, 'gzip'],
    [early, 'gzip'],
    [JSON_BODY, 'br'],
    [gzipSync(JSON_BODY), 'zstd'],
    [gzipSync(JSON_BODY), 'gzip, gzip'],
  ] as const) {
    for (const answered of [await watch(body, coding), await batch(body, coding)]) {
      assert.equal(answered.status, 400, `${coding} ${answered.text}`);
      assert.match(answered.text, /"parameter":"Content-Encoding"/);
    }
  }
  assert.equal((await watch(gzipSync(JSON_BODY), 'gzip')).status, 200);
});

const BLANK = Buffer.alloc(64 * 1_048_576, ' ');
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

test('a body that decodes to more than the route takes is 413 and is decoded no further', async () => {
  const bombs = [
    ['gzip', gzipSync(BLANK)],
    ['br', brotliCompressSync(BLANK, QUICK)],
    ['zstd', zstdCompressSync(BLANK)],
    ['gzip, gzip', gzipSync(gzipSync(BLANK))],
    // Nothing comes of these, so only what arrives can be limited.
    ['gzip', Buffer.concat(Array.from({ length: 4_000 }, () => gzipSync('')))],
  ] as const;
  for (const [coding, body] of bombs) {
    const answered = await watch(body, coding);
    assert.equal(answered.status, 413, `${coding} ${answered.text}`);
    assert.match(answered.text, /more than 64 KB when decoded/);
  }
});

test('a batch of empty lines without an end stops at 16 MB and does not fill the memory', async () => {
  // A file of gzip may consist of several: these decode to 512 MB.
  const part = gzipSync(Buffer.alloc(16 * 1_048_576, '\n'));
  const lines = Buffer.concat(Array.from({ length: 32 }, () => part));
  const before = process.memoryUsage().rss;
  const answered = await batch(lines, 'gzip');
  assert.equal(answered.status, 413, answered.text);
  assert.match(answered.text, /more than 16384 KB when decoded/);
  assert.ok(process.memoryUsage().rss - before < 256 * 1_048_576);
});
