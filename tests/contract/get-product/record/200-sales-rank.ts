import assert from 'node:assert/strict';

import { SANDBOX_ACCESS } from '../../../../sandbox/tokens.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { addressOf, one, ordinary, truthAt } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();
/** With the official API of retailer_b, which ranks its products without naming the category. */
const withApi = contractService({
  env: { OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey },
});

proves(
  'SR-01 SR-02',
  'sales ranks stand at top level and in the cell of the retailer that states them, null elsewhere',
  async () => {
    const item = one(contract, 'retailer_a', ({ salesRanks }) => salesRanks.length > 0);
    const record = await contract.record(item.id);
    const stated = truthAt(contract, item, record).facts['sales_rank'];
    assert.ok(Array.isArray(stated) && stated.length === 2);
    assert.deepEqual(record['sales_rank'], stated);
    // Only the anchor's page can state it.
    const { gtin, asin } = contract.world;
    await contract.record(asin);
    await contract.record(gtin, '?retailer=retailer_a');
    const whole = await contract.record(gtin, '?include_cross_retailer=true&identifier_match=any');
    assert.equal(at(whole, '_meta.price_source'), 'retailer_w');
    assert.equal(whole['sales_rank'], null);
    const cell = at(whole, 'cross_retailer.retailer_a.sales_rank');
    assert.deepEqual(cell, (await contract.record(gtin, '?retailer=retailer_a'))['sales_rank']);
    for (const slug of ['retailer_w', 'retailer_e', 'retailer_h']) {
      assert.equal(at(whole, `cross_retailer.${slug}.sales_rank`), null, slug);
    }
  },
);

proves('SR-01', 'a listing without a rank has none, and a refresh reads it again', async () => {
  const [unranked] = ordinary(contract, 'retailer_a', ({ salesRanks }) => salesRanks.length === 0);
  assert.ok(unranked !== undefined);
  const record = await contract.record(addressOf(contract, unranked));
  assert.equal(record['sales_rank'], null);
  const item = one(contract, 'retailer_a', ({ salesRanks }) => salesRanks.length > 0);
  await contract.record(item.id);
  contract.clock.advance(30 * 3_600_000);
  const { body } = await contract.refresh(item.id);
  assert.deepEqual(body['sales_rank'], truthAt(contract, item, body).facts['sales_rank']);
});

proves('SR-03', 'a rank of no named category has null for it', async () => {
  const item = one(withApi, 'retailer_b', ({ salesRanks }) => salesRanks.length > 0);
  const record = await withApi.record(item.product.gtin14, '?retailer=retailer_b');
  const [rank, ...more] = record['sales_rank'] as readonly Record<string, unknown>[];
  assert.deepEqual(more, []);
  assert.equal(rank?.['category'], null);
  assert.ok(Number(rank?.['rank']) >= 1);
});
