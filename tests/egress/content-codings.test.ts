// The codings of a body: which are read, in which order, and that no number of them makes a body larger than its limit.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';

import { createByteBudget } from '../../src/base/byte-budget.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import { contextOf } from '../support/contexts.ts';
import { clock } from '../support/vector-cases.ts';

const PAGE = '<h1>Größe 38</h1>';
const LIMITS = { wireBytes: 10_000, decodedBytes: 100_000 };

type Step = (body: Buffer) => Buffer;

const gzip = (body: Buffer): Buffer => gzipSync(body);
const deflate = (body: Buffer): Buffer => deflateSync(body);
const br = (body: Buffer): Buffer => brotliCompressSync(body);
const zstd = (body: Buffer): Buffer => zstdCompressSync(body);

let server: Server;
let served: { readonly fields: readonly string[]; readonly body: Buffer };

before(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else {
      response.setHeader('Content-Encoding', [...served.fields]);
      response.setHeader('Content-Type', 'text/html').end(served.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => server.close());

const pages = createByteBudget(1_000_000);

function encoded(text: string, steps: readonly Step[]): Buffer {
  let body: Buffer = Buffer.from(text);
  for (const step of steps) body = step(body);
  return body;
}

/** Applies the steps in order and returns the text that the fetcher delivers, or its failure. */
async function read(
  fields: readonly string[],
  steps: readonly Step[],
  text = PAGE,
): Promise<string> {
  served = { fields, body: encoded(text, steps) };
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { origins } = parseOrigins(`https://mugs.example=${target}`);
  const fetch = createFetcher({ clock, version: '1', origins, limits: LIMITS, budget: pages });
  const request = { url: 'https://mugs.example/p', accept: 'html' } as const;
  const outcome = await fetch(request, contextOf(AbortSignal.timeout(15_000)));
  assert.equal(pages.held(), 0);
  return outcome.ok ? new TextDecoder().decode(outcome.page.body) : outcome.failure.kind;
}

describe('a body is read', () => {
  const rows: readonly (readonly [string, readonly string[], readonly Step[]])[] = [
    ['without a coding', [], []],
    ['with one', ['gzip'], [gzip]],
    ['with gzip twice', ['gzip, gzip'], [gzip, gzip]],
    ['with gzip twice, in other spellings', ['GZIP ,x-gzip'], [gzip, gzip]],
    ['with gzip twice, in two fields', ['gzip', 'gzip'], [gzip, gzip]],
    ['with deflate, then gzip', ['deflate, gzip'], [deflate, gzip]],
    ['with raw deflate, then gzip', ['deflate,gzip'], [deflateRawSync, gzip]],
    ['with gzip, then br', ['gzip, br'], [gzip, br]],
    ['with br, then zstd', ['br, zstd'], [br, zstd]],
    ['with three', ['gzip, br, deflate'], [gzip, br, deflate]],
    ['with gzip twice and identity around', ['identity, gzip, none, gzip,'], [gzip, gzip]],
    ['with gzip announced twice and applied once', ['gzip, gzip'], [gzip]],
    ['with bytes behind each gzip', ['gzip, gzip'], [gzip, trailed, gzip, trailed]],
    ['if it is empty', ['gzip, gzip'], [() => Buffer.alloc(0)]],
  ];
  for (const [name, fields, steps] of rows) {
    test(name, async () => {
      const isEmpty = name === 'if it is empty';
      assert.equal(await read(fields, steps), isEmpty ? '' : PAGE);
    });
  }
});

function trailed(body: Buffer): Buffer {
  return Buffer.concat([body, Buffer.from('\0\0trailing')]);
}

describe('a body is refused', () => {
  const rows: readonly (readonly [string, string, readonly Step[], string?])[] = [
    ['with four codings', 'gzip, gzip, gzip, gzip', [gzip, gzip, gzip, gzip]],
    ['with an unknown one among them', 'gzip, compress', [gzip]],
    ['with an unknown one first', 'aes128gcm, gzip', [gzip]],
    ['in the wrong order', 'gzip, br', [br, gzip]],
    [
      'if the inner one is broken',
      'deflate, gzip',
      [(body) => Buffer.concat([Buffer.from('xxx'), body]), gzip],
    ],
  ];
  for (const [name, field, steps] of rows) {
    test(name, async () => assert.equal(await read([field], steps), 'bad_encoding'));
  }
});

describe('a bomb is stopped', () => {
  const rows: readonly (readonly [string, string, readonly Step[]])[] = [
    ['within one coding', 'gzip', [gzip]],
    ['within two', 'gzip, gzip', [gzip, gzip]],
    ['within three', 'br, gzip, zstd', [br, gzip, zstd]],
    ['that hides another coding in the middle', 'gzip, br', [storedGzip, br]],
  ];
  for (const [name, field, steps] of rows) {
    test(name, async () => {
      assert.equal(await read([field], steps, '\0'.repeat(5_000_000)), 'too_large');
    });
  }
});

/** Larger than the wire may be, so that the outer coding alone is the bomb. */
function storedGzip(body: Buffer): Buffer {
  return gzipSync(body, { level: 0 });
}
