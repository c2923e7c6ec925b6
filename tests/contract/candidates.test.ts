// What was read on a page and why (D85, D93): where each candidate stands, what has none, what is refused, and the limit.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import { CandidatesBody } from '../../src/answer/wire/candidates.ts';
import { openScriptedShop } from '../support/scripted-shop.ts';
import { contractService, productPath, refused, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const SHOP = 'https://www.lamps.example';
const OTHER = 'https://www.nightlights.example';
const DENIED = 'https://www.deniedlamps.example';

const shop = await openScriptedShop([SHOP, OTHER, DENIED]);
after(() => shop.close());

const contract = contractService({
  isStill: true,
  env: {
    OPENSHELF_ORIGINS: shop.origins,
    OPENSHELF_DENY: 'deniedlamps.example',
    OPENSHELF_TRUSTED_SHOPS: 'lamps.example',
    OPENSHELF_RETAILER_E_CLIENT_ID: 'id-of-an-application',
    OPENSHELF_RETAILER_E_CLIENT_SECRET: 'secret-of-an-application',
  },
});

const LAMP = `${SHOP}/p/aurora`;
const DATA = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Aurora Desk Lamp',
  gtin13: '4006381333931',
  offers: {
    '@type': 'Offer',
    price: '59.90',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  },
};
shop.answer(
  LAMP,
  `<!doctype html><html lang="de"><head><title>Aurora Desk Lamp</title>
  <script type="application/ld+json">${JSON.stringify(DATA)}</script></head><body>
  <h1>Aurora Desk Lamp</h1><!-- 1,00 € --><p hidden>2,00 €</p>
  <p>Statt <del>79,90 €</del></p><p class="price">59,90 €</p><p class="price">61,50 €</p><p>Auf Lager</p>
  <p>EAN: 4006381333931</p><button>In den Warenkorb</button></body></html>`,
);

const candidatesOf = (id: string, call: Call = {}) =>
  contract.call(productPath(id, '/candidates'), call);

async function read(id: string, call: Call = {}) {
  const { status, body } = await candidatesOf(id, call);
  assert.equal(status, 200, JSON.stringify(body));
  return CandidatesBody.parse(body);
}

proves(
  'D85a',
  'each amount, stock word and barcode is named with its place, and whether and why it was taken',
  async () => {
    const page = await read(LAMP);
    assert.deepEqual(
      [page.retailer, page.url, page.fetched_at, page.not_read_because],
      ['lamps', LAMP, new Date(contract.clock.now()).toISOString(), null],
    );
    const said = page.candidates.map(({ field, value, currency, from, place, taken }) => {
      const shown = place === null ? null : page.lines[place.line]?.slice(place.start, place.end);
      return [field, value, currency, from, shown, taken];
    });
    assert.deepEqual(said, [
      ['price', 59.9, 'EUR', 'json_ld', null, true],
      ['in_stock', true, null, 'json_ld', null, true],
      ['gtin', '04006381333931', null, 'json_ld', null, true],
      ['price', 79.9, 'EUR', 'visible', '79,90 €', false],
      ['price', 59.9, 'EUR', 'visible', '59,90 €', true],
      ['price', 61.5, 'EUR', 'visible', '61,50 €', false],
      ['in_stock', true, null, 'visible', 'Auf Lager', true],
      ['gtin', '04006381333931', null, 'visible', '4006381333931', true],
    ]);
    const former = page.candidates.find(({ value }) => value === 79.9);
    assert.equal(former?.why, 'It is struck through, or called a former price.');
    assert.doesNotMatch(page.lines.join('\n'), /[12],00/, 'what nobody sees is not shown');
  },
);

proves(
  'D85a',
  'a page that is not read as a product page says why, and shows its text',
  async () => {
    const about = `${SHOP}/about`;
    shop.answer(
      about,
      `<h1>Opening hours</h1><p>${'We open at nine. '.repeat(30)}</p><p>$5.00 entry</p>`,
    );
    const page = await read(about);
    assert.match(page.not_read_because ?? '', /product/);
    assert.ok(page.lines.includes('$5.00 entry'));
    assert.deepEqual(
      page.candidates.map(({ value, taken }) => [value, taken]),
      [[5, false]],
    );
  },
);

proves('D85a', 'the ID of a retailer names its page', async () => {
  const { item_id: item } = contract.world;
  const page = await read(item);
  assert.equal(page.retailer, 'retailer_w');
  assert.ok(page.url.endsWith(`/${item}`), page.url);
  assert.ok(page.candidates.some(({ field, taken }) => field === 'price' && taken));
});

proves('D85b', 'the page is fetched in each call, and nothing of it is stored', async () => {
  const address = `${SHOP}/p/never-looked-up`;
  shop.answer(address, `<script type="application/ld+json">${JSON.stringify(DATA)}</script>`);
  for (const time of [1, 2]) {
    await read(address);
    assert.equal(shop.reads(address), time);
  }
  await contract.untilQueueIdle();
  refused(await contract.call(productPath(address, '/history')), 404, 'not_found');
  assert.equal(shop.reads(address), 2);
});

proves(
  'D85c',
  'an official API and product JSON have no candidates, and the answer says so',
  async () => {
    const { url, retailers } = contract.world;
    const first = await read(url.hosted);
    assert.match(first.not_read_because ?? '', /product JSON/);
    assert.notEqual(first.fetched_at, null, 'only its page shows that a store is hosted');
    await contract.record(url.hosted);
    await contract.untilQueueIdle();
    contract.clock.advance(MINUTE_MS);
    const before = contract.sandbox.requestCount();
    for (const [id, why] of [
      [url.hosted, /product JSON/],
      [retailers['retailer_e']?.url ?? '', /official API/],
    ] as const) {
      const page = await read(id);
      assert.match(page.not_read_because ?? '', why);
      assert.deepEqual([page.fetched_at, page.lines, page.candidates], [null, [], []]);
    }
    await contract.untilQueueIdle();
    assert.equal(contract.sandbox.requestCount(), before, 'nothing was fetched');
  },
);

proves(
  'D85d',
  'what a lookup may not fetch or cannot read is refused in the same way',
  async () => {
    const { trouble } = contract.world;
    shop.answer(`${SHOP}/away`, { status: 302, location: `${OTHER}/p/lamp` });
    shop.answer(
      `${OTHER}/p/lamp`,
      `<script type="application/ld+json">${JSON.stringify(DATA)}</script>`,
    );
    shop.answer(`${SHOP}/data`, { type: 'application/pdf', body: '%PDF' });
    for (const id of [
      trouble.disallowed,
      trouble.too_large,
      trouble.missing,
      trouble.down,
      trouble.blocked,
      `${DENIED}/p/lamp`,
      `${SHOP}/away`,
      `${SHOP}/data`,
      'http://127.0.0.1/p/lamp',
      'no identifier!',
    ]) {
      const { status, body } = await candidatesOf(id);
      contract.clock.advance(HOUR_MS);
      const asLookup = await contract.lookup(id);
      const { code, upstream } = asLookup.body;
      assert.deepEqual(
        [status, body['code'], body['upstream']],
        [asLookup.status, code, upstream],
        id,
      );
      assert.ok(status >= 400, id);
      contract.clock.advance(HOUR_MS);
    }
  },
);

proves('D85d', 'a page of more than 5 MB is refused', async () => {
  const address = `${SHOP}/p/large`;
  const body = (bytes: number) => '<h1>Lamp</h1><p>$5.00</p>'.padEnd(bytes);
  shop.answer(address, body(5 * 1_048_576));
  await read(address);
  shop.answer(address, body(5 * 1_048_576 + 1));
  const fault = refused(await candidatesOf(address), 422, 'source_unusable');
  assert.equal(fault['upstream'], 'upstream_too_large');
});

proves('D85d', 'a barcode has no page', async () => {
  refused(await candidatesOf(contract.world.gtin), 400, 'invalid_identifier');
});

proves('D93c', 'candidates are free and need the scope products:read', async () => {
  const { tokens_consumed: tokens } = await read(LAMP);
  assert.equal(tokens, 0);
  const poor = await contract.newKey({ organization: 'poor', note: null, monthlyQuota: 0 });
  await read(LAMP, { key: poor });
  const scopes = ['products:refresh'] as const;
  const key = await contract.newKey({ organization: 'other', note: null, scopes });
  refused(await candidatesOf(LAMP, { key }), 403, 'insufficient_scope');
});

proves(
  'D93d',
  'an organization reads the candidates of 60 pages in any 60 seconds; the next one is 429 with Retry-After',
  async () => {
    const one = await contract.newKey({ organization: 'eager', note: null });
    const two = await contract.newKey({ organization: 'eager', note: null });
    for (let call = 0; call < 60; call += 1) await read(LAMP, { key: call % 2 === 0 ? one : two });
    const reads = shop.reads(LAMP);
    for (const key of [one, two]) {
      const answer = await candidatesOf(LAMP, { key });
      refused(answer, 429, 'throttled');
      assert.equal(answer.headers.get('retry-after'), '60');
    }
    assert.equal(shop.reads(LAMP), reads);
    await contract.record(LAMP, '', { key: one });
    await read(LAMP, { key: await contract.newKey({ organization: 'patient', note: null }) });
    contract.clock.advance(MINUTE_MS);
    await read(LAMP, { key: one });
  },
);
