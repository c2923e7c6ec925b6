// A page that sends its visitors on by its head is a redirect: the same checks apply to where it leads.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { openScriptedShop, type ScriptedShop } from '../../support/scripted-shop.ts';
import { startService, type Service } from '../../support/service.ts';

const SHOP = 'https://www.kettles.example';
const OTHER = 'https://www.pots.example';

let shop: ScriptedShop;
let service: Service;
before(async () => {
  shop = await openScriptedShop([SHOP, OTHER]);
  service = await startService({ env: { OPENSHELF_ORIGINS: shop.origins } });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await shop.close();
});

const leadsTo = (address: string): string =>
  `<!doctype html><html><head><title>Moved</title><meta http-equiv="refresh" content="0; url=${address}"></head><body><p>This page has moved.</p></body></html>`;

function kettle(price: string): string {
  const offers = { '@type': 'Offer', price, priceCurrency: 'USD' };
  const data = { '@context': 'https://schema.org', '@type': 'Product', name: 'Ash Kettle', offers };
  return `<!doctype html><title>Ash Kettle</title><script type="application/ld+json">${JSON.stringify(data)}</script><h1>Ash Kettle</h1>`;
}

/** Returns the status, and the price or the code of the error. */
async function asked(address: string): Promise<readonly unknown[]> {
  const { status, body } = await service.get(`/v1/products/${encodeURIComponent(address)}`);
  const { current_price: price, error } = body as {
    current_price?: number;
    error?: { code?: string };
  };
  return [status, status === 200 ? price : (error?.code ?? body['code'])];
}

test('the product is read where the page leads, by way of other such pages and of redirects', async () => {
  shop.answer(`${SHOP}/a/1`, leadsTo('/a/2'));
  shop.answer(`${SHOP}/a/2`, { status: 301, location: '/a/3' });
  shop.answer(`${SHOP}/a/3`, leadsTo('4?from=3&amp;x=1'));
  shop.answer(`${SHOP}/a/4?from=3&x=1`, kettle('31.00'));
  assert.deepEqual(await asked(`${SHOP}/a/1`), [200, 31]);
});

test('pages that lead to each other are a loop and cost four requests', async () => {
  shop.answer(`${SHOP}/loop/1`, leadsTo('2'));
  shop.answer(`${SHOP}/loop/2`, leadsTo('1'));
  assert.deepEqual(await asked(`${SHOP}/loop/1`), [422, 'source_unusable']);
  assert.equal(shop.reads(`${SHOP}/loop/1`) + shop.reads(`${SHOP}/loop/2`), 4);
});

test('no page leads into the network', async () => {
  const refused = [
    'https://127.0.0.1/admin',
    'https://[::1]/admin',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/admin',
    'https://user:word@www.pots.example/p',
    'https://www.pots.example:8443/p',
  ];
  for (const [index, address] of refused.entries()) {
    shop.answer(`${SHOP}/in/${index}`, leadsTo(address));
    const [status, code] = await asked(`${SHOP}/in/${index}`);
    assert.deepEqual([status, code], [400, 'url_not_allowed'], address);
  }
});

test("no page leads past the robots.txt of another page's shop", async () => {
  shop.answer(`${OTHER}/robots.txt`, { type: 'text/plain', body: 'User-agent: *\nDisallow: /p' });
  shop.answer(`${OTHER}/p/kettle`, kettle('29.00'));
  shop.answer(`${SHOP}/off/1`, leadsTo(`${OTHER}/p/kettle`));
  const [status] = await asked(`${SHOP}/off/1`);
  assert.notEqual(status, 200);
  assert.equal(shop.reads(`${OTHER}/p/kettle`), 0);
});

test('what another shop sells is not what this shop sells', async () => {
  shop.answer(`${OTHER}/open/kettle`, kettle('29.00'));
  shop.answer(`${SHOP}/off/2`, leadsTo(`${OTHER}/open/kettle`));
  shop.answer(`${SHOP}/off/3`, { status: 302, location: `${OTHER}/open/kettle` });
  assert.deepEqual(await asked(`${SHOP}/off/2`), await asked(`${SHOP}/off/3`));
});
