// Shops that are asked through their catalogue by the Universal Commerce Protocol (D82), before their product JSON and pages.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
import { UCP_TRAPS, type UcpTrap } from '../../sandbox/shops/ucp-catalog.ts';
import { addressOf, type Product } from '../../sandbox/world.ts';
import { runCommand } from '../support/command.ts';
import { openScriptedShop } from '../support/scripted-shop.ts';
import { contractService, productPath, type Contract } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const PROFILE = 'https://shelf.example/.well-known/ucp';
/** A shop that is no hosted store, and counts for barcodes; its catalogue is at the store platform. */
const LAMPS = 'https://www.ucplamps.example';
const PLATFORM = 'https://ucplamps.myshopify.com';
const ELSEWHERE = 'https://catalogues.example';
/** A shop that does not count for barcodes. */
const PLAIN = 'https://www.plainlamps.example';
const shop = await openScriptedShop([LAMPS, PLAIN, PLATFORM, ELSEWHERE]);
after(() => shop.close());
const contract = contractService({
  env: {
    OPENSHELF_AGENT_PROFILE: PROFILE,
    OPENSHELF_ORIGINS: shop.origins,
    OPENSHELF_TRUSTED_SHOPS: 'ucplamps.example',
  },
  isAlone: true,
});
const without = contractService({ isAlone: true });
const searching = contractService({
  env: {
    OPENSHELF_AGENT_PROFILE: PROFILE,
    OPENSHELF_BARCODE_SHOPS: 'www.birchandbolt.example',
  },
  isAlone: true,
});

const CATALOGUE = 'POST /api/ucp/mcp';
const DISCOVERY = 'GET /.well-known/ucp';

let next = 4;

/** Returns a product of the hosted store that no test has looked up. */
function newProduct(of: Contract = contract): Product {
  const goods = of.sandbox.world.products.filter(({ shop }) => shop.kind === 'hosted');
  next += 1;
  return goods[next] ?? assert.fail('the store has too few products');
}

type Fetched = { readonly record: Record<string, unknown>; readonly requests: readonly string[] };

/** Looks an address up, and returns the requests to the store that this caused. */
async function fetched(address: string, query = '', of: Contract = contract): Promise<Fetched> {
  const before = of.sandbox.requestCount();
  const record = await of.ok(`${productPath(address)}${query}`);
  await of.untilQueueIdle();
  const count = of.sandbox.requestCount() - before;
  const last = of.sandbox.requests().slice(-count || of.sandbox.requests().length);
  const requests = last
    .filter(({ origin, path }) => origin === new URL(address).origin && path !== '/robots.txt')
    .map(({ method, path }) => `${method} ${path}`);
  return { record, requests };
}

const viaOf = ({ record }: Pick<Fetched, 'record'>): unknown =>
  (record['_meta'] as { via?: unknown }).via;

/** Returns what the simulated store really sells at an address. */
async function truthOf(address: string): Promise<Record<string, unknown>> {
  const { origins } = contract.sandbox;
  const path = `/__truth/product?url=${encodeURIComponent(address)}`;
  const answer = await fetch(`${origins[new URL(address).origin] ?? ''}${path}`);
  return ((await answer.json()) as { facts: Record<string, unknown> }).facts;
}

/** A day later, what was learnt of the store's profile is asked again. */
function setTrap(kind: UcpTrap | null): void {
  contract.clock.advance(DAY_MS + 1);
  contract.sandbox.trap('ucp', kind);
}

proves(
  'D82u',
  'a shop with a catalogue is asked for its profile once a day, and then two requests answer for an address',
  async () => {
    const first = await fetched(addressOf(newProduct()));
    assert.equal(first.requests.filter((each) => each === DISCOVERY).length, 1);
    assert.equal(viaOf(first), 'ucp');
    const product = newProduct();
    const [variant] = product.variants;
    const address = addressOf(product, variant);
    const second = await fetched(address);
    assert.equal(viaOf(second), 'ucp');
    assert.deepEqual(second.requests, [
      `GET /products/${product.handle}.js?variant=${variant.id}`,
      CATALOGUE,
    ]);
    const truth = await truthOf(address);
    const { record } = second;
    assert.equal(record['current_price'], truth['price']);
    assert.equal(record['gtin'], truth['gtin']);
    setTrap(null);
    const later = await fetched(addressOf(newProduct()));
    assert.equal(later.requests.filter((each) => each === DISCOVERY).length, 1);
  },
);

// Before a page was read, which says that the store sells in dollars.
for (const [kind, currency, decimals] of [
  ['yen', 'JPY', 0],
  ['dinars', 'KWD', 3],
] as const) {
  proves('D82y', `a catalogue in ${currency} counts in its minor unit`, async () => {
    setTrap(kind);
    const address = addressOf(newProduct());
    const found = await fetched(address, '?currency=native');
    const truth = Number((await truthOf(address))['price']);
    const expected = kind === 'yen' ? Math.round(truth) : truth + 0.005;
    assert.equal(viaOf(found), 'ucp');
    assert.equal(found.record['currency'], currency);
    assert.equal(found.record['current_price'], Number(expected.toFixed(decimals)));
  });
}

const doorsOf = (requests: readonly string[]): readonly string[] =>
  requests.filter((each) => each === CATALOGUE || each === DISCOVERY);

for (const [kind, isAsked] of [
  ['other_host', false],
  ['over_http', false],
  ['private_address', false],
  ['other_version', false],
  ['absent', false],
  ['html', true],
  ['profile_refused', true],
  ['profile_unreachable', true],
] as const satisfies readonly (readonly [UcpTrap, boolean])[]) {
  proves(
    'D82v',
    `a shop that ${UCP_TRAPS[kind]} has no catalogue for a day, and its next door answers`,
    async () => {
      setTrap(kind);
      const first = await fetched(addressOf(newProduct()));
      assert.deepEqual(doorsOf(first.requests), isAsked ? [DISCOVERY, CATALOGUE] : [DISCOVERY]);
      const address = addressOf(newProduct());
      const second = await fetched(address);
      assert.deepEqual(doorsOf(second.requests), []);
      for (const { record } of [first, second]) assert.notEqual(viaOf({ record }), 'ucp');
      const truth = await truthOf(address);
      const price = truth['in_stock'] === true ? truth['price'] : null;
      assert.equal(second.record['current_price'], price);
    },
  );
}

for (const kind of ['not_found', 'huge'] as const) {
  proves(
    'D82w',
    `a catalogue that ${UCP_TRAPS[kind]} is asked again for the next product`,
    async () => {
      setTrap(kind);
      const first = await fetched(addressOf(newProduct()));
      const second = await fetched(addressOf(newProduct()));
      assert.deepEqual(doorsOf(first.requests), [DISCOVERY, CATALOGUE]);
      assert.deepEqual(doorsOf(second.requests), [CATALOGUE]);
      for (const { record } of [first, second]) assert.notEqual(viaOf({ record }), 'ucp');
    },
  );
}

for (const kind of ['throttled', 'throttled_inside'] as const) {
  proves(
    'D82x',
    `a catalogue that ${UCP_TRAPS[kind]} refuses for the shop: no other door is asked`,
    async () => {
      setTrap(kind);
      const address = addressOf(newProduct());
      const before = contract.sandbox.requestCount();
      const { status, body, headers } = await contract.lookup(address);
      assert.deepEqual([status, body['upstream']], [503, 'upstream_blocked']);
      assert.ok(Number(headers.get('retry-after')) >= 3_600);
      const sent = contract.sandbox.requests().slice(before - contract.sandbox.requestCount());
      const last = sent.at(-1);
      assert.equal(`${last?.method} ${last?.path}`, CATALOGUE);
      assert.equal(sent.filter(({ path }) => path === new URL(address).pathname).length, 0);
    },
  );
}

proves('D82y', 'goods that are sold out are found in a catalogue', async () => {
  setTrap(null);
  const { record } = await fetched(contract.sandbox.describe().out_of_stock_url);
  assert.equal(record['in_stock'], false);
  const goods = contract.sandbox.world.products.filter(({ shop }) => shop.kind === 'hosted');
  const never = goods.find(({ stock }) => stock === 'never') ?? assert.fail();
  const found = await fetched(addressOf(never));
  assert.deepEqual([viaOf(found), found.record['in_stock']], ['ucp', false]);
});

proves(
  'D82u',
  'an older version of the profile is found where the newest one names it',
  async () => {
    setTrap('old_profile');
    const found = await fetched(addressOf(newProduct()));
    assert.equal(viaOf(found), 'ucp');
    assert.deepEqual(
      found.requests.filter((each) => each.startsWith(DISCOVERY)),
      [DISCOVERY, `${DISCOVERY}/2026-04-08`],
    );
  },
);

const VERSION = '2026-04-08';
const ENDPOINT = `${PLATFORM}/ucp`;
const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });

/** Makes the shop sell a lamp at an address, and state no barcode in its catalogue, which answers at `lookup`. */
function sell(
  url: string,
  dollars: { readonly page: number; readonly catalogue: number },
  endpoint = ENDPOINT,
): void {
  const services = { 'dev.ucp.shopping': [{ version: VERSION, transport: 'rest', endpoint }] };
  const names = ['dev.ucp.shopping.catalog.search', 'dev.ucp.shopping.catalog.lookup'];
  const capabilities = Object.fromEntries(names.map((name) => [name, [{ version: VERSION }]]));
  const ucp = { version: VERSION, services, capabilities, payment_handlers: {} };
  shop.answer(`${new URL(url).origin}/.well-known/ucp`, json({ ucp }));
  const price = { amount: dollars.catalogue * 100, currency: 'USD' };
  const variants = [{ id: 'v', sku: 'AL-204', price }];
  const products = [{ id: 'p', title: 'Aurora Desk Lamp', url, variants }];
  const answer = json({ ucp: { version: VERSION }, products });
  for (const origin of [PLATFORM, ELSEWHERE]) shop.answer(`${origin}/ucp/catalog/lookup`, answer);
  const offers = { '@type': 'Offer', price: `${dollars.page}.00`, priceCurrency: 'USD' };
  const lamp = { name: 'Aurora Desk Lamp', sku: 'AL-204', gtin13: '4006381333931', offers };
  const data = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', ...lamp });
  shop.answer(url, `<script type="application/ld+json">${data}</script><h1>Aurora Desk Lamp</h1>`);
}

proves(
  'D82u',
  'a catalogue over REST is asked by the address; the first reading is that of the page if it has no barcode',
  async () => {
    const url = `${LAMPS}/p/lamp`;
    sell(url, { page: 42, catalogue: 42 });
    const first = await contract.record(url);
    assert.deepEqual([viaOf({ record: first }), first['ean']], ['page', '4006381333931']);
    sell(url, { page: 42, catalogue: 39 });
    const reads = shop.reads(url);
    const { status, body } = await contract.refresh(url);
    assert.equal(status, 200);
    const { current_price: price, ean } = body;
    assert.deepEqual([viaOf({ record: body }), price, ean], ['ucp', 39, '4006381333931']);
    assert.equal(shop.reads(url), reads);
  },
);

proves('D82v', 'a catalogue at another host is not asked', async () => {
  contract.clock.advance(DAY_MS + 1);
  const url = `${LAMPS}/p/lamp`;
  sell(url, { page: 41, catalogue: 1 }, `${ELSEWHERE}/ucp`);
  const { body } = await contract.refresh(url);
  assert.deepEqual([viaOf({ record: body }), body['current_price']], ['page', 41]);
  assert.equal(shop.reads(`${ELSEWHERE}/ucp/catalog/lookup`), 0);
});

proves('D82v', 'a catalogue that redirects to another host is not believed', async () => {
  const url = `${PLAIN}/p/lamp`;
  sell(url, { page: 43, catalogue: 1 });
  const location = `${ELSEWHERE}/ucp/catalog/lookup`;
  shop.answer(`${ENDPOINT}/catalog/lookup`, { status: 307, location });
  const record = await contract.record(url);
  assert.deepEqual([viaOf({ record }), record['current_price']], ['page', 43]);
  assert.equal(shop.reads(location), 1);
});

proves(
  'D82v',
  'a product that a catalogue states in place of the one at an address is not believed',
  async () => {
    contract.clock.advance(DAY_MS + 1);
    const url = `${PLAIN}/p/light`;
    sell(url, { page: 44, catalogue: 1 });
    const price = { amount: 100, currency: 'USD' };
    const other = { id: 'o', title: 'Other', url: `${PLAIN}/p/o`, variants: [{ id: 'o', price }] };
    shop.answer(`${ENDPOINT}/catalog/lookup`, json({ ucp: { version: VERSION }, product: other }));
    const record = await contract.record(url);
    assert.deepEqual([viaOf({ record }), record['current_price']], ['page', 44]);
  },
);

proves('D82q', 'a shop that is searched for barcodes is asked through its catalogue', async () => {
  const known = addressOf(newProduct(searching));
  await fetched(known, '', searching);
  const product = newProduct(searching);
  const [variant] = product.variants;
  const before = searching.sandbox.requestCount();
  const query = '?include_cross_retailer=true';
  const record = await searching.record(variant.gtin14, query);
  const sent = searching.sandbox.requests().slice(before - searching.sandbox.requestCount());
  const { origin } = new URL(known);
  assert.deepEqual(
    sent.filter((each) => each.origin === origin).map(({ method, path }) => `${method} ${path}`),
    [CATALOGUE, `GET /products/${product.handle}.js`, CATALOGUE],
  );
  const cells = record['cross_retailer'] as Readonly<Record<string, Record<string, unknown>>>;
  const cell = Object.values(cells).find(({ url }) => String(url).startsWith(origin));
  const identity = cell?.['identity'] as { readonly state?: string } | undefined;
  assert.deepEqual([cell?.['_via'], identity?.state], ['ucp', 'confirmed']);
});

proves('D82z', 'without a profile of its own, an installation asks for no catalogue', async () => {
  const { requests, record } = await fetched(addressOf(newProduct(without)), '', without);
  assert.equal(viaOf({ record }), 'product_json');
  assert.ok(requests.length > 0);
  assert.deepEqual(
    requests.filter((each) => each.includes('ucp')),
    [],
  );
});

proves(
  'D93e',
  'the profile is free and needs no key, may be cached, and names the catalogue alone; a command prints it',
  async () => {
    const answer = await fetch(`${contract.service.url}/.well-known/ucp`);
    assert.equal(answer.status, 200);
    const body = (await answer.json()) as { readonly ucp: Readonly<Record<string, object>> };
    assert.equal(answer.headers.get('content-type'), 'application/json');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
    const { ucp } = body;
    assert.equal(ucp['version'], '2026-04-08');
    assert.deepEqual(Object.keys(ucp['capabilities'] ?? {}), [
      'dev.ucp.shopping.catalog.search',
      'dev.ucp.shopping.catalog.lookup',
      'dev.shopify.catalog',
    ]);
    const { stdout } = await runCommand(['agent-profile']);
    assert.deepEqual(JSON.parse(stdout), body);
  },
);
