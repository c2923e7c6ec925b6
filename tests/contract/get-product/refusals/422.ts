import assert from 'node:assert/strict';

import { contractService, refused } from '../../support/contract-service.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

proves(
  'D49e D54a D48d',
  'a page that is closed to robots, or too large, is 422 and not worth another try',
  async () => {
    const { trouble } = contract.world;
    for (const [page, upstream] of [
      [trouble.disallowed, 'robots_disallowed'],
      [trouble.too_large, 'upstream_too_large'],
    ] as const) {
      const answer = await contract.lookup(page);
      const body = refused(answer, 422, 'source_unusable');
      assert.equal(body['upstream'], upstream);
      assert.equal(answer.headers.get('retry-after'), null);
      assert.equal(body['tokens_remaining'], 1_000_000);
    }
    const asked = contract.sandbox.requests().map(({ path }) => path);
    assert.ok(asked.includes('/robots.txt'));
    assert.ok(!asked.some((path) => path.includes('trouble-disallowed')), 'never fetched');
  },
);
