import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D49b', 'an unknown route is 404 and names the right one', async () => {
  for (const [target, named] of [
    ['/v1/lookup?upc=012345678905', '/v1/products/'],
    ['/v1/products/https://shop.example.com/p', 'url='],
    ['/v1/usages', '/v1/usage'],
    ['/v2/products/1', '/v1/products'],
  ] as const) {
    const body = refused(await contract.call(target), 404, 'unknown_route');
    assert.ok(String(body['detail']).includes(named), `${target}: ${String(body['detail'])}`);
  }
});
