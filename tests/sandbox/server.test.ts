// The simulated shops over HTTP: every address answers, trouble behaves as described, the truth can be requested.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox } from '../../sandbox/server.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import { troubleAddress, TROUBLES } from '../../sandbox/trouble.ts';
import type { TroubleKind } from '../../sandbox/trouble.ts';

const AT = Date.UTC(2026, 8, 9, 12);
let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ seed: 1, now: () => AT });
});
after(() => sandbox.close());

function loopback(address: string): string {
  const url = new URL(address);
  const origin = sandbox.origins[url.origin];
  assert.ok(origin, `no origin for ${address}`);
  return origin + url.pathname + url.search;
}

async function get(address: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(loopback(address), { redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test('public origins are https names that can never belong to a real shop, each on a port of its own', () => {
  const { origins } = sandbox;
  const names = Object.keys(origins);
  // Three shops, the pages of seven retailers, their APIs, two search engines.
  assert.ok(names.length > 15);
  for (const origin of names) assert.match(origin, /^https:\/\/(?:[a-z-]+\.)+example$/);
  assert.equal(new Set(Object.values(origins)).size, names.length);
  for (const origin of Object.values(origins)) assert.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('retailers are served at the origins that the caller names, and their pages say so', async () => {
  const page = 'https://www.somewhere.example';
  const options = {
    retailers: { retailer_w: { page, api: { any: 'https://api.somewhere.example' } } },
  };
  await using other = await startSandbox({ seed: 1, now: () => AT, products: 60, ...options });
  const answered = other.describe();
  assert.equal(answered.url.retailer_w, `${page}/ip/${answered.item_id}`);
  assert.equal(answered.url.retailer_a, undefined, 'an invented origin is not an address to paste');
  assert.ok(other.origins['https://api.somewhere.example']);
  const answer = await fetch(`${other.origins[page]}/ip/${answered.item_id}`);
  assert.ok((await answer.text()).includes(`${page}/media/`));
});

test('trouble at a retailer is what its kind says', async () => {
  const { retailers } = sandbox.describe();
  const status = { blocked: [403, 412, 503], wall_in_200: [200], throttled: [429], broken: [500] };
  let seen = 0;
  for (const { trouble } of Object.values(retailers)) {
    for (const [kind, wanted] of Object.entries(status)) {
      const pointer = trouble[kind as keyof typeof status];
      if (pointer === undefined) continue;
      seen += 1;
      assert.ok(wanted.includes((await get(pointer.url)).status), pointer.url);
    }
    assert.equal((await get(trouble.gone?.url ?? '')).status, 404);
    await assert.rejects(get(trouble.down?.url ?? ''));
    const page = (await get(trouble.redesigned?.url ?? '')).text;
    assert.doesNotMatch(page, /ld\+json|__NEXT_DATA__|_STATE__|"og:|id="(?:productTitle|ASIN)"/);
    assert.match(page, /v9/);
  }
  assert.equal(seen, 27);
  const { substituted } = retailers.retailer_a.trouble;
  assert.ok(substituted);
  assert.doesNotMatch(
    (await get(substituted.url)).text,
    new RegExp(`name="ASIN" value="${substituted.id}"`),
  );
});

test('a whole retailer can fail for a while, the others go on', async () => {
  await using other = await startSandbox({ seed: 3, now: () => AT, products: 60 });
  const { retailers } = other.describe();
  const ask = async (address: string): Promise<Response> => {
    const { origin, pathname } = new URL(address);
    return fetch(`${other.origins[origin]}${pathname}`);
  };
  const { url } = retailers.retailer_e;
  other.disturb('retailer_e', 'blocked');
  assert.match(await (await ask(url)).text(), /Pardon Our Interruption/);
  assert.equal((await ask(retailers.retailer_h.url)).status, 200);
  other.disturb('retailer_e', 'broken');
  assert.equal((await ask(url)).status, 500);
  other.disturb('retailer_e', 'down');
  await assert.rejects(ask(url));
  other.disturb('retailer_e', null);
  assert.equal((await ask(url)).status, 200);
});

test('short links lead to the page of their listing', async () => {
  const { retailers } = sandbox.describe();
  const cases = [
    [retailers.retailer_a, `/d/${retailers.retailer_a.id}`],
    [retailers.retailer_e, `/m/${retailers.retailer_e.id}`],
  ] as const;
  for (const [{ url }, path] of cases) {
    const answer = await get(new URL(path, url).href);
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), url);
  }
});

test('every retailer has a robots.txt and answers 404 for what it does not have', async () => {
  for (const { url } of Object.values(sandbox.describe().retailers)) {
    assert.match((await get(new URL('/robots.txt', url).href)).text, /^User-agent: \*/);
    assert.equal((await get(new URL('/no/such/page', url).href)).status, 404);
  }
});

test('every origin serves the truth of the market', async () => {
  const answered = sandbox.describe();
  const at = 'https://www.retailer-h.example/__truth';
  const read = async (path: string): Promise<Record<string, unknown>> =>
    JSON.parse((await get(`${at}${path}`)).text) as Record<string, unknown>;
  const byUrl = await read(`/product?url=${encodeURIComponent(answered.retailers.retailer_w.url)}`);
  const byId = await read(`/listing?retailer=retailer_w&id=${answered.item_id}`);
  assert.deepEqual(byUrl, byId);
  assert.equal(byId['true_gtin'], answered.gtin);
  for (const { url, variant_url: variant } of Object.values(answered.retailers)) {
    for (const address of [url, variant ?? url]) {
      assert.equal((await read(`/product?url=${encodeURIComponent(address)}`))['url'], address);
    }
  }
  const everywhere = await read(`/barcode?gtin=${answered.upc}`);
  assert.ok((everywhere['listings'] as unknown[]).length >= 7);
  const wrong = (await read('/wrong-barcodes')) as unknown as {
    true_gtin: string;
    published_gtin: string;
  }[];
  assert.ok(wrong.length > 30);
  for (const one of wrong) assert.notEqual(one.true_gtin, one.published_gtin);
  for (const path of ['/offers', '/reviews'])
    await read(`${path}?retailer=retailer_w&id=${answered.item_id}`);
  assert.equal(((await read('/sellers?retailer=retailer_w')) as unknown as unknown[]).length, 60);
  assert.equal(
    ((await read('/retailer?retailer=retailer_b&limit=5')) as unknown as unknown[]).length,
    5,
  );
  assert.equal(((await read('/catalog?limit=3')) as unknown as unknown[]).length, 3);
  assert.equal((await get(`${at}/barcode?gtin=1`)).status, 404);
});

test('every product address answers with a page that names the product', async () => {
  for (const { handle, shop, mpn, variants } of sandbox.world.products) {
    const { status, text } = await get(shop.origin + shop.productPath + handle);
    assert.equal(status, 200);
    assert.ok(text.includes(variants[0].sku) || text.includes(mpn), handle);
  }
});

test('home, category, article and search answer at every shop, and an unknown address is 404', async () => {
  for (const shop of sandbox.world.shops) {
    const paths = [
      '/',
      '/robots.txt',
      `${shop.categoryPath}garden`,
      `${shop.articlePath}how-to-season-a-skillet`,
      `${shop.searchPath}?q=kettle`,
    ];
    for (const path of paths) {
      assert.equal((await get(shop.origin + path)).status, 200, shop.name + path);
    }
    for (const path of ['/nothing', `${shop.productPath}no-such-thing`, `${shop.categoryPath}x`]) {
      assert.equal((await get(shop.origin + path)).status, 404, shop.name + path);
    }
  }
});

test('what describe() hands out answers', async () => {
  const answered = sandbox.describe();
  const addresses = [
    ...Object.values(answered.url),
    ...Object.values(answered.other_pages),
    answered.variant_url,
    answered.out_of_stock_url,
  ];
  for (const address of addresses) assert.equal((await get(address)).status, 200, address);
  assert.match(answered.upc, /^\d{12}$/);
  assert.match(answered.seller_id ?? '', /^[0-9A-F]{32}$/);
  for (const { url } of Object.values(answered.retailers))
    assert.equal((await get(url)).status, 200);
  assert.equal(answered.gtin, `00${answered.upc}`);
  assert.deepEqual(sandbox.describe(), answered);
});

const STATUS: Partial<Record<TroubleKind, number>> = {
  blocked: 403,
  throttled: 429,
  broken: 500,
  missing: 404,
  gone: 410,
  moved: 301,
  disallowed: 200,
  foreign_currency: 200,
  redesigned: 200,
  ended: 200,
};

for (const [kind, status] of Object.entries(STATUS)) {
  test(`trouble ${kind}: ${TROUBLES[kind as TroubleKind]}`, async () => {
    for (const shop of sandbox.world.shops) {
      const answer = await get(troubleAddress(shop, kind as TroubleKind));
      assert.equal(answer.status, status);
      if (kind === 'throttled') assert.equal(answer.headers.get('retry-after'), '120');
      if (kind === 'blocked') assert.match(answer.text, /verify you are a human/);
      if (kind === 'foreign_currency') assert.match(answer.text, /EUR/);
      if (kind === 'ended') assert.match(answer.text, /no longer available|discontinued/i);
      if (kind === 'redesigned') assert.doesNotMatch(answer.text, /og:|ld\+json|\$\d/);
      if (kind === 'moved') {
        assert.equal((await get(answer.headers.get('location') ?? '')).status, 200);
      }
      if (kind === 'disallowed') {
        const robots = await get(`${shop.origin}/robots.txt`);
        assert.ok(robots.text.includes(`Disallow: ${shop.productPath}trouble-disallowed\n`));
      }
    }
  });
}

test('trouble down: the connection ends without an answer', async () => {
  await assert.rejects(get(sandbox.describe().trouble.down));
});

test('trouble slow: the head arrives and the rest does not, until the caller gives up', async () => {
  const response = await fetch(loopback(sandbox.describe().trouble.slow), {
    signal: AbortSignal.timeout(300),
  });
  assert.equal(response.status, 200);
  await assert.rejects(response.text(), { name: 'TimeoutError' });
});

test('trouble too_large: 20 MB arrive', async () => {
  const { text } = await get(sandbox.describe().trouble.too_large);
  assert.equal(Buffer.byteLength(text), 20_000_000);
});

test('the truth is served for any shop at any instant', async () => {
  const { url, variant_url: coloured } = sandbox.describe();
  for (const address of [...Object.values(url), coloured]) {
    const other = `${url.json_ld.split('/p/')[0]}/__truth/product?url=${encodeURIComponent(address)}`;
    const truthAt = async (address: string) =>
      JSON.parse((await get(address)).text) as Record<'url' | 'at', string> & {
        readonly facts: Readonly<Record<string, unknown>>;
      };
    const now = await truthAt(other);
    const later = await truthAt(`${other}&at=${AT + 9 * 86_400_000}`);
    assert.equal(now.url, address);
    assert.equal(now.at, new Date(AT).toISOString());
    assert.notEqual(now.facts['price'], later.facts['price']);
    assert.equal(now.facts['gtin'], later.facts['gtin']);
  }
  const all = JSON.parse((await get('https://www.birchandbolt.example/__truth/products')).text);
  assert.equal((all as unknown[]).length, sandbox.world.products.length);
});

test('requests are counted and listed; questions about the truth are not', async () => {
  const before = sandbox.requestCount();
  await get(sandbox.describe().url.hosted);
  await get('https://www.birchandbolt.example/__truth/products');
  assert.equal(sandbox.requestCount(), before + 1);
  const last = sandbox.requests().at(-1);
  assert.equal(last?.origin, 'https://www.birchandbolt.example');
  assert.equal(last?.method, 'GET');
  assert.equal(last?.atMs, AT);
});

test('HEAD has no body, other methods are refused', async () => {
  const address = loopback(sandbox.describe().url.json_ld);
  const head = await fetch(address, { method: 'HEAD' });
  assert.equal(await head.text(), '');
  assert.ok(Number(head.headers.get('content-length')) > 500);
  assert.equal((await fetch(address, { method: 'POST' })).status, 405);
});

test('close ends every connection, a stalled one too', async () => {
  const other = await startSandbox({ seed: 2, now: () => AT });
  const slow = new URL(other.describe().trouble.slow);
  const response = await fetch(`${other.origins[slow.origin]}${slow.pathname}`);
  await other.close();
  await assert.rejects(response.text());
});
