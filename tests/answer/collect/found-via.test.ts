// How a link says that its listing was found (D39): as the retailer's answer for the barcode was, whichever of two lookups at the same
// time is stored last.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ENGINE = 'https://search.example';

/** A loopback server in front of a simulated retailer: it holds back what is asked of one path until it is released. */
async function startHolding(target: () => string, path: () => string) {
  const held: (() => void)[] = [];
  const waiting: (() => void)[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await fetch(`${target()}${request.url}`, { redirect: 'manual' });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? 'text/html';
    response.writeHead(answer.status, { 'content-type': type }).end(body);
  };
  const server = createServer((request, response) => {
    if (request.url !== path()) return void pass(request, response);
    held.push(() => void pass(request, response));
    waiting.shift()?.();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves with what releases the next request that is held back. */
    next: async (): Promise<() => void> => {
      if (held.length === 0) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      }
      return held.shift() ?? assert.fail('nothing is held back');
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function lookup(app: App, text: string, retailer?: string) {
  const request = { text, ...(retailer === undefined ? {} : { retailer }), forceRefresh: false };
  const prepared = app.lookupProduct.parse(request);
  return app.lookupProduct.fromShops(prepared, app.lookupContext());
}

type Means = 'barcode' | 'address';

/** What to look up at the same time, and which of the answers comes first; or one after the other. */
const RACES: readonly (readonly [string, readonly Means[], readonly number[] | null])[] = [
  ['the barcode, then the address', ['barcode', 'address'], null],
  ['the address, then the barcode', ['address', 'barcode'], null],
  ['both, the page of the barcode first', ['barcode', 'address'], [0, 1]],
  ['both, the page of the address first', ['barcode', 'address'], [1, 0]],
  ['both, started the other way round, the barcode first', ['address', 'barcode'], [1, 0]],
  ['both, started the other way round, the address first', ['address', 'barcode'], [0, 1]],
];

for (const [name, means, released] of RACES) {
  test(`retailer_t is linked alike, looked up by ${name}`, async () => {
    await using sandbox = await startSandbox({
      seed: 13,
      products: 40,
      now: () => Date.now(),
      retailers: publicOrigins(),
      search: { searxng: ENGINE },
    });
    const { gtin, retailers } = sandbox.describe();
    const { url } = retailers.retailer_t;
    const { [ENGINE]: engine = '', ...shops } = sandbox.origins;
    const { origin, pathname } = new URL(url);
    await using holding = await startHolding(
      () => shops[origin] ?? assert.fail(`${origin} is simulated`),
      () => (released === null ? '' : pathname),
    );
    using folder = temporaryFolder();
    const env = { OPENSHELF_SEARXNG_URL: engine, OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };
    const config = readConfig(env, { dataDir: folder.path, port: 0 });
    const origins = { ...shops, [origin]: holding.url };
    await using app = await openApp(withSandbox(config, { ...sandbox, origins }));
    const start = (each: Means) =>
      each === 'barcode' ? lookup(app, gtin, 'retailer_t') : lookup(app, url);
    if (released === null) for (const each of means) await start(each);
    else {
      const running: Promise<unknown>[] = [];
      const releases: (() => void)[] = [];
      for (const each of means) {
        running.push(start(each));
        releases.push(await holding.next());
      }
      for (const at of released) {
        releases[at]?.();
        await running[at];
      }
    }
    const viaOf = async (text: string) => {
      const { retailerLinks } = await lookup(app, text);
      return retailerLinks?.find(({ retailer }) => retailer === 'retailer_t')?.foundVia;
    };
    assert.equal(await viaOf(gtin), 'search_provider');
  });
}
