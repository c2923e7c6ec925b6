import assert from 'node:assert/strict';

import { DAY_MS, dayOf } from '../../../src/base/clock.ts';
import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

for (const [query, parameter] of [
  ['start_date=yesterday', 'start_date'],
  ['start_date=2026-02-30', 'start_date'],
  ['end_date=2026-13-01', 'end_date'],
  ['end_date=20260101', 'end_date'],
  ['start_date=2026-02-01&end_date=2026-01-31', 'start_date'],
] as const) {
  proves('D42h D48c', `reviews?${query} is 400 and no retailer is asked`, async () => {
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    const answer = await contract.call(`/v1/products/${contract.world.item_id}/reviews?${query}`);
    const body = refused(answer, 400, 'invalid_parameter');
    assert.ok([parameter, 'end_date'].includes(String(body['parameter'])));
    assert.equal(contract.sandbox.requestCount(), asked);
  });
}

proves(
  'D42h D22b',
  'a start in the future, a day given twice and another name are 400',
  async () => {
    const path = `/v1/products/${contract.world.item_id}/reviews`;
    const tomorrow = dayOf(contract.clock.now() + DAY_MS);
    for (const query of [`start_date=${tomorrow}`, 'start_date=2026-01-01&start_date=2026-01-02']) {
      const body = refused(await contract.call(`${path}?${query}`), 400, 'invalid_parameter');
      assert.equal(body['parameter'], 'start_date', query);
    }
    refused(await contract.call(`${path}?since=2026-01-01`), 400, 'unknown_parameter');
  },
);
