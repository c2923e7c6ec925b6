import assert from 'node:assert/strict';

import { contractService, productPath, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D49d GP-02', 'a body is 413 and an address of 9,000 characters 414', async () => {
  const body = { method: 'POST', body: 'x' };
  refused(await contract.call('/v1/products/012345678905', body), 413, 'body_not_accepted');
  refused(await contract.call(`/v1/products/${'a'.repeat(9_000)}`), 414, 'uri_too_long');
});

proves('D66a', 'an empty body and {} on POST are none, whatever their form', async () => {
  const path = productPath(contract.world.url.hosted, '/refresh?include_offers_reviews=false');
  await contract.record(contract.world.url.hosted);
  const type = { 'content-type': 'application/json' };
  for (const body of ['', '{}', ' { } \n']) {
    const answer = await contract.call(path, { method: 'POST', headers: type, body });
    assert.equal(answer.status, 200, JSON.stringify(body));
  }
  for (const body of ['{"a":1}', '[]', 'null', '{}{}', `{${' '.repeat(40)}}`]) {
    const answer = await contract.call(path, { method: 'POST', headers: type, body });
    refused(answer, 413, 'body_not_accepted');
  }
});
