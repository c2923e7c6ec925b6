// What a shop's protocol answers, and which door or fault follows (D82).

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type { EndpointTrouble, ProtocolShop } from '../../support/protocol-answers.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openProtocolShops, soleProduct } from '../../support/protocol-shops.ts';
import { openScriptedShop } from '../../support/scripted-shop.ts';
import { startService } from '../../support/service.ts';

const SPEAKS = ['store_api', 'product_json'] as const;
type Speaks = (typeof SPEAKS)[number];

type Row = {
  readonly name: string;
  readonly trouble?: EndpointTrouble;
  readonly robots?: string;
  readonly pageStatus?: number;
  /** The door that answers, or the code of the fault; by protocol if they differ. */
  readonly expected: string | Readonly<Record<Speaks, string>>;
  /** Whether the page was requested after the endpoint. */
  readonly isPageAsked: boolean;
  /** Whether the next lookup, an hour and a minute later, asks the endpoint again. */
  readonly isAskedAgain: boolean;
};

const status = (code: number, headers = {}): EndpointTrouble => ({
  kind: 'status',
  status: code,
  headers,
});
const PATHS: Readonly<Record<Speaks, string>> = {
  store_api: '/product/',
  product_json: '/products/',
};
const ENDPOINTS: Readonly<Record<Speaks, string>> = {
  store_api: '/wp-json/',
  product_json: '/products/*.js',
};

const ROWS: readonly Row[] = [
  {
    name: 'answers',
    expected: { store_api: 'store_api', product_json: 'product_json' },
    isPageAsked: false,
    isAskedAgain: true,
  },
  ...[401, 403, 404, 405].map((code) => ({
    name: `${code}: it is not there`,
    trouble: status(code),
    expected: 'page',
    isPageAsked: true,
    isAskedAgain: false,
  })),
  {
    name: 'a page in place of JSON: it is not there',
    trouble: { kind: 'html' },
    expected: 'page',
    isPageAsked: true,
    isAskedAgain: false,
  },
  {
    name: 'robots.txt forbids the endpoint: it is not there',
    robots: 'endpoint',
    expected: 'page',
    isPageAsked: true,
    isAskedAgain: false,
  },
  {
    name: 'robots.txt forbids the page: refused',
    robots: 'page',
    expected: 'robots_disallowed',
    isPageAsked: false,
    isAskedAgain: false,
  },
  {
    name: '429: refused',
    trouble: status(429),
    expected: 'upstream_blocked',
    isPageAsked: false,
    isAskedAgain: true,
  },
  {
    name: '451: refused',
    trouble: status(451),
    expected: 'upstream_blocked',
    isPageAsked: false,
    isAskedAgain: true,
  },
  {
    name: 'a wall: refused',
    trouble: { kind: 'wall' },
    expected: 'upstream_blocked',
    isPageAsked: false,
    isAskedAgain: true,
  },
  {
    name: 'a page for a password: refused',
    trouble: { kind: 'password' },
    expected: 'upstream_blocked',
    isPageAsked: false,
    isAskedAgain: true,
  },
  {
    name: '500: failed',
    trouble: status(500),
    expected: 'page',
    isPageAsked: true,
    isAskedAgain: true,
  },
  {
    name: 'a closed connection: failed',
    trouble: { kind: 'reset' },
    expected: 'page',
    isPageAsked: true,
    isAskedAgain: true,
  },
  {
    name: 'nothing: failed',
    trouble: { kind: 'empty' },
    expected: 'page',
    isPageAsked: true,
    isAskedAgain: true,
  },
  {
    name: '404, and the page answers 403: refused',
    trouble: status(404),
    pageStatus: 403,
    expected: 'upstream_blocked',
    isPageAsked: true,
    isAskedAgain: true,
  },
  {
    name: '404, and the page answers 451: refused',
    trouble: status(404),
    pageStatus: 451,
    expected: 'upstream_blocked',
    isPageAsked: true,
    isAskedAgain: true,
  },
];

const shopOf = (origin: string, speaks: Speaks): ProtocolShop => ({
  origin,
  speaks,
  currency: 'USD',
  decimals: 2,
  products: [soleProduct('kettle', 3_659)],
});

const cases = ROWS.flatMap((row, at) =>
  SPEAKS.map((speaks) => ({
    row,
    speaks,
    origin: `https://${speaks.replace('_', '')}${at}.example`,
  })),
);
const shops = await openProtocolShops(cases.map(({ origin, speaks }) => shopOf(origin, speaks)));
after(() => shops[Symbol.asyncDispose]());
const clock = stillClock(Date.UTC(2026, 10, 2, 12));
const service = await startService({ clock, env: { OPENSHELF_ORIGINS: shops.origins } });
after(() => service[Symbol.asyncDispose]());

/** A shop's slug is the label of its domain. */
const forcedOf = (origin: string): string => {
  const [label] = new URL(origin).hostname.split('.');
  return `?force_refresh=true&retailer=${label}`;
};

const viaOf = (body: Readonly<Record<string, unknown>>): unknown =>
  (body['_meta'] as Readonly<Record<string, unknown>>)['via'];

for (const { row, speaks, origin } of cases) {
  const expected = typeof row.expected === 'string' ? row.expected : row.expected[speaks];
  test(`${speaks}: ${row.name}, then ${expected}`, async () => {
    const url = `${origin}${PATHS[speaks]}kettle`;
    const first = await service.lookup(url);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.equal(viaOf(first.body), speaks);
    assert.equal(
      shops.requests(origin).length,
      2,
      'the page, and what it says that the shop speaks',
    );
    const forbidden = row.robots === 'page' ? PATHS[speaks] : ENDPOINTS[speaks];
    // What forbids the page must not forbid the endpoint, or it would not show which of them counts.
    const allowed = row.robots === 'page' ? `Allow: ${ENDPOINTS[speaks]}\n` : '';
    shops.put({
      ...shopOf(origin, speaks),
      ...(row.trouble === undefined ? {} : { trouble: row.trouble }),
      ...(row.pageStatus === undefined ? {} : { pageStatus: row.pageStatus }),
      ...(row.robots === undefined
        ? {}
        : { robots: `User-agent: *\nDisallow: ${forbidden}\n${allowed}` }),
    });
    // A robots.txt counts for a day.
    clock.advance(row.robots === undefined ? MINUTE_MS : 20 * HOUR_MS);
    if (row.robots !== undefined) clock.advance(4 * HOUR_MS + MINUTE_MS);
    const second = await service.lookup(url, forcedOf(origin));
    const isRead = second.status === 200;
    assert.equal(
      isRead ? viaOf(second.body) : second.body['upstream'],
      expected,
      JSON.stringify(second.body),
    );
    const asked = shops.requests(origin);
    const isPage = (path: string): boolean => path === `${PATHS[speaks]}kettle`;
    assert.equal(asked.some(isPage), row.isPageAsked, asked.join(' '));
    assert.ok(asked.filter((path) => path !== '/password').length <= 2, asked.join(' '));
    clock.advance(HOUR_MS + MINUTE_MS);
    await service.lookup(url, forcedOf(origin));
    const again = shops.requests(origin).filter((path) => !isPage(path));
    assert.equal(again.length > 0, row.isAskedAgain, again.join(' '));
  });
}

test('what is not there is asked again a day later, after its page', async () => {
  const { origin } = cases.find(
    ({ row, speaks }) => speaks === 'store_api' && row.name.startsWith('404:'),
  )!;
  shops.put(shopOf(origin, 'store_api'));
  clock.advance(DAY_MS);
  await service.lookup(`${origin}/product/kettle`, forcedOf(origin));
  assert.deepEqual(
    shops.requests(origin).map((path) => path.split('?')[0]),
    ['/product/kettle', '/wp-json/wc/store/v1/products'],
  );
});

test('after a refusal no other door is tried for an hour, and then it is', async () => {
  const { origin } = cases.find(
    ({ row, speaks }) => speaks === 'store_api' && row.name === 'answers',
  )!;
  const url = `${origin}/product/kettle`;
  shops.put({ ...shopOf(origin, 'store_api'), trouble: status(429, { 'retry-after': '5' }) });
  await service.lookup(url, forcedOf(origin));
  shops.put({ ...shopOf(origin, 'store_api'), trouble: status(500) });
  clock.advance(30 * MINUTE_MS);
  shops.requests(origin);
  const held = await service.lookup(url, forcedOf(origin));
  assert.equal(held.status, 503);
  assert.deepEqual(
    shops.requests(origin).filter((path) => !path.startsWith('/wp-json')),
    [],
  );
  clock.advance(31 * MINUTE_MS);
  const free = await service.lookup(url, forcedOf(origin));
  assert.equal(viaOf(free.body), 'page', JSON.stringify(free.body));
});

test('of a page that names two protocols, the second is not asked after the first refused', async () => {
  const origin = 'https://both.example';
  const shop = await openScriptedShop([origin]);
  after(() => shop.close());
  const offers = { '@type': 'Offer', price: '36.59', priceCurrency: 'USD' };
  const data = { '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle', offers };
  shop.answer(`${origin}/products/kettle`, {
    body:
      `<link rel="https://api.w.org/" href="${origin}/wp-json/"><link href="/woocommerce.css">` +
      '<script>var Shopify = {}; Shopify.theme = {}; Shopify.currency = {"active":"USD","rate":"1.0"};</script>' +
      `<script type="application/ld+json">${JSON.stringify(data)}</script><h1>Kettle</h1>`,
  });
  const [api, js] = [
    `${origin}/wp-json/wc/store/v1/products?slug=kettle`,
    `${origin}/products/kettle.js`,
  ];
  for (const address of [api, js]) shop.answer(address, { status: 429, body: '' });
  await using other = await startService({ clock, env: { OPENSHELF_ORIGINS: shop.origins } });
  await other.lookup(`${origin}/products/kettle`);
  assert.deepEqual([shop.reads(api), shop.reads(js)], [1, 0]);
});

test('a shop that speaks nothing costs one request a lookup', async () => {
  const { origin } = cases[0]!;
  shops.put({
    ...shopOf(origin, 'store_api'),
    speaks: 'nothing',
    products: [soleProduct('mug', 700)],
  });
  clock.advance(2 * DAY_MS);
  await using other = await startService({ clock, env: { OPENSHELF_ORIGINS: shops.origins } });
  shops.requests(origin);
  const { body } = await other.lookup(`${origin}/product/mug`);
  assert.equal(viaOf(body), 'page');
  assert.deepEqual(shops.requests(origin), ['/product/mug']);
});
