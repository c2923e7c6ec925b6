import assert from 'node:assert/strict';

import { DAY_MS } from '../../../src/base/clock.ts';
import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D36b D49f',
  'a retailer_w that does not answer is 503 while nothing is stored',
  async () => {
    contract.sandbox.disturb('retailer_w', 'blocked');
    try {
      const answer = await contract.call(`/v1/products/${contract.world.item_id}/reviews`);
      refused(answer, 503, 'upstream_unavailable');
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    } finally {
      contract.sandbox.disturb('retailer_w', null);
    }
  },
);

proves(
  'D38c D36b',
  'stored reviews are answered while the retailer does not respond, however old',
  async () => {
    const path = `/v1/products/${contract.world.item_id}/reviews`;
    const { summary } = await contract.ok(path);
    contract.clock.advance(15 * DAY_MS);
    contract.sandbox.disturb('retailer_w', 'down');
    try {
      assert.deepEqual((await contract.ok(path))['summary'], summary);
    } finally {
      contract.sandbox.disturb('retailer_w', null);
    }
  },
);
