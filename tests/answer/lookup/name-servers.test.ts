// The outcome of a lookup when names cannot be resolved, by what the caller sent: real name servers on loopback, and a port
// without a listener.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { after, before, test } from 'node:test';

import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { FaultError, type Fault } from '../../../src/base/fault.ts';
import { startDnsServer, type DnsServer } from '../../support/dns-server.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folders: TemporaryFolder[];
let dns: DnsServer;
/** Its name servers know only a private host. */
let knowing: App;
/** No server listens at the address of its name servers. */
let cutOff: App;

before(async () => {
  folders = [temporaryFolder(), temporaryFolder()];
  dns = await startDnsServer();
  dns.answers.set('private.example.com', [['10.0.0.1']]);
  knowing = await appWith(dns.address, 0);
  cutOff = await appWith(await deadAddress(), 1);
});

after(async () => {
  await knowing[Symbol.asyncDispose]();
  await cutOff[Symbol.asyncDispose]();
  await dns.close();
  for (const folder of folders) folder[Symbol.dispose]();
});

function appWith(server: string, index: number): Promise<App> {
  const dataDir = folders[index]?.path ?? '';
  return openApp(readConfig({ OPENSHELF_DNS_SERVERS: server }, { dataDir, port: 0 }));
}

async function deadAddress(): Promise<string> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return `127.0.0.1:${port}`;
}

async function faultOf(app: App, text: string, format?: string): Promise<Fault> {
  const prepared = app.lookupProduct.parse({ text, format, forceRefresh: false });
  try {
    await app.lookupProduct.fromShops(prepared, app.lookupContext());
  } catch (error) {
    if (error instanceof FaultError) return error.fault;
    throw error;
  }
  assert.fail('nothing can be fetched');
}

const IDENTIFIERS = [
  ['B07XJ8C8F5', 'asin'],
  ['5353535353', 'item_id'],
  ['036000291452', 'upc'],
] as const;

test('an identifier whose retailer has no known name is 503: the caller sent no address', async () => {
  for (const [text, format] of IDENTIFIERS) {
    const fault = await faultOf(knowing, text, format);
    assert.equal(fault.code, 'upstream_unavailable', text);
    assert.ok((fault.retryAfterSeconds ?? 0) > 0, text);
  }
});

test('an address that a caller sends is refused where its name is unknown or private, in the same words', async () => {
  const bodies = new Set<string>();
  for (const host of ['nowhere.example.com', 'private.example.com']) {
    bodies.add(JSON.stringify(await faultOf(knowing, `https://${host}/p`)));
  }
  assert.equal(bodies.size, 1);
  assert.match([...bodies][0] ?? '', /url_not_allowed/);
});

test('name servers that are not there refuse nothing: 503 for an identifier and for an address', async () => {
  for (const [text, format] of [
    ...IDENTIFIERS,
    ['https://shop.example.com/p', undefined],
  ] as const) {
    const fault = await faultOf(cutOff, text, format);
    assert.equal(fault.code, 'upstream_unavailable', text);
    assert.match(fault.detail ?? '', /name servers/, text);
    assert.doesNotMatch(fault.detail ?? '', /127\.0\.0\.1/, text);
  }
});
