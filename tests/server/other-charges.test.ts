// An amount that is not a price in dollars appears in neither record nor history, whatever else the page states.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../support/service.ts';
import { vectorRows } from '../support/vectors.ts';

const HOST = 'https://www.acorn.com';
/** The price text on the page of that number, and the price in dollars. */
const TEXTS = [
  ...vectorRows('other_charges.tsv', 2).map(([text = '', price = '']) => ({
    text,
    price: price === '-' ? null : Number(price),
  })),
  ...['from EUR 9', '9,00 €', 'CA$12.50', '0', '-5.00', '£9.99', '1234 points'].map((text) => ({
    text,
    price: null,
  })),
];
let server: Server;
let service: Service;

function pageOf(number: number): string {
  const offers = { '@type': 'Offer', price: TEXTS[number]?.text, availability: 'InStock' };
  const priced = /EUR|€|CA\$|£/.test(offers.price ?? '') ? {} : { priceCurrency: 'USD' };
  const name = `Nut ${number}`;
  const product = { '@context': 'https://schema.org', '@type': 'Product', name, sku: `N${number}` };
  const data = JSON.stringify({ ...product, offers: { ...offers, ...priced } });
  return `<!doctype html><html lang="en-US"><title>${name}</title><h1>${name}</h1>
    <script type="application/ld+json">${data.replaceAll('<', '\\u003c')}</script>`;
}

before(async () => {
  server = createServer(({ url = '' }, response) => {
    const number = /^\/nut-(\d+)$/.exec(url)?.[1];
    response.writeHead(number === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(number === undefined ? '' : pageOf(Number(number)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = await startService({ env: { OPENSHELF_ORIGINS: `${HOST}=${origin}` } });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  server.close();
});

test('record and history of each page have its price in dollars, or none', async () => {
  for (const [number, { text, price }] of TEXTS.entries()) {
    const address = `${HOST}/nut-${number}`;
    const { status, body } = await service.lookup(address);
    assert.equal(status, 200, text);
    assert.equal(body['current_price'], price, text);
    const history = await service.get(
      `/v1/products/${encodeURIComponent(address)}/history?retailer=acorn`,
    );
    assert.equal(history.status, 200, text);
    const rows = history.body['observations'] as readonly {
      price: number | null;
    }[];
    const prices = rows.map((row) => row.price).filter((each) => each !== null);
    assert.deepEqual(prices, price === null ? [] : [price], text);
  }
});
