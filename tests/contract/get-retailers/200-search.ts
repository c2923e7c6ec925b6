import assert from 'node:assert/strict';

import { contractService } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService({
  // Nothing listens there.
  env: { OPENSHELF_SEARXNG_URL: 'http://127.0.0.1:9' },
});

proves('D14c D46a', 'a search engine that is configured is shown', async () => {
  const { search_provider: provider, search_provider_problem: problem } =
    await contract.ok('/v1/retailers');
  assert.deepEqual([provider, problem], ['searxng', null]);
});

proves(
  'D65a',
  'a search engine that refuses connections is shown with its setting and the time of the next attempt',
  async () => {
    const { gtin } = contract.world;
    const { status, body } = await contract.lookup(gtin, '?retailer=retailer_t');
    assert.deepEqual([status, body['code']], [503, 'upstream_unavailable']);
    assert.match(String(body['detail']), /OPENSHELF_SEARXNG_URL/);
    const { search_provider_problem: problem } = await contract.ok('/v1/retailers');
    const { setting, detail, paused_seconds: seconds } = problem as Record<string, unknown>;
    assert.equal(setting, 'OPENSHELF_SEARXNG_URL');
    assert.ok(Number(seconds) > 3_590 && Number(seconds) <= 3_600, `${Number(seconds)} s`);
    assert.ok(!String(detail).includes('127.0.0.1'));
    await contract.record(gtin);
  },
);
