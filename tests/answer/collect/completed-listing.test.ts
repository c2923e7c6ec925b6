// What an official API states is the listing, and what it lacks comes from the next source (D78): the catalog answers, while the
// offers and the page answer, refuse or show another product.

import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';

import { DAY_MS } from '../../../src/base/clock.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import {
  CATALOG,
  ITEM_OFFERS,
  OTHER_ASIN,
  productHtml,
} from '../../read/retailers/retailer-a/fixtures.ts';
import { startService, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const { page, api } = publicOrigins().retailer_a;

type Offers = 'featured' | 'none' | 'failing';
type Shown = 'product' | 'another product' | 'wall';

let offers: Offers;
let shown: Shown;
let asked: string[] = [];
let made = 0;

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

const json = (response: ServerResponse, body: unknown): void =>
  send(response, 200, 'application/json', JSON.stringify(body));

function openRetailer(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', page);
    const { pathname, searchParams } = url;
    if (pathname === '/robots.txt') return send(response, 404, 'text/plain', '');
    if (pathname.endsWith('/token')) {
      return json(response, { access_token: 'T', token_type: 'bearer', expires_in: 3_600 });
    }
    asked.push(pathname);
    if (pathname.startsWith('/catalog/')) {
      const asin = searchParams.get('identifiers');
      return json(response, { items: [{ ...CATALOG.items[0], asin }] });
    }
    if (pathname.endsWith('/offers')) {
      if (offers === 'failing') return send(response, 500, 'application/json', '{}');
      const { payload } = ITEM_OFFERS;
      const [offer] = payload.Offers;
      const priced = { ...offer, ListingPrice: { CurrencyCode: 'USD', Amount: 23.4 } };
      return json(response, { payload: { ...payload, Offers: offers === 'none' ? [] : [priced] } });
    }
    if (shown === 'wall') return send(response, 403, 'text/html', '<h1>Access Denied</h1>');
    const asin = /\/dp\/([A-Z0-9]{10})/.exec(pathname)?.[1] ?? '';
    const own = shown === 'product' ? asin : OTHER_ASIN;
    const html = productHtml().replaceAll(/B0ACME0001/g, own);
    return send(response, 200, 'text/html; charset=utf-8', html);
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
  // A simulated API may be called as often as it can answer: with the pages of all retailers mapped, it is one.
  const pages = Object.values(publicOrigins()).map((each) => each.page);
  const origins = [...pages, ...Object.values(api)].map(
    (each) => `${each}=http://127.0.0.1:${port}`,
  );
  service = await startService({
    clock,
    env: {
      OPENSHELF_ORIGINS: [...new Set(origins)].join(','),
      OPENSHELF_RETAILER_A_SP_CLIENT_ID: 'a',
      OPENSHELF_RETAILER_A_SP_CLIENT_SECRET: 'b',
      OPENSHELF_RETAILER_A_SP_REFRESH_TOKEN: 'c',
      OPENSHELF_RETAILER_A_SP_SELLER_ID: 'D',
    },
  });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  retailer.close();
  retailer.closeAllConnections();
});

beforeEach(async () => {
  await service.untilQueueIdle();
  asked = [];
});

/** An ASIN that nobody asked about before. */
function newAsin(): string {
  made += 1;
  return `B0NEW${String(made).padStart(5, '0')}`;
}

async function recordOf(asin: string, query = ''): Promise<Record<string, unknown>> {
  const { status, body } = await service.lookup(asin, `?retailer=retailer_a${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const CASES: readonly (readonly [Offers, Shown, number | null, boolean | null, boolean])[] = [
  // offers, page, price, in stock, whether the page is asked
  ['featured', 'product', 23.4, true, false],
  ['featured', 'wall', 23.4, true, false],
  ['none', 'product', null, false, false],
  ['failing', 'product', 24.5, true, true],
  ['failing', 'wall', null, null, true],
  ['failing', 'another product', null, null, true],
];

for (const [of, at, price, inStock, isPageAsked] of CASES) {
  test(`offers ${of}, page ${at}: the catalog’s item costs ${price ?? 'nothing that is known'}`, async () => {
    [offers, shown] = [of, at];
    const asin = newAsin();
    const body = await recordOf(asin);
    assert.deepEqual(
      [body['title'], body['asin'], body['current_price'], body['in_stock']],
      ['Acme Anvil', asin, price, inStock],
    );
    const { via } = body['_meta'] as { readonly via?: unknown };
    assert.equal(via, 'official_api');
    assert.equal(asked.includes(`/dp/${asin}`), isPageAsked);
  });
}

test('a price that is stored outlives a failure of the offers, for two weeks', async () => {
  [offers, shown] = ['featured', 'wall'];
  const asin = newAsin();
  const first = await recordOf(asin);
  offers = 'failing';
  clock.advance(2 * DAY_MS);
  await recordOf(asin);
  await service.untilQueueIdle();
  const later = await recordOf(asin);
  assert.equal(later['current_price'], 23.4, 'the refresh behind the answer took it away');
  assert.deepEqual(later['_freshness'], first['_freshness']);
  const forced = await service.lookup(asin, '?retailer=retailer_a&force_refresh=true');
  assert.deepEqual([forced.status, forced.body['code']], [503, 'upstream_unavailable']);
  clock.advance(15 * DAY_MS);
  const old = await recordOf(asin);
  assert.deepEqual([old['title'], old['current_price']], ['Acme Anvil', null]);
});
