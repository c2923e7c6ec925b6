// The service's /mcp endpoint, called by the official client: the same tools, with the keys, charges and limits of the
// routes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { agentOnStdio, agentOverHttp, type Agent } from '../../support/agent.ts';
import { startService, type Service } from '../../support/service.ts';
import { openWaitingShop } from '../../support/waiting-shop.ts';

const PAGE = 'https://pages.example';

let service: Service;
let agent: Agent;
let code: string;
let codes: readonly string[];

before(async () => {
  service = await startService({
    withRetailers: true,
    env: { OPENSHELF_CORS_ORIGINS: PAGE },
  });
  codes = service.sandbox
    .market()
    .catalog.filter(({ trouble }) => trouble === null)
    .slice(0, 9)
    .map(({ gtin14 }) => gtin14);
  [code = ''] = codes;
  agent = await agentOverHttp(service.url, bearer(service.key));
});
after(async () => {
  await agent[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const spentOf = (body: Record<string, unknown>): number =>
  (body['tokens'] as { spent: number }).spent;

async function used(key: string): Promise<number> {
  const { body } = await service.get('/v1/usage', bearer(key));
  return Number(body['tokens_used']);
}

for (const [name, tokens] of [
  ['lookup', 1],
  ['compare', 3],
  ['history', 2],
  ['offers', 6],
] as const) {
  test(`${name} is charged ${tokens} tokens to the key, as the route is, and answers in at most 2 KB`, async () => {
    const key = await service.newKey({ organization: name, note: null });
    await using own = await agentOverHttp(service.url, bearer(key));
    const reported = await own.call(name, { identifier: code });
    assert.equal(reported.isError, false, reported.text);
    assert.ok(reported.bytes <= 2_048);
    assert.equal(spentOf(reported.body), tokens);
    assert.equal(await used(key), tokens);
  });
}

test('a lookup has no bars to pay for, and a history names whose prices it has', async () => {
  const { retailers } = service.sandbox.describe();
  for (const slug of ['retailer_w', 'retailer_b', 'retailer_a'] as const) {
    const identifier = retailers[slug].url;
    const found = await agent.call('lookup', { identifier, detail: true });
    assert.equal(found.body['price_at'], slug);
    assert.equal(spentOf(found.body), 1);
    assert.ok(!found.text.includes('series'), found.text);
    const past = await agent.call('history', { identifier });
    assert.deepEqual([past.body['retailer'], spentOf(past.body)], [slug, 2]);
  }
});

test('watch makes a watch of the organization of the key', async () => {
  const reported = await agent.call('watch', { identifier: code, below: 5 });
  assert.equal(reported.isError, false, reported.text);
  const { body } = await service.get(`/v1/watches/${String(reported.body['watch'])}`);
  assert.equal((body['watch'] as { below: number }).below, 5);
});

test('find says which setting is missing where no search engine is configured, also through another process', async () => {
  const there = await agent.call('find', { words: 'desk lamp' });
  assert.equal(there.isError, true);
  assert.match(there.text, /OPENSHELF_SEARXNG_URL/);
  await using far = await agentOnStdio(['--url', service.url], {
    OPENSHELF_API_KEY: service.key,
    OPENSHELF_DATA: service.dataDir,
  });
  assert.match((await far.call('find', { words: 'desk lamp' })).text, /OPENSHELF_SEARXNG_URL/);
  const reported = await far.call('lookup', { identifier: code });
  assert.equal(reported.isError, false, reported.text);
  assert.equal(spentOf(reported.body), 1);
});

test('a call without a key, with a wrong one, or from a page of a foreign origin is refused', async () => {
  const post = async (headers: Readonly<Record<string, string>>, body: unknown = LIST) => {
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: BOTH, ...headers },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const key = bearer(service.key);
  assert.equal(await post({}), 401);
  assert.equal(await post(bearer('osk_wrong')), 401);
  assert.equal(await post({ ...key, origin: 'https://stranger.example' }), 403);
  assert.equal(await post({ ...key, origin: PAGE }), 200);
  assert.equal(await post(key, [LIST, LIST]), 400);
  assert.equal(await post(key, { ...LIST, x: 'a'.repeat(70_000) }), 413);
  assert.equal(await post({ ...key, 'x-token-budget': 'much' }), 400);
  assert.equal((await service.get('/mcp')).status, 405);
});

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const BOTH = 'application/json, text/event-stream';

test('a key whose monthly quota is spent gets an error that says so', async () => {
  const key = await service.newKey({ organization: 'poor', note: null, monthlyQuota: 2 });
  await using poor = await agentOverHttp(service.url, bearer(key));
  const reported = await poor.call('compare', { identifier: code });
  assert.equal(reported.body['error'], 'quota_exceeded', reported.text);
  assert.match(String(reported.body['next']), /tell the user/);
});

test('an agent whose tokens are reserved by its own calls is asked to wait, not to stop', async () => {
  const key = await service.newKey({ organization: 'tight', note: null, monthlyQuota: 7 });
  await using tight = await agentOverHttp(service.url, bearer(key));
  const reported = await Promise.all(
    codes.slice(0, 3).map((identifier) => tight.call('offers', { identifier })),
  );
  const waits = reported.filter(({ body }) => body['error'] === 'quota_exceeded');
  const soon = waits.filter(({ body }) => body['retry_after_seconds'] === 1);
  assert.ok(soon.length > 0, JSON.stringify(reported.map(({ body }) => body)));
  for (const { body } of soon) assert.doesNotMatch(String(body['next']), /of the month are spent/);
});

test('X-Token-Budget bounds what a key spends, over clients and side by side', async () => {
  const key = await service.newKey({ organization: 'frugal', note: null });
  const headers = { ...bearer(key), 'X-Token-Budget': '20' };
  await using one = await agentOverHttp(service.url, headers);
  await using other = await agentOverHttp(service.url, headers);
  const reported = await Promise.all(
    codes.map((identifier, at) => (at % 2 === 0 ? one : other).call('compare', { identifier })),
  );
  const refused = reported.filter(({ isError }) => isError);
  assert.ok(refused.length >= 3);
  for (const { body } of refused) assert.equal(body['error'], 'budget_spent');
  for (let calls = 0; calls < 20; calls += 1) await one.call('lookup', { identifier: code });
  assert.equal(await used(key), 20);
  const last = await other.call('lookup', { identifier: code });
  assert.equal(last.body['error'], 'budget_spent');
});

test('an identifier that no address can hold is refused as any other that is not one, and costs nothing of the budget', async () => {
  const key = await service.newKey({ organization: 'broken', note: null });
  await using own = await agentOverHttp(service.url, { ...bearer(key), 'X-Token-Budget': '3' });
  for (const identifier of ['\ud800', '.', '..', '614141000005\udc00']) {
    for (const name of ['lookup', 'compare', 'history'] as const) {
      const { body } = await own.call(name, { identifier });
      assert.equal(body['error'], 'invalid_identifier', JSON.stringify([identifier, name, body]));
    }
  }
  const { isError, text } = await own.call('compare', { identifier: code });
  assert.equal(isError, false, text);
});

test('a tool that costs nothing is answered whatever the budget', async () => {
  const key = await service.newKey({ organization: 'spent', note: null });
  await using own = await agentOverHttp(service.url, bearer(key));
  await own.call('lookup', { identifier: code });
  await using broke = await agentOverHttp(service.url, { ...bearer(key), 'X-Token-Budget': '0' });
  const lookup = await broke.call('lookup', { identifier: code });
  assert.equal(lookup.body['error'], 'budget_spent');
  const watch = await broke.call('watch', { identifier: code, below: 9 });
  assert.equal(watch.isError, false, watch.text);
});

test('no more calls of agents wait for shops than there is room for: the next one is refused', async () => {
  await using shop = await openWaitingShop();
  await using own = await startService({
    env: { OPENSHELF_ORIGINS: shop.origin, OPENSHELF_MAX_FETCHING: '2' },
  });
  await using one = await agentOverHttp(own.url, bearer(own.key));
  const lookup = (place: number) =>
    one.call('lookup', { identifier: `${shop.product}?p=${place}` });
  const waiting = [lookup(1), lookup(2)];
  await until(async () => /kind="fetching"} 2$/m.test(await metricsOf(own)));
  const refused = await lookup(3);
  assert.equal(refused.body['error'], 'overloaded', refused.text);
  shop.answer();
  const reported = await Promise.all(waiting);
  assert.deepEqual(
    reported.map(({ isError }) => isError),
    [false, false],
  );
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 2_000; round += 1) if (await isSo()) return;
  assert.fail('it is not so');
}

const metricsOf = async ({ url }: Service): Promise<string> =>
  await (await fetch(`${url}/metrics`)).text();

type Row = Record<string, unknown>;

test('each row of a history of all retailers names its retailer', async () => {
  await agent.call('compare', { identifier: code });
  const reported = await agent.call('history', { identifier: code, retailer: 'all' });
  const rows = reported.body['newest'] as readonly Row[];
  assert.ok(new Set(rows.map(({ retailer }) => retailer)).size > 1, reported.text);
  assert.ok(rows.every(({ retailer }) => typeof retailer === 'string'));
});

test('a comparison shows a known loss before shops that say nothing of fees', async () => {
  const reported = await agent.call('compare', { identifier: code, cost: 900 });
  const rows = reported.body['rows'] as readonly Row[];
  const isLoss = rows.map(({ profit }) => typeof profit === 'number' && profit < 0);
  assert.ok(isLoss.includes(true), reported.text);
  assert.deepEqual(
    isLoss,
    [...isLoss].sort((one, other) => Number(other) - Number(one)),
  );
});

test('a cost is of one of what the code names, or of one piece, and another word is corrected', async () => {
  const set = service.sandbox
    .market()
    .listings('retailer_w')
    .find(({ product }) => (product.packCount ?? 1) > 1 && product.trouble === null)?.product;
  assert.ok(set);
  const rowOf = async (more: object) => {
    const reported = await agent.call('compare', { identifier: set.gtin14, cost: 1, ...more });
    assert.equal(reported.isError, false, reported.text);
    const rows = reported.body['rows'] as readonly Row[];
    return rows.find(({ retailer }) => retailer === 'retailer_w') ?? {};
  };
  const one = await rowOf({});
  const pieces = await rowOf({ cost_per: 'piece' });
  assert.deepEqual([one['cost_factor'], pieces['cost_factor']], [undefined, set.packCount]);
  assert.equal(
    Math.round((Number(one['profit']) - Number(pieces['profit'])) * 100),
    100 * ((set.packCount ?? 0) - 1),
  );
  const wrong = await agent.call('compare', { identifier: set.gtin14, cost_per: 'box' });
  assert.ok(wrong.isError);
  assert.match(wrong.text, /cost_per is invalid; it must be code or piece/);
});

test('live offers are not said to be as old as the page of the listing', async () => {
  const reported = await agent.call('offers', { identifier: code });
  assert.equal('fetched_at' in reported.body, false);
  assert.equal(typeof reported.body['listing_fetched_at'], 'string');
});

test('llms.txt needs no key, and what it links to is answered', async () => {
  const answer = await fetch(`${service.url}/llms.txt`);
  assert.equal(answer.status, 200);
  const links = [...(await answer.text()).matchAll(/\]\((\/[^)]+)\)/g)].map(
    ([, path = '']) => path,
  );
  assert.ok(links.length >= 3);
  for (const path of links) {
    const linked = await fetch(`${service.url}${path}`);
    await linked.text();
    assert.ok(linked.status === 200 || path === '/mcp', path);
  }
});
