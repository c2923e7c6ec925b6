import assert from 'node:assert/strict';

import { at, contractService, productPath, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

const byUrl = (address: string, query = '') =>
  `/v1/products?url=${encodeURIComponent(address)}${query}`;

proves(
  'D9e GP-03',
  'the address as a query parameter is the same lookup at the same price',
  async () => {
    const { url, variant_url: variant, retailers } = contract.world;
    for (const address of [url.hosted, url.json_ld, variant, retailers.retailer_b.url]) {
      await contract.record(address);
      // Requests made after the first answer add to later answers.
      await contract.untilQueueIdle();
      const byPath = await contract.record(address);
      const byQuery = await contract.ok(byUrl(address));
      const { tokens_remaining: left, ...same } = byQuery;
      const { tokens_remaining: had, ...wanted } = byPath;
      assert.deepEqual(same, wanted);
      assert.equal(Number(had) - Number(left), 1);
    }
  },
);

proves('D9e', 'it takes the parameters of the lookup', async () => {
  const { url } = contract.world.retailers.retailer_a;
  const record = await contract.ok(
    byUrl(url, '&retailer=retailer_a&include_stats=0&include_cross_retailer=true'),
  );
  assert.equal(at(record, '_meta.price_source'), 'retailer_a');
  assert.ok(!('stats' in record) && 'cross_retailer' in record);
  assert.equal(record['tokens_consumed'], 3);
  assert.deepEqual(record['asin_match'], {
    state: 'exact',
    matched_asin: contract.world.asin,
  });
});

proves('D48c D9e D50a', 'without url, or with one that is refused, it is 400', async () => {
  const missing = refused(await contract.call('/v1/products'), 400, 'invalid_parameter');
  assert.equal(missing['parameter'], 'url');
  refused(await contract.call(byUrl('http://192.168.0.1/')), 400, 'url_not_allowed');
  const other = byUrl(contract.world.url.json_ld, '&retailer=retailer_w');
  refused(await contract.call(other), 400, 'retailer_mismatch');
  const { home } = contract.world.other_pages;
  refused(await contract.call(byUrl(home ?? '')), 404, 'not_found');
  refused(await contract.call(byUrl(contract.world.trouble.disallowed)), 422, 'source_unusable');
  refused(await contract.call(byUrl(contract.world.trouble.broken)), 503, 'upstream_unavailable');
  assert.ok(productPath('a/b').endsWith('a%2Fb'));
});
