// What the TypeScript client does for its callers: it comes again when it may help, never spends beyond its budget, keeps to a
// number of calls at once, goes on where a stream ended, and takes no webhook for true that is not.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';

import { signingSecretOf, webhookRequest } from '../../src/channels/webhook.ts';
import { ADD_ONS, mostItCanCost, type AddOns } from '../../src/core/call-cost.ts';
import { insertChange } from '../../src/store/watch-writes.ts';
import { startService } from '../support/service.ts';
import { importOfClient, installClientPackages } from '../support/typescript-client.ts';

type Product = { readonly tokens_consumed: number };
type Client = {
  readonly tokens: { readonly spent: number; readonly left: number };
  readonly routes: Record<
    'GET' | 'POST' | 'PATCH',
    (path: string, init?: object) => Promise<{ readonly data?: unknown }>
  >;
  lookUp(id: string, parameters?: object): Promise<Product>;
  lookUpEach(
    ids: Iterable<string> | AsyncIterable<string>,
    options?: object,
  ): AsyncGenerator<{
    readonly id: string;
    readonly product: Product | null;
    readonly error: unknown;
  }>;
  batch(lines: readonly object[], options?: object): AsyncGenerator<{ readonly line: number }>;
  changes(options?: object): AsyncGenerator<{ readonly id: string }>;
};
type Module = {
  createOpenshelf(options: object): Client;
  checkWebhook(given: object): Promise<{ readonly id: string; readonly type: string }>;
  hasCode(error: unknown, ...codes: readonly string[]): boolean;
};

let createOpenshelf: Module['createOpenshelf'];
let checkWebhook: Module['checkWebhook'];
let prices: { mostOfCall(method: string, url: URL): number };

before(async () => {
  installClientPackages();
  ({ createOpenshelf, checkWebhook } = await importOfClient<Module>('src/index.ts'));
  prices = await importOfClient('src/budget.ts');
});

type Answerer = (request: IncomingMessage, response: ServerResponse, call: number) => void;

/** Stands where a service would, for what a service does when it is in trouble. */
async function standIn(answer: Answerer) {
  const asked: { readonly method: string; readonly key: string | null; readonly body: string }[] =
    [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { method = '', headers } = request;
      const key = headers['idempotency-key'];
      asked.push({ method, key: typeof key === 'string' ? key : null, body });
      answer(request, response, asked.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const json = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test('a call is made again after Retry-After, a bounded number of times', async () => {
  await using busy = await standIn((_, response, call) => {
    if (call < 3) response.writeHead(503, { 'retry-after': '0' }).end();
    else json(response, { tokens_consumed: 1 });
  });
  const client = createOpenshelf({ baseUrl: busy.baseUrl, apiKey: 'k' });
  assert.equal((await client.lookUp('1')).tokens_consumed, 1);
  assert.equal(busy.asked.length, 3);
  await using always = await standIn((_, response) => {
    response.writeHead(503, { 'retry-after': '0' }).end();
  });
  const patient = createOpenshelf({ baseUrl: always.baseUrl, apiKey: 'k', attempts: 5 });
  await assert.rejects(patient.lookUp('1'), { name: 'OpenshelfError', status: 503, code: null });
  assert.equal(always.asked.length, 5);
});

test('a wait that is longer than the caller allows is an error at once', async () => {
  await using spent = await standIn((_, response) => {
    response.writeHead(429, { 'retry-after': '600000' }).end();
  });
  const client = createOpenshelf({ baseUrl: spent.baseUrl, apiKey: 'k' });
  await assert.rejects(client.lookUp('1'), { status: 429, retryAfterSeconds: 600_000 });
  assert.equal(spent.asked.length, 1);
});

test('what is sent again has the key and the body of the first time; what has no key changes nothing twice', async () => {
  await using cutting = await standIn((request, response, call) => {
    if (call % 2 === 1) request.socket.destroy();
    else json(response, {});
  });
  const client = createOpenshelf({ baseUrl: cutting.baseUrl, apiKey: 'k' });
  const body = { identifier: '1' };
  await client.routes.POST('/v1/watches', { body });
  const [first, second] = cutting.asked;
  assert.deepEqual(second, first);
  assert.match(first?.key ?? '', /^[\w-]{36}$/);
  assert.equal(first?.body, JSON.stringify(body));
  await assert.rejects(client.routes.PATCH('/v1/watches/1', { body: { paused: true } }));
  assert.equal(cutting.asked.length, 3);
});

test('a call that reads has a key where the caller wants that', async () => {
  await using told = await standIn((_, response) => json(response, {}));
  const { baseUrl } = told;
  await createOpenshelf({ baseUrl, apiKey: 'k' }).lookUp('1');
  await createOpenshelf({ baseUrl, apiKey: 'k', idempotentReads: true }).lookUp('1');
  assert.deepEqual(
    told.asked.map(({ key }) => key !== null),
    [false, true],
  );
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
  for (let set = 0; set < 2 ** ADD_ONS.length; set += 1) {
    const asked = ADD_ONS.filter((_, bit) => ((set >> bit) & 1) === 1);
    const addOns = Object.fromEntries(asked.map((each) => [each, true])) as AddOns;
    const query = asked.map((each) => `${nameOf(each)}=true`).join('&');
    const most = prices.mostOfCall('GET', at(`/v1/products/1?${query}`));
    assert.equal(most, mostItCanCost({ kind: 'product', addOns }), query);
    const refresh = prices.mostOfCall('POST', at(`/v1/products/1/refresh?${query}`));
    const all = { ...addOns, includeOffersReviews: true };
    assert.equal(refresh, mostItCanCost({ kind: 'refresh', addOns: all }), query);
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
  assert.equal(prices.mostOfCall('GET', at('/v1/usage')), 0);
});

test('many identifiers are looked up a bounded number at once, and taken no faster than that', async () => {
  let running = 0;
  let most = 0;
  const held: (() => void)[] = [];
  await using slow = await standIn((_, response) => {
    running += 1;
    most = Math.max(most, running);
    held.push(() => {
      running -= 1;
      json(response, { tokens_consumed: 1 });
    });
    if (held.length === 4) for (const go of held.splice(0)) go();
  });
  let taken = 0;
  async function* ids() {
    for (; taken < 40; taken += 1) yield String(taken);
  }
  const client = createOpenshelf({ baseUrl: slow.baseUrl, apiKey: 'k' });
  let seen = 0;
  for await (const { product } of client.lookUpEach(ids(), { atOnce: 4 })) {
    assert.equal(product?.tokens_consumed, 1);
    seen += 1;
    assert.ok(taken - seen <= 4, `${taken} taken, ${seen} seen`);
  }
  assert.equal(seen, 40);
  assert.equal(most, 4);
});

test('an identifier that fails is told, and the others go on', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  const client = createOpenshelf({ baseUrl: service.url, apiKey: service.key });
  const told = new Map<string, string | undefined>();
  for await (const { id, product, error } of client.lookUpEach(['lamp', item])) {
    told.set(id, product === null ? (error as { code?: string }).code : 'a product');
  }
  assert.deepEqual(Object.fromEntries(told), { lamp: 'invalid_identifier', [item]: 'a product' });
});

test('a batch that breaks off says so, however much of it came', async () => {
  await using cutting = await standIn((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"line":1,"product":null}\n{"line":2,"pro', () => response.destroy());
  });
  const client = createOpenshelf({ baseUrl: cutting.baseUrl, apiKey: 'k' });
  const lines: number[] = [];
  const read = async () => {
    for await (const { line } of client.batch([{ id: '1' }, { id: '2' }])) lines.push(line);
  };
  await assert.rejects(read, { name: 'BatchBrokeOff', answered: 1 });
  assert.deepEqual(lines, [1]);
});

test('changes go on behind the last one that came, until the caller has enough', async () => {
  const seen: (string | undefined)[] = [];
  await using feed = await standIn((request, response, call) => {
    seen.push(request.headers['last-event-id']?.toString());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = `id: ${call}\nevent: change\ndata: {"id":"${call}"}\n\n`;
    response.end(`retry: 1000\n\n: beat\n\n${event}id: ${call}\nevent: bye\ndata: \n\n`);
  });
  const client = createOpenshelf({ baseUrl: feed.baseUrl, apiKey: 'k' });
  const enough = new AbortController();
  const changes: string[] = [];
  for await (const { id } of client.changes({ signal: enough.signal })) {
    changes.push(id);
    if (changes.length === 2) enough.abort();
  }
  assert.deepEqual(changes, ['1', '2']);
  assert.deepEqual(seen, [undefined, '1']);
});

test('what the service tells of changes reaches the client, from the number that it names', async () => {
  await using service = await startService();
  const { store } = service.app;
  const organization = (await store.accounts.findOrganization('test')) ?? assert.fail();
  const place = { retailer: 'acorn', url: null, title: null, gtin: null };
  for (const after of [1, 2, 3]) {
    const change = { kind: 'price', field: 'price', before: after - 1, after } as const;
    const body = { ...change, ...place, observedAtMs: 0 };
    await store.sql.write(insertChange(organization.id, { change, listingId: 'one', body }, 0));
  }
  const client = createOpenshelf({ baseUrl: service.url, apiKey: service.key });
  const enough = new AbortController();
  const seen: string[] = [];
  for await (const { id } of client.changes({ after: '1', signal: enough.signal })) {
    seen.push(id);
    if (seen.length === 2) enough.abort();
  }
  assert.deepEqual(seen, ['2', '3']);
});

test('a webhook of the service is taken, and no other', async () => {
  const secret = signingSecretOf(new Uint8Array(24).fill(7));
  const nowMs = Date.UTC(2026, 10, 20, 12);
  const target = { kind: 'webhook', url: 'https://example.com/', signingSecret: secret } as const;
  const notice = { id: 'ntc_1', kind: 'price', atMs: nowMs };
  const letter = { notice, data: { price: 'ü 12' } } as unknown as Parameters<
    typeof webhookRequest
  >[1];
  const { headers, body: sent } = webhookRequest(target, letter, nowMs);
  const body = String(sent);
  const taken = await checkWebhook({ body, headers, secret, nowMs });
  assert.deepEqual([taken.id, taken.type], ['ntc_1', 'notice.price']);
  const other = signingSecretOf(new Uint8Array(24).fill(8));
  const both = { body, headers: new Headers(headers), secret: [other, secret], nowMs };
  assert.equal((await checkWebhook(both)).id, 'ntc_1');
  const refused = [
    { body: `${body} `, headers, secret, nowMs },
    { body, headers, secret: other, nowMs },
    { body, headers: { ...headers, 'webhook-id': 'ntc_2' }, secret, nowMs },
    { body, headers, secret, nowMs: nowMs + 301_000 },
    { body, headers, secret, nowMs: nowMs - 301_000 },
    { body, headers: {}, secret, nowMs },
    { body, headers: { ...headers, 'webhook-signature': 'v1,%%%' }, secret, nowMs },
    { body, headers, secret: 'secret', nowMs },
  ];
  for (const each of refused) {
    await assert.rejects(checkWebhook(each), { name: 'WebhookRefused' });
  }
});
