import assert from 'node:assert/strict';

import { contractService } from '../../support/contract-service.ts';
import { ordinary } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

type Cells = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const cellsOf = async (id: string, query = '&identifier_match=any') =>
  (await contract.record(id, `?include_cross_retailer=true${query}`))['cross_retailer'] as Cells;

/** A product that every retailer but retailer_t can be queried for, and that no test has looked up yet. */
const fresh = (at: number) => {
  const market = contract.sandbox.market();
  const all = ordinary(contract, 'retailer_w', ({ inStock }) => inStock).filter(
    ({ product }) =>
      market
        .listingsOf('retailer_b', product)
        .some((one) => one.publishedGtin === product.gtin14) &&
      market.listingsOf('retailer_h', product).some((one) => one.publishedGtin === product.gtin14),
  );
  return all[at]?.product.gtin14 ?? assert.fail('such a product exists');
};

proves(
  'CL-03 ST-05 D34d D37b PA-07',
  'the first call says indexing of who is still to be asked; soon after, each says what it found',
  async () => {
    const gtin = fresh(3);
    const first = await cellsOf(gtin);
    assert.equal(first['retailer_w']?.['status'], 'ok');
    const waiting = ['retailer_b', 'retailer_h', 'retailer_e', 'retailer_l', 'retailer_a'];
    for (const slug of waiting) {
      assert.equal(first[slug]?.['status'], 'indexing', slug);
      assert.deepEqual(
        [first[slug]?.['price'], first[slug]?.['url'], first[slug]?.['_source']],
        [null, null, null],
      );
      assert.deepEqual(first[slug]?.['_freshness'], { refreshed_at: null });
    }
    assert.equal(first['retailer_t']?.['status'], 'error', 'no job can ask it');
    await contract.untilQueueIdle();
    const later = await cellsOf(gtin);
    assert.ok(Object.values(later).every((cell) => cell['status'] !== 'indexing'));
    for (const slug of ['retailer_b', 'retailer_h']) assert.equal(later[slug]?.['status'], 'ok');
  },
);

proves('D34a D34d', 'an indexing cell is not seen unless any is asked for', async () => {
  const gtin = fresh(4);
  const first = await cellsOf(gtin, '');
  assert.equal(first['retailer_w']?.['status'], 'ok');
  assert.ok(Object.values(first).every((cell) => cell['status'] !== 'indexing'));
  await contract.untilQueueIdle();
  const later = Object.keys(await cellsOf(gtin, ''));
  assert.ok(later.includes('retailer_b') && later.includes('retailer_h'));
});

proves(
  'D37b PR-53',
  'a plain lookup puts the others on the queue, and its record grows',
  async () => {
    const gtin = fresh(5);
    const links = async () => {
      const record = await contract.record(gtin);
      return (record['retailer_links'] as readonly { retailer: string }[]).map(
        ({ retailer }) => retailer,
      );
    };
    // The others may be queried while this answer is still being composed.
    const before = await links();
    assert.ok(before.includes('retailer_w'));
    await contract.untilQueueIdle();
    const after = await links();
    assert.ok(after.length > 2);
    for (const retailer of before) assert.ok(after.includes(retailer), retailer);
  },
);
