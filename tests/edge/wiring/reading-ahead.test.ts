// A lookup that has to fetch: what reads the page is started before the page is there.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { startOwnThread } from '../../../src/read/threads/own-thread.ts';
import { PRODUCT_PAGE } from '../../support/hostile-bodies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the thread that will read a page loads while the shop is still being asked', async () => {
  using folder = temporaryFolder();
  const started = Promise.withResolvers<void>();
  // Sends its page only once the thread has started.
  const shop = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else void started.promise.then(() => response.end(PRODUCT_PAGE));
  });
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = shop.address() as AddressInfo;
    const env = { OPENSHELF_ORIGINS: `https://shop.example.com=http://127.0.0.1:${port}` };
    await using app = await openApp(readConfig(env, { dataDir: folder.path }), {
      reading: {
        start: (...given) => {
          started.resolve();
          return startOwnThread(...given);
        },
      },
    });
    const text = 'https://shop.example.com/p/1';
    const lookup = app.lookupProduct.parse({ text, forceRefresh: false });
    const { title } = await app.lookupProduct.fromShops(lookup, app.lookupContext());
    assert.equal(title, 'Lamp');
  } finally {
    shop.closeAllConnections();
    shop.close();
  }
});
