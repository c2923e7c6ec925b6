import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D43a D43c',
  'an identifier of which nothing is stored is 404, unbilled, and no retailer is asked',
  async () => {
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    for (const id of ['9780306406157', contract.world.item_id, contract.world.asin]) {
      refused(await contract.call(`/v1/products/${id}/history`), 404, 'not_found');
    }
    assert.equal(contract.sandbox.requestCount(), asked);
    assert.equal(await contract.left(), 1_000_000);
  },
);
