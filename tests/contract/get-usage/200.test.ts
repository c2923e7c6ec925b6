import assert from 'node:assert/strict';

import { dayOf } from '../../../src/base/clock.ts';
import { contractService } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D14c D16c D17a AU-02',
  'usage is free and adds up by day, endpoint and key, over all keys of the organization',
  async () => {
    const org = { organization: 'buyers', monthlyQuota: 100 };
    const first = await contract.newKey({ ...org, note: 'shop' });
    const second = await contract.newKey({ ...org, note: null });
    const { item_id: itemId } = contract.world;
    await contract.record(itemId, '', { key: first });
    await contract.record(itemId, '?include_offers=1', { key: second });
    await contract.ok(`/v1/products/${itemId}/history`, { key: second });
    await contract.lookup('hello!', '', { key: second });
    for (const key of [first, second]) {
      const usage = await contract.ok('/v1/usage', { key });
      assert.deepEqual(
        ['organization', 'tokens_allowance', 'tokens_used', 'calls', 'tokens_remaining'].map(
          (name) => usage[name],
        ),
        ['buyers', 100, 9, 3, 91],
      );
      assert.equal(usage['tokens_consumed'], 0);
      const today = dayOf(contract.clock.now());
      assert.deepEqual(usage['days'], [{ date: today, tokens: 9, calls: 3 }]);
      assert.equal(usage['month'], today.slice(0, 7));
      assert.deepEqual(usage['endpoints'], [
        { endpoint: 'GET /v1/products/{id}', tokens: 7, calls: 2 },
        { endpoint: 'GET /v1/products/{id}/history', tokens: 2, calls: 1 },
      ]);
      const keys = usage['keys'] as readonly Record<string, unknown>[];
      const sums = keys.map(({ note, tokens, calls }) => [note, tokens, calls]);
      assert.deepEqual(
        sums.toSorted((one, other) => Number(one[1]) - Number(other[1])),
        [
          ['shop', 1, 1],
          [null, 8, 2],
        ],
      );
    }
  },
);
