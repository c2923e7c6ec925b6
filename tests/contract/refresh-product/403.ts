import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D15d D15e',
  'forcing needs its scope, in each of its forms, and asks no retailer without it',
  async () => {
    const scopes = ['products:read'] as const;
    const key = await contract.newKey({ organization: 'readers', note: null, scopes });
    const { upc } = contract.world;
    await contract.record(upc, '', { key });
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    for (const answer of [
      await contract.refresh(upc, '', { key }),
      await contract.lookup(upc, '?include_force_refresh=true', { key }),
      await contract.lookup(upc, '?retailer=retailer_w&force_refresh=true', { key }),
    ]) {
      refused(answer, 403, 'insufficient_scope');
      assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_scope/);
    }
    assert.equal(contract.sandbox.requestCount(), asked);
    const forcing = await contract.newKey({
      organization: 'readers',
      note: null,
      scopes: ['products:refresh'],
    });
    refused(await contract.lookup(upc, '', { key: forcing }), 403, 'insufficient_scope');
  },
);
