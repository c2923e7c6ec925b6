// A retailer's short link that has to be followed: the product is stored under its own identifier. Otherwise each link that
// someone sent would have its own history.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { retailerAAddressBook } from '../../../src/read/retailers/retailer-a/address-book.ts';
import { ASIN, HOST, productHtml } from '../../read/retailers/retailer-a/fixtures.ts';
import { startService, type Service } from '../../support/service.ts';

const [SHORT, OTHER] = retailerAAddressBook.shortLinkHosts;
const LINK = `https://${SHORT}/d/0abcDEF`;
const LEADS_TO = new Map([
  ['/d/0abcDEF', `/x/dp/${ASIN}?tag=y`],
  ['/3xyz', `/x/dp/${ASIN}`],
  ['/home', '/'],
]);
const asked: string[] = [];
const isPage = (url: string): boolean => url !== '/robots.txt' && !url.startsWith('/s?');

const shop = createServer(({ url = '' }, response) => {
  // Requests made after an answer, such as for the barcode on the page, do not concern the link.
  if (isPage(url)) asked.push(url);
  const leadsTo = LEADS_TO.get(url);
  if (leadsTo !== undefined) {
    response.writeHead(301, { location: `https://${HOST}${leadsTo}` }).end();
    return;
  }
  const isProduct = url.includes(ASIN);
  response.writeHead(isProduct || url === '/' ? 200 : 404, { 'content-type': 'text/html' });
  response.end(isProduct ? productHtml() : '<title>Home</title>');
});

let service: Service;

before(async () => {
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  const { port } = shop.address() as AddressInfo;
  const origins = [SHORT, OTHER, HOST].map((host) => `https://${host}=http://127.0.0.1:${port}`);
  service = await startService({ env: { OPENSHELF_ORIGINS: origins.join(',') } });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  shop.closeAllConnections();
  shop.close();
});

test('a short link is the product to which it leads from the first answer on, and is followed once', async () => {
  const first = await service.lookup(LINK);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal(first.body['asin'], ASIN);
  assert.deepEqual(first.body['asin_match'], { state: 'exact', matched_asin: ASIN });
  const { length } = asked;
  const again = await service.lookup(LINK);
  assert.deepEqual(again.body['asin_match'], { state: 'exact', matched_asin: ASIN });
  const own = await service.lookup(ASIN);
  assert.equal(own.status, 200);
  assert.equal(own.body['current_price'], first.body['current_price']);
  assert.deepEqual(asked.slice(length), []);
});

test('all that is seen of the product is one history, whichever link it was seen by', async () => {
  await service.lookup(LINK);
  await service.lookup(`https://${OTHER}/3xyz`);
  const historyOf = async (id: string) =>
    (await service.get(`/v1/products/${encodeURIComponent(id)}/history`)).body;
  const byLink = await historyOf(LINK);
  assert.equal(byLink['identifier'], ASIN);
  const byOwn = await historyOf(`https://${HOST}/dp/${ASIN}`);
  assert.deepEqual(byLink['observations'], byOwn['observations']);
});

test('a forced lookup by a short link that was followed asks for the page of the product alone', async () => {
  await service.lookup(LINK);
  const { length } = asked;
  const forced = await service.lookup(LINK, '?retailer=retailer_a&force_refresh=true');
  assert.equal(forced.status, 200);
  assert.deepEqual(asked.slice(length), [`/dp/${ASIN}`]);
});

test('a short link of one retailer is none of another, and one that leads to no product is not found', async () => {
  await service.lookup(LINK);
  const other = await service.lookup(LINK, '?retailer=retailer_w');
  assert.equal(other.body['code'], 'retailer_mismatch');
  assert.equal((await service.lookup(`https://${SHORT}/home`)).status, 404);
});
