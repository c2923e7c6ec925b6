// Addresses that now show another product (D90): what a lookup answers, what the old listing keeps, what its watches report.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { openScriptedShop, type ScriptedAnswer } from '../support/scripted-shop.ts';
import { WatchAnswer, WatchWithNotices } from '../../src/answer/wire/watches/watches.ts';
import { contractService, productPath } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const SHOP = 'https://www.lamps.example';
const OTHER = 'https://www.nightlights.example';
const TRUSTED = 'https://www.trustedlamps.example';

const shop = await openScriptedShop([SHOP, OTHER, TRUSTED]);
after(() => shop.close());

const contract = contractService({
  env: { OPENSHELF_ORIGINS: shop.origins, OPENSHELF_TRUSTED_SHOPS: 'trustedlamps.example' },
});

type Facts = Readonly<Record<string, unknown>>;

const LAMP: Facts = { name: 'Aurora Desk Lamp', sku: 'AL-204', gtin13: '4006381333931' };
const NIGHT_LIGHT: Facts = { name: 'Moon Night Light', sku: 'NL-19', gtin13: '5901234123457' };
/** The same two without a number. */
const PLAIN_LAMP: Facts = { name: 'Aurora Desk Lamp' };
const PLAIN_NIGHT_LIGHT: Facts = { name: 'Moon Night Light' };

/** Returns a product page; `head` is added to its head. */
function page(facts: Facts, price: string, head = ''): string {
  const offers = { '@type': 'Offer', price, priceCurrency: 'USD' };
  const data = { '@context': 'https://schema.org', '@type': 'Product', offers, ...facts };
  return html(String(facts['name']), `${head}${jsonLd(data)}`);
}

const jsonLd = (data: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

const html = (title: string, head: string, body = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><h1>${title}</h1>${body}</body></html>`;

const canonical = (address: string): string => `<link rel="canonical" href="${address}">`;

/** A product with variants, the first of which the page selects. */
function family(skus: readonly string[], price: string): string {
  const hasVariant = skus.map((sku) => ({
    '@type': 'Product',
    name: `Aurora Desk Lamp ${sku}`,
    sku,
    offers: {
      '@type': 'Offer',
      price,
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
    },
  }));
  const group = { '@type': 'ProductGroup', name: 'Aurora Desk Lamp', hasVariant };
  return html('Aurora Desk Lamp', jsonLd({ '@context': 'https://schema.org', ...group }));
}

/** A product whose offers are its variants. */
function offered(skus: readonly string[], price: string): string {
  const offers = skus.map((sku) => ({
    '@type': 'Offer',
    sku,
    price,
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
  }));
  return page({ name: 'Aurora Desk Lamp', offers }, price);
}

let count = 0;

/** Returns an address that has not been requested yet. */
function newAddress(origin = SHOP, name = 'lamp'): string {
  count += 1;
  return `${origin}/p/${name}-${count}`;
}

const redirect = (location: string, status = 302): ScriptedAnswer => ({ status, location });

/** Returns the record after a forced fetch of an address. */
async function fetched(address: string): Promise<Record<string, unknown>> {
  const slug = new URL(address).hostname.split('.')[1] ?? '';
  return contract.record(address, `?force_refresh=true&retailer=${slug}`);
}

const titleAndPrice = (record: Record<string, unknown>) => [
  record['title'],
  record['current_price'],
];

const metaOf = (record: Record<string, unknown>) => record['_meta'] as Record<string, unknown>;

/** Returns what is stored for the listing that an address showed first. */
async function storedOf(address: string) {
  const slug = new URL(address).hostname.split('.')[1] ?? '';
  const stored = await contract.app.store.listings.findListing(slug, address);
  assert.ok(stored);
  const { title, price, inStock, unavailable } = stored.listing;
  return { title, cents: price?.cents, inStock, unavailable, isMoved: stored.moved !== undefined };
}

const LAMP_AS_READ = {
  title: 'Aurora Desk Lamp',
  cents: 8_900,
  inStock: null,
  unavailable: null,
};

/** Creates a watch of an address and runs its first check. */
async function watched(identifier: string) {
  const call = {
    method: 'POST',
    body: JSON.stringify({ identifier, interval: '1h', below: 50 }),
    headers: { 'content-type': 'application/json' },
  };
  const { watch } = WatchAnswer.parse(await contract.ok('/v1/watches', call));
  await contract.app.checkWatches();
  await contract.untilQueueIdle();
  return watch.id;
}

const shown = async (id: string) => WatchWithNotices.parse(await contract.ok(`/v1/watches/${id}`));

/** Advances time and runs what is due then. */
async function passes(ms: number): Promise<void> {
  contract.clock.advance(ms);
  await contract.app.checkWatches();
  await contract.untilQueueIdle();
}

/** Advances several hours, one at a time: an hourly watch has at least one check in every two of them. */
async function passesHours(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) await passes(HOUR_MS + MINUTE_MS);
}

const noticesOf = async (id: string) => (await shown(id)).notices.map(({ kind }) => kind);

/** A page that refreshes at once leads on like a redirect. */
const refresh = (to: string): string =>
  html('Moved', `<meta http-equiv="refresh" content="0;url=${to}">`);

for (const status of [301, 302, 303, 307, 308, 'refresh'] as const) {
  proves(
    'D90a D90b D90c',
    `after a ${status} to another product a lookup answers that one, the old listing keeps its price, and no price is told`,
    async () => {
      const [lamp, light] = [newAddress(), newAddress(SHOP, 'light')];
      shop.answer(lamp, page(LAMP, '89.00'));
      shop.answer(light, page(NIGHT_LIGHT, '19.00'));
      const watch = await watched(lamp);
      assert.deepEqual(titleAndPrice(await contract.record(lamp)), ['Aurora Desk Lamp', 89]);
      shop.answer(lamp, status === 'refresh' ? refresh(light) : redirect(light, status));
      const record = await fetched(lamp);
      assert.deepEqual(titleAndPrice(record), ['Moon Night Light', 19]);
      assert.equal(metaOf(record)['moved_from'], lamp);
      assert.deepEqual(await storedOf(lamp), { ...LAMP_AS_READ, isMoved: true });
      const again = await contract.record(lamp);
      assert.deepEqual(
        [...titleAndPrice(again), metaOf(again)['moved_from']],
        ['Moon Night Light', 19, lamp],
        'what is stored answers the same',
      );
      const own = await contract.record(light);
      assert.deepEqual(titleAndPrice(own), ['Moon Night Light', 19]);
      assert.equal(metaOf(own)['moved_from'], undefined);

      contract.clock.advance(50 * MINUTE_MS);
      await fetched(lamp);
      assert.deepEqual(await storedOf(lamp), { ...LAMP_AS_READ, isMoved: true });
      assert.deepEqual(await noticesOf(watch), [], 'nothing is notified within the hour');

      await passes(11 * MINUTE_MS);
      const gone = { ...LAMP_AS_READ, inStock: false, unavailable: true, isMoved: true };
      assert.deepEqual(await storedOf(lamp), gone);
      const { notices, watch: stands } = await shown(watch);
      assert.deepEqual(
        notices.map(({ kind }) => kind),
        ['moved'],
      );
      assert.match(notices[0]?.text ?? '', /This page now shows another product, Moon Night Light/);
      assert.equal(stands.state, 'failing');
      await passesHours(4);
      assert.deepEqual(await noticesOf(watch), ['moved'], 'it is notified once');
    },
  );
}

proves(
  'D90d',
  'another product at the same address is a new listing from that day, with a history of its own',
  async () => {
    const address = newAddress();
    shop.answer(address, page(LAMP, '89.00'));
    const watch = await watched(address);
    await passes(2 * HOUR_MS);
    shop.answer(address, page(NIGHT_LIGHT, '19.00'));
    const record = await fetched(address);
    assert.deepEqual(titleAndPrice(record), ['Moon Night Light', 19]);
    assert.equal(metaOf(record)['moved_from'], undefined, 'its address is the one that was sent');
    assert.deepEqual(await pricesOf(address), [19]);
    assert.deepEqual(await storedOf(address), { ...LAMP_AS_READ, isMoved: true });
    shop.answer(address, page(NIGHT_LIGHT, '18.00'));
    await passes(HOUR_MS + MINUTE_MS);
    assert.deepEqual(await pricesOf(address), [18, 19]);
    assert.deepEqual(await noticesOf(watch), ['moved']);
    assert.equal((await storedOf(address)).unavailable, true);
    const all = await contract.ok(
      `${productPath('4006381333931', '/history')}?retailer=lamps&timeframe=30d`,
    );
    const prices = (all['observations'] as { price: number | null }[]).map(({ price }) => price);
    assert.ok(!prices.includes(19) && !prices.includes(18), 'the history of the lamp has ended');
    assert.ok(prices.includes(89));
  },
);

/** Returns the prices in an address's history, newest first. */
async function pricesOf(address: string): Promise<readonly unknown[]> {
  const history = await contract.ok(`${productPath(address, '/history')}?timeframe=30d`);
  return (history['observations'] as { price: number | null }[]).map(({ price }) => price);
}

proves(
  'D90d',
  'a watch of the address that is made afterwards is about what it shows then',
  async () => {
    const address = newAddress();
    shop.answer(address, page(LAMP, '89.00'));
    const old = await watched(address);
    shop.answer(address, page(NIGHT_LIGHT, '60.00'));
    await fetched(address);
    const young = await watched(address);
    shop.answer(address, page(NIGHT_LIGHT, '49.00'));
    await passes(2 * HOUR_MS);
    assert.deepEqual(await noticesOf(old), ['moved']);
    const { notices } = await shown(young);
    assert.deepEqual(
      notices.map(({ kind, new_price: price }) => [kind, price]),
      [['fired', 49]],
    );
  },
);

proves(
  'D90e',
  'a product that comes back goes on with its own history, and its watch says so',
  async () => {
    const address = newAddress();
    shop.answer(address, page(LAMP, '89.00'));
    const watch = await watched(address);
    shop.answer(address, page(NIGHT_LIGHT, '19.00'));
    await passesHours(4);
    assert.deepEqual(await noticesOf(watch), ['moved']);
    shop.answer(address, page(LAMP, '45.00'));
    await passesHours(2);
    assert.deepEqual((await noticesOf(watch)).toSorted(), ['fired', 'moved', 'works_again']);
    assert.deepEqual(titleAndPrice(await contract.record(address)), ['Aurora Desk Lamp', 45]);
    assert.equal((await storedOf(address)).isMoved, false);
    shop.answer(address, page(NIGHT_LIGHT, '19.00'));
    assert.deepEqual(titleAndPrice(await fetched(address)), ['Moon Night Light', 19]);
    const prices = (await pricesOf(address)).filter((price) => price !== null);
    assert.deepEqual([...new Set(prices)], [19], 'each product has its own history');
  },
);

proves(
  'D90f',
  'one reading of another product, followed by the old one within the hour, notifies of nothing',
  async () => {
    const address = newAddress();
    shop.answer(address, page(LAMP, '89.00'));
    const watch = await watched(address);
    shop.answer(address, page(NIGHT_LIGHT, '19.00'));
    await fetched(address);
    contract.clock.advance(10 * MINUTE_MS);
    shop.answer(address, page(LAMP, '89.00'));
    await fetched(address);
    await passes(2 * HOUR_MS);
    assert.deepEqual(await noticesOf(watch), []);
    assert.deepEqual([...new Set(await pricesOf(address))], [89]);
  },
);

proves(
  'D90g',
  'an address that leads to another host answers with the product of that host',
  async () => {
    const [lamp, light] = [newAddress(), newAddress(OTHER, 'light')];
    shop.answer(lamp, page(LAMP, '89.00'));
    shop.answer(light, page(NIGHT_LIGHT, '19.00'));
    await contract.record(lamp);
    shop.answer(lamp, redirect(light));
    contract.clock.advance(15 * 24 * HOUR_MS);
    const record = await contract.record(lamp);
    assert.deepEqual(titleAndPrice(record), ['Moon Night Light', 19]);
    assert.equal(metaOf(record)['moved_from'], lamp);
    assert.equal(metaOf(record)['price_source'], 'nightlights');
    const named = await contract.lookup(lamp, '?force_refresh=true&retailer=lamps');
    assert.equal(named.status, 404, 'the shop itself shows no product there');
  },
);

proves(
  'D90g',
  'so does an address of a shop that counts, whose other pages must be its own',
  async () => {
    const [lamp, light] = [newAddress(TRUSTED), newAddress(OTHER, 'light')];
    shop.answer(lamp, page(LAMP, '89.00'));
    shop.answer(light, page(NIGHT_LIGHT, '19.00'));
    await contract.record(lamp);
    shop.answer(lamp, redirect(light));
    contract.clock.advance(15 * 24 * HOUR_MS);
    const record = await contract.record(lamp);
    assert.deepEqual(
      [...titleAndPrice(record), metaOf(record)['price_source']],
      ['Moon Night Light', 19, 'nightlights'],
    );
    assert.deepEqual(await storedOf(lamp), { ...LAMP_AS_READ, isMoved: true });
  },
);

const list = jsonLd({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: [1, 2, 3].map((position) => ({
    '@type': 'ListItem',
    position,
    item: { '@type': 'Product', name: `Light ${position}`, url: `${SHOP}/p/light-x${position}` },
  })),
});

/** What is at the address now: pages that show no product. */
const NO_PRODUCTS: readonly (readonly [string, (address: string) => void])[] = [
  ['the front page', (address) => leads(address, '/', html('Lamps', '', '<p>Welcome</p>'))],
  ['a category', (address) => leads(address, '/c/lights', html('Lights', list))],
  ['search results', (address) => leads(address, '/search?q=lamp', html('Search: lamp', list))],
  [
    'a login',
    (address) =>
      leads(address, '/login', html('Log in', '', '<form><input type="password"></form>')),
  ],
  [
    'a choice of countries',
    (address) =>
      leads(address, '/country', html('Choose your country', '', '<a href="/us">US</a>')),
  ],
  [
    'a wall',
    (address) =>
      shop.answer(address, { status: 403, body: html('Access denied', '', '<p>captcha</p>') }),
  ],
];

function leads(address: string, path: string, body: string): void {
  shop.answer(`${SHOP}${path}`, body);
  shop.answer(address, redirect(`${SHOP}${path}`));
}

for (const [what, becomes] of NO_PRODUCTS) {
  proves('D90h', `${what} is not a product, and leaves what is stored untouched`, async () => {
    const address = newAddress();
    shop.answer(address, page(LAMP, '89.00'));
    const watch = await watched(address);
    becomes(address);
    for (let reading = 0; reading < 2; reading += 1) {
      const slug = '?force_refresh=true&retailer=lamps';
      assert.notEqual((await contract.lookup(address, slug)).status, 200);
      assert.deepEqual(await storedOf(address), { ...LAMP_AS_READ, isMoved: false });
      contract.clock.advance(2 * HOUR_MS);
    }
    assert.ok(!(await noticesOf(watch)).includes('moved'));
    assert.deepEqual(titleAndPrice(await contract.record(address)), ['Aurora Desk Lamp', 89]);
  });
}

/** What the address showed before, and what it shows now: the same product, at 79. */
const SAME: readonly (readonly [
  string,
  string,
  string | ((address: string) => ScriptedAnswer | string),
])[] = [
  [
    'another default variant',
    family(['AL-204', 'AL-205'], '89.00'),
    family(['AL-205', 'AL-204'], '79.00'),
  ],
  [
    'a renamed address with another title and another default variant',
    family(['AL-204', 'AL-205'], '89.00'),
    () => {
      const address = newAddress(SHOP, 'renamed');
      const translated = family(['AL-205', 'AL-206'], '79.00').replaceAll('Desk Lamp', 'Leuchte');
      shop.answer(address, translated.replaceAll('Aurora', 'Polarlicht'));
      return redirect(address);
    },
  ],
  [
    'another offer first',
    offered(['AL-204', 'AL-205'], '89.00'),
    offered(['AL-205', 'AL-204'], '79.00'),
  ],
  ['a renamed address with the same numbers', page(LAMP, '89.00'), () => renamed(LAMP)],
  ['a renamed address with the same title', page(PLAIN_LAMP, '89.00'), () => renamed(PLAIN_LAMP)],
  [
    'a renamed address with a corrected title',
    page({ name: 'Aurora Dsk Lamp' }, '89.00'),
    () => renamed(PLAIN_LAMP),
  ],
  [
    'a corrected title',
    page({ ...LAMP, name: 'Desk lamp' }, '89.00'),
    page({ ...LAMP, name: 'Aurora, brass' }, '79.00'),
  ],
  [
    'another title at the same address without numbers',
    page(PLAIN_LAMP, '89.00'),
    page(PLAIN_NIGHT_LIGHT, '79.00'),
  ],
  ['numbers that are printed from now on', page(PLAIN_LAMP, '89.00'), page(LAMP, '79.00')],
  ['numbers that are printed no more', page(LAMP, '89.00'), page(PLAIN_LAMP, '79.00')],
  [
    'a part number that was the SKU',
    page(LAMP, '89.00'),
    page({ name: 'Aurora Lamp, new', mpn: 'al 204' }, '79.00'),
  ],
  [
    'a barcode in place of the SKU, and the same title',
    page({ ...PLAIN_LAMP, sku: 'AL-204' }, '89.00'),
    page({ ...PLAIN_LAMP, gtin13: '4006381333931' }, '79.00'),
  ],
];

function renamed(facts: Facts): ScriptedAnswer {
  const address = newAddress(SHOP, 'renamed');
  shop.answer(address, page(facts, '79.00', canonical(address)));
  return redirect(address);
}

for (const [what, before, now] of SAME) {
  proves('D90i', `${what}: it is the same product`, async () => {
    const address = newAddress();
    shop.answer(address, before);
    await contract.record(address);
    contract.clock.advance(2 * HOUR_MS);
    shop.answer(address, typeof now === 'string' ? now : now(address));
    const record = await fetched(address);
    assert.equal(record['current_price'], 79);
    assert.equal(metaOf(record)['moved_from'], undefined);
    assert.equal((await storedOf(address)).isMoved, false);
    assert.deepEqual(await pricesOf(address), [79, 89]);
  });
}

/** Before and now: another product. */
const ANOTHER: readonly (readonly [string, Facts, Facts])[] = [
  ['no number in common, and the same title', LAMP, { ...NIGHT_LIGHT, name: LAMP['name'] }],
  ['no numbers before', PLAIN_LAMP, NIGHT_LIGHT],
  ['no numbers now', LAMP, PLAIN_NIGHT_LIGHT],
  ['no numbers at all', PLAIN_LAMP, PLAIN_NIGHT_LIGHT],
  [
    'numbers that say that there are none',
    { ...PLAIN_LAMP, sku: 'N/A' },
    { ...PLAIN_NIGHT_LIGHT, sku: 'n/a' },
  ],
];

for (const [what, before, now] of ANOTHER) {
  proves(
    'D90j',
    `an address that leads to another title and address, with ${what}: another product`,
    async () => {
      const [address, other] = [newAddress(), newAddress(SHOP, 'light')];
      shop.answer(address, page(before, '89.00', canonical(address)));
      shop.answer(other, page(now, '19.00', canonical(other)));
      await contract.record(address);
      shop.answer(address, redirect(other));
      const record = await fetched(address);
      assert.deepEqual([record['current_price'], metaOf(record)['moved_from']], [19, address]);
      assert.equal((await storedOf(address)).cents, 8_900);
    },
  );
}

proves('D90k', 'the JSON of a hosted store is compared over all its variants', async () => {
  const handle = `${SHOP}/products/aurora`;
  const store = (title: string, skus: readonly string[], price: string) => {
    const variants = skus.map((sku, at) => ({
      id: at + 1,
      title: sku,
      sku,
      price: Number(price) * 100,
      available: true,
    }));
    const product = { id: 7, title, handle: 'aurora', price_varies: false, variants };
    shop.answer(`${handle}.js`, { type: 'application/json', body: JSON.stringify(product) });
    shop.answer(
      handle,
      html(
        title,
        `<meta property="og:type" content="product"><meta property="og:title" content="${title}">` +
          `<meta property="og:price:currency" content="USD"><meta property="og:price:amount" content="${price}">` +
          '<link href="https://cdn.shopify.com/s/a.css"><script>Shopify = {}; Shopify.shop = "x.myshopify.com"; ' +
          'Shopify.currency = {"active":"USD","rate":"1.0"};</script>',
      ),
    );
  };
  store('Aurora Desk Lamp', ['AL-204', 'AL-205'], '89.00');
  await contract.record(handle);
  store('Aurora Desk Lamp', ['AL-206', 'AL-205'], '79.00');
  assert.deepEqual(titleAndPrice(await fetched(handle)), ['Aurora Desk Lamp', 79]);
  assert.equal((await storedOf(handle)).isMoved, false);
  store('Moon Night Light', ['NL-19'], '19.00');
  assert.deepEqual(titleAndPrice(await fetched(handle)), ['Moon Night Light', 19]);
  assert.deepEqual(
    [(await storedOf(handle)).cents, (await storedOf(handle)).isMoved],
    [7_900, true],
  );
});

proves(
  'D90l',
  'what an address shows is read again when it is a day old, and counted as moved',
  async () => {
    const [lamp, light] = [newAddress(), newAddress(SHOP, 'light')];
    shop.answer(lamp, page(LAMP, '89.00'));
    shop.answer(light, page(NIGHT_LIGHT, '19.00'));
    await contract.record(lamp);
    shop.answer(lamp, redirect(light));
    await fetched(lamp);
    await passes(2 * HOUR_MS);
    const before = shop.reads(lamp);
    await contract.record(lamp);
    await contract.untilQueueIdle();
    assert.equal(shop.reads(lamp), before, 'it is new enough');
    await passes(25 * HOUR_MS);
    await contract.record(lamp);
    await contract.untilQueueIdle();
    assert.equal(shop.reads(lamp), before + 1);
    const day = new Date(contract.clock.now()).toISOString().slice(0, 10);
    const { outcomes } = await contract.app.store.readingCounts.findTotals(
      { from: '2026-11-01', to: day },
      'lamps',
    );
    assert.ok(outcomes.some(({ outcome, answers }) => outcome === 'moved' && answers > 0));
  },
);
