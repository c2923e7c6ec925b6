// What the TypeScript client does for its callers: it retries when that may help, limits concurrent calls, resumes a broken
// stream, and rejects forged webhooks.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { signingSecretOf, webhookRequest } from '../../src/rules/channels/webhook.ts';
import { insertChange } from '../../src/data/watches/watch-writes.ts';
import { startService, type Service } from '../support/service.ts';
import { json, standIn } from '../support/stand-in.ts';
import {
  importOfClient,
  installClientPackages,
  type ClientModule,
} from '../support/typescript-client.ts';

let createOpenshelf: ClientModule['createOpenshelf'];
let checkWebhook: ClientModule['checkWebhook'];

before(async () => {
  installClientPackages();
  ({ createOpenshelf, checkWebhook } = await importOfClient<ClientModule>('src/index.ts'));
});

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
  assert.match(first?.key ?? '', /^[0-9a-f]{32}$/);
  assert.equal(first?.body, JSON.stringify(body));
  await assert.rejects(client.routes.PATCH('/v1/watches/1', { body: { paused: true } }));
  assert.equal(cutting.asked.length, 3);
});

test('a call that reads has a key where the caller wants that', async () => {
  await using answer = await standIn((_, response) => json(response, {}));
  const { baseUrl } = answer;
  await createOpenshelf({ baseUrl, apiKey: 'k' }).lookUp('1');
  await createOpenshelf({ baseUrl, apiKey: 'k', idempotentReads: true }).lookUp('1');
  assert.deepEqual(
    answer.asked.map(({ key }) => key !== null),
    [false, true],
  );
});

test('many identifiers are looked up a bounded number at once, and taken no faster than that', async () => {
  let running = 0;
  let most = 0;
  const stored: (() => void)[] = [];
  await using slow = await standIn((_, response) => {
    running += 1;
    most = Math.max(most, running);
    stored.push(() => {
      running -= 1;
      json(response, { tokens_consumed: 1 });
    });
    if (stored.length === 4) for (const go of stored.splice(0)) go();
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

test('finished lookups are returned while a slow source is pending, and leaving waits for neither', async () => {
  await using service = await standIn((_, response) => json(response, { tokens_consumed: 1 }));
  const client = createOpenshelf({ baseUrl: service.baseUrl, apiKey: 'k' });
  const answer = Promise.withResolvers<void>();
  async function* scanned() {
    yield '1';
    await answer.promise;
    yield '2';
    await new Promise<never>(() => undefined);
  }
  const seen: string[] = [];
  for await (const { id } of client.lookUpEach(scanned())) {
    seen.push(id);
    answer.resolve();
    if (seen.length === 2) break;
  }
  assert.deepEqual(seen, ['1', '2']);
});

test('a source that fails ends the lookups with its error', async () => {
  await using service = await standIn((_, response) => json(response, { tokens_consumed: 1 }));
  const client = createOpenshelf({ baseUrl: service.baseUrl, apiKey: 'k' });
  async function* broken() {
    yield '1';
    throw new Error('no more paper');
  }
  const read = async () => {
    for await (const _ of client.lookUpEach(broken()));
  };
  await assert.rejects(read, { message: 'no more paper' });
});

test('an identifier that fails is reported, and the others continue', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  const client = createOpenshelf({ baseUrl: service.url, apiKey: service.key });
  const answer = new Map<string, string | undefined>();
  for await (const { id, product, error } of client.lookUpEach(['lamp', item])) {
    answer.set(id, product === null ? (error as { code?: string }).code : 'a product');
  }
  assert.deepEqual(Object.fromEntries(answer), { lamp: 'invalid_identifier', [item]: 'a product' });
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

test('changes go on after the last one that came, until the caller has enough', async () => {
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

test('changes go on after whatever a proxy says while the service is away, and end where it refuses', async () => {
  const away = [500, 502, 503, 504];
  await using feed = await standIn((_, response, call) => {
    const status = away[call - 1];
    if (status !== undefined) {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Away</h1>');
    } else if (call > away.length + 1) {
      response.writeHead(401, { 'content-type': 'application/problem+json' });
      response.end('{"code":"invalid_api_key"}');
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: 1\nevent: change\ndata: {"id":"1"}\n\n');
    }
  });
  const changes = createOpenshelf({ baseUrl: feed.baseUrl, apiKey: 'k' }).changes();
  assert.equal((await changes.next()).value?.id, '1');
  await assert.rejects(changes.next(), { code: 'invalid_api_key' });
});

test('a stream of changes that is cut before its first change loses none of those that come meanwhile', async () => {
  await using service = await startService();
  const change = await changesOf(service);
  await change(1);
  await using cutting = await standIn((request, response, call) => {
    const pass = async () => {
      const { authorization, 'last-event-id': last } = request.headers;
      const headers = {
        accept: 'text/event-stream',
        authorization: authorization ?? '',
        ...(last === undefined ? {} : { 'last-event-id': String(last) }),
      };
      const stream = await fetch(`${service.url}/v1/changes`, { headers });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for await (const piece of stream.body ?? []) {
        response.write(piece);
        if (call > 1) continue;
        // It has started and not sent a change yet.
        await change(2);
        break;
      }
      response.destroy();
    };
    pass().catch(() => response.destroy());
  });
  const changes = createOpenshelf({ baseUrl: cutting.baseUrl, apiKey: service.key }).changes();
  assert.equal((await changes.next()).value?.id, '2');
  await changes.return(undefined);
});

/** Returns a function that stores price changes for the service's organization. */
async function changesOf({ app: { store } }: Service): Promise<(cents: number) => Promise<void>> {
  const organization = (await store.accounts.findOrganization('test')) ?? assert.fail();
  const place = { retailer: 'acorn', url: null, title: null, gtin: null };
  return async (after) => {
    const change = { kind: 'price', field: 'price', before: after - 1, after } as const;
    const body = { ...change, ...place, observedAtMs: 1 };
    await store.sql.write(insertChange(organization.id, { change, listingId: 'one', body }, 1));
  };
}

test('the client receives the changes from the id that it names', async () => {
  await using service = await startService();
  const change = await changesOf(service);
  for (const cents of [1, 2, 3]) await change(cents);
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
  const several = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
  const named = new Map(Object.entries(headers).map(([name, value]) => [name, value]));
  // As Node frameworks represent headers, and a library with its own headers type.
  for (const each of [
    Object.fromEntries(several),
    { get: (name: string) => named.get(name) ?? null },
  ]) {
    assert.equal((await checkWebhook({ body, headers: each, secret, nowMs })).id, 'ntc_1');
  }
  const refused = [
    { body: `${body} `, headers, secret, nowMs },
    { body, headers, secret: other, nowMs },
    { body, headers: { ...headers, 'webhook-id': 'ntc_2' }, secret, nowMs },
    { body, headers, secret, nowMs: nowMs + 301_000 },
    { body, headers, secret, nowMs: nowMs - 301_000 },
    { body, headers: {}, secret, nowMs },
    { body, headers: { ...headers, 'webhook-id': [] }, secret, nowMs },
    { body, headers: { get: () => null }, secret, nowMs },
    { body, headers: { ...headers, 'webhook-signature': 'v1,%%%' }, secret, nowMs },
    { body, headers, secret: 'secret', nowMs },
  ];
  for (const each of refused) {
    await assert.rejects(checkWebhook(each), { name: 'WebhookRefused' });
  }
});
