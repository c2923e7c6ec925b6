// Two services over one database: each knows what the other one fetched.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { newDatabase } from '../../support/databases.ts';

const PAGE = `<!doctype html><title>Lamp</title><script type="application/ld+json">
{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","gtin13":"4006381333931",
"offers":{"@type":"Offer","price":"19.90","priceCurrency":"USD","availability":"InStock"}}</script>`;
const ADDRESS = 'https://lampshop.example/lamp';

/** A shop with one page that exists or not; `requests` counts the requests for that page. */
async function startShop() {
  const shop = { isThere: true, requests: 0, stored: null as Promise<void> | null };
  const server = createServer((request, response) => {
    if (request.url !== '/lamp') {
      response.writeHead(404).end();
      return;
    }
    shop.requests += 1;
    void (shop.stored ?? Promise.resolve()).then(() =>
      response.writeHead(shop.isThere ? 200 : 404, { 'content-type': 'text/html' }).end(PAGE),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { shop, server, origins: `https://lampshop.example=http://127.0.0.1:${port}` };
}

async function answerOf(app: App): Promise<string> {
  const { lookupProduct } = app;
  const prepared = lookupProduct.parse({ text: ADDRESS, forceRefresh: false });
  try {
    const stored = await lookupProduct.fromStore(prepared);
    return (
      (stored ?? (await lookupProduct.fromShops(prepared, app.lookupContext()))).title ?? 'untitled'
    );
  } catch (error) {
    if (error instanceof FaultError) return error.fault.code;
    throw error;
  }
}

test('a miss and its end are known to every process; a product is fetched by one of them', async () => {
  await using database = await newDatabase('migrated');
  const { shop, server, origins } = await startShop();
  const env = {
    DATABASE_URL: database.url,
    OPENSHELF_ORIGINS: origins,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
  };
  const config = readConfig(env, { port: 0 });
  {
    await using first = await openApp(config);
    await using second = await openApp(config);
    shop.isThere = false;
    assert.equal(await answerOf(first), 'not_found');
    assert.equal(await answerOf(second), 'not_found');
    assert.equal(shop.requests, 1, 'the second process learned it from the first');

    shop.isThere = true;
    await second.store.sql.write([{ text: 'delete from misses' }]);
    const { promise, resolve } = Promise.withResolvers<void>();
    shop.stored = promise;
    const both = Promise.all([answerOf(first), answerOf(second), answerOf(second)]);
    while (shop.requests < 2) await first.store.sql.probe();
    resolve();
    assert.deepEqual(await both, ['Desk Lamp', 'Desk Lamp', 'Desk Lamp']);
    assert.equal(shop.requests, 2, 'one fetch for both processes');
    assert.equal(await answerOf(second), 'Desk Lamp');
  }
  server.close();
  server.closeAllConnections();
});
