import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D49c', 'a method that a route does not take is 405 with Allow', async () => {
  for (const [method, target, allowed] of [
    ['DELETE', '/v1/products/012345678905', 'GET'],
    ['PUT', '/v1/usage', 'GET'],
    ['GET', '/v1/products/012345678905/refresh', 'POST'],
    ['POST', '/livez', 'GET'],
  ] as const) {
    const answer = await contract.call(target, { method });
    refused(answer, 405, 'method_not_allowed');
    assert.ok((answer.headers.get('allow') ?? '').split(', ').includes(allowed), target);
  }
});
