// The hosted stores of OPENSHELF_BARCODE_SHOPS: what their search finds for a barcode, and which variant of it counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type {
  EndpointTrouble,
  ProtocolProduct,
  ProtocolShop,
} from '../../support/protocol-answers.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openProtocolShops, soleProduct } from '../../support/protocol-shops.ts';
import { startService } from '../../support/service.ts';

const [FIRST, SECOND] = ['4006381333931', '5901234123457'];
const ORIGIN = 'https://barcodes.example';
const OTHER = 'https://otherbarcodes.example';

const shopWith = (
  products: readonly ProtocolProduct[],
  trouble: EndpointTrouble | null = null,
  origin = ORIGIN,
): ProtocolShop => ({
  origin,
  speaks: 'product_json',
  currency: 'USD',
  decimals: 2,
  products,
  trouble,
});

const sizes = (gtins: readonly (string | null)[], slug = 'kettle'): ProtocolProduct => {
  const [first, ...others] = gtins.map((gtin, at) => ({
    id: 351 + at,
    label: `size ${at}`,
    price: 3_000 + at * 1_000,
    gtin,
    left: null,
  }));
  return { id: 34, slug, title: 'Stoneware Kettle', variants: [first!, ...others] };
};

/** Runs a fresh service, to which no shop is known. */
async function withShop(
  shop: ProtocolShop,
  run: (tools: {
    readonly lookup: (code: string) => Promise<Readonly<Record<string, unknown>>>;
    readonly requests: () => readonly string[];
    readonly clock: ReturnType<typeof stillClock>;
    readonly put: (shop: ProtocolShop) => void;
  }) => Promise<void>,
): Promise<void> {
  await using shops = await openProtocolShops([shop, shopWith([], null, OTHER)]);
  const clock = stillClock(Date.UTC(2026, 10, 2, 12));
  const env = {
    OPENSHELF_ORIGINS: shops.origins,
    OPENSHELF_BARCODE_SHOPS: 'barcodes.example',
    ...(shop.speaks === 'ucp'
      ? { OPENSHELF_AGENT_PROFILE: 'https://shelf.example/.well-known/ucp' }
      : {}),
  };
  await using service = await startService({ clock, env });
  await run({
    lookup: async (code) => {
      const { status, body } = await service.lookup(code);
      return { status, ...body };
    },
    requests: () => shops.requests(ORIGIN).map((path) => path.split('?', 1)[0] ?? ''),
    clock,
    put: shops.put,
  });
}

const SEARCH = '/search/suggest.json';

test('the variant that prints the barcode answers, in two requests of a known shop and three of a new one', async () => {
  const products = [sizes([FIRST, SECOND]), soleProduct('mug', 700, { gtin: '036000291452' })];
  await withShop(shopWith(products), async ({ lookup, requests }) => {
    const found = await lookup(SECOND);
    assert.deepEqual(
      [found['status'], found['current_price'], found['gtin']],
      [200, 40, `0${SECOND}`],
    );
    assert.deepEqual(requests(), [SEARCH, '/products/kettle.js', '/products/kettle']);
    const mug = await lookup('036000291452');
    assert.deepEqual(
      [mug['status'], mug['current_price'], mug['gtin']],
      [200, 7, '00036000291452'],
    );
    assert.deepEqual(requests(), [SEARCH, '/products/mug.js']);
    assert.equal((mug['_meta'] as Record<string, unknown>)['via'], 'product_json');
  });
});

for (const [name, products] of [
  ['several variants of a product print it', [sizes([FIRST, FIRST])]],
  ['it stands in a title alone', [{ ...sizes([SECOND]), title: `Kettle ${FIRST}` }]],
  [
    'the variant that its title names has no barcode',
    [{ ...sizes([null]), title: `Kettle ${FIRST}` }],
  ],
  ['the shop has nothing', []],
] as const) {
  test(`if ${name}, the shop does not answer, and is not asked again for a day`, async () => {
    await withShop(shopWith(products), async ({ lookup, requests, clock }) => {
      assert.equal((await lookup(FIRST))['status'] === 200, false);
      assert.equal(requests()[0], SEARCH);
      clock.advance(MINUTE_MS);
      await lookup(FIRST);
      assert.deepEqual(requests(), []);
      clock.advance(DAY_MS);
      await lookup(FIRST);
      assert.equal(requests()[0], SEARCH);
    });
  });
}

test('of several products with one barcode the first that the shop names answers', async () => {
  const twins = [sizes([FIRST], 'new'), { ...sizes([FIRST], 'used'), id: 35 }];
  await withShop(shopWith(twins), async ({ lookup, requests }) => {
    const found = await lookup(FIRST);
    assert.equal(found['current_price'], 30);
    assert.deepEqual(requests(), [SEARCH, '/products/new.js', '/products/new']);
  });
});

test('a sold-out product is found', async () => {
  const soldOut = soleProduct('mug', 700, { gtin: FIRST, left: 0 });
  await withShop(shopWith([soldOut]), async ({ lookup }) => {
    const found = await lookup(FIRST);
    assert.deepEqual([found['status'], found['in_stock']], [200, false]);
  });
});

for (const [name, shop, pauseMs] of [
  ['404', shopWith([sizes([FIRST])], { kind: 'status', status: 404 }), DAY_MS],
  ['403', shopWith([sizes([FIRST])], { kind: 'status', status: 403 }), DAY_MS],
  ['a page', shopWith([sizes([FIRST])], { kind: 'html' }), DAY_MS],
  ['429', shopWith([sizes([FIRST])], { kind: 'status', status: 429 }), 60 * MINUTE_MS],
  [
    'a robots.txt that forbids it',
    { ...shopWith([sizes([FIRST])]), robots: 'User-agent: *\nDisallow: /search\n' },
    DAY_MS,
  ],
] as const) {
  test(`a search that answers with ${name} is left alone for ${pauseMs / MINUTE_MS} minutes`, async () => {
    await withShop(shop, async ({ lookup, requests, clock, put }) => {
      await lookup(FIRST);
      put(shopWith([sizes([FIRST])]));
      requests();
      clock.advance(pauseMs - MINUTE_MS);
      await lookup(SECOND);
      assert.deepEqual(requests(), []);
      clock.advance(2 * MINUTE_MS);
      assert.equal((await lookup(FIRST))['status'], 200);
    });
  });
}

for (const [where, counts] of [
  ['/', [1, 0]],
  ['/products/', [2, 0]],
] as const) {
  test(`a shop that wants no search of ${where} is not searched for a day, and nothing of it is found`, async () => {
    const robots = `User-agent: *\nContent-Signal: ${where} search=no\nAllow: /\n`;
    const shop = { ...shopWith([sizes([FIRST]), sizes([SECOND], 'mug')]), robots };
    await withShop(shop, async ({ lookup, requests, clock }) => {
      for (const [at, code] of [FIRST, SECOND].entries()) {
        assert.equal((await lookup(code))['status'] === 200, false);
        assert.equal(requests().length, counts[at]);
        clock.advance(MINUTE_MS);
      }
    });
  });
}

for (const [name, trouble, isRefusal] of [
  ['503', { kind: 'status', status: 503 }, false],
  ['429', { kind: 'status', status: 429 }, true],
  ['403', { kind: 'status', status: 403 }, true],
  ['a wall', { kind: 'wall' }, true],
  ['nothing', { kind: 'empty' }, true],
] as const satisfies readonly (readonly [string, EndpointTrouble, boolean])[]) {
  test(`a hit that answers with ${name} does not mean that the shop has nothing, and no other is read`, async () => {
    const products = [sizes([FIRST]), { ...sizes([FIRST], 'used'), id: 35 }];
    const shop = { ...shopWith(products, trouble), troubledBelow: '/products/' };
    await withShop(shop, async ({ lookup, requests, clock, put }) => {
      await lookup(FIRST);
      assert.deepEqual(requests(), [SEARCH, '/products/kettle.js']);
      put(shopWith(products));
      clock.advance(59 * MINUTE_MS);
      assert.equal((await lookup(FIRST))['status'] === 200, !isRefusal);
      clock.advance(2 * MINUTE_MS);
      assert.equal((await lookup(FIRST))['status'], 200);
    });
  });
}

test('a search that fails does not mean that the shop has nothing, whatever its catalogue says', async () => {
  const products = [sizes([FIRST]), soleProduct('mug', 700)];
  const shop: ProtocolShop = { ...shopWith(products), speaks: 'ucp' };
  const failing = { trouble: { kind: 'status', status: 503 }, troubledBelow: SEARCH } as const;
  await withShop({ ...shop, ...failing }, async ({ lookup, put, clock }) => {
    // The shop's catalogue is known from then on; its search does not find barcodes.
    assert.equal((await lookup(`${ORIGIN}/products/mug`))['status'], 200);
    await lookup(FIRST);
    put(shop);
    clock.advance(MINUTE_MS);
    assert.equal((await lookup(FIRST))['status'], 200);
  });
});
