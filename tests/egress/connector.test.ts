// What the other side of a TLS connection may have us compute.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  connect,
  createServer as createPlainServer,
  type AddressInfo,
  type Server as PlainServer,
  type Socket,
} from 'node:net';
import { finished } from 'node:stream/promises';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { test, type TestContext } from 'node:test';

import { parseAddress } from '../../src/egress/guard/address-guard.ts';
import { CostlyCertificates } from '../../src/egress/fetch-error.ts';
import { openConnection } from '../../src/egress/guard/connector.ts';
import { createTestAuthority, untrustedChain } from '../support/certificates.ts';

const NAME = 'shop.example.com';
const authority = createTestAuthority();

/** Returns the port of a server that ends with the test, as do its connections. */
async function portOf(server: PlainServer, t: TestContext): Promise<number> {
  server.on('connection', (socket: Socket) => t.after(() => socket.destroy()));
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Everything the test has opened is closed with it. */
async function connectTo(
  server: Server,
  t: TestContext,
  extraCertificates: readonly string[] = [authority.certificate],
) {
  const port = await portOf(
    server.on('tlsClientError', () => {}),
    t,
  );
  return connectToPort(port, t, { extraCertificates, signal: t.signal });
}

async function connectToPort(
  port: number,
  t: TestContext,
  { extraCertificates, signal }: { extraCertificates: readonly string[]; signal: AbortSignal },
) {
  const address = parseAddress('127.0.0.1');
  assert.ok(address !== null);
  const target = { addresses: [address], port, tlsName: NAME, tunnel: null };
  const socket = await openConnection(
    { ...target, extraCertificates },
    { connectMs: 60_000, tlsMs: 60_000 },
    signal,
  );
  t.after(() => socket.destroy());
  return socket.on('error', () => {}).resume();
}

/** A supposed prime of that many bits, and the base 2. */
function parametersOf(bits: number): string {
  const prime = randomBytes(bits / 8);
  prime[prime.length - 1] = (prime.at(-1) ?? 0) | 1;
  const numbers = [integer(Buffer.concat([Buffer.of(0), prime])), Buffer.of(2, 1, 2)];
  const lines =
    long(0x30, Buffer.concat(numbers))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN DH PARAMETERS-----\n${lines.join('\n')}\n-----END DH PARAMETERS-----\n`;
}

const long = (tag: number, content: Buffer) =>
  Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content]);
const integer = (content: Buffer) => long(2, content);

test('a key exchange with numbers that the other side has chosen is not taken part in', async (t) => {
  const server = createServer({
    ...authority.leafFor(NAME, 'rsa'),
    maxVersion: 'TLSv1.2',
    ciphers: 'DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
    dhparam: parametersOf(4_096),
  });
  await assert.rejects(connectTo(server, t), { code: /^ERR_SSL_/ });
});

test('a connection has one handshake, however often the other side asks for another', async (t) => {
  const renegotiated = Promise.withResolvers<boolean>();
  const server = createServer({ ...authority.leafFor(NAME), maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => renegotiated.resolve(false));
    socket.on('close', () => renegotiated.resolve(false));
    socket.renegotiate({}, (error) => renegotiated.resolve(error === null));
  });
  await connectTo(server, t);
  assert.equal(await renegotiated.promise, false);
});

/** Sends `records` of that many bytes each, as long as the other side takes them, and ends. */
function sendRecords(socket: TLSSocket, records: number, bytes: number): void {
  const content = Buffer.alloc(bytes);
  let left = records;
  // Data written before the last write has completed would share its record.
  const next = (): void => {
    left -= 1;
    if (left < 0) socket.end();
    else socket.write(content, (error) => error ?? setImmediate(next));
  };
  socket.on('error', () => {});
  next();
}

for (const [bytes, records, isEnded] of [
  [1, 20_000, true],
  [256, 8_000, false],
] as const) {
  const what = isEnded ? 'ended' : 'read to its end';
  test(`a connection that carries ${bytes} bytes in each record of TLS is ${what}`, async (t) => {
    const server = createServer(authority.leafFor(NAME), (socket) => {
      sendRecords(socket, records, bytes);
    });
    const socket = await connectTo(server, t);
    const read = finished(socket, { writable: false });
    if (isEnded) await assert.rejects(read, { kind: 'bad_response' });
    else await read;
    assert.equal(socket.bytesRead === records * bytes, !isEnded);
  });
}

test('a certificate of nobody is refused, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async (t) => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  t.after(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  });
  const server = createServer(authority.leafFor(NAME));
  await assert.rejects(connectTo(server, t, []), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
});

for (const [length, isCostly] of [
  [5, false],
  [6, true],
] as const) {
  const what = isCostly ? 'named as one that is costly to check' : 'a failure as any other';
  test(`a chain of ${length + 1} certificates that ends at nobody is ${what}`, async (t) => {
    const server = createServer(untrustedChain(NAME, length));
    const costly = (error: unknown) => error instanceof CostlyCertificates;
    await assert.rejects(connectTo(server, t), (error) => costly(error) === isCostly);
  });
}

test('a chain is costly too where the handshake stands still after it', async (t) => {
  const server = createServer({ ...untrustedChain(NAME, 6), maxVersion: 'TLSv1.2' });
  const stop = new AbortController();
  const behind = await portOf(
    server.on('tlsClientError', () => {}),
    t,
  );
  // The client's second flight shows that it has read the chain; the server's reply to it never arrives.
  const standing = createPlainServer((socket) => {
    const onward = connect(behind, '127.0.0.1').on('error', () => {});
    t.after(() => onward.destroy());
    onward.on('data', (bytes) => socket.write(bytes));
    socket
      .on('error', () => {})
      .once('data', (hello) => {
        onward.write(hello);
        socket.once('data', () => stop.abort(new Error('given up')));
      });
  });
  const port = await portOf(standing, t);
  const connecting = connectToPort(port, t, { extraCertificates: [], signal: stop.signal });
  await assert.rejects(connecting, (error) => error instanceof CostlyCertificates);
});
