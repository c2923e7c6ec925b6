// Pages that a person hands in (D84, D93): what is read and kept of them, who sees it, what is refused, and what it costs.

import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';

import { DAY_MS, HOUR_MS, isoTimestamp, MINUTE_MS } from '../../src/base/clock.ts';
import type { Scope } from '../../src/base/scopes.ts';
import { PageDeleted, PageRecord, PagesDeleted } from '../../src/answer/wire/handed-in.ts';
import { WatchAnswer, WatchWithNotices } from '../../src/answer/wire/watches/watches.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { contractService, productPath, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const RETAILER = publicOrigins().retailer_w.page;

const contract = contractService({ isStill: true });

const SHOP = 'https://www.lamps.example';
const LAMP = `${SHOP}/aurora-lamp`;
const MIB = 1_048_576;

type Page = {
  readonly price?: string;
  readonly name?: string;
  readonly head?: string;
  readonly body?: string;
};

/** A product page of a shop; `body` follows its heading. */
function lampPage({ price = '24.00', name = 'Aurora Desk Lamp', head = '', body = '' }: Page = {}) {
  const offers = {
    '@type': 'Offer',
    price,
    priceCurrency: 'USD',
    availability: 'https://schema.org/InStock',
  };
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku: 'AL-204',
    offers,
  };
  return (
    `<!doctype html><html lang="en"><head><title>${name}</title>${head}` +
    `<script type="application/ld+json">${JSON.stringify(data)}</script></head>` +
    `<body><h1>${name}</h1>${body}</body></html>`
  );
}

const canonical = (address: string): string => `<link rel="canonical" href="${address}">`;

const sent = (body: unknown, key: string): Call => ({
  method: 'POST',
  key,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** An organization with a key that may hand in pages, and one that may look products up. */
async function newcomer(organization: string, scopes: readonly Scope[] = ['pages:submit']) {
  const submits = await contract.newKey({ organization, note: null, scopes });
  const reads = await contract.newKey({ organization, note: null });
  return { submits, reads };
}

async function handIn(body: unknown, key: string) {
  const answer = await contract.call('/v1/pages', sent(body, key));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return PageRecord.parse(answer.body);
}

const priceSeen = async (id: string, key: string) => {
  const { status, body } = await contract.lookup(id, '', { key });
  const meta = body['_meta'] as Record<string, unknown> | undefined;
  return [status, body['current_price'] ?? null, meta?.['via'] ?? null];
};

proves(
  'D84c',
  'a page lies over the common listing for its organization, and changes no cached answer of another',
  async () => {
    const anna = await newcomer('anna');
    const ben = await newcomer('ben');
    const item = contract.world.item_id;
    const [, before] = await priceSeen(item, ben.reads);
    await contract.untilQueueIdle();
    assert.deepEqual(await priceSeen(item, ben.reads), [200, before, 'page']);
    contract.clock.advance(MINUTE_MS);
    const url = `${RETAILER}/ip/lamp/${item}`;
    const record = await handIn({ url, html: lampPage({ price: '7.77' }) }, anna.submits);
    assert.equal(record.current_price, 7.77);
    assert.equal(record._meta.via, 'handed_in');
    assert.equal(record.tokens_consumed, 1);
    assert.deepEqual(await priceSeen(item, anna.reads), [200, 7.77, 'handed_in']);
    assert.deepEqual(await priceSeen(item, ben.reads), [200, before, 'page']);
    const history = await contract.ok(productPath(item, '/history'), { key: anna.reads });
    const own = (history['observations'] as Record<string, unknown>[]).filter(
      (row) => row['_via'] === 'handed_in',
    );
    assert.deepEqual(
      own.map((row) => row['price']),
      [7.77],
    );
  },
);

proves('D84d', 'the answer says what was read and from where on the page', async () => {
  const { submits } = await newcomer('reader');
  const { page } = await handIn({ url: LAMP, html: lampPage() }, submits);
  const read = Object.fromEntries(
    page.read.map(({ field, value, from }) => [field, [value, from]]),
  );
  assert.deepEqual(read['price'], [24, 'json_ld']);
  assert.deepEqual(read['title'], ['Aurora Desk Lamp', 'json_ld']);
  assert.deepEqual(read['in_stock'], [true, 'json_ld']);
  assert.equal(page.url, LAMP);
});

proves(
  'D84l',
  'with `candidates` the answer has the text of the page and each candidate, and is never kept',
  async () => {
    const { submits } = await newcomer('curious');
    const body = { url: LAMP, html: lampPage({ body: '<p>Price: $24.00</p>' }), candidates: true };
    const { page } = await handIn(body, submits);
    const { lines = [], candidates = [] } = page;
    assert.equal(page.not_read_because, null);
    const said = candidates.map(({ value, from, place, taken }) => {
      const shown = place === null ? null : lines[place.line]?.slice(place.start, place.end);
      return [value, from, shown, taken];
    });
    assert.deepEqual(
      said.filter(([value]) => value === 24),
      [
        [24, 'json_ld', null, true],
        [24, 'visible', '$24.00', true],
      ],
    );
    const call = sent(body, submits);
    const headers = { ...call.headers, 'idempotency-key': 'kept' };
    const refused = await contract.call('/v1/pages', { ...call, headers });
    assert.deepEqual(
      [refused.status, refused.body['code'], refused.body['parameter']],
      [400, 'invalid_parameter', 'candidates'],
    );
    assert.ok(!('lines' in (await handIn({ url: LAMP, html: lampPage() }, submits)).page));
  },
);

proves(
  'D84m',
  'with `cross_retailer` the record has the stored cells, for the token of the page',
  async () => {
    const { submits, reads } = await newcomer('comparing');
    const { upc, item_id: item } = contract.world;
    await contract.lookup(upc, '?include_cross_retailer=true', { key: reads });
    await contract.untilQueueIdle();
    const url = `${RETAILER}/ip/lamp/${item}`;
    const html = lampPage().replace('"sku"', `"gtin12":"${upc}","sku"`);
    const record = await handIn({ url, html, cross_retailer: true }, submits);
    assert.equal(record.tokens_consumed, 1);
    const shops = Object.keys(record.cross_retailer ?? {});
    assert.ok(shops.length > 3, shops.join());
  },
);

proves('D84e', 'a page whose canonical address is another item is refused, with both', async () => {
  const { submits } = await newcomer('other');
  const item = contract.world.item_id;
  const elsewhere = [
    [`${RETAILER}/ip/${item}`, `${RETAILER}/ip/lamp/999999999`],
    [LAMP, 'https://www.nightlights.example/moon'],
  ] as const;
  for (const [url, stated] of elsewhere) {
    const html = lampPage({ head: canonical(stated) });
    const { status, body } = await contract.call('/v1/pages', sent({ url, html }, submits));
    assert.deepEqual([status, body['code']], [422, 'page_not_accepted']);
    assert.ok(String(body['detail']).includes(stated), String(body['detail']));
    assert.ok(String(body['detail']).includes(URL.parse(url)?.hostname ?? '-'));
  }
  const html = lampPage({ head: canonical('/lamps/aurora-lamp') });
  await handIn({ url: LAMP, html }, submits);
});

proves(
  'D84f',
  'carts, orders and accounts are refused, and nothing of them is stored',
  async () => {
    const { submits } = await newcomer('private');
    const order =
      '<p>Order number: 114-3941689</p><h2>Shipping address</h2><p>Anna Muster, Main Street 1</p>';
    const pages = [
      [`${SHOP}/cart`, lampPage()],
      [`${SHOP}/x`, '<html><head><title>Checkout - Lamps</title></head><body>1 item</body></html>'],
      [`${SHOP}/y`, `<html><head><title>Lamps</title></head><body>${order}</body></html>`],
    ] as const;
    for (const [url, html] of pages) {
      const { status, body } = await contract.call('/v1/pages', sent({ url, html }, submits));
      assert.deepEqual([status, body['code']], [422, 'page_not_accepted'], url);
    }
    const { deleted } = PagesDeleted.parse(
      await contract.ok('/v1/pages', { method: 'DELETE', key: submits }),
    );
    assert.equal(deleted, 0);
  },
);

proves('D84g', 'HTML above 5 MB is refused, plain or compressed, and so is a bomb', async () => {
  const { submits } = await newcomer('large');
  const post = async (body: unknown, isPacked: boolean) => {
    const text = JSON.stringify(body);
    const response = await fetch(`${contract.service.url}/v1/pages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${submits}`,
        'content-type': 'application/json',
        ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
      },
      body: isPacked ? gzipSync(text) : text,
    });
    return [response.status, ((await response.json()) as Record<string, unknown>)['code']];
  };
  const padded = (bytes: number) => {
    const html = lampPage();
    return { url: LAMP, html: html.padEnd(bytes, ' ') };
  };
  assert.deepEqual(await post(padded(2_000), true), [200, undefined]);
  assert.deepEqual(await post(padded(5 * MIB), true), [200, undefined]);
  for (const isPacked of [true, false]) {
    assert.deepEqual(await post(padded(5 * MIB + 1), isPacked), [413, 'body_too_large']);
    assert.deepEqual(await post(padded(64 * MIB), isPacked), [413, 'body_too_large']);
  }
});

proves('D84h', 'what is kept of a page, or of all pages, is deleted with its history', async () => {
  const { submits, reads } = await newcomer('forgetful');
  const other = await newcomer('stranger');
  const { page } = await handIn({ url: LAMP, html: lampPage() }, submits);
  await handIn({ url: `${SHOP}/second`, html: lampPage() }, submits);
  const target = `/v1/pages/${page.id}`;
  const foreign = await contract.call(target, { method: 'DELETE', key: other.submits });
  assert.equal(foreign.status, 404);
  const one = await contract.ok(target, { method: 'DELETE', key: submits });
  assert.equal(PageDeleted.parse(one).id, page.id);
  assert.equal((await contract.call(target, { method: 'DELETE', key: submits })).status, 404);
  const left = await contract.call(productPath(LAMP, '/history'), { key: reads });
  assert.equal(left.status, 404);
  const all = await contract.ok('/v1/pages', { method: 'DELETE', key: submits });
  assert.equal(PagesDeleted.parse(all).deleted, 1);
  const rows = await contract.app.store.sql.all(
    `select id from listings where listing_key like '${SHOP}%'
       and (organization_id = (select id from organizations where name = 'forgetful') or id = $1)`,
    [''],
  );
  assert.deepEqual(rows, []);
});

proves(
  'D84i',
  'others see a page only of a key that the operator trusts, as unconfirmed',
  async () => {
    const trusted = await newcomer('trusted', ['pages:submit', 'pages:share']);
    const plain = await newcomer('plain');
    const { reads } = await newcomer('onlooker');
    const address = (number: number) => `${RETAILER}/ip/lamp/${number}`;
    await handIn(
      { url: address(888_000_001), html: lampPage({ price: '11.00' }) },
      trusted.submits,
    );
    await handIn({ url: address(888_000_002), html: lampPage({ price: '12.00' }) }, plain.submits);
    const query = '?include_cross_retailer=true&identifier_match=any';
    const seen = await contract.ok(productPath('888000001', query), { key: reads });
    assert.equal(seen['current_price'], 11);
    const cells = seen['cross_retailer'] as Record<string, Record<string, Record<string, unknown>>>;
    assert.equal(cells['retailer_w']?.['identity']?.['state'], 'unconfirmed');
    assert.equal((await contract.lookup('888000002', '', { key: reads })).status, 404);
    // That no shop has it is known now, and counts less than what somebody sees.
    contract.clock.advance(MINUTE_MS);
    const again = { url: address(888_000_002), html: lampPage({ price: '13.00' }) };
    assert.equal((await handIn(again, plain.submits)).current_price, 13);
    assert.deepEqual(await priceSeen('888000002', plain.reads), [200, 13, 'handed_in']);
    assert.equal((await contract.lookup('888000002', '', { key: reads })).status, 404);
  },
);

proves(
  'D84j',
  'a page of the future or of weeks ago is refused, an older one adds history',
  async () => {
    const { submits, reads } = await newcomer('historian');
    const now = contract.clock.now();
    const at = (ms: number) => ({ url: LAMP, html: lampPage(), captured_at: isoTimestamp(ms) });
    for (const ms of [now + HOUR_MS, now - 15 * DAY_MS]) {
      const { status, body } = await contract.call('/v1/pages', sent(at(ms), submits));
      assert.deepEqual([status, body['parameter']], [400, 'captured_at']);
    }
    await handIn({ url: LAMP, html: lampPage({ price: '20.00' }) }, submits);
    const record = await handIn(at(now - DAY_MS), submits);
    assert.equal(record.current_price, 20, 'the newer page stays');
    const history = await contract.ok(productPath(LAMP, '/history'), { key: reads });
    const prices = (history['observations'] as Record<string, unknown>[]).map(
      (row) => row['price'],
    );
    assert.deepEqual(prices, [20, 24]);
  },
);

proves(
  'D84k',
  'a watch of pages that are handed in fetches and costs nothing, and is judged by each page',
  async () => {
    const { submits, reads } = await newcomer('watcher');
    const wanted = { identifier: LAMP, source: 'handed_in', below: 22 };
    const made = WatchAnswer.parse(await contract.ok('/v1/watches', sent(wanted, reads))).watch;
    assert.deepEqual([made.source, made.next_check_at], ['handed_in', null]);
    const usedBefore = await contract.ok('/v1/usage', { key: reads });
    contract.clock.advance(9 * DAY_MS);
    assert.equal(await contract.app.checkWatches(), 0, 'nothing is due');
    const shown = async () =>
      WatchWithNotices.parse(await contract.ok(`/v1/watches/${made.id}`, { key: reads }));
    assert.equal((await shown()).watch.state, 'active');
    const usage = await contract.ok('/v1/usage', { key: reads });
    assert.equal(usage['tokens_used'], usedBefore['tokens_used']);
    await handIn({ url: LAMP, html: lampPage({ price: '24.00' }) }, submits);
    assert.deepEqual((await shown()).notices, []);
    contract.clock.advance(MINUTE_MS);
    await handIn({ url: LAMP, html: lampPage({ price: '21.00' }) }, submits);
    const { watch, notices } = await shown();
    assert.deepEqual(
      notices.map(({ kind, new_price: price }) => [kind, price]),
      [['fired', 21]],
    );
    assert.equal(watch.listings[0]?.price, 21);
    const listed = await contract.ok('/v1/watches', { key: reads });
    assert.deepEqual(
      (listed['watches'] as Record<string, unknown>[]).map(({ source }) => source),
      ['handed_in'],
    );
    const tried = await contract.ok(`/v1/watches/${made.id}/test`, sent({}, reads));
    assert.equal((tried['watch'] as Record<string, unknown>)['source'], 'handed_in');
  },
);

proves('D84k', 'a watch of a barcode is judged by the page that prints it', async () => {
  const { submits, reads } = await newcomer('scanner');
  const wanted = { identifier: '4006381333931', retailer: 'any', source: 'handed_in', below: 22 };
  const made = WatchAnswer.parse(await contract.ok('/v1/watches', sent(wanted, reads))).watch;
  const url = `${RETAILER}/ip/lamp/888000009`;
  const html = (price: string) =>
    lampPage({ price }).replace('"sku"', '"gtin13":"4006381333931","sku"');
  await handIn({ url, html: html('25.00') }, submits);
  contract.clock.advance(MINUTE_MS);
  await handIn({ url, html: html('20.00') }, submits);
  const shown = await contract.ok(`/v1/watches/${made.id}`, { key: reads });
  const { watch, notices } = WatchWithNotices.parse(shown);
  assert.deepEqual(
    notices.map(({ kind, new_price: price }) => [kind, price]),
    [['fired', 20]],
  );
  assert.deepEqual([watch.state, watch.source, watch.reason], ['active', 'handed_in', null]);
});

proves(
  'D93a',
  'a page needs pages:submit, which no key has by default, and costs one token',
  async () => {
    const { submits, reads } = await newcomer('payer');
    const body = { url: LAMP, html: lampPage() };
    const refused = await contract.call('/v1/pages', sent(body, reads));
    assert.deepEqual([refused.status, refused.body['code']], [403, 'insufficient_scope']);
    const record = await handIn(body, submits);
    assert.equal(record.tokens_consumed, 1);
    const wrong = await contract.call('/v1/pages', sent({ ...body, url: `${SHOP}/cart` }, submits));
    assert.equal(wrong.body['tokens_consumed'], 0);
    const lookup = await contract.lookup(contract.world.item_id, '', { key: submits });
    assert.equal(lookup.status, 403, 'the key may do nothing else');
    const again = {
      ...sent(body, submits),
      headers: { ...sent(body, submits).headers, 'idempotency-key': 'one' },
    };
    const [first, second] = [
      await contract.call('/v1/pages', again),
      await contract.call('/v1/pages', again),
    ];
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
  },
);

proves('D93b', 'an organization hands in 60 pages a minute, with whichever keys', async () => {
  const { submits } = await newcomer('busy');
  const second = await contract.newKey({
    organization: 'busy',
    note: null,
    scopes: ['pages:submit'],
  });
  const send = async (key: string, html = 'x') => {
    const { status, headers } = await contract.call('/v1/pages', sent({ url: LAMP, html }, key));
    return [status, headers.get('retry-after')];
  };
  for (let count = 0; count < 60; count += 1) {
    assert.deepEqual(await send(count % 2 === 0 ? submits : second), [422, null]);
  }
  assert.deepEqual(await send(submits), [429, '60']);
  assert.deepEqual(await send(submits, 'x'.repeat(4 * MIB)), [429, '60'], 'before it has arrived');
  contract.clock.advance(MINUTE_MS);
  assert.deepEqual(await send(submits), [422, null]);
});
