import assert from 'node:assert/strict';

import { FAULT_CODES } from '../../../src/base/fault.ts';
import { contractService, productPath } from '../support/contract-service.ts';
import type { Json } from '../support/document.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D48a D48b D16b D49a',
  'every kind of refusal is problem details: stable code, what to do next, repeated for simple clients',
  async () => {
    const { world } = contract;
    const targets = [
      '/v1/products/hello!',
      '/v1/products/012345678905?nonsense=1',
      '/v1/products/4006381333931',
      '/v1/nothing',
      productPath(world.trouble.disallowed),
      productPath(world.trouble.broken),
      productPath('http://10.0.0.1/'),
      `/v1/sellers/${world.first_party_seller_id}`,
    ];
    const codes = new Set<string>();
    for (const target of targets) {
      const { status, body, headers } = await contract.call(target);
      assert.ok(status >= 400, target);
      for (const name of ['type', 'title', 'status', 'detail', 'code', 'error', 'request_id']) {
        assert.ok(name in body, `${target} ${name}`);
      }
      assert.equal(body['error'], body['detail']);
      assert.equal(body['tokens_consumed'], 0);
      assert.equal(body['status'], status);
      assert.ok(String(body['type']).includes(String(body['code'])));
      assert.ok(String(body['detail']).length > 20);
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
      codes.add(String(body['code']));
    }
    assert.equal(codes.size, targets.length);
  },
);

proves('D49a', 'the document lists every code', async () => {
  const document = (await (await fetch(`${contract.service.url}/openapi.json`)).json()) as Json;
  const { schemas } = document['components'] as { readonly schemas: Record<string, Json> };
  const properties = schemas['Problem']?.['properties'] as Record<string, { enum?: string[] }>;
  assert.deepEqual(properties['code']?.enum?.toSorted(), [...FAULT_CODES].toSorted());
});

proves(
  'D20e',
  'every answer to a known key carries both RateLimit fields, refusals too',
  async () => {
    for (const target of ['/v1', '/v1/products/hello!', `/v1/products/${contract.world.upc}`]) {
      const { headers } = await contract.call(target);
      assert.match(headers.get('ratelimit-policy') ?? '', /"throttle";q=1200;w=120/);
      assert.match(headers.get('ratelimit') ?? '', /"throttle";r=\d+/);
    }
  },
);
