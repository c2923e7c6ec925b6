import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D19e D16a RF-01',
  'a refresh whose fetch fails is 503, unbilled, never what is stored',
  async () => {
    const { upc, item_id: itemId, asin } = contract.world;
    for (const id of [upc, itemId, asin]) await contract.record(id);
    const left = await contract.left();
    for (const slug of ['retailer_w', 'retailer_a'] as const)
      contract.sandbox.disturb(slug, 'broken');
    try {
      for (const id of [upc, itemId, asin]) {
        for (const query of ['', '?include_offers_reviews=false']) {
          const answer = await contract.refresh(id, query);
          assert.equal(answer.status, 503, `${id}${query} ${JSON.stringify(answer.body)}`);
          refused(answer, 503, String(answer.body['code']));
          assert.ok(Number(answer.headers.get('retry-after')) >= 1);
        }
        const flag = await contract.lookup(id, '?include_force_refresh=true');
        refused(flag, 503, 'upstream_unavailable');
      }
    } finally {
      for (const slug of ['retailer_w', 'retailer_a'] as const)
        contract.sandbox.disturb(slug, null);
    }
    assert.equal(await contract.left(), left);
  },
);
