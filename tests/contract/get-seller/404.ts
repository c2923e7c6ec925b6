import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'ES-03 EE-07 D49a',
  'the retailer itself has no profile: a 404 of its own type',
  async () => {
    const { first_party_seller_id: id } = contract.world;
    for (const each of [id, id.toLowerCase(), '0']) {
      refused(await contract.call(`/v1/sellers/${each}`), 404, 'first_party_seller');
    }
  },
);

proves(
  'D32d',
  'an unknown seller is 404 and says how it becomes known; no retailer is asked',
  async () => {
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    const { seller_id: id, catalog_seller_id: number } = contract.world;
    for (const each of [id, number, 'Z'.repeat(32)]) {
      const body = refused(await contract.call(`/v1/sellers/${each}`), 404, 'not_found');
      assert.match(String(body['detail']), /include_offers=true/);
    }
    assert.equal(contract.sandbox.requestCount(), asked);
  },
);

proves('D32c LI-06', 'other lengths and signs are 400', async () => {
  for (const id of ['A'.repeat(31), 'A'.repeat(33), 'A1B2C3D4E5F6G7', '1'.repeat(16), '-1']) {
    const body = refused(await contract.call(`/v1/sellers/${id}`), 400, 'invalid_identifier');
    assert.equal(body['parameter'], 'seller_id');
  }
});

proves('D36b', 'a source that does not answer is 503 while nothing is stored', async () => {
  const { seller_item_id: item, seller_id: id } = contract.world;
  await contract.record(item ?? '');
  contract.sandbox.disturb('retailer_w', 'down');
  try {
    const answer = await contract.call(`/v1/sellers/${id}`);
    refused(answer, 503, 'upstream_unavailable');
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  } finally {
    contract.sandbox.disturb('retailer_w', null);
  }
});
