import assert from 'node:assert/strict';

import { contractService, productPath } from '../support/contract-service.ts';
import type { Json } from '../support/document.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D14b', 'health and the document need no key and cost nothing', async () => {
  for (const path of ['/livez', '/readyz', '/openapi.json']) {
    const response = await fetch(`${contract.service.url}${path}`);
    assert.equal(response.status, 200, path);
  }
  assert.equal((await contract.call('/livez', { key: null })).body['status'], 'ok');
  assert.equal(await contract.left(), 1_000_000);
});

proves(
  'D14e D14c VE-01 EV-01',
  'GET /v1 lists every route; all that cost or reveal anything begin with /v1',
  async () => {
    const body = await contract.ok('/v1');
    assert.equal(body['tokens_consumed'], 0);
    const routes = body['routes'] as readonly Json[];
    const document = (await (await fetch(`${contract.service.url}/openapi.json`)).json()) as Json;
    assert.deepEqual(
      [...new Set(routes.map((route) => String(route['path'])))].toSorted(),
      Object.keys(document['paths'] as Json).toSorted(),
    );
    for (const route of routes) {
      assert.equal(
        route['needs_key'],
        String(route['path']).startsWith('/v1'),
        String(route['path']),
      );
    }
    assert.deepEqual(document['webhooks'] ?? {}, {}, 'nothing is pushed');
  },
);

proves('AU-01 D14a', 'every route of /v1 refuses a call without a key', async () => {
  const { routes } = (await contract.ok('/v1')) as { readonly routes: readonly Json[] };
  for (const { method, path, needs_key: needsKey } of routes) {
    if (needsKey !== true) continue;
    const target = String(path).replaceAll(/\{\w+\}/g, '012345678905');
    const answer = await contract.call(target, { method: String(method), key: null });
    assert.deepEqual([answer.status, answer.body['code']], [401, 'missing_api_key'], target);
  }
});

proves(
  'GP-02',
  'no route but those of watches, channels, pages, rules and the batch documents a request body',
  async () => {
    const document = (await (await fetch(`${contract.service.url}/openapi.json`)).json()) as Json;
    const paths = document['paths'] as Record<string, Record<string, Json>>;
    const others = Object.entries(paths).filter(
      ([path]) => !/^\/v1\/(?:watches|channels|pages|rules|products\/batch)/.test(path),
    );
    for (const operation of others.flatMap(([, item]) => Object.values(item))) {
      assert.ok(!('requestBody' in operation));
    }
  },
);

proves('D55a D55b D55c', 'HEAD, compression and request ids', async () => {
  const target = productPath(contract.world.url.json_ld);
  const head = await contract.call(target, { method: 'HEAD' });
  assert.deepEqual([head.status, head.body], [200, {}]);
  const zipped = await contract.call(target, { headers: { 'accept-encoding': 'gzip' } });
  assert.equal(zipped.headers.get('content-encoding'), 'gzip');
  const plain = await contract.call(target, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('content-encoding'), null);
  const named = await contract.call(target, { headers: { 'x-request-id': 'order-7' } });
  assert.equal(named.headers.get('x-request-id'), 'order-7');
  for (const headers of [{}, { 'x-request-id': 'a b"c' }]) {
    const made = await contract.call(target, { headers });
    assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-z]{9}-[0-9a-f]{20}$/);
  }
});

proves('D55c D48a', 'an error carries the id of its request', async () => {
  const answer = await contract.call('/v1/products/hello!', { headers: { 'x-request-id': 'e-1' } });
  assert.equal(answer.body['request_id'], 'e-1');
});
