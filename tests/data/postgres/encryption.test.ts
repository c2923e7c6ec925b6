// Who receives the password of DATABASE_URL: nobody on the network, and no server that does not prove its identity, unless the
// address allows it. Servers on loopback that answer like PostgreSQL until the connection is encrypted, and record what
// follows.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createSecureContext, TLSSocket } from 'node:tls';

import { connectPostgres, encryptionOf } from '../../../src/data/postgres/connection.ts';
import { asClientSays, readDatabaseUrl } from '../../../src/data/postgres/database-url.ts';
import { connectErrorOf } from '../../../src/data/postgres/faults.ts';
import { createTestAuthority } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const authority = createTestAuthority();
const ENVIRONMENT = 'NODE_TLS_REJECT_UNAUTHORIZED';
const set = process.env[ENVIRONMENT];
before(() => void (process.env[ENVIRONMENT] = '0'));
after(() => {
  if (set === undefined) delete process.env[ENVIRONMENT];
  else process.env[ENVIRONMENT] = set;
});

type FakeServer = { readonly port: number; readonly received: () => string } & AsyncDisposable;

/** `named`: the name in its certificate; null: it does not encrypt. */
async function startServer(named: string | null): Promise<FakeServer> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (first) => {
      received += first.toString('latin1').replaceAll(/[^\w]/g, '');
      // The encryption request is eight bytes, and its answer is one byte.
      if (first.length > 8) return void socket.destroy();
      socket.write(named === null ? 'N' : 'S');
      if (named === null) return;
      const secureContext = createSecureContext(authority.leafFor(named));
      const inner = new TLSSocket(socket, { isServer: true, secureContext });
      inner.on('error', () => {});
      inner.on('data', (bytes) => {
        received += bytes.toString('latin1');
        inner.destroy();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns what the server received, and the message to the operator. */
async function connectTo(server: FakeServer, parameters: string) {
  const url = `postgres://shelf-user:secret@127.0.0.1:${server.port}/shelf?${parameters}`;
  assert.equal(readDatabaseUrl(url).problem, null, parameters);
  const error = await connectPostgres({
    url,
    statementTimeoutMs: 1_000,
    lockTimeoutMs: 1_000,
  }).then(
    () => assert.fail('no server of these tests goes on'),
    (reason: Error) => reason,
  );
  return { received: server.received(), said: connectErrorOf(error).message };
}

for (const asked of [
  'sslmode=verify-full',
  'sslmode=verify-ca',
  'sslmode=require',
  'sslmode=prefer',
  'ssl=true',
]) {
  test(`${asked} tells a server without a trusted certificate nothing, whatever ${ENVIRONMENT} says`, async () => {
    await using server = await startServer('127.0.0.1');
    const { received, said } = await connectTo(server, asked);
    assert.doesNotMatch(received, /shelf-user/);
    assert.match(said, /sslrootcert=FILE.*sslmode=no-verify/);
  });
}

test('with sslrootcert the user is sent only to a server whose certificate is for its name', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'authority.pem');
  writeFileSync(file, authority.certificate);
  for (const [named, isTold] of [
    ['127.0.0.1', true],
    ['127.0.0.2', false],
  ] as const) {
    await using server = await startServer(named);
    const { received } = await connectTo(server, `sslmode=verify-full&sslrootcert=${file}`);
    assert.equal(received.includes('shelf-user'), isTold, named);
  }
});

test('sslmode=no-verify encrypts, and takes any certificate', async () => {
  await using server = await startServer('127.0.0.2');
  assert.match((await connectTo(server, 'sslmode=no-verify')).received, /shelf-user/);
});

test('nothing is sent to a server that does not encrypt, and the message says what to do', async () => {
  await using server = await startServer(null);
  const { received, said } = await connectTo(server, 'sslmode=require');
  assert.doesNotMatch(received, /shelf-user/);
  assert.match(said, /ssl = on.*sslmode=disable/);
});

test('a file of certificates that is not there is named as what is wrong', async () => {
  await using server = await startServer('127.0.0.1');
  const { said } = await connectTo(server, 'sslrootcert=/nowhere/authority.pem');
  assert.match(said, /nowhere.*sslrootcert, sslcert or sslkey/);
});

test('whether a server is spoken to encrypted is known without asking it, also where only the environment says so', () => {
  const at = (parameters: string) =>
    encryptionOf(`postgres://u@db.shelf.example/shelf${parameters}`);
  const host = 'db.shelf.example';
  for (const plain of ['', '?sslmode=disable', '?ssl=0', '?application_name=x']) {
    assert.deepEqual(at(plain), { host, isEncrypted: false }, plain);
  }
  for (const asked of [
    '?sslmode=verify-full',
    '?sslmode=no-verify',
    '?ssl=true',
    '?sslnegotiation=direct',
  ]) {
    assert.deepEqual(at(asked), { host, isEncrypted: true }, asked);
  }
  process.env['PGSSLMODE'] = 'require';
  try {
    assert.deepEqual([at('').isEncrypted, at('?sslmode=disable').isEncrypted], [true, false]);
  } finally {
    delete process.env['PGSSLMODE'];
  }
});

const URL_OF = (parameters: string) => `postgres://u:secret@one,two/shelf?${parameters}`;

for (const [parameters, problem] of [
  ['SSLMODE=require', /SSLMODE.*write sslmode$/],
  ['sslmod=require', /write sslmode$/],
  ['ssl-mode=REQUIRED', /write sslmode$/],
  ['ssl_mode=require', /write sslmode$/],
  ['sslmode=verify_full', /value of sslmode.*verify-full/],
  ['sslmode=require&sslmode=', /value of sslmode/],
  ['ssl=require', /value of ssl .*sslmode=/],
  ['ssl=false', /value of ssl .*disable/],
  ['sslrootcrt=/a', /write sslrootcert$/],
] as const) {
  test(`${parameters} is refused, because the client would pass over it or fail`, () => {
    assert.match(readDatabaseUrl(URL_OF(parameters)).problem ?? '', problem);
  });
}

test('other parameters of libpq, of the client and of programs that share an address are taken', () => {
  for (const parameters of [
    'channel_binding=require&gssencmode=disable&connect_timeout=5&application_name=shelf',
    'options=-c%20search_path%3Dshelf&keepalives=1&client_encoding=UTF8&passfile=/a&service=b',
    'sslmode=require&sslsni=1&sslcrl=/a&ssl_min_protocol_version=TLSv1.2&sslnegotiation=direct',
    'schema=shelf&pgbouncer=true&connection_limit=5&pool_timeout=10&sslaccept=strict&host=/run&user=a',
    'statement_timeout=5&query_timeout=5&lock_timeout=5&target_session_attrs=primary&port=5432',
  ]) {
    assert.equal(readDatabaseUrl(URL_OF(parameters)).problem, null, parameters);
  }
});

test('the client is asked in its own words, and with uselibpqcompat in those of libpq', () => {
  for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']) {
    assert.equal(
      asClientSays(URL_OF(`a=b&sslmode=${mode}&c=sslmode=require`)),
      URL_OF('a=b&sslmode=verify-full&c=sslmode=require'),
    );
  }
  for (const parameters of ['sslmode=no-verify', 'uselibpqcompat=true&sslmode=require', 'a=b']) {
    assert.equal(asClientSays(URL_OF(parameters)), URL_OF(parameters));
  }
});
