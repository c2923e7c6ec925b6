// The token budget of the TypeScript client: it limits what the service charges, whatever happens to the answers.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { ADD_ON_TOKENS, mostItCanCost, type AddOns } from '../../src/base/call-cost.ts';
import { startLosingProxy, type Fate } from '../support/losing-proxy.ts';
import { startService } from '../support/service.ts';
import { json, standIn } from '../support/stand-in.ts';
import {
  importOfClient,
  installClientPackages,
  type Client,
  type ClientModule,
} from '../support/typescript-client.ts';

let createOpenshelf: ClientModule['createOpenshelf'];
let prices: { mostOfCall(method: string, url: URL): number };

before(async () => {
  installClientPackages();
  ({ createOpenshelf } = await importOfClient<ClientModule>('src/index.ts'));
  prices = await importOfClient('src/budget.ts');
});

test('the budget counts what the service charges, and a call that could exceed it is not made', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  const client = createOpenshelf({ baseUrl: service.url, apiKey: service.key, tokenBudget: 8 });
  await client.lookUp(item);
  assert.deepEqual([client.tokens.spent, client.tokens.left], [1, 7]);
  const both = await Promise.allSettled([
    client.lookUp(item, { include_offers: true }),
    client.lookUp(item, { include_offers: true }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal(client.tokens.spent, 7);
  const twice = client.batch([{ id: item }, { id: 'lamp' }]);
  await assert.rejects(twice.next(), { name: 'TokenBudgetSpent', left: 1, needed: 2 });
  const lines: number[] = [];
  for await (const { line } of client.batch([{ id: item }])) lines.push(line);
  assert.deepEqual(lines, [1]);
  assert.deepEqual([client.tokens.spent, client.tokens.left], [8, 0]);
  const { body } = await service.get('/v1/usage');
  assert.equal(body['tokens_used'], 8);
});

test('the client knows the most that each call can cost', () => {
  const nameOf = (addOn: string) => addOn.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);
  const at = (path: string) => new URL(`http://x${path}`);
  const all = Object.keys(ADD_ON_TOKENS);
  for (let set = 0; set < 2 ** all.length; set += 1) {
    const asked = all.filter((_, bit) => ((set >> bit) & 1) === 1);
    const addOns = Object.fromEntries(asked.map((each) => [each, true])) as AddOns;
    const query = asked.map((each) => `${nameOf(each)}=true`).join('&');
    const most = prices.mostOfCall('GET', at(`/v1/products/1?${query}`));
    assert.equal(most, mostItCanCost({ kind: 'product', addOns }), query);
    const refresh = prices.mostOfCall('POST', at(`/v1/products/1/refresh?${query}`));
    const reviewed = { ...addOns, includeOffersReviews: true };
    assert.equal(refresh, mostItCanCost({ kind: 'refresh', addOns: reviewed }), query);
  }
  const cheap = prices.mostOfCall(
    'POST',
    at('/v1/products/1/refresh?include_offers_reviews=false'),
  );
  assert.equal(cheap, mostItCanCost({ kind: 'refresh', addOns: {} }));
  for (const kind of ['history', 'reviews', 'compare'] as const) {
    assert.equal(prices.mostOfCall('GET', at(`/v1/products/1/${kind}`)), mostItCanCost({ kind }));
  }
  assert.equal(prices.mostOfCall('GET', at('/v1/sellers/1')), mostItCanCost({ kind: 'seller' }));
  assert.equal(prices.mostOfCall('POST', at('/v1/pages')), mostItCanCost({ kind: 'page' }));
  const look = prices.mostOfCall('POST', at('/v1/watches/wat_1/look'));
  assert.equal(look, mostItCanCost({ kind: 'look' }));
  assert.equal(prices.mostOfCall('GET', at('/v1/usage')), 0);
});

const KEYED = 'a read with a key';

/** Calls by name; `item` and `gtin` identify the same product. */
function callsOf(
  item: string,
  gtin: string,
): Readonly<Record<string, (client: Client) => Promise<unknown>>> {
  const params = { path: { id: item } };
  const lines = [{ id: item }, { id: gtin, include_cross_retailer: true }, { id: 'lamp' }];
  const read = (client: Client) => client.lookUp(item, { include_cross_retailer: true });
  const readAll = async (client: Client, most = Infinity) => {
    let taken = 0;
    for await (const _ of client.batch(lines)) {
      taken += 1;
      if (taken === most) break;
    }
  };
  return {
    'a read': read,
    [KEYED]: read,
    'a HEAD': ({ routes }) => routes.HEAD('/v1/products/{id}/history', { params }),
    'a refresh': ({ routes }) => routes.POST('/v1/products/{id}/refresh', { params }),
    'a batch': (client) => readAll(client),
    'a batch that is left': (client) => readAll(client, 1),
  };
}

const FATES: readonly (readonly Fate[])[] = [
  ['sent'],
  ['lost'],
  ['cut'],
  ['bad gateway'],
  ['lost', 'lost'],
  ['lost', 'cut'],
];

test('whatever answers are lost or left, the client never says that less was spent than the service charged', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item, gtin } = service.sandbox.describe();
  await service.lookup(gtin);
  await service.untilQueueIdle();
  const calls = Object.entries(callsOf(item, gtin));
  const cases = calls.flatMap(([name, call]) => FATES.map((fates) => ({ name, call, fates })));
  const run = async ({ name, call, fates }: (typeof cases)[number], at: number) => {
    await using proxy = await startLosingProxy(service.url, fates);
    const apiKey = await service.newKey({ organization: `budget${at}`, note: null });
    const idempotentReads = name === KEYED;
    const options = { baseUrl: proxy.baseUrl, apiKey, attempts: 2, idempotentReads };
    const client = createOpenshelf(options);
    const { tokens } = client;
    await call(client).catch(() => undefined);
    const { body } = await service.get('/v1/usage', { authorization: `Bearer ${apiKey}` });
    const charged = Number(body['tokens_used']);
    const what = `${name}, ${fates.join(' and ')}: ${tokens.spent} of ${charged}`;
    assert.ok(charged > 0, what);
    assert.ok(tokens.spent >= charged, what);
    assert.equal(tokens.left, Infinity);
    const isKnown = fates.join() === 'sent' && !/HEAD|left/.test(name);
    if (isKnown) assert.equal(tokens.spent, charged, what);
  };
  await Promise.all(cases.map(run));
});

test('an answer that is replayed after it was lost counts once, and what was replayed before counts nothing', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  await using proxy = await startLosingProxy(service.url, ['lost']);
  const client = createOpenshelf({ baseUrl: proxy.baseUrl, apiKey: service.key, tokenBudget: 20 });
  const init = { params: { path: { id: item } }, headers: { 'idempotency-key': 'one' } };
  const refresh = () => client.routes.POST('/v1/products/{id}/refresh', init);
  await refresh();
  assert.deepEqual([client.tokens.spent, client.tokens.left], [9, 11]);
  await refresh();
  assert.deepEqual([client.tokens.spent, client.tokens.left], [9, 11]);
});

test('a read that got no answer is sent again only where the budget covers another one', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  await using proxy = await startLosingProxy(service.url, ['lost', 'lost', 'lost']);
  const client = createOpenshelf({ baseUrl: proxy.baseUrl, apiKey: service.key, tokenBudget: 2 });
  await assert.rejects(client.lookUp(item), { name: 'TokenBudgetSpent', left: 0, needed: 1 });
  const { body } = await service.get('/v1/usage');
  assert.deepEqual([client.tokens.spent, body['tokens_used']], [2, 2]);
});

test('a call that was lost and still runs is waited for, as long as the caller allows', async () => {
  const running = { code: 'idempotency_conflict', detail: 'It runs.' };
  const lateBy = (waits: number) =>
    standIn((request, response, call) => {
      if (call === 1) return void request.socket.destroy();
      if (call > waits + 1) return void json(response, { tokens_consumed: 9 });
      const headers = { 'retry-after': '0', 'content-type': 'application/problem+json' };
      response.writeHead(409, headers).end(JSON.stringify(running));
    });
  const init = { params: { path: { id: '1' } } };
  await using late = await lateBy(7);
  const patient = createOpenshelf({ baseUrl: late.baseUrl, apiKey: 'k', attempts: 2 });
  await patient.routes.POST('/v1/products/{id}/refresh', init);
  assert.equal(late.asked.length, 9);
  assert.equal(patient.tokens.spent, 9);
  await using later = await lateBy(7);
  const options = { baseUrl: later.baseUrl, apiKey: 'k', longestWaitSeconds: 5 };
  const hasty = createOpenshelf(options);
  const refused = hasty.routes.POST('/v1/products/{id}/refresh', init);
  await assert.rejects(refused, { name: 'OpenshelfError', code: running.code });
  assert.equal(later.asked.length, 7);
  assert.equal(hasty.tokens.spent, 9, 'the first attempt may have been charged');
});
