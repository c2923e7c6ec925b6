// An API that fails while the product's page still answers but states neither price nor stock.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { html, ld } from '../../read/retailers/page-fixtures.ts';
import { startService, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const { page, api } = publicOrigins().retailer_b;
const HELD = '9000001';
const NEW = '9000002';
const TITLE = 'Acme Power Bank';
const addressOf = (sku: string): string => `${page}/site/-/${sku}.p`;

let isFailing = false;

/** A page of today: it names the product, and a browser loads the price later. */
const pageOf = (sku: string): string =>
  html(ld({ '@type': 'Product', name: TITLE, sku }), `<h1>${TITLE}</h1>`, TITLE);

function openRetailer(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', page);
    const shown = /^\/site\/-\/(\d+)\.p$/.exec(pathname)?.[1];
    const asked = /^\/v1\/products\(sku=(\d+)/.exec(decodeURIComponent(pathname))?.[1];
    if (shown !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(shown));
    } else if (asked !== undefined && !isFailing) {
      const product = { sku: Number(asked), name: TITLE, salePrice: 24.99, regularPrice: 24.99 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ total: 1, products: [product] }));
    } else response.writeHead(pathname === '/robots.txt' ? 404 : 500).end();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

const clock = shiftedClock();
let retailer: Server;
let service: Service;

before(async () => {
  retailer = await openRetailer();
  const { port } = retailer.address() as AddressInfo;
  const origins = [page, ...Object.values(api)].map((each) => `${each}=http://127.0.0.1:${port}`);
  service = await startService({
    clock,
    env: {
      OPENSHELF_ORIGINS: origins.join(','),
      OPENSHELF_RETAILER_B_API_KEY: 'key',
    },
  });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  retailer.close();
  retailer.closeAllConnections();
});

test('a page without a price does not take away the price that a failing API gave within two weeks', async () => {
  const first = await service.lookup(addressOf(HELD));
  assert.equal(first.body['current_price'], 24.99, JSON.stringify(first.body));
  isFailing = true;
  clock.advance(2 * DAY_MS);
  const stale = await service.lookup(addressOf(HELD));
  assert.equal(stale.body['current_price'], 24.99);
  await service.untilQueueIdle();
  const later = await service.lookup(addressOf(HELD));
  assert.equal(later.body['current_price'], 24.99, 'the refresh behind the answer took it away');
  assert.deepEqual(later.body['_freshness'], first.body['_freshness']);
  const forced = await service.lookup(addressOf(HELD), '?retailer=retailer_b&force_refresh=true');
  assert.equal(forced.body['code'], 'upstream_unavailable', JSON.stringify(forced.body));
});

test('where nothing is stored, or what is stored is older, the page is the answer', async () => {
  isFailing = true;
  const unknown = await service.lookup(addressOf(NEW));
  assert.equal(unknown.status, 200, JSON.stringify(unknown.body));
  assert.deepEqual([unknown.body['title'], unknown.body['current_price']], [TITLE, null]);
  clock.advance(15 * DAY_MS);
  const old = await service.lookup(addressOf(HELD));
  assert.deepEqual([old.status, old.body['current_price']], [200, null]);
});
