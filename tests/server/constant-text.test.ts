// Documents are sent in the client's preferred coding, and are the same in all of them.

import assert from 'node:assert/strict';
import { request as ask, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import { constantText } from '../../src/server/constant-text.ts';
import { codingFor } from '../../src/server/encoding.ts';
import { startService } from '../support/service.ts';

const ACCEPTED: readonly (readonly [header: string | undefined, coding: string | null])[] = [
  [undefined, null],
  ['', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['deflate', 'deflate'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', null],
  ['gzip; q=0.9, br; q=0.1', 'gzip'],
  ['br;q=0.000', null],
  ['br;q=nonsense, gzip', 'gzip'],
  ['zstd', null],
];

test('the coding is the one that the client prefers, and none that it does not take', () => {
  for (const [header, coding] of ACCEPTED) assert.equal(codingFor(header), coding, String(header));
});

async function bytesOf(url: string, coding: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  ask(url, { headers: { 'accept-encoding': coding }, agent: false }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { headers: response.headers, bytes: Buffer.concat(pieces) };
}

test('every document is the same text in every coding, and compressed a small part of it', async () => {
  await using service = await startService();
  for (const path of ['/docs', '/openapi.json', '/docs/style.css']) {
    const url = `${service.url}${path}`;
    const plain = await bytesOf(url, 'identity');
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['deflate', inflateSync],
    ] as const) {
      const { headers, bytes } = await bytesOf(url, coding);
      assert.equal(headers['content-encoding'], coding);
      assert.equal(headers['vary'], 'Accept-Encoding');
      assert.equal(headers['content-length'], String(bytes.length));
      assert.ok(bytes.length < plain.bytes.length / 2, `${path} ${coding} ${bytes.length}`);
      assert.deepEqual(decode(bytes), plain.bytes);
    }
  }
});

test('a text that could not be made is made with the next request, and once made not again', async () => {
  let tries = 0;
  const text = constantText(() => {
    tries += 1;
    if (tries === 1) throw new Error('the file cannot be read');
    return 'text';
  });
  const asked = { headers: new Map<string, string>() };
  await assert.rejects(text(asked, {}), /the file cannot be read/);
  for (let request = 0; request < 2; request += 1) {
    const { status, body } = await text(asked, {});
    assert.deepEqual([status, body], [200, Buffer.from('text')]);
  }
  assert.equal(tries, 2);
});
