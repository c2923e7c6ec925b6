// A client that disconnects before its answer: the call runs to its end, is charged once, and a retry gets its result.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkStore } from '../../src/data/maintenance/check.ts';
import { startService, type Service } from '../support/service.ts';
import { openWaitingShop } from '../support/waiting-shop.ts';

const waitsForShop = async ({ url }: Service): Promise<boolean> =>
  /kind="fetching"} 1$/m.test(await (await fetch(`${url}/metrics`)).text());

/** Makes the call, disconnects while the shop is queried, lets the shop answer, and resolves when the call is over. */
async function hangUp({
  call,
  service,
  answer,
}: {
  call: Request;
  service: Service;
  answer: () => void;
}): Promise<void> {
  const gone = new AbortController();
  const cut = assert.rejects(fetch(call, { signal: gone.signal }), { name: 'AbortError' });
  while (!(await waitsForShop(service)));
  gone.abort();
  await cut;
  answer();
  while (await waitsForShop(service));
}

async function isCharged(service: Service, calls: number, tokens: unknown): Promise<void> {
  let { body } = await service.get('/v1/usage');
  while (body['calls'] === 0) ({ body } = await service.get('/v1/usage'));
  assert.deepEqual([body['calls'], body['tokens_used']], [calls, tokens]);
  assert.deepEqual(await checkStore(service.app.store.sql), []);
}

test('a call whose client hangs up is made to its end and charged once, and its idempotency key has the answer', async () => {
  await using shop = await openWaitingShop();
  await using service = await startService({ env: { OPENSHELF_ORIGINS: shop.origin } });
  const path = `/v1/products/${encodeURIComponent(shop.product)}`;
  const headers = { authorization: `Bearer ${service.key}`, 'idempotency-key': 'gone' };
  const call = new Request(`${service.url}${path}`, { headers });
  await hangUp({ call, service, answer: shop.answer });
  let again = await service.get(path, headers);
  while (again.status === 409) again = await service.get(path, headers);
  assert.deepEqual([again.status, again.body['title']], [200, 'Desk lamp']);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  await isCharged(service, 1, again.body['tokens_consumed']);
});

test('a tool call that its agent gives up is made to its end and charged once', async () => {
  await using shop = await openWaitingShop();
  await using service = await startService({ env: { OPENSHELF_ORIGINS: shop.origin } });
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'lookup', arguments: { identifier: shop.product } },
  };
  const call = new Request(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
  });
  await hangUp({ call, service, answer: shop.answer });
  await isCharged(service, 1, 1);
});
