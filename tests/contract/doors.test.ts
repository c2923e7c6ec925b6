// The doors of a shop that is not a known retailer: its own protocol, then its page (D82). tests/answer/doors has every failure.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../src/base/clock.ts';
import type { EndpointTrouble, ProtocolShop } from '../support/protocol-answers.ts';
import { openProtocolShops, soleProduct } from '../support/protocol-shops.ts';
import { contractService } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const shopOf = (
  name: string,
  speaks: ProtocolShop['speaks'],
  trouble: EndpointTrouble | null = null,
): ProtocolShop => ({
  origin: `https://${name}.example`,
  speaks,
  currency: 'KWD',
  decimals: 3,
  products: [soleProduct('kettle', 20_125, { gtin: '4006381333931' })],
  trouble,
});

const [WOO, HOSTED] = [shopOf('woodoors', 'store_api'), shopOf('hosteddoors', 'product_json')];
const CLOSED = shopOf('closeddoors', 'store_api');
const REFUSING = shopOf('refusingdoors', 'store_api');
const FORBIDDING = shopOf('forbiddingdoors', 'store_api');
const SILENT = shopOf('silentdoors', 'nothing');
const SEARCHED: ProtocolShop = {
  ...shopOf('searcheddoors', 'product_json'),
  products: [soleProduct('kettle', 20_125, { gtin: '5901234123457' })],
};

const shops = await openProtocolShops([
  WOO,
  HOSTED,
  CLOSED,
  REFUSING,
  FORBIDDING,
  SILENT,
  SEARCHED,
]);
after(() => shops[Symbol.asyncDispose]());

const contract = contractService({
  env: { OPENSHELF_ORIGINS: shops.origins, OPENSHELF_BARCODE_SHOPS: 'searcheddoors.example' },
  isStill: true,
  isAlone: true,
});

const addressAt = ({ origin, speaks }: ProtocolShop): string =>
  `${origin}${speaks === 'product_json' ? '/products' : '/product'}/kettle`;

/** Fetches a shop's product now; returns the answer and the paths that were requested. */
async function fetched(shop: ProtocolShop) {
  const [slug] = new URL(shop.origin).hostname.split('.');
  shops.requests(shop.origin);
  contract.clock.advance(1_000);
  const query = `?currency=native&force_refresh=true&retailer=${slug}`;
  const { status, body } = await contract.lookup(addressAt(shop), query);
  const meta = body['_meta'] as Readonly<Record<string, unknown>> | undefined;
  const paths = shops.requests(shop.origin).map((path) => path.split('?', 1)[0]);
  return { status, body, via: meta?.['via'], paths };
}

proves(
  'D82a D82e',
  "a shop's own protocol answers with exact prices, and needs few requests",
  async () => {
    for (const shop of [WOO, HOSTED]) {
      await contract.record(addressAt(shop));
      const { body, via, paths } = await fetched(shop);
      assert.deepEqual(
        [body['current_price'], body['currency'], via],
        [20.125, 'KWD', shop.speaks],
      );
      assert.ok(paths.length <= 2, paths.join(' '));
    }
    await contract.record(addressAt(SILENT));
    assert.deepEqual((await fetched(SILENT)).paths, ['/product/kettle']);
  },
);

proves('D82b', 'an endpoint that is not there is left alone for a day', async () => {
  await contract.record(addressAt(CLOSED));
  shops.put({ ...CLOSED, trouble: { kind: 'status', status: 403 } });
  const first = await fetched(CLOSED);
  assert.deepEqual([first.via, first.paths.length], ['page', 2]);
  shops.put(CLOSED);
  contract.clock.advance(DAY_MS - MINUTE_MS);
  assert.deepEqual((await fetched(CLOSED)).paths, ['/product/kettle']);
  contract.clock.advance(2 * MINUTE_MS);
  assert.equal((await fetched(CLOSED)).via, 'store_api');
});

proves('D82c', 'after a refusal no later door is tried for an hour', async () => {
  await contract.record(addressAt(REFUSING));
  shops.put({
    ...REFUSING,
    trouble: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
  });
  const refused = await fetched(REFUSING);
  assert.deepEqual(
    [refused.status, refused.body['upstream'], refused.paths.length],
    [503, 'upstream_blocked', 1],
  );
  shops.put({ ...REFUSING, trouble: { kind: 'status', status: 404 } });
  contract.clock.advance(59 * MINUTE_MS);
  assert.equal((await fetched(REFUSING)).paths.includes('/product/kettle'), false);
  contract.clock.advance(2 * MINUTE_MS);
  assert.equal((await fetched(REFUSING)).via, 'page');
});

proves(
  'D82d',
  "where robots.txt forbids the page's path its endpoints are not asked either",
  async () => {
    await contract.record(addressAt(FORBIDDING));
    shops.put({ ...FORBIDDING, robots: 'User-agent: *\nDisallow: /product/\n' });
    contract.clock.advance(DAY_MS + MINUTE_MS);
    const { status, body, paths } = await fetched(FORBIDDING);
    assert.deepEqual([status, body['upstream'], paths], [422, 'robots_disallowed', []]);
  },
);

proves(
  'D82f',
  'the shops of OPENSHELF_BARCODE_SHOPS are searched for a barcode first',
  async () => {
    const record = await contract.record('5901234123457', '?currency=native');
    assert.deepEqual([record['current_price'], record['currency']], [20.125, 'KWD']);
    assert.match(
      shops.requests(SEARCHED.origin)[0] ?? '',
      /^\/search\/suggest\.json\?q=5901234123457&/,
    );
  },
);
