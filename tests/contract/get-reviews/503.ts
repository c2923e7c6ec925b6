import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves('D36b D49f', 'a retailer_w that does not answer is 503 while nothing is held', async () => {
  contract.sandbox.disturb('retailer_w', 'blocked');
  try {
    const answer = await contract.call(`/v1/products/${contract.world.item_id}/reviews`);
    refused(answer, 503, 'upstream_unavailable');
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  } finally {
    contract.sandbox.disturb('retailer_w', null);
  }
});
