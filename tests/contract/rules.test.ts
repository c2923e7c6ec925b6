// Rules (D85, D93): a person chooses a candidate once; what then changes, for whom, and when a rule no longer holds.

import assert from 'node:assert/strict';
import { after } from 'node:test';

import { HOUR_MS, MINUTE_MS } from '../../src/base/clock.ts';
import type { Scope } from '../../src/base/scopes.ts';
import { CandidatesBody } from '../../src/answer/wire/candidates.ts';
import { RuleAnswer, RuleList } from '../../src/answer/wire/rules.ts';
import { WatchAnswer, WatchWithNotices } from '../../src/answer/wire/watches/watches.ts';
import { openScriptedShop } from '../support/scripted-shop.ts';
import { contractService, productPath, refused, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const SHOP = 'https://www.lamps.example';
const shop = await openScriptedShop([SHOP]);
after(() => shop.close());

const contract = contractService({ isStill: true, env: { OPENSHELF_ORIGINS: shop.origins } });

type Look = { readonly price?: string; readonly label?: string; readonly cell?: string };

/** The member price is what the page's data state; a buyer without a card pays the other one. */
function lampPage({ price = '59.90', label = 'Our price', cell = 'price' }: Look = {}): string {
  const offers = { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR' };
  const data = { '@context': 'https://schema.org', '@type': 'Product', name: 'Desk lamp', offers };
  return (
    `<!doctype html><title>Desk lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script>` +
    `<h1>Desk lamp</h1><dl class="prices"><dt>Member price</dt><dd class="member">€49.90</dd>` +
    `<dt>${label}</dt><dd class="${cell}">€${price}</dd></dl><p>Free delivery from Maria Huber</p><button>Add to cart</button>`
  );
}

let pages = 0;
/** Writes a page with an address of its own. */
function newPage(html: string): string {
  const address = `${SHOP}/p/lamp-${(pages += 1)}`;
  shop.answer(address, html);
  return address;
}

const keyOf = (organization: string, ...scopes: readonly Scope[]) =>
  contract.newKey({
    organization,
    note: null,
    scopes: ['products:read', 'products:refresh', ...scopes],
  });

const send = (method: string, target: string, call: Call & { readonly json?: object }) =>
  contract.call(target, {
    ...call,
    method,
    headers: { 'content-type': 'application/json' },
    ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
  });

async function choose(key: string, product: string, more: object = {}) {
  const json = { product, field: 'price', value: 59.9, ...more };
  const { status, body } = await send('POST', '/v1/rules', { key, json });
  assert.equal(status, 200, JSON.stringify(body));
  return RuleAnswer.parse(body);
}

/** Reads the page anew as everybody would, then returns what a key sees of it. */
async function read(address: string, key: string) {
  contract.clock.advance(MINUTE_MS);
  await contract.refresh(address);
  await contract.untilQueueIdle();
  return await stored(address, key);
}

async function stored(address: string, key: string) {
  const body = await contract.record(address, '?currency=EUR', { key });
  const meta = body['_meta'] as Record<string, unknown>;
  return [body['current_price'], meta['price_read_from']];
}

const rulesOf = async (key: string) =>
  RuleList.parse(await contract.ok('/v1/rules', { key })).rules;

async function candidatesOf(address: string, key: string) {
  const answer = await contract.call(productPath(address, '/candidates'), { key });
  return CandidatesBody.parse(answer.body);
}

proves(
  'D85e D85f D85i',
  'what is chosen is what the organization sees from the next reading on, until it is deleted; others see what they saw',
  async () => {
    const address = newPage(lampPage());
    const mine = await keyOf('mine', 'rules:write');
    const other = await keyOf('other');
    assert.deepEqual(await read(address, mine), [49.9, 'json_ld']);
    const before = await stored(address, other);
    const rule = await choose(mine, address);
    assert.deepEqual(
      [rule.host, rule.field, rule.for, rule.chosen, rule.currency, rule.state, rule.page_kind],
      ['lamps.example', 'price', 'organization', 59.9, 'EUR', 'unused', 'product'],
    );
    assert.deepEqual(await stored(address, mine), before, 'until the next reading');
    assert.deepEqual(await read(address, mine), [59.9, 'rule']);
    assert.deepEqual(await stored(address, other), before);
    const forced = await contract.record(
      address,
      '?currency=EUR&retailer=lamps&force_refresh=true',
      {
        key: mine,
      },
    );
    assert.equal(forced['current_price'], 59.9, 'also when its own call fetches');
    const another = newPage(lampPage({ price: '64.90' }));
    assert.deepEqual(await read(another, mine), [64.9, 'rule'], 'any page of the shop');
    const history = await contract.ok(productPath(address, '/history?currency=EUR'), { key: mine });
    assert.match(JSON.stringify(history), /59\.9/);
    const others = await contract.ok(productPath(address, '/history?currency=EUR'), { key: other });
    assert.doesNotMatch(JSON.stringify(others), /59\.9/);
    assert.deepEqual(await rulesOf(other), []);
    const [listed] = await rulesOf(mine);
    assert.deepEqual([listed?.id, listed?.state], [rule.id, 'used']);
    refused(
      await send('DELETE', `/v1/rules/${rule.id}`, { key: await keyOf('other', 'rules:write') }),
      404,
      'not_found',
    );
    const gone = await send('DELETE', `/v1/rules/${rule.id}`, { key: mine });
    assert.deepEqual([gone.status, gone.body['deleted']], [200, true]);
    assert.deepEqual(await stored(address, mine), before, 'at once');
    assert.deepEqual(await rulesOf(mine), []);
  },
);

proves(
  'D85g',
  'a rule is used, doubtful or withdrawn as three, two or fewer ways meet',
  async () => {
    const address = newPage(lampPage());
    const key = await keyOf('careful', 'rules:write');
    const { id } = await choose(key, address);
    for (const [look, expected, state] of [
      [{}, [59.9, 'rule'], 'used'],
      [{ label: 'Today' }, [59.9, 'doubtful_rule'], 'doubtful'],
      [{ label: 'Today', cell: 'amount' }, [49.9, 'json_ld'], 'withdrawn'],
    ] as const) {
      shop.answer(address, lampPage(look));
      assert.deepEqual(await read(address, key), expected);
      const { rules = [], candidates } = await candidatesOf(address, key);
      const [on] = rules;
      assert.deepEqual([on?.id, on?.state], [id, state]);
      const meant = candidates[on?.candidate ?? -1]?.value ?? null;
      assert.equal(meant, state === 'withdrawn' ? null : 59.9);
      const [listed] = await rulesOf(key);
      assert.equal(listed?.state, state);
      contract.clock.advance(HOUR_MS);
    }
    const [listed] = await rulesOf(key);
    assert.equal(listed?.withdrawn_url, address);
    assert.ok(
      [listed?.doubtful_at, listed?.withdrawn_at, listed?.used_at].every(
        (at) => typeof at === 'string',
      ),
    );
  },
);

proves(
  'D85e D85f',
  'watches of an organization see what its rule says, and those of others do not',
  async () => {
    const address = newPage(lampPage());
    const mine = await keyOf('watching', 'rules:write');
    const other = await keyOf('watching too');
    const watch = async (key: string, below: number) => {
      const json = { identifier: address, below, currency: 'EUR' };
      const { body } = await send('POST', '/v1/watches', { key, json });
      return WatchAnswer.parse(body).watch.id;
    };
    await choose(mine, address);
    const watches = [
      [mine, await watch(mine, 55), []],
      [mine, await watch(mine, 62), [59.9]],
      [other, await watch(other, 55), [49.9]],
    ] as const;
    await contract.app.checkWatches();
    await contract.untilQueueIdle();
    await read(address, mine);
    for (const [key, id, prices] of watches) {
      const { notices } = WatchWithNotices.parse(await contract.ok(`/v1/watches/${id}`, { key }));
      assert.deepEqual(
        notices.map((each) => each.new_price),
        prices,
      );
    }
  },
);

proves(
  'D85l',
  'a watch sends one notice that a rule is withdrawn, and judges no price that was not chosen',
  async () => {
    const address = newPage(lampPage());
    const key = await keyOf('warned', 'rules:write');
    await choose(key, address);
    await read(address, key);
    const json = { identifier: address, below: 55, currency: 'EUR' };
    const { watch } = WatchAnswer.parse((await send('POST', '/v1/watches', { key, json })).body);
    await read(address, key);
    const notices = async () =>
      WatchWithNotices.parse(await contract.ok(`/v1/watches/${watch.id}`, { key })).notices;
    assert.deepEqual(await notices(), []);
    shop.answer(address, lampPage({ label: 'Today', cell: 'amount' }));
    for (let reading = 0; reading < 3; reading += 1) {
      assert.deepEqual(await read(address, key), [49.9, 'json_ld']);
      contract.clock.advance(HOUR_MS);
    }
    assert.deepEqual(
      (await notices()).map(({ kind, new_price: price }) => [kind, price]),
      [['rule_withdrawn', 59.9]],
    );
    const [rule] = await rulesOf(key);
    assert.equal((await send('DELETE', `/v1/rules/${rule?.id}`, { key })).status, 200);
    await read(address, key);
    assert.deepEqual(
      (await notices()).map(({ kind, new_price: price }) => [kind, price]),
      [
        ['fired', 49.9],
        ['rule_withdrawn', 59.9],
      ],
      'without the rule the price of the page counts again',
    );
  },
);

proves('D85f', 'a rule for everyone changes what everybody sees, and needs admin', async () => {
  const address = newPage(lampPage());
  const json = { product: address, field: 'price', value: 59.9, for: 'everyone' };
  refused(
    await send('POST', '/v1/rules', { key: await keyOf('small', 'rules:write'), json }),
    403,
    'insufficient_scope',
  );
  const key = await keyOf('operator', 'rules:write', 'admin');
  const { id } = await choose(key, address, { for: 'everyone' });
  const small = await keyOf('small', 'rules:write');
  assert.deepEqual(await read(address, small), [59.9, 'rule']);
  refused(await send('DELETE', `/v1/rules/${id}`, { key: small }), 403, 'insufficient_scope');
  await choose(small, address, { value: 49.9 });
  assert.deepEqual(await read(address, small), [49.9, 'rule'], 'its own rule comes first');
  assert.equal((await send('DELETE', `/v1/rules/${id}`, { key })).status, 200);
  assert.deepEqual(await read(address, await keyOf('third')), [49.9, 'json_ld']);
});

proves('D85h', 'product JSON is not overridden, and another currency is not taken', async () => {
  const { url } = contract.world;
  await contract.record(url.hosted);
  await contract.untilQueueIdle();
  const key = await keyOf('strict', 'rules:write');
  const json = { product: url.hosted, field: 'price', value: 1 };
  refused(await send('POST', '/v1/rules', { key, json }), 400, 'invalid_parameter');
  await choose(key, url.hosted ?? assert.fail(), { html: lampPage() });
  contract.clock.advance(MINUTE_MS);
  await contract.refresh(url.hosted);
  await contract.untilQueueIdle();
  const [ofPages] = await rulesOf(key);
  assert.equal(ofPages?.state, 'unused', 'product JSON withdraws no rule for pages');
  const address = newPage(lampPage());
  await choose(key, address);
  shop.answer(address, lampPage().replace('€59.90', '$59.90'));
  assert.deepEqual(await read(address, key), [49.9, 'json_ld']);
  shop.answer(address, lampPage().replace('"EUR"', '"USD"'));
  const [price, from] = await read(address, key);
  assert.deepEqual([price, from], [null, 'json_ld'], 'the data name another currency');
});

proves(
  'D85i',
  'a stock word and a barcode can be chosen, and what is not there cannot',
  async () => {
    const html = lampPage().replace(
      '<button>',
      '<p>EAN 4006381333931</p><p class="stock">In stock</p><button>',
    );
    const address = newPage(html);
    const key = await keyOf('thorough', 'rules:write');
    const shown = await candidatesOf(address, key);
    const word = shown.candidates.find(
      ({ place: at }) => shown.lines[at?.line ?? -1] === 'In stock',
    );
    const stock = await choose(key, address, {
      field: 'in_stock',
      value: true,
      place: word?.place,
    });
    const code = await choose(key, address, { field: 'gtin', value: '04006381333931' });
    assert.deepEqual([stock.chosen, code.chosen, code.currency], [true, null, null]);
    shop.answer(
      address,
      html.replace('In stock', 'Out of stock').replace('4006381333931', '4002293401102'),
    );
    await read(address, key);
    const record = await contract.record(address, '', { key });
    assert.deepEqual([record['in_stock'], record['gtin']], [false, '04002293401102']);
    for (const wrong of [{ value: 12.5 }, { field: 'gtin', value: '04006381333931' }]) {
      const json = { product: address, field: 'price', ...wrong };
      refused(await send('POST', '/v1/rules', { key, json }), 400, 'invalid_parameter');
    }
    const twice = newPage(lampPage({ price: '49.90' }));
    const json = { product: twice, field: 'price', value: 49.9 };
    const fault = refused(await send('POST', '/v1/rules', { key, json }), 400, 'invalid_parameter');
    assert.equal(fault['parameter'], 'place');
    const { candidates } = await candidatesOf(twice, key);
    const place = candidates.findLast(
      ({ value, place: at }) => value === 49.9 && at !== null,
    )?.place;
    await choose(key, twice, { value: 49.9, place });
  },
);

proves('D85j', 'a rule keeps digests of the texts around, and no word of the page', async () => {
  const key = await keyOf('private', 'rules:write');
  await choose(key, newPage(lampPage()));
  const rows = await contract.app.store.sql.all('select * from page_rules');
  assert.ok(rows.length > 0);
  assert.doesNotMatch(
    JSON.stringify(rows),
    /maria|huber|delivery|member price|desk lamp|our price/i,
  );
});

proves(
  'D85k',
  'a candidate is chosen on a page that is handed in, and holds on the next one',
  async () => {
    const key = await keyOf('visitor', 'rules:write', 'pages:submit');
    const url = `${SHOP}/p/not-fetched`;
    await choose(key, url, { html: lampPage() });
    const json = { url, html: lampPage({ price: '61.00' }) };
    const page = await send('POST', '/v1/pages', { key, json });
    assert.equal(page.status, 200, JSON.stringify(page.body));
    assert.deepEqual(await stored(url, key), [61, 'rule']);
    assert.equal(shop.reads(url), 0);
    const cart = { product: `${SHOP}/cart`, field: 'price', value: 59.9, html: lampPage() };
    refused(await send('POST', '/v1/rules', { key, json: cart }), 422, 'page_not_accepted');
  },
);

proves(
  'D93f',
  'rules are free, need their scope, and count in the limit of candidates',
  async () => {
    const address = newPage(lampPage());
    const json = { product: address, field: 'price', value: 59.9 };
    refused(
      await send('POST', '/v1/rules', { key: await keyOf('plain'), json }),
      403,
      'insufficient_scope',
    );
    const key = await keyOf('eager', 'rules:write');
    const offered = await candidatesOf(address, key);
    assert.deepEqual([offered.may_choose, offered.rules], [true, undefined]);
    const { tokens_consumed: tokens } = await choose(key, address);
    assert.equal(tokens, 0);
    for (let call = 2; call < 60; call += 1) await candidatesOf(address, key);
    refused(await send('POST', '/v1/rules', { key, json }), 429, 'throttled');
  },
);

proves(
  'D85g',
  'of several amounts in the same element the chosen one is found by its rank when its label changes',
  async () => {
    const look = { cell: 'member' };
    const address = newPage(lampPage(look));
    const key = await keyOf('ranked', 'rules:write');
    await choose(key, address);
    shop.answer(address, lampPage({ ...look, label: 'Today', price: '57.00' }));
    assert.deepEqual(await read(address, key), [57, 'doubtful_rule']);
  },
);

proves('D85i', 'a rule can be replaced and deleted by several callers at once', async () => {
  const product = newPage(lampPage());
  const key = await keyOf('hasty', 'rules:write');
  const json = { product, field: 'price', value: 59.9, html: lampPage() };
  await choose(key, product);
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, at) => {
      if (at % 2 === 0) return (await send('POST', '/v1/rules', { key, json })).status;
      const [rule] = await rulesOf(key);
      return (await send('DELETE', `/v1/rules/${rule?.id ?? 'gone'}`, { key })).status;
    }),
  );
  assert.deepEqual(new Set([...statuses, 200, 404]), new Set([200, 404]));
  assert.ok((await rulesOf(key)).length <= 1);
});

proves('D85i', 'an organization with 500 rules can replace one, and has no 501st', async () => {
  const product = newPage(lampPage());
  const key = await keyOf('full', 'rules:write');
  await choose(key, product);
  const { sql } = contract.app.store;
  const [row] = await sql.all('select * from page_rules order by created_at_ms desc, id limit 1');
  const { id } = (await contract.app.store.accounts.findOrganization('full')) ?? assert.fail();
  await sql.write(
    Array.from({ length: 499 }, (_, at) => ({
      text: `insert into page_rules (id, organization_id, author, host, field, choice, snapshot, created_at_ms)
        values ($1, $2, 'key', $3, 'price', $4, '[]', 1)`,
      params: [`rul_full_${at}`, id, `full-${at}.example`, String(row?.['choice'])],
    })),
  );
  await choose(key, product);
  const json = { product: 'https://another.example/p', field: 'price', value: 59.9 };
  const html = lampPage();
  refused(
    await send('POST', '/v1/rules', { key, json: { ...json, html } }),
    400,
    'invalid_parameter',
  );
});

proves(
  'D85f D85j',
  'what a rule notes of a page is its address without personal parameters, and of the pages of others nothing',
  async () => {
    const url = `${SHOP}/p/handed-in`;
    const moved = lampPage({ label: 'Today', cell: 'amount' });
    const json = { url: `${url}?email=maria@mail.example&order=4711`, html: moved };
    const key = await keyOf('discreet', 'rules:write', 'pages:submit');
    const admin = await keyOf('operator of all', 'rules:write', 'admin');
    const { id } = await choose(admin, newPage(lampPage()), { for: 'everyone' });
    const own = await choose(key, url, { html: lampPage() });
    const withdrawnUrls = async (by: string) => {
      const rules = await rulesOf(by);
      const urlOf = (of: string) => rules.find((rule) => rule.id === of)?.withdrawn_url;
      return { common: urlOf(id), own: urlOf(own.id) };
    };
    assert.equal((await send('POST', '/v1/pages', { key, json })).status, 200);
    assert.deepEqual(await withdrawnUrls(key), { common: null, own: url });
    assert.equal((await withdrawnUrls(admin)).common, null);
    const common = newPage(moved);
    await read(common, key);
    assert.equal((await withdrawnUrls(admin)).common, common);
    assert.equal((await withdrawnUrls(await keyOf('stranger'))).common, null);
    assert.equal((await send('DELETE', `/v1/rules/${id}`, { key: admin })).status, 200);
  },
);

proves(
  'D85l',
  'a watch of a page of a known retailer sends the notice that a rule is withdrawn too',
  async () => {
    const address = contract.world.url.retailer_t ?? assert.fail();
    const key = await keyOf('warned at a retailer', 'rules:write');
    await choose(key, `${SHOP}/p/elsewhere`, { html: lampPage() });
    const { id } =
      (await contract.app.store.accounts.findOrganization('warned at a retailer')) ?? assert.fail();
    const host = new URL(address).hostname.replace(/^www\./, '');
    await contract.app.store.sql.write([
      {
        text: 'update page_rules set host = $1 where organization_id = $2',
        params: [host, id],
      },
    ]);
    contract.clock.advance(MINUTE_MS);
    const json = { identifier: address, below: 1_000_000 };
    const { watch } = WatchAnswer.parse((await send('POST', '/v1/watches', { key, json })).body);
    await contract.refresh(address, '?retailer=retailer_t');
    await contract.untilQueueIdle();
    const { notices } = WatchWithNotices.parse(
      await contract.ok(`/v1/watches/${watch.id}`, { key }),
    );
    assert.deepEqual(
      notices.map(({ kind }) => kind),
      ['rule_withdrawn'],
    );
  },
);
