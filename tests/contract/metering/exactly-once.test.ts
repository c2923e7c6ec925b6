import assert from 'node:assert/strict';

import { checkStore } from '../../../src/data/maintenance/check.ts';
import { contractService } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

// Callers and service share a process here, so the service would see itself as overloaded; shedding is not under test.
const contract = contractService({
  env: {
    OPENSHELF_MAX_LOOKUPS: '1000',
    OPENSHELF_MAX_WRITING: '1000',
    OPENSHELF_MAX_WAIT_MS: '60000',
  },
});

async function inParallel(count: number, call: () => Promise<{ readonly status: number }>) {
  const answers = await Promise.all(Array.from({ length: count }, call));
  return Map.groupBy(answers, ({ status }) => status);
}

proves(
  'D17c D16a EE-08',
  'one token left and 1,000 callers at once: exactly one answer',
  async () => {
    const { item_id: id } = contract.world;
    await contract.record(id);
    const limits = { throttlePerMinute: 6_000, throttleBurst: 2_000 };
    const key = await contract.newKey({
      organization: 'last',
      note: null,
      monthlyQuota: 1,
      ...limits,
    });
    const byStatus = await inParallel(1_000, () => contract.lookup(id, '', { key }));
    assert.deepEqual([byStatus.get(200)?.length, byStatus.get(429)?.length], [1, 999]);
    const usage = await contract.ok('/v1/usage', { key });
    assert.deepEqual([usage['tokens_used'], usage['calls'], usage['tokens_remaining']], [1, 1, 0]);
    assert.deepEqual(await checkStore(contract.app.store.sql), []);
  },
);

proves(
  'D17c D17d',
  'what must be fetched is reserved too: never more answers than tokens',
  async () => {
    const key = await contract.newKey({ organization: 'six', note: null, monthlyQuota: 13 });
    const { seller_item_id: id } = contract.world;
    const byStatus = await inParallel(40, () =>
      contract.lookup(id ?? '', '?include_offers=1', { key }),
    );
    assert.deepEqual([byStatus.get(200)?.length, byStatus.get(429)?.length], [2, 38]);
    const usage = await contract.ok('/v1/usage', { key });
    assert.deepEqual([usage['tokens_used'], usage['tokens_remaining']], [12, 1]);
  },
);

proves('D21a D17b', 'fifty callers with one Idempotency-Key: one charge', async () => {
  const { asin } = contract.world;
  const key = await contract.newKey({ organization: 'once', note: null });
  const headers = { 'idempotency-key': 'the-only-one' };
  const byStatus = await inParallel(50, () => contract.lookup(asin, '', { key, headers }));
  assert.equal((byStatus.get(200)?.length ?? 0) + (byStatus.get(409)?.length ?? 0), 50);
  const usage = await contract.ok('/v1/usage', { key });
  assert.deepEqual([usage['tokens_used'], usage['calls']], [1, 1]);
});
