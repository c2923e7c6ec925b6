// What the protocols of shops answer: prices exact in every currency, of the variant that is meant, and with few requests (D82).

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type {
  EndpointTrouble,
  ProtocolProduct,
  ProtocolShop,
} from '../../support/protocol-answers.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openProtocolShops, soleProduct } from '../../support/protocol-shops.ts';
import { startService, type Answer } from '../../support/service.ts';

const KETTLE: ProtocolProduct = {
  id: 34,
  slug: 'kettle',
  title: 'Stoneware Kettle',
  variants: [
    { id: 351, label: 'small', price: 3_659, was: 4_200, gtin: '4006381333931', left: 3 },
    { id: 352, label: 'large', price: 5_100, gtin: '5901234123457', left: null },
    { id: 353, label: 'huge', price: 7_000, gtin: null, left: 0 },
  ],
};

/** Decimals by ISO 4217. */
const CURRENCIES = { USD: 2, EUR: 2, JPY: 0, KWD: 3, HUF: 2, CLF: 4 } as const;
const PATHS = { store_api: '/product', product_json: '/products' } as const;

const shopOf = (
  speaks: 'store_api' | 'product_json',
  origin: string,
  currency: keyof typeof CURRENCIES,
  products: readonly ProtocolProduct[],
): ProtocolShop => ({ origin, speaks, currency, decimals: CURRENCIES[currency], products });

const speaking = ['store_api', 'product_json'] as const;
const byCurrency = Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[];
const originOf = (speaks: string, name: string): string =>
  `https://${speaks.replace('_', '')}${name.toLowerCase()}.example`;

const all = speaking.flatMap((speaks) => [
  ...byCurrency.map((currency) =>
    shopOf(speaks, originOf(speaks, currency), currency, [
      soleProduct('teapot', 20_125),
      soleProduct('cup', 11_987),
    ]),
  ),
  shopOf(speaks, originOf(speaks, 'sizes'), 'USD', [KETTLE]),
]);
const taxes: readonly EndpointTrouble['kind'][] = ['tax_added', 'other_tax', 'no_unit'];
const taxShops = taxes.map((kind) => ({
  ...shopOf('store_api', originOf('tax', kind.replace('_', '')), 'EUR', [
    soleProduct('teapot', 2_500),
  ]),
  trouble: { kind } as EndpointTrouble,
}));
const TRUSTED = shopOf('store_api', 'https://trustedstore.example', 'USD', [
  soleProduct('teapot', 2_500, { gtin: '4006381333931' }),
  soleProduct('cup', 1_200, { gtin: '5901234123457' }),
]);
const shops = await openProtocolShops([...all, ...taxShops, TRUSTED]);
after(() => shops[Symbol.asyncDispose]());
const clock = stillClock(Date.UTC(2026, 10, 2, 12));
const service = await startService({
  clock,
  env: { OPENSHELF_ORIGINS: shops.origins, OPENSHELF_TRUSTED_SHOPS: 'trustedstore.example' },
});
after(() => service[Symbol.asyncDispose]());

const metaOf = ({ body }: Answer) => body['_meta'] as Readonly<Record<string, unknown>>;

async function read(address: string, isForced = false): Promise<readonly unknown[]> {
  const { hostname } = new URL(address);
  const forced = `&force_refresh=true&retailer=${hostname.split('.')[0]}`;
  const answer = await service.lookup(address, `?currency=native${isForced ? forced : ''}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { current_price: price, currency } = answer.body;
  return [price, currency, metaOf(answer)['via']];
}

for (const speaks of speaking) {
  for (const currency of byCurrency) {
    const origin = originOf(speaks, currency);
    const exact = (units: number): number => units / 10 ** CURRENCIES[currency];
    test(`${speaks}: prices in ${currency} are exact, first and later, and later cost fewer requests`, async () => {
      const teapot = `${origin}${PATHS[speaks]}/teapot`;
      assert.deepEqual(await read(teapot), [exact(20_125), currency, speaks]);
      assert.equal(shops.requests(origin).length, 2);
      const cup = `${origin}${PATHS[speaks]}/cup`;
      assert.deepEqual(await read(cup), [exact(11_987), currency, speaks]);
      const isFine = speaks === 'product_json' && CURRENCIES[currency] > 2;
      assert.equal(shops.requests(origin).length, isFine ? 2 : 1);
      clock.advance(DAY_MS + MINUTE_MS);
      assert.deepEqual(await read(cup, true), [exact(11_987), currency, speaks]);
      const nextDay = shops.requests(origin);
      assert.ok(nextDay.length <= 2, nextDay.join(' '));
    });
  }

  test(`${speaks}: each variant has its own price and stock, in at most two requests`, async () => {
    const origin = originOf(speaks, 'sizes');
    const page = `${origin}${PATHS[speaks]}/kettle`;
    await read(page);
    shops.requests(origin);
    for (const [label, id, price, isIn] of [
      ['small', 351, 36.59, true],
      ['large', 352, 51, true],
      ['huge', 353, null, false],
    ] as const) {
      const query = speaks === 'store_api' ? `attribute_size=${label}` : `variant=${id}`;
      const answer = await service.lookup(`${page}?${query}`);
      assert.deepEqual(
        [answer.body['current_price'], answer.body['in_stock']],
        [price, isIn],
        label,
      );
      assert.equal(metaOf(answer)['via'], speaks);
      const asked = shops.requests(origin);
      assert.ok(asked.length <= 2, asked.join(' '));
    }
    clock.advance(MINUTE_MS);
    const again = speaks === 'store_api' ? '?attribute_size=large' : '?variant=352';
    assert.deepEqual(await read(`${page}${again}`, true), [51, 'USD', speaks]);
    assert.equal(shops.requests(origin).length, 1, 'the variant is known by its number');
  });
}

test('store_api: a barcode that the page stated stays, though the protocol states none', async () => {
  const origin = originOf('store_api', 'sizes');
  const url = `${origin}/product/kettle`;
  const first = await service.lookup(url);
  assert.equal(first.body['gtin'], '04006381333931');
  clock.advance(MINUTE_MS);
  await read(url, true);
  assert.deepEqual(
    shops.requests(origin).filter((path) => path.startsWith('/product/')),
    [],
  );
  const again = await service.lookup(url);
  assert.equal(again.body['gtin'], '04006381333931');
});

test('store_api: the page of a shop that counts for barcodes is read once a product, for its barcode', async () => {
  const { origin } = TRUSTED;
  await service.lookup(`${origin}/product/teapot`);
  shops.requests(origin);
  const cup = `${origin}/product/cup`;
  const first = await service.lookup(cup);
  assert.deepEqual([first.body['gtin'], metaOf(first)['via']], ['05901234123457', 'store_api']);
  assert.equal(shops.requests(origin).length, 2);
  clock.advance(MINUTE_MS);
  await read(cup, true);
  assert.equal(shops.requests(origin).length, 1);
  assert.equal((await service.lookup('5901234123457')).body['gtin'], '05901234123457');
});

for (const { origin, trouble } of taxShops) {
  test(`store_api: with ${trouble.kind} the page's amount stands, also later`, async () => {
    const url = `${origin}/product/teapot`;
    assert.deepEqual(await read(url), [25, 'EUR', 'page']);
    clock.advance(MINUTE_MS);
    assert.deepEqual(await read(url, true), [25, 'EUR', 'page']);
  });
}

test('product_json: an address for visitors of a country is in the currency of its page', async () => {
  const origin = originOf('product_json', 'USD');
  await read(`${origin}/products/teapot`);
  shops.requests(origin);
  const answer = await service.lookup(`${origin}/en-ca/products/teapot`);
  // The simulated shop has no such pages: what counts is that its page is asked.
  assert.notEqual(answer.status, 500);
  assert.ok(shops.requests(origin).includes('/en-ca/products/teapot'));
});

for (const [speaks, there] of [
  ['store_api', 'https://euros.example'],
  ['product_json', 'https://euros.example'],
  ['product_json', 'https://www.dollars.example/en-ie'],
] as const) {
  test(`${speaks}: an endpoint that leads to ${there} states no price here`, async () => {
    const own = shopOf(speaks, 'https://dollars.example', 'USD', [soleProduct('teapot', 2_500)]);
    const others = [soleProduct('teapot', 9_900)];
    const other = shopOf(speaks, new URL(there).origin, 'EUR', others);
    await using both = await openProtocolShops([own, other]);
    await using fresh = await startService({ clock, env: { OPENSHELF_ORIGINS: both.origins } });
    const address = `${own.origin}${PATHS[speaks]}/teapot`;
    assert.equal((await fresh.lookup(address)).body['current_price'], 25);
    const [endpoint] = both.requests(own.origin).slice(-1);
    const location = `${there}${endpoint}`;
    both.put({ ...own, trouble: { kind: 'status', status: 302, headers: { location } } });
    clock.advance(MINUTE_MS);
    const query = '?currency=native&force_refresh=true&retailer=dollars';
    const { body } = await fresh.lookup(address, query);
    assert.deepEqual([body['current_price'], body['currency']], [25, 'USD']);
    assert.equal(both.requests(other.origin).length, 1);
  });
}
